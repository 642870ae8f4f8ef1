//! A path followed through names, bindings and compositions.

use super::words::{ELSEWHERE_WORDS, OWN_MAKERS, is_temp_suffix, literal, says_own};
use super::{CacheProof, Leads};
use crate::facts::bindings::{Binding, BindingKind};
use crate::facts::calls::Call;
use crate::facts::composition::Piece;
use crate::facts::types::Kind;
use crate::facts::{ExprId, ExprKind, Facts};
use std::cell::Cell;
use topic::Profile;

/// Steps of following, over all branches together.
pub(super) const STEPS: u32 = 400;
/// Steps of following in one line.
pub(super) const DEPTH: u32 = 14;
/// One question, followed to its end.
pub(super) struct Walk<'a> {
    pub(super) facts: &'a Facts,
    pub(super) profile: &'a Profile,
    pub(super) steps: &'a Cell<u32>,
}

impl Walk<'_> {
    pub(super) fn leads(&self, id: ExprId, depth: u32) -> Leads {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.step()) else {
            return Leads::Unknown;
        };
        match &self.facts.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self.named(id, depth),
            ExprKind::Str(content) => literal(self.facts.text(*content)),
            ExprKind::FString(_) | ExprKind::Binary { .. } => self.composed(id, depth),
            ExprKind::Call { .. } => self.called(id, depth),
            ExprKind::Subscript { object, index } => self.subscript(*object, index, depth),
            ExprKind::Conditional { body, orelse, .. } => {
                either(self.leads(*body, depth), self.leads(*orelse, depth))
            }
            ExprKind::Bool { left, right } => {
                either(self.leads(*left, depth), self.leads(*right, depth))
            }
            ExprKind::Walrus { value, .. } => self.leads(*value, depth),
            ExprKind::Await(inner) | ExprKind::Starred(inner) => self.leads(*inner, depth),
            _ => Leads::Unknown,
        }
    }

    pub(super) fn step(&self) -> bool {
        let left = self.steps.get().checked_sub(1);
        self.steps.set(left.unwrap_or(0));
        left.is_some()
    }

    /// A name or attribute: a root, what it was given, or what its own words say.
    pub(super) fn named(&self, id: ExprId, depth: u32) -> Leads {
        let facts = self.facts;
        let is_root = facts
            .resolved(id)
            .is_some_and(|name| self.profile.cache.is_root(&name));
        if is_root {
            return Leads::Cache(CacheProof::Flows);
        }
        let flow = match self.bound(id, depth) {
            Leads::Unknown => self.imported(id, depth),
            known => known,
        };
        if flow != Leads::Unknown {
            return flow;
        }
        if facts.is_artifact_of_command(id) {
            return Leads::Elsewhere;
        }
        if let Some((object, name)) = facts.attribute(id) {
            let keeps = matches!(name, "parent" | "path" | "name" | "parents");
            let of_object = self.leads(object, depth);
            if keeps && of_object != Leads::Unknown {
                return of_object;
            }
            if name == "name" && of_object == Leads::Own {
                return Leads::Own;
            }
        }
        facts
            .last_name(id)
            .map_or(Leads::Unknown, |name| self.says(name))
    }

    pub(super) fn says(&self, name: &str) -> Leads {
        let is_elsewhere = || topic::words(name).any(|word| ELSEWHERE_WORDS.contains(&&*word));
        if says_own(name) {
            Leads::Own
        } else if self.profile.cache.says_path(name) {
            Leads::Cache(CacheProof::Says)
        } else if is_elsewhere() {
            Leads::Elsewhere
        } else {
            Leads::Unknown
        }
    }

    pub(super) fn bound(&self, id: ExprId, depth: u32) -> Leads {
        let bindings = self.facts.bindings_behind(id);
        bindings
            .into_iter()
            .map(|binding| self.binding(id, binding, depth))
            .fold(Leads::Unknown, either)
    }

    /// What another file of the diff gives the name.
    fn imported(&self, id: ExprId, depth: u32) -> Leads {
        let Some(imported) = self.facts.imported(id) else {
            return Leads::Unknown;
        };
        let there = self.within(imported.facts);
        imported
            .values()
            .map(|value| there.leads(value, depth))
            .fold(Leads::Unknown, either)
    }

    /// The same question in another file.
    pub(super) fn within<'b>(&'b self, facts: &'b Facts) -> Walk<'b> {
        Walk { facts, ..*self }
    }

    pub(super) fn binding(&self, id: ExprId, binding: &Binding, depth: u32) -> Leads {
        match binding.kind {
            BindingKind::Value { value, index: None } => self.leads(value, depth),
            BindingKind::Value {
                value,
                index: Some(n),
            } => self.unpacked(value, n, depth),
            BindingKind::Loop { iter, index } => self.element(iter, index, depth),
            BindingKind::With(context) => self.entered(context),
            BindingKind::Parameter(_) => self.parameter(id, depth),
            _ => Leads::Unknown,
        }
    }

    /// `fd, path = mkstemp()`, `head, tail = os.path.split(path)`, `a, b = x, y`.
    pub(super) fn unpacked(&self, value: ExprId, n: u32, depth: u32) -> Leads {
        if let Some(item) = self.facts.item(value, n) {
            return self.leads(item, depth);
        }
        match self.facts.call(value) {
            Some(call) if call.is(&["tempfile.mkstemp"]) && n == 1 => Leads::Own,
            Some(call) if call.is(&["os.path.split", "os.path.splitext"]) && n == 0 => call
                .positional(0)
                .map_or(Leads::Unknown, |path| self.leads(path, depth)),
            _ => Leads::Unknown,
        }
    }

    /// What `with context as path` hands out.
    pub(super) fn entered(&self, context: ExprId) -> Leads {
        let Some(call) = self.facts.call(context) else {
            return Leads::Unknown;
        };
        let is_own = call.is(OWN_MAKERS) || self.profile.cache.is_atomic_writer(call.callee());
        let says = says_own(call.name()) || topic::says(call.name(), "atomic");
        if is_own || says {
            Leads::Own
        } else if self.facts.constructs(&call) == Some(Kind::File) {
            Leads::Handle
        } else {
            Leads::Unknown
        }
    }

    /// A parameter: what shown callers pass, its default, its name.
    pub(super) fn parameter(&self, id: ExprId, depth: u32) -> Leads {
        let facts = self.facts;
        let Some((function, param)) = facts.parameter(id) else {
            return Leads::Unknown;
        };
        let name = facts.text(param.name);
        let given = |home: &Facts, call: &Call<'_>| {
            let value = facts.argument_for(call, function, name)?;
            Some(self.within(home).leads(value, depth.min(DEPTH / 2)))
        };
        let mut passed: Vec<Leads> = facts
            .calls_to(function)
            .filter_map(|call| given(facts, &call))
            .collect();
        let handed = facts.arguments_handed(function, name).into_iter();
        passed.extend(handed.map(|value| self.leads(value, depth.min(DEPTH / 2))));
        if let Some(proof) = passed.iter().find(|leads| matches!(leads, Leads::Cache(_))) {
            return *proof;
        }
        // A helper that other files give this and that is no cache's: there all must agree.
        let afar = facts.calls_from_afar(function);
        passed.extend(afar.iter().filter_map(|(home, call)| given(home, call)));
        if let Some(&first) = passed.first()
            && passed.iter().all(|&leads| leads == first)
        {
            return first;
        }
        match param.default {
            Some(default) => self.leads(default, depth),
            None => Leads::Unknown,
        }
    }

    pub(super) fn composed(&self, id: ExprId, depth: u32) -> Leads {
        let Some(pieces) = self.facts.pieces(id) else {
            return Leads::Unknown;
        };
        let is_own = pieces.iter().skip(1).any(|piece| self.piece_is_own(*piece));
        if is_own {
            return Leads::Own;
        }
        let root = match pieces.first() {
            Some(Piece::Value(value)) if *value != id => self.leads(*value, depth),
            Some(Piece::Text(text)) => literal(self.facts.text(*text)),
            _ => Leads::Unknown,
        };
        match root {
            Leads::Cache(_) | Leads::Unknown if self.is_staged(&pieces) => Leads::Staged,
            _ => root,
        }
    }

    fn is_staged(&self, pieces: &[Piece]) -> bool {
        pieces.last().is_some_and(|piece| match piece {
            Piece::Text(text) => is_temp_suffix(self.facts.text(*text)),
            Piece::Value(value) => self.facts.string(*value).is_some_and(is_temp_suffix),
        })
    }

    /// A sibling of a path by the name that it gets: `path.with_name(f"{path.name}.part")`.
    pub(super) fn renamed(&self, root: Leads, name: ExprId) -> Leads {
        let pieces = self.facts.pieces(name);
        let pieces = pieces.unwrap_or_else(|| vec![Piece::Value(name)]);
        match root {
            _ if pieces.iter().any(|piece| self.piece_is_own(*piece)) => Leads::Own,
            Leads::Cache(_) if self.is_staged(&pieces) => Leads::Staged,
            _ => root,
        }
    }

    pub(super) fn piece_is_own(&self, piece: Piece) -> bool {
        match piece {
            Piece::Text(_) => false,
            Piece::Value(value) => {
                // `part` of a path is a part of it, and no word of a temp name.
                let names_own = self
                    .facts
                    .last_name(value)
                    .is_some_and(|name| topic::has_word(name, "tmp temp random nonce"));
                names_own || self.facts.is_unique(value)
            }
        }
    }
}

/// Of two possible flows the one to believe: what is surely harmless first, then the cache.
pub(super) fn either(a: Leads, b: Leads) -> Leads {
    let rank = |leads: Leads| match leads {
        Leads::Own => 0,
        Leads::Handle => 1,
        Leads::Staged => 2,
        Leads::Cache(proof) => 3 + proof as u8,
        Leads::Elsewhere => 8,
        Leads::Unknown => 9,
    };
    if rank(b) < rank(a) { b } else { a }
}
