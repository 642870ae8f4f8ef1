//! The page's own search in the text of the diff, which also finds what is not drawn.

use super::{Here, Phase, Place, State, Step};
use report::FoundRow;
use std::rc::Rc;
use yew::AttrValue;

/// The largest number of hits that can be gone to. All are counted.
pub(crate) const LIMIT: u32 = 10_000;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SearchAction {
    /// Shows the field and asks for the focus.
    Open,
    Close,
    Words(AttrValue),
    Step(Step),
}

#[derive(Clone, PartialEq, Default)]
pub(crate) struct Search {
    pub(crate) is_open: bool,
    pub(crate) words: AttrValue,
    /// Counts the wishes to have the focus in the field.
    pub(crate) turn: u32,
    /// Counts the questions to the worker, which answers them in order.
    pub(crate) n_asked: u32,
    n_answered: u32,
    /// What the worker was asked for last.
    asked: AttrValue,
    /// The first hits, in the order of the diff.
    pub(crate) hits: Rc<Vec<FoundRow>>,
    /// How many there are in all.
    pub(crate) total: u32,
    /// The index of the hit that was gone to.
    pub(crate) at: Option<usize>,
    /// File and row from which on the first hit is looked for.
    from: (u32, u32),
}

impl Search {
    /// The hit that was gone to.
    pub(crate) fn current(&self) -> Option<&FoundRow> {
        self.hits.get(self.at?)
    }

    /// Whether the worker still owes an answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.n_asked != self.n_answered
    }

    fn clear(&mut self) {
        self.hits = Rc::default();
        self.total = 0;
        self.at = None;
    }

    /// One question at a time: whoever types is faster than a search of a large diff.
    fn ask(&mut self) {
        if self.words.is_empty() {
            self.clear();
        } else if self.is_open && !self.is_waiting() {
            self.n_asked += 1;
            self.asked = self.words.clone();
        }
    }
}

impl State {
    pub(super) fn search(&mut self, action: SearchAction) {
        match action {
            SearchAction::Open => self.open_search(),
            SearchAction::Close => {
                self.search.is_open = false;
                self.search.clear();
            }
            SearchAction::Words(words) => {
                self.search.words = words;
                self.search.ask();
            }
            SearchAction::Step(step) => self.step_hit(step),
        }
    }

    /// Whether the worker has the diff that the page shows.
    pub(crate) fn can_search(&self) -> bool {
        let is_over = matches!(self.phase, Phase::Cancelled | Phase::Failed(_));
        !self.files.is_empty() && self.files_of == self.request && !is_over
    }

    fn open_search(&mut self) {
        let here = self.here.take().and_then(|here| self.row_here(&here));
        if !self.can_search() {
            return;
        }
        self.tab = super::Tab::Changes;
        self.search.turn += 1;
        self.search.from = here.unwrap_or_default();
        if !self.search.is_open {
            self.search.is_open = true;
            self.search.ask();
        }
    }

    /// The diff is another one: what is looked for is looked for there.
    pub(super) fn search_anew(&mut self) {
        let search = &mut self.search;
        search.n_answered = search.n_asked;
        search.from = (0, 0);
        search.clear();
        search.ask();
    }

    /// Goes to the first hit from where the search began, or asks again if the words are other ones by now.
    pub(super) fn take_hits(&mut self, hits: Vec<FoundRow>, total: u32) {
        let search = &mut self.search;
        search.n_answered = search.n_asked;
        if !search.is_open || search.asked != search.words {
            return search.ask();
        }
        let n_above = hits.partition_point(|hit| (hit.file, hit.row) < search.from);
        search.at = (!hits.is_empty()).then_some(if n_above < hits.len() { n_above } else { 0 });
        search.hits = Rc::new(hits);
        search.total = total;
        self.show_hit();
    }

    /// Round and round.
    fn step_hit(&mut self, step: Step) {
        let n_hits = self.search.hits.len();
        let Some(at) = self.search.at.filter(|_| n_hits > 0) else {
            return;
        };
        let next = match step {
            Step::Next => at + 1,
            Step::Previous => at + n_hits - 1,
        };
        self.search.at = Some(next % n_hits);
        self.show_hit();
    }

    fn show_hit(&mut self) {
        if let Some(&FoundRow { file, row, .. }) = self.search.current() {
            self.search.from = (file, row);
            self.reveal(Place::Hit { file, row });
        }
    }

