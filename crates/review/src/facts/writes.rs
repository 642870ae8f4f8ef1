//! What a file writes on disk, and what it moves onto a name.

use super::Facts;
use super::calls::{Call, OfCalls};
use super::hir::*;
use super::types::Kind;

/// A call that writes a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write<'f> {
    pub(crate) call: Call<'f>,
    pub(crate) path: ExprId,
    pub(crate) how: Writing,
}

/// How a path is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// The file is opened for writing, or a library writes it.
    File,
    /// A file or folder is copied there.
    Copy,
    /// A download goes there.
    Download,
    /// An archive is unpacked into this folder.
    Extract,
}

/// A call that gives a path another name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move<'f> {
    pub(crate) call: Call<'f>,
    pub(crate) from: ExprId,
    pub(crate) to: ExprId,
}

/// Functions that open a path; the mode says whether they write it.
const OPENERS: &[&str] = &[
    "open",
    // The builtin of Python 2.
    "file",
    "io.open",
    "gzip.open",
    "bz2.open",
    "lzma.open",
    "codecs.open",
    "aiofiles.open",
    "zipfile.ZipFile",
    "tarfile.open",
    "h5py.File",
    "numpy.lib.format.open_memmap",
    "numpy.memmap",
];

/// Functions that write a path: name, place and keyword of the path, how.
const WRITERS: &[(&str, usize, &str, Writing)] = &[
    ("numpy.save", 0, "file", Writing::File),
    ("numpy.savez", 0, "file", Writing::File),
    ("numpy.savez_compressed", 0, "file", Writing::File),
    ("numpy.savetxt", 0, "fname", Writing::File),
    ("torch.save", 1, "f", Writing::File),
    ("torch.jit.save", 1, "f", Writing::File),
    ("torch.onnx.export", 2, "f", Writing::File),
    ("cv2.imwrite", 0, "filename", Writing::File),
    ("onnx.save", 1, "f", Writing::File),
    ("onnx.save_model", 1, "f", Writing::File),
    ("joblib.dump", 1, "filename", Writing::File),
    ("safetensors.torch.save_file", 1, "filename", Writing::File),
    ("safetensors.numpy.save_file", 1, "filename", Writing::File),
    ("soundfile.write", 0, "file", Writing::File),
    ("imageio.imwrite", 0, "uri", Writing::File),
    ("imageio.v3.imwrite", 0, "uri", Writing::File),
    ("tifffile.imwrite", 0, "file", Writing::File),
    ("skimage.io.imsave", 0, "fname", Writing::File),
    ("torchaudio.save", 0, "uri", Writing::File),
    ("scipy.sparse.save_npz", 0, "file", Writing::File),
    ("scipy.io.savemat", 0, "file_name", Writing::File),
    ("pyarrow.parquet.write_table", 1, "where", Writing::File),
    ("pyarrow.feather.write_feather", 1, "dest", Writing::File),
    ("faiss.write_index", 1, "fname", Writing::File),
    (
        "tensorflow.saved_model.save",
        1,
        "export_dir",
        Writing::File,
    ),
    ("shutil.copy", 1, "dst", Writing::Copy),
    ("shutil.copy2", 1, "dst", Writing::Copy),
    ("shutil.copyfile", 1, "dst", Writing::Copy),
    ("shutil.copytree", 1, "dst", Writing::Copy),
    (
        "urllib.request.urlretrieve",
        1,
        "filename",
        Writing::Download,
    ),
    ("wget.download", 1, "out", Writing::Download),
    ("gdown.download", 1, "output", Writing::Download),
    ("shutil.unpack_archive", 1, "extract_dir", Writing::Extract),
];

/// Functions that download into the folder of a keyword.
const LOCAL_DIR_DOWNLOADS: &[&str] = &[
    "huggingface_hub.snapshot_download",
    "huggingface_hub.hf_hub_download",
];

