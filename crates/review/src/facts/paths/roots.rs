//! Where a path starts: the names on its way back, the literals at its end, and the listing that found it.

use super::words::{KEEPING, PASSING};
use crate::facts::bindings::{Binding, BindingKind};
use crate::facts::calls::Call;
use crate::facts::composition::Piece;
use crate::facts::{ExprId, ExprKind, Facts};

/// Steps of following in one line.
const DEPTH: u32 = 12;
/// Names and literals over all lines together.
const MOST: usize = 40;

/// The way of a path back to where it starts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roots<'f> {
    /// The objects on its way, the nearest first.
    pub(crate) starts: Vec<Start<'f>>,
    /// The literals in which it ends.
    pub(crate) texts: Vec<&'f str>,
    /// The call that lists a folder, where the path is one of its entries.
    pub(crate) listed: Option<ExprId>,
}

/// A name that a path rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start<'f> {
    /// Equal for two expressions that mean one object.
    pub(crate) key: String,
    /// The last word of the name as it is written.
    pub(crate) name: &'f str,
    /// What is put behind it, where that is a literal.
    pub(crate) below: Option<&'f str>,
}

impl Facts {
    /// Where a path starts, followed through names, fields, parameters, compositions, listings and functions of this file.
    pub(crate) fn roots(&self, path: ExprId) -> Roots<'_> {
        let mut roots = Roots::default();
        self.trace(path, None, DEPTH, &mut roots);
        roots
    }

    fn trace<'f>(&'f self, id: ExprId, below: Option<&'f str>, depth: u32, out: &mut Roots<'f>) {
        let Some(depth) = depth.checked_sub(1).filter(|_| out.starts.len() < MOST) else {
            return;
        };
        match &self.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self.trace_name(id, below, depth, out),
            ExprKind::Str(text) => out.texts.push(self.text(*text)),
            ExprKind::FString(_) | ExprKind::Binary { .. } => {
                self.trace_pieces(id, depth, out);
            }
            ExprKind::Call { .. } => self.trace_call(id, depth, out),
            ExprKind::Subscript { object, .. } => self.trace(*object, None, depth, out),
            ExprKind::Conditional { body, orelse, .. } => {
                self.trace(*body, below, depth, out);
                self.trace(*orelse, below, depth, out);
            }
            ExprKind::Bool { left, right } => {
                self.trace(*left, below, depth, out);
                self.trace(*right, below, depth, out);
            }
            ExprKind::Walrus { value, .. } => self.trace(*value, below, depth, out),
            ExprKind::Await(inner) | ExprKind::Starred(inner) => {
                self.trace(*inner, below, depth, out);
            }
            _ => {}
        }
    }

    fn trace_name<'f>(
        &'f self,
        id: ExprId,
        below: Option<&'f str>,
        depth: u32,
        out: &mut Roots<'f>,
    ) {
        if let Some((object, "parent" | "path" | "name" | "stem" | "parents")) = self.attribute(id)
            && self.self_attribute(id).is_none()
        {
            return self.trace(object, None, depth, out);
        }
        let key = self.object_key(id);
        let name = self.last_name(id).unwrap_or("");
        let is_known = out.starts.iter().any(|start| start.key == key);
        out.starts.push(Start { key, name, below });
        if is_known {
            return;
        }
        for binding in self.bindings_behind(id) {
            self.trace_binding(id, binding, below, depth, out);
        }
    }

    fn trace_binding<'f>(
        &'f self,
        id: ExprId,
        binding: &Binding,
        below: Option<&'f str>,
        depth: u32,
        out: &mut Roots<'f>,
    ) {
        match binding.kind {
            BindingKind::Value { value, index: None } => self.trace(value, below, depth, out),
            BindingKind::Value {
                value,
                index: Some(n),
            } => {
                if let Some(item) = self.item(value, n) {
                    self.trace(item, below, depth, out);
                }
            }
            BindingKind::Loop { iter, .. } => self.trace_element(iter, depth, out),
            BindingKind::Parameter(_) => self.trace_parameter(id, below, depth, out),
            _ => {}
        }
    }

    /// What shown callers give, or the default.
    fn trace_parameter<'f>(
        &'f self,
        id: ExprId,
        below: Option<&'f str>,
        depth: u32,
        out: &mut Roots<'f>,
    ) {
        let Some((function, param)) = self.parameter(id) else {
            return;
        };
        let name = self.text(param.name);
        let calls = self.calls_to(function);
        let given = calls.filter_map(|call| self.argument_for(&call, function, name));
        let handed = self.arguments_handed(function, name);
        for value in given.chain(handed).chain(param.default) {
            self.trace(value, below, depth, out);
        }
    }

    fn trace_pieces<'f>(&'f self, id: ExprId, depth: u32, out: &mut Roots<'f>) -> bool {
        let Some(pieces) = self.pieces(id) else {
            return false;
        };
        let below = match pieces.get(1) {
            Some(Piece::Text(text)) => Some(self.text(*text)),
            _ => None,
        };
        match pieces.first() {
            Some(Piece::Value(root)) if *root != id => self.trace(*root, below, depth, out),
            Some(Piece::Text(text)) => out.texts.push(self.text(*text)),
            _ => {}
        }
        let listed = pieces.iter().skip(1).find_map(|piece| match piece {
            Piece::Value(name) => self.listing_of_name(*name),
            Piece::Text(_) => None,
        });
        out.listed = out.listed.or(listed);
        true
    }

    /// The listing that a loop takes a name from: `for name in os.listdir(folder)`.
    fn listing_of_name(&self, name: ExprId) -> Option<ExprId> {
        let bindings = self.bindings_behind(name).into_iter();
        let iters = bindings.filter_map(|binding| match binding.kind {
            BindingKind::Loop { iter, .. } => Some(iter),
            _ => None,
        });
        iters.flat_map(|iter| self.within(iter)).find(|&inner| {
            let call = self.call(inner);
            call.is_some_and(|call| self.listed_folder(&call).is_some())
        })
    }

    fn trace_call<'f>(&'f self, id: ExprId, depth: u32, out: &mut Roots<'f>) {
        let Some(call) = self.call(id) else {
            return;
        };
        if self.trace_pieces(id, depth, out) {
            return;
        }
        if call.is(PASSING) || self.constructs(&call).is_some_and(|kind| kind.is_lock()) {
            if let Some(inner) = call.positional(0) {
                self.trace(inner, None, depth, out);
            }
            return;
        }
        if call.is(&["os.getenv", "os.environ.get"]) {
            let key = call.positional(0).and_then(|key| self.string(key));
            out.starts.extend(key.map(|name| Start {
                key: name.to_string(),
                name,
                below: None,
            }));
            if let Some(default) = call.positional(1) {
                self.trace(default, None, depth, out);
            }
            return;
        }
        let keeps = call.method().is_some_and(|name| KEEPING.contains(&name));
        if let Some(receiver) = call.receiver().filter(|_| keeps) {
            return self.trace(receiver, None, depth, out);
        }
        if let Some(function) = self.callee_scope(&call) {
            for value in self.returns_of(function) {
                self.trace(value, None, depth, out);
            }
        }
    }

    /// An element of what a loop goes over.
    fn trace_element<'f>(&'f self, iter: ExprId, depth: u32, out: &mut Roots<'f>) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        match &self.expr(iter).kind {
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => {
                for &item in items {
                    self.trace(item, None, depth, out);
                }
            }
            ExprKind::Comprehension { elements, .. } => {
                if let Some(&first) = elements.first() {
                    self.trace(first, None, depth, out);
                }
            }
            ExprKind::Subscript { object, .. } => self.trace_element(*object, depth, out),
            ExprKind::Call { .. } => {
                if let Some(call) = self.call(iter) {
                    self.trace_listing(&call, depth, out);
                }
            }
            ExprKind::Name | ExprKind::Attribute { .. } => {
                for value in self.values(iter).into_iter().filter(|&value| value != iter) {
                    self.trace_element(value, depth, out);
                }
                let name = self.dotted(iter).unwrap_or_default();
                for fill in self.fills_of(&name) {
                    if self.canonical(fill.scope) == self.canonical(self.expr(iter).scope) {
                        self.trace(fill.value, None, depth, out);
                    }
                }
            }
            _ => {}
        }
    }

    fn trace_listing<'f>(&'f self, call: &Call<'f>, depth: u32, out: &mut Roots<'f>) {
        if let Some(folder) = self.listed_folder(call) {
            out.listed.get_or_insert(call.id);
            return self.trace(folder, None, depth, out);
        }
        let passes = matches!(
            call.callee(),
            "sorted" | "list" | "set" | "tuple" | "reversed" | "enumerate" | "iter" | "filter"
        );
        if passes {
            let last = call.args.iter().rfind(|arg| arg.name.is_none());
            if let Some(arg) = last {
                self.trace_element(arg.value, depth, out);
            }
            return;
        }
        if let Some(function) = self.callee_scope(call) {
            for value in self.returns_of(function) {
                self.trace_element(value, depth, out);
            }
        }
    }

    /// The folder whose entries a call lists.
    pub(crate) fn listed_folder(&self, call: &Call<'_>) -> Option<ExprId> {
        let by_function = call.is(&[
            "os.listdir",
            "os.scandir",
            "os.walk",
            "glob.glob",
            "glob.iglob",
        ]);
        if by_function {
            return call.positional(0);
        }
        let by_method = matches!(call.method(), Some("iterdir" | "glob" | "rglob"));
        call.receiver().filter(|_| by_method)
    }
}

