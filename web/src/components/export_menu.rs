//! The report as a file or on the clipboard.

use crate::browser::handover;
use crate::desk::Desk;
use report::{Report, Work, export};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement, Node};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// What to export, once there is something: as the rules gave it, since the forms lay the work over it.
    pub(crate) report: Option<Rc<Report>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Markdown,
    Text,
    Sarif,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Save,
    Copy,
}

#[component]
pub(crate) fn ExportMenu(props: &Props) -> Html {
    let desk = use_context::<Desk>().unwrap_or_default();
    let is_open = use_state_eq(|| false);
    let way = use_state_eq(|| Way::Save);
    let said = use_state_eq(AttrValue::default);
    let toggle = {
        let (is_open, said) = (is_open.clone(), said.clone());
        move |_: MouseEvent| {
            said.set(AttrValue::default());
            is_open.set(!*is_open);
        }
    };
    let close = {
        let is_open = is_open.clone();
        Callback::from(move |()| is_open.set(false))
    };
    let export = {
        let (report, way, close) = (props.report.clone(), *way, close.clone());
        let (said, desk) = (said.setter(), desk.clone());
        Callback::from(move |format: Format| {
            close.emit(());
            if let Some(report) = &report {
                let said = said.clone();
                let text = format.write(report, &desk.kept.work);
                let said = Callback::from(move |sentence| said.set(sentence));
                hand_over(text, format, way, said);
            }
        })
    };
    let choose = {
        let way = way.setter();
        Callback::from(move |chosen| way.set(chosen))
    };
    html! {
        <div class="menu-place">
            <button type="button" aria-haspopup="menu" aria-expanded={is_open.to_string()}
                disabled={props.report.is_none()} onclick={toggle}>{ "Export" }</button>
            if *is_open {
                <Menu way={*way} {choose} {export} {close} />
            }
            <span role="status" class="said">{ (*said).clone() }</span>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct MenuProps {
    way: Way,
    choose: Callback<Way>,
    export: Callback<Format>,
    close: Callback<()>,
}

#[component]
fn Menu(props: &MenuProps) -> Html {
    let menu = use_node_ref();
    use_effect_with(menu.clone(), |menu| {
        if let Some(first) = menu
            .cast::<Element>()
            .and_then(|menu| menu.query_selector("[role=menuitem]").ok()?)
        {
            focus(&first);
        }
    });
    let onkeydown = {
        let close = props.close.clone();
        move |event: KeyboardEvent| match event.key().as_str() {
            "Escape" => close.emit(()),
            "ArrowDown" => go(&event, Element::next_element_sibling),
            "ArrowUp" => go(&event, Element::previous_element_sibling),
            _ => {}
        }
    };
    let onfocusout = {
        let (menu, close) = (menu.clone(), props.close.clone());
        move |event: FocusEvent| {
            let to = event
                .related_target()
                .and_then(|to| to.dyn_into::<Node>().ok());
            let stays = menu
                .cast::<Node>()
                .is_some_and(|menu| menu.contains(to.as_ref()));
            if !stays {
                close.emit(());
            }
        }
    };
    let item = |format: Format| {
        let onclick = props.export.reform(move |_: MouseEvent| format);
        html! { <button type="button" role="menuitem" tabindex="-1" {onclick}>{ format.name() }</button> }
    };
    let choice = |way: Way, name: &'static str| {
        let onclick = props.choose.reform(move |_: MouseEvent| way);
        let checked = (way == props.way).to_string();
        html! {
            <button type="button" role="menuitemradio" tabindex="-1" aria-checked={checked} {onclick}>{ name }</button>
        }
    };
    html! {
        <div class="menu" role="menu" aria-label="Export" ref={menu} {onkeydown} {onfocusout}>
            { choice(Way::Save, "Save as a file") }
            { choice(Way::Copy, "Copy") }
            { for [Format::Markdown, Format::Text, Format::Sarif, Format::Json].map(item) }
        </div>
    }
}

fn go(event: &KeyboardEvent, neighbour: impl Fn(&Element) -> Option<Element>) {
    event.prevent_default();
    let here = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    if let Some(there) = here.as_ref().and_then(neighbour) {
        focus(&there);
    }
}

fn focus(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Format::Markdown => "Markdown",
            Format::Text => "Plain text",
            Format::Sarif => "SARIF",
            Format::Json => "JSON",
        }
    }

    /// Name and type of the file.
    fn file(self) -> (&'static str, &'static str) {
        match self {
            Format::Markdown => ("hunkwise-review.md", "text/markdown"),
            Format::Text => ("hunkwise-review.txt", "text/plain"),
            Format::Sarif => ("hunkwise-review.sarif", "application/sarif+json"),
            Format::Json => ("hunkwise-review.json", "application/json"),
        }
    }

    fn write(self, report: &Report, work: &Work) -> String {
        match self {
            Format::Markdown => {
                let wording = topic::topic().wording(export::Gravity::default());
                export::markdown(report, work, &wording)
            }
            Format::Text => export::text(report, work),
            Format::Sarif => export::sarif(report, work, false),
            Format::Json => export::json(report, work),
        }
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
