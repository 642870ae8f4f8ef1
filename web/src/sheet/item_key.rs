//! What names an item of the sheet, in Rust and, as text, on its element.

use std::fmt;
use std::str::FromStr;

/// Names an item among all items of the sheet for as long as the review lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ItemKey {
    /// The file's index.
    pub(super) file: u32,
    /// What the number counts.
    pub(super) sort: u8,
    /// Unique in the file among those of its sort.
    pub(super) number: u32,
}

impl fmt::Display for ItemKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{}-{}", self.file, self.sort, self.number)
    }
}

/// No text that [`ItemKey`]'s `Display` has written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoKey;

impl FromStr for ItemKey {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<Self, NoKey> {
        let mut parts = text.splitn(3, '-');
        let mut next = || parts.next().ok_or(NoKey);
        Ok(ItemKey {
            file: next()?.parse().or(Err(NoKey))?,
            sort: next()?.parse().or(Err(NoKey))?,
            number: next()?.parse().or(Err(NoKey))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_was_written() {
        let most = ItemKey {
            file: u32::MAX,
            sort: u8::MAX,
            number: u32::MAX,
        };
        let least = ItemKey {
            file: 0,
            sort: 0,
            number: 0,
        };
        for key in [least, most] {
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        for text in ["", "1", "1-2", "1-2-3-4", "1-256-3", "a-1-2"] {
            assert_eq!(text.parse::<ItemKey>(), Err(NoKey), "{text}");
        }
    }
}
