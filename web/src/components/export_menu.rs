//! The report as a file or on the clipboard.

use super::export_format::{Format, Review};
use super::menu::Menu;
use crate::browser::handover;
use crate::desk::Desk;
use crate::diff_file::DiffFile;
use crate::input::Text;
use crate::state::{Action, Choice};
use report::Report;
use report::export::Gravity;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    /// What to export, once there is something: as the rules gave it, since the forms lay the work over it.
    pub(crate) report: Option<Rc<Report>>,
    /// The diff of the report; empty where the report came without it.
    pub(crate) files: Rc<Vec<Rc<DiffFile>>>,
    pub(crate) text: Text,
    pub(crate) act: Callback<Action>,
}

/// What most reviews end with, and what it is good for.
const COMMENT: [&str; 2] = [
    "Copy the comment",
    "for the author, to paste into the pull request",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Save,
    Copy,
}

#[component]
pub(crate) fn ExportMenu(props: &Props) -> Html {
    let is_open = use_state_eq(|| false);
    let way = use_state_eq(|| Way::Save);
    let nits = use_state_eq(|| false);
    let said = use_state_eq(AttrValue::default);
    let toggle = {
        let (is_open, said) = (is_open.clone(), said.clone());
        move |_: MouseEvent| {
            said.set(AttrValue::default());
            is_open.set(!*is_open);
        }
    };
    let close = use_callback((), {
        let is_open = is_open.setter();
        move |(), ()| is_open.set(false)
    });
    let tell = use_callback((), {
        let said = said.setter();
        move |sentence, ()| said.set(sentence)
    });
    let item = |format: Format, way: Way, [name, good_for]: [&'static str; 2]| {
        html! {
            <ExportItem {format} {way} {name} {good_for} nits={*nits} of={props.clone()} close={close.clone()} said={tell.clone()} />
        }
    };
    let choose_way = |chosen: Way, name: &'static str| {
        let set = way.setter();
        choice(
            name,
            *way == chosen,
            Callback::from(move |()| set.set(chosen)),
        )
    };
    let onclick = {
        let nits = nits.clone();
        move |_: MouseEvent| nits.set(!*nits)
    };
    html! {
        <div class="menu-place">
            <button type="button" aria-haspopup="menu" aria-expanded={is_open.to_string()}
                disabled={props.report.is_none()} onclick={toggle}>{ "Export" }</button>
            if *is_open {
                <Menu label="Export" close={close.clone()}>
                    { item(Format::Markdown, Way::Copy, COMMENT) }
                    <div class="menu-row" role="group" aria-label="How">
                        { choose_way(Way::Save, "Save as a file") }
                        { choose_way(Way::Copy, "Copy") }
                    </div>
                    { for Format::ALL.map(|format| item(format, *way, [format.name(), format.good_for()])) }
                    <GravityChoice act={props.act.clone()} />
                    <button type="button" class="menu-check" role="menuitemcheckbox" tabindex="-1" aria-checked={nits.to_string()} {onclick}>
                        { "NITs in SARIF too" }
                    </button>
                </Menu>
            }
            <span role="status" class="said">{ (*said).clone() }</span>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct ItemProps {
    format: Format,
    way: Way,
    name: &'static str,
    good_for: &'static str,
    nits: bool,
    of: Props,
    close: Callback<()>,
    /// Takes what became of it.
    said: Callback<AttrValue>,
}

/// Exports in one form, in one way.
#[component]
fn ExportItem(props: &ItemProps) -> Html {
    let desk = use_context::<Desk>().unwrap_or_default();
    let (name, good_for) = (props.name, props.good_for);
    let (format, way, nits) = (props.format, props.way, props.nits);
    let (of, close, said) = (props.of.clone(), props.close.clone(), props.said.clone());
    let onclick = move |_: MouseEvent| {
        close.emit(());
        let Some(report) = of.report.as_deref() else {
            return;
        };
        let written = format.write(&Review {
            report,
            desk: &desk,
            files: &of.files,
            text: &of.text,
            nits,
        });
        hand_over(written, format, way, said.clone());
    };
    html! {
        <button type="button" role="menuitem" tabindex="-1" aria-description={good_for} {onclick}>
            { name }<span class="good-for" aria-hidden="true">{ good_for }</span>
        </button>
    }
}

#[derive(Properties, PartialEq)]
struct GravityProps {
    act: Callback<Action>,
}

/// What a BLOCK is called.
#[component]
fn GravityChoice(props: &GravityProps) -> Html {
    let desk = use_context::<Desk>().unwrap_or_default();
    let choose = |chosen: Gravity| {
        let choose = move |()| Action::Choose(Choice::Gravity(chosen));
        choice(
            chosen.word(),
            desk.gravity == chosen,
            props.act.reform(choose),
        )
    };
    html! {
        <div class="menu-row" role="group" aria-label="What a BLOCK is called">
            <span aria-hidden="true">{ "Call a BLOCK" }</span>
            { choose(Gravity::High) }
            { choose(Gravity::Critical) }
        </div>
    }
}

fn choice(name: &'static str, is_chosen: bool, choose: Callback<()>) -> Html {
    let onclick = choose.reform(|_: MouseEvent| ());
    html! {
        <button type="button" role="menuitemradio" tabindex="-1" aria-checked={is_chosen.to_string()} {onclick}>{ name }</button>
    }
}

fn hand_over(text: String, format: Format, way: Way, said: Callback<AttrValue>) {
    let name = format.name();
    let (file, kind) = format.file();
    match way {
        Way::Save if handover::save(file, kind, &text) => said.emit(format!("{file} saved").into()),
        Way::Save => said.emit("The browser refused to save the file".into()),
        Way::Copy => spawn_local(async move {
            said.emit(match handover::copy(text).await {
                true => format!("{name} copied").into(),
                false => "The browser refused to copy; save a file instead".into(),
            });
        }),
    }
}
