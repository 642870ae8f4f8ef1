//! A whole review in the fragment of an address: `#v1.<kind>.<payload>`.
//!
//! The kind is `d` (the diff is inside) or `r` (a reference to where it lies). The payload is base64url without padding
//! of the raw deflate of a document: four bytes of CRC-32, little-endian, over all that follows, then JSON in UTF-8.
//! A fragment never reaches a server. Links of version 1 open for ever.

mod fragment;
#[cfg(test)]
mod tests;

use crate::model::Context;
use crate::work::Work;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use serde::{Deserialize, Serialize};

pub use fragment::{Pull, pull};

/// Longer links get lost in chats. In characters of the whole address.
pub const CHAT_LENGTH: usize = 2_000;

/// Longer links get lost in mail and proxies. In characters of the whole address.
pub const MAIL_LENGTH: usize = 8_000;

/// A document may not expand beyond this many bytes.
pub const EXPANSION_LIMIT: usize = 64 << 20;

/// The schema name of the document inside.
const SCHEMA: &str = "hunkwise.link/1";

/// The best ratio: links are made only when somebody shares.
const COMPRESSION: u8 = 9;

/// What a link carries. Serialised as such only between page and worker; inside a link stands a `Document`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub content: Content,
    /// Versions that the sharer saw; the receiver's may differ, and the page says so.
    pub topic_version: String,
    pub profile: String,
    /// What the sharer's review had seen. A link restores the review of the diff alone.
    pub context: Context,
    pub work: Work,
    /// The id of the finding that was selected.
    pub selected: Option<String>,
}

/// The diff, or where it lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Content {
    Diff {
        text: String,
        /// The text is only the hunks that carry findings.
        excerpt: bool,
    },
    Reference(Reference),
}

/// Two commits of a repository, and the pull request that they belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// `owner/name`.
    pub repo: String,
    pub base: String,
    pub head: String,
    pub pull: Option<u32>,
}

/// Why a text opens no review: a sentence for whoever pasted it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    #[error("This is not a Hunkwise link: it has no part that begins with #v1.d. or #v1.r.")]
    NotALink,
    #[error(
        "This link is damaged: a part of it was cut off or changed on its way. Ask for it again, best as a file or in a shorter form."
    )]
    Damaged,
    #[error(
        "This link was made by a newer version (format {0}). Reload the page or update the command to open it."
    )]
    Newer(u32),
    #[error(
        "This link holds something of an unknown kind, {0:?}. Reload the page or update the command to open it."
    )]
    UnknownKind(String),
    #[error(
        "This link would expand to more than 64 MB and was not opened. Ask for the diff as a file."
    )]
    TooLarge,
}

/// The fragment of a link, without its `#`.
pub fn encode(link: &Link) -> String {
    let (kind, document) = Document::of(link);
    // Maps of these types have string keys and no value refuses to be serialised, so the fallback is never taken.
    let mut json = serde_json::to_vec(&document).unwrap_or_default();
    let mut payload = pack(&json);
    // Programs that make addresses clickable leave out a mark at the end; a blank after the JSON makes another end.
    while payload.ends_with(['-', '_']) {
        json.push(b' ');
        payload = pack(&json);
    }
    format!("v1.{kind}.{payload}")
}

fn pack(json: &[u8]) -> String {
    let mut bytes = crc32fast::hash(json).to_le_bytes().to_vec();
    bytes.extend(json);
    BASE64_URL_SAFE_NO_PAD.encode(compress_to_vec(&bytes, COMPRESSION))
}

/// The whole address of a link on a page; a fragment that the page's address has already is replaced.
pub fn address(page: &str, link: &Link) -> String {
    let page = page.split('#').next().unwrap_or(page);
    format!("{page}#{}", encode(link))
}

/// Reads a link out of a whole address, a fragment with or without `#`, or a message around one.
pub fn decode(text: &str) -> Result<Link, LinkError> {
    let found = fragment::find(text).ok_or(LinkError::NotALink)?;
    if found.version != 1 {
        return Err(LinkError::Newer(found.version));
    }
    if !matches!(found.kind.as_str(), "d" | "r") {
        return Err(LinkError::UnknownKind(found.kind));
    }
    let mut error = LinkError::Damaged;
    for payload in &found.payloads {
        match open(&found.kind, payload) {
            Ok(link) => return Ok(link),
            Err(LinkError::Damaged) => {}
            Err(told) => error = told,
        }
    }
    Err(error)
}

fn open(kind: &str, payload: &str) -> Result<Link, LinkError> {
    let packed = BASE64_URL_SAFE_NO_PAD
        .decode(payload)
        .map_err(|_| LinkError::Damaged)?;
    let bytes =
        decompress_to_vec_with_limit(&packed, EXPANSION_LIMIT).map_err(|error| {
            match error.status {
                TINFLStatus::HasMoreOutput => LinkError::TooLarge,
                _ => LinkError::Damaged,
            }
        })?;
    let (checksum, json) = bytes.split_first_chunk().ok_or(LinkError::Damaged)?;
    if crc32fast::hash(json) != u32::from_le_bytes(*checksum) {
        return Err(LinkError::Damaged);
    }
    let header: Header = serde_json::from_slice(json).map_err(|_| LinkError::Damaged)?;
    if header.schema != SCHEMA {
        return Err(LinkError::Newer(header.version()));
    }
    let document: Document = serde_json::from_slice(json).map_err(|_| LinkError::Damaged)?;
    document.link(kind)
}

/// What can be read of a document of any version.
#[derive(Deserialize)]
struct Header {
    schema: String,
}

impl Header {
    fn version(&self) -> u32 {
        self.schema
            .rsplit('/')
            .next()
            .and_then(|version| version.parse().ok())
            .unwrap_or(2)
    }
}

/// The JSON inside a link. Fields are only ever added, each with a default.
#[derive(Serialize, Deserialize)]
struct Document {
    schema: String,
    topic: String,
    profile: String,
    #[serde(default = "diff_context")]
    context: Context,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    excerpt: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<Reference>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    work: Option<Work>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    selected: Option<String>,
}

impl Document {
    /// The kind's letter and the document of a link.
    fn of(link: &Link) -> (char, Document) {
        let (kind, diff, excerpt, reference) = match &link.content {
            Content::Diff { text, excerpt } => ('d', Some(text.clone()), *excerpt, None),
            Content::Reference(reference) => ('r', None, false, Some(reference.clone())),
        };
        let document = Document {
            schema: SCHEMA.to_owned(),
            topic: link.topic_version.clone(),
            profile: link.profile.clone(),
            context: link.context,
            diff,
            excerpt,
            reference,
            work: (!link.work.is_empty()).then(|| link.work.clone()),
            selected: link.selected.clone(),
        };
        (kind, document)
    }

    fn link(self, kind: &str) -> Result<Link, LinkError> {
        let content = match (kind, self.diff, self.reference) {
            ("d", Some(text), _) => Content::Diff {
                text,
                excerpt: self.excerpt,
            },
            ("r", _, Some(reference)) => Content::Reference(reference),
            _ => return Err(LinkError::Damaged),
        };
        Ok(Link {
            content,
            topic_version: self.topic,
            profile: self.profile,
            context: self.context,
            work: self.work.unwrap_or_default(),
            selected: self.selected,
        })
    }
}

fn diff_context() -> Context {
    Context::Diff
}

fn is_false(value: &bool) -> bool {
    !value
}
