//! What the page draws, one component a file: properties in, callbacks out.

mod act_button;
mod actions;
mod changes;
mod checklist;
mod checklist_line;
mod code;
mod diff_rows;
mod export_menu;
mod file_rail;
mod file_section;
mod finding_card;
mod header;
mod icon;
mod input_box;
mod not_read;
mod nothing_found;
mod prose;
mod rule_card;
mod samples;
mod share_dialog;
mod summary;
mod tabs;
mod topic_line;
mod trouble;
mod visible;

pub(crate) use actions::Actions;
pub(crate) use changes::Changes;
pub(crate) use checklist::Checklist;
pub(crate) use file_rail::FileRail;
pub(crate) use header::Header;
pub(crate) use input_box::InputBox;
pub(crate) use rule_card::RuleCard;
pub(crate) use share_dialog::ShareDialog;
pub(crate) use summary::Summary;
pub(crate) use tabs::Tabs;
pub(crate) use trouble::Trouble;
