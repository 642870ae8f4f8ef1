//! A cached entry that cannot be read fails the request instead of counting as a miss.

use crate::facts::{Call, ExprId, Facts, Heat, Kind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "corrupt-entry-propagates",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A truncated or unreadable cached artifact raises instead of being fetched again.",
    detect,
};

/// What parsing a damaged entry raises.
const PARSE_ERRORS: &[&str] = &[
    "ValueError",
    "JSONDecodeError",
    "BadZipFile",
    "UnpicklingError",
    "EOFError",
    "Exception",
    "ReadError",
];

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if !parses_entry(cx, &call) {
            continue;
        }
        if cx.facts.is_caught(call.stmt(), PARSE_ERRORS) {
            out.evidence(10, call.span(), "an unreadable entry is caught");
        } else if looks_up_first(cx, &call) {
            let verdict = verdict(cx, &call);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, word(&call)));
        }
    }
}

/// `json.loads(cached)` of what came out of a cache server.
fn parses_entry(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let parses = call.is(&["json.loads", "pickle.loads", "yaml.safe_load"]);
    parses
        && call
            .positional(0)
            .is_some_and(|value| comes_from_cache(cx.facts, value))
}

fn comes_from_cache(facts: &Facts, value: ExprId) -> bool {
    facts
        .values(value)
        .into_iter()
        .filter_map(|source| facts.awaited_call(source))
        .any(|source| {
            matches!(source.method(), Some("get" | "hget" | "lpop"))
                && source.receiver().and_then(|r| facts.kind_of(r)) == Some(Kind::Redis)
        })
}

/// A miss is handled in the same function: so a damaged entry could be one as well.
fn looks_up_first(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let heat = cx.facts.heat(call.stmt(), cx.profile);
    !matches!(heat, Heat::Cold(_))
}

fn verdict(_cx: &Context<'_>, _call: &Call<'_>) -> HitVerdict {
    HitVerdict::Look
}

fn word(call: &Call<'_>) -> Words {
    Words::new(
        format!(
            "`{}` of a cached entry raises when the entry is damaged.",
            call.name()
        ),
        "A half-written or outdated entry then fails every request for its key until somebody deletes it by hand.",
        "Can another version or a cut write leave an entry that does not parse? If so, treat it as a miss and write it anew.",
    )
}
