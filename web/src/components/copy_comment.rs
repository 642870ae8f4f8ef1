//! Puts the comment of one finding onto the clipboard, to be pasted at its line.

use crate::browser::handover;
use crate::desk::Desk;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// Id of the finding.
    pub(super) finding: AttrValue,
}

#[component]
pub(super) fn CopyComment(props: &Props) -> Html {
    let desk = use_context::<Desk>().unwrap_or_default();
    let said = use_state_eq(|| "");
    let onclick = {
        let (finding, said) = (props.finding.clone(), said.setter());
        move |event: MouseEvent| {
            event.stop_propagation();
            let Some(comment) = desk.comment(&finding) else {
                return;
            };
            let said = said.clone();
            spawn_local(async move {
                said.set(match handover::copy(comment).await {
                    true => "Copied",
                    false => "The browser refused to copy",
                });
            });
        }
    };
    html! {
        <>
            <button type="button" class="quiet copy-comment" {onclick}>{ "Copy as comment" }</button>
            <span role="status" class="said">{ *said }</span>
        </>
    }
}
