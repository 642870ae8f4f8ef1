//! What calls and look-ups make of a value: digests, cuts, replacements.

use super::walk::{DEPTH, Walk};
use super::{KeyPart, Loss, Source};
use crate::facts::calls::Call;
use crate::facts::types::Kind;
use crate::facts::{ExprId, ExprKind, StmtId, StmtKind};

/// Methods that change nothing about where a text comes from.
const PASSING: &[&str] = &[
    "strip",
    "lstrip",
    "rstrip",
    "encode",
    "decode",
    "split",
    "rsplit",
    "partition",
    "rpartition",
    "removeprefix",
    "removesuffix",
    "format",
    "title",
];

impl Walk<'_> {
    pub(super) fn called(&self, id: ExprId, depth: u32) -> KeyPart {
        let facts = self.facts;
        let Some(call) = facts.call(id) else {
            return KeyPart::of(Source::Unknown);
        };
        if self.is_digest(&call) {
            return self.digest_of(&call);
        }
        let slugs = self
            .profile
            .helpers_for(&facts.path, topic::Role::CacheKey)
            .any(|helper| topic::name_matches(&helper.name, call.callee()));
        if slugs {
            return KeyPart::digest();
        }
        if self.profile.keys.is_safe_call(call.callee())
            || facts.is_unique(id)
            || facts.makes_member(&call)
        {
            return KeyPart::of(Source::Safe);
        }
        let first = || {
            call.positional(0)
                .map_or(KeyPart::of(Source::Unknown), |value| {
                    self.part(value, depth)
                })
        };
        match call.callee() {
            "hash" => return KeyPart::of(Source::Checked).losing(Loss::Hash, id),
            "int" | "float" | "len" | "round" => return KeyPart::of(Source::Safe),
            "str" | "repr" => return self.spelled(&call, depth),
            _ => {}
        }
        if call.is(&["os.path.basename"]) {
            return first().checked().losing(Loss::Basename, id);
        }
        if call.is(&["re.sub"]) {
            let of = call.arg(2, "string");
            let part = of.map_or(KeyPart::of(Source::Unknown), |of| self.part(of, depth));
            return part.checked().losing(Loss::Replaced, id);
        }
        if let Some(part) = self.method(&call, depth) {
            return part;
        }
        if facts.pieces(id).is_some() {
            return self.composed(id, depth);
        }
        if call.is(&["pathlib.Path", "pathlib.PurePath", "os.fspath"]) {
            return first();
        }
        self.helper(&call, depth)
    }

    /// `hexdigest()`, or a function that says that it hashes: `get_text_hash`, `stable_digest`.
    pub(super) fn is_digest(&self, call: &Call<'_>) -> bool {
        let says = topic::has_word(
            call.name(),
            "hexdigest digest sha256 sha1 md5 blake2b blake2s fingerprint checksum \
             crc32 adler32",
        );
        let named_hash = call.name() != "hash"
            && topic::has_word(call.name(), "hash")
            && self.facts.callee(call).is_none();
        says || named_hash
    }

    /// `str(x)` of a container depends on its order and spelling.
    pub(super) fn spelled(&self, call: &Call<'_>, depth: u32) -> KeyPart {
        let Some(value) = call.positional(0) else {
            return KeyPart::of(Source::Constant);
        };
        let is_container = self
            .facts
            .type_of(value)
            .is_some_and(|found| matches!(found.kind, Kind::Dict | Kind::Set) || found.depth > 0);
        let part = self.part(value, depth);
        if is_container {
            part.losing(Loss::Text, call.id)
        } else {
            part
        }
    }

    pub(super) fn method(&self, call: &Call<'_>, depth: u32) -> Option<KeyPart> {
        let receiver = call.receiver()?;
        let of = || self.part(receiver, depth);
        match call.method()? {
            "replace" if call.args.len() >= 2 => {
                let of_separator = call
                    .positional(0)
                    .and_then(|from| self.facts.string(from))
                    .is_some_and(|from| matches!(from, "/" | "\\\\" | "\\"));
                let part = of().losing(Loss::Replaced, call.id);
                Some(if of_separator { part.checked() } else { part })
            }
            "lower" | "casefold" | "upper" => Some(of().losing(Loss::LowerCased, call.id)),
            "sub" => {
                let part = self.part(call.positional(1)?, depth);
                Some(part.checked().losing(Loss::Replaced, call.id))
            }
            "join" => Some(self.joined(call, depth)),
            "isoformat" | "strftime" => Some(KeyPart::of(Source::Safe)),
            "get" => call
                .positional(0)
                .filter(|_| !self.is_of_config(call))
                .and_then(|key| self.facts.string(key))
                .filter(|key| self.says_raw(key))
                .map(|_| KeyPart::of(Source::Raw(call.id))),
            method if PASSING.contains(&method) => Some(of()),
            _ => None,
        }
    }

    /// `model_config.extra.get("filename")`: whoever runs the service wrote it.
    fn is_of_config(&self, call: &Call<'_>) -> bool {
        let says = |name: &str| topic::has_word(name, "config settings conf");
        let of = call.receiver().map(|of| self.facts.expr_text(of));
        of.is_some_and(|of| of.split('.').any(says) && !of.contains("request"))
    }

    /// `"".join(c if c.isalnum() else "_" for c in text)` makes many characters one.
    pub(super) fn joined(&self, call: &Call<'_>, depth: u32) -> KeyPart {
        let Some(given) = call.positional(0) else {
            return KeyPart::of(Source::Unknown);
        };
        let asks_characters = self.facts.within(given).any(|id| {
            self.facts.call(id).is_some_and(|call| {
                matches!(call.method(), Some("isalnum" | "isalpha" | "isdigit"))
            })
        });
        if asks_characters {
            return KeyPart::of(Source::Checked).losing(Loss::Replaced, call.id);
        }
        match self.facts.pieces(call.id) {
            Some(_) => self.composed(call.id, depth),
            None => self.part(given, depth),
        }
    }

    /// What a function of the diff returns, with what it is given; a sanitiser by its name.
    pub(super) fn helper(&self, call: &Call<'_>, depth: u32) -> KeyPart {
        let facts = self.facts;
        let says_safe = self.profile.keys.says_sanitizer(call.callee());
        let by_name = || {
            KeyPart::of(if says_safe {
                Source::Checked
            } else {
                Source::Unknown
            })
        };
        let Some((home, function)) = facts.callee(call) else {
            return by_name();
        };
        let there = self.within(home);
        let mut returned = home
            .returns_of(function)
            .map(|value| there.part(value, depth.min(DEPTH / 2)));
        let Some(first) = returned.next() else {
            return KeyPart::of(Source::Unknown);
        };
        let mut part = returned.fold(first, KeyPart::or);
        if !std::ptr::eq(home, facts) {
            part = part.seen_at(call.id);
            // The other file does not know what it is given here.
            let given = self.all(call.args.iter().map(|arg| arg.value), depth);
            if given.source <= Source::Safe && part.source > Source::Safe {
                return KeyPart::of(Source::Safe);
            }
        }
        if says_safe { part.checked() } else { part }
    }

    /// `x[:48]`, `x.split("/")[-1]`, `request["model_id"]`.
    pub(super) fn subscript(
        &self,
        id: ExprId,
        object: ExprId,
        index: &[ExprId],
        depth: u32,
    ) -> KeyPart {
        let facts = self.facts;
        let part = self.part(object, depth);
        let key = index.first().and_then(|&key| facts.string(key));
        if let Some(key) = key {
            if let Some(value) = self.put_under(id, object, key) {
                return self.part(value, depth);
            }
            return if self.says_raw(key) {
                KeyPart::of(Source::Raw(id))
            } else {
                KeyPart::of(Source::Unknown)
            };
        }
        // `x[:, -1:]` takes a part of an array.
        if index.len() > 1 {
            return KeyPart::of(Source::Unknown);
        }
        if part.has_digest
            && let Some(digits) = self.digits_left(id, object)
        {
            return part.cut_to(digits, id);
        }
        if self.slice_end(id, object).is_some() {
            return match part.has_digest {
                true => part,
                false => part.losing(Loss::Truncated, id),
            };
        }
        let is_split = facts.values(object).into_iter().any(|value| {
            facts
                .call(value)
                .is_some_and(|call| matches!(call.method(), Some("split" | "rsplit")))
        });
        if (is_split && self.is_from_the_end(index)) || self.is_rest(object, index) {
            return part.checked().losing(Loss::Basename, id);
        }
        // Any other part of an id can still be `..`, and the rest of the id is often used beside it.
        part
    }

    /// What the function put into the same dict under the same key before.
    fn put_under(&self, id: ExprId, object: ExprId, key: &str) -> Option<ExprId> {
        let facts = self.facts;
        let (at, name) = (facts.expr(id).stmt, facts.dotted(object)?);
        let stmts = facts.statements_of(facts.expr(id).scope);
        let value_of = |stmt: StmtId| {
            let StmtKind::Assign { targets, value, .. } = &facts.stmt(stmt).kind else {
                return None;
            };
            let is_same = targets
                .iter()
                .any(|&target| match &facts.expr(target).kind {
                    ExprKind::Subscript { object, index } => {
                        facts.dotted(*object).as_ref() == Some(&name)
                            && index.first().and_then(|&index| facts.string(index)) == Some(key)
                    }
                    _ => false,
                });
            (*value).filter(|_| is_same)
        };
        stmts.filter(|&stmt| stmt < at).filter_map(value_of).last()
    }

    /// `rpartition("/")[2]`, `rsplit("/", 1)[1]`: what stands behind the last separator.
    fn is_rest(&self, object: ExprId, index: &[ExprId]) -> bool {
        let place = index.first().map(|&place| self.facts.expr_text(place));
        let values = self.facts.values(object).into_iter();
        let calls = values.filter_map(|value| self.facts.call(value));
        let mut by_slash = calls.filter(|call| {
            let separator = call.arg(0, "sep");
            separator.and_then(|by| self.facts.string(by)) == Some("/")
        });
        by_slash.any(|call| match call.method() {
            Some("rpartition") => matches!(place, Some("2" | "-1")),
            Some("rsplit") => {
                let once = call.arg(1, "maxsplit");
                place == Some("1") && once.is_some_and(|once| self.facts.expr_text(once) == "1")
            }
            _ => false,
        })
    }

    /// `[-1]`: the last part, as `basename` gives it.
    fn is_from_the_end(&self, index: &[ExprId]) -> bool {
        let text = |&last: &ExprId| self.facts.expr_text(last).starts_with('-');
        index.first().is_some_and(text)
    }
}
