//! Folders that a marker file calls complete: right where it is written last, wrong where it comes first.

use crate::facts::{Call, ExprId, Facts, Piece, StmtId, Write, Writing};

/// A file below a folder, whose existence tells others that the folder is complete.
pub(super) struct Marker<'f> {
    pub(super) call: Call<'f>,
    pub(super) path: ExprId,
    pub(super) folder: ExprId,
    /// The question for it, if it is shown; else its name says what it is.
    pub(super) asked: Option<StmtId>,
}

/// The markers that a file writes, in source order.
pub(super) fn markers(facts: &Facts) -> impl Iterator<Item = Marker<'_>> {
    facts.calls().filter_map(|call| marker(facts, call))
}

fn marker<'f>(facts: &'f Facts, call: Call<'f>) -> Option<Marker<'f>> {
    let touched = call.receiver().filter(|_| call.method() == Some("touch"));
    let written = || facts.write(call).filter(|write| write.how == Writing::File);
    let path = touched.or_else(|| written().map(|write| write.path))?;
    let folder = folder_of(facts, path)?;
    let asked = asked(facts, path);
    let is_known = asked.is_some() || says_marker(facts.expr_text(path));
    is_known.then_some(Marker {
        call,
        path,
        folder,
        asked,
    })
}

/// `folder` of `folder / ".complete"`: below it nothing but a literal or a constant.
fn folder_of(facts: &Facts, path: ExprId) -> Option<ExprId> {
    let pieces = composed(facts, path)?;
    let [Piece::Value(folder), Piece::Text(_) | Piece::Value(_)] = pieces.as_slice() else {
        return None;
    };
    let is_constant = match pieces.get(1)? {
        Piece::Text(_) => true,
        Piece::Value(name) => {
            facts.constant_text(*name).is_some() || is_constant_name(facts.last_name(*name)?)
        }
    };
    is_constant.then_some(*folder)
}

fn says_marker(text: &str) -> bool {
    topic::has_word(
        text,
        "marker complete completed done ready success finished sentinel",
    )
}

fn composed(facts: &Facts, path: ExprId) -> Option<Vec<Piece>> {
    let mut values = facts.values(path).into_iter();
    values.find_map(|value| facts.pieces(value))
}

fn is_constant_name(name: &str) -> bool {
    name.len() > 2 && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// The question whether a marker of this name is there.
fn asked(facts: &Facts, path: ExprId) -> Option<StmtId> {
    let last = |path: ExprId| match composed(facts, path)?.last()? {
        Piece::Text(text) => Some(facts.text(*text).to_string()),
        Piece::Value(value) => Some(facts.shown(*value)),
    };
    let name = last(path)?;
    let asks = |call: &Call<'_>| {
        let asked = facts.asked_path(call);
        asked.is_some_and(|asked| last(asked).as_deref() == Some(&name))
    };
    facts.calls().find(asks).map(|call| call.stmt())
}

/// Whether a marker that is asked for is written behind the folder's filling; or the write is that of the marker.
pub(super) fn is_marked_complete(facts: &Facts, write: &Write<'_>) -> bool {
    let of_folder = write.how != Writing::File;
    markers(facts).any(|marker| {
        let behind = marker.call.scope() == write.call.scope()
            && marker.call.span().start > write.call.span().end
            && facts.is_same_path(marker.folder, write.path);
        let is_it =
            marker.call.id == write.call.id && filled(facts, &marker, Order::Before).is_some();
        (of_folder && behind) || is_it
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Before,
    Behind,
}

/// The call of the same function that fills the folder of a marker, before it or behind it.
pub(super) fn filled<'f>(facts: &'f Facts, marker: &Marker<'_>, order: Order) -> Option<Call<'f>> {
    let own = marker.call.span();
    facts.calls_of(marker.call.scope()).find(|call| {
        let there = match order {
            Order::Before => call.span().end < own.start,
            Order::Behind => call.span().start > own.end,
        };
        there && fills(facts, call, marker.folder)
    })
}

fn fills(facts: &Facts, call: &Call<'_>, folder: ExprId) -> bool {
    let by_write = facts
        .write(*call)
        .is_some_and(|write| write.how != Writing::File && facts.is_same_path(write.path, folder));
    let says = topic::has_word(
        call.name(),
        "download extract extractall unpack fetch populate fill save build copy \
         copytree",
    );
    let mut args = call.args.iter().map(|arg| arg.value);
    by_write || (says && args.any(|arg| facts.is_same_path(arg, folder)))
}
