//! What a fetcher adds to a plan: whole files that come after the diff, and what it could not get.

use crate::limits::{FILE_LIMIT, TOTAL_LIMIT};
use crate::plan::Plan;
use report::Problem;
use std::collections::BTreeMap;

impl Plan {
    /// Takes whole new-side files, beside those that it has. Gives the places of the Python files that
    /// have to be understood anew; the facts of the others hold.
    ///
    /// A file that is beyond a limit as a whole stays as the diff shows it, so that more text never
    /// means that less is read.
    pub fn take_files(&mut self, files: BTreeMap<String, String>) -> Vec<usize> {
        let mut kept = self.files.take().unwrap_or_default();
        let mut total: usize = kept.values().map(String::len).sum();
        let mut anew = Vec::new();
        for (path, text) in files {
            let is_within = text.len() <= FILE_LIMIT && total + text.len() <= TOTAL_LIMIT;
            let is_known = kept.get(&path) == Some(&text);
            if is_within && !is_known {
                total += text.len();
                anew.extend((0..self.len()).filter(|&n| self.path(n) == path));
                kept.insert(path, text);
            }
        }
        self.files = (!kept.is_empty()).then_some(kept);
        anew.sort_unstable();
        anew
    }

    /// Tells in the report what the fetcher could not get, a sentence each. Then no line turns clear.
    pub fn tell_left_out(&mut self, sentences: &[String]) {
        let told = sentences.iter().map(|sentence| Problem {
            path: None,
            line: None,
            kind: "left-out".to_owned(),
            message: sentence.clone(),
        });
        self.problems.extend(told);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, conclude, file_facts, plan, review};
    use topic::Profile;

    const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -2 +2,2 @@\n b = 2\n+c = 3\n\
                        --- a/y.py\n+++ b/y.py\n@@ -1 +1,2 @@\n d = 4\n+e = 5\n";

    fn input(files: Option<&BTreeMap<String, String>>) -> Input<'_> {
        static SOURCE: report::Source = report::Source {
            repo: None,
            pull: None,
            base: None,
            head: None,
        };
        static PROFILE: std::sync::LazyLock<Profile> = std::sync::LazyLock::new(Profile::builtin);
        Input {
            text: DIFF,
            decoding: &[],
            files,
            profile: &PROFILE,
            dismissals: &[],
            source: &SOURCE,
        }
    }

    fn file(path: &str, text: &str) -> BTreeMap<String, String> {
        BTreeMap::from([(path.to_owned(), text.to_owned())])
    }

    #[test]
    fn a_file_that_comes_later_tells_the_same_as_one_that_came_with_the_diff() {
        let files = file("y.py", "d = 4\ne = 5\nf = 6\n");
        let mut parser = native::Parser::new().unwrap();
        let mut parse = |text: &str| parser.parse(text);
        let mut late = plan(&input(None));
        assert_eq!(late.take_files(files.clone()), [1]);
        let facts: Vec<_> = (0..late.len())
            .map(|n| file_facts(&late, n, &mut parse))
            .collect();
        assert_eq!(
            conclude(&late, &facts),
            review(&input(Some(&files)), &mut parse)
        );
    }

    #[test]
    fn only_what_is_new_has_to_be_understood_anew() {
        let mut plan = plan(&input(None));
        assert_eq!(plan.take_files(file("x.py", "a = 1\nb = 2\nc = 3\n")), [0]);
        assert!(
            plan.take_files(file("x.py", "a = 1\nb = 2\nc = 3\n"))
                .is_empty()
        );
        assert!(plan.take_files(file("z.py", "g = 7\n")).is_empty());
    }

    #[test]
    fn a_file_beyond_a_limit_takes_nothing_away() {
        let mut plan = plan(&input(None));
        assert!(
            plan.take_files(file("x.py", &"# long\n".repeat(FILE_LIMIT)))
                .is_empty()
        );
        assert_eq!((plan.len(), &plan.files), (2, &None));
    }

    #[test]
    fn what_was_left_out_is_a_problem_and_nothing_is_clear() {
        let mut plan = plan(&input(None));
        plan.tell_left_out(&["Nine files more were not listed.".to_owned()]);
        let mut parser = native::Parser::new().unwrap();
        let facts: Vec<_> = (0..plan.len())
            .map(|n| file_facts(&plan, n, &mut |text| parser.parse(text)))
            .collect();
        let report = conclude(&plan, &facts);
        assert_eq!(report.unread().count(), 1);
        let is_unread = |line: &report::ChecklistLine| line.status == report::Status::NotRead;
        assert!(report.checklist.iter().all(is_unread));
    }
}
