//! Writes what changed on the shelf into the store, one write after another, and reads what other tabs wrote.

mod ledger;

use crate::browser::session::{self, Unstored};
use crate::browser::store::{Refusal, Row, Store};
use crate::kept::Kept;
use crate::state::{Action, Shelf, ShelfAction};
use gloo::timers::callback::Timeout;
use ledger::{Ledger, Stored};
use report::Work;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use yew::{AttrValue, Callback};

/// Milliseconds to wait for the next change.
const PAUSE: u32 = 300;

const NO_STORE: &str = "This browser does not let the page store anything, as in private windows or where site data \
    is blocked. Everything works, but only while this page is open.";
const FULL: &str = "The browser's storage is full. What you do goes on, but only while this page is open; \
    deleting recent reviews makes room.";
const NO_ROOM_FOR_TEXT: &str = "The diff is too large for the room that the browser's storage has left. Your answers and \
    notes are stored; paste the diff again to come back to them.";

/// Called with the id of a review that another tab wrote or deleted.
type OnChange = Closure<dyn FnMut(String)>;

pub(crate) struct ShelfKeeper {
    act: Callback<Action>,
    ledger: RefCell<Ledger>,
    on_change: RefCell<Option<OnChange>>,
}

impl ShelfKeeper {
    pub(crate) fn new(act: Callback<Action>) -> Self {
        ShelfKeeper {
            act,
            ledger: RefCell::default(),
            on_change: RefCell::default(),
        }
    }

    fn shelve(&self, action: ShelfAction) {
        self.act.emit(Action::Shelf(action));
    }

    /// Opens the store and puts what it holds onto the shelf.
    pub(crate) fn start(keeper: &Rc<Self>) {
        let weak = Rc::downgrade(keeper);
        let on_change = Closure::new(move |id| ShelfKeeper::hear(&weak, id));
        if !session::remembers() {
            keeper.shelve(ShelfAction::Remember(false));
        }
        let keeper = keeper.clone();
        spawn_local(async move {
            match ShelfKeeper::recall(&keeper, &on_change).await {
                Ok(kept) => keeper.shelve(ShelfAction::Recalled(kept)),
                Err(_) => keeper.say(Some(NO_STORE)),
            }
            *keeper.on_change.borrow_mut() = Some(on_change);
        });
    }

    async fn recall(keeper: &Rc<Self>, on_change: &OnChange) -> Result<Vec<Kept>, Refusal> {
        let store = Rc::new(Store::open(on_change).await?);
        let rows = store.rows().await?;
        let unstored = session::unstored();
        let ledger = &mut *keeper.ledger.borrow_mut();
        ledger.store = Some(store);
        let mut kept = Vec::new();
        for row in rows {
            let mut one = row.kept();
            if let Some(unstored) = unstored.as_ref().filter(|it| it.id == one.id) {
                unstored.lay_over(&mut one);
            }
            one.is_running &= !session::has_ended(&one.id);
            kept.push(one);
            ledger.stored.insert(row.kept.id.clone(), Stored::of(row));
        }
        Ok(kept)
    }

    fn say(&self, sentence: Option<&'static str>) {
        let said = std::mem::replace(&mut self.ledger.borrow_mut().said, sentence);
        if said != sentence {
            self.shelve(ShelfAction::Trouble(sentence.map(AttrValue::from)));
        }
    }

    /// Takes what is on the shelf now, to be stored after a pause. What is deleted goes at once, and at once it
    /// is stored that an analysis begins or ends: it may be what breaks the page.
    pub(crate) fn take(keeper: &Rc<Self>, shelf: &Shelf, text: &AttrValue) {
        let mut ledger = keeper.ledger.borrow_mut();
        ledger.shelf = shelf.clone();
        ledger.text = text.clone();
        // At once, and not when the store has it: the tab may be reloaded in the same moment.
        if let Some(kept) = shelf.on_page() {
            session::set_ended(Some(&*kept.id).filter(|_| !kept.is_running));
        }
        let is_urgent = ledger.turns_running() || !ledger.gone().is_empty();
        let pause = if is_urgent { 0 } else { PAUSE };
        let keeper = keeper.clone();
        ledger.timer = Some(Timeout::new(pause, move || ShelfKeeper::write(&keeper)));
    }

