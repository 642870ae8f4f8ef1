//! Cache keys, containment tests and length tests of one's own, where the package has helpers for them.

use crate::facts::{Call, ExprId, ExprKind, Facts, ScopeId, StmtId};
use crate::rules::{Check, Context, HitVerdict, Outcome, own_helper};
use report::Severity;
use topic::Role;

pub(super) const CHECK: Check = Check {
    id: own_helper::ID,
    rule: 6,
    severity: Severity::Flag,
    references: &[],
    summary: "A cache key, a containment test or a path-length test by hand, where the package has a helper.",
    detect,
};

/// Whether a function of the file does a helper's work, and where.
type Question = fn(&Context<'_>, ScopeId) -> Option<StmtId>;

const ROLES: &[(Role, Question)] = &[
    (Role::CacheKey, makes_key),
    (Role::Containment, tests_containment),
    (Role::PathLimit, tests_length),
];

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for &(role, question) in ROLES {
        let Some(helper) = own_helper::helper(cx, role) else {
            continue;
        };
        for function in own_helper::own_functions(cx) {
            let work = question(cx, function);
            let hit = work.and_then(|work| {
                let place = (function, work);
                own_helper::hit(cx, &CHECK, place, helper, HitVerdict::Violation)
            });
            out.hits.extend(hit);
        }
    }
}

/// A slug or path with a digest of a model's id.
fn makes_key(cx: &Context<'_>, function: ScopeId) -> Option<StmtId> {
    let facts = cx.facts;
    let is_key = own_helper::says(
        facts,
        function,
        &[
            "slug",
            "slugify",
            "cache key",
            "cache id",
            "cache path",
            "cache dir",
        ],
    );
    let calls_helper = || {
        facts
            .calls_of(function)
            .any(|call| cx.profile.is_shared_helper(call.callee()))
    };
    let digest = facts
        .calls_of(function)
        .find(|call| is_key && digests_model_id(facts, call) && !calls_helper())?;
    Some(digest.stmt())
}

fn digests_model_id(facts: &Facts, call: &Call<'_>) -> bool {
    const DIGESTS: &[&str] = &[
        "hashlib.sha256",
        "hashlib.md5",
        "hashlib.sha1",
        "hashlib.blake2s",
        "hashlib.blake2b",
    ];
    let of_id = |id: ExprId| {
        let is_id = facts
            .name(id)
            .is_some_and(|name| topic::says(name, "model id"));
        is_id && facts.parameter(id).is_some()
    };
    call.is(DIGESTS)
        && call
            .args
            .iter()
            .any(|arg| facts.within(arg.value).any(of_id))
}

/// A function that is named for the question and answers it with `commonpath` or its like.
fn tests_containment(cx: &Context<'_>, function: ScopeId) -> Option<StmtId> {
    let facts = cx.facts;
    let is_question = own_helper::says(
        facts,
        function,
        &[
            "within",
            "inside",
            "is under",
            "is below",
            "contained",
            "in root",
            "escapes",
        ],
    );
    facts
        .calls_of(function)
        .filter(|_| is_question)
        .find(|call| {
            !cx.profile.is_shared_helper(call.callee())
                && cx.profile.keys.is_containment_check(call.callee())
        })
        .map(|call| call.stmt())
}

/// A function that compares a path's or file name's length with a number.
fn tests_length(cx: &Context<'_>, function: ScopeId) -> Option<StmtId> {
    let facts = cx.facts;
    let is_question = own_helper::says(
        facts,
        function,
        &[
            "fits",
            "too long",
            "path length",
            "name length",
            "path limit",
            "exceeds",
        ],
    );
    let mut stmts = facts.statements_of(function);
    stmts.find(|&stmt| is_question && facts.exprs_of(stmt).any(|id| compares_length(facts, id)))
}

fn compares_length(facts: &Facts, id: ExprId) -> bool {
    let ExprKind::Compare { operands, .. } = &facts.expr(id).kind else {
        return false;
    };
    operands.iter().any(|&operand| {
        let measured = facts
            .call(operand)
            .filter(|call| call.callee() == "len")
            .and_then(|call| call.positional(0));
        measured.is_some_and(|value| {
            facts
                .within(value)
                .filter_map(|part| facts.name(part))
                .any(|name| topic::has_word(name, "path file filename basename"))
        })
    })
}
