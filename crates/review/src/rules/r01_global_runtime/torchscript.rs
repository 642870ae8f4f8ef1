//! Which calls change the TorchScript registry of the process.

use crate::facts::{Call, ExprId, Facts, ScopeKind, StmtId};
use crate::rules::Context;

/// How a call touches the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// `torch.jit.load`, `torch.jit.script`.
    Direct,
    /// A builder of another library that scripts inside.
    Builder,
    /// `trace`, `freeze`: they compile, too, but rarely while others load.
    Light,
}

/// The calls of the file that touch the TorchScript registry.
pub(super) fn touches<'f>(cx: &'f Context<'_>) -> impl Iterator<Item = (Call<'f>, Touch)> {
    cx.facts
        .calls()
        .filter_map(|call| Some((call, touch(cx, &call)?)))
}

fn touch(cx: &Context<'_>, call: &Call<'_>) -> Option<Touch> {
    if call.is(&["torch.jit.load", "torch.jit.script"]) || hands_on(cx.facts, call) {
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
    let is_builder = cx.profile.torchscript.is_builder(call.callee()) && !is_own(cx.facts, call);
    is_builder.then_some(Touch::Builder)
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
    if let Some(reason) = facts.cold_file(cx.profile) {
        return Some(format!("Nothing runs beside it: {reason}."));
    }
    let at_import = facts.document.whole
        && facts.scope(facts.stmt(stmt).scope).kind == ScopeKind::Module
        && facts.function_of(facts.stmt(stmt).scope).is_none();
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
