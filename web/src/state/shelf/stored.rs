//! What comes from the browser's store: at the start all of it, later what other tabs write.

use super::Shelf;
use crate::kept::Kept;
use report::Work;
use std::rc::Rc;

impl Shelf {
    /// Takes in what the store holds. A review that was begun before it answered, and in which nothing was
    /// done yet, is begun anew: it may be known after all.
    pub(in crate::state) fn recall(&mut self, stored: Vec<Kept>) {
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

    /// Takes in what another tab wrote of a review, and returns how many choices clash. `is_working` says
    /// whether this tab analyses the text on its page.
    pub(in crate::state) fn take_copy(
        &mut self,
        base: &Work,
        theirs: Kept,
        is_working: bool,
    ) -> usize {
        let mut clashes = 0;
        if self.get(&theirs.id).is_none() {
            Rc::make_mut(&mut self.kept).push(Rc::new(theirs));
            return clashes;
        }
        let runs_here = is_working && self.current.as_ref() == Some(&theirs.id);
        self.change_one(&theirs.id.clone(), |kept| {
            clashes = kept.work.merge(base, &theirs.work);
            *kept = Kept {
                work: std::mem::take(&mut kept.work),
                is_running: runs_here || theirs.is_running,
                ..theirs
            };
        });
        clashes
    }
}