impl Roots<'_> {
    /// Whether both start from one object, and no literals behind it tell their folders apart.
    pub(crate) fn meet(&self, other: &Roots<'_>) -> bool {
        let meets = |a: &Start<'_>| {
            let same = other.starts.iter().filter(|b| b.key == a.key);
            let mut same = same.peekable();
            same.peek().is_some() && same.any(|b| !are_apart(a.below, b.below))
        };
        self.starts.iter().any(meets)
    }
}

/// `"sessions"` and `"models"`: not a part of a name, as a dot or a dash is.
fn are_apart(a: Option<&str>, b: Option<&str>) -> bool {
    let folder = |text: Option<&str>| {
        let text = text?.trim_start_matches('/');
        let first = text.split('/').next().unwrap_or("");
        let is_name = first.chars().filter(|c| c.is_alphabetic()).count() > 2;
        is_name.then(|| first.to_string())
    };
    match (folder(a), folder(b)) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    /// The names and literals behind the first argument of `write(...)`.
    #[track_caller]
    fn check(text: &str, names: &[&str], texts: &[&str]) {
        let facts = facts_of(text);
        let call = facts.calls().find(|call| call.name() == "write").unwrap();
        let roots = facts.roots(call.positional(0).unwrap());
        let found: Vec<&str> = roots.starts.iter().map(|start| start.name).collect();
        assert_eq!((found.as_slice(), roots.texts.as_slice()), (names, texts));
    }

    #[test]
    fn entries_of_a_listing_start_where_their_folder_does() {
        check(
            "from pathlib import Path\nROOT = Path('/srv/tiles')\ndef old():\n    found = []\n    for folder in ROOT.iterdir():\n        found.append(folder)\n    return found\ndef f():\n    for gone in old():\n        write(gone)\n",
            &["gone", "folder", "ROOT"],
            &["/srv/tiles"],
        );
    }

    #[test]
    fn fields_parameters_and_defaults_are_followed() {
        check(
            "ROOT = '/srv/a'\nclass A:\n    def __init__(self, root=ROOT):\n        self._root = root\n    def f(self, n):\n        self._g(self._root / str(n))\n    def _g(self, path):\n        write(path.parent)\n",
            &["path", "_root", "root", "ROOT"],
            &["/srv/a"],
        );
    }

    #[test]
    fn folders_of_other_names_do_not_meet() {
        let facts = facts_of(
            "def f(root, n):\n    write(root / 'models' / n, root / 'jobs' / n, root / f'.{n}')\n",
        );
        let call = facts.calls().next().unwrap();
        let roots = |n| facts.roots(call.positional(n).unwrap());
        assert!(!roots(0).meet(&roots(1)));
        assert!(roots(0).meet(&roots(2)));
    }
}
