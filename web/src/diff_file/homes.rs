//! In which file a line of a report stands, asked for all findings at once.

use super::DiffFile;
use report::Side;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The files by their paths, old and new.
pub(crate) struct Homes<'f> {
    files: &'f [Rc<DiffFile>],
    by_path: BTreeMap<&'f str, Vec<usize>>,
}

impl<'f> Homes<'f> {
    pub(crate) fn new(files: &'f [Rc<DiffFile>]) -> Self {
        let mut by_path = BTreeMap::<&str, Vec<usize>>::new();
        for (index, file) in files.iter().enumerate() {
            let old_path = file.view.old_path.as_deref();
            for path in old_path.into_iter().chain([file.view.path.as_str()]) {
                by_path.entry(path).or_default().push(index);
            }
        }
        Homes { files, by_path }
    }

    /// The first file that can hold this line.
    pub(crate) fn of(
        &self,
        path: &str,
        commit: Option<u32>,
        side: Side,
        line: u32,
    ) -> Option<usize> {
        let has = |index: &&usize| {
            let file = self.files.get(**index);
            file.is_some_and(|file| file.has(path, commit, side, line))
        };
        self.by_path.get(path)?.iter().find(has).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::{FileStatus, FileView, HunkView};

    /// Lines 1 to 9 on both sides.
    fn file(index: u32, path: &str, old_path: Option<&str>, commit: Option<u32>) -> Rc<DiffFile> {
        let hunk = HunkView {
            old_start: 1,
            old_len: 9,
            new_start: 1,
            new_len: 9,
            section: String::new(),
            n_lines: 9,
            runs: vec![[9, 0, 0].into()],
        };
        let view = FileView {
            path: path.to_owned(),
            old_path: old_path.map(str::to_owned),
            status: FileStatus::Modified,
            python: true,
            commit,
            added: 0,
            removed: 0,
            whole: None,
            hunks: vec![hunk],
        };
        Rc::new(DiffFile::new(index, view))
    }

    #[test]
    fn a_line_is_at_home_in_the_first_file_of_its_path_and_commit_that_holds_it() {
        let files = [
            file(0, "a.py", None, Some(0)),
            file(1, "b.py", Some("was_b.py"), Some(0)),
            file(2, "a.py", None, Some(1)),
        ];
        let homes = Homes::new(&files);
        let of = |path, commit, line| homes.of(path, commit, Side::New, line);
        assert_eq!(of("a.py", None, 3), Some(0));
        assert_eq!(of("a.py", Some(1), 3), Some(2));
        assert_eq!(of("was_b.py", None, 3), Some(1));
        assert_eq!(of("b.py", Some(0), 9), Some(1));
        assert_eq!(of("b.py", Some(1), 9), None);
        assert_eq!(of("a.py", None, 10), None);
        assert_eq!(of("c.py", None, 3), None);
    }
}
