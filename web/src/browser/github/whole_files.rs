//! Whole files of a fetched change's head, several at a time.

use super::ask::Asker;
use crate::github::{Refusal, request};
use crate::state::{Fetched, Whole};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use yew::{AttrValue, Callback};

/// Requests that are under way together.
const TOGETHER: usize = 6;

/// Bytes; the review reads no longer file.
const LONGEST: usize = 2 << 20;

/// What has come so far, and what is left to ask for.
struct Batch {
    left: Vec<String>,
    n_running: usize,
    texts: BTreeMap<String, AttrValue>,
    refused: BTreeMap<String, Refusal>,
}

/// Fetches files and gives them all at once, so that the review is concluded anew once and not for each.
pub(crate) fn fetch_whole_files(
    asker: Rc<Asker>,
    fetched: &Rc<Fetched>,
    paths: &BTreeSet<String>,
    turn: u32,
    done: Callback<Whole>,
) {
    let n_running = paths.len().min(TOGETHER);
    let batch = Rc::new(RefCell::new(Batch {
        left: paths.iter().rev().cloned().collect(),
        n_running,
        texts: BTreeMap::new(),
        refused: BTreeMap::new(),
    }));
    for _ in 0..n_running {
        let (asker, fetched, batch, done) = (
            Rc::clone(&asker),
            Rc::clone(fetched),
            Rc::clone(&batch),
            done.clone(),
        );
        spawn_local(async move {
            run(&asker, &fetched, &batch).await;
            if let Some(came) = finish(&mut batch.borrow_mut(), turn) {
                done.emit(came);
            }
        });
    }
}

/// Asks for one file after another until none is left.
async fn run(asker: &Asker, fetched: &Fetched, batch: &RefCell<Batch>) {
    loop {
        let Some(path) = batch.borrow_mut().left.pop() else {
            return;
        };
        let result = whole_file(asker, fetched, &path).await;
        let mut batch = batch.borrow_mut();
        match result {
            Ok(text) => drop(batch.texts.insert(path, text.into())),
            Err(refusal) => drop(batch.refused.insert(path, refusal)),
        }
    }
}

/// One file of the head.
pub(super) async fn whole_file(
    asker: &Asker,
    fetched: &Fetched,
    path: &str,
) -> Result<String, Refusal> {
    let (url, media) = request::whole_file(&fetched.head_repo, &fetched.head, path, &asker.token);
    let text = asker.text(&url, media).await?;
    if text.len() > LONGEST {
        return Err(Refusal::TooLong);
    }
    Ok(text)
}

/// Everything, once the last is there.
fn finish(batch: &mut Batch, turn: u32) -> Option<Whole> {
    batch.n_running -= 1;
    (batch.n_running == 0).then(|| Whole::Came {
        turn,
        texts: std::mem::take(&mut batch.texts),
        refused: std::mem::take(&mut batch.refused),
    })
}
