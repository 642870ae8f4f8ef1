//! One cause, one finding: what a check says twice of one act is said once, with the other places as related ones.
//!
//! `os.environ` set in three lines of one function is one change of the environment; entries and then their folder
//! removed in one block is one removal; two starts of one thread class are one loop without an end.

use super::found::Found;
use super::locate::locate;
use super::seen::{Half, Seen};
use crate::facts::{Facts, Span, StmtId};
use report::{Reference, Side, Verdict};

/// How two findings of one check are known to have one cause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// They change parts of one thing in one function: `os.environ[a]` and `os.environ[b]`.
    Thing,
    /// One stands in the other's block, or in a block of it.
    Block,
    /// They name one place as their root.
    Root,
}

/// The checks that repeat themselves, and how.
const REPEATED: &[(&str, Cause)] = &[
    ("global-runtime-flag", Cause::Thing),
    ("unlocked-delete", Cause::Block),
    ("delete-not-idempotent", Cause::Block),
    ("cleanup-propagates", Cause::Block),
    ("side-work-shares-try", Cause::Block),
    ("thread-without-stop-flag", Cause::Root),
    ("collision-prone-key", Cause::Root),
    ("unchecked-containment", Cause::Root),
];

/// Lets the first finding of a cause stand for those behind it in the same file, and one where the fault lies for those
/// in other files that come from there.
pub(super) fn fold(seen: &[Seen<'_>], found: Vec<Found>) -> Vec<Found> {
    let mut ordered: Vec<(Option<Mark<'_>>, Found)> = found
        .into_iter()
        .map(|one| (Mark::of(seen, &one), one))
        .collect();
    ordered.sort_by_key(|(mark, one)| {
        let comes_from_afar = mark.as_ref().is_some_and(|mark| mark.afar.is_some());
        let start = mark.as_ref().map(|mark| mark.span.start);
        (comes_from_afar, one.file, start)
    });
    let mut kept: Vec<(Option<Mark<'_>>, Found)> = Vec::new();
    for (mark, one) in ordered {
        let standing = mark.as_ref().and_then(|mark| {
            let repeats = |(other, _): &&mut (Option<Mark<'_>>, Found)| {
                other.as_ref().is_some_and(|other| other.repeats(mark))
            };
            kept.iter_mut().find(repeats)
        });
        match (standing, &mark) {
            (Some((_, first)), Some(mark)) => first.related.extend(mark.reference()),
            _ => kept.push((mark, one)),
        }
    }
    kept.into_iter().map(|(_, one)| one).collect()
}

/// What a finding of a check that repeats itself is recognised by.
struct Mark<'a> {
    facts: &'a Facts,
    file: usize,
    side: Side,
    verdict: Verdict,
    check: &'static str,
    cause: Cause,
    stmt: StmtId,
    span: Span,
    /// The first related place.
    root: Option<Span>,
    /// The function of another file in which the fault lies.
    afar: Option<(String, Span)>,
}

impl<'a> Mark<'a> {
    fn of(seen: &'a [Seen<'_>], one: &Found) -> Option<Mark<'a>> {
        let (_, half, sighting): (_, &Half<'_>, _) = one.of(seen)?;
        let hit = &sighting.hit;
        let (_, cause) = REPEATED.iter().find(|(check, _)| *check == hit.check.id)?;
        one.verdict.counts().then_some(Mark {
            facts: half.facts,
            file: one.file,
            side: one.side,
            verdict: one.verdict,
            check: hit.check.id,
            cause: *cause,
            stmt: hit.anchor.stmt,
            span: hit.anchor.span,
            root: hit.related.first().map(|place| place.span),
            afar: hit.root.clone(),
        })
    }

    /// Whether another finding, behind this one, says the same once more.
    fn repeats(&self, other: &Mark<'_>) -> bool {
        if let Some((path, function)) = &other.afar
            && self.check == other.check
            && self.side == other.side
            && self.verdict <= other.verdict
            && self.facts.path == *path
            && function.contains(self.span)
        {
            return true;
        }
        let alike = (self.file, self.side, self.verdict, self.check)
            == (other.file, other.side, other.verdict, other.check);
        alike
            && match self.cause {
                Cause::Thing => self.scope() == other.scope() && self.thing() == other.thing(),
                Cause::Block => self.scope() == other.scope() && self.is_around(other.stmt),
                Cause::Root => self.root.is_some() && self.root == other.root,
            }
    }

    fn scope(&self) -> u32 {
        self.facts.stmt(self.stmt).scope.0
    }

    /// `os.environ` of `os.environ["A"]` and of `os.environ.pop("A")`, `torch.backends.cudnn` of
    /// `torch.backends.cudnn.benchmark`. A call that switches something is a thing of its own.
    fn thing(&self) -> &str {
        let text = self.facts.text(self.span);
        let name = text.split(['[', '(']).next().unwrap_or(text);
        let is_attribute = name.len() == text.len() || name.contains("environ.");
        match name.rsplit_once('.') {
            Some((object, _)) if is_attribute => object,
            _ => name,
        }
    }

    /// Whether a statement stands in the block of this one, or deeper.
    fn is_around(&self, stmt: StmtId) -> bool {
        let own = self.facts.stmt(self.stmt).parent;
        let is_own = |stmt: StmtId| self.facts.stmt(stmt).parent == own;
        is_own(stmt) || self.facts.ancestors(stmt).any(|ancestor| is_own(ancestor.stmt))
            // The entries in a loop first, their folder behind it.
            || self.facts.ancestors(self.stmt).any(|ancestor| {
                self.facts.stmt(ancestor.stmt).parent == self.facts.stmt(stmt).parent
            })
    }

    fn reference(&self) -> Option<Reference> {
        let at = locate(self.facts, self.span)?;
        Some(Reference {
            side: self.facts.document.side,
            path: self.facts.path.clone(),
            line: at.line,
            end_line: at.end_line,
            note: "here, too".to_owned(),
        })
    }
}
