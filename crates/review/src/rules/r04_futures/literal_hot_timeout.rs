//! A number where the repository has one setting for this very timeout.

use crate::facts::{Bound, Heat, Kind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;
use topic::Role;

pub(super) const CHECK: Check = Check {
    id: "literal-hot-timeout",
    rule: 4,
    severity: Severity::Nit,
    references: &[],
    summary: "A hot wait has a literal timeout although the project has a shared setting for it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let Some(setting) = cx.profile.futures.timeout_settings.first() else {
        return;
    };
    if cx
        .profile
        .helpers_for(&cx.facts.path, Role::FutureResolver)
        .next()
        .is_none()
    {
        return;
    }
    for call in cx
        .facts
        .calls()
        .filter(|call| call.method() == Some("result"))
    {
        let is_future = call.receiver().and_then(|r| cx.facts.kind_of(r)) == Some(Kind::Future);
        let literal = matches!(cx.facts.bound(&call, 0, "timeout"), Bound::Literal(_));
        // A file's or class's name is too little to ask for a setting.
        let named = cx.facts.function_name(call.stmt()).is_some();
        let hot = named && cx.facts.heat(call.stmt(), cx.profile) == Heat::Hot;
        if is_future && literal && hot {
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                HitVerdict::Look,
                word(setting),
            ));
        }
    }
}

fn word(setting: &str) -> Words {
    Words::new(
        "The timeout of a hot wait is a number written here.",
        "Operators tune this wait for their hardware in one place; a number in the code does not follow.",
        format!(
            "Should this wait follow `{setting}`? If it is meant to differ, say why beside it."
        ),
    )
}
