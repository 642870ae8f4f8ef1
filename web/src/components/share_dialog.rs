//! The dialog that makes a link: what it is to hold, what speaks against it, and the link.

use super::link_field::LinkField;
use super::share_choices::ShareChoices;
use super::share_warning::ShareWarning;
use crate::browser::address;
use crate::sharing::{Holding, Sharing};
use crate::state::Action;
use report::Secret;
use report::permalink::Reference;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) sharing: Sharing,
    /// What the text that would be shared seems to hold, unless it is to be shared all the same.
    pub(crate) secrets: Vec<Secret>,
    /// The fragment of the link, without its `#`, once it is packed.
    pub(crate) fragment: Option<AttrValue>,
    pub(crate) can_cut: bool,
    pub(crate) reference: Option<Reference>,
    /// Lines answered and findings decided on.
    pub(crate) n_done: usize,
    pub(crate) set: Callback<Sharing>,
    pub(crate) close: Callback<()>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn ShareDialog(props: &Props) -> Html {
    let dialog = use_node_ref();
    use_effect_with(dialog.clone(), |dialog| {
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            let _ = dialog.show_modal();
        }
    });
    use_effect_with(props.fragment.clone(), |fragment| {
        if let Some(fragment) = fragment {
            address::write_fragment(fragment);
        }
    });
    let onclose = props.close.reform(|_: Event| ());
    let close = props.close.reform(|_: MouseEvent| ());
    html! {
        <dialog aria-label="Share" ref={dialog} {onclose}>
            <h2>{ "Share this review" }</h2>
            <ShareChoices sharing={props.sharing.clone()} can_cut={props.can_cut} reference={props.reference.clone()}
                n_done={props.n_done} set={props.set.clone()} act={props.act.clone()} />
            { link(props) }
            <p>{ who_reads(props.sharing.holding) }</p>
            <button type="button" class="close" onclick={close}>{ "Close" }</button>
        </dialog>
    }
}

fn link(props: &Props) -> Html {
    if !props.secrets.is_empty() {
        let sharing = Sharing {
            despite_secrets: true,
            ..props.sharing.clone()
        };
        let go_on = props.set.reform(move |()| sharing.clone());
        return html! { <ShareWarning secrets={props.secrets.clone()} {go_on} /> };
    }
    match &props.fragment {
        Some(fragment) => {
            let link = format!("{}#{fragment}", address::page());
            html! { <LinkField {link} /> }
        }
        None => html! { <p role="status">{ "Packing the link\u{2026}" }</p> },
    }
}

fn who_reads(holding: Holding) -> &'static str {
    match holding {
        Holding::Reference => {
            "The link names the change behind the #, which no server of this page ever sees. Whoever opens it must be able to read the repository."
        }
        Holding::Whole | Holding::Excerpt => {
            "The diff itself stands behind the #, which no server ever sees. Whoever has the link can read it."
        }
    }
}