    /// File and row of a place.
    fn row_here(&self, here: &Here) -> Option<(u32, u32)> {
        match here {
            Here::Head { file, .. } => Some((*file, 0)),
            Here::Line { file, side, line } => {
                let of = self.files.get(*file as usize)?;
                Some((*file, of.row_at(*side, *line)?))
            }
            Here::Finding(id) => {
                let file = self.files.iter().find(|file| file.holds(id))?;
                let finding = self.finding(id)?;
                Some((file.index, file.row_at(finding.side, finding.line)?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{after, done, load, view};
    use super::super::{Action, Wish};
    use super::*;
    use report::{FromWorker, Side};

    fn review() -> Vec<Action> {
        vec![
            load("one"),
            view(1, &[("a.py", 30), ("b.py", 9_000)]),
            done(1, &[]),
        ]
    }

    fn search(action: SearchAction) -> Action {
        Action::Search(action)
    }

    fn look_for(words: &'static str) -> Action {
        search(SearchAction::Words(words.into()))
    }

    fn found(rows: &[(u32, u32)]) -> Action {
        let hit = |&(file, row): &(u32, u32)| FoundRow {
            file,
            row,
            start: 0,
            end: 3,
        };
        let answer = FromWorker::Found {
            id: 1,
            rows: rows.iter().map(hit).collect(),
            total: rows.len() as u32,
        };
        Action::Answer(Box::new(answer))
    }

    fn shown(actions: Vec<Action>) -> Option<(u32, u32)> {
        let state = after(review().into_iter().chain(actions));
        match &state.wish {
            Some(Wish {
                place: Place::Hit { file, row },
                ..
            }) => Some((*file, *row)),
            _ => None,
        }
    }

    const HITS: [(u32, u32); 3] = [(0, 3), (0, 20), (1, 4_000)];

    #[test]
    fn the_first_hit_from_the_place_that_is_read_is_gone_to() {
        let from = |line| {
            Action::Read(Here::Line {
                file: 0,
                side: Side::New,
                line,
            })
        };
        let open = search(SearchAction::Open);
        let find = |line| {
            shown(vec![
                from(line),
                open.clone(),
                look_for("abc"),
                found(&HITS),
            ])
        };
        assert_eq!(find(1), Some((0, 3)));
        assert_eq!(find(4), Some((0, 20)));
        assert_eq!(find(21), Some((1, 4_000)));
    }

    #[test]
    fn hits_are_stepped_through_round_and_round_and_open_their_file() {
        let start = [search(SearchAction::Open), look_for("abc"), found(&HITS)];
        let steps = |step: Step, n| {
            let steps = std::iter::repeat_n(search(SearchAction::Step(step)), n);
            start.iter().cloned().chain(steps).collect::<Vec<_>>()
        };
        assert_eq!(shown(steps(Step::Next, 3)), Some((0, 3)));
        assert_eq!(shown(steps(Step::Previous, 1)), Some((1, 4_000)));
        assert!(!after(review()).files[1].open);
        assert!(after(review().into_iter().chain(steps(Step::Next, 2))).files[1].open);
    }

    #[test]
    fn words_that_were_typed_over_are_not_gone_to_and_the_new_ones_are_asked_for_once() {
        let typed = [look_for("ab"), look_for("abc")];
        let start: Vec<_> = [search(SearchAction::Open)]
            .into_iter()
            .chain(typed)
            .collect();
        let late: Vec<_> = start.iter().cloned().chain([found(&HITS)]).collect();
        assert_eq!(shown(late), None);
        let both = start
            .into_iter()
            .chain([found(&HITS), found(&HITS[2..])])
            .collect();
        assert_eq!(shown(both), Some((1, 4_000)));
    }

    #[test]
    fn without_words_nothing_is_asked_and_nothing_found() {
        let start = [search(SearchAction::Open), look_for("abc"), found(&HITS)];
        let state = after(review().into_iter().chain(start).chain([look_for("")]));
        assert_eq!((state.search.total, state.search.n_asked), (0, 1));
    }

    #[test]
    fn the_next_diff_is_searched_for_the_same() {
        let start = [search(SearchAction::Open), look_for("abc"), found(&HITS)];
        let next = [load("two"), view(2, &[("c.py", 3)])];
        let state = after(review().into_iter().chain(start).chain(next));
        assert!(state.search.is_waiting() && state.search.hits.is_empty());
    }

    #[test]
    fn there_is_nothing_to_search_without_a_diff() {
        assert!(!after([search(SearchAction::Open)]).search.is_open);
        let stopped =
            review()
                .into_iter()
                .chain([Action::Retry, Action::Cancel, search(SearchAction::Open)]);
        assert!(!after(stopped).search.is_open);
    }
}
