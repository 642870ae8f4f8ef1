//! Two copies of one reviewer's work, or two reviewers' work, made into one without losing a word.

use super::{FindingWork, LineWork, Work};
use std::collections::BTreeMap;

impl Work {
    /// The work with its entries signed by who wrote them, and ready to stand among somebody else's.
    pub fn signed(mut self) -> Work {
        if let Some(name) = self.reviewer.take() {
            let lines = self.lines.values_mut().map(|line| &mut line.by);
            let findings = self.findings.values_mut().map(|finding| &mut finding.by);
            for by in lines.chain(findings).filter(|by| by.is_none()) {
                *by = Some(name.clone());
            }
        }
        self
    }

    /// Adds the entries that only `theirs` has. Where both have one, this one stays.
    pub fn join(&mut self, theirs: Work) {
        for (id, line) in theirs.lines {
            self.lines.entry(id).or_insert(line);
        }
        for (id, finding) in theirs.findings {
            self.findings.entry(id).or_insert(finding);
        }
    }

    /// Whether `theirs` says anything that does not stand here already. Who says it does not matter.
    pub fn differs_from(&self, theirs: &Work) -> bool {
        let said = |line: &LineWork| (line.answer, line.note.clone());
        let lines = theirs
            .lines
            .iter()
            .any(|(id, line)| self.lines.get(id).map(said) != Some(said(line)));
        let decided = |it: &FindingWork| (it.decision, it.reason.clone(), it.reached.clone());
        let findings = theirs
            .findings
            .iter()
            .any(|(id, it)| self.findings.get(id).map(decided) != Some(decided(it)));
        lines || findings
    }

    /// Takes in what another copy of this work changed since `base`, when both were the same, and returns how
    /// many choices both made differently. There this copy's choice stays; of words that both changed, all stay.
    pub fn merge(&mut self, base: &Work, theirs: &Work) -> usize {
        let mut clashes = 0;
        pick(
            &mut self.reviewer,
            &base.reviewer,
            &theirs.reviewer,
            &mut clashes,
        );
        pick(
            &mut self.version,
            &base.version,
            &theirs.version,
            &mut clashes,
        );
        pick(&mut self.before, &base.before, &theirs.before, &mut clashes);
        merge_entries(
            &mut self.lines,
            &base.lines,
            &theirs.lines,
            |mine, base, theirs| {
                mine.merge(base, theirs, &mut clashes);
            },
        );
        merge_entries(
            &mut self.findings,
            &base.findings,
            &theirs.findings,
            |mine, base, theirs| {
                mine.merge(base, theirs, &mut clashes);
            },
        );
        clashes
    }
}

impl LineWork {
    fn merge(&mut self, base: &LineWork, theirs: &LineWork, clashes: &mut usize) {
        pick(&mut self.answer, &base.answer, &theirs.answer, clashes);
        pick(&mut self.seen, &base.seen, &theirs.seen, &mut 0);
        pick(&mut self.by, &base.by, &theirs.by, &mut 0);
        both(&mut self.note, &base.note, &theirs.note);
    }
}

impl FindingWork {
    fn merge(&mut self, base: &FindingWork, theirs: &FindingWork, clashes: &mut usize) {
        pick(
            &mut self.decision,
            &base.decision,
            &theirs.decision,
            clashes,
        );
        pick(&mut self.seen, &base.seen, &theirs.seen, &mut 0);
        pick(&mut self.by, &base.by, &theirs.by, &mut 0);
        both(&mut self.reason, &base.reason, &theirs.reason);
        both(&mut self.reached, &base.reached, &theirs.reached);
    }
}

/// An entry that one of the copies lacks is one in which nothing was done.
fn merge_entries<T: Clone + Default + PartialEq>(
    mine: &mut BTreeMap<String, T>,
    base: &BTreeMap<String, T>,
    theirs: &BTreeMap<String, T>,
    mut merge: impl FnMut(&mut T, &T, &T),
) {
    let nothing = T::default();
    let ids: Vec<&String> = base.keys().chain(theirs.keys()).collect();
    for id in ids {
        let base = base.get(id).unwrap_or(&nothing);
        let theirs = theirs.get(id).unwrap_or(&nothing);
        if base != theirs {
            merge(mine.entry(id.clone()).or_default(), base, theirs);
        }
    }
    mine.retain(|_, entry| *entry != nothing);
}

/// Takes their choice, unless this copy made one of its own.
fn pick<T: Clone + PartialEq>(mine: &mut T, base: &T, theirs: &T, clashes: &mut usize) {
    if mine == base {
        mine.clone_from(theirs);
    } else if theirs != base && theirs != mine {
        *clashes += 1;
    }
}

