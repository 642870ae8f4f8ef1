//! A path followed through calls, loops and look-ups.

use super::walk::{DEPTH, Walk, either};
use super::words::{KEEPING, OWN_MAKERS, PASSING};
use super::{CacheProof, Leads};
use crate::facts::calls::Call;
use crate::facts::types::Kind;
use crate::facts::{ExprId, ExprKind};

impl Walk<'_> {
    /// An element of what a loop goes over.
    pub(super) fn element(&self, iter: ExprId, index: Option<u32>, depth: u32) -> Leads {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.step()) else {
            return Leads::Unknown;
        };
        let facts = self.facts;
        match &facts.expr(iter).kind {
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => items
                .iter()
                .map(|&item| self.leads(item, depth))
                .fold(Leads::Unknown, either),
            ExprKind::Comprehension { elements, .. } => elements
                .first()
                .map_or(Leads::Unknown, |&first| self.leads(first, depth)),
            ExprKind::Call { .. } => match facts.call(iter) {
                Some(call) => self.called_element(&call, index, depth),
                None => Leads::Unknown,
            },
            ExprKind::Name | ExprKind::Attribute { .. } => {
                let values = facts.values(iter);
                let flow = values
                    .into_iter()
                    .filter(|&value| value != iter)
                    .map(|value| self.element(value, index, depth))
                    .chain([self.put_in(iter, index, depth)])
                    .fold(Leads::Unknown, either);
                match (flow, facts.last_name(iter)) {
                    (Leads::Unknown, Some(name)) => self.says(name),
                    _ => flow,
                }
            }
            _ => Leads::Unknown,
        }
    }

    /// What `jobs.append((source, path))` put into the list that a loop takes apart again.
    fn put_in(&self, container: ExprId, index: Option<u32>, depth: u32) -> Leads {
        let facts = self.facts;
        let name = facts.dotted(container).unwrap_or_default();
        let scope = facts.expr(container).scope;
        let part = |value: ExprId| match index {
            Some(n) => facts.item(value, n),
            None => Some(value),
        };
        facts
            .fills_of(&name)
            .iter()
            .filter(|fill| facts.canonical(fill.scope) == facts.canonical(scope))
            .filter_map(|fill| part(fill.value))
            .map(|value| self.leads(value, depth))
            .fold(Leads::Unknown, either)
    }

    pub(super) fn called_element(&self, call: &Call<'_>, index: Option<u32>, depth: u32) -> Leads {
        let first = call.positional(0);
        let walks = call.is(&["os.walk"]);
        if call.is(&["os.scandir", "glob.glob", "glob.iglob"]) || (walks && index == Some(0)) {
            return first.map_or(Leads::Unknown, |path| self.leads(path, depth));
        }
        if matches!(call.method(), Some("iterdir" | "glob" | "rglob")) {
            return call
                .receiver()
                .map_or(Leads::Unknown, |path| self.leads(path, depth));
        }
        if matches!(
            call.callee(),
            "sorted" | "list" | "set" | "tuple" | "reversed" | "enumerate" | "iter"
        ) {
            return first.map_or(Leads::Unknown, |inner| self.element(inner, index, depth));
        }
        self.over_returns(call, |there, value| there.element(value, index, depth))
    }

    /// A question to each value that the called function returns, in the file of the diff that defines it.
    fn over_returns(&self, call: &Call<'_>, ask: impl Fn(&Walk<'_>, ExprId) -> Leads) -> Leads {
        let Some((facts, function)) = self.facts.callee(call) else {
            return Leads::Unknown;
        };
        let there = self.within(facts);
        facts
            .returns_of(function)
            .map(|value| ask(&there, value))
            .fold(Leads::Unknown, either)
    }

    pub(super) fn called(&self, id: ExprId, depth: u32) -> Leads {
        let facts = self.facts;
        let Some(call) = facts.call(id) else {
            return Leads::Unknown;
        };
        if call.is(OWN_MAKERS) {
            return Leads::Own;
        }
        if self.profile.cache.is_path_call(call.callee()) {
            return Leads::Cache(CacheProof::Flows);
        }
        if call.is(&["io.BytesIO", "io.StringIO", "BytesIO", "StringIO"])
            || facts.constructs(&call) == Some(Kind::File)
        {
            return Leads::Handle;
        }
        if call.is(&["os.getenv", "os.environ.get"]) {
            return self.setting(call.positional(0), call.positional(1), depth);
        }
        if facts.pieces(id).is_some() {
            return self.composed(id, depth);
        }
        if call.is(PASSING) {
            return call
                .positional(0)
                .map_or(Leads::Unknown, |inner| self.leads(inner, depth));
        }
        self.returned(&call, depth)
    }

    /// What the function returns, what a method keeps, and what the callee's name says.
    pub(super) fn returned(&self, call: &Call<'_>, depth: u32) -> Leads {
        let kept = call
            .method()
            .filter(|method| KEEPING.contains(method))
            .and_then(|_| call.receiver())
            .map_or(Leads::Unknown, |receiver| self.leads(receiver, depth));
        let kept = match kept {
            Leads::Unknown => self.replaced_root(call, depth),
            known => known,
        };
        let name = call
            .positional(0)
            .filter(|_| matches!(call.method(), Some("with_name" | "with_suffix")));
        let kept = name.map_or(kept, |name| self.renamed(kept, name));
        let by_body = self.over_returns(call, |there, value| {
            there.leads(value, depth.min(DEPTH / 2))
        });
        match either(kept, by_body) {
            Leads::Unknown if self.profile.cache.says_path(call.name()) => {
                Leads::Cache(CacheProof::Says)
            }
            known => known,
        }
    }

    /// `source.replace(remote_root, cache_dir)`: the path goes where its new root is.
    fn replaced_root(&self, call: &Call<'_>, depth: u32) -> Leads {
        let root = call
            .positional(1)
            .filter(|_| call.method() == Some("replace"));
        match root.map(|root| self.leads(root, depth)) {
            Some(leads @ Leads::Cache(_)) => leads,
            _ => Leads::Unknown,
        }
    }

    /// `os.environ["X_CACHE_DIR"]`, `settings["cache_dir"]`, `self._paths[key]`.
    pub(super) fn subscript(&self, object: ExprId, index: &[ExprId], depth: u32) -> Leads {
        let by_key = self.setting(index.first().copied(), None, depth);
        match by_key {
            Leads::Unknown => match self.facts.attribute(object) {
                Some((_, "parents")) => self.leads(object, depth),
                _ => self
                    .facts
                    .last_name(object)
                    .map_or(Leads::Unknown, |name| self.says(name)),
            },
            known => known,
        }
    }

    pub(super) fn setting(
        &self,
        key: Option<ExprId>,
        default: Option<ExprId>,
        depth: u32,
    ) -> Leads {
        let name = key.and_then(|key| self.facts.string(key)).unwrap_or("");
        if self.profile.cache.is_root(name) {
            Leads::Cache(CacheProof::Flows)
        } else if self.profile.cache.says_path(name) {
            Leads::Cache(CacheProof::Says)
        } else {
            default.map_or(Leads::Unknown, |default| self.leads(default, depth))
        }
    }
}
