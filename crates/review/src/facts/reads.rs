//! What a file reads from disk.

use super::Facts;
use super::calls::Call;
use super::hir::*;

/// Functions that open a path; the mode says whether they only read it.
const OPENERS: &[&str] = &[
    "open",
    "io.open",
    "gzip.open",
    "bz2.open",
    "lzma.open",
    "codecs.open",
    "aiofiles.open",
];

/// Functions that read a path whole: name, and the keyword of the path, which comes first.
const READERS: &[(&str, &str)] = &[
    ("numpy.load", "file"),
    ("torch.load", "f"),
    ("joblib.load", "filename"),
    ("pandas.read_parquet", "path"),
    ("pandas.read_pickle", "filepath_or_buffer"),
];

impl Facts {
    /// The path that a call reads and does not write: `path.read_bytes()`, `open(path, "rb")`, `path.open()`,
    /// `numpy.load(path)`. A mode that the text does not give is no proof.
    pub(crate) fn read_path(&self, call: &Call<'_>) -> Option<ExprId> {
        if matches!(call.method(), Some("read_text" | "read_bytes")) {
            return call.receiver();
        }
        if call.is(OPENERS) {
            let path = call.arg(0, "file").or_else(|| call.keyword("filename"));
            return path.filter(|_| self.opens_to_read(call.arg(1, "mode")));
        }
        if let Some(receiver) = call.receiver().filter(|_| call.method() == Some("open")) {
            return self.opened_by(call, receiver);
        }
        let callee = Some(call.callee()).filter(|callee| !callee.is_empty())?;
        let mut readers = READERS.iter();
        let (_, keyword) = readers.find(|(name, _)| self.means(callee, name))?;
        call.arg(0, keyword)
    }

    /// `path.open("rb")`, and `filesystem.open(path)` of an object that opens the files of others.
    fn opened_by(&self, call: &Call<'_>, receiver: ExprId) -> Option<ExprId> {
        if self.opens_for_others(receiver) {
            let path = call.positional(0);
            return path.filter(|_| self.opens_to_read(call.arg(1, "mode")));
        }
        self.opens_to_read(call.arg(0, "mode")).then_some(receiver)
    }

    /// Whether a mode is left out, or is a literal that neither writes nor updates.
    fn opens_to_read(&self, mode: Option<ExprId>) -> bool {
        let reads = |value: ExprId| {
            self.string(value).is_some_and(|mode| {
                mode.starts_with('r') && mode.chars().all(|c| "rbtU".contains(c))
            })
        };
        mode.is_none_or(|mode| self.values(mode).into_iter().any(reads))
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    /// The path that the last call of a line reads.
    fn read(line: &str) -> Option<String> {
        let head = "import gzip, io, numpy as np, pandas as pd\nfrom pathlib import Path\n";
        let facts = facts_of(&format!("{head}{line}\n"));
        let path = facts.calls().find_map(|call| facts.read_path(&call))?;
        Some(facts.expr_text(path).to_string())
    }

    fn reads(line: &str) {
        assert_eq!(read(line).as_deref(), Some("path"), "{line}");
    }

    #[test]
    fn a_mode_that_reads_counts_by_place_and_by_name() {
        reads("open(path)");
        reads("open(path, 'r')");
        reads("open(path, 'rb')");
        reads("open(path, mode='rt', encoding='utf-8')");
        reads("open(file=path)");
        reads("gzip.open(path, 'rb')");
        reads("path.open()");
        reads("path.open('rb')");
        reads("path.open(mode='r')");
        reads("self.open(path, 'rb')");
        reads("filesystem.open(path)");
    }

    #[test]
    fn the_path_of_a_method_is_its_object_whatever_it_is_given() {
        reads("path.read_text('utf-8')");
        reads("path.read_text(encoding='utf-8')");
        reads("path.read_bytes()");
        reads("np.load(path)");
        reads("np.load(file=path)");
        reads("pd.read_pickle(path)");
    }

    #[test]
    fn what_writes_or_may_write_reads_nothing() {
        for line in [
            "open(path, 'w')",
            "open(path, mode='w')",
            "open(path, mode='ab')",
            "open(path, 'r+')",
            "open(path, how)",
            "path.open('w')",
            "path.open(mode='xb')",
            "filesystem.open(path, 'wb')",
            "path.write_text(text)",
            "Image.open(path)",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
