//! How much of a digest or an id is left of it: slices, lengths of helpers, format specifications, sizes of digests.

use super::walk::Walk;
use super::{KeyPart, Loss};
use crate::facts::calls::Call;
use crate::facts::{ExprId, Facts, Span};

/// Hex digits that a digest needs to stand for an identity.
const DIGEST_DIGITS: u32 = 16;

impl KeyPart {
    /// A digest of which only so many hex digits are left.
    pub(super) fn cut_to(self, digits: u32, at: ExprId) -> KeyPart {
        if digits >= DIGEST_DIGITS {
            return self;
        }
        KeyPart {
            has_digest: false,
            loss: Some((Loss::ShortDigest, at)),
            ..self
        }
    }
}

impl Walk<'_> {
    /// What a digest is worth: `blake2s(text, digest_size=4)`, `shake_128(text).hexdigest(4)` and `crc32(text)` are short.
    pub(super) fn digest_of(&self, call: &Call<'_>) -> KeyPart {
        let whole = KeyPart::digest();
        if matches!(call.name(), "crc32" | "adler32") {
            return whole.cut_to(8, call.id);
        }
        match self.digest_bytes(call) {
            Some(bytes) => whole.cut_to(bytes.saturating_mul(2), call.id),
            None => whole,
        }
    }

    fn digest_bytes(&self, call: &Call<'_>) -> Option<u32> {
        let facts = self.facts;
        let receiver = call.receiver().filter(|_| call.name() == "hexdigest")?;
        let asked = call.arg(0, "length");
        let sized = || {
            let mut made = facts
                .values(receiver)
                .into_iter()
                .filter_map(|value| facts.call(value));
            made.find_map(|made| made.keyword("digest_size"))
        };
        facts.number(asked.or_else(sized)?)
    }

    /// The digits that a slice of a digest keeps, where it says so: `[:8]`, `[0:8]`, `[-8:]`, `[4:12]`, `[:length]`.
    pub(super) fn digits_left(&self, id: ExprId, object: ExprId) -> Option<u32> {
        let (start, end) = self.bounds(id, object)?;
        let from: i64 = if start.is_empty() {
            0
        } else {
            start.parse().ok()?
        };
        if end.is_empty() {
            return from
                .checked_neg()
                .and_then(|left| u32::try_from(left).ok())
                .filter(|&n| n > 0);
        }
        let until = i64::from(self.bound(id, end)?);
        u32::try_from(until.checked_sub(from)?).ok()
    }

    /// The end of `x[:n]`: `Some(None)` where it is a slice whose end is not known.
    pub(super) fn slice_end(&self, id: ExprId, object: ExprId) -> Option<Option<u32>> {
        let (start, end) = self.bounds(id, object)?;
        // `name[:-4]` takes a suffix off and keeps the rest, however long.
        let keeps_rest = end.is_empty() || end.starts_with('-');
        if !start.is_empty() || keeps_rest {
            return None;
        }
        Some(self.bound(id, end))
    }

    /// The text on both sides of a slice's colon.
    fn bounds(&self, id: ExprId, object: ExprId) -> Option<(&str, &str)> {
        let facts = self.facts;
        let (start, end) = (facts.expr(object).span.end, facts.expr(id).span.end);
        let text = facts.text(Span { start, end });
        let text = text.trim_start_matches('[').trim_end_matches(']');
        let (start, end) = text.split_once(':')?;
        Some((start.trim(), end.trim()))
    }

    /// A literal, a constant, or the length that a helper is given.
    fn bound(&self, id: ExprId, end: &str) -> Option<u32> {
        let facts = self.facts;
        let named = || facts.within(id).find(|&part| facts.name(part) == Some(end));
        end.parse().ok().or_else(|| facts.number(named()?))
    }

    /// `f"{digest:.8}"`: the precision of a text cuts it.
    pub(super) fn formatted(&self, value: ExprId, part: KeyPart) -> KeyPart {
        let start = self.facts.expr(value).span.end;
        let behind = |end: u32| {
            self.facts.text(Span {
                start,
                end: start + end,
            })
        };
        let digits = (3..=4).rev().map(behind).find_map(|text| {
            let digits = text.strip_prefix(":.")?;
            digits.trim_end_matches(['}', 's']).parse::<u32>().ok()
        });
        match digits {
            Some(digits) if part.has_digest => part.cut_to(digits, value),
            _ => part,
        }
    }
}

impl Facts {
    /// The number that an expression is, through constants; of a parameter the largest that it is given or defaults to.
    fn number(&self, id: ExprId) -> Option<u32> {
        let literal = |value: ExprId| self.expr_text(value).parse().ok();
        let Some((function, param)) = self.parameter(id) else {
            return self.values(id).into_iter().find_map(literal);
        };
        let name = self.text(param.name);
        let given = self.callers(function).into_iter();
        let given = given.filter_map(|(home, call)| {
            let value = self.argument_for(&call, function, name)?;
            Some(home.expr_text(value).parse().ok())
        });
        let default = param.default.map(literal).into_iter();
        // A length that nobody can read may be any.
        let numbers: Option<Vec<u32>> = default.chain(given).collect();
        numbers?.into_iter().max()
    }
}
