//! A value followed to where it comes from.

use super::{KeyPart, Loss, Source};
use crate::facts::bindings::BindingKind;
use crate::facts::calls::Call;
use crate::facts::composition::Piece;
use crate::facts::types::Kind;
use crate::facts::{ExprId, ExprKind, Facts, StringPart};
use std::cell::Cell;
use topic::Profile;

pub(super) const STEPS: u32 = 300;
pub(super) const DEPTH: u32 = 10;

/// One question, followed to its end.
pub(super) struct Walk<'a> {
    pub(super) facts: &'a Facts,
    pub(super) profile: &'a Profile,
    pub(super) steps: &'a Cell<u32>,
}

impl Walk<'_> {
    pub(super) fn part(&self, id: ExprId, depth: u32) -> KeyPart {
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
            ExprKind::Conditional { test, body, orelse } => {
                let (one, other) = (self.part(*body, depth), self.part(*orelse, depth));
                match self.facts.expr_text(*test).contains("len(") {
                    true => one.or_of_few(other),
                    false => one.or(other),
                }
            }
            ExprKind::Bool { left, right } => self.part(*left, depth).or(self.part(*right, depth)),
            ExprKind::Await(inner) | ExprKind::Starred(inner) => self.part(*inner, depth),
            ExprKind::Walrus { value, .. } => self.part(*value, depth),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                self.all(items.iter().copied(), depth)
            }
            ExprKind::Comprehension { elements, .. } => self.all(elements.iter().copied(), depth),
            _ => KeyPart::of(Source::Unknown),
        }
    }

    /// The same question in another file. Places that it names stand there.
    pub(super) fn within<'b>(&'b self, facts: &'b Facts) -> Walk<'b> {
        Walk { facts, ..*self }
    }

    pub(super) fn all(&self, items: impl Iterator<Item = ExprId>, depth: u32) -> KeyPart {
        items
            .map(|item| self.part(item, depth))
            .fold(KeyPart::of(Source::Constant), KeyPart::and)
    }

    pub(super) fn named(&self, id: ExprId, depth: u32) -> KeyPart {
        let facts = self.facts;
        if facts.is_constant_name(id) || facts.is_class_constant(id) {
            return KeyPart::of(Source::Constant);
        }
        if facts.is_of_enum(id) {
            return KeyPart::of(Source::Safe);
        }
        if let Some(part) = self.declared(id, depth) {
            return part;
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
        if self.is_of_registry(id) {
            return KeyPart::of(Source::Constant);
        }
        let part = self.flowing(id, depth);
        let raw_here = matches!(part.source, Source::Raw(_));
        let name = facts.dotted(id).unwrap_or_default();
        if raw_here && facts.is_validated(&name, facts.expr(id).stmt, self.profile) {
            return part.checked();
        }
        part
    }

    /// `entry.file_name`, where `entry` is looked up in a constant: one of what the module lists.
    fn is_of_registry(&self, id: ExprId) -> bool {
        let facts = self.facts;
        let Some((object, _)) = facts.attribute(id) else {
            return false;
        };
        let is_listed = |value: ExprId| match &facts.expr(value).kind {
            ExprKind::Subscript { object, .. } => facts.is_constant_name(*object),
            _ => facts.call(value).is_some_and(|call| {
                let of_constant = call
                    .receiver()
                    .is_some_and(|from| facts.is_constant_name(from));
                call.method() == Some("get") && of_constant
            }),
        };
        let values = facts.values(object);
        let looped = facts
            .bindings_behind(object)
            .into_iter()
            .any(|binding| match binding.kind {
                BindingKind::Loop { iter, .. } => self.lists_constants(iter),
                _ => false,
            });
        looped || (!values.is_empty() && values.into_iter().all(is_listed))
    }

    /// A constant by its name, or what its `values()` or `items()` are.
    fn lists_constants(&self, iter: ExprId) -> bool {
        let facts = self.facts;
        let of_constant = |call: Call<'_>| {
            matches!(call.method(), Some("values" | "items" | "keys"))
                && call
                    .receiver()
                    .is_some_and(|from| facts.is_constant_name(from))
        };
        facts.is_constant_name(iter) || facts.call(iter).is_some_and(of_constant)
    }

    /// What the name was given; where the flow ends, its words speak.
    pub(super) fn flowing(&self, id: ExprId, depth: u32) -> KeyPart {
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

    pub(super) fn by_name(&self, id: ExprId) -> KeyPart {
        let facts = self.facts;
        let is_raw = facts
            .last_name(id)
            .is_some_and(|name| self.says_raw(name) && !facts.is_end_of_link(id));
        KeyPart::of(if is_raw {
            Source::Raw(id)
        } else {
            Source::Unknown
        })
    }

    /// A name of an outside value that is not already said to be safe: `safe_model_id`, `dataset_hash`.
    pub(super) fn says_raw(&self, name: &str) -> bool {
        let made_safe = topic::has_word(
            name,
            "safe hash hashed digest slug key path dir sanitized sanitised count \
             index suffix prefix template",
        );
        !made_safe && self.profile.keys.says_raw(name)
    }

    pub(super) fn parameter(&self, id: ExprId, depth: u32) -> KeyPart {
        let facts = self.facts;
        let Some((function, param)) = facts.parameter(id) else {
            return KeyPart::of(Source::Unknown);
        };
        let harmless = param
            .annotation
            .is_some_and(|annotation| self.is_harmless(annotation));
        if harmless {
            return KeyPart::of(Source::Safe);
        }
        let named = self.by_name(id);
        let by_heirs = facts.calls_by_heirs(function).map(|call| (facts, call));
        let passed: Vec<KeyPart> = facts
            .callers(function)
            .into_iter()
            .chain(by_heirs)
            .filter_map(|(home, call)| {
                let value = facts.argument_for(&call, function, facts.text(param.name))?;
                Some(self.within(home).part(value, depth.min(DEPTH / 2)))
            })
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
    pub(super) fn looped(&self, id: ExprId, iter: ExprId) -> KeyPart {
        let listed = self.facts.call(iter).is_some_and(|call| {
            call.is(&["os.listdir", "os.scandir", "os.walk", "range", "enumerate"])
                || matches!(call.method(), Some("iterdir" | "glob" | "rglob"))
        });
        let constants = self.lists_constants(iter)
            || self.facts.values(iter).into_iter().any(|value| {
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

    pub(super) fn composed(&self, id: ExprId, depth: u32) -> KeyPart {
        match self.facts.pieces(id) {
            Some(pieces) => pieces
                .into_iter()
                .filter_map(|piece| match piece {
                    Piece::Value(value) if value != id => {
                        Some(self.formatted(value, self.part(value, depth)))
                    }
                    _ => None,
                })
                .fold(KeyPart::of(Source::Constant), KeyPart::and),
            None => match &self.facts.expr(id).kind {
                ExprKind::FString(parts) => parts
                    .iter()
                    .filter_map(|part| match part {
                        StringPart::Value(value) => {
                            Some(self.formatted(*value, self.part(*value, depth)))
                        }
                        StringPart::Text(_) => None,
                    })
                    .fold(KeyPart::of(Source::Constant), KeyPart::and),
                _ => KeyPart::of(Source::Unknown),
            },
        }
    }
}
