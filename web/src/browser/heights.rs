//! Heights of elements, told whenever they change.

use crate::sheet::ItemKey;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, ResizeObserver, ResizeObserverEntry};
use yew::Callback;

/// Watches elements that name themselves by `data-item`. Clones are the same observer.
#[derive(Clone)]
pub(crate) struct Observer(Rc<Watching>);

struct Watching {
    // None where the browser has none: then heights stay guesses.
    observer: Option<ResizeObserver>,
    _told: Closure<dyn FnMut(js_sys::Array)>,
}

impl PartialEq for Observer {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Observer {
    /// `tell` is called after each layout in which heights changed, with the names and heights in CSS pixels.
    pub(crate) fn new(tell: Callback<Vec<(ItemKey, f64)>>) -> Self {
        let told = Closure::new(move |entries: js_sys::Array| {
            let heights = entries
                .iter()
                .filter_map(|entry| height_of(&entry.unchecked_into()));
            tell.emit(heights.collect());
        });
        let observer = ResizeObserver::new(told.as_ref().unchecked_ref()).ok();
        Observer(Rc::new(Watching {
            observer,
            _told: told,
        }))
    }

    pub(crate) fn watch(&self, element: &Element) {
        if let Some(observer) = &self.0.observer {
            observer.observe(element);
        }
    }

    pub(crate) fn forget(&self, element: &Element) {
        if let Some(observer) = &self.0.observer {
            observer.unobserve(element);
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

/// What is hidden has no height, which says nothing about the height that it has when it is shown.
fn height_of(entry: &ResizeObserverEntry) -> Option<(ItemKey, f64)> {
    let element = entry.target().dyn_into::<HtmlElement>().ok()?;
    let name = element.get_attribute("data-item")?.parse().ok()?;
    let height = entry.content_rect().height();
    (height > 0.0).then_some((name, height))
}
