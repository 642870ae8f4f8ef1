//! Whole files of the head of a fetched change, which sharpen the verdicts that a diff leaves open.

use super::State;
use crate::github::Refusal;
use report::{FileStatus, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use yew::AttrValue;

/// Files that are fetched without being asked for.
const UNASKED: usize = 40;

#[derive(Clone, PartialEq, Default)]
pub(crate) struct WholeFiles {
    /// Whole texts by path of the new side.
    pub(crate) texts: Rc<BTreeMap<String, AttrValue>>,
    /// Paths that are being fetched.
    pub(crate) asked: Rc<BTreeSet<String>>,
    /// Counts requests; an answer to any but the newest is dropped.
    pub(crate) turn: u32,
    pub(crate) refused: Rc<BTreeMap<String, Refusal>>,
    /// Findings to look at before any whole file was read.
    pub(crate) looks_before: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Whole {
    /// Fetch these files too.
    Want(Vec<String>),
    /// All that was asked for has come or was refused.
    Came {
        turn: u32,
        texts: BTreeMap<String, AttrValue>,
        refused: BTreeMap<String, Refusal>,
    },
    Stop,
}

impl State {
    pub(super) fn whole(&mut self, whole: Whole) {
        match whole {
            Whole::Want(paths) => self.want_files(paths),
            Whole::Came {
                turn,
                texts,
                refused,
            } if turn == self.whole.turn => {
                self.whole.asked = Rc::default();
                if !texts.is_empty() {
                    Rc::make_mut(&mut self.whole.texts).extend(texts);
                }
                self.whole.refused = Rc::new(refused);
            }
            Whole::Came { .. } => {}
            Whole::Stop => {
                self.whole.asked = Rc::default();
                self.whole.turn += 1;
            }
        }
    }

    /// Once the diff is reviewed, fetches the files whose findings the rest of the file could settle.
    pub(super) fn want_looked_at_files(&mut self) {
        // As the rules gave it: what the reviewer decided settles nothing by whole files.
        let Some(report) = self.found.as_deref().filter(|_| self.fetched().is_some()) else {
            return;
        };
        if self.whole.looks_before.is_some() {
            return;
        }
        let looks = || {
            let findings = report.findings.iter();
            findings.filter(|finding| finding.verdict == Verdict::Look)
        };
        let paths: BTreeSet<String> = looks().map(|finding| finding.path.clone()).collect();
        let n_looks = looks().count();
        self.whole.looks_before = Some(n_looks);
        self.want_files(paths.into_iter().take(UNASKED).collect());
    }

    /// Python files of the head that are not read whole. A new file is whole in the diff.
    pub(crate) fn missing_files(&self) -> Vec<String> {
        let is_partial = |status| !matches!(status, FileStatus::Added | FileStatus::Deleted);
        let files = self.files.iter().map(|file| &file.view);
        files
            .filter(|file| file.python && is_partial(file.status))
            .map(|file| file.path.clone())
            .filter(|path| !self.whole.texts.contains_key(path))
            .collect()
    }

    fn want_files(&mut self, paths: Vec<String>) {
        let missing: BTreeSet<String> = self.missing_files().into_iter().collect();
        let new = paths.into_iter().filter(|path| missing.contains(path));
        let asked: BTreeSet<String> = new.chain(self.whole.asked.iter().cloned()).collect();
        if self.fetched().is_some() && asked != *self.whole.asked {
            self.whole.asked = Rc::new(asked);
            self.whole.turn += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{after, done, view};
    use super::*;
    use crate::github::address;
    use crate::input::{Input, Origin};
    use crate::state::{Action, Fetched};
    use report::FromWorker;
    use yew::Reducible;

    fn fetched() -> Action {
        let target = address::parse("o/n#7").unwrap();
        let origin = Origin::GitHub(Rc::new(Fetched::new(&target)));
        Action::Load {
            input: Input::new("one", origin),
            selected: None,
        }
    }

    /// Files that the change touches without showing them whole.
    fn changed(paths: &[(&str, u32)]) -> Action {
        let Action::Answer(mut answer) = view(1, paths) else {
            panic!("no answer");
        };
        if let FromWorker::View { view, .. } = &mut *answer {
            for file in &mut view.files {
                file.status = FileStatus::Modified;
            }
        }
        Action::Answer(answer)
    }

    fn to_look_at(findings: &[(&str, &str, u32)]) -> Action {
        let Action::Answer(mut answer) = done(1, findings) else {
            panic!("no answer");
        };
        if let FromWorker::Done { report, .. } = &mut *answer {
            for finding in &mut report.findings {
                finding.verdict = Verdict::Look;
            }
        }
        Action::Answer(answer)
    }

    fn reviewed() -> Rc<State> {
        let files = changed(&[("a.py", 3), ("b.py", 3)]);
        after([fetched(), files, to_look_at(&[("x", "b.py", 2)])])
    }

    fn came(turn: u32, path: &str) -> Action {
        Action::Whole(Whole::Came {
            turn,
            texts: BTreeMap::from([(path.to_owned(), "text".into())]),
            refused: BTreeMap::new(),
        })
    }

    fn asked(state: &State) -> Vec<&str> {
        state.whole.asked.iter().map(String::as_str).collect()
    }

    #[test]
    fn only_files_with_something_to_look_at_are_fetched_unasked() {
        assert_eq!(asked(&reviewed()), ["b.py"]);
        let all = Whole::Want(vec!["a.py".to_owned(), "elsewhere.py".to_owned()]);
        let state = reviewed().reduce(Action::Whole(all));
        assert_eq!(asked(&state), ["a.py", "b.py"]);
    }

    #[test]
    fn a_pasted_diff_has_no_whole_files() {
        let pasted = Action::Load {
            input: Input::new("one", Origin::Pasted),
            selected: None,
        };
        let files = changed(&[("b.py", 3)]);
        let state = after([pasted, files, to_look_at(&[("x", "b.py", 2)])]);
        assert_eq!(state.whole.looks_before, None);
        let wanted = Action::Whole(Whole::Want(vec!["b.py".to_owned()]));
        assert!(asked(&state.reduce(wanted)).is_empty());
    }

    #[test]
    fn a_sharper_report_asks_for_nothing_more() {
        let state = reviewed();
        let turn = state.whole.turn;
        let state = state.reduce(came(turn, "b.py"));
        let state = state.reduce(to_look_at(&[("x", "a.py", 2)]));
        assert!(asked(&state).is_empty());
        assert_eq!(state.whole.looks_before, Some(1));
        assert_eq!(state.missing_files(), ["a.py"]);
    }

    #[test]
    fn files_of_the_text_before_never_become_files_of_this_one() {
        let state = reviewed();
        let turn = state.whole.turn;
        let state = state.reduce(fetched()).reduce(came(turn, "b.py"));
        assert!(state.whole.texts.is_empty());
    }
}
