//! What takes entries out of Redis again, and which keys it means.

use super::{Call, ExprId, Facts, Piece};
use rustc_hash::FxHashSet;

/// Commands that take entries away or let them expire; hardly anything else is called so, whatever the client is called.
const REMOVES: &[&str] = &[
    "delete",
    "unlink",
    "getdel",
    "hdel",
    "zrem",
    "srem",
    "lrem",
    "ltrim",
    "xtrim",
    "xdel",
    "lpop",
    "blpop",
    "brpop",
    "spop",
    "zpopmin",
    "zpopmax",
    "zremrangebyscore",
    "zremrangebyrank",
    "expire",
    "pexpire",
    "expireat",
];

impl Facts {
    /// What the keys of this file's removals are known by, as [`Facts::key_marks`] says it.
    pub(crate) fn removed_from_redis(&self) -> &FxHashSet<String> {
        self.found.removed_from_redis.get_or_init(|| {
            let called = REMOVES.iter().flat_map(|name| self.calls_named(name));
            let removals =
                called.filter(|call| call.receiver().is_some() && !call.is(&["os.unlink"]));
            let keys = removals.flat_map(|call: Call<'_>| call.args.iter().map(|arg| arg.value));
            keys.flat_map(|key| self.key_marks(key)).collect()
        })
    }

    /// What tells a family of keys from others: its constant, the text that it begins with, the function that makes it.
    pub(crate) fn key_marks(&self, key: ExprId) -> Vec<String> {
        let mut found = Vec::new();
        found.extend(self.self_attribute(key).map(str::to_owned));
        for value in self.values(key) {
            let begins = self.pieces(value).and_then(|pieces| match pieces.first() {
                Some(Piece::Text(text)) => Some(self.text(*text)),
                _ => None,
            });
            let begins = begins.map(|text| text.split(['{', '%']).next().unwrap_or(text));
            found.extend(begins.filter(|text| text.len() > 2).map(str::to_owned));
            for part in self.within(value) {
                let constant = self.is_constant_name(part).then(|| self.last_name(part));
                let maker = self.call(part).filter(|call| self.callee(call).is_some());
                let maker = maker.map(|call| call.name());
                found.extend(constant.flatten().or(maker).map(str::to_owned));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    fn removed(text: &str) -> Vec<String> {
        let facts = facts_of(text);
        let mut found: Vec<String> = facts.removed_from_redis().iter().cloned().collect();
        found.sort();
        found
    }

    #[test]
    fn a_removal_is_known_by_the_beginning_of_its_key_and_by_its_constant() {
        let text = "def f(r, n):\n    r.delete(f\"job:{n}\")\n    r.expire(KEY, 9)\n";
        assert_eq!(removed(text), ["KEY", "job:"]);
    }

    #[test]
    fn what_is_put_in_is_no_removal() {
        assert!(removed("def f(r, n):\n    r.set(f\"job:{n}\", 1)\n").is_empty());
    }
}
