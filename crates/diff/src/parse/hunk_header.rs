//! `@@ -1,2 +1,3 @@ section`, and `@@@ -1,2 -1,2 +1,3 @@@ section` in a merge.

/// What a hunk header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HunkHeader<'a> {
    /// The range in the file before the change; in a merge, in the first parent.
    pub(super) old: Range,
    /// In a merge, the ranges in the parents after the first.
    pub(super) other_parents: Vec<Range>,
    pub(super) new: Range,
    pub(super) section: &'a str,
}

/// The first line and the number of lines. Numbers too large for any file are kept at their limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// One more than the parents of a merge: git's own history never had 70.
const MOST_ATS: usize = 100;

impl<'a> HunkHeader<'a> {
    /// Reads a hunk header, or `None` if the line is none.
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let after = line.trim_start_matches('@');
        let ats = line
            .strip_suffix(after)
            .filter(|ats| (2..=MOST_ATS).contains(&ats.len()))?;
        let mut rest = after.strip_prefix(' ')?;
        let old = range(&mut rest, '-')?;
        let mut other_parents = Vec::new();
        for _ in 2..ats.len() {
            other_parents.push(range(&mut rest, '-')?);
        }
        let new = range(&mut rest, '+')?;
        let section = rest.strip_prefix(ats)?;
        let section = section.strip_prefix(' ').unwrap_or(section).trim_end();
        Some(Self {
            old,
            other_parents,
            new,
            section,
        })
    }

    /// Whether both sides start where a file can have lines.
    pub(super) fn is_possible(&self) -> bool {
        self.old.is_possible() && self.new.is_possible()
    }
}

impl Range {
    /// The number of the first line to come. A range without lines names the line before it.
    pub(super) fn first(self) -> u32 {
        if self.len == 0 {
            self.start.saturating_add(1)
        } else {
            self.start.max(1)
        }
    }

    /// Where a range starts that has so many lines after all.
    pub(super) fn first_of(self, len: u32) -> u32 {
        if len == 0 {
            self.first().saturating_sub(1)
        } else {
            self.first()
        }
    }

    /// No line number can overflow: a text has fewer lines than half of what a number holds.
    fn is_possible(self) -> bool {
        self.start <= u32::MAX / 2
    }
}

/// Takes `-1,2 ` or `-1 ` off the front.
fn range(rest: &mut &str, sign: char) -> Option<Range> {
    let (text, after) = rest.strip_prefix(sign)?.split_once(' ')?;
    let (start, len) = text.split_once(',').unwrap_or((text, "1"));
    *rest = after;
    Some(Range {
        start: number(start)?,
        len: number(len)?,
    })
}

fn number(digits: &str) -> Option<u32> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, old: (u32, u32), new: (u32, u32), section: &str) {
        let header = HunkHeader::read(line).unwrap();
        assert_eq!((header.old.start, header.old.len), old);
        assert_eq!((header.new.start, header.new.len), new);
        assert_eq!(header.section, section);
    }

    #[test]
    fn a_header_has_two_ranges_and_a_section() {
        check("@@ -2,7 +2,8 @@ def f():", (2, 7), (2, 8), "def f():");
        check("@@ -1 +0,0 @@", (1, 1), (0, 0), "");
        check(
            "@@ -1,2 +3,4 @@     def method(self):",
            (1, 2),
            (3, 4),
            "    def method(self):",
        );
        check("@@ -1,2 +3,4 @@@decorated", (1, 2), (3, 4), "@decorated");
    }

    #[test]
    fn a_merge_has_a_range_for_each_parent() {
        check("@@@@ -2,6 -3,6 -4,6 +5,7 @@@@ to", (2, 6), (5, 7), "to");
        assert_eq!(
            HunkHeader::read("@@@ -1,2 -3,4 +5,6 @@@")
                .unwrap()
                .other_parents
                .len(),
            1
        );
    }

    #[test]
    fn numbers_stop_at_their_limit() {
        check(
            "@@ -99999999999999999999,7 +1,7 @@",
            (u32::MAX, 7),
            (1, 7),
            "",
        );
        assert!(
            !HunkHeader::read("@@ -99999999999999999999,7 +1,7 @@")
                .unwrap()
                .is_possible()
        );
    }

    #[test]
    fn other_lines_are_no_headers() {
        for line in [
            "@@ odd @@",
            "@@ -1,2 +3,4",
            "@@ -1,+2 +3 @@",
            "@@@ -1 +1 @@@",
            "@ -1 +1 @",
            "@@ -a +b @@",
            "@@",
            "",
        ] {
            assert_eq!(HunkHeader::read(line), None, "{line}");
        }
    }
}
