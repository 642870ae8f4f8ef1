//! Strings and paths put together from pieces: joins, `/`, `+`, f-strings, `format`, `%`.

use super::Facts;
use super::bindings::BindingKind;
use super::calls::Call;
use super::hir::*;

/// One piece of a composed string or path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Literal text, quotes left out.
    Text(Span),
    Value(ExprId),
}

/// Functions that join their arguments to one path.
const JOINS: &[&str] = &[
    "os.path.join",
    "posixpath.join",
    "ntpath.join",
    "pathlib.Path",
    "pathlib.PurePath",
    "pathlib.PosixPath",
    "pathlib.PurePosixPath",
];

impl Facts {
    /// The expressions that are put together from pieces, in source order.
    pub(crate) fn compositions(&self) -> &[ExprId] {
        let composed = || {
            let ids = self.expr_ids();
            ids.filter(|&id| self.pieces(id).is_some()).collect()
        };
        self.found.compositions.get_or_init(composed)
    }

    /// The pieces that an expression is put together from, in order; `None` where it is no composition of at least two.
    pub(crate) fn pieces(&self, id: ExprId) -> Option<Vec<Piece>> {
        // Asked of every expression.
        if !matches!(
            self.expr(id).kind,
            ExprKind::FString(_) | ExprKind::Binary { .. } | ExprKind::Call { .. }
        ) {
            return None;
        }
        let mut out = Vec::new();
        self.collect_pieces(id, &mut out);
        (out.len() > 1).then_some(out)
    }

    fn collect_pieces(&self, id: ExprId, out: &mut Vec<Piece>) {
        match &self.expr(id).kind {
            ExprKind::Str(content) => out.push(Piece::Text(*content)),
            ExprKind::FString(parts) => self.collect_string(parts, out),
            ExprKind::Binary {
                operator,
                left,
                right,
            } => match self.text(*operator) {
                "/" | "+" => {
                    self.collect_pieces(*left, out);
                    self.collect_pieces(*right, out);
                }
                "%" if self.string(*left).is_some() => self.collect_percent(*left, *right, out),
                _ => out.push(Piece::Value(id)),
            },
            ExprKind::Call { .. } => match self.call(id) {
                Some(call) if self.joins(&call) => self.collect_arguments(&call, out),
                Some(call) if call.method() == Some("format") => self.collect_format(&call, out),
                _ => out.push(Piece::Value(id)),
            },
            ExprKind::Starred(inner) => out.push(Piece::Value(*inner)),
            _ => out.push(Piece::Value(id)),
        }
    }

    fn collect_string(&self, parts: &[StringPart], out: &mut Vec<Piece>) {
        for part in parts {
            match part {
                StringPart::Text(span) => out.push(Piece::Text(*span)),
                StringPart::Value(value) => self.collect_pieces(*value, out),
            }
        }
    }

    /// `os.path.join(a, b)`, `Path(a, b)`, `a.joinpath(b)`, `"_".join([a, b])`.
    fn joins(&self, call: &Call<'_>) -> bool {
        let method = call.method();
        let of_display = || method == Some("join") && self.joined_display(call).is_some();
        let of_paths = || call.is(JOINS) || call.callee().ends_with("path.join");
        method == Some("joinpath") || of_paths() || of_display()
    }

    fn joined_display(&self, call: &Call<'_>) -> Option<&[ExprId]> {
        let separator = call.receiver()?;
        let is_text = self.string(separator).is_some()
            || matches!(self.last_name(separator), Some("sep" | "os.sep"));
        match &self.expr(call.positional(0)?).kind {
            ExprKind::List(items) | ExprKind::Tuple(items) if is_text => Some(items),
            _ => None,
        }
    }

    fn collect_arguments(&self, call: &Call<'_>, out: &mut Vec<Piece>) {
        if let Some(items) = self.joined_display(call) {
            for &item in items {
                self.collect_pieces(item, out);
            }
            return;
        }
        if call.method() == Some("joinpath")
            && let Some(receiver) = call.receiver()
        {
            self.collect_pieces(receiver, out);
        }
        for arg in call.args.iter().filter(|arg| arg.name.is_none()) {
            self.collect_pieces(arg.value, out);
        }
    }

    /// `"{}/{name}".format(a, name=b)`: the template's text first, then the values as far as they matter.
    fn collect_format(&self, call: &Call<'_>, out: &mut Vec<Piece>) {
        let Some(receiver) = call.receiver() else {
            return;
        };
        let leads_with_value = self
            .string(receiver)
            .is_some_and(|text| text.starts_with('{'));
        if !leads_with_value {
            out.push(match self.expr(receiver).kind {
                ExprKind::Str(content) => Piece::Text(content),
                _ => Piece::Value(receiver),
            });
        }
        out.extend(call.args.iter().map(|arg| Piece::Value(arg.value)));
        if leads_with_value && let ExprKind::Str(content) = self.expr(receiver).kind {
            out.push(Piece::Text(content));
        }
    }

    fn collect_percent(&self, template: ExprId, values: ExprId, out: &mut Vec<Piece>) {
        let text = self.expr(template).kind.clone();
        let leads_with_value = self
            .string(template)
            .is_some_and(|text| text.starts_with('%'));
        let template = match text {
            ExprKind::Str(content) => Some(Piece::Text(content)),
            _ => None,
        };
        out.extend(template.filter(|_| !leads_with_value));
        match &self.expr(values).kind {
            ExprKind::Tuple(items) => out.extend(items.iter().map(|&item| Piece::Value(item))),
            _ => out.push(Piece::Value(values)),
        }
        out.extend(template.filter(|_| leads_with_value));
    }

    /// The last names that an expression rests on, followed through what they were given.
    pub(crate) fn names_behind(&self, id: ExprId) -> Vec<String> {
        let mut names = Vec::new();
        self.collect_names(id, 5, &mut names);
        names
    }

    /// The fields of `self` that an expression rests on, followed through local names.
    pub(crate) fn fields_behind(&self, id: ExprId) -> Vec<String> {
        let mut fields = Vec::new();
        self.collect_fields(id, 6, &mut fields);
        fields
    }

    fn collect_fields(&self, id: ExprId, depth: u32, fields: &mut Vec<String>) {
        let Some(depth) = depth.checked_sub(1).filter(|_| fields.len() < 32) else {
            return;
        };
        for inner in self.within(id) {
            if let Some(name) = self.self_attribute(inner) {
                if !fields.iter().any(|known| known == name) {
                    fields.push(name.to_string());
                }
            } else if self.name(inner).is_some() {
                let values = self.values(inner).into_iter();
                for value in values.filter(|&value| value != inner) {
                    self.collect_fields(value, depth, fields);
                }
            }
        }
    }

    fn collect_names(&self, id: ExprId, depth: u32, names: &mut Vec<String>) {
        let Some(depth) = depth.checked_sub(1).filter(|_| names.len() < 64) else {
            return;
        };
        for inner in self.within(id) {
            let is_name = matches!(
                self.expr(inner).kind,
                ExprKind::Name | ExprKind::Attribute { .. }
            );
            let Some(name) = self.last_name(inner).filter(|_| is_name) else {
                continue;
            };
            if names.iter().any(|known| known == name) {
                continue;
            }
            names.push(name.to_string());
            for binding in self.bindings_behind(inner) {
                if let BindingKind::Value { value, .. } = binding.kind
                    && value != inner
                {
                    self.collect_names(value, depth, names);
                }
            }
        }
    }
}