/// Takes their words, and where both wrote some, both. Words that one goes on from the other's stand once.
fn both(mine: &mut String, base: &str, theirs: &str) {
    if mine == base || theirs.contains(mine.as_str()) {
        theirs.clone_into(mine);
    } else if theirs != base && !mine.contains(theirs) {
        mine.push('\n');
        mine.push_str(theirs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{Answer, Decision};

    fn noted(answer: Answer, note: &str) -> LineWork {
        LineWork {
            answer,
            note: note.to_owned(),
            ..LineWork::default()
        }
    }

    fn work(lines: &[(&str, LineWork)]) -> Work {
        Work {
            lines: lines
                .iter()
                .map(|(id, line)| ((*id).to_owned(), line.clone()))
                .collect(),
            ..Work::default()
        }
    }

    #[test]
    fn what_only_one_copy_changed_is_taken() {
        let base = work(&[
            ("R1", noted(Answer::Checked, "")),
            ("R2", noted(Answer::Checked, "")),
        ]);
        let mut mine = work(&[
            ("R1", noted(Answer::Checked, "mine")),
            ("R2", noted(Answer::Checked, "")),
        ]);
        let theirs = work(&[
            ("R1", noted(Answer::ProblemRaised, "")),
            ("R3", noted(Answer::Checked, "")),
        ]);
        assert_eq!(mine.merge(&base, &theirs), 0);
        let expected = work(&[
            ("R1", noted(Answer::ProblemRaised, "mine")),
            ("R3", noted(Answer::Checked, "")),
        ]);
        assert_eq!(mine, expected);
    }

    #[test]
    fn words_of_both_stay_and_clashing_choices_are_counted() {
        let base = work(&[]);
        let mut mine = work(&[("R1", noted(Answer::Checked, "one"))]);
        let theirs = work(&[("R1", noted(Answer::NotApplicable, "two"))]);
        assert_eq!(mine.merge(&base, &theirs), 1);
        assert_eq!(mine, work(&[("R1", noted(Answer::Checked, "one\ntwo"))]));
    }

    #[test]
    fn merging_again_changes_nothing() {
        let base = work(&[]);
        let mut mine = work(&[("R1", noted(Answer::Checked, "one"))]);
        let theirs = work(&[("R1", noted(Answer::Checked, "two"))]);
        mine.merge(&base, &theirs);
        let once = mine.clone();
        mine.merge(&theirs, &theirs);
        mine.merge(&base, &theirs);
        assert_eq!(mine, once);
    }

    #[test]
    fn words_that_go_on_stand_once() {
        let base = work(&[("R1", noted(Answer::Open, "It wai"))]);
        let mut mine = work(&[("R1", noted(Answer::Open, "It waits for ever"))]);
        let theirs = work(&[("R1", noted(Answer::Open, "It waits"))]);
        mine.merge(&base, &theirs);
        assert_eq!(mine.lines["R1"].note, "It waits for ever");
    }

    #[test]
    fn joined_work_is_signed_and_never_replaces_mine() {
        let mut mine = work(&[("R1", noted(Answer::Checked, "mine"))]);
        mine.reviewer = Some("Grace".to_owned());
        let mut theirs = work(&[
            ("R1", noted(Answer::ProblemRaised, "theirs")),
            ("R2", noted(Answer::Checked, "theirs")),
        ]);
        theirs.reviewer = Some("Ada".to_owned());
        let accepted = FindingWork {
            decision: Decision::Accepted,
            ..FindingWork::default()
        };
        theirs.findings.insert("f".to_owned(), accepted);
        mine.join(theirs.signed());
        assert_eq!(mine.lines["R1"], noted(Answer::Checked, "mine"));
        assert_eq!(mine.lines["R2"].by.as_deref(), Some("Ada"));
        assert_eq!(mine.findings["f"].by.as_deref(), Some("Ada"));
        assert_eq!(mine.reviewer.as_deref(), Some("Grace"));
    }

    #[test]
    fn work_that_stands_here_already_makes_no_difference() {
        let mine = work(&[
            ("R1", noted(Answer::Checked, "a")),
            ("R2", noted(Answer::Checked, "")),
        ]);
        assert!(!mine.differs_from(&work(&[("R1", noted(Answer::Checked, "a"))])));
        assert!(mine.differs_from(&work(&[("R1", noted(Answer::Checked, "b"))])));
        assert!(mine.differs_from(&work(&[("R3", noted(Answer::Checked, ""))])));
    }
}
