//! Which paths a header means: its names without their prefixes, for the sides where the file is.

use super::super::names::{self, Name};
use super::FileHeader;

impl FileHeader<'_> {
    /// The old and the new path.
    pub(super) fn paths(&self) -> (Option<String>, Option<String>) {
        let (old, new) = self.names();
        let prefixed = self.are_prefixed(&old, &new);
        let path = |name: Option<Name>| name.and_then(|name| name.path(prefixed));
        let (old, new) = match (old, new) {
            // One name line is lost: nothing says that the file is new or gone.
            (None, name) if self.pair.is_none() => (name.clone(), name),
            (name, None) if self.pair.is_none() => (name.clone(), name),
            both => both,
        };
        let (old, new) = match self.merge {
            Some(name) => (on_side(&old, name), on_side(&new, name)),
            None => (path(old), path(new)),
        };
        let old = self.moved.0.map(names::read_name).or(old);
        let new = self.moved.1.map(names::read_name).or(new);
        (old.filter(|_| !self.created), new.filter(|_| !self.removed))
    }

    /// Both names with their prefixes: of the name lines, else of the git line.
    fn names(&self) -> (Option<Name>, Option<Name>) {
        if let Some((old, new)) = self.binary_pair.clone() {
            return (Some(old), Some(new));
        }
        let pair = self.pair.and_then(names::split_pair);
        let (old, new) = pair.map_or((None, None), |(old, new)| (Some(old), Some(new)));
        let git = |text: Option<String>| {
            text.map(|text| Name {
                text,
                absent: false,
            })
        };
        let old_name = self.old_name.map(Name::read).or_else(|| git(old));
        let new_name = self.new_name.map(Name::read).or_else(|| git(new));
        match (old_name, new_name) {
            // Timestamps that deny both sides tell nothing: archives may give every file the time 0.
            (Some(old), Some(new)) if old.absent && new.absent => {
                (Some(old.there()), Some(new.there()))
            }
            names => names,
        }
    }

    fn are_prefixed(&self, old: &Option<Name>, new: &Option<Name>) -> bool {
        if let Some((old, new)) = self.pair.and_then(names::split_pair) {
            return names::are_prefixed(&old, &new);
        }
        let text = |name: &Option<Name>| {
            name.as_ref()
                .map_or("/dev/null".to_owned(), |name| name.text.clone())
        };
        names::are_prefixed(&text(old), &text(new))
    }
}

/// In a merge the git line has the path without a prefix; the name lines only tell whether it is there.
fn on_side(name: &Option<Name>, path: &str) -> Option<String> {
    let absent = name.as_ref().is_some_and(|name| name.absent);
    (!absent).then(|| names::read_name(path))
}
