//! What of the changes is printed: each finding below the lines it stands at, whether it is drawn on the screen or not.
//!
//! It is not on the page before the browser lays it out for paper, and then has to be drawn at once. So it is a part
//! of its own: what is drawn for the first time is never put off.

use super::file_section::FileSection;
use super::lines::missing;
use crate::browser::heights::Observer;
use crate::diff_file::{ChunkId, DiffFile, Rows};
use crate::hooks::use_prints;
use crate::sheet::{DrawnFile, Model, for_paper};
use crate::state::Action;
use std::rc::Rc;
use yew::prelude::*;

/// Chunks of rows that are loaded for paper at most; of further findings the cards alone are printed.
const LOADED: usize = 300;

#[derive(Clone, Properties, PartialEq)]
pub(super) struct Props {
    pub(super) files: Rc<Vec<Rc<DiffFile>>>,
    pub(super) rows: Rc<Rows>,
    pub(super) split: bool,
    /// Whether the findings are final.
    pub(super) is_done: bool,
    pub(super) ask: Callback<Vec<ChunkId>>,
    pub(super) act: Callback<Action>,
}

#[component]
pub(super) fn Paper(props: &Props) -> Html {
    let prints = use_prints();
    use_rows(props);
    html! { if prints { <Printed ..props.clone() /> } }
}

/// Asks for the rows as soon as it is known which they are: while the browser prints nothing can be waited for.
#[hook]
fn use_rows(props: &Props) {
    let findings: Vec<usize> = props.files.iter().map(|file| file.findings.len()).collect();
    let props = props.clone();
    use_effect_with((props.is_done, props.split, findings), move |_| {
        if props.is_done {
            let model = model(&props);
            let mut chunks = missing(&model, &model.on_paper(), &props.files, &props.rows);
            chunks.truncate(LOADED);
            props.ask.emit(chunks);
        }
    });
}

fn model(props: &Props) -> Model {
    let mut model = Model::default();
    model.update(&for_paper(&props.files), props.split);
    model
}

#[component]
fn Printed(props: &Props) -> Html {
    let files = for_paper(&props.files);
    let model = model(props);
    // Heights do not matter here.
    let observer = use_memo((), |()| Observer::new(Callback::noop()));
    let section = |drawn: DrawnFile| {
        let file = files.get(drawn.index)?.clone();
        let layout = model.layout(drawn.index)?.clone();
        Some(html! {
            <FileSection key={drawn.index} {file} {layout} pieces={drawn.pieces} rows={props.rows.clone()} hits={Rc::default()}
                split={props.split} observer={Observer::clone(&observer)} selected={None::<AttrValue>} act={props.act.clone()} />
        })
    };
    html! { <div class="paper">{ for model.on_paper().files.into_iter().filter_map(section) }</div> }
}
