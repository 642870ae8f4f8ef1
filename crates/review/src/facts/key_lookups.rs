//! Look-ups in a store of another process whose client no shown text names: the key and what is done with the answer tell.

use super::Facts;
use super::calls::Call;
use super::hir::*;

impl Facts {
    /// `await self._store.get(f"profile:{user}")`, or the answer is decoded: keys with a name space are what shared stores
    /// have, and only what comes over the wire is awaited or decoded.
    pub(super) fn looks_up_by_key(&self, call: &Call<'_>, receiver: ExprId) -> bool {
        let says = |name: &str| topic::ends_in_word(name, "store client cache kv storage");
        let handed_in = |value: ExprId| value == receiver || self.name(value).is_some();
        let of_store = self.self_attribute(receiver).is_some_and(says)
            && !self.document.whole
            && self.type_of(receiver).is_none()
            && self.values(receiver).into_iter().all(handed_in);
        of_store
            && call.method() == Some("get")
            && call.args.len() == 1
            && call.positional(0).is_some_and(|key| {
                let is_plain = self.name(key).is_some() && !self.names_address(key);
                let spaced = self.has_name_space(key);
                (spaced && call.is_awaited()) || ((spaced || is_plain) && self.is_decoded(call))
            })
    }

    fn names_address(&self, key: ExprId) -> bool {
        self.last_name(key)
            .is_some_and(|name| topic::has_word(name, "url uri path endpoint address"))
    }

    /// `f"price:{article}"`, and no address.
    fn has_name_space(&self, key: ExprId) -> bool {
        let ExprKind::FString(parts) = &self.expr(key).kind else {
            return false;
        };
        let Some(StringPart::Text(text)) = parts.first() else {
            return false;
        };
        self.text(*text)
            .split_once(':')
            .is_some_and(|(space, rest)| {
                let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
                !space.is_empty() && space.chars().all(is_word) && !rest.starts_with('/')
            })
    }

    /// The answer is bytes or a document: `raw.decode()`, `json.loads(raw)`.
    fn is_decoded(&self, call: &Call<'_>) -> bool {
        let StmtKind::Assign { targets, .. } = &self.stmt(call.stmt()).kind else {
            return false;
        };
        let Some(raw) = targets.first().and_then(|&target| self.name(target)) else {
            return false;
        };
        let is_raw = |id: ExprId| self.name(id) == Some(raw);
        self.calls_beside(call.stmt()).any(|other| {
            let decodes = other.method() == Some("decode") && other.receiver().is_some_and(is_raw);
            let parses = other.name() == "loads" && other.positional(0).is_some_and(is_raw);
            other.span().start > call.span().start && (decodes || parses)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_at;

    #[track_caller]
    fn check(lines: &str, is_remote: bool) {
        let text = format!("class A:\n    async def f(self, user):\n        {lines}\n");
        let facts = facts_at("probe.py", &text, false);
        let call = facts.calls_named("get").next();
        let found = call.is_some_and(|call| facts.redis_call(&call).is_some());
        assert_eq!(found, is_remote, "{lines}");
    }

    #[test]
    fn a_name_space_and_an_answer_over_the_wire() {
        check("raw = await self._store.get(f'user:{user}')", true);
        check(
            "raw = self._client.get(f'user:{user}')\n        return raw.decode()",
            true,
        );
        check(
            "raw = self._client.get(user)\n        return json.loads(raw)",
            true,
        );
    }

    #[test]
    fn addresses_and_dicts_are_none() {
        check("raw = await self._client.get(f'https://{user}')", false);
        check("raw = self._names.get(f'user:{user}')", false);
        check(
            "raw = self._client.get(url)\n        return json.loads(raw)",
            false,
        );
    }
}
