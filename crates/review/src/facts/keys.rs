//! What a value is worth as a part of a path or of a key: where it comes from, and what of it gets lost on the way.

use super::Facts;
use super::bindings::BindingKind;
use super::calls::Call;
use super::composition::Piece;
use super::hir::*;
use super::types::Kind;
use std::cell::Cell;
use topic::Profile;

/// A value as a part of a path or key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyPart {
    pub(crate) source: Source,
    /// The first step that makes two values equal which were not.
    pub(crate) loss: Option<(Loss, ExprId)>,
    /// A digest of an identity is in it: what else was lost does not matter.
    pub(crate) has_digest: bool,
}

/// Where a part comes from. Ordered: the most dangerous last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Constant,
    /// A digest, a number, a name made by a helper.
    Safe,
    /// From outside, but what is dangerous in a path was taken out or refused.
    Checked,
    Unknown,
    /// From outside, as it came; the name that says so.
    Raw(ExprId),
}

/// How a value loses what tells it from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// `replace("/", "_")`, `re.sub(...)`: different characters become one.
    Replaced,
    /// Only the last component stays.
    Basename,
    Truncated,
    /// Fewer than sixteen hex digits of a digest.
    ShortDigest,
    /// `hash()`: 64 bits that differ from process to process.
    Hash,
    /// `str()` of a container: its order and spelling.
    Text,
    LowerCased,
}

const STEPS: u32 = 300;
const DEPTH: u32 = 10;

/// Hex digits that a digest needs to stand for an identity.
const DIGEST_DIGITS: u32 = 16;

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

impl Facts {
    /// What an expression is worth as a part of a path or key.
    pub(crate) fn key_part(&self, id: ExprId, profile: &Profile) -> KeyPart {
        let walk = Walk {
            facts: self,
            profile,
            steps: Cell::new(STEPS),
        };
        walk.part(id, DEPTH)
    }

    /// Whether a name is refused before a statement where it does not fit: an `if` that asks for its form and leaves,
    /// or a validator that is given it.
    pub(crate) fn is_validated(&self, name: &str, before: StmtId, profile: &Profile) -> bool {
        let scope = self.canonical(self.stmt(before).scope);
        self.stmt_ids()
            .take_while(|&stmt| stmt <= before)
            .filter(|&stmt| self.canonical(self.stmt(stmt).scope) == scope)
            .any(|stmt| self.validates(stmt, name, before, profile))
    }

    fn validates(&self, stmt: StmtId, name: &str, before: StmtId, profile: &Profile) -> bool {
        match &self.stmt(stmt).kind {
            StmtKind::If { test, body, .. } => {
                let refuses = self.always_leaves(body) || stmt == before;
                let encloses = self.ancestors(before).any(|ancestor| ancestor.stmt == stmt);
                (refuses || encloses) && self.asks_form(*test, name, profile)
            }
            StmtKind::Assert(tests) => tests
                .iter()
                .any(|&test| self.asks_form(test, name, profile)),
            StmtKind::Expr(value) => self.call(*value).is_some_and(|call| {
                self.says_validator(&call, profile) && self.mentions(call.id, name)
            }),
            _ => false,
        }
    }

    /// A full-match pattern, a test of characters, a list of allowed values, a containment check.
    fn asks_form(&self, test: ExprId, name: &str, profile: &Profile) -> bool {
        self.within(test).any(|id| {
            let by_call = self.call(id).is_some_and(|call| {
                let matches = matches!(
                    call.name(),
                    "fullmatch"
                        | "match"
                        | "isalnum"
                        | "isidentifier"
                        | "isdigit"
                        | "is_relative_to"
                        | "search"
                );
                let checks = profile.keys.is_containment_check(call.callee())
                    || self.says_validator(&call, profile);
                (matches || checks) && self.mentions(call.id, name)
            });
            let by_list = match &self.expr(id).kind {
                ExprKind::Compare {
                    operands,
                    operators,
                } => {
                    operators.iter().any(|operator| {
                        self.text(*operator)
                            .split_whitespace()
                            .any(|word| word == "in")
                    }) && operands.iter().any(|&operand| self.mentions(operand, name))
                }
                _ => false,
            };
            by_call || by_list
        })
    }

