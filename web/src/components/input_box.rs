//! The box: paste, drop, choose a file, take a sample.

use super::act_button::ActButton;
use super::address_field::{AddressField, GitHubMore};
use super::file_button::FileButton;
use super::samples::Samples;
use crate::browser::intake::read_files;
use crate::input::{Input, Origin};
use crate::state::{Action, GitHub};
use crate::words::thousands;
use gloo::file::FileList;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) input: Input,
    /// Whether there is a text to go back to.
    pub(crate) can_undo: bool,
    pub(crate) github: GitHub,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn InputBox(props: &Props) -> Html {
    let oninput = props.act.reform(|event: InputEvent| {
        Action::Edit(
            event
                .target_unchecked_into::<HtmlTextAreaElement>()
                .value()
                .into(),
        )
    });
    let placeholder = if props.input.folded {
        "Paste again to replace it"
    } else {
        "Paste a unified diff: git diff, git show, git format-patch, or a pull request's .diff"
    };
    // Its height must not hang on the focus: what lies below would move away under the first click.
    let chosen = use_state_eq(|| None::<bool>);
    let is_tall = chosen.unwrap_or(props.input.origin == Origin::Typed);
    let toggle = {
        let chosen = chosen.clone();
        move |_: MouseEvent| chosen.set(Some(!is_tall))
    };
    html! {
        <div class={classes!("box", is_tall.then_some("is-tall"))}>
            <AddressField github={props.github.clone()} act={props.act.clone()} />
            <textarea id="diff" aria-label="Diff" spellcheck="false" autocomplete="off" autocapitalize="off"
                {placeholder} value={props.input.boxed()} {oninput} />
            <div class="box-actions">
                <Held input={props.input.clone()} act={props.act.clone()} />
                <button type="button" class="quiet size" aria-expanded={is_tall.to_string()} onclick={toggle}>
                    { if is_tall { "Small box" } else { "Large box" } }
                </button>
                <FileChoice act={props.act.clone()} />
                if !props.input.is_blank() {
                    <ActButton class="quiet" action={clear()} act={props.act.clone()}>{ "Clear" }</ActButton>
                }
                if props.can_undo {
                    <ActButton class="quiet" action={Action::Undo} act={props.act.clone()}>{ "Back to the text before" }</ActButton>
                }
                <Samples act={props.act.clone()} />
            </div>
            <GitHubMore github={props.github.clone()} act={props.act.clone()} />
        </div>
    }
}

fn clear() -> Action {
    Action::Load {
        input: Input::default(),
        selected: None,
    }
}

#[derive(Properties, PartialEq)]
struct HeldProps {
    input: Input,
    act: Callback<Action>,
}

/// What the page holds: where it came from, and for a folded text its size.
#[component]
fn Held(props: &HeldProps) -> Html {
    let input = &props.input;
    let from = match &input.origin {
        Origin::Typed if !input.folded => return html! {},
        Origin::Typed | Origin::Pasted => AttrValue::from("pasted"),
        Origin::File(name) => format!("from {name}").into(),
        Origin::Sample(title) => format!("from the sample \u{201c}{title}\u{201d}").into(),
        Origin::Kept => "kept from before".into(),
        Origin::Report { .. } => "from a saved review".into(),
        Origin::Link { excerpt: false } => "from a link".into(),
        Origin::Link { excerpt: true } => {
            "from a link that carries only the hunks with findings".into()
        }
        Origin::GitHub(fetched) => format!("from {}", fetched.target).into(),
    };
    html! {
        <p class="held">
            { format!("{} lines {from}", thousands(input.n_lines)) }
            if input.folded {
                <ActButton class="quiet" action={Action::Unfold} act={props.act.clone()}>{ "Show as text" }</ActButton>
            }
        </p>
    }
}

#[derive(Properties, PartialEq)]
struct FileChoiceProps {
    act: Callback<Action>,
}

#[component]
fn FileChoice(props: &FileChoiceProps) -> Html {
    let readers = use_mut_ref(Vec::new);
    let onfiles = props.act.clone();
    let onfiles = Callback::from(move |files: FileList| {
        *readers.borrow_mut() = read_files(&files, onfiles.reform(Action::from));
    });
    html! { <FileButton label="Choose file" multiple=true {onfiles} /> }
}
