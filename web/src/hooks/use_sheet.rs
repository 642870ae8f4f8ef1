//! What of the sheet is drawn: follows the window, learns heights, and keeps what is read where it is.

use crate::browser::heights::Observer;
use crate::browser::viewport;
use crate::diff_file::DiffFile;
use crate::sheet::{Drawn, ItemKey, Model, Pixels, Target};
use gloo::events::EventListener;
use gloo::utils::{document, window};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Drawn above and below the window, and the step in which the drawn part follows it.
const MARGIN: Pixels = 400.0;
const STEP: Pixels = 160.0;

/// The sheet. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Sheet(Rc<Inner>);

struct Inner {
    list: NodeRef,
    model: RefCell<Model>,
    /// Of the review that the model belongs to.
    review: Cell<u32>,
    anchor: Cell<Option<Anchor>>,
    /// An item that is to be shown, drawn wherever it is until then.
    wanted: Cell<Option<ItemKey>>,
    /// The item that was shown last, which stays where it is until the user does anything.
    held: Cell<Option<ItemKey>>,
    part: UseStateSetter<Part>,
}

/// What stands at the top of the window, so that it stays there whatever becomes of what is above it.
#[derive(Clone, Copy)]
struct Anchor {
    item: ItemKey,
    /// Where on the page it began when that was last looked at.
    top: Pixels,
}

/// The part of the sheet that is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
struct Part {
    window: Range<Pixels>,
    /// Items that are drawn wherever they are: what has the focus, what the selection began in, what is wanted.
    pins: Vec<ItemKey>,
}

/// The sheet of these files; `review` tells one set of files from the next.
#[hook]
pub(crate) fn use_sheet(
    files: &[Rc<DiffFile>],
    review: u32,
    split: bool,
) -> (Sheet, Drawn, Observer) {
    let part = use_state_eq(Part::default);
    let list = use_node_ref();
    let sheet = use_memo((), |()| Sheet(Rc::new(Inner::new(list, part.setter()))));
    let sheet = Sheet::clone(&sheet);
    let observer = use_memo((), |()| Observer::new(sheet.measures()));
    use_window(&sheet);
    let drawn = sheet.update(files, review, split, &part);
    use_effect({
        let sheet = sheet.clone();
        move || sheet.settle()
    });
    (sheet, drawn, Observer::clone(&observer))
}

#[hook]
fn use_window(sheet: &Sheet) {
    let sheet = sheet.clone();
    use_effect_with((), move |()| {
        let on = |event: &'static str| {
            let sheet = sheet.clone();
            EventListener::new(&window(), event, move |_| sheet.look())
        };
        let selection = {
            let sheet = sheet.clone();
            EventListener::new(&document(), "selectionchange", move |_| sheet.look())
        };
        let release = |event: &'static str| {
            let sheet = sheet.clone();
            EventListener::new(&window(), event, move |_| sheet.0.held.set(None))
        };
        // Listeners of gloo are passive, so none of these holds up the scrolling.
        let listeners = (
            (on("scroll"), on("resize"), on("focusin"), selection),
            ["wheel", "touchmove", "pointerdown", "keydown"].map(release),
        );
        move || drop(listeners)
    });
}

impl PartialEq for Sheet {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Inner {
    fn new(list: NodeRef, part: UseStateSetter<Part>) -> Self {
        Inner {
            list,
            model: RefCell::default(),
            review: Cell::default(),
            anchor: Cell::default(),
            wanted: Cell::default(),
            held: Cell::default(),
            part,
        }
    }
}

impl Sheet {
    /// The element that holds the sheet and nothing else.
    pub(crate) fn list(&self) -> NodeRef {
        self.0.list.clone()
    }

    /// Asks the model, which must not be kept.
    pub(crate) fn with<T>(&self, ask: impl FnOnce(&Model) -> T) -> T {
        ask(&self.0.model.borrow())
    }

    /// Brings an item to the middle of the window, as far as its place is known, and has it drawn.
    pub(crate) fn want(&self, target: Target) {
        let model = self.0.model.borrow();
        let (key, top) = (model.key(target), model.top(target));
        drop(model);
        let (Some(top), Some(list)) = (top, self.page_top()) else {
            return;
        };
        self.0.wanted.set(key);
        viewport::scroll_to(list + top - viewport::height() / 3.0);
        self.look();
    }

    /// What was wanted is in the window now, and stays where it is.
    pub(crate) fn shown(&self) {
        self.0.held.set(self.0.wanted.take());
        self.look();
    }

    fn measures(&self) -> Callback<Vec<(ItemKey, f64)>> {
        let sheet = self.clone();
        Callback::from(move |heights: Vec<(ItemKey, f64)>| {
            let changed = sheet.0.model.borrow_mut().measure(heights);
            if changed {
                sheet.settle();
            }
        })
    }

    fn update(&self, files: &[Rc<DiffFile>], review: u32, split: bool, part: &Part) -> Drawn {
        let mut model = self.0.model.borrow_mut();
        if self.0.review.replace(review) != review {
            model.clear();
            self.0.anchor.take();
            self.0.wanted.take();
        }
        // The window will follow what it shows to its new place, so that is what has to be drawn.
        let anchor = self.0.anchor.get().map(|anchor| anchor.item);
        let before = anchor.and_then(|item| model.top(model.find(item)?));
        model.update(files, split);
        let after = anchor.and_then(|item| model.top(model.follow(item)?));
        let moved = before
            .zip(after)
            .map_or(0.0, |(before, after)| after - before);
        let window = part.window.start + moved..part.window.end + moved;
        model.drawn(window, &part.pins)
    }

    /// Where the list begins on the page.
    fn page_top(&self) -> Option<Pixels> {
        let list = self.0.list.cast::<Element>()?;
        Some(list.get_bounding_client_rect().top() + viewport::scrolled())
    }

    /// After heights or items changed: what was at the top of the window goes back there.
    fn settle(&self) {
        if let (Some(anchor), Some(list)) = (self.0.anchor.get(), self.page_top()) {
            let model = self.0.model.borrow();
            let top = model
                .follow(anchor.item)
                .and_then(|target| model.top(target));
            drop(model);
            let moved = top.map_or(0.0, |top| list + top - anchor.top);
            if moved.abs() >= 0.5 {
                viewport::scroll_by(moved);
            }
        }
        self.look();
    }

    /// Takes note of what is in the window.
    fn look(&self) {
        let Some(list) = self.0.list.cast::<Element>() else {
            return;
        };
        let top = -list.get_bounding_client_rect().top();
        let model = self.0.model.borrow();
        let held = self.0.held.get().and_then(|item| model.find(item));
        self.0.anchor.set(anchor(&model, top, held));
        drop(model);
        let mut pins: Vec<ItemKey> = viewport::held_items();
        pins.extend(self.0.wanted.get());
        pins.sort_unstable();
        pins.dedup();
        let floor = |place: Pixels| (place / STEP).floor() * STEP;
        let window = floor(top - MARGIN)..floor(top + viewport::height() + MARGIN + STEP);
        self.0.part.set(Part { window, pins });
    }
}

/// Nothing where the sheet begins below the top of the window: then the page stays as it is from there.
fn anchor(model: &Model, top: Pixels, held: Option<Target>) -> Option<Anchor> {
    if top <= 0.0 && held.is_none() {
        return None;
    }
    let target = held.or_else(|| model.at(top))?;
    Some(Anchor {
        item: model.key(target)?,
        top: model.top(target)? - top + viewport::scrolled(),
    })
}
