//! Calls that write a file by what they are called: what they do is not shown.

use super::Facts;
use super::calls::Call;
use super::hir::*;

impl Facts {
    /// `self._pack(target, files)`: a method whose definition is not shown and that says that it makes something, with the
    /// path that it is given first.
    pub(crate) fn made_unseen(&self, call: &Call<'_>) -> Option<ExprId> {
        let method = self.self_attribute(call.function)?;
        let bare = method.trim_start_matches('_');
        let says = topic::words(bare)
            .next()
            .is_some_and(|word| MAKES.contains(&&*word));
        let is_unseen = !self.document.whole && self.callee(call).is_none();
        let path = call.positional(0)?;
        (says && is_unseen && self.name(path).is_some()).then_some(path)
    }

    /// `engine.export_model(path)`, `exporter.save(output=path)`: a method of something that the diff does not define and
    /// that says that it writes, with the path that it is given.
    pub(crate) fn exported(&self, call: &Call<'_>) -> Option<ExprId> {
        let method = call.method()?;
        let says = topic::begins_with_word(method, "export save serialize convert");
        let is_own = call
            .receiver()
            .is_some_and(|of| matches!(self.name(of), Some("self" | "cls")));
        if !says || is_own || self.callee(call).is_some() {
            return None;
        }
        let by_name = TARGETS.iter().find_map(|name| call.keyword(name));
        by_name.or_else(|| call.positional(0))
    }
}

/// Names of the argument that says where something is written.
const TARGETS: &[&str] = &[
    "path",
    "output",
    "output_path",
    "output_file",
    "out",
    "out_path",
    "dst",
    "dest",
    "destination",
    "target",
    "target_path",
    "file",
    "file_path",
    "filepath",
    "filename",
    "save_path",
    "local_path",
    "export_path",
    "f",
];

/// First words of functions that put something at the path that they are given.
const MAKES: &[&str] = &[
    "build", "compile", "convert", "create", "download", "dump", "encode", "export", "extract",
    "fetch", "fill", "generate", "make", "pack", "render", "save", "store", "unpack", "write",
];
