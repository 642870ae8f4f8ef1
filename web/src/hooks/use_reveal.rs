//! Scrolls to what the state wants in view, as soon as it is there.

use crate::browser::scroll::reveal;
use crate::state::{Place, State};
use report::Side;
use web_sys::ScrollLogicalPosition as Position;
use yew::prelude::*;

/// Rows arrive later than the wish to see them, so each change of the files is another chance.
#[hook]
pub(crate) fn use_reveal(state: &State) {
    let fulfilled = use_mut_ref(|| None::<u32>);
    let files = state.files.clone();
    use_effect_with((state.reveal.clone(), files), move |(wish, files)| {
        let Some((place, turn)) = wish else { return };
        if *fulfilled.borrow() == Some(*turn) {
            return;
        }
        let found = match place {
            Place::Finding(id) => reveal(&format!("[id='finding-{id}']"), Position::Center),
            Place::File(file) => reveal(&format!("#file-{file}"), Position::Start),
            Place::Line { path, side, line } => {
                let file = files.iter().find(|file| file.has(path, None, *side, *line));
                let attribute = match side {
                    Side::Old => "data-old",
                    Side::New => "data-new",
                };
                file.is_some_and(|file| {
                    let row = format!("#file-{} [{attribute}='{line}']", file.index);
                    reveal(&row, Position::Center)
                })
            }
        };
        if found {
            *fulfilled.borrow_mut() = Some(*turn);
        }
    });
}
