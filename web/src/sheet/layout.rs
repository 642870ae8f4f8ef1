//! What a file consists of, from top to bottom.

use super::item_key::ItemKey;
use crate::diff_file::{DiffFile, Spot, growth_behind, n_lines_of, offset_of};
use report::{Finding, Side};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// CSS pixels.
pub(crate) type Pixels = f64;

/// Lines that are drawn or left out together.
const BLOCK: u32 = 20;
/// Lines below the first of a finding at most, before its card is put in.
const LINES_ABOVE_CARD: u32 = 8;

/// The items of one file.
#[derive(Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) key: ItemKey,
    pub(crate) kind: Kind,
}

/// What an item's number counts.
#[derive(Clone, Copy)]
enum Sort {
    Head,
    /// Of items that a file has once.
    Single,
    /// The hunk of the header.
    Header,
    /// The first hidden line.
    Gap,
    /// The first row.
    Lines,
    /// The first row, where old and new stand side by side.
    SplitLines,
    /// The first line.
    Whole,
    /// The finding in the file.
    Card,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Head,
    /// Excused and existing findings, counted.
    Fold,
    /// Lines of a hunk, counted from its first, which is 0.
    Lines {
        hunk: u32,
        lines: Range<u32>,
    },
    /// The header of a hunk, and the lines above it that are hidden and can be shown.
    Header {
        hunk: u32,
        hidden: Range<u32>,
    },
    /// Hidden lines elsewhere.
    Gap(Range<u32>),
    /// Lines of the new side outside of the hunks; of the old side they are so many fewer.
    Whole {
        lines: Range<u32>,
        growth: i64,
    },
    Card(Rc<Finding>),
    NoRows,
}

impl Kind {
    /// The height of an item that was never drawn.
    pub(super) fn guess(&self) -> Pixels {
        match self {
            Kind::Head => 30.0,
            Kind::Fold | Kind::NoRows | Kind::Gap(_) => 32.0,
            Kind::Header { .. } => 28.0,
            Kind::Lines { lines, .. } | Kind::Whole { lines, .. } => 20.0 * lines.len() as Pixels,
            Kind::Card(finding) if finding.verdict.counts() => 170.0,
            Kind::Card(_) => 44.0,
        }
    }
}

impl Layout {
    pub(crate) fn new(file: &DiffFile, split: bool) -> Self {
        let mut builder = Builder {
            file,
            split,
            cards: Cards::new(file, split),
            items: Vec::new(),
        };
        builder.push(Kind::Head, Sort::Head, 0);
        if file.open {
            builder.body();
        }
        Layout {
            items: builder.items,
        }
    }

    /// The item that holds a line.
    pub(crate) fn item_at(
        &self,
        file: &DiffFile,
        side: Side,
        line: u32,
        split: bool,
    ) -> Option<usize> {
        self.item_of(file, file.spot(side, line)?, split)
    }

    /// The item that holds a place.
    pub(crate) fn item_of(&self, file: &DiffFile, spot: Spot, split: bool) -> Option<usize> {
        let spot = drawn_spot(file, spot, split)?;
        self.items.iter().position(|item| match (&item.kind, spot) {
            (Kind::Lines { hunk, lines }, Spot::Row { hunk: of, offset }) => {
                *hunk == of && lines.contains(&offset)
            }
            (Kind::Whole { lines, .. }, Spot::Whole(line)) => lines.contains(&line),
            _ => false,
        })
    }

    pub(crate) fn card_of(&self, id: &str) -> Option<usize> {
        self.items
            .iter()
            .position(|item| matches!(&item.kind, Kind::Card(finding) if finding.id == id))
    }
}

struct Builder<'f> {
    file: &'f DiffFile,
    split: bool,
    cards: Cards,
    items: Vec<Item>,
}

