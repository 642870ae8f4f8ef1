//! How long the objects of a class live: where they are made, who keeps each, and whether it is let go again.

mod makings;

use super::Facts;
use super::bindings::BindingKind;
use super::containers::{Container, Owner};
use super::hir::*;
use super::lifecycle::{HeldUse, HeldUseKind, Holder, Keeper};
use makings::Making;

/// How long the objects of a class live, as far as it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lifespan {
    /// Each one is let go: a local, an entry that is taken out, a field that is given another.
    Passing,
    /// Nothing shown makes one, or it goes where nobody sees.
    Unseen,
    /// One of them at least is kept for good.
    Lasting,
}

/// The classes and functions that are being asked for, so that two that keep each other come to an end.
type Asked = Vec<ScopeId>;

/// Steps from keeper to keeper before we give up.
const FUEL: usize = 6;

/// Words in the names of functions that keep what they are given.
const KEEPING: &[&str] = &[
    "add",
    "attach",
    "connect",
    "enqueue",
    "include",
    "install",
    "mount",
    "register",
    "schedule",
    "set",
    "spawn",
    "start",
    "store",
    "submit",
    "subscribe",
];

/// Words in the names of classes of which a program has one, for as long as it runs.
const SERVANTS: &[&str] = &[
    "block",
    "broker",
    "cache",
    "client",
    "controller",
    "dispatcher",
    "engine",
    "handler",
    "hub",
    "manager",
    "middleware",
    "monitor",
    "pool",
    "provider",
    "registry",
    "repository",
    "router",
    "scheduler",
    "server",
    "service",
    "singleton",
    "store",
    "supervisor",
    "worker",
];

impl Facts {
    /// How long the objects of a class live, those of its subclasses included.
    pub(crate) fn lifespan(&self, class: ScopeId) -> Lifespan {
        self.lifespan_of(class, &mut Asked::new())
    }

    fn lifespan_of(&self, class: ScopeId, asked: &mut Asked) -> Lifespan {
        let class = self.canonical(class);
        if asked.contains(&class) || asked.len() > FUEL {
            return Lifespan::Unseen;
        }
        asked.push(class);
        let longest = longest(&self.makings(class), asked);
        asked.pop();
        longest.unwrap_or_else(|| self.lifespan_by_name(class))
    }

    /// Where nothing shown makes one, the class's name may say that it serves for good.
    fn lifespan_by_name(&self, class: ScopeId) -> Lifespan {
        if self.is_servant(class) {
            Lifespan::Lasting
        } else {
            Lifespan::Unseen
        }
    }

    /// Whether a class's name says that a program has one, for as long as it runs.
    pub(crate) fn is_servant(&self, class: ScopeId) -> bool {
        let name = self.scope_name(class).unwrap_or("");
        SERVANTS.iter().any(|word| topic::says(name, word))
    }

    /// How long what an expression makes is kept.
    fn life_of_value(&self, id: ExprId, asked: &mut Asked) -> Lifespan {
        match self.keeper_of(id) {
            Keeper::With | Keeper::Dropped | Keeper::Inline(_) | Keeper::Iterated => {
                Lifespan::Passing
            }
            Keeper::Holder(holder) => self.life_in(&holder, Some(id), asked),
            Keeper::Element(holder) => self.life_as_entry(&holder, asked),
            Keeper::Returned => self.life_at_callers(id, asked),
            Keeper::Handed(call) => self.life_when_passed(call, asked),
            Keeper::Yielded | Keeper::Elsewhere => Lifespan::Unseen,
        }
    }

    /// The life of what a name or field holds.
    fn life_in(&self, holder: &Holder, made: Option<ExprId>, asked: &mut Asked) -> Lifespan {
        match holder {
            Holder::Local { .. } => self.life_of_local(holder, asked),
            Holder::Attribute {
                class: Some(class),
                name,
            } => {
                let given_up = made.is_none_or(|made| self.is_replaced(*class, name, made));
                if given_up {
                    Lifespan::Passing
                } else {
                    self.lifespan_of(*class, asked)
                }
            }
            Holder::Attribute { class: None, .. } => Lifespan::Unseen,
            Holder::ClassName { .. } | Holder::Global { .. } => Lifespan::Lasting,
        }
    }

    /// A local goes with its function, unless it is handed on.
    fn life_of_local(&self, holder: &Holder, asked: &mut Asked) -> Lifespan {
        let uses = self.uses_of(holder);
        let lives = uses.iter().map(|of| self.life_after(of, asked));
        lives.max().unwrap_or(Lifespan::Passing)
    }

