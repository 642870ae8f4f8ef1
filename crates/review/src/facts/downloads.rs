//! Which files are filled with what comes over the network, and what else writes a file by the name of its call.

use super::Facts;
use super::calls::Call;
use super::hir::*;

impl Facts {
    /// Whether a call opens a file anew, or writes it whole, and what goes in comes over the network.
    pub(crate) fn takes_download(&self, write: &Call<'_>) -> bool {
        if write.method() == Some("write_bytes") {
            return write.positional(0).is_some_and(|it| self.is_body(it));
        }
        if !self.opens_anew(write) {
            return false;
        }
        let from = write.span().start;
        let name = self.function_name(write.stmt());
        let scope = self.stmt(write.stmt()).scope;
        let mut behind = self.calls_of(scope).filter(|call| call.span().start > from);
        name.is_some_and(says_download) || behind.any(|call| self.brings_download(&call))
    }

    fn brings_download(&self, call: &Call<'_>) -> bool {
        let streams = matches!(
            call.method(),
            Some(
                "iter_content"
                    | "iter_chunked"
                    | "iter_any"
                    | "iter_bytes"
                    | "aiter_bytes"
                    | "iter_raw"
                    | "aiter_raw"
                    | "download_fileobj"
                    | "download_blob"
                    | "retrbinary"
            )
        );
        let writes = call.method() == Some("write")
            && call
                .positional(0)
                .is_some_and(|content| self.is_body(content));
        streams || writes || call.is(&["shutil.copyfileobj"])
    }

    /// `response.content`, `await response.read()`.
    fn is_body(&self, content: ExprId) -> bool {
        let of_response = |object: ExprId| {
            self.last_name(object).is_some_and(|name| {
                topic::words(name).any(|word| {
                    matches!(
                        &*word,
                        "response" | "resp" | "res" | "r" | "req" | "request" | "urlopen" | "get"
                    )
                })
            })
        };
        let is_it = |id: ExprId| {
            self.attribute(id).is_some_and(|(object, name)| {
                matches!(name, "content" | "read" | "body") && of_response(object)
            })
        };
        self.values(content)
            .into_iter()
            .any(|value| self.within(value).any(is_it))
    }
}

fn says_download(name: &str) -> bool {
    topic::words(name).any(|word| {
        matches!(
            &*word,
            "download" | "downloads" | "downloading" | "fetch" | "pull" | "mirror"
        )
    })
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
        let says = topic::words(method)
            .next()
            .is_some_and(|word| matches!(&*word, "export" | "save" | "serialize" | "convert"));
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
