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
    let linked = |modules: &Arc<Modules>, facts: &Option<Arc<Facts>>| {
        facts.as_ref().map(|facts| modules.link(facts))
    };
    files
        .iter()
        .map(|file| FileFacts {
            file: file.file,
            old: linked(&old, &file.old),
            new: linked(&new, &file.new),
            problems: Vec::new(),
        })
        .collect()
}