    fn life_after(&self, of: &HeldUse, asked: &mut Asked) -> Lifespan {
        match of.kind {
            HeldUseKind::Stored(target) => match self.stored_in(target) {
                Some(Keeper::Element(holder)) => self.life_as_entry(&holder, asked),
                Some(Keeper::Holder(holder)) => self.life_in(&holder, Some(target), asked),
                _ => Lifespan::Unseen,
            },
            HeldUseKind::Returned => self.life_at_callers_of(of.stmt, asked),
            HeldUseKind::Yielded => Lifespan::Unseen,
            HeldUseKind::Passed(call) => self.life_when_passed(call, asked),
            _ => Lifespan::Passing,
        }
    }

    fn stored_in(&self, target: ExprId) -> Option<Keeper> {
        if let ExprKind::Subscript { object, .. } = self.expr(target).kind {
            return self.holder_of(object).map(Keeper::Element);
        }
        self.holder_of(target).map(Keeper::Holder)
    }

    /// A function that is given an object uses it; what adds it to a container, or makes an object of it, keeps it.
    fn life_when_passed(&self, call: ExprId, asked: &mut Asked) -> Lifespan {
        let Some(found) = self.call(call) else {
            return Lifespan::Unseen;
        };
        let adds = matches!(
            found.name(),
            "append" | "appendleft" | "add" | "put" | "setdefault" | "insert"
        );
        if adds {
            let receiver = found.receiver().and_then(|object| self.holder_of(object));
            return receiver.map_or(Lifespan::Unseen, |holder| {
                self.life_as_entry(&holder, asked)
            });
        }
        let name = found.name().trim_start_matches('_');
        let constructs = name.starts_with(char::is_uppercase);
        if constructs || matches!(name, "defaultdict" | "field") {
            return self.life_as_argument(call, asked);
        }
        let keeps = KEEPING.iter().any(|word| topic::says(name, word));
        if keeps || self.function_of(found.scope()).is_none() {
            return Lifespan::Unseen;
        }
        Lifespan::Passing
    }

    /// What a constructor of this file is given lives as long as what it makes; what a `defaultdict` makes is an entry
    /// of it, and what a field's factory makes belongs to the class around.
    fn life_as_argument(&self, call: ExprId, asked: &mut Asked) -> Lifespan {
        let Some(call) = self.call(call) else {
            return Lifespan::Unseen;
        };
        let class = match call.name() {
            "defaultdict" => {
                return match self.keeper_of(call.id) {
                    Keeper::Holder(holder) => self.life_as_entry(&holder, asked),
                    _ => Lifespan::Unseen,
                };
            }
            "field" => self.class_of(call.scope()),
            _ => self
                .definition(call.function)
                .filter(|&scope| self.scope(scope).kind == ScopeKind::Class),
        };
        class.map_or(Lifespan::Unseen, |class| self.lifespan_of(class, asked))
    }

    /// An entry goes when its container gives entries up, or goes itself.
    fn life_as_entry(&self, holder: &Holder, asked: &mut Asked) -> Lifespan {
        if let Holder::Local { .. } = holder {
            return self.life_of_local(holder, asked);
        }
        let Some(container) = self.containers().iter().find(|one| is_held(one, holder)) else {
            return Lifespan::Unseen;
        };
        if container.is_bounded() {
            return Lifespan::Passing;
        }
        match container.owner {
            _ if !self.sees_all_uses(container) => Lifespan::Unseen,
            Owner::Module | Owner::Class(_) => Lifespan::Lasting,
            Owner::Instance(class) => self.lifespan_of(class, asked),
        }
    }

    /// What a function returns is kept by those who call it, what a lambda returns by what it is given to.
    fn life_at_callers(&self, id: ExprId, asked: &mut Asked) -> Lifespan {
        let Some(lambda) = self.lambda_around(id) else {
            return self.life_at_callers_of(self.expr(id).stmt, asked);
        };
        let Some(parent) = self.expr(lambda).parent else {
            return Lifespan::Unseen;
        };
        match self.expr(parent).kind {
            ExprKind::Call { .. } => self.life_as_argument(parent, asked),
            _ => longest(&self.makings_from_display(parent), asked).unwrap_or(Lifespan::Unseen),
        }
    }

    fn lambda_around(&self, id: ExprId) -> Option<ExprId> {
        let mut at = self.expr(id).parent;
        while let Some(parent) = at {
            if let ExprKind::Lambda { .. } = self.expr(parent).kind {
                return Some(parent);
            }
            at = self.expr(parent).parent;
        }
        None
    }

