//! A menu: arrow keys go round, Escape and leaving it close it.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};
use yew::prelude::*;

const ITEMS: &str = "[role^=menuitem]";

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) label: &'static str,
    pub(super) close: Callback<()>,
    /// Anything with elements of the role `menuitem` and its kin.
    pub(super) children: Html,
}

#[component]
pub(super) fn Menu(props: &Props) -> Html {
    let menu = use_node_ref();
    use_effect_with(menu.clone(), |menu| {
        let menu = menu.cast::<Element>();
        focus(menu.and_then(|menu| menu.query_selector("[role=menuitem]").ok()?));
    });
    let onkeydown = {
        let (menu, close) = (menu.clone(), props.close.clone());
        move |event: KeyboardEvent| {
            let step = match event.key().as_str() {
                "Escape" => return close.emit(()),
                "ArrowDown" | "ArrowRight" => 1,
                "ArrowUp" | "ArrowLeft" => -1,
                _ => return,
            };
            event.prevent_default();
            let items = menu.cast::<Element>().map(|menu| items(&menu));
            focus(items.and_then(|items| neighbour(&items, event.target(), step)));
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
    html! {
        <div class="menu" role="menu" aria-label={props.label} tabindex="-1" ref={menu} {onkeydown} {onfocusout}>
            { props.children.clone() }
        </div>
    }
}

fn items(menu: &Element) -> Vec<Element> {
    let Ok(items) = menu.query_selector_all(ITEMS) else {
        return Vec::new();
    };
    let item = |index| items.get(index)?.dyn_into().ok();
    (0..items.length()).filter_map(item).collect()
}

/// The item that is so many steps away, from the last on to the first and back.
fn neighbour(
    items: &[Element],
    from: Option<web_sys::EventTarget>,
    step: isize,
) -> Option<Element> {
    let here = from?.dyn_into::<Element>().ok()?;
    let at = items.iter().position(|item| *item == here)?;
    let there = at.checked_add_signed(step).unwrap_or(items.len() - 1);
    items.get(there).or_else(|| items.first()).cloned()
}

fn focus(element: Option<Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}
