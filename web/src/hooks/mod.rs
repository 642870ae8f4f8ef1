//! What the page does beside drawing, one concern a file.

mod use_chosen;
mod use_code_copy;
mod use_columns;
mod use_drop;
mod use_fragment;
mod use_github;
mod use_keys;
mod use_paste;
mod use_prints;
mod use_rail_part;
mod use_reveal;
mod use_review;
mod use_search;
mod use_share;
mod use_sheet;
mod use_shelf;
mod use_theme;
mod use_worker;

pub(crate) use use_chosen::{chosen_before, use_chosen};
pub(crate) use use_code_copy::use_code_copy;
pub(crate) use use_columns::{Columns, use_columns};
pub(crate) use use_drop::use_drop;
pub(crate) use use_fragment::use_fragment;
pub(crate) use use_github::use_github;
pub(crate) use use_keys::use_keys;
pub(crate) use use_paste::use_paste;
pub(crate) use use_prints::use_prints;
pub(crate) use use_rail_part::use_rail_part;
pub(crate) use use_reveal::use_reveal;
pub(crate) use use_review::use_review;
pub(crate) use use_search::use_search;
pub(crate) use use_share::use_share;
pub(crate) use use_sheet::{Sheet, use_sheet};
pub(crate) use use_shelf::use_shelf;
pub(crate) use use_theme::use_theme;
pub(crate) use use_worker::{WorkerHandle, use_worker};
