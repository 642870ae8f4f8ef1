//! What the page knows, and every way it changes. Plain data: no document, no worker, no clock.

mod answer;
mod breakdown;
mod chosen;
mod copying;
mod filter;
mod github;
mod here;
mod keeping;
mod origin;
mod reveal;
mod search;
mod shelf;
mod stepping;
#[cfg(test)]
mod tests;
mod text;
mod whole_files;
mod work;
#[cfg(test)]
mod work_tests;

pub(crate) use chosen::{Choice, Chosen};
pub(crate) use copying::Copying;
pub(crate) use filter::{Filter, Filtered};
pub(crate) use github::{Asking, Fetch, GitHub, Refused, Stage, Wanted};
pub(crate) use here::Here;
pub(crate) use keeping::ShelfAction;
pub(crate) use origin::Fetched;
pub(crate) use search::{LIMIT as SEARCH_LIMIT, Search, SearchAction};
pub(crate) use shelf::{Arrival, News, Question, Reply, Shelf};
pub(crate) use whole_files::{Whole, WholeFiles};
pub(crate) use work::WorkAction;

use crate::diff_file::{DiffFile, Rows};
use crate::input::Input;
use report::{Finding, FromWorker, Report, Side, Work};
use std::ops::Range;
use std::rc::Rc;
use yew::{AttrValue, Reducible};

#[derive(Clone, PartialEq, Default)]
pub(crate) struct State {
    pub(crate) input: Input,
    /// The text that the present one replaced, so that nothing is lost by a stray click.
    pub(crate) replaced: Option<Input>,
    /// Counts requests from 1; answers to any but the newest are dropped.
    pub(crate) request: u32,
    pub(crate) phase: Phase,
    pub(crate) files: Rc<Vec<Rc<DiffFile>>>,
    /// Rows of the files, as far as they are loaded.
    pub(crate) rows: Rc<Rows>,
    pub(crate) copying: Copying,
    /// The request that `files` belong to.
    pub(crate) files_of: u32,
    /// What the page shows: the report of the present text, or while it is analysed of the one before,
    /// with the reviewer's decisions laid over it.
    pub(crate) report: Option<Rc<Report>>,
    /// The same report as the rules gave it.
    pub(crate) found: Option<Rc<Report>>,
    /// The reviews that are kept, that on the page among them.
    pub(crate) shelf: Shelf,
    /// Counted findings that stand at no line of the diff that the page can show.
    pub(crate) astray: Rc<Vec<Rc<Finding>>>,
    /// The id of a finding.
    pub(crate) selected: Option<AttrValue>,
    /// What to bring into view.
    pub(crate) wish: Option<Wish>,
    n_wishes: u32,
    /// Where the reader is, for the next step, if that is not where they were brought to.
    here: Option<Here>,
    /// The rule whose card is open.
    pub(crate) rule: Option<u8>,
    pub(crate) tab: Tab,
    /// Something that went wrong beside the review, as a sentence.
    pub(crate) notice: Option<AttrValue>,
    /// The diff cut to the hunks that carry findings, for a short link.
    pub(crate) excerpt: Option<AttrValue>,
    /// The fragment of the link that was asked for last, once it is packed.
    pub(crate) link: Option<AttrValue>,
    pub(crate) github: GitHub,
    /// Of the head that the present text was fetched from.
    pub(crate) whole: WholeFiles,
    pub(crate) chosen: Chosen,
    pub(crate) filter: Filter,
    pub(crate) search: Search,
    /// The finding whose card is to ask for the reason of a dismissal.
    pub(crate) asks_reason: Option<AttrValue>,
    /// Whether Help is open.
    pub(crate) helps: bool,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) enum Phase {
    /// No text.
    #[default]
    Empty,
    /// `done` of `total` Python files are analysed; `total` is 0 until the diff was read.
    Working {
        done: u32,
        total: u32,
    },
    Done,
    Cancelled,
    /// The analysis broke down; the sentence says how.
    Failed(AttrValue),
}

/// Something that can be scrolled to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    Finding(AttrValue),
    File(u32),
    Line {
        path: AttrValue,
        side: Side,
        line: u32,
    },
    /// A row with what was searched, counted as the worker does.
    Hit {
        file: u32,
        row: u32,
    },
}

/// The wish to have something in view.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wish {
    pub(crate) place: Place,
    /// Tells this wish from one for the same place before.
    pub(crate) turn: u32,
}

