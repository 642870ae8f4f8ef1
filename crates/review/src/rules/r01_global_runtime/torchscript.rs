//! Which calls change the TorchScript registry of the process.

use crate::facts::{Call, ExprId, Facts, ScopeId, ScopeKind, StmtId, Switch};
use crate::rules::Context;

/// How a call touches the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// `torch.jit.load`, `torch.jit.script`.
    Direct,
    /// A builder of another library that scripts inside.
    Builder,
    /// A builder that scripts with a keyword alone, which is not shown to be true.
    SwitchedBuilder,
    /// A builder of a model: it scripts only where the model's transforms are scripted, which is not shown.
    ModelBuilder,
    /// `trace`, `freeze`: they compile, too, but rarely while others load.
    Light,
}

/// The calls of the file that touch the TorchScript registry.
pub(super) fn touches<'f>(cx: &'f Context<'_>) -> impl Iterator<Item = (Call<'f>, Touch)> {
    let all: Vec<_> = cx
        .facts
        .calls()
        .filter_map(|call| Some((call, touch(cx, &call)?)))
        .collect();
    // Where the file shows what scripts, nobody has to ask whether a builder does.
    let is_sure = |(_, touch): &(Call<'f>, Touch)| matches!(touch, Touch::Direct | Touch::Builder);
    let is_answered = all.iter().any(is_sure);
    all.into_iter()
        .filter(move |(_, touch)| !(is_answered && *touch == Touch::ModelBuilder))
}

fn touch(cx: &Context<'_>, call: &Call<'_>) -> Option<Touch> {
    if is_direct(cx.facts, call) {
        return Some(Touch::Direct);
    }
    if call.is(&[
        "torch.jit.trace",
        "torch.jit.trace_module",
        "torch.jit.freeze",
        "torch.jit.optimize_for_inference",
    ]) {
        return Some(Touch::Light);
    }
    by_builder(cx, call)
}

/// What a listed name touches: nothing where it is the repository's own and is judged where it is defined.
fn by_builder(cx: &Context<'_>, call: &Call<'_>) -> Option<Touch> {
    let torchscript = &cx.profile.torchscript;
    let builds = torchscript.is_builder(call.callee());
    if (!builds && !torchscript.is_model_builder(call.callee())) || is_own(cx.facts, call) {
        return None;
    }
    let keyword = cx.profile.only_with(call.callee());
    let switch = keyword.map_or(Switch::On, |keyword| cx.facts.switch(call, keyword));
    match own_definition(cx, call) {
        _ if switch == Switch::Off => None,
        // The root is a finding of its own.
        Own::Shown { is_root_new: true } | Own::Harmless => None,
        Own::Shown { is_root_new: false } => Some(Touch::Builder),
        Own::Hidden => builds.then_some(Touch::ModelBuilder),
        Own::No if builds && switch != Switch::On => Some(Touch::SwitchedBuilder),
        Own::No if builds => Some(Touch::Builder),
        // In a fragment of a file that does not show its imports the name could be the file's own.
        Own::No => cx
            .facts
            .imported_root(called_function(cx.facts, call))
            .map(|_| Touch::ModelBuilder),
    }
}

/// Whether a listed name is defined by the reviewed repository itself.
enum Own {
    No,
    /// By its import, in a file that is not shown.
    Hidden,
    /// In another file of the diff, where it touches the registry; that file is new or was there.
    Shown {
        is_root_new: bool,
    },
    /// In another file of the diff, where it touches nothing.
    Harmless,
}

fn own_definition(cx: &Context<'_>, call: &Call<'_>) -> Own {
    let facts = cx.facts;
    let called = called_function(facts, call);
    let Some(imported) = facts.imported(called) else {
        let is_own = facts.is_first_party(called);
        return if is_own { Own::Hidden } else { Own::No };
    };
    let Some(scope) = imported.function() else {
        return Own::Harmless;
    };
    match root(cx, imported.facts, scope, 3) {
        Some(home) => Own::Shown {
            is_root_new: home.document.whole,
        },
        None => Own::Harmless,
    }
}

/// `Predictor` of `Predictor(...)` and of `Predictor.from_pretrained(...)`.
fn called_function(facts: &Facts, call: &Call<'_>) -> ExprId {
    match facts.attribute(call.function) {
        Some((class, "from_pretrained")) => class,
        _ => call.function,
    }
}

/// The file of the diff in which a function of it touches the registry, itself or through what it calls.
fn root<'f>(
    cx: &Context<'f>,
    facts: &'f Facts,
    function: ScopeId,
    depth: u32,
) -> Option<&'f Facts> {
    let depth = depth.checked_sub(1)?;
    // The modules hold files that know no others; these do.
    let linked = cx.others.iter().find(|other| other.path == facts.path);
    let facts = linked.copied().unwrap_or(facts);
    facts
        .calls_within(facts.scope(function).span)
        .find_map(|call| {
            if is_direct(facts, &call) {
                return Some(facts);
            }
            let (home, scope) = facts.callee(&call)?;
            root(cx, home, scope, depth)
        })
}

