//! TorchScript switched off or replaced by hand, where the package has a guard for it.

use crate::facts::{Facts, ScopeId, StmtId, StmtKind};
use crate::rules::{Check, Context, HitVerdict, Outcome, own_helper};
use report::Severity;
use topic::Role;

pub(super) const CHECK: Check = Check {
    id: own_helper::ID,
    rule: 1,
    severity: Severity::Flag,
    references: &[2373],
    summary: "`torch.jit.script` is replaced by hand, where the package has a guard that does so safely.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let Some(helper) = own_helper::helper(cx, Role::TorchscriptGuard) else {
        return;
    };
    for function in own_helper::own_functions(cx) {
        let hit = replaced(cx.facts, function).and_then(|stmt| {
            own_helper::hit(cx, &CHECK, (function, stmt), helper, HitVerdict::Violation)
        });
        out.hits.extend(hit);
    }
}

/// The first assignment to `torch.jit.script` or `torch.jit.trace` in a function.
fn replaced(facts: &Facts, function: ScopeId) -> Option<StmtId> {
    let mut stmts = facts.statements_of(function);
    stmts.find(|&stmt| match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets
            .iter()
            .any(|&target| facts.is_one_of(target, &["torch.jit.script", "torch.jit.trace"])),
        _ => false,
    })
}