    fn says_validator(&self, call: &Call<'_>, profile: &Profile) -> bool {
        profile.keys.says_sanitizer(call.callee())
            || topic::words(call.name()).any(|word| {
                matches!(
                    &*word,
                    "check" | "ensure" | "assert" | "verify" | "valid" | "allowed" | "safe"
                )
            })
    }

    fn mentions(&self, id: ExprId, name: &str) -> bool {
        self.within(id)
            .any(|inner| self.dotted(inner).as_deref() == Some(name))
    }

    /// Whether a name is of something constant: `_SUFFIX`, `CONFIG_FILE`.
    pub(crate) fn is_constant_name(&self, id: ExprId) -> bool {
        let upper = |name: &str| {
            name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
        };
        matches!(
            self.expr(id).kind,
            ExprKind::Name | ExprKind::Attribute { .. }
        ) && self.last_name(id).is_some_and(upper)
    }
}

/// One question, followed to its end.
struct Walk<'a> {
    facts: &'a Facts,
    profile: &'a Profile,
    steps: Cell<u32>,
}

impl KeyPart {
    fn of(source: Source) -> KeyPart {
        KeyPart {
            source,
            loss: None,
            has_digest: false,
        }
    }

    fn losing(self, loss: Loss, at: ExprId) -> KeyPart {
        // The last component of a name that a helper made is not the name.
        let counts = self.source > Source::Safe
            || (self.source == Source::Safe && loss == Loss::Basename && !self.has_digest);
        let loss = self.loss.or(counts.then_some((loss, at)));
        KeyPart { loss, ..self }
    }

    /// What was dangerous in a path is gone.
    fn checked(self) -> KeyPart {
        KeyPart {
            source: match self.source {
                Source::Raw(_) | Source::Unknown => Source::Checked,
                source => source,
            },
            ..self
        }
    }

    fn digest() -> KeyPart {
        KeyPart {
            has_digest: true,
            ..KeyPart::of(Source::Safe)
        }
    }

    /// Both are in it.
    fn and(self, other: KeyPart) -> KeyPart {
        KeyPart {
            source: self.source.max(other.source),
            loss: self.loss.or(other.loss),
            has_digest: self.has_digest || other.has_digest,
        }
    }

    /// Either is it. A digest on one way speaks for the other: long ids are hashed, short ones stay readable.
    fn or(self, other: KeyPart) -> KeyPart {
        self.and(other)
    }

    /// The loss that counts.
    pub(crate) fn real_loss(self) -> Option<(Loss, ExprId)> {
        self.loss.filter(|_| !self.has_digest)
    }
}

