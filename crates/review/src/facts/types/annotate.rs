//! What an annotation says.

use super::infer::Fuel;
use super::made_by::MADE_BY;
use super::{Kind, Type};
use crate::facts::Facts;
use crate::facts::hir::*;

/// Containers in annotations whose last parameter is what they hold.
const CONTAINERS: &[&str] = &[
    "List",
    "list",
    "Sequence",
    "Iterable",
    "Iterator",
    "Tuple",
    "tuple",
    "Set",
    "set",
    "Deque",
    "deque",
    "Dict",
    "dict",
    "DefaultDict",
    "defaultdict",
    "OrderedDict",
    "Mapping",
    "MutableMapping",
    "Collection",
    "FrozenSet",
    "WeakValueDictionary",
    "WeakKeyDictionary",
];

/// Generic wrappers that change nothing about what the object is.
const TRANSPARENT: &[&str] = &[
    "Optional",
    "Union",
    "Final",
    "ClassVar",
    "Annotated",
    "Awaitable",
];

impl Facts {
    /// The type that an annotation names: `Future`, `Optional[Lock]`, `"List[Future]"`, `Dict[str, Queue]`.
    pub(super) fn annotation_type(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let fuel = fuel.spend()?;
        match &self.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self.class_type(&self.resolved(id)?),
            ExprKind::Str(content) => self.class_type(self.text(*content).trim_end_matches(']')),
            ExprKind::Subscript { object, index } => {
                let name = self.last_name(*object)?;
                if matches!(name, "Tuple" | "tuple") && !self.is_uniform(index) {
                    return None;
                }
                if CONTAINERS.contains(&name) {
                    let held = index
                        .last()
                        .and_then(|&last| self.annotation_type(last, fuel));
                    return held
                        .map(Type::wrapped)
                        .or_else(|| self.class_type(&self.resolved(*object)?));
                }
                if TRANSPARENT.contains(&name) {
                    return index
                        .iter()
                        .find_map(|&inner| self.annotation_type(inner, fuel));
                }
                self.annotation_type(*object, fuel)
            }
            ExprKind::Binary { left, right, .. } => self
                .annotation_type(*left, fuel)
                .or_else(|| self.annotation_type(*right, fuel)),
            ExprKind::Tuple(items) | ExprKind::Other(items) => items
                .iter()
                .find_map(|&item| self.annotation_type(item, fuel)),
            _ => None,
        }
    }

    fn class_type(&self, resolved: &str) -> Option<Type> {
        let is_it = |name: &&str| {
            let is_class = name
                .rsplit('.')
                .next()
                .is_some_and(|last| last.starts_with(char::is_uppercase));
            (is_class || *name == "collections.deque") && self.means(resolved, name)
        };
        let found = MADE_BY.iter().find(|(_, names)| names.iter().any(is_it));
        let builtin = match resolved {
            "dict" | "Dict" | "typing.Dict" => Some(Kind::Dict),
            "list" | "List" | "typing.List" => Some(Kind::List),
            "set" | "Set" | "typing.Set" => Some(Kind::Set),
            "asyncio.AbstractEventLoop" => Some(Kind::EventLoop),
            "typing.Deque" | "Deque" => Some(Kind::Deque),
            "BinaryIO" | "IO" | "TextIO" => Some(Kind::File),
            _ => None,
        };
        found.map(|(kind, _)| *kind).or(builtin).map(Type::proven)
    }
}
