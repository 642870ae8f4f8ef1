//! What of one review holds for the next: the files that an edit of the diff left alone.

use crate::plan::{FileFacts, Plan};
use diff::{File, Hunk, Line, Patch};
use rustc_hash::FxHashMap;

impl Plan {
    /// The facts of each file of this plan that an earlier plan understood in the same words; `None` where the file has to
    /// be understood now. A file may have moved within the pasted text.
    pub fn keep(&self, before: &Plan, facts: Vec<Option<FileFacts>>) -> Vec<Option<FileFacts>> {
        let mut kept: Vec<Option<FileFacts>> = (0..self.len()).map(|_| None).collect();
        // What checks see depends on the names of the profile, too.
        if self.profile != before.profile {
            return kept;
        }
        let mut by_path: FxHashMap<&str, Vec<(&File, FileFacts)>> = FxHashMap::default();
        for facts in facts.into_iter().flatten() {
            if let Some(file) = before.patch.files.get(facts.file) {
                by_path.entry(file.path()).or_default().push((file, facts));
            }
        }
        for (n, kept) in kept.iter_mut().enumerate() {
            let Some((at, file)) = self.nth(n) else {
                continue;
            };
            let Some(known) = by_path.get_mut(file.path()) else {
                continue;
            };
            let is_same = |(old, _): &(&File, FileFacts)| self.is_same(file, before, old);
            if let Some(place) = known.iter().position(is_same) {
                let (old, facts) = known.swap_remove(place);
                *kept = Some(facts.moved(at, i64::from(file.line) - i64::from(old.line)));
            }
        }
        kept
    }

    fn nth(&self, n: usize) -> Option<(usize, &File)> {
        let at = self.index(n)? as usize;
        Some((at, self.patch.files.get(at)?))
    }

    /// Whether a file says in both plans the same, wherever it stands in the pasted text.
    fn is_same(&self, file: &File, before: &Plan, old: &File) -> bool {
        (&file.old_path, &file.new_path, file.status) == (&old.old_path, &old.new_path, old.status)
            && file.combined == old.combined
            && same_hunks((&self.patch, file), (&before.patch, old))
            && self.whole(file) == before.whole(old)
    }

    /// The text of the whole new file, where it is known.
    fn whole(&self, file: &File) -> Option<&String> {
        self.files.as_ref()?.get(file.path())
    }
}

impl FileFacts {
    /// The same facts of a file that has another place in the diff, with its lines that far down.
    fn moved(mut self, file: usize, lines: i64) -> FileFacts {
        self.file = file;
        for line in self.problems.iter_mut().filter_map(|it| it.line.as_mut()) {
            *line = u32::try_from(i64::from(*line) + lines).unwrap_or(*line);
        }
        self
    }
}

fn same_hunks(one: (&Patch, &File), other: (&Patch, &File)) -> bool {
    let below = |file: &File, hunk: &Hunk| hunk.header_line.saturating_sub(file.line);
    let mut pairs = one.1.hunks.iter().zip(&other.1.hunks);
    one.1.hunks.len() == other.1.hunks.len()
        && pairs.all(|(a, b)| {
            (a.old_start, a.old_len, a.new_start, a.new_len)
                == (b.old_start, b.old_len, b.new_start, b.new_len)
                && (&a.section, a.complete, a.parents) == (&b.section, b.complete, b.parents)
                && below(one.1, a) == below(other.1, b)
                && same_lines((one.0, a), (other.0, b))
        })
}

fn same_lines(one: (&Patch, &Hunk), other: (&Patch, &Hunk)) -> bool {
    let head = |line: &Line| (line.kind, line.old, line.new, line.no_newline);
    let mut pairs = one.1.lines.iter().zip(&other.1.lines);
    one.1.lines.len() == other.1.lines.len()
        && pairs.all(|(a, b)| head(a) == head(b) && one.0.text(a) == other.0.text(b))
}

#[cfg(test)]
mod tests {
    use crate::{FileFacts, Input, Plan, conclude, file_facts, plan};
    use topic::Profile;

    fn plan_of(text: &str, profile: &Profile) -> Plan {
        plan(&Input {
            text,
            decoding: &[],
            files: None,
            profile,
            dismissals: &[],
            source: &report::Source::default(),
        })
    }

    fn all(plan: &Plan, mut kept: Vec<Option<FileFacts>>) -> Vec<FileFacts> {
        let mut parser = native::Parser::new().unwrap();
        let mut parse = |text: &str| parser.parse(text);
        (0..plan.len())
            .map(|n| {
                let known = kept.get_mut(n).and_then(Option::take);
                known.unwrap_or_else(|| file_facts(plan, n, &mut parse))
            })
            .collect()
    }

    fn file(path: &str, line: &str) -> String {
        format!(
            "--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,4 @@\n from one import take\n def run(pool, job):\n+    {line}\n+    return pool.submit(job).result()\n"
        )
    }

    const BROKEN: &str = "--- a/bad.py\n+++ b/bad.py\n@@ -1 +1,2 @@\n x = 1\n+class class (\n";

    fn diff(line: &str) -> String {
        [&file("one.py", line), BROKEN, &file("two.py", "pass")].concat()
    }

    #[test]
    fn an_edit_leaves_the_other_files_known_and_tells_what_a_fresh_review_tells() {
        let profile = Profile::builtin();
        let first = plan_of(&diff("pass"), &profile);
        let facts = all(&first, Vec::new());
        let _ = conclude(&first, &facts);
        let second = plan_of(&diff("take()\n+    open('x')"), &profile);
        let kept = second.keep(&first, facts.into_iter().map(Some).collect());
        let known: Vec<bool> = kept.iter().map(Option::is_some).collect();
        assert_eq!(known, [false, true, true]);
        let report = conclude(&second, &all(&second, kept));
        assert_eq!(report, conclude(&second, &all(&second, Vec::new())));
        assert!(!report.problems.is_empty());
    }

    #[test]
    fn nothing_is_kept_for_another_profile() {
        let first = plan_of(&diff("pass"), &Profile::builtin());
        let facts = all(&first, Vec::new()).into_iter().map(Some).collect();
        let second = plan_of(&diff("pass"), &Profile::default());
        assert!(second.keep(&first, facts).iter().all(Option::is_none));
    }
}
