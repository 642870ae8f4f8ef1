//! Findings that somebody has excused, in a comment on the statement or by their id, and those in other projects' code.

use super::found::Found;
use super::normal::comments;
use super::seen::{Half, Seen, Sighting};
use crate::facts::Span;
use crate::plan::Plan;
use report::Verdict;

/// Excuses what a comment on the statement's lines names, what a team has dismissed, and what stands in a copied file.
/// Existing ones stay existing.
pub(super) fn mark(plan: &Plan, seen: &[Seen<'_>], found: &mut [Found]) {
    for one in found.iter_mut().filter(|one| one.verdict.counts()) {
        let Some((_, half, sighting)) = one.of(seen) else {
            continue;
        };
        let reason = comment(half, sighting).or_else(|| dismissal(plan, one));
        if let Some(reason) = reason.or_else(|| copied(plan, half)) {
            one.verdict = Verdict::Excused;
            one.reason = Some(reason);
        }
    }
}

fn copied(plan: &Plan, half: &Half<'_>) -> Option<String> {
    let is_copied = half.facts.is_copied(&plan.profile);
    is_copied.then(|| "Another project wrote this file; report it there.".to_string())
}

fn dismissal(plan: &Plan, one: &Found) -> Option<String> {
    let dismissal = plan.dismissals.iter().find(|of| of.id == one.id)?;
    Some(said("Dismissed", &dismissal.reason))
}

/// The reason of a `# hunkwise: ok CHECK reason` on the statement's lines.
fn comment(half: &Half<'_>, sighting: &Sighting) -> Option<String> {
    let lines = half.facts.text(whole_lines(half, sighting));
    comments(lines).find_map(|comment| {
        let rest = comment
            .trim_start_matches(['#', ' '])
            .strip_prefix("hunkwise:")?;
        let rest = rest.trim_start().strip_prefix("ok ")?.trim_start();
        let (check, reason) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let check = check.trim_end_matches([':', ',']);
        let rule = format!("R{}", sighting.hit.check.rule);
        (check == sighting.hit.check.id || check == rule)
            .then(|| said("Excused in the code", reason))
    })
}

fn said(by: &str, reason: &str) -> String {
    match reason.trim() {
        "" => format!("{by}, without a reason."),
        reason => format!("{by}: {reason}"),
    }
}

/// The lines of a statement's head from their first to their last column.
fn whole_lines(half: &Half<'_>, sighting: &Sighting) -> Span {
    let head = sighting.head;
    let lines = &half.facts.lines;
    let last = lines.line(head.end.saturating_sub(1).max(head.start));
    let text_end = half.facts.document.text.len() as u32;
    let end = if last as usize + 1 < lines.len() {
        lines.start(last + 1)
    } else {
        text_end
    };
    Span {
        start: lines.start(lines.line(head.start)),
        end,
    }
}