/// Methods that write the path of an argument.
const METHODS: &[(&str, usize, &str, Writing)] = &[
    ("to_csv", 0, "path_or_buf", Writing::File),
    ("to_parquet", 0, "path", Writing::File),
    ("to_pickle", 0, "path", Writing::File),
    ("to_json", 0, "path_or_buf", Writing::File),
    ("to_feather", 0, "path", Writing::File),
    ("to_hdf", 0, "path_or_buf", Writing::File),
    ("to_netcdf", 0, "path", Writing::File),
    ("tofile", 0, "fid", Writing::File),
    ("savefig", 0, "fname", Writing::File),
    ("write_image", 0, "file", Writing::File),
    ("write_parquet", 0, "file", Writing::File),
    ("sink_parquet", 0, "path", Writing::File),
    ("save_to_disk", 0, "dataset_path", Writing::File),
    ("save_pretrained", 0, "save_directory", Writing::File),
    ("save", 0, "fp", Writing::File),
    ("extractall", 0, "path", Writing::Extract),
    ("extract", 1, "path", Writing::Extract),
];

impl Facts {
    /// The calls that write a path under some name, in source order.
    pub(crate) fn writes(&self) -> impl Iterator<Item = Write<'_>> {
        let found = || OfCalls::new(self, |call| self.written(call));
        let writes = self.found.writes.get_or_init(found).all(self);
        writes.map(|(call, (path, how))| Write { call, path, how })
    }

    /// What a call writes, if it writes a path.
    pub(crate) fn write<'f>(&'f self, call: Call<'f>) -> Option<Write<'f>> {
        let (path, how) = self.written(&call)?;
        Some(Write { call, path, how })
    }

    fn written(&self, call: &Call<'_>) -> Option<(ExprId, Writing)> {
        self.opened(call)
            .or_else(|| self.written_by_function(call))
            .or_else(|| self.written_by_method(call))
            .or_else(|| self.written_later(call))
            .or_else(|| self.written_by_program(call))
    }

    fn opened(&self, call: &Call<'_>) -> Option<(ExprId, Writing)> {
        if self.is_opener(call) && self.opens_for_writing(call.arg(1, "mode")) {
            let path = call
                .positional(0)
                .or_else(|| call.keyword("file"))
                .or_else(|| call.keyword("filename"))?;
            return Some((path, Writing::File));
        }
        if let Some(path) = self.opened_through(call) {
            return Some((path, Writing::File));
        }
        let of_path = call.method() == Some("open") && self.opens_for_writing(call.arg(0, "mode"));
        of_path.then(|| Some((call.receiver()?, Writing::File)))?
    }

    /// Also through a field: `self._open = gzip.open if packs else open`.
    pub(crate) fn is_opener(&self, call: &Call<'_>) -> bool {
        let is_kept = self.self_attribute(call.function).is_some();
        let opens = |value: ExprId| {
            let name = self.resolved(value);
            name.is_some_and(|name| OPENERS.contains(&&*name))
        };
        let is_one = |value: &ExprId| match self.expr(*value).kind {
            ExprKind::Conditional { body, orelse, .. } => opens(body) && opens(orelse),
            _ => opens(*value),
        };
        call.is(OPENERS) || (is_kept && self.values(call.function).iter().any(is_one))
    }

    /// `filesystem.open(path, "wb")`: an object that opens files, and not the file itself. What an archive opens lies in it.
    fn opened_through(&self, call: &Call<'_>) -> Option<ExprId> {
        let receiver = call.receiver().filter(|_| call.method() == Some("open"))?;
        let writes = self.opens_for_writing(call.arg(1, "mode"));
        (writes && self.opens_for_others(receiver)).then(|| call.positional(0))?
    }

    /// Whether `open` of an object takes a path: of a filesystem, also where the class itself is one.
    pub(super) fn opens_for_others(&self, object: ExprId) -> bool {
        matches!(self.name(object), Some("self" | "cls")) || self.says_filesystem(object)
    }

    fn says_filesystem(&self, id: ExprId) -> bool {
        self.last_name(id)
            .is_some_and(|name| topic::has_word(name, "fs filesystem storage"))
    }

    /// `filesystem.get(remote, local)`, `blob.download_to_filename(local)`. The clients of S3 and MinIO (`download_file`,
    /// `fget_object`) write beside the name and rename.
    fn fetched_to(&self, call: &Call<'_>) -> Option<ExprId> {
        let receiver = call.receiver()?;
        match call.method()? {
            "get" | "get_file" | "download" if self.says_filesystem(receiver) => {
                call.arg(1, "lpath")
            }
            "download_to_filename" => call.arg(0, "filename"),
            _ => None,
        }
    }

    /// Whether a call opens a file to write it from its first byte on, or writes it whole.
    pub(crate) fn writes_anew(&self, call: &Call<'_>) -> bool {
        self.opens_anew(call) || matches!(call.method(), Some("write_text" | "write_bytes"))
    }

    /// Whether a call opens a file to write it from its first byte on.
    pub(super) fn opens_anew(&self, call: &Call<'_>) -> bool {
        let mode = match self.is_opener(call) || self.opened_through(call).is_some() {
            true => call.arg(1, "mode"),
            false => call
                .arg(0, "mode")
                .filter(|_| call.method() == Some("open")),
        };
        let anew = |value: ExprId| self.string(value).is_some_and(|mode| mode.contains('w'));
        mode.is_some_and(|mode| self.values(mode).into_iter().any(anew))
    }

    /// Whether a call opens a file in a way that fails where there is one: `open(p, "x")`, `os.open(p, O_CREAT | O_EXCL)`.
    pub(crate) fn opens_exclusively(&self, call: &Call<'_>) -> bool {
        let by_mode = |text: &str| matches!(text, "x" | "xb" | "bx" | "xt" | "x+" | "xb+" | "x+b");
        let mut args = call.args.iter().map(|arg| arg.value);
        args.any(|arg| {
            self.expr_text(arg).contains("O_EXCL") || self.string(arg).is_some_and(by_mode)
        })
    }

    /// Whether a mode literal truncates, creates or appends.
    fn opens_for_writing(&self, mode: Option<ExprId>) -> bool {
        let writes = |value: ExprId| {
            self.string(value).is_some_and(|mode| {
                mode.len() <= 4
                    && mode.contains(['w', 'a', 'x', '+'])
                    && mode.chars().all(|c| "rwaxbt+:gz".contains(c))
            })
        };
        mode.is_some_and(|mode| self.values(mode).into_iter().any(writes))
    }

    fn written_by_function(&self, call: &Call<'_>) -> Option<(ExprId, Writing)> {
        if call.is(LOCAL_DIR_DOWNLOADS) {
            return Some((call.keyword("local_dir")?, Writing::Download));
        }
        let callee = Some(call.callee()).filter(|callee| !callee.is_empty())?;
        let mut writers = WRITERS.iter();
        let &(_, n, keyword, how) = writers.find(|(name, ..)| self.means(callee, name))?;
        Some((call.arg(n, keyword)?, how))
    }

    fn written_by_method(&self, call: &Call<'_>) -> Option<(ExprId, Writing)> {
        let method = call.method()?;
        if let Some(path) = self.fetched_to(call) {
            return Some((path, Writing::Download));
        }
        if matches!(method, "write_text" | "write_bytes") {
            return Some((call.receiver()?, Writing::File));
        }
        if let Some(path) = self.saved_by_module(call) {
            return Some((path, Writing::File));
        }
        // `state.save(path, filesystem, digest)` notes something about a path; a checkpointer has a folder of its own.
        let names_step = call.receiver().and_then(|of| self.last_name(of));
        let names_step = names_step.is_some_and(|name| topic::says(name, "checkpointer"));
        let notes = method == "save" && (call.positional(2).is_some() || names_step);
        let mut methods = METHODS.iter().filter(|_| !notes);
        let &(_, n, keyword, how) = methods.find(|(name, ..)| *name == method)?;
        Some((call.arg(n, keyword)?, how))
    }

    /// `library.save(model, path)`, as most of them order it: the second is a path by its name or text.
    fn saved_by_module(&self, call: &Call<'_>) -> Option<ExprId> {
        let of_module =
            call.method() == Some("save") && self.imported_root(call.function).is_some();
        let path = call.positional(1).filter(|_| of_module)?;
        (self.says_path(path) || self.pieces(path).is_some()).then_some(path)
    }

    /// `to_thread(path.write_bytes, body)`: whoever gets the method writes the path.
    fn written_later(&self, call: &Call<'_>) -> Option<(ExprId, Writing)> {
        let mut args = call.args.iter();
        let path = args.find_map(|arg| self.writing_method(arg.value))?;
        Some((path, Writing::File))
    }

    /// `path` of `path.write_bytes`, which is not called here.
    pub(crate) fn writing_method(&self, id: ExprId) -> Option<ExprId> {
        match self.attribute(id)? {
            (path, "write_bytes" | "write_text") => Some(path),
            _ => None,
        }
    }

    /// The calls that rename or move a path, in source order.
    pub(crate) fn moves(&self) -> impl Iterator<Item = Move<'_>> {
        let moves = self.found_moves().all(self);
        moves.map(|(call, (from, to))| Move { call, from, to })
    }

    fn found_moves(&self) -> &OfCalls<(ExprId, ExprId)> {
        let found = || OfCalls::new(self, |call| self.moved(call));
        self.found.moves.get_or_init(found)
    }

    /// From and to.
    fn moved(&self, call: &Call<'_>) -> Option<(ExprId, ExprId)> {
        if call.is(&["os.rename", "os.replace", "os.renames", "shutil.move"]) {
            return Some((call.arg(0, "src")?, call.arg(1, "dst")?));
        }
        // `str.replace` has two arguments, `DataFrame.rename` has keywords.
        let is_method = matches!(call.method(), Some("replace" | "rename")) && call.args.len() == 1;
        let from = call.receiver().filter(|_| is_method)?;
        let to = call.arg(0, "target")?;
        let is_path = self.kind_of(from) == Some(Kind::Path) || self.says_path(from);
        is_path.then_some((from, to))
    }

    fn says_path(&self, id: ExprId) -> bool {
        self.last_name(id)
            .is_some_and(|name| topic::has_word(name, "path file dir tmp temp"))
    }

    /// Whether the file moves this path onto another name: what was written is not yet what others read.
    pub(crate) fn is_moved_away(&self, path: ExprId) -> bool {
        let function = self.function_of(self.expr(path).scope);
        let span = self.scope(function.unwrap_or(ScopeId(0))).span;
        self.calls_within(span)
            .filter(|call| self.function_of(call.scope()) == function)
            .filter_map(|call| self.found_moves().of(&call))
            .any(|(from, _)| self.is_same_path(from, path))
    }

    /// Whether two expressions of one function mean the same path: the same chain, through `str` and `Path`,
    /// or compositions with the same text.
    pub(crate) fn is_same_path(&self, a: ExprId, b: ExprId) -> bool {
        let (a, b) = (self.bare_path(a), self.bare_path(b));
        self.path_text(a) == self.path_text(b)
    }

    pub(super) fn bare_path(&self, id: ExprId) -> ExprId {
        let inner = self
            .call(id)
            .filter(|call| call.is(&["str", "os.fspath", "pathlib.Path"]) && call.args.len() == 1);
        inner
            .and_then(|call| call.positional(0))
            .map_or(id, |inner| self.bare_path(inner))
    }

    /// A path as compared text: white space and quotes do not count.
    fn path_text(&self, id: ExprId) -> String {
        let text = self.expr_text(id);
        text.chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| if c == '\'' { '"' } else { c })
            .collect()
    }
}
