//! By whose names the page reviews: those built in, or those of a file.

use super::file_button::FileButton;
use crate::state::{Action, Choice, Chosen};
use gloo::file::callbacks::{FileReader, read_as_text};
use gloo::file::{File, FileList};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

/// Bytes beyond which a file is no profile.
const LONGEST: u64 = 1 << 20;

const EXAMPLE: &str = r#"{
  "name": "acme/serve",
  "locks": { "timed_contexts": ["lock_within"] },
  "futures": { "timeout_settings": ["RESULT_TIMEOUT"] },
  "places": { "hot_paths": ["serve/handlers/**"] }
}"#;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) chosen: Chosen,
    pub(super) act: Callback<Action>,
}

#[component]
pub(super) fn ProfileButton(props: &Props) -> Html {
    let is_open = use_state_eq(|| false);
    let open = {
        let is_open = is_open.setter();
        move |_: MouseEvent| is_open.set(true)
    };
    let close = use_callback((), {
        let is_open = is_open.setter();
        move |(), ()| is_open.set(false)
    });
    let name = props.chosen.profile_name().to_owned();
    html! {
        <>
            <button type="button" onclick={open} title="By whose names it reviews">
                { "Profile" }<span class="value" aria-hidden="true">{ name }</span>
            </button>
            if *is_open {
                <ProfileDialog chosen={props.chosen.clone()} {close} act={props.act.clone()} />
            }
        </>
    }
}

#[derive(Properties, PartialEq)]
struct DialogProps {
    chosen: Chosen,
    close: Callback<()>,
    act: Callback<Action>,
}

#[component]
fn ProfileDialog(props: &DialogProps) -> Html {
    let dialog = use_node_ref();
    use_effect_with(dialog.clone(), |dialog| {
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            let _ = dialog.show_modal();
        }
    });
    let onclose = props.close.reform(|_: Event| ());
    let close = props.close.reform(|_: MouseEvent| ());
    let builtin = props
        .act
        .reform(|_: MouseEvent| Action::Choose(Choice::BuiltinProfile));
    html! {
        <dialog aria-label="Profile" ref={dialog} {onclose}>
            <h2>{ "Profile" }</h2>
            <p>
                { "The rules ask a profile which names count: what guards, which helpers exist, where caches lie, what is hot and what is cold. \
                   Built in are the names of " }{ topic::BUILTIN_PROFILE }
                { ". For another repository, choose its own file; what the file leaves out is as in Python and its well-known libraries." }
            </p>
            <pre class="example" tabindex="0"><code>{ EXAMPLE }</code></pre>
            <p role="status" class="in-use">{ "Reviews use " }<strong>{ props.chosen.profile_name().to_owned() }</strong>{ "." }</p>
            if let Some(sentence) = &props.chosen.refused {
                <p role="alert" class="refused">{ sentence.clone() }</p>
            }
            <div class="profile-ways">
                <ProfileFile act={props.act.clone()} />
                <button type="button" disabled={props.chosen.profile.is_none()} onclick={builtin}>{ "Use the built-in one" }</button>
            </div>
            <p>{ "The choice is kept in this browser, and links name the profile that they were made with." }</p>
            <button type="button" class="close" onclick={close}>{ "Close" }</button>
        </dialog>
    }
}

#[derive(Properties, PartialEq)]
struct FileProps {
    act: Callback<Action>,
}

#[component]
fn ProfileFile(props: &FileProps) -> Html {
    let reader = use_mut_ref(|| None);
    let act = props.act.clone();
    let onfiles = Callback::from(move |files: FileList| {
        if let Some(file) = files.first() {
            *reader.borrow_mut() = read_profile(file, &act);
        }
    });
    html! {
        <FileButton label="Choose profile file" class="primary" id="profile-file"
            accept=".json,application/json" {onfiles} />
    }
}

/// Chooses what the file holds; nothing is read of one that is too large.
fn read_profile(file: &File, act: &Callback<Action>) -> Option<FileReader> {
    let name = file.name();
    if file.size() > LONGEST {
        let sentence = format!("{name} is too large to be a profile.");
        act.emit(Action::Choose(Choice::Profile(Err(sentence.into()))));
        return None;
    }
    let act = act.clone();
    Some(read_as_text(file, move |text| {
        let text = text.map(Into::into);
        let text = text.map_err(|_| format!("{name} could not be read.").into());
        act.emit(Action::Choose(Choice::Profile(text)));
    }))
}
