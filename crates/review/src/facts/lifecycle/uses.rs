//! What happens to an object through the name or field that holds it, and through the names it is given to.

use super::Holder;
use crate::facts::{Binding, ExprId, ExprKind, Facts, Kind, ScopeId, Span, StmtId, StmtKind};

/// One use of a held object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldUse {
    pub(crate) kind: HeldUseKind,
    pub(crate) stmt: StmtId,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeldUseKind {
    /// This call of one of its methods.
    Method(ExprId),
    /// This `x.method` is named, and given to a call if there is one.
    Bound(ExprId, Option<ExprId>),
    /// It is an argument of this call.
    Passed(ExprId),
    /// It is the context of a `with`.
    With,
    Returned,
    Yielded,
    /// It is assigned to this field, element or global name.
    Stored(ExprId),
    /// Tested, printed, compared.
    Read,
}

/// Calls that give the same thing.
const SAME: &[&str] = &["cast", "closing", "aclosing", "getattr"];

/// Calls that give a path in another shape, or one below it.
const PATH_SHAPES: &[&str] = &[
    "Path", "str", "fspath", "join", "abspath", "realpath", "joinpath",
];

/// Calls and methods that give what a container holds.
const ELEMENTS: &[&str] = &[
    "list",
    "tuple",
    "reversed",
    "sorted",
    "enumerate",
    "iter",
    "set",
    "values",
    "pop",
    "popleft",
    "popitem",
    "get",
    "items",
    "copy",
];

/// Methods whose result reads from the object while it is iterated.
const LAZY: &[&str] = &[
    "iter_content",
    "iter_lines",
    "iter_bytes",
    "iter_raw",
    "aiter_bytes",
    "aiter_lines",
    "aiter_raw",
    "aiter_text",
    "decode",
    "demux",
    "open",
    "extractfile",
];

/// Steps from name to name before we give up.
const FUEL: u32 = 4;

impl Facts {
    /// All uses of what a holder holds, in source order of its mentions.
    pub(crate) fn uses_of(&self, holder: &Holder) -> Vec<HeldUse> {
        let mut out = Vec::new();
        for mention in self.mentions_of(holder) {
            self.follow(mention, FUEL, &mut out);
        }
        out
    }

    /// Where a holder is named, its own assignments included.
    pub(crate) fn mentions_of(&self, holder: &Holder) -> Vec<ExprId> {
        match holder {
            Holder::Local { function, name } => self.name_mentions(*function, name),
            Holder::Global { name } => self.name_mentions(ScopeId(0), name),
            Holder::Attribute { class, name } => self.attribute_mentions(*class, name),
            Holder::ClassName { class, name } => {
                let mut all = self.attribute_mentions(Some(*class), name);
                all.extend(self.name_mentions(*class, name));
                all
            }
        }
    }

    fn name_mentions(&self, scope: ScopeId, name: &str) -> Vec<ExprId> {
        let bound = |bindings: &[Binding]| bindings.first().map(|binding| binding.span);
        let first = bound(self.bindings_of(scope, name));
        // A name that nothing shown binds can stand for the same anywhere.
        let place = first.map_or(ScopeId(0), |_| scope);
        let mut found: Vec<ExprId> = self
            .exprs_named_in(place, name)
            .filter(|&id| self.name(id).is_some() && bound(self.lookup(id)) == first)
            .collect();
        found.sort_unstable();
        found
    }