impl Builder<'_> {
    fn push(&mut self, kind: Kind, sort: Sort, number: u32) {
        let key = ItemKey {
            file: self.file.index,
            sort: sort as u8,
            number,
        };
        self.items.push(Item { key, kind });
    }

    fn body(&mut self) {
        let file = self.file;
        if file.folded().next().is_some() {
            self.push(Kind::Fold, Sort::Single, 0);
        }
        if file.view.n_rows() == 0 {
            self.push(Kind::NoRows, Sort::Single, 1);
        }
        let (mut growth, mut first) = (0, 0);
        for (index, hunk) in file.view.hunks.iter().enumerate() {
            self.gap(index, growth);
            self.lines(index as u32, first, n_lines_of(hunk, self.split));
            growth = growth_behind(hunk);
            first += hunk.n_lines + 1;
        }
        self.gap(file.view.hunks.len(), growth);
        for finding in std::mem::take(&mut self.cards.astray) {
            self.card(finding);
        }
    }

    /// What stands between the hunk before and this one, and this one's header.
    fn gap(&mut self, hunk: usize, growth: i64) {
        let is_last = hunk == self.file.view.hunks.len();
        let number = hunk as u32;
        let Some(gap) = self.file.gap(hunk) else {
            if !is_last {
                self.push(
                    Kind::Header {
                        hunk: number,
                        hidden: 0..0,
                    },
                    Sort::Header,
                    number,
                );
            }
            return;
        };
        let pieces = self.file.pieces(&gap);
        let last_hidden = pieces.iter().rposition(|(_, is_shown)| !is_shown);
        for (at, (lines, is_shown)) in pieces.into_iter().enumerate() {
            let begin = lines.start;
            if is_shown {
                self.whole(lines, growth);
            } else if Some(at) == last_hidden && !is_last {
                self.push(
                    Kind::Header {
                        hunk: number,
                        hidden: lines,
                    },
                    Sort::Header,
                    number,
                );
            } else {
                self.push(Kind::Gap(lines), Sort::Gap, begin);
            }
        }
    }

    /// The first row of the hunk names its blocks, since no hunk has more lines than rows.
    fn lines(&mut self, hunk: u32, first: u32, n_lines: u32) {
        let mut from = 0;
        while from < n_lines {
            let (cut, cards) = self.cards.next(Spot::Row { hunk, offset: from });
            let end = n_lines.min((from / BLOCK + 1) * BLOCK).min(cut);
            let sort = match self.split {
                true => Sort::SplitLines,
                false => Sort::Lines,
            };
            self.push(
                Kind::Lines {
                    hunk,
                    lines: from..end,
                },
                sort,
                first + from,
            );
            if end == cut {
                cards.into_iter().for_each(|finding| self.card(finding));
            }
            from = end;
        }
    }

    fn whole(&mut self, all: Range<u32>, growth: i64) {
        let mut from = all.start;
        while from < all.end {
            let (cut, cards) = self.cards.next(Spot::Whole(from));
            let end = all.end.min((from / BLOCK + 1) * BLOCK).min(cut);
            self.push(
                Kind::Whole {
                    lines: from..end,
                    growth,
                },
                Sort::Whole,
                from,
            );
            if end == cut {
                cards.into_iter().for_each(|finding| self.card(finding));
            }
            from = end;
        }
    }

    fn card(&mut self, finding: Rc<Finding>) {
        let is_it = |of: &Rc<Finding>| Rc::ptr_eq(of, &finding);
        let number = self
            .file
            .findings
            .iter()
            .position(is_it)
            .unwrap_or_default();
        self.push(Kind::Card(finding), Sort::Card, number as u32);
    }
}

/// Findings by the line that their card follows.
struct Cards {
    placed: BTreeMap<Spot, Vec<Rc<Finding>>>,
    /// Those whose line is not in the file, or not shown.
    astray: Vec<Rc<Finding>>,
}

impl Cards {
    fn new(file: &DiffFile, split: bool) -> Self {
        let mut cards = Cards {
            placed: BTreeMap::new(),
            astray: Vec::new(),
        };
        for finding in file.with_cards() {
            match place(file, finding, split) {
                Some(spot) => cards.placed.entry(spot).or_default().push(finding.clone()),
                None => cards.astray.push(finding.clone()),
            }
        }
        cards
    }

    /// The end of the line that the next cards from here on follow, and these cards.
    fn next(&self, from: Spot) -> (u32, Vec<Rc<Finding>>) {
        let next = self.placed.range(from..).next();
        match (next, from) {
            (Some((Spot::Row { hunk, offset }, cards)), Spot::Row { hunk: here, .. })
                if *hunk == here =>
            {
                (offset + 1, cards.clone())
            }
            (Some((Spot::Whole(line), cards)), Spot::Whole(_)) => (line + 1, cards.clone()),
            _ => (u32::MAX, Vec::new()),
        }
    }
}

/// The drawn line that a finding's card follows: the last of its first lines that is shown.
fn place(file: &DiffFile, finding: &Finding, split: bool) -> Option<Spot> {
    let last = finding.end_line.min(finding.line + LINES_ABOVE_CARD);
    let shown = |spot: &Spot| match spot {
        Spot::Row { .. } => true,
        Spot::Whole(line) => file.expanded.iter().any(|lines| lines.contains(line)),
    };
    let mut lines = (finding.line..=last).rev();
    let spot = lines.find_map(|line| file.spot(finding.side, line).filter(shown))?;
    drawn_spot(file, spot, split)
}

/// A spot whose offset counts lines instead of rows.
fn drawn_spot(file: &DiffFile, spot: Spot, split: bool) -> Option<Spot> {
    Some(match spot {
        Spot::Row { hunk, offset } => {
            let of = file.view.hunks.get(hunk as usize)?;
            let offset = offset_of(of, split, offset);
            Spot::Row { hunk, offset }
        }
        whole => whole,
    })
}
