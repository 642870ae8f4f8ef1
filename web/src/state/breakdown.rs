//! What becomes of a review when the worker breaks down: it goes on without the file that was its end.

use super::{Phase, State};
use yew::AttrValue;

/// Files of one text that may break the analysis down before it is given up.
const MOST: usize = 3;

impl State {
    /// Begins again without the file, or gives up where none is to blame. The file stays left out when the
    /// same text comes back, so that nothing is run again by itself that broke the page once.
    pub(super) fn broke_down(&mut self, sentence: AttrValue, file: Option<u32>) {
        let skipped = &self.kept().skipped;
        let is_new = |file: &u32| skipped.len() < MOST && !skipped.contains(file);
        let culprit = file
            .filter(is_new)
            .filter(|_| self.files_of == self.request);
        match culprit {
            Some(file) => {
                let selected = self.selected.take();
                self.shelf.change(|kept| kept.skipped.extend([file]));
                self.begin();
                self.selected = selected;
            }
            None => self.phase = Phase::Failed(sentence),
        }
    }

    /// Reviews the same text again, all of it.
    pub(super) fn retry(&mut self) {
        self.shelf.change(|kept| kept.skipped.clear());
        self.begin();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{after, done, load, view};
    use super::*;
    use crate::state::{Action, ShelfAction};
    use std::rc::Rc;
    use yew::Reducible;

    fn broke(file: Option<u32>) -> Action {
        let sentence = "It broke.".into();
        Action::BrokeDown { sentence, file }
    }

    fn skipped(state: &State) -> Vec<u32> {
        state.kept().skipped.iter().copied().collect()
    }

    const FILES: [(&str, u32); 5] = [
        ("a.py", 3),
        ("b.py", 3),
        ("c.py", 3),
        ("d.py", 3),
        ("e.py", 3),
    ];

    #[test]
    fn the_review_goes_on_without_the_file_that_broke_it_down() {
        let state = after([load("one"), view(1, &FILES), broke(Some(1))]);
        assert_eq!((state.request, skipped(&state)), (2, vec![1]));
        assert!(matches!(state.phase, Phase::Working { .. }));
        assert_eq!(state.files.len(), FILES.len(), "what was shown stays");
    }

    #[test]
    fn it_is_given_up_where_no_file_is_to_blame_or_too_many_are() {
        for ways in [
            vec![broke(None)],
            vec![broke(Some(1)), view(2, &FILES), broke(Some(1))],
            (0..4)
                .flat_map(|file| [view(file + 1, &FILES), broke(Some(file))])
                .collect(),
        ] {
            let begun = [load("one"), view(1, &FILES)];
            let state = after(begun.into_iter().chain(ways));
            assert!(
                matches!(state.phase, Phase::Failed(_)),
                "{:?}",
                skipped(&state)
            );
            assert!(
                state.kept().is_running,
                "so that a reload does not begin it"
            );
        }
    }

    #[test]
    fn what_was_left_out_stays_so_until_a_retry() {
        let broken = [
            load("one"),
            view(1, &FILES),
            broke(Some(1)),
            view(2, &FILES),
            done(2, &[]),
        ];
        let state = after(broken);
        let again = Rc::clone(&state).reduce(load("two")).reduce(load("one"));
        assert_eq!(skipped(&again), [1]);
        let id = state.kept().id.clone();
        let text = Some("one".to_owned());
        let actions = [
            ShelfAction::Open(id.clone()),
            ShelfAction::Opened { id, text },
        ];
        let opened = actions
            .map(Action::Shelf)
            .into_iter()
            .fold(again, |state, action| state.reduce(action));
        assert_eq!(skipped(&opened), [1]);
        assert!(skipped(&opened.reduce(Action::Retry)).is_empty());
    }

    #[test]
    fn another_text_in_the_box_leaves_nothing_out() {
        let state = after([
            load("one"),
            view(1, &FILES),
            broke(Some(1)),
            Action::Edit("one more".into()),
        ]);
        assert!(skipped(&state).is_empty());
    }
}