    /// Stores at once, and notes in the tab's own storage what may not get through any more.
    pub(crate) fn hurry(keeper: &Rc<Self>) {
        {
            let ledger = keeper.ledger.borrow();
            let unstored = ledger.shelf.on_page().filter(|_| !ledger.shelf.forgets);
            let unstored = unstored.and_then(|kept| {
                let stored = ledger.stored.get(&kept.id)?;
                (stored.kept.work != kept.work).then(|| Unstored::of(&stored.kept.work, kept))
            });
            session::set_unstored(unstored.as_ref());
        }
        ShelfKeeper::write(keeper);
    }

    fn write(keeper: &Rc<Self>) {
        {
            let mut ledger = keeper.ledger.borrow_mut();
            ledger.timer = None;
            ledger.is_changed = true;
            if ledger.is_writing || ledger.store.is_none() || !ledger.shelf.is_recalled {
                return;
            }
            ledger.is_writing = true;
        }
        let keeper = keeper.clone();
        spawn_local(async move {
            while std::mem::take(&mut keeper.ledger.borrow_mut().is_changed) {
                keeper.write_all().await;
            }
            keeper.ledger.borrow_mut().is_writing = false;
        });
    }

    async fn write_all(&self) {
        let (store, changed, gone) = {
            let ledger = self.ledger.borrow();
            let Some(store) = ledger.store.clone() else {
                return;
            };
            (store, ledger.changed(), ledger.gone())
        };
        for id in gone {
            // What cannot be deleted now is found and deleted the next time.
            if store.remove(&id).await.is_ok() {
                self.ledger.borrow_mut().stored.remove(&id);
            }
        }
        for kept in changed {
            self.write_one(&store, kept).await;
        }
    }

    async fn write_one(&self, store: &Store, kept: Rc<Kept>) {
        let (revision, text) = self.ledger.borrow().to_write(&kept);
        let mut sentence = None;
        let mut written = store.write(&kept, revision, text.as_deref()).await;
        let mut has_text = text.is_some();
        if has_text && matches!(written, Err(Refusal::Full)) {
            written = store.write(&kept, revision, None).await;
            has_text = false;
            sentence = Some(NO_ROOM_FOR_TEXT);
        }
        match written {
            Ok(it) if it.written => {
                self.ledger.borrow_mut().was_written(kept, it.row, has_text);
                self.say(sentence);
            }
            Ok(it) => self.meet(&kept.id, it.row),
            Err(refusal) => {
                self.ledger.borrow_mut().was_refused(kept);
                self.say(Some(if refusal == Refusal::Full {
                    FULL
                } else {
                    NO_STORE
                }));
            }
        }
    }

    /// Another tab wrote, or deleted, what this one wanted to write.
    fn meet(&self, id: &str, row: Option<Row>) {
        let Some(row) = row else {
            self.ledger.borrow_mut().stored.remove(id);
            return self.shelve(ShelfAction::Deleted(id.to_owned()));
        };
        let theirs = row.kept();
        let before = self
            .ledger
            .borrow_mut()
            .stored
            .insert(id.to_owned(), Stored::of(row));
        let base = before.map_or_else(Work::default, |before| before.kept.work.clone());
        self.shelve(ShelfAction::Copy {
            base: Box::new(base),
            theirs: Box::new(theirs),
        });
    }

    /// Another tab wrote or deleted something.
    fn hear(keeper: &Weak<Self>, id: String) {
        let Some(keeper) = keeper.upgrade() else {
            return;
        };
        spawn_local(async move {
            let store = keeper.ledger.borrow().store.clone();
            let Some(store) = store else {
                return;
            };
            let Ok(row) = store.row(&id).await else {
                return;
            };
            let known = keeper.ledger.borrow().revision(&id);
            if row.as_ref().map_or(0, |row| row.revision) != known {
                keeper.meet(&id, row);
            }
        });
    }

    /// Fetches a text for the page.
    pub(crate) fn fetch(keeper: &Rc<Self>, id: String) {
        let keeper = keeper.clone();
        spawn_local(async move {
            let store = keeper.ledger.borrow().store.clone();
            let text = match store {
                Some(store) => store.text(&id).await.unwrap_or_default(),
                None => None,
            };
            keeper.shelve(ShelfAction::Opened { id, text });
        });
    }
}
