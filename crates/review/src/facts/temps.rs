//! Temp files and folders that a function makes itself, and whether they are removed again.

use super::Facts;
use super::bindings::BindingKind;
use super::calls::Call;
use super::composition::Piece;
use super::hir::*;
use super::paths::is_temp_suffix;

/// A temp path that the file makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Temp {
    /// The call or composition that makes the name.
    pub(crate) made: ExprId,
    pub(crate) kind: TempKind,
    /// It goes away by itself: `with TemporaryDirectory()`, `NamedTemporaryFile()`.
    pub(crate) removes_itself: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TempKind {
    /// Made by `tempfile` in the system's temp folder.
    System,
    /// Made by `tempfile` in a folder that was given.
    Beside,
    /// A name with something unique in it, beside the target.
    Unique,
    /// A constant behind the target's name.
    Fixed,
}

const MAKERS: &[&str] = &[
    "tempfile.mkstemp",
    "tempfile.mkdtemp",
    "tempfile.mktemp",
    "tempfile.NamedTemporaryFile",
    "tempfile.TemporaryDirectory",
];

impl Facts {
    /// The temp path that an expression is, if the file shows how it is made.
    pub(crate) fn temp(&self, id: ExprId) -> Option<Temp> {
        self.temp_within(id, 8)
    }

