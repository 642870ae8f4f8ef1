//! An item of the sheet, watched for its height; and the space of those that are not drawn.

use crate::browser::heights::Observer;
use crate::sheet::ItemKey;
use gloo::utils::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The key of the item on the sheet.
    pub(crate) item: ItemKey,
    pub(crate) observer: Observer,
    #[prop_or_default]
    pub(crate) class: Classes,
    pub(crate) children: Html,
}

#[component]
pub(crate) fn Measured(props: &Props) -> Html {
    let node = use_node_ref();
    let watched = (props.item, props.observer.clone());
    use_effect_with(watched, {
        let node = node.clone();
        move |(_, observer)| {
            let element = node.cast::<Element>();
            if let Some(element) = &element {
                observer.watch(element);
            }
            let observer = observer.clone();
            move || {
                if let Some(element) = element {
                    observer.forget(&element);
                }
            }
        }
    });
    html! {
        <div class={classes!("item", props.class.clone())} ref={node} data-item={props.item.to_string()}>
            { props.children.clone() }
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct SpaceProps {
    /// In CSS pixels.
    pub(crate) height: f64,
}

/// Its height is set while it is drawn and not in an effect: what is drawn beside it takes the place that it gives up.
#[component]
pub(crate) fn Space(props: &SpaceProps) -> Html {
    let element = use_memo((), |()| {
        let element = document().create_element("div").ok()?;
        element.set_class_name("space");
        element.dyn_into::<HtmlElement>().ok()
    });
    let Some(element) = &*element else {
        return html! {};
    };
    // A style attribute would be refused by the page's policy; this is not one.
    let _ = element
        .style()
        .set_property("height", &format!("{}px", props.height));
    Html::VRef(element.clone().into())
}
