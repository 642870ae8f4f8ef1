//! Rows as they came from the worker, in chunks.

use report::Row;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Rows that are asked for together.
pub(crate) const CHUNK: u32 = 100;

/// Names a chunk: rows `number * CHUNK` and so on of a file, or lines of its whole new side, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChunkId {
    pub(crate) file: u32,
    pub(crate) is_whole: bool,
    pub(crate) number: u32,
}

/// The chunks that are loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rows {
    chunks: BTreeMap<ChunkId, Rc<Vec<Row>>>,
}

impl ChunkId {
    /// The chunk of a row of the diff.
    pub(crate) fn of_row(file: u32, row: u32) -> Self {
        ChunkId {
            file,
            is_whole: false,
            number: row / CHUNK,
        }
    }

    /// The chunk of a line of the whole new side, counted from 1.
    pub(crate) fn of_line(file: u32, line: u32) -> Self {
        ChunkId {
            file,
            is_whole: true,
            number: line.saturating_sub(1) / CHUNK,
        }
    }
}

impl Rows {
    pub(crate) fn take(&mut self, id: ChunkId, rows: Vec<Row>) {
        self.chunks.insert(id, Rc::new(rows));
    }

    pub(crate) fn chunk(&self, id: ChunkId) -> Option<&Rc<Vec<Row>>> {
        self.chunks.get(&id)
    }
}
