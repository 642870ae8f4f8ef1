//! What keys do beside stepping through the findings: from file to file, and work on the selected finding.

use super::{Place, State, Step, WorkAction};
use crate::diff_file::Homes;
use report::Answer;

impl State {
    /// Goes on from the file that is read, or that the reader was brought to last, round and round.
    pub(super) fn step_file(&mut self, step: Step) {
        let n_files = self.files.len() as u32;
        if n_files == 0 {
            return;
        }
        let from = self.here.take().and_then(|here| self.file_here(&here));
        let from = from.or_else(|| self.brought_to().map(Ok));
        let next = match (from.unwrap_or(Err(0)), step) {
            (Ok(here), Step::Next) => here + 1,
            (Err(next), Step::Next) => next,
            (Ok(next) | Err(next), Step::Previous) => next + n_files - 1,
        };
        self.reveal(Place::File(next % n_files));
    }

    /// The file of what the reader was brought to.
    fn brought_to(&self) -> Option<u32> {
        let index = match &self.wish.as_ref()?.place {
            Place::File(file) | Place::Hit { file, .. } => *file as usize,
            // Another card may have been chosen since.
            Place::Finding(_) => self
                .files
                .iter()
                .position(|file| file.holds(self.selected.as_deref().unwrap_or_default()))?,
            Place::Line { path, side, line } => {
                Homes::new(&self.files).of(path, None, *side, *line)?
            }
        };
        Some(index as u32).filter(|_| index < self.files.len())
    }

    /// Answers the line of the selected finding with the next answer there is.
    pub(super) fn next_answer(&mut self) {
        let selected = self.selected.as_deref().filter(|_| self.is_done());
        let rule = selected
            .and_then(|id| self.finding(id))
            .map(|finding| finding.rule);
        let Some(card) = rule.and_then(|rule| topic::topic().rule(rule)) else {
            return;
        };
        let kept = self.kept();
        let before = kept.work.lines.get(card.id).map(|work| work.answer);
        let answer = after(before.unwrap_or_default());
        let line = card.id.into();
        self.work_on(WorkAction::Answer { line, answer });
    }

    /// Has the selected finding ask why it is dismissed, as soon as its card is drawn.
    pub(super) fn ask_reason(&mut self) {
        let Some(id) = self.selected.clone() else {
            return;
        };
        if self.finding(&id).is_some() {
            self.reveal(Place::Finding(id.clone()));
            self.asks_reason = Some(id);
        }
    }
}

fn after(answer: Answer) -> Answer {
    let mut round = Answer::ALL.into_iter().cycle();
    round.find(|of| *of == answer);
    round.next().unwrap_or_default()
}