fn is_direct(facts: &Facts, call: &Call<'_>) -> bool {
    // `load` alone, in a fragment that does not show its import, is most likely another.
    let is_qualified = call.callee().contains('.');
    (is_qualified && call.is(&["torch.jit.load", "torch.jit.script"])) || hands_on(facts, call)
}

/// `executor.submit(torch.jit.load, path)` calls it all the same.
fn hands_on(facts: &Facts, call: &Call<'_>) -> bool {
    matches!(
        call.name(),
        "submit" | "to_thread" | "run_in_executor" | "partial" | "map"
    ) && call
        .args
        .iter()
        .any(|arg| facts.is_one_of(arg.value, &["torch.jit.load", "torch.jit.script"]))
}

/// A name that this file defines is not the library's.
fn is_own(facts: &Facts, call: &Call<'_>) -> bool {
    first_name(facts, call.function).is_some_and(|name| facts.definition(name).is_some())
}

fn first_name(facts: &Facts, id: ExprId) -> Option<ExprId> {
    match facts.attribute(id) {
        Some((object, _)) => first_name(facts, object),
        None => facts.name(id).map(|_| id),
    }
}

/// Why nobody else can be at it at the same moment, if so.
pub(super) fn alone(cx: &Context<'_>, stmt: StmtId) -> Option<String> {
    let facts = cx.facts;
    if let Some(reason) = facts.idle_file(cx.profile) {
        return Some(format!("Nothing runs beside it: {reason}."));
    }
    let function = facts.function_of(facts.stmt(stmt).scope);
    if function.is_some_and(|function| facts.prepares_worker(function)) {
        return Some("It prepares a worker before that takes any work.".to_string());
    }
    // Callers that are not shown could come from a hot path, where the file lies in one.
    let sees_callers = facts.document.whole || !cx.profile.places.is_hot_path(&facts.path);
    if sees_callers && function.is_some_and(|function| facts.starts_program(function)) {
        return Some("Nothing runs beside it: it runs once, when the program starts.".to_string());
    }
    let at_import = facts.document.whole
        && facts.scope(facts.stmt(stmt).scope).kind == ScopeKind::Module
        && function.is_none();
    at_import.then(|| "It runs once, while the module is imported.".to_string())
}

/// Whether the file imports, defines or is handed the project's shared guard.
pub(super) fn has_shared_guard(cx: &Context<'_>) -> bool {
    let facts = cx.facts;
    let torchscript = &cx.profile.torchscript;
    let imported = torchscript
        .shared_guards
        .iter()
        .any(|name| facts.imports_name(name));
    imported
        || facts.scope_ids().any(|scope| {
            let params = &facts.scope(scope).params;
            let handed = params
                .iter()
                .any(|param| torchscript.is_lock_name(facts.text(param.name)));
            let defined = facts
                .scope_name(scope)
                .is_some_and(|name| torchscript.is_shared_guard(name));
            handed || defined
        })
}