    fn life_at_callers_of(&self, stmt: StmtId, asked: &mut Asked) -> Lifespan {
        let Some(function) = self.function_of(self.stmt(stmt).scope) else {
            return Lifespan::Unseen;
        };
        // The function takes a place in the list, so that one that returns its own result comes to an end.
        let function = self.canonical(function);
        if asked.contains(&function) {
            return Lifespan::Passing;
        }
        if asked.len() > FUEL {
            return Lifespan::Unseen;
        }
        asked.push(function);
        let longest = longest(&self.makings_through(function), asked);
        asked.pop();
        longest.unwrap_or(Lifespan::Unseen)
    }

    /// Whether a field is given another object, or none, after it was given this one: anywhere but in the constructor,
    /// and not only because it was missing.
    fn is_replaced(&self, class: ScopeId, name: &str, made: ExprId) -> bool {
        let replaces = |stmt: StmtId, target: ExprId, value: ExprId| {
            let in_constructor = matches!(
                self.function_name(stmt),
                None | Some("__init__" | "__post_init__")
            );
            let is_none = matches!(self.expr(value).kind, ExprKind::None);
            let is_first = value == made && self.tested_before(stmt, target).is_some();
            !in_constructor && (is_none || !is_first)
        };
        let field = Holder::Attribute {
            class: Some(class),
            name: name.to_string(),
        };
        self.mentions_of(&field).into_iter().any(|mention| {
            let stmt = self.expr(mention).stmt;
            match &self.stmt(stmt).kind {
                StmtKind::Delete(gone) => gone.contains(&mention),
                StmtKind::Assign {
                    targets,
                    value: Some(value),
                    ..
                } => targets.contains(&mention) && replaces(stmt, mention, *value),
                _ => false,
            }
        }) || self.is_bound_anew(class, name)
    }

    /// `self._current, done = State(), self._current`.
    fn is_bound_anew(&self, class: ScopeId, name: &str) -> bool {
        let bindings = self.attribute_bindings(class, name);
        bindings.into_iter().any(|binding| {
            let is_item = matches!(binding.kind, BindingKind::Value { index: Some(_), .. });
            is_item && self.function_name(binding.stmt) != Some("__init__")
        })
    }
}

/// The longest life of what is made at these places; none where there is no place.
fn longest(makings: &[Making<'_>], asked: &mut Asked) -> Option<Lifespan> {
    let lives = makings.iter().map(|making| match making {
        Making::At(home, made) => home.life_of_value(*made, asked),
        Making::Unseen => Lifespan::Unseen,
    });
    lives.max()
}

/// Whether a name or field holds this container.
fn is_held(container: &Container, holder: &Holder) -> bool {
    let plain = container.name.rsplit('.').next().unwrap_or("");
    match (container.owner, holder) {
        (Owner::Module, Holder::Global { name }) => plain == name,
        (
            Owner::Instance(owner) | Owner::Class(owner),
            Holder::Attribute {
                class: Some(class),
                name,
            }
            | Holder::ClassName { class, name },
        ) => plain == name && owner == *class,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Lifespan;
    use crate::facts::ScopeKind;
    use crate::probe::facts_of;

    #[track_caller]
    fn check(text: &str, expected: Lifespan) {
        let facts = facts_of(&format!("{text}print(1)\n"));
        let class = facts
            .scope_ids()
            .find(|&scope| facts.scope(scope).kind == ScopeKind::Class);
        assert_eq!(class.map(|class| facts.lifespan(class)), Some(expected));
    }

    const KEPT: &str = "class S:\n    pass\nclass WindowManager:\n    def __init__(self):\n        self.open = {}\n    def go(self, k):\n        self.open[k] = S()\n";

    #[test]
    fn an_entry_lives_until_its_container_gives_it_up() {
        check(KEPT, Lifespan::Lasting);
        let given_up = format!("{KEPT}    def end(self, k):\n        del self.open[k]\n");
        check(&given_up, Lifespan::Passing);
    }

    #[test]
    fn a_class_is_found_through_tables_factories_and_subclasses() {
        check(
            "class S:\n    pass\nKINDS = {1: S}\ndef f(k):\n    return len(KINDS[k]())\n",
            Lifespan::Passing,
        );
        check(
            "class S:\n    pass\ndef make():\n    return S()\nONE = make()\n",
            Lifespan::Lasting,
        );
        check(
            "class S:\n    pass\nclass T(S):\n    pass\ndef f():\n    t = T()\n    t.go()\n",
            Lifespan::Passing,
        );
    }

    #[test]
    fn what_nobody_is_seen_to_make_is_not_known() {
        check("class S:\n    pass\n", Lifespan::Unseen);
        check(
            "class S:\n    pass\nregister(S)\ndef f():\n    S()\n",
            Lifespan::Unseen,
        );
    }
}
