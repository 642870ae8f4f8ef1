//! The changes as one long sheet, of which only what is near the window is drawn.
//!
//! [`layout`] says what a file consists of, from top to bottom; [`model`] knows how high each of these items is, or
//! guesses it until it was drawn once, and so where everything stands; [`paper`] says what of it is printed. Nothing here touches the document.

mod item_key;
mod layout;
mod model;
mod paper;
#[cfg(test)]
mod tests;

pub(crate) use item_key::ItemKey;
pub(crate) use layout::{Item, Kind, Layout, Pixels};
pub(crate) use model::{Drawn, DrawnFile, Model, Piece, Target};
pub(crate) use paper::for_paper;