/// What a narrow screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Tab {
    Checklist,
    Changes,
    #[default]
    Input,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Next,
    Previous,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// The text in the box is now this.
    Edit(AttrValue),
    /// This text replaces the present one; the finding is to be selected.
    Load {
        input: Input,
        selected: Option<AttrValue>,
    },
    /// A link was opened: its text replaces the present one, and its work never does without a word.
    OpenLink {
        input: Input,
        selected: Option<AttrValue>,
        work: Box<Work>,
        /// The name of the profile that the link was made with.
        profile: String,
    },
    /// Somebody's work, for the text on the page or the next one.
    LoadWork(Box<Work>),
    Work(WorkAction),
    Shelf(ShelfAction),
    Choose(Choice),
    /// Puts a folded text into the box.
    Unfold,
    /// Back to the text that was replaced.
    Undo,
    Answer(Box<FromWorker>),
    /// The analysis broke down while it read the file with this index, if it is known.
    BrokeDown {
        sentence: AttrValue,
        file: Option<u32>,
    },
    Cancel,
    /// Reviews the same text again.
    Retry,
    Select(AttrValue),
    /// The reader scrolled away, and is here now; a step follows.
    Read(Here),
    Step(Step),
    StepFile(Step),
    /// Gives the line of the selected finding's rule its next answer.
    NextAnswer,
    /// Asks why the selected finding is dismissed.
    AskReason,
    /// The card asks, or cannot.
    ReasonAsked,
    SeekFilter,
    Filter(AttrValue),
    Search(SearchAction),
    Help(bool),
    Reveal(Place),
    OpenRule(u8),
    CloseRule,
    ToggleFile(u32),
    /// Opens or closes all files.
    OpenAll(bool),
    /// Shows or hides the excused and existing findings of a file.
    ToggleFolded(u32),
    /// Shows new lines outside of the hunks.
    Expand {
        file: u32,
        lines: Range<u32>,
    },
    /// Puts the code of these rows onto the clipboard.
    CopyRows {
        file: u32,
        rows: Range<u32>,
    },
    /// What became of it.
    Copied(bool),
    ShowTab(Tab),
    Notice(AttrValue),
    DropNotice,
    /// The link on the page is not, or no longer, the one to share.
    DropLink,
    Fetch(Fetch),
    Whole(Whole),
}

/// A text that was taken in replaces the present one; a sentence is shown beside it.
impl From<Result<Input, String>> for Action {
    fn from(taken: Result<Input, String>) -> Self {
        match taken {
            Ok(input) => Action::Load {
                input,
                selected: None,
            },
            Err(sentence) => Action::Notice(sentence.into()),
        }
    }
}

impl Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut next = State::clone(&self);
        next.act(action);
        Rc::new(next)
    }
}

impl State {
    fn act(&mut self, action: Action) {
        match action {
            Action::Edit(text) => self.edit(text),
            Action::Load { input, selected } => self.load(input, selected),
            Action::OpenLink {
                input,
                selected,
                work,
                profile,
            } => {
                self.shelf.offer(work);
                self.load(input, selected);
                self.compare_profile(&profile);
            }
            Action::LoadWork(work) => self.load_work(work),
            Action::Work(action) => self.work_on(action),
            Action::Shelf(action) => self.shelve(action),
            Action::Choose(choice) => self.choose(choice),
            Action::Unfold => self.input.folded = false,
            Action::Undo => self.undo(),
            Action::Answer(answer) => self.answer(*answer),
            Action::BrokeDown { sentence, file } => self.broke_down(sentence, file),
            Action::Cancel => self.phase = Phase::Cancelled,
            Action::Retry => self.retry(),
            Action::Select(id) => self.selected = Some(id),
            Action::Read(here) => self.here = Some(here),
            Action::Step(step) => self.step(step),
            Action::StepFile(step) => self.step_file(step),
            Action::NextAnswer => self.next_answer(),
            Action::AskReason => self.ask_reason(),
            Action::ReasonAsked => self.asks_reason = None,
            Action::SeekFilter => self.seek_filter(),
            Action::Filter(words) => self.filter.words = words,
            Action::Search(action) => self.search(action),
            Action::Help(open) => self.helps = open,
            Action::Reveal(place) => self.reveal(place),
            Action::OpenRule(rule) => self.rule = Some(rule),
            Action::CloseRule => self.rule = None,
            Action::ToggleFile(file) => self.change_file(file, DiffFile::toggle),
            Action::OpenAll(open) => self.open_all(open),
            Action::ToggleFolded(file) => {
                self.change_file(file, |file| file.unfolded = !file.unfolded);
            }
            Action::Expand { file, lines } => self.change_file(file, |file| file.expand(lines)),
            Action::CopyRows { file, rows } => self.copying.ask(file, rows),
            Action::Copied(done) => self.copied(done),
            Action::ShowTab(tab) => self.tab = tab,
            Action::Notice(sentence) => self.notice = Some(sentence),
            Action::DropNotice => self.notice = None,
            Action::DropLink => self.link = None,
            Action::Fetch(fetch) => self.fetch(fetch),
            Action::Whole(whole) => self.whole(whole),
        }
    }

    /// Whether there is anything of a review to show. A report may have come without its diff.
    pub(crate) fn has_review(&self) -> bool {
        let report = self.report.as_deref();
        !self.files.is_empty() || report.is_some_and(|report| !report.is_empty())
    }

    /// Whether the report on the page is that of the text on the page.
    pub(crate) fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }
}
