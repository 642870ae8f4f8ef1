//! Scrolls to what the state wants in view, as soon as it is there.

use super::Sheet;
use crate::browser::reading;
use crate::browser::scroll::reveal;
use crate::diff_file::DiffFile;
use crate::sheet::{Model, Target};
use crate::state::{Place, Wish};
use report::Side;
use std::rc::Rc;
use web_sys::ScrollLogicalPosition as Position;
use yew::prelude::*;

/// Rows arrive later than the wish to see them: until then the sheet draws their place, and each drawing is another
/// chance.
#[hook]
pub(crate) fn use_reveal(sheet: &Sheet, files: &[Rc<DiffFile>], wish: Option<&Wish>) {
    let begun = use_mut_ref(|| None::<u32>);
    let fulfilled = use_mut_ref(|| None::<u32>);
    let (sheet, wish) = (sheet.clone(), wish.cloned());
    let selector = wish.as_ref().and_then(|wish| selector(&wish.place, files));
    let target = wish
        .as_ref()
        .and_then(|wish| sheet.with(|model| target(model, &wish.place, files)));
    use_effect(move || {
        let Some(wish) = wish.filter(|wish| *fulfilled.borrow() != Some(wish.turn)) else {
            return;
        };
        let position = match wish.place {
            Place::File(_) => Position::Start,
            _ => Position::Center,
        };
        let is_new = begun.replace(Some(wish.turn)) != Some(wish.turn);
        if let Some(target) = target.filter(|_| is_new) {
            sheet.want(target);
        }
        // Whoever searches is still writing.
        let takes_focus = !matches!(wish.place, Place::Hit { .. });
        if selector.is_some_and(|selector| reveal(&selector, position, takes_focus)) {
            *fulfilled.borrow_mut() = Some(wish.turn);
            sheet.shown();
            reading::set_on_the_way(false);
        }
    });
}

/// The element of a place.
fn selector(place: &Place, files: &[Rc<DiffFile>]) -> Option<String> {
    Some(match place {
        Place::Finding(id) => format!("[id='finding-{id}']"),
        Place::File(file) => format!("#file-{file}"),
        Place::Hit { file, row } => format!("#file-{file} [data-row='{row}']"),
        Place::Line { path, side, line } => {
            let file = files
                .iter()
                .find(|file| file.has(path, None, *side, *line))?;
            let attribute = match side {
                Side::Old => "data-old",
                Side::New => "data-new",
            };
            format!("#file-{} [{attribute}='{line}']", file.index)
        }
    })
}

/// The item of a place.
fn target(model: &Model, place: &Place, files: &[Rc<DiffFile>]) -> Option<Target> {
    match place {
        Place::Finding(id) => model.card(id),
        Place::File(file) => Some(Target {
            file: *file as usize,
            item: 0,
        }),
        Place::Hit { file, row } => model.row(*file as usize, *row),
        Place::Line { path, side, line } => {
            let file = files
                .iter()
                .position(|file| file.has(path, None, *side, *line))?;
            model.line(file, *side, *line)
        }
    }
}
