//! Files of the plan that are not read after all. Each is a problem of the report, so that no line turns clear.

use crate::plan::Plan;
use diff::File;
use report::{BROKE_DOWN, NOT_REACHED, Problem};
use std::collections::BTreeSet;

/// Why a file is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Reading it ended the analysis before.
    BrokeDown,
    /// The review was ended before its turn.
    NotReached,
}

impl Plan {
    /// Takes files, by their index in the view, out of what is read.
    pub fn leave_out(&mut self, files: &[u32], why: LeftOut) {
        let files: BTreeSet<usize> = files.iter().map(|&at| at as usize).collect();
        let (left_out, read) = self.python.iter().partition(|at| files.contains(at));
        self.python = read;
        let left_out: Vec<usize> = left_out;
        let left_out = left_out.iter().filter_map(|&at| self.patch.files.get(at));
        self.problems
            .extend(left_out.map(|file| problem(file, why)));
    }
}

fn problem(file: &File, why: LeftOut) -> Problem {
    let (kind, message) = match why {
        LeftOut::BrokeDown => (
            BROKE_DOWN,
            "The analysis broke down on this file and went on without it.",
        ),
        LeftOut::NotReached => (
            NOT_REACHED,
            "The review was ended before this file had its turn.",
        ),
    };
    Problem {
        path: Some(file.path().to_owned()),
        line: Some(file.line),
        kind: kind.to_owned(),
        message: message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, conclude, file_facts, plan};
    use report::{Report, Status};
    use topic::Profile;

    const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n a = 1\n+r = f.result()\n\
        --- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n a\n+b\n\
        --- a/y.py\n+++ b/y.py\n@@ -1 +1,3 @@\n from concurrent.futures import Future\n+def g(f: Future):\n+    return f.result()\n";

    fn without(files: &[u32]) -> Report {
        let mut plan = plan(&Input {
            text: DIFF,
            decoding: &[],
            files: None,
            profile: &Profile::builtin(),
            dismissals: &[],
            source: &report::Source::default(),
        });
        plan.leave_out(files, LeftOut::BrokeDown);
        let mut parser = native::Parser::new().unwrap();
        let facts: Vec<_> = (0..plan.len())
            .map(|n| file_facts(&plan, n, &mut |text| parser.parse(text)))
            .collect();
        conclude(&plan, &facts)
    }

    #[test]
    fn the_file_is_named_and_the_others_keep_their_findings() {
        let report = without(&[0]);
        let named: Vec<_> = report
            .unread()
            .map(|it| (&*it.kind, it.path.as_deref()))
            .collect();
        assert_eq!(named, [(BROKE_DOWN, Some("x.py"))]);
        assert!(
            report.findings.iter().any(|it| it.path == "y.py"),
            "{report:?}"
        );
        assert!(
            report
                .checklist
                .iter()
                .all(|line| line.status != Status::Clear)
        );
    }

    #[test]
    fn a_file_that_is_not_read_anyway_is_no_problem() {
        assert_eq!(without(&[1, 9]).unread().count(), 0);
    }
}
