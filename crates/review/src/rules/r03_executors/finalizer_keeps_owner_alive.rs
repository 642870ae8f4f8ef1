//! A finalizer that holds what it waits for, blocks the collector, or runs a second time.

use super::kept;
use crate::facts::{Call, ExprId, ExprKind, Facts, HeldUseKind, Holder, Kind, ScopeId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "finalizer-keeps-owner-alive",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A finalizer refers to its own owner, waits inside the collector, or is not detached by the explicit shutdown.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls().filter(|call| cx.facts.is_finalizer(call)) {
        if holds_owner(cx.facts, &call) {
            report(cx, &call, HitVerdict::Violation, None, owner_words(), out);
        } else if waits(cx.facts, &call) {
            report(cx, &call, HitVerdict::Look, None, waiting_words(), out);
        } else if runs_twice(cx.facts, &call) {
            report(
                cx,
                &call,
                HitVerdict::Look,
                Some(Severity::Nit),
                twice_words(),
                out,
            );
        } else {
            out.evidence(3, call.span(), "ends with its owner, without holding it");
        }
    }
    for class in cx
        .facts
        .scope_ids()
        .filter(|&scope| cx.facts.class_of(scope) == Some(scope))
    {
        self_holding_thread(cx, class, out);
    }
}

fn report(
    cx: &Context<'_>,
    call: &Call<'_>,
    verdict: HitVerdict,
    severity: Option<Severity>,
    words: Words,
    out: &mut Outcome,
) {
    let mut hit = Hit::new(
        &CHECK,
        Anchor::call(call),
        kept::unless_cold(cx, verdict),
        words,
    );
    hit.severity = severity;
    out.hits.push(hit);
}

/// `finalize(self, self.close)`, `finalize(self, lambda: self.close())`, `finalize(self, close, self)`.
fn holds_owner(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(owner) = call.positional(0).and_then(|owner| facts.name(owner)) else {
        return false;
    };
    let is_owner = |id: ExprId| facts.name(id) == Some(owner);
    let callback = call.positional(1);
    let bound = callback.is_some_and(|callback| {
        let method = facts
            .attribute(callback)
            .filter(|(object, _)| is_owner(*object));
        method.is_some_and(|(_, name)| is_method(facts, call, name))
    });
    let closes_over = callback.is_some_and(|callback| match facts.expr(callback).kind {
        ExprKind::Lambda { .. } => facts.within(callback).any(is_owner),
        // What makes the callback is called now; only what it is given is kept.
        ExprKind::Call { ref args, .. } => {
            args.iter().any(|arg| facts.within(arg.value).any(is_owner))
        }
        ExprKind::Name => facts
            .definition(callback)
            .is_some_and(|scope| is_nested_user(facts, scope, owner)),
        _ => false,
    });
    let given = call.args.iter().skip(1).any(|arg| is_owner(arg.value));
    bound || closes_over || given
}

/// Whether `self.name` is a method, as far as the class is shown; a field may hold somebody else's function.
fn is_method(facts: &Facts, call: &Call<'_>, name: &str) -> bool {
    let class = facts.class_of(call.scope());
    let defined = class.is_some_and(|class| facts.method(class, name).is_some());
    let is_field = class.is_some_and(|class| {
        facts
            .attribute_bindings(class, name)
            .iter()
            .any(|binding| !matches!(binding.kind, crate::facts::BindingKind::Definition(_)))
    });
    let is_static = class
        .and_then(|class| facts.method(class, name))
        .is_some_and(|method| is_unbound(facts, method));
    (defined || !is_field) && !is_static
}

/// A static or class method does not hold the instance that it was reached through.
fn is_unbound(facts: &Facts, method: ScopeId) -> bool {
    let mut decorators = facts.decorators(method).iter();
    decorators
        .any(|&decorator| matches!(facts.name(decorator), Some("staticmethod" | "classmethod")))
}

/// A function defined in the method itself that uses the owner's name.
fn is_nested_user(facts: &Facts, scope: ScopeId, owner: &str) -> bool {
    let span = facts.scope(scope).span;
    let nested = facts
        .scope(scope)
        .parent
        .and_then(|parent| facts.function_of(parent))
        .is_some();
    nested
        && facts
            .exprs_within(span)
            .any(|id| facts.name(id) == Some(owner))
}

/// `shutdown` of a pool without `wait=False` joins its threads inside the collector.
fn waits(facts: &Facts, call: &Call<'_>) -> bool {
    let shuts = call
        .positional(1)
        .and_then(|callback| facts.attribute(callback))
        .is_some_and(|(_, name)| name == "shutdown");
    let wait = call.keyword("wait").or_else(|| call.positional(2));
    shuts
        && !wait.is_some_and(|value| matches!(facts.expr(value).kind, ExprKind::False))
        && !call.has_splat()
}

