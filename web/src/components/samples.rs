//! Three pull requests of our own to try the page with.

use crate::browser::intake::fetch_sample;
use crate::state::Action;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// File name below `samples/`, and what the button says.
const SAMPLES: [(&str, &str); 3] = [
    ("dispatch.diff", "Model dispatch"),
    ("cache.diff", "Artifact cache"),
    ("labels.diff", "Label colours"),
];

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Samples(props: &Props) -> Html {
    let button = |(file, title): (&'static str, &'static str)| {
        let act = props.act.clone();
        let onclick = move |_: MouseEvent| open(file, title, act.clone());
        html! { <button type="button" class="quiet" {onclick}>{ title }</button> }
    };
    html! {
        <div class="samples" role="group" aria-label="Samples">
            <span aria-hidden="true">{ "Samples" }</span>
            { for SAMPLES.into_iter().map(button) }
        </div>
    }
}

fn open(file: &'static str, title: &'static str, act: Callback<Action>) {
    spawn_local(async move {
        act.emit(fetch_sample(file, title).await.into());
    });
}
