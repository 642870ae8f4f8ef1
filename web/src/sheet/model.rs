//! Where everything on the sheet stands, and what of it is to be drawn.

use super::item_key::ItemKey;
use super::layout::{Item, Kind, Layout, Pixels};
use super::paper;
use crate::diff_file::DiffFile;
use report::Side;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The frame of a file above and below its items, and the space to the next: as review.css has it.
pub(crate) const FRAME: Pixels = 1.0;
pub(crate) const SPACE: Pixels = 12.0;
/// A sheet of no more than so many lines is drawn whole, for the browser's own search.
const DRAWN_WHOLE: usize = 600;
/// The same for items, each of which may be a card.
const DRAWN_WHOLE_ITEMS: usize = 150;

/// The files with their items, as high as they are known to be.
#[derive(Default)]
pub(crate) struct Model {
    files: Vec<Placed>,
    /// Where each file begins; one more than files, the last being the end of the sheet.
    tops: Vec<Pixels>,
    measured: HashMap<ItemKey, Pixels>,
    split: bool,
}

/// A file with where its items begin, measured from its own top; the last being where the file ends.
struct Placed {
    file: Rc<DiffFile>,
    layout: Rc<Layout>,
    tops: Vec<Pixels>,
}

/// What to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Drawn {
    /// Space above each file to draw, and behind the last.
    pub(crate) files: Vec<DrawnFile>,
    pub(crate) below: Pixels,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawnFile {
    pub(crate) above: Pixels,
    /// Index into the files.
    pub(crate) index: usize,
    pub(crate) pieces: Vec<Piece>,
}

/// Part of a file: items to draw, or the space of those that are not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    Items(Range<usize>),
    Space(Pixels),
}

/// An item by its indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Target {
    pub(crate) file: usize,
    pub(crate) item: usize,
}

impl Model {
    /// Forgets what was measured: these are other files.
    pub(crate) fn clear(&mut self) {
        *self = Model::default();
    }

    /// Takes over the files as they are now. What did not change is kept.
    pub(crate) fn update(&mut self, files: &[Rc<DiffFile>], split: bool) {
        let is_same = |placed: &Placed, file: &Rc<DiffFile>| Rc::ptr_eq(&placed.file, file);
        let same_view = self.split == split;
        self.split = split;
        let mut before = std::mem::take(&mut self.files).into_iter();
        for file in files {
            let kept = before
                .next()
                .filter(|placed| same_view && is_same(placed, file));
            let placed = kept.unwrap_or_else(|| self.place(file, split));
            self.files.push(placed);
        }
        self.sum();
    }

    fn place(&self, file: &Rc<DiffFile>, split: bool) -> Placed {
        let layout = Rc::new(Layout::new(file, split));
        let tops = self.tops_of(&layout);
        Placed {
            file: file.clone(),
            layout,
            tops,
        }
    }

    fn tops_of(&self, layout: &Layout) -> Vec<Pixels> {
        let mut at = FRAME;
        let mut tops = Vec::with_capacity(layout.items.len() + 1);
        for item in &layout.items {
            tops.push(at);
            at += self.height(item);
        }
        tops.push(at);
        tops
    }

    fn height(&self, item: &Item) -> Pixels {
        let measured = self.measured.get(&item.key).copied();
        measured.unwrap_or_else(|| item.kind.guess())
    }

    fn sum(&mut self) {
        let mut at = 0.0;
        self.tops.clear();
        for placed in &self.files {
            self.tops.push(at);
            at += placed.height();
        }
        self.tops.push(at);
    }

    /// Takes over what was measured, each height with its item's key. True where anything changed.
    pub(crate) fn measure(&mut self, heights: impl IntoIterator<Item = (ItemKey, Pixels)>) -> bool {
        let mut changed: Vec<usize> = Vec::new();
        for (key, height) in heights {
            let before = self.measured.insert(key, height);
            // Layout rounds to parts of a pixel.
            if before.is_none_or(|before| (before - height).abs() > 0.1) {
                changed.push(key.file as usize);
            }
        }
        changed.dedup();
        for &file in &changed {
            let Some(layout) = self.files.get(file).map(|placed| placed.layout.clone()) else {
                continue;
            };
            let tops = self.tops_of(&layout);
            if let Some(placed) = self.files.get_mut(file) {
                placed.tops = tops;
            }
        }
        self.sum();
        !changed.is_empty()
    }

    pub(crate) fn layout(&self, file: usize) -> Option<&Rc<Layout>> {
        self.files.get(file).map(|placed| &placed.layout)
    }

    /// Where an item begins.
    pub(crate) fn top(&self, target: Target) -> Option<Pixels> {
        let placed = self.files.get(target.file)?;
        Some(self.tops.get(target.file)? + placed.tops.get(target.item)?)
    }

    /// The item that covers this place.
    pub(crate) fn at(&self, place: Pixels) -> Option<Target> {
        let file = last_not_behind(&self.tops, place).min(self.files.len().checked_sub(1)?);
        let placed = self.files.get(file)?;
        let within = place - self.tops.get(file)?;
        let last = placed.layout.items.len().saturating_sub(1);
        let item = last_not_behind(&placed.tops, within).min(last);
        Some(Target { file, item })
    }

    pub(crate) fn key(&self, target: Target) -> Option<ItemKey> {
        let items = &self.files.get(target.file)?.layout.items;
        Some(items.get(target.item)?.key)
    }