    fn temp_within(&self, id: ExprId, depth: u32) -> Option<Temp> {
        let depth = depth.checked_sub(1)?;
        if let Some(found) = self.temp_made_by(id) {
            return Some(found);
        }
        if let Some(pieces) = self.pieces(id) {
            return self.composed_temp(id, &pieces, depth);
        }
        match &self.expr(id).kind {
            ExprKind::Name => self.bound_temp(id, depth),
            ExprKind::Attribute { object, name }
                if matches!(self.text(*name), "name" | "path")
                    && self.self_attribute(id).is_none() =>
            {
                self.temp_within(*object, depth)
            }
            ExprKind::Attribute { .. } => self.bound_temp(id, depth),
            ExprKind::Call { .. } => {
                let call = self.call(id)?;
                let keeps = call.is(&["str", "pathlib.Path", "os.fspath", "os.path.abspath"]);
                let inner = call.positional(0).filter(|_| keeps);
                let receiver = call
                    .receiver()
                    .filter(|_| matches!(call.method(), Some("with_suffix" | "with_name")));
                match (inner, receiver) {
                    (Some(inner), _) => self.temp_within(inner, depth),
                    (None, Some(_)) => self.suffixed_temp(&call),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn temp_made_by(&self, id: ExprId) -> Option<Temp> {
        let call = self.call(id)?;
        if call.is(&["tempfile.gettempdir"]) {
            return Some(Temp {
                made: id,
                kind: TempKind::System,
                removes_itself: false,
            });
        }
        if !call.is(MAKERS) {
            return None;
        }
        let place = match call.name() {
            "NamedTemporaryFile" => call.keyword("dir"),
            _ => call.arg(2, "dir"),
        };
        let in_system = place.is_none_or(|place| {
            matches!(self.expr(place).kind, ExprKind::None)
                || self
                    .call(place)
                    .is_some_and(|inner| inner.is(&["tempfile.gettempdir"]))
        });
        let kept = call
            .keyword("delete")
            .is_some_and(|value| matches!(self.expr(value).kind, ExprKind::False));
        Some(Temp {
            made: id,
            kind: if in_system {
                TempKind::System
            } else {
                TempKind::Beside
            },
            removes_itself: matches!(call.name(), "NamedTemporaryFile" | "TemporaryDirectory")
                && !kept,
        })
    }

    fn bound_temp(&self, id: ExprId, depth: u32) -> Option<Temp> {
        self.bindings_behind(id)
            .into_iter()
            .find_map(|binding| match binding.kind {
                BindingKind::Value { value, index: None } => self
                    .temp_within(value, depth)
                    .or_else(|| self.made_in_temp(id, value, depth)),
                BindingKind::Value {
                    value,
                    index: Some(n),
                } => match self.item(value, n) {
                    Some(item) => self.temp_within(item, depth),
                    None => self.temp_made_by(value).filter(|_| n == 1),
                },
                BindingKind::With(context) => self
                    .temp_made_by(context)
                    .or_else(|| self.named_temp_folder(context)),
                _ => None,
            })
    }

    /// `with TempDirectory() as folder`, by the name of a class that is not shown.
    fn named_temp_folder(&self, context: ExprId) -> Option<Temp> {
        let call = self.call(context)?;
        let words: Vec<_> = topic::words(call.name()).collect();
        let says = |either: &[&str]| words.iter().any(|word| either.contains(&&**word));
        let is_folder =
            says(&["temp", "temporary", "tmp"]) && says(&["dir", "directory", "folder"]);
        let is_placed = ["dir", "parent", "root", "base"];
        let is_placed = is_placed.iter().any(|name| call.keyword(name).is_some());
        (is_folder && !is_placed && call.positional(0).is_none()).then_some(Temp {
            made: context,
            kind: TempKind::System,
            removes_itself: true,
        })
    }

    /// `wheel_path = build(source, temp_folder)`: a file that was made in the temp folder which the call is given.
    fn made_in_temp(&self, id: ExprId, value: ExprId, depth: u32) -> Option<Temp> {
        let says = self
            .last_name(id)
            .is_some_and(|name| topic::has_word(name, "path file filename"));
        let call = self.call(value).filter(|_| says)?;
        let mut given = call.args.iter();
        let temp = given.find_map(|arg| self.temp_within(arg.value, depth))?;
        let is_there = temp.kind == TempKind::System && temp.removes_itself;
        is_there.then_some(Temp {
            made: value,
            ..temp
        })
    }

    /// `os.path.join(own_dir, name)`, `f"{target}.{uuid4()}.tmp"`, `target + ".tmp"`.
    fn composed_temp(&self, id: ExprId, pieces: &[Piece], depth: u32) -> Option<Temp> {
        let of_root = match pieces.first()? {
            Piece::Value(root) => self.temp_within(*root, depth),
            Piece::Text(text) => self.text(*text).starts_with("/tmp/").then_some(Temp {
                made: id,
                kind: TempKind::System,
                removes_itself: false,
            }),
        };
        if of_root.is_some() {
            return of_root;
        }
        let own = |kind| {
            Some(Temp {
                made: id,
                kind,
                removes_itself: false,
            })
        };
        let unique = pieces.iter().skip(1).any(|piece| match piece {
            Piece::Value(value) => self.is_unique(*value),
            Piece::Text(_) => false,
        });
        if unique {
            return own(TempKind::Unique);
        }
        match pieces.last()? {
            Piece::Text(text) if is_temp_suffix(self.text(*text)) => own(TempKind::Fixed),
            Piece::Value(value) if self.constant_text(*value).is_some_and(is_temp_suffix) => {
                own(TempKind::Fixed)
            }
            _ => None,
        }
    }

    /// `path.with_suffix(".tmp")`, `path.with_name(path.name + ".tmp")`.
    fn suffixed_temp(&self, call: &Call<'_>) -> Option<Temp> {
        let given = call.positional(0)?;
        let kind = if self.is_unique(given) {
            TempKind::Unique
        } else {
            let says_temp = self.within(given).any(|part| match self.expr(part).kind {
                ExprKind::Str(text) => is_temp_suffix(self.text(text)),
                ExprKind::FString(ref parts) => parts.iter().any(|part| match part {
                    StringPart::Text(text) => is_temp_suffix(self.text(*text)),
                    StringPart::Value(_) => false,
                }),
                _ => false,
            });
            says_temp.then_some(TempKind::Fixed)?
        };
        Some(Temp {
            made: call.id,
            kind,
            removes_itself: false,
        })
    }

    /// The text of a literal, also through a constant's name.
    pub(crate) fn constant_text(&self, id: ExprId) -> Option<&str> {
        self.values(id)
            .into_iter()
            .find_map(|value| self.string(value))
    }

    /// Whether the function removes this temp path where an error passes: in a handler or a `finally`.
    pub(crate) fn is_removed_on_error(&self, path: ExprId) -> bool {
        let on_error =
            |&stmt: &StmtId| self.in_finally(stmt) || self.enclosing_handler(stmt).is_some();
        let mut calls = self
            .statements_of(self.stmt(self.expr(path).stmt).scope)
            .filter(on_error)
            .flat_map(|stmt| self.calls_in(stmt));
        calls.any(|call| self.deletion(call).is_some() || self.hands_over_to_removal(&call, path))
    }

    /// `_remove_quietly(path)`: a helper that says that it removes what it is given.
    fn hands_over_to_removal(&self, call: &Call<'_>, path: ExprId) -> bool {
        let says = topic::has_word(
            call.name(),
            "remove delete unlink rmtree discard cleanup clean",
        );
        says && call
            .args
            .iter()
            .any(|arg| self.is_same_path(arg.value, path))
    }
}
