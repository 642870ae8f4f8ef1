//! What to look at, as questions to the author: a few that are asked in full, the rest in one line.

use super::entry::{place_of, rule};
use super::prose::prose;
use crate::export::wording::Wording;
use crate::finding::Finding;
use crate::model::Source;

/// An author answers three questions; a tenth stays open, and so do the others.
const ASKED: usize = 3;

/// Looks that are named in the line of the rest.
const NAMED: usize = 8;

/// The looks to ask about, gravest first and one of each check before a second, and the others.
pub(super) fn chosen<'a>(looks: &[&'a Finding]) -> (Vec<&'a Finding>, Vec<&'a Finding>) {
    let mut order: Vec<(usize, &Finding)> = looks
        .iter()
        .enumerate()
        .map(|(at, &look)| (n_before(looks, at), look))
        .collect();
    order.sort_by_key(|(nth, look)| (*nth, look.severity));
    let mut order: Vec<&Finding> = order.into_iter().map(|(_, look)| look).collect();
    let rest = order.split_off(order.len().min(ASKED));
    (order, rest)
}

/// How many looks of the same check stand before this one.
fn n_before(looks: &[&Finding], at: usize) -> usize {
    let same = |look: &&&Finding| looks.get(at).is_some_and(|it| it.check == look.check);
    looks.iter().take(at).filter(same).count()
}

/// A question as an entry of a list.
pub(super) fn question(look: &Finding, source: &Source, wording: &Wording) -> String {
    let place = place_of(look, source);
    let asked = asked(look, wording).replace("\n\n", "\n  ");
    format!("- {place} {}: {asked}\n", rule(look))
}

/// A question as a comment at its line.
pub(super) fn comment(look: &Finding, wording: &Wording) -> String {
    format!("**Question** ({}): {}\n", rule(look), asked(look, wording))
}

/// What stands there, the question, and what follows from either answer.
fn asked(look: &Finding, wording: &Wording) -> String {
    let (message, ask) = (prose(&look.message), prose(&look.ask));
    let Some(question) = (wording.question)(look.rule) else {
        return format!("{message}\n\n**Could you check?** {ask}");
    };
    format!(
        "{message} **{}**\n\n**Changes the outcome:** if {}, there is nothing to change; otherwise this is {}: {} {ask}",
        question.asks,
        question.settled_if,
        wording.grade(look.severity),
        prose(&look.why),
    )
}

/// The looks that are not asked about, on one line.
pub(super) fn also_unsure(rest: &[&Finding], source: &Source) -> Option<String> {
    let name = |look: &&Finding| format!("{} {}", place_of(look, source), rule(look));
    let named: Vec<String> = rest.iter().take(NAMED).map(name).collect();
    let more = match rest.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    (!rest.is_empty()).then(|| format!("\nAlso unsure about: {}{more}.\n", named.join(", ")))
}