    /// The item with this key, if it is still there.
    pub(crate) fn find(&self, key: ItemKey) -> Option<Target> {
        let file = key.file as usize;
        let items = &self.files.get(file)?.layout.items;
        let item = items.iter().position(|item| item.key == key)?;
        Some(Target { file, item })
    }

    /// The item with this key, or what stands in its place now.
    pub(crate) fn follow(&self, key: ItemKey) -> Option<Target> {
        let nearest = || {
            let file = key.file as usize;
            let items = &self.files.get(file)?.layout.items;
            let is_before = |item: &Item| {
                matches!(item.kind, Kind::Lines { .. }) && item.key.number <= key.number
            };
            let item = items.iter().rposition(is_before).unwrap_or(0);
            Some(Target { file, item })
        };
        self.find(key).or_else(nearest)
    }

    /// The item with a line of a file.
    pub(crate) fn line(&self, file: usize, side: Side, line: u32) -> Option<Target> {
        let placed = self.files.get(file)?;
        let item = placed
            .layout
            .item_at(&placed.file, side, line, self.split)?;
        Some(Target { file, item })
    }

    /// The item with a row of a file, counted as the worker does.
    pub(crate) fn row(&self, file: usize, row: u32) -> Option<Target> {
        let placed = self.files.get(file)?;
        let spot = placed.file.spot_of_row(row)?;
        let item = placed.layout.item_of(&placed.file, spot, self.split)?;
        Some(Target { file, item })
    }

    /// The item with a finding's card.
    pub(crate) fn card(&self, id: &str) -> Option<Target> {
        self.files.iter().enumerate().find_map(|(file, placed)| {
            let item = placed.layout.card_of(id)?;
            Some(Target { file, item })
        })
    }

    /// What to draw so that the window and the pinned items are there.
    pub(crate) fn drawn(&self, window: Range<Pixels>, pins: &[ItemKey]) -> Drawn {
        let pins: Vec<Target> = pins.iter().filter_map(|&key| self.find(key)).collect();
        let is_small = self.is_small();
        let mut drawn = Drawn::default();
        let mut at = 0.0;
        for (index, (placed, &top)) in self.files.iter().zip(&self.tops).enumerate() {
            let end = top + placed.height();
            let mut items = Vec::new();
            if is_small {
                items.push(0..placed.layout.items.len());
            } else if end > window.start && top < window.end {
                items.push(placed.within(window.start - top..window.end - top));
            }
            let pinned = pins.iter().filter(|pin| pin.file == index);
            items.extend(pinned.map(|pin| pin.item..pin.item + 1));
            if items.is_empty() {
                continue;
            }
            drawn.files.push(DrawnFile {
                above: top - at,
                index,
                pieces: placed.pieces(items),
            });
            at = end;
        }
        drawn.below = self.tops.last().map_or(0.0, |end| end - at);
        drawn
    }

    /// What to draw when the page is printed.
    pub(crate) fn on_paper(&self) -> Drawn {
        paper::drawn(self.files.iter().map(|placed| &*placed.layout))
    }

    pub(crate) fn is_split(&self) -> bool {
        self.split
    }

    /// Whether all there is is drawn, so that the browser's own search finds it.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_small() && self.files.iter().all(|placed| placed.file.open)
    }

    fn is_small(&self) -> bool {
        let items = || self.files.iter().flat_map(|placed| &placed.layout.items);
        let lines = |item: &Item| match &item.kind {
            Kind::Lines { lines, .. } | Kind::Whole { lines, .. } => lines.len(),
            _ => 0,
        };
        let n_items = self.files.iter().map(|placed| placed.layout.items.len());
        n_items.sum::<usize>() <= DRAWN_WHOLE_ITEMS
            && items().map(lines).sum::<usize>() <= DRAWN_WHOLE
    }
}

impl Placed {
    fn height(&self) -> Pixels {
        self.tops.last().copied().unwrap_or(0.0) + FRAME + SPACE
    }

    /// The items that a part of the file covers.
    fn within(&self, part: Range<Pixels>) -> Range<usize> {
        let n_items = self.layout.items.len();
        let first = last_not_behind(&self.tops, part.start).min(n_items.saturating_sub(1));
        let end = self.tops.partition_point(|&top| top < part.end);
        first..end.clamp(first + 1, n_items.max(first + 1))
    }

    /// Items to draw, with the spaces of the others between them. The head is always among them, since it stays in
    /// view for as long as anything of the file is.
    fn pieces(&self, mut items: Vec<Range<usize>>) -> Vec<Piece> {
        items.push(0..1);
        items.sort_by_key(|items| items.start);
        let mut pieces = Vec::new();
        let mut at = 0;
        for items in items {
            let items = items.start.max(at)..items.end;
            if items.is_empty() {
                continue;
            }
            pieces.extend(self.space(at..items.start));
            match pieces.last_mut() {
                Some(Piece::Items(before)) => before.end = items.end,
                _ => pieces.push(Piece::Items(items.clone())),
            }
            at = items.end;
        }
        pieces.extend(self.space(at..self.layout.items.len()));
        pieces
    }

    fn space(&self, items: Range<usize>) -> Option<Piece> {
        let (top, end) = (self.tops.get(items.start)?, self.tops.get(items.end)?);
        (!items.is_empty()).then(|| Piece::Space(end - top))
    }
}

/// The index of the last of these ascending places that is not behind this one.
fn last_not_behind(tops: &[Pixels], place: Pixels) -> usize {
    tops.partition_point(|&top| top <= place).saturating_sub(1)
}
