//! One defect, one finding: where checks meet on the same act, one stands and names the others.

use super::found::Found;
use super::seen::Seen;
use crate::facts::{Span, StmtId};
use report::{Severity, Side, Verdict};
use std::collections::BTreeMap;

/// Checks that can mean the same act, the narrower before the wider. Two findings on one statement whose checks share no
/// row are two defects.
const ACTS: &[&[&str]] = &[
    // Waiting.
    &[
        "unbounded-result",
        "wait-on-own-loop",
        "rendezvous-under-lock",
        "lock-across-blocking",
        "thread-lock-across-await",
        "thread-not-joined",
        "unbounded-queue-or-join",
        "unbounded-wait",
        "literal-hot-timeout",
        "bespoke-future-resolver",
    ],
    // A limit that limits nothing.
    &["misplaced-timeout", "unbounded-queue-or-join"],
    // Taking a lock.
    &[
        "nested-lock",
        "acquire-without-release",
        "thread-lock-across-await",
        "acquire-without-timeout",
        "ignored-acquire-result",
        "filelock-without-timeout",
        "lock-timeout-unhandled",
        "cleanup-propagates",
    ],
    // Deleting what others use. A lock mends it, and leaves what a failing removal does to the work around it.
    &[
        "lock-file-deleted",
        "check-then-act",
        "unlocked-delete",
        "delete-not-idempotent",
        "temp-left-on-error",
    ],
    // A removal that fails. Catching it mends it, and leaves the race.
    &[
        "delete-not-idempotent",
        "temp-left-on-error",
        "corrupt-entry-propagates",
        "cleanup-propagates",
        "first-failure-skips-rest",
        "narrow-except",
    ],
    // Closing.
    &[
        "yield-without-finally",
        "context-entered-not-exited",
        "closed-only-on-success",
        "local-executor-not-closed",
        "resource-not-closed",
        "first-failure-skips-rest",
        "cleanup-propagates",
    ],
    // Making what has to be stopped or closed.
    &[
        "executor-per-call",
        "local-executor-not-closed",
        "executor-never-shut-down",
        "executor-without-gc-fallback",
        "thread-without-stop-flag",
        "thread-not-joined",
        "atexit-only-cleanup",
        "start-failure-leaks",
        "init-failure-leak",
        "constructor-leaks-context",
        "context-entered-not-exited",
        "resource-not-closed",
    ],
    // Making something process-wide.
    &[
        "unserialized-torchscript",
        "unserialized-engine-build",
        "unserialized-session-creation",
        "ad-hoc-torchscript-lock",
        "lock-not-threaded",
        "unlocked-shared-init",
        "inconsistent-lock",
        "global-runtime-flag",
        "setting-not-restored",
        "own-instead-of-shared-helper",
    ],
    // Talking to a store beside the work.
    &[
        "side-work-shares-try",
        "cache-outage-propagates",
        "silent-swallow",
    ],
    // Keeping what is done with.
    &[
        "eviction-misses-structure",
        "entry-never-taken-back",
        "registered-for-good",
        "unpruned-collector",
        "unbounded-cache",
    ],
    // Naming a folder after what somebody gave.
    &["raw-id-in-path", "unchecked-containment"],
    // Writing.
    &[
        "rename-across-filesystems",
        "bare-cache-write",
        "non-atomic-helper",
        "fixed-temp-name",
        "temp-left-on-error",
        "directory-as-ready-marker",
        "lock-is-not-atomicity",
        "own-instead-of-shared-helper",
    ],
];

/// Makes one of findings that mean one act: the graver stands, at equal severity the narrower.
pub(super) fn merge(seen: &[Seen<'_>], found: Vec<Found>) -> Vec<Found> {
    let mut acts: Vec<(Act, Found)> = found
        .into_iter()
        .filter_map(|one| Some((Act::of(seen, &one)?, one)))
        .collect();
    acts.sort_by_key(|(act, _)| act.rank());
    let mut kept: BTreeMap<Place, Vec<(Act, Found)>> = BTreeMap::new();
    for (act, one) in acts {
        let here = kept.entry(act.place).or_default();
        match here.iter_mut().find(|(standing, _)| standing.is_also(&act)) {
            Some((standing, into)) => name(standing, into, &act, one),
            None => here.push((act, one)),
        }
    }
    let kept = kept.into_values().flatten();
    kept.map(|(_, one)| one).collect()
}

/// Lets the standing finding name the merged one's rules.
fn name(standing: &Act, into: &mut Found, act: &Act, one: Found) {
    into.also.extend(one.also.into_iter().chain([act.rule]));
    into.also.retain(|&rule| rule != standing.rule);
    into.also.sort_unstable();
    into.also.dedup();
}

/// File, side and statement.
type Place = (usize, Side, StmtId);

/// What a finding is about.
struct Act {
    place: Place,
    span: Span,
    rule: u8,
    check: &'static str,
    severity: Severity,
    verdict: Verdict,
    order: usize,
}

impl Act {
    fn of(seen: &[Seen<'_>], one: &Found) -> Option<Act> {
        let (_, _, sighting) = one.of(seen)?;
        let hit = &sighting.hit;
        Some(Act {
            place: (one.file, one.side, hit.anchor.stmt),
            span: hit.anchor.span,
            rule: hit.check.rule,
            check: hit.check.id,
            severity: sighting.severity(),
            verdict: one.verdict,
            order: one.sighting,
        })
    }

    /// Which of several stands: the first by this order.
    fn rank(&self) -> (Severity, Verdict, usize, usize, u32, usize) {
        let narrow = ACTS
            .iter()
            .find_map(|row| row.iter().position(|check| *check == self.check));
        (
            self.severity,
            self.verdict,
            narrow.unwrap_or(usize::MAX),
            self.place.0,
            self.span.start,
            self.order,
        )
    }

    /// Whether another finding at the same place means the same act.
    fn is_also(&self, other: &Act) -> bool {
        let same_class =
            self.verdict == other.verdict || (self.verdict.counts() && other.verdict.counts());
        let twice = self.check == other.check;
        let one_act = self.span.overlaps(other.span) && share_a_row(self.check, other.check);
        same_class && (twice || one_act)
    }
}

fn share_a_row(one: &str, other: &str) -> bool {
    ACTS.iter()
        .any(|row| row.contains(&one) && row.contains(&other))
}