    /// `self.name` in the class and its relatives, and `other.name` anywhere.
    fn attribute_mentions(&self, class: Option<ScopeId>, name: &str) -> Vec<ExprId> {
        let mut found = self.field_mentions(class, name);
        found.extend(self.likely_aliases(name));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// In a fragment `loop_thread`, whose assignment is not shown, most likely is `self._loop_thread`.
    fn likely_aliases(&self, name: &str) -> impl Iterator<Item = ExprId> {
        self.exprs_named(name.trim_start_matches('_'))
            .filter(|_| !self.document.whole)
            .filter(|&id| self.name(id).is_some() && self.lookup(id).is_empty())
    }

    fn follow(&self, id: ExprId, fuel: u32, out: &mut Vec<HeldUse>) {
        let Some(fuel) = fuel.checked_sub(1) else {
            return;
        };
        let Some(parent) = self.expr(id).parent else {
            return self.follow_stmt(id, fuel, out);
        };
        let kind = match &self.expr(parent).kind {
            ExprKind::Attribute { object, name } if *object == id => {
                if self.text(*name) == "name" {
                    return self.follow(parent, fuel + 1, out);
                }
                return self.follow_attribute(parent, fuel, out);
            }
            ExprKind::Call { function, .. } if *function != id => {
                if self.keeps_meaning(id, *function) {
                    self.follow(parent, fuel + 1, out);
                }
                HeldUseKind::Passed(parent)
            }
            ExprKind::Subscript { object, .. } if *object == id && self.is_container(id) => {
                return self.follow(parent, fuel + 1, out);
            }
            ExprKind::Comprehension {
                clauses, elements, ..
            } => {
                let over = clauses
                    .iter()
                    .filter(|clause| clause.iter == id && self.is_container(id));
                for clause in over {
                    self.follow_target(clause.target, fuel, out);
                }
                if elements.contains(&id) {
                    return self.follow(parent, fuel, out);
                }
                HeldUseKind::Read
            }
            ExprKind::Walrus { target, value } if *value == id => {
                return self.follow_target(*target, fuel, out);
            }
            ExprKind::Yield => HeldUseKind::Yielded,
            ExprKind::Lambda { .. } => HeldUseKind::Returned,
            ExprKind::Conditional { test, .. } if *test == id => HeldUseKind::Read,
            ExprKind::Await(_)
            | ExprKind::Starred(_)
            | ExprKind::Conditional { .. }
            | ExprKind::Bool { .. }
            | ExprKind::Tuple(_)
            | ExprKind::List(_)
            | ExprKind::Set(_)
            | ExprKind::Dict(_)
            | ExprKind::Binary { .. } => return self.follow(parent, fuel + 1, out),
            _ => HeldUseKind::Read,
        };
        self.push(id, kind, out);
    }

    fn push(&self, id: ExprId, kind: HeldUseKind, out: &mut Vec<HeldUse>) {
        out.push(HeldUse {
            kind,
            stmt: self.expr(id).stmt,
            span: self.expr(id).span,
        });
    }

    /// `x.close()`, or `x.close` handed to somebody.
    fn follow_attribute(&self, attribute: ExprId, fuel: u32, out: &mut Vec<HeldUse>) {
        let up = self
            .expr(attribute)
            .parent
            .and_then(|parent| self.call(parent));
        let kind = match up {
            Some(call) if call.function == attribute => {
                if self.keeps_meaning(self.object_of(attribute), attribute) {
                    self.follow(call.id, fuel, out);
                } else if self
                    .last_name(attribute)
                    .is_some_and(|name| LAZY.contains(&name))
                {
                    self.follow_stream(call.id, fuel, out);
                }
                HeldUseKind::Method(call.id)
            }
            Some(call) => HeldUseKind::Bound(attribute, Some(call.id)),
            None => HeldUseKind::Bound(attribute, None),
        };
        self.push(attribute, kind, out);
    }

    /// What reads from the object as it goes keeps it open: whoever takes it over has the object.
    fn follow_stream(&self, id: ExprId, fuel: u32, out: &mut Vec<HeldUse>) {
        let mut of_stream = Vec::new();
        self.follow(id, fuel, &mut of_stream);
        let moves = |of: &HeldUse| match of.kind {
            HeldUseKind::Returned | HeldUseKind::Stored(_) => true,
            HeldUseKind::Passed(call) => self
                .call(call)
                .is_some_and(|call| call.name().starts_with(char::is_uppercase)),
            _ => false,
        };
        // Where the stream is stored, the object is kept, but under no name of its own.
        out.extend(of_stream.into_iter().filter(moves).map(|of| HeldUse {
            kind: HeldUseKind::Returned,
            ..of
        }));
    }

    fn object_of(&self, attribute: ExprId) -> ExprId {
        self.attribute(attribute)
            .map_or(attribute, |(object, _)| object)
    }

    /// Whether the result of calling `function` on or with an object still means the object or one of its elements.
    fn keeps_meaning(&self, id: ExprId, function: ExprId) -> bool {
        let name = self.last_name(function).unwrap_or("");
        let is_path = || matches!(self.kind_of(id), None | Some(Kind::Path));
        SAME.contains(&name)
            || (PATH_SHAPES.contains(&name) && is_path())
            || (ELEMENTS.contains(&name) && self.is_container(id))
    }

    /// Whether iterating over the expression gives the objects, rather than what one of them yields.
    fn is_container(&self, id: ExprId) -> bool {
        let display = matches!(
            self.expr(id).kind,
            ExprKind::Tuple(_) | ExprKind::List(_) | ExprKind::Set(_) | ExprKind::Dict(_)
        );
        let holds = |kind| matches!(kind, Kind::Dict | Kind::List | Kind::Set | Kind::Deque);
        let given = self.call(id).filter(|call| ELEMENTS.contains(&call.name()));
        let of_container = given.is_some_and(|call| {
            let inner = call.receiver().or_else(|| call.positional(0));
            inner.is_some_and(|inner| self.is_container(inner))
        });
        display
            || of_container
            || self
                .type_of(id)
                .is_some_and(|found| found.depth > 0 || holds(found.kind))
    }

    fn follow_stmt(&self, id: ExprId, fuel: u32, out: &mut Vec<HeldUse>) {
        let stmt = self.expr(id).stmt;
        let kind = match &self.stmt(stmt).kind {
            StmtKind::With { items, .. } if items.iter().any(|item| item.context == id) => {
                if let Some(target) = items
                    .iter()
                    .find(|item| item.context == id)
                    .and_then(|item| item.target)
                {
                    self.follow_target(target, fuel, out);
                }
                HeldUseKind::With
            }
            StmtKind::Return(_) => HeldUseKind::Returned,
            StmtKind::For { target, iter, .. } if *iter == id => {
                if self.is_container(id) {
                    self.follow_target(*target, fuel, out);
                }
                HeldUseKind::Read
            }
            StmtKind::Assign {
                targets,
                value: Some(value),
                ..
            } if *value == id => {
                for &target in targets {
                    self.follow_target(target, fuel, out);
                }
                return;
            }
            StmtKind::Assign { targets, .. } if targets.contains(&id) => return,
            _ => HeldUseKind::Read,
        };
        self.push(id, kind, out);
    }

    /// What happens to a name that now means the object, or the field that it goes into.
    fn follow_target(&self, target: ExprId, fuel: u32, out: &mut Vec<HeldUse>) {
        match &self.expr(target).kind {
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                for &item in items {
                    if self.name(item).is_some() {
                        self.follow_target(item, fuel, out);
                    }
                }
            }
            ExprKind::Name => self.follow_name(target, fuel, out),
            _ => {
                self.push(target, HeldUseKind::Stored(target), out);
                self.follow_field(target, fuel, out);
            }
        }
    }

    /// `self.path = self._file.name`: the other field means it too.
    fn follow_field(&self, target: ExprId, fuel: u32, out: &mut Vec<HeldUse>) {
        let Some(holder @ Holder::Attribute { .. }) = self.holder_of(target) else {
            return;
        };
        for mention in self.mentions_of(&holder) {
            if mention != target {
                self.follow(mention, fuel, out);
            }
        }
    }

    fn follow_name(&self, target: ExprId, fuel: u32, out: &mut Vec<HeldUse>) {
        let from = self.expr(target).span.end;
        match self.holder_of(target) {
            Some(Holder::Global { .. }) => self.push(target, HeldUseKind::Stored(target), out),
            Some(holder) => {
                for mention in self.mentions_of(&holder) {
                    if self.expr(mention).span.start > from {
                        self.follow(mention, fuel, out);
                    }
                }
            }
            None => {}
        }
    }
}
