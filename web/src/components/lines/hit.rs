//! What was searched and stands in a row.

use crate::state::Search;

/// A hit in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// Counted as the worker does.
    row: u32,
    /// UTF-16 units from 0, end exclusive.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether it is the one that was gone to.
    is_current: bool,
}

impl Hit {
    /// Those of a file, in the order of its rows.
    pub(crate) fn of_file(search: &Search, file: u32) -> Vec<Hit> {
        let current = search.current();
        let from = search.hits.partition_point(|hit| hit.file < file);
        let hits = search.hits.iter().skip(from);
        hits.take_while(|hit| hit.file == file)
            .map(|hit| Hit {
                row: hit.row,
                start: hit.start,
                end: hit.end,
                is_current: current == Some(hit),
            })
            .collect()
    }

    pub(super) fn in_row(hits: &[Hit], row: u32) -> &[Hit] {
        let from = hits.partition_point(|hit| hit.row < row);
        let to = hits.partition_point(|hit| hit.row <= row);
        hits.get(from..to).unwrap_or_default()
    }

    pub(super) fn covers(&self, unit: u32) -> bool {
        self.start <= unit && unit < self.end
    }

    pub(super) fn class(&self) -> &'static str {
        if self.is_current {
            "hit is-current"
        } else {
            "hit"
        }
    }
}
