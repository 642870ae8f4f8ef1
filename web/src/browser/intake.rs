//! Text that comes from files: chosen, dropped, or a sample of ours.

use crate::input::{Input, Origin};
use gloo::file::callbacks::{FileReader, read_as_bytes};
use gloo::file::{File, FileList};
use gloo::net::http::Request;
use js_sys::Uint8Array;
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::TextDecoder;
use yew::Callback;

/// A text, or a sentence that says why there is none.
pub(crate) type Taken = Result<Input, String>;

/// Reads files and joins them in their order. The readers must be kept until `done` is called.
pub(crate) fn read_files(files: &FileList, done: Callback<Taken>) -> Vec<FileReader> {
    let texts = Rc::new(RefCell::new(vec![None; files.len()]));
    let name = name_of(files);
    let read = |(index, file): (usize, &File)| {
        let (texts, done, all) = (Rc::clone(&texts), done.clone(), name.clone());
        let name = file.name();
        read_as_bytes(file, move |bytes| {
            let text = bytes
                .map_err(|_| format!("{name} could not be read."))
                .and_then(|bytes| decode(&bytes, &name));
            if let Some(taken) = put(&mut texts.borrow_mut(), index, text) {
                done.emit(taken.map(|text| Input::new(text, Origin::File(all.clone().into()))));
            }
        })
    };
    files.iter().enumerate().map(read).collect()
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

fn name_of(files: &FileList) -> String {
    match &**files {
        [file] => file.name(),
        files => format!("{} files", files.len()),
    }
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

/// Bytes as text: UTF-16 where a byte order mark says so, as some shells write it, else UTF-8.
fn decode(bytes: &[u8], name: &str) -> Result<String, String> {
    let label = match bytes {
        [0xff, 0xfe, ..] => "utf-16le",
        [0xfe, 0xff, ..] => "utf-16be",
        _ if bytes.contains(&0) => return Err(format!("{name} is a binary file, not a diff.")),
        _ => "utf-8",
    };
    let unreadable = |_| format!("{name} could not be read as text.");
    let decoder = TextDecoder::new_with_label(label).map_err(unreadable)?;
    decoder
        .decode_with_buffer_source(&Uint8Array::from(bytes))
        .map_err(unreadable)
}
