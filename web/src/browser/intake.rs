//! Text that comes from files: chosen, dropped, or a sample of ours.

use crate::input::{Input, Origin};
use crate::patch_file::{self, LARGEST};
use gloo::events::EventListener;
use gloo::file::callbacks::{FileReader, read_as_bytes};
use gloo::file::{File, FileList};
use gloo::net::http::Request;
use gloo::utils::document;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};
use yew::Callback;

/// A text, or a sentence that says why there is none.
pub(crate) type Taken = Result<Input, String>;

/// Reads files and joins them in the order of their names, which is that of a series of patches.
/// The readers must be kept until `done` is called.
pub(crate) fn read_files(files: &FileList, done: Callback<Taken>) -> Vec<FileReader> {
    let mut files: Vec<&File> = files.iter().collect();
    files.sort_by_key(|file| file.name());
    let all: Vec<String> = files.iter().map(|file| file.name()).collect();
    if let Some(large) = files.iter().find(|file| file.size() > LARGEST) {
        let name = large.name();
        done.emit(Err(format!(
            "{name} is larger than 100 MB and was not read."
        )));
        return Vec::new();
    }
    let texts = Rc::new(RefCell::new(vec![None; files.len()]));
    let origin = Origin::File(patch_file::names(&all).into());
    let read = |(index, file): (usize, &File)| {
        let (texts, done, origin) = (Rc::clone(&texts), done.clone(), origin.clone());
        let name = file.name();
        read_as_bytes(file, move |bytes| {
            let text = bytes
                .map_err(|_| format!("{name} could not be read."))
                .and_then(|bytes| patch_file::text(&bytes, &name));
            if let Some(taken) = put(&mut texts.borrow_mut(), index, text) {
                done.emit(taken.map(|text| Input::new(text, origin.clone())));
            }
        })
    };
    files.into_iter().enumerate().map(read).collect()
}

/// Calls this when somebody reaches for the places where a diff comes in: a field, a button of the input, the keys to
/// paste, a file that is dragged here.
pub(crate) fn on_reaching(call: impl Fn() + Clone + 'static) -> [EventListener; 3] {
    let on = |event: &'static str, is_sign: fn(&Event) -> bool| {
        let call = call.clone();
        EventListener::new(&document(), event, move |event| {
            if is_sign(event) {
                call();
            }
        })
    };
    [
        on("focusin", is_in_input),
        on("keydown", is_command),
        on("dragenter", |_| true),
    ]
}

fn is_in_input(event: &Event) -> bool {
    let element = event.target().and_then(|it| it.dyn_into::<Element>().ok());
    element.is_some_and(|element| matches!(element.closest(".input-panel"), Ok(Some(_))))
}

fn is_command(event: &Event) -> bool {
    let key = event.dyn_ref::<KeyboardEvent>();
    key.is_some_and(|key| key.ctrl_key() || key.meta_key())
}

/// Fetches one of our samples by its file name.
pub(crate) async fn fetch_sample(file: &'static str, title: &'static str) -> Taken {
    let sentence = || format!("The sample \u{201c}{title}\u{201d} could not be loaded.");
    let response = Request::get(&format!("samples/{file}"))
        .send()
        .await
        .map_err(|_| sentence())?;
    if !response.ok() {
        return Err(sentence());
    }
    let text = response.text().await.map_err(|_| sentence())?;
    Ok(Input::new(text, Origin::Sample(title.into())))
}

type Texts = Vec<Option<Result<String, String>>>;

/// Keeps one file's text; all of them once the last is there.
fn put(
    texts: &mut Texts,
    index: usize,
    text: Result<String, String>,
) -> Option<Result<String, String>> {
    *texts.get_mut(index)? = Some(text);
    let all: Option<Vec<_>> = texts.iter().cloned().collect();
    let texts: Result<Vec<String>, String> = all?.into_iter().collect();
    Some(texts.map(|texts| texts.join("\n")))
}
