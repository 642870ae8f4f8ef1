//! The page. It holds no rule and no parser: a worker turns text into a report, and this shows it.

mod app;
mod browser;
mod components;
mod desk;
mod diff_file;
mod github;
mod hooks;
mod import;
mod input;
mod kept;
mod keys;
mod link;
mod patch_file;
mod sharing;
mod sheet;
mod shelf_keeper;
mod state;
mod words;
mod worker_life;

fn main() {
    console_error_panic_hook::set_once();
    yew::Renderer::<app::App>::new().render();
}
