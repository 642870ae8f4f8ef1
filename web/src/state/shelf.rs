//! The reviews that are kept, and which of them is on the page: found again by their text, carried on from
//! version to version, and asked about where the page cannot know.

use crate::kept::Kept;
use report::{Version, Work};
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

    /// The analysis ended. Says whose version the text is, or asks.
    pub(super) fn finish(&mut self, title: Option<String>, version: Version, arrival: Arrival) {
        let Some(kept) = self.on_page().cloned() else {
            return;
        };
        self.change(|kept| {
            kept.is_running = false;
            kept.title = title.unwrap_or(std::mem::take(&mut kept.title));
        });
        let is_known = kept.work.version.is_some();
        let last = (!is_known).then(|| self.predecessor(&version, arrival));
        self.change(|kept| kept.work.version = Some(version));
        match last.flatten() {
            Some(last) => self.carry(&last, arrival),
            None if !is_known => self.ask_whether_same(arrival),
            None => {}
        }
        self.settle_offer();
    }

    /// The kept review that this is the next version of.
    fn predecessor(&self, version: &Version, arrival: Arrival) -> Option<String> {
        if arrival == Arrival::Excerpt {
            return None;
        }
        let last = self.last.as_deref().and_then(|id| self.get(id));
        let others = self.kept.iter().filter(|kept| !self.is_older(&kept.id));
        let mut candidates = last.into_iter().chain(others);
        let follows = |kept: &&Rc<Kept>| {
            let is_other = self.current.as_ref() != Some(&kept.id);
            let of = kept.work.version.as_ref();
            is_other && of.is_some_and(|of| version.follows(of))
        };
        candidates.find(follows).map(|kept| kept.id.clone())
    }

    /// Lays the work of an older version over the one on the page. The older one stays as it was, so that
    /// nothing is lost should they be two reviews after all; the one before it goes.
    fn carry(&mut self, older: &str, arrival: Arrival) {
        let Some(older) = self.get(older).cloned() else {
            return;
        };
        let is_typed = arrival == Arrival::Typed && self.last.as_ref() == Some(&older.id);
        self.change(|kept| {
            let own = std::mem::take(&mut kept.work);
            let version = own.version.clone().unwrap_or_default();
            kept.work = match is_typed {
                true => Work {
                    version: Some(version),
                    ..older.work.clone()
                },
                false => older.work.carried_to(version),
            };
            kept.work.merge(
                &Work::default(),
                &Work {
                    version: None,
                    before: None,
                    ..own
                },
            );
            kept.older = if is_typed {
                older.older.clone()
            } else {
                Some(older.id.clone())
            };
        });
        if is_typed {
            self.remove(&older.id);
        } else {
            if let Some(oldest) = &older.older {
                self.remove(oldest);
            }
            self.change_one(&older.id, |kept| kept.older = None);
            self.news = Some(News::Carried);
        }
    }

    fn ask_whether_same(&mut self, arrival: Arrival) {
        if !matches!(arrival, Arrival::Typed | Arrival::Given) {
            return;
        }
        let last = self.last.as_deref().and_then(|id| self.get(id));
        let Some(last) = last.filter(|last| !last.has_no_entry()) else {
            return;
        };
        let versions = (
            &last.work.version,
            self.on_page().map(|kept| &kept.work.version),
        );
        let is_other_pull = match versions {
            (Some(last), Some(Some(now))) => now.same_pull(last) == Some(false),
            _ => false,
        };
        if !is_other_pull {
            self.question = Some(Question::SameReview(last.id.clone()));
        }
    }

    /// Somebody's work, to be laid over the review on the page or over the next one.
    pub(super) fn offer(&mut self, work: Box<Work>) {
        self.offer = Some(work);
    }

    /// Takes in work that waits, unless that would touch work on the page.
    pub(super) fn settle_offer(&mut self) {
        let Some(kept) = self.on_page().cloned() else {
            return;
        };
        let Some(theirs) = self.offer.take() else {
            return;
        };
        if kept.has_no_entry() {
            if !theirs.is_empty() {
                self.news = Some(News::Came {
                    by: theirs.reviewer.clone(),
                });
            }
            self.change(|kept| take(&mut kept.work, *theirs));
        } else if kept.work.differs_from(&theirs) {
            self.question = Some(Question::Theirs(theirs));
        }
    }

    pub(super) fn reply(&mut self, reply: Reply) {
        match (reply, self.question.take()) {
            (Reply::CarryOver, Some(Question::SameReview(id))) => self.carry(&id, Arrival::Given),
            (Reply::TakeTheirs, Some(Question::Theirs(theirs))) => {
                self.change(|kept| take(&mut kept.work, *theirs));
            }
            (Reply::Merge, Some(Question::Theirs(theirs))) => {
                self.change(|kept| kept.work.join(theirs.signed()));
            }
            (Reply::StartNew, None) => self.start_anew(),
            _ => {}
        }
    }

    /// Takes back that the review on the page carries on an older one.
    fn start_anew(&mut self) {
        self.news = None;
        self.change(|kept| {
            kept.older = None;
            kept.work = Work {
                version: kept.work.version.take(),
                reviewer: kept.work.reviewer.take(),
                ..Work::default()
            };
        });
    }

    pub(super) fn remove(&mut self, id: &str) {
        Rc::make_mut(&mut self.kept).retain(|kept| kept.id != id);
        if self.current.as_deref() == Some(id) {
            self.current = None;
        }
    }

    /// Takes in what the store holds. A review that was begun before it answered, and in which nothing was
    /// done yet, is begun anew: it may be known after all.
    pub(super) fn recall(&mut self, stored: Vec<Kept>) {
        self.is_recalled = true;
        let mut begun: Vec<_> = std::mem::take(&mut self.kept).to_vec();
        for kept in begun.iter_mut().filter(|kept| kept.has_no_entry()) {
            Rc::make_mut(kept).work.version = None;
        }
        let is_done_on = |id: &str| {
            begun
                .iter()
                .any(|begun| begun.id == id && !begun.is_draft())
        };
        let mut kept: Vec<_> = stored
            .into_iter()
            .filter(|kept| !is_done_on(&kept.id))
            .collect();
        for kept in &mut kept {
            let begun = begun.iter().find(|begun| begun.id == kept.id);
            kept.is_running |= begun.is_some_and(|begun| begun.is_running);
        }
        begun.retain(|begun| kept.iter().all(|kept| kept.id != begun.id));
        begun.extend(kept.into_iter().map(Rc::new));
        self.kept = Rc::new(begun);
        self.bring_to_front(self.current.clone().as_deref());
    }

    /// Takes in what another tab wrote of a review, and returns how many choices clash.
    pub(super) fn take_copy(&mut self, base: &Work, theirs: Kept) -> usize {
        let mut clashes = 0;
        if self.get(&theirs.id).is_none() {
            Rc::make_mut(&mut self.kept).push(Rc::new(theirs));
            return clashes;
        }
        self.change_one(&theirs.id.clone(), |kept| {
            clashes = kept.work.merge(base, &theirs.work);
            let work = std::mem::take(&mut kept.work);
            let is_running = kept.is_running;
            *kept = Kept {
                work,
                is_running,
                ..theirs
            };
        });
        clashes
    }
}

/// Replaces the work by somebody's. What they had seen in another version is what came before.
fn take(work: &mut Work, theirs: Work) {
    let theirs = theirs.signed();
    let is_other = |of: &Version| work.version.as_ref().is_some_and(|now| now.text != of.text);
    if let Some(of) = theirs.version.filter(is_other) {
        work.before = Some(of);
    }
    work.lines = theirs.lines;
    work.findings = theirs.findings;
}
