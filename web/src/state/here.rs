//! Steps from where the reader is, if they scrolled away from the place that they were brought to last.

use super::State;
use crate::diff_file::{DiffFile, Spot};
use report::{Finding, Side};
use std::rc::Rc;
use yew::AttrValue;

/// What is first in the window.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Here {
    /// A finding's card.
    Finding(AttrValue),
    Line {
        file: u32,
        side: Side,
        line: u32,
    },
    /// The head of a file.
    Head {
        file: u32,
        /// Whether that file is what is read. Else something above it is, which belongs to no file.
        is_near: bool,
    },
}

/// A place to go on from: what is before it, and what is at or behind it.
type Order = (u32, Option<Spot>);

impl State {
    /// How many of these findings, which are in the order of the diff, are above the place.
    pub(super) fn n_above(&self, findings: &[&Rc<Finding>], here: &Here) -> usize {
        if let Here::Finding(id) = here {
            let is_it = |finding: &&Rc<Finding>| finding.id == id.as_str();
            return findings.iter().position(is_it).unwrap_or_default();
        }
        let place = self.order_of(here);
        findings.partition_point(|finding| self.order(finding) < place)
    }

    /// Nothing for a finding that stands at no line, and so above all files.
    fn order(&self, finding: &Finding) -> Option<Order> {
        let is_home = |file: &&Rc<DiffFile>| file.holds(&finding.id);
        let file = self.files.iter().find(is_home)?;
        Some((file.index, file.spot(finding.side, finding.line)))
    }

    fn order_of(&self, here: &Here) -> Option<Order> {
        match here {
            Here::Finding(_) => None,
            Here::Head { file, .. } => Some((*file, None)),
            Here::Line { file, side, line } => {
                let of = self.files.get(*file as usize)?;
                Some((*file, of.spot(*side, *line)))
            }
        }
    }

    /// The file that is read there; or, where none is, the one that comes next as an error.
    pub(super) fn file_here(&self, here: &Here) -> Option<Result<u32, u32>> {
        match here {
            Here::Line { file, .. } => Some(Ok(*file)),
            Here::Head { file, is_near } => Some(if *is_near { Ok(*file) } else { Err(*file) }),
            Here::Finding(id) => {
                let file = self.files.iter().find(|file| file.holds(id))?;
                Some(Ok(file.index))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{after, done, load, view};
    use super::super::{Action, Place, Step};
    use super::*;

    fn review() -> Vec<Action> {
        let findings = [
            ("a1", "a.py", 3),
            ("a2", "a.py", 20),
            ("b1", "b.py", 7),
            ("c1", "c.py", 9),
        ];
        let files = [("a.py", 30), ("b.py", 30), ("c.py", 30), ("d.py", 30)];
        vec![load("one"), view(1, &files), done(1, &findings)]
    }

    fn line(file: u32, line: u32) -> Here {
        Here::Line {
            file,
            side: Side::New,
            line,
        }
    }

    #[track_caller]
    fn check_finding(here: Here, step: Step, expected: &str) {
        // The one that was jumped to before is far away by now.
        let steps = [
            Action::Step(Step::Next),
            Action::Read(here),
            Action::Step(step),
        ];
        let state = after(review().into_iter().chain(steps));
        assert_eq!(state.selected.as_deref(), Some(expected));
    }

    #[test]
    fn findings_are_stepped_through_from_the_place_that_is_read() {
        check_finding(line(0, 19), Step::Next, "a2");
        check_finding(line(0, 20), Step::Next, "a2");
        check_finding(line(0, 21), Step::Next, "b1");
        check_finding(line(0, 20), Step::Previous, "a1");
        check_finding(line(3, 1), Step::Next, "a1");
        check_finding(line(0, 1), Step::Previous, "c1");
        check_finding(
            Here::Head {
                file: 1,
                is_near: true,
            },
            Step::Next,
            "b1",
        );
        check_finding(
            Here::Head {
                file: 1,
                is_near: true,
            },
            Step::Previous,
            "a2",
        );
        check_finding(Here::Finding("b1".into()), Step::Next, "b1");
        check_finding(Here::Finding("b1".into()), Step::Previous, "a2");
    }

    #[test]
    fn a_place_is_gone_on_from_once() {
        let steps = [
            Action::Read(line(1, 1)),
            Action::Step(Step::Next),
            Action::Step(Step::Next),
        ];
        let state = after(review().into_iter().chain(steps));
        assert_eq!(state.selected.as_deref(), Some("c1"));
    }

    #[track_caller]
    fn check_file(here: Here, step: Step, expected: u32) {
        let jump = Action::Reveal(Place::File(0));
        let steps = [jump, Action::Read(here), Action::StepFile(step)];
        let state = after(review().into_iter().chain(steps));
        assert_eq!(state.wish.as_ref().unwrap().place, Place::File(expected));
    }

    #[test]
    fn files_are_stepped_through_from_the_one_that_is_read() {
        check_file(line(2, 5), Step::Next, 3);
        check_file(line(2, 5), Step::Previous, 1);
        check_file(line(3, 5), Step::Next, 0);
        check_file(
            Here::Head {
                file: 2,
                is_near: true,
            },
            Step::Next,
            3,
        );
        check_file(
            Here::Head {
                file: 2,
                is_near: false,
            },
            Step::Next,
            2,
        );
        check_file(
            Here::Head {
                file: 2,
                is_near: false,
            },
            Step::Previous,
            1,
        );
        check_file(
            Here::Head {
                file: 0,
                is_near: false,
            },
            Step::Previous,
            3,
        );
        check_file(Here::Finding("b1".into()), Step::Next, 2);
    }
}
