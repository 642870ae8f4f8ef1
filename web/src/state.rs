//! What the page knows, and every way it changes. Plain data: no document, no worker, no clock.

use crate::diff_file::{DiffFile, open_at_first};
use crate::input::{Input, Origin};
use report::{DiffView, Finding, FromWorker, Report, Side};
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
    /// The request that `files` belong to.
    pub(crate) files_of: u32,
    /// Of the present text, or while it is analysed of the one before.
    pub(crate) report: Option<Rc<Report>>,
    /// Counted findings that stand at no line of the diff that the page can show.
    pub(crate) astray: Rc<Vec<Rc<Finding>>>,
    /// The id of a finding.
    pub(crate) selected: Option<AttrValue>,
    /// What to bring into view, and the number of the wish.
    pub(crate) reveal: Option<(Place, u32)>,
    n_wishes: u32,
    /// The rule whose card is open.
    pub(crate) rule: Option<u8>,
    pub(crate) tab: Tab,
    /// Something that went wrong beside the review, as a sentence.
    pub(crate) notice: Option<AttrValue>,
    /// The diff cut to the hunks that carry findings, for a short link.
    pub(crate) excerpt: Option<AttrValue>,
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
    /// Puts a folded text into the box.
    Unfold,
    /// Back to the text that was replaced.
    Undo,
    Answer(FromWorker),
    BrokeDown(AttrValue),
    Cancel,
    /// Reviews the same text again.
    Retry,
    Select(AttrValue),
    Step(Step),
    Reveal(Place),
    OpenRule(u8),
    CloseRule,
    ToggleFile(u32),
    ShowRows {
        file: u32,
        rows: Range<u32>,
    },
    ShowTab(Tab),
    Notice(AttrValue),
    DropNotice,
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
            Action::Unfold => self.input.folded = false,
            Action::Undo => self.undo(),
            Action::Answer(answer) => self.answer(answer),
            Action::BrokeDown(sentence) => self.phase = Phase::Failed(sentence),
            Action::Cancel => self.phase = Phase::Cancelled,
            Action::Retry => self.begin(),
            Action::Select(id) => self.selected = Some(id),
            Action::Step(step) => self.step(step),
            Action::Reveal(place) => self.reveal(place),
            Action::OpenRule(rule) => self.rule = Some(rule),
            Action::CloseRule => self.rule = None,
            Action::ToggleFile(file) => self.change_file(file, DiffFile::toggle),
            Action::ShowRows { file, rows } => self.change_file(file, |file| file.show(rows)),
            Action::ShowTab(tab) => self.tab = tab,
            Action::Notice(sentence) => self.notice = Some(sentence),
            Action::DropNotice => self.notice = None,
        }
    }

    /// Whether the report on the page is that of the text on the page.
    pub(crate) fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// Ids of the findings to step through, in the order in which the page shows them.
    pub(crate) fn tour(&self) -> impl Iterator<Item = &str> {
        let placed = self.files.iter().flat_map(|file| file.counted());
        self.astray
            .iter()
            .chain(placed)
            .map(|finding| finding.id.as_str())
    }

    fn edit(&mut self, text: AttrValue) {
        if self.input.folded {
            self.keep_replaced();
        }
        self.input = Input::new(text, Origin::Typed);
        self.begin();
    }

    fn load(&mut self, input: Input, selected: Option<AttrValue>) {
        self.keep_replaced();
        self.input = input;
        self.selected = selected;
        self.tab = if self.input.is_blank() {
            Tab::Input
        } else {
            Tab::Checklist
        };
        self.begin();
    }

    fn keep_replaced(&mut self) {
        if !self.input.is_blank() {
            self.replaced = Some(std::mem::take(&mut self.input));
        }
    }

    fn undo(&mut self) {
        if let Some(input) = self.replaced.take() {
            self.load(input, None);
        }
    }

    /// Starts a request for the present text. What stands on the page stays until the new diff is read.
    fn begin(&mut self) {
        self.request += 1;
        self.notice = None;
        self.excerpt = None;
        self.phase = Phase::Working { done: 0, total: 0 };
        if self.input.is_blank() {
            let (input, replaced) = (std::mem::take(&mut self.input), self.replaced.take());
            *self = State {
                input,
                replaced,
                request: self.request,
                rule: self.rule,
                n_wishes: self.n_wishes,
                ..State::default()
            };
        }
    }

    fn answer(&mut self, answer: FromWorker) {
        match answer {
            FromWorker::View { id, view } if id == self.request => self.take_view(view),
            FromWorker::Progress { id, done, total } if id == self.request => {
                self.phase = Phase::Working { done, total };
            }
            FromWorker::Done { id, report } if id == self.request => self.take_report(report),
            FromWorker::Rows {
                id,
                file,
                from,
                rows,
            } if id == self.request => {
                self.change_file(file, |file| file.take_rows(from, rows));
            }
            FromWorker::Excerpt { id, text } if id == self.request => {
                self.excerpt = Some(text.into())
            }
            FromWorker::Failed { id, message } if id == self.request => {
                self.phase = Phase::Failed(message.into());
            }
            _ => {}
        }
    }

    fn take_view(&mut self, view: DiffView) {
        let files = (0..)
            .zip(view.files)
            .map(|(index, view)| Rc::new(DiffFile::new(index, view)));
        let mut files: Vec<_> = files.collect();
        open_at_first(&mut files);
        self.files = Rc::new(files);
        self.files_of = self.request;
        self.report = None;
        self.astray = Rc::default();
    }

    fn take_report(&mut self, report: Report) {
        self.phase = Phase::Done;
        self.place(&report);
        self.report = Some(Rc::new(report));
        match self.selected.take() {
            Some(id) if self.finding(&id).is_some() => self.reveal(Place::Finding(id)),
            _ => {}
        }
    }

    /// Gives each file its findings.
    fn place(&mut self, report: &Report) {
        let mut of_file = vec![Vec::new(); self.files.len()];
        let mut astray = Vec::new();
        for finding in report.findings.iter().cloned().map(Rc::new) {
            let home = self.file_of(&finding.path, finding.commit, finding.side, finding.line);
            match home.and_then(|index| of_file.get_mut(index)) {
                Some(findings) => findings.push(finding),
                None if finding.verdict.counts() => astray.push(finding),
                None => {}
            }
        }
        let files = Rc::make_mut(&mut self.files);
        for (file, findings) in files.iter_mut().zip(of_file) {
            Rc::make_mut(file).take_findings(findings);
        }
        open_at_first(files);
        self.astray = Rc::new(astray);
    }

    fn file_of(&self, path: &str, commit: Option<u32>, side: Side, line: u32) -> Option<usize> {
        self.files
            .iter()
            .position(|file| file.has(path, commit, side, line))
    }

    fn finding(&self, id: &str) -> Option<&Finding> {
        self.report.as_deref()?.finding(id)
    }

    fn step(&mut self, step: Step) {
        let ids: Vec<&str> = self.tour().collect();
        let here = ids
            .iter()
            .position(|id| self.selected.as_deref() == Some(*id));
        let there = match (here, step) {
            (None, Step::Next) => 0,
            (None, Step::Previous) => ids.len().saturating_sub(1),
            (Some(here), Step::Next) => (here + 1) % ids.len(),
            (Some(here), Step::Previous) => (here + ids.len() - 1) % ids.len(),
        };
        if let Some(id) = ids.get(there) {
            let id = AttrValue::from((*id).to_owned());
            self.reveal(Place::Finding(id));
        }
    }

    /// Opens what hides a place, and asks for it to be brought into view.
    fn reveal(&mut self, place: Place) {
        match &place {
            Place::File(file) => self.change_file(*file, |file| file.open = true),
            Place::Finding(id) => {
                self.selected = Some(id.clone());
                if let Some(finding) = self.finding(id).cloned() {
                    self.open_line(&finding.path, finding.commit, finding.side, finding.line);
                }
            }
            Place::Line { path, side, line } => self.open_line(path, None, *side, *line),
        }
        self.tab = Tab::Changes;
        self.n_wishes += 1;
        self.reveal = Some((place, self.n_wishes));
    }

    fn open_line(&mut self, path: &str, commit: Option<u32>, side: Side, line: u32) {
        if let Some(index) = self.file_of(path, commit, side, line) {
            self.change_file(index as u32, |file| {
                file.show_line(side, line);
            });
        }
    }

    fn change_file(&mut self, index: u32, change: impl FnOnce(&mut DiffFile)) {
        if let Some(file) = Rc::make_mut(&mut self.files).get_mut(index as usize) {
            change(Rc::make_mut(file));
        }
    }
}