impl Walk<'_> {
    fn part(&self, id: ExprId, depth: u32) -> KeyPart {
        let left = self.steps.get().checked_sub(1);
        self.steps.set(left.unwrap_or(0));
        let Some(depth) = depth.checked_sub(1).filter(|_| left.is_some()) else {
            return KeyPart::of(Source::Unknown);
        };
        match &self.facts.expr(id).kind {
            ExprKind::Str(_) | ExprKind::Number | ExprKind::True | ExprKind::False => {
                KeyPart::of(Source::Constant)
            }
            ExprKind::None => KeyPart::of(Source::Constant),
            ExprKind::Name | ExprKind::Attribute { .. } => self.named(id, depth),
            ExprKind::FString(_) | ExprKind::Binary { .. } => self.composed(id, depth),
            ExprKind::Call { .. } => self.called(id, depth),
            ExprKind::Subscript { object, index } => self.subscript(id, *object, index, depth),
            ExprKind::Conditional { body, orelse, .. } => {
                self.part(*body, depth).or(self.part(*orelse, depth))
            }
            ExprKind::Bool { left, right, .. } => {
                self.part(*left, depth).or(self.part(*right, depth))
            }
            ExprKind::Await(inner) | ExprKind::Starred(inner) => self.part(*inner, depth),
            ExprKind::Walrus { value, .. } => self.part(*value, depth),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                self.all(items.iter().copied(), depth)
            }
            ExprKind::Comprehension { elements, .. } => self.all(elements.iter().copied(), depth),
            _ => KeyPart::of(Source::Unknown),
        }
    }

    fn all(&self, items: impl Iterator<Item = ExprId>, depth: u32) -> KeyPart {
        items
            .map(|item| self.part(item, depth))
            .fold(KeyPart::of(Source::Constant), KeyPart::and)
    }

    fn named(&self, id: ExprId, depth: u32) -> KeyPart {
        let facts = self.facts;
        if facts.is_constant_name(id) {
            return KeyPart::of(Source::Constant);
        }
        if let Some((object, name)) = facts.attribute(id)
            && matches!(name, "name" | "stem")
            && facts.kind_of(object) == Some(Kind::Path)
        {
            return self
                .part(object, depth)
                .checked()
                .losing(Loss::Basename, id);
        }
        let part = self.flowing(id, depth);
        let raw_here = matches!(part.source, Source::Raw(_));
        let name = facts.dotted(id).unwrap_or_default();
        if raw_here && facts.is_validated(&name, facts.expr(id).stmt, self.profile) {
            return part.checked();
        }
        part
    }

    /// What the name was given; where the flow ends, its words speak.
    fn flowing(&self, id: ExprId, depth: u32) -> KeyPart {
        let facts = self.facts;
        let bindings = facts.bindings_behind(id);
        let mut parts = bindings.iter().filter_map(|binding| match binding.kind {
            BindingKind::Value { value, index: None } if value != id => {
                Some(self.part(value, depth))
            }
            BindingKind::Value {
                value,
                index: Some(n),
            } => Some(match facts.item(value, n) {
                Some(item) => self.part(item, depth),
                None => self.part(value, depth),
            }),
            BindingKind::Parameter(_) => Some(self.parameter(id, depth)),
            BindingKind::Loop { iter, .. } => Some(self.looped(id, iter)),
            _ => None,
        });
        match parts.next() {
            Some(first) => parts.fold(first, KeyPart::or),
            None => self.by_name(id),
        }
    }

    fn by_name(&self, id: ExprId) -> KeyPart {
        let is_raw = self
            .facts
            .last_name(id)
            .is_some_and(|name| self.says_raw(name));
        KeyPart::of(if is_raw {
            Source::Raw(id)
        } else {
            Source::Unknown
        })
    }

    /// A name of an outside value that is not already said to be safe: `safe_model_id`, `dataset_hash`.
    fn says_raw(&self, name: &str) -> bool {
        let made_safe = topic::words(name).any(|word| {
            matches!(
                &*word,
                "safe"
                    | "hash"
                    | "hashed"
                    | "digest"
                    | "slug"
                    | "key"
                    | "path"
                    | "dir"
                    | "sanitized"
                    | "sanitised"
                    | "count"
                    | "index"
                    | "suffix"
                    | "prefix"
            )
        });
        !made_safe && self.profile.keys.says_raw(name)
    }

    fn parameter(&self, id: ExprId, depth: u32) -> KeyPart {
        let facts = self.facts;
        let Some((function, param)) = facts.parameter(id) else {
            return KeyPart::of(Source::Unknown);
        };
        let harmless = param.annotation.is_some_and(|annotation| {
            matches!(
                facts.last_name(annotation),
                Some("int" | "float" | "bool" | "UUID" | "datetime" | "date")
            )
        });
        if harmless {
            return KeyPart::of(Source::Safe);
        }
        let named = self.by_name(id);
        let passed: Vec<KeyPart> = facts
            .calls_to(function)
            .filter_map(|call| facts.argument_for(&call, function, facts.text(param.name)))
            .map(|value| self.part(value, depth.min(DEPTH / 2)))
            .collect();
        let all_safe =
            !passed.is_empty() && passed.iter().all(|part| part.source <= Source::Checked);
        let raw = passed
            .iter()
            .find(|part| matches!(part.source, Source::Raw(_)));
        match raw {
            _ if all_safe => KeyPart::of(Source::Safe),
            Some(_) => KeyPart::of(Source::Raw(id)),
            None => named,
        }
    }

    /// An element of a folder's listing has no separators; one of a list of ids is as raw as its name says.
    fn looped(&self, id: ExprId, iter: ExprId) -> KeyPart {
        let listed = self.facts.call(iter).is_some_and(|call| {
            call.is(&["os.listdir", "os.scandir", "os.walk", "range", "enumerate"])
                || matches!(call.method(), Some("iterdir" | "glob" | "rglob"))
        });
        let constants = self.facts.values(iter).into_iter().any(|value| {
            self.facts.is_constant_name(value)
                || match &self.facts.expr(value).kind {
                    ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => {
                        items.iter().all(|&item| self.facts.string(item).is_some())
                    }
                    _ => false,
                }
        });
        if constants {
            KeyPart::of(Source::Constant)
        } else if listed {
            KeyPart::of(Source::Checked)
        } else {
            self.by_name(id)
        }
    }

    fn composed(&self, id: ExprId, depth: u32) -> KeyPart {
        match self.facts.pieces(id) {
            Some(pieces) => pieces
                .into_iter()
                .filter_map(|piece| match piece {
                    Piece::Value(value) if value != id => Some(self.part(value, depth)),
                    _ => None,
                })
                .fold(KeyPart::of(Source::Constant), KeyPart::and),
            None => match &self.facts.expr(id).kind {
                ExprKind::FString(parts) => parts
                    .iter()
                    .filter_map(|part| match part {
                        StringPart::Value(value) => Some(self.part(*value, depth)),
                        StringPart::Text(_) => None,
                    })
                    .fold(KeyPart::of(Source::Constant), KeyPart::and),
                _ => KeyPart::of(Source::Unknown),
            },
        }
    }

    fn called(&self, id: ExprId, depth: u32) -> KeyPart {
        let facts = self.facts;
        let Some(call) = facts.call(id) else {
            return KeyPart::of(Source::Unknown);
        };
        if self.is_digest(&call) {
            return KeyPart::digest();
        }
        let slugs = self
            .profile
            .helpers_for(&facts.path, topic::Role::CacheKey)
            .any(|helper| topic::name_matches(&helper.name, call.callee()));
        if slugs {
            return KeyPart::digest();
        }
        if self.profile.keys.is_safe_call(call.callee()) || facts.is_unique(id) {
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
    fn is_digest(&self, call: &Call<'_>) -> bool {
        let says = topic::words(call.name()).any(|word| {
            matches!(
                &*word,
                "hexdigest"
                    | "digest"
                    | "sha256"
                    | "sha1"
                    | "md5"
                    | "blake2b"
                    | "blake2s"
                    | "fingerprint"
                    | "checksum"
                    | "crc32"
            )
        });
        let named_hash = call.name() != "hash"
            && topic::words(call.name()).any(|word| word == "hash")
            && self.facts.callee_scope(call).is_none();
        says || named_hash
    }

    /// `str(x)` of a container depends on its order and spelling.
    fn spelled(&self, call: &Call<'_>, depth: u32) -> KeyPart {
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

    fn method(&self, call: &Call<'_>, depth: u32) -> Option<KeyPart> {
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
                .and_then(|key| self.facts.string(key))
                .filter(|key| self.says_raw(key))
                .map(|_| KeyPart::of(Source::Raw(call.id))),
            method if PASSING.contains(&method) => Some(of()),
            _ => None,
        }
    }

    /// `"".join(c if c.isalnum() else "_" for c in text)` makes many characters one.
    fn joined(&self, call: &Call<'_>, depth: u32) -> KeyPart {
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

    /// What a function of the file returns, with what it is given; a sanitiser by its name.
    fn helper(&self, call: &Call<'_>, depth: u32) -> KeyPart {
        let facts = self.facts;
        let says_safe = self.profile.keys.says_sanitizer(call.callee());
        let Some(function) = facts.callee_scope(call) else {
            return KeyPart::of(if says_safe {
                Source::Checked
            } else {
                Source::Unknown
            });
        };
        let mut returned = facts
            .returns_of(function)
            .map(|value| self.part(value, depth.min(DEPTH / 2)));
        let Some(first) = returned.next() else {
            return KeyPart::of(Source::Unknown);
        };
        let part = returned.fold(first, KeyPart::or);
        if says_safe { part.checked() } else { part }
    }

    /// `x[:48]`, `x.split("/")[-1]`, `request["model_id"]`.
    fn subscript(&self, id: ExprId, object: ExprId, index: &[ExprId], depth: u32) -> KeyPart {
        let facts = self.facts;
        let part = self.part(object, depth);
        let key = index.first().and_then(|&key| facts.string(key));
        if let Some(key) = key {
            return if self.says_raw(key) {
                KeyPart::of(Source::Raw(id))
            } else {
                KeyPart::of(Source::Unknown)
            };
        }
        if let Some(end) = self.slice_end(id, object) {
            return match (part.has_digest, end) {
                (true, Some(digits)) if digits < DIGEST_DIGITS => KeyPart {
                    has_digest: false,
                    loss: Some((Loss::ShortDigest, id)),
                    ..part
                },
                (true, _) => part,
                (false, _) => part.losing(Loss::Truncated, id),
            };
        }
        let is_split = facts.values(object).into_iter().any(|value| {
            facts
                .call(value)
                .is_some_and(|call| matches!(call.method(), Some("split" | "rsplit")))
        });
        if is_split {
            return part.checked().losing(Loss::Basename, id);
        }
        part
    }

    /// The end of `x[:n]`: `Some(None)` where it is a slice whose end is not known.
    fn slice_end(&self, id: ExprId, object: ExprId) -> Option<Option<u32>> {
        let facts = self.facts;
        let whole = facts.expr(id).span;
        let inner = Span {
            start: facts.expr(object).span.end,
            end: whole.end,
        };
        let text = facts
            .text(inner)
            .trim_start_matches('[')
            .trim_end_matches(']');
        let (start, end) = text.split_once(':')?;
        if !start.trim().is_empty() || end.trim().is_empty() {
            return None;
        }
        let end = end.trim();
        let literal = end.parse().ok();
        let constant = || {
            facts
                .within(id)
                .filter(|&part| facts.name(part) == Some(end))
                .flat_map(|part| facts.values(part))
                .find_map(|value| facts.expr_text(value).parse().ok())
        };
        Some(literal.or_else(constant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::facts_of;

    fn part_of(text: &str) -> KeyPart {
        let facts = facts_of(text);
        let call = facts.calls().find(|call| call.name() == "use").unwrap();
        facts.key_part(call.positional(0).unwrap(), &Profile::builtin())
    }

    #[test]
    fn ids_are_raw_until_they_are_checked() {
        let part = part_of("def f(model_id):\n    use(f'{model_id}.json')\n");
        assert!(matches!(part.source, Source::Raw(_)));
        let part = part_of(
            "def f(model_id):\n    if not PATTERN.fullmatch(model_id):\n        raise ValueError\n    use(model_id)\n",
        );
        assert_eq!(part.source, Source::Checked);
        let part = part_of(
            "def f(model_id):\n    if not model_id:\n        raise ValueError\n    use(model_id)\n",
        );
        assert!(matches!(part.source, Source::Raw(_)));
        let part = part_of("def f(user_id: int):\n    use(user_id)\n");
        assert_eq!(part.source, Source::Safe);
    }

    #[test]
    fn losses_are_found_through_helpers() {
        let part = part_of(
            "def slug(model_id):\n    return model_id.replace('/', '_')\ndef f(model_id):\n    use(slug(model_id))\n",
        );
        assert!(matches!(part.real_loss(), Some((Loss::Replaced, _))));
        let part = part_of("def f(model_id):\n    use(model_id[:40])\n");
        assert!(matches!(part.real_loss(), Some((Loss::Truncated, _))));
    }

    #[test]
    fn a_digest_of_sixteen_digits_keeps_identity() {
        let text = |digits: u32| {
            format!(
                "import hashlib\nN = {digits}\ndef f(model_id):\n    d = hashlib.sha256(model_id.encode()).hexdigest()[:N]\n    use(f'{{model_id[:8].lower()}}-{{d}}')\n"
            )
        };
        assert_eq!(part_of(&text(16)).real_loss(), None);
        assert!(part_of(&text(8)).real_loss().is_some());
    }
}