/// The class shuts the same thing down by hand, and nothing in it touches the finalizer again.
fn runs_twice(facts: &Facts, call: &Call<'_>) -> bool {
    let Some((field, name)) = call
        .positional(1)
        .and_then(|callback| facts.attribute(callback))
    else {
        return false;
    };
    let (Some(kept), Some(class)) = (facts.holder_of(field), facts.class_of(call.scope())) else {
        return false;
    };
    // `shutil.rmtree` is a function of a module; that others call it, too, says nothing.
    if facts
        .name(field)
        .is_some_and(|name| facts.imports_name(name))
    {
        return false;
    }
    let by_hand = facts.uses_of(&kept).iter().any(|of| match of.kind {
        HeldUseKind::Method(other) => facts
            .call(other)
            .is_some_and(|other| other.method() == Some(name)),
        _ => false,
    });
    by_hand && facts.is_visible(class) && !touches_finalizer(facts, class)
}

fn touches_finalizer(facts: &Facts, class: ScopeId) -> bool {
    facts.calls_of_class(class).any(|call| {
        let detaches = call.method() == Some("detach");
        let runs = facts.kind_of(call.function) == Some(Kind::Finalizer);
        detaches || runs
    })
}

/// A thread that runs a method of `self` keeps `self` alive, so a `__del__` that should stop it never runs.
fn self_holding_thread(cx: &Context<'_>, class: ScopeId, out: &mut Outcome) {
    let facts = cx.facts;
    let Some(del) = facts.method(class, "__del__") else {
        return;
    };
    let threads = kept::kept(facts, super::thread_without_stop_flag::is_thread);
    for kept in threads {
        let of_class = matches!(&kept.holder, Holder::Attribute { class: Some(of), .. } if facts.canonical(*of) == facts.canonical(class));
        let target = facts
            .call(kept.made.call)
            .and_then(|call| facts.thread_target(&call));
        let bound = target.is_some_and(|target| {
            facts.class_of(target) == Some(facts.canonical(class)) && facts.works_in_loop(target)
        });
        let closings = facts.closings(&kept.holder, kept.made.resource);
        let only_del =
            !closings.is_empty() && closings.iter().all(|closing| facts.runs_in_del(closing));
        if of_class && bound && only_del && !has_stop(facts, class) {
            let anchor = Anchor {
                stmt: kept.made.stmt,
                span: facts.expr(kept.made.call).span,
            };
            let verdict = HitVerdict::sure_if(facts.is_visible(class));
            let hit = Hit::new(
                &CHECK,
                anchor,
                kept::unless_cold(cx, verdict),
                thread_words(),
            );
            out.hits.push(
                hit.with_related(
                    facts
                        .scope(del)
                        .stmt
                        .map_or(facts.scope(del).span, |stmt| facts.stmt(stmt).head),
                    "never runs while the thread does",
                ),
            );
        }
    }
}

fn has_stop(facts: &Facts, class: ScopeId) -> bool {
    ["stop", "close", "terminate", "shutdown", "__exit__"]
        .iter()
        .any(|name| facts.method(class, name).is_some())
}

fn owner_words() -> Words {
    Words::new(
        "This finalizer refers to the object that it waits for.",
        "A bound method, a closure over the owner or the owner as an argument keeps it alive, so the finalizer can never run before the process ends.",
        "Give it only what it has to end: `weakref.finalize(self, self._pool.shutdown, wait=False)`, or a function that takes the resource.",
    )
}

fn waiting_words() -> Words {
    Words::new(
        "This finalizer waits for the pool's work inside the collector.",
        "`shutdown` joins the workers unless it is told not to, and the collector runs in whatever thread happens to allocate.",
        "Should this be `wait=False`? The explicit shutdown is the place to wait.",
    )
}

fn twice_words() -> Words {
    Words::new(
        "The explicit shutdown leaves this finalizer armed.",
        "It runs once more when the owner is collected, and keeps the old pool in memory until then.",
        "Keep the finalizer in a field and `detach()` it in the explicit shutdown.",
    )
}

fn thread_words() -> Words {
    Words::new(
        "Only `__del__` would stop this thread, and the thread keeps the object alive.",
        "Its target is a method of the object, so the object is never collected while the thread runs, and nothing ever tells the thread to end.",
        "Give the class a stop method that sets a flag and joins, or let the target hold the owner weakly.",
    )
}
