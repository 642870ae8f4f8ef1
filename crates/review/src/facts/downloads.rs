//! Which files are filled with what comes over the network.

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
                topic::has_word(name, "response resp res r req request urlopen get")
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
    topic::has_word(name, "download downloads downloading fetch pull mirror")
}
