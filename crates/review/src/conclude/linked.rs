//! The files with the names that one defines and another uses.

use crate::facts::{Facts, Modules};
use crate::plan::FileFacts;
use report::Side;
use std::sync::Arc;

/// The same files, those that import from others of their side linked to them.
pub(super) fn link(files: &[FileFacts]) -> Vec<FileFacts> {
    let of = |side| {
        let sides = files.iter().filter_map(move |file| file.side(side));
        Arc::new(Modules::new(sides.map(Arc::clone)))
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
