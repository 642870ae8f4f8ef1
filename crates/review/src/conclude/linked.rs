//! The files with the names that one defines and another uses.

use crate::facts::{Facts, Modules};
use crate::plan::FileFacts;
use report::Side;
use std::sync::Arc;

/// The same files, linked to those of their side that they import from or that import from them.
pub(super) fn link(files: &[FileFacts]) -> Vec<FileFacts> {
    let of = |side| {
        let sides = files.iter().filter_map(|file| file.side(side));
        let sides: Vec<Arc<Facts>> = sides.map(Arc::clone).collect();
        Arc::new(Modules::new(&sides))
    };
    let (old, new) = (of(Side::Old), of(Side::New));
    let linked = |file: &FileFacts| {
        let link = |modules: &Arc<Modules>, facts: &Option<Arc<Facts>>| {
            facts.as_ref().map(|facts| modules.link(facts))
        };
        let (linked_old, linked_new) = (link(&old, &file.old), link(&new, &file.new));
        FileFacts {
            file: file.file,
            looks: file.looks.of(
                is_same(&linked_old, &file.old),
                is_same(&linked_new, &file.new),
            ),
            old: linked_old,
            new: linked_new,
            problems: Vec::new(),
        }
    };
    files.iter().map(linked).collect()
}

fn is_same(one: &Option<Arc<Facts>>, other: &Option<Arc<Facts>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        _ => false,
    }
}
