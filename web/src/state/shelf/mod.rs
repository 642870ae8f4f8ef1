//! The reviews that are kept, and which of them is on the page: found again by their text, carried on from
//! version to version, and asked about where the page cannot know.

mod arriving;
mod offered;
mod stored;

use crate::kept::Kept;
use report::Work;
use std::rc::Rc;
use yew::AttrValue;

#[derive(Clone, PartialEq, Default)]
pub(crate) struct Shelf {
    /// The one that was on the page last comes first.
    pub(crate) kept: Rc<Vec<Rc<Kept>>>,
    /// Id of the review on the page.
    pub(crate) current: Option<String>,
    /// Id of the finished review that was on the page before.
    last: Option<String>,
    /// Whether the browser's store was asked what it holds, and answered in some way.
    pub(crate) is_recalled: bool,
    /// Id of the review whose text is to be fetched from the store and put on the page.
    pub(crate) wanted: Option<String>,
    /// Whether the reviewer chose that nothing is stored any more.
    pub(crate) forgets: bool,
    /// Counts what the reviewer did to the work by hand.
    pub(crate) n_changes: u32,
    /// Why nothing, or not everything, is stored.
    pub(crate) trouble: Option<AttrValue>,
    /// Work that came with a link or a document and waits for the report.
    offer: Option<Box<Work>>,
    pub(crate) question: Option<Question>,
    pub(crate) news: Option<News>,
}

/// Something that only the reviewer can know.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Question {
    /// Whether the text on the page is a new version of the review with this id.
    SameReview(String),
    /// What to do with somebody's work, where there is some on the page.
    Theirs(Box<Work>),
}

/// Where work on the page came from that the reviewer did not do just now.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum News {
    /// From an older version of the review.
    Carried,
    /// With a link or a document, by whoever wrote a name.
    Came { by: Option<String> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    CarryOver,
    StartNew,
    KeepMine,
    TakeTheirs,
    /// Theirs beside mine; where both said something, mine.
    Merge,
}

/// How the text on the page came, as far as it matters for what is carried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// By typing in it: the same review at every keystroke.
    Typed,
    /// By hand, as a whole.
    Given,
    /// A sample or a whole link: it may be known here, but nobody has to be asked.
    Shown,
    /// Parts of a diff: never a version of anything.
    Excerpt,
}

impl Shelf {
    /// After everything was deleted.
    pub(super) fn emptied(&self) -> Self {
        Shelf {
            is_recalled: true,
            forgets: self.forgets,
            ..Shelf::default()
        }
    }

    /// The review on the page.
    pub(crate) fn on_page(&self) -> Option<&Rc<Kept>> {
        self.get(self.current.as_deref()?)
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Rc<Kept>> {
        self.kept.iter().find(|kept| kept.id == id)
    }

    /// Whether a newer version carries this one on.
    pub(crate) fn is_older(&self, id: &str) -> bool {
        self.kept
            .iter()
            .any(|kept| kept.older.as_deref() == Some(id))
    }

    /// Changes the review on the page.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Kept)) {
        if let Some(id) = self.current.clone() {
            self.change_one(&id, change);
        }
    }

    fn change_one(&mut self, id: &str, change: impl FnOnce(&mut Kept)) {
        let kept = Rc::make_mut(&mut self.kept);
        if let Some(kept) = kept.iter_mut().find(|kept| kept.id == id) {
            change(Rc::make_mut(kept));
        }
    }

    /// The analysis of a text begins: of one that is known, of a draft that goes on, or of a new one.
    pub(super) fn begin(&mut self, title: &str, text: String, n_lines: usize) {
        self.question = None;
        self.news = None;
        self.wanted = None;
        let known = self.kept.iter().find(|kept| kept.text == text);
        let draft = self.on_page().filter(|kept| kept.is_draft());
        let [known, draft] = [known, draft].map(|kept| kept.map(|kept| kept.id.clone()));
        if let (Some(known), Some(draft)) = (&known, &draft)
            && known != draft
        {
            self.remove(draft);
        }
        let id = known.or(draft).unwrap_or_else(|| self.add(&text));
        self.put_on_page(Some(id));
        self.change(|kept| {
            kept.is_running = true;
            kept.n_lines = n_lines;
            if kept.is_draft() {
                kept.title = title.to_owned();
            }
            if kept.text != text {
                kept.skipped.clear();
            }
            kept.text = text;
        });
    }

    /// Takes the review off the page, or puts another onto it.
    pub(super) fn put_on_page(&mut self, id: Option<String>) {
        if self.current == id {
            return;
        }
        self.question = None;
        self.news = None;
        if let Some(left) = self.on_page().filter(|kept| kept.work.version.is_some()) {
            self.last = Some(left.id.clone());
        }
        self.bring_to_front(id.as_deref());
        self.current = id;
    }

    fn bring_to_front(&mut self, id: Option<&str>) {
        let kept = Rc::make_mut(&mut self.kept);
        if let Some(at) = kept.iter().position(|kept| Some(kept.id.as_str()) == id) {
            let one = kept.remove(at);
            kept.insert(0, one);
        }
    }

    /// Adds an empty review and returns its id.
    fn add(&mut self, text: &str) -> String {
        let ids = (1..).map(|number| match number {
            1 => text.to_owned(),
            number => format!("{text}-{number}"),
        });
        let mut free = ids.filter(|id| self.get(id).is_none());
        let id = free.next().unwrap_or_default();
        let kept = Kept {
            id: id.clone(),
            ..Kept::default()
        };
        Rc::make_mut(&mut self.kept).insert(0, Rc::new(kept));
        id
    }

    /// The analysis ended without a diff.
    pub(super) fn finish_empty(&mut self) {
        self.change(|kept| kept.is_running = false);
    }

    pub(super) fn remove(&mut self, id: &str) {
        Rc::make_mut(&mut self.kept).retain(|kept| kept.id != id);
        if self.current.as_deref() == Some(id) {
            self.current = None;
        }
    }
}
