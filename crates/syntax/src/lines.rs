//! From byte offsets to lines and columns.

/// The starts of a text's lines, in UTF-8 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    pub fn new(text: &str) -> LineIndex {
        let mut starts = vec![0];
        let ends = text.match_indices('\n');
        starts.extend(ends.map(|(at, _)| at as u32 + 1));
        LineIndex { starts }
    }

    /// The line of a byte offset, from 0.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts
            .partition_point(|&start| start <= offset)
            .saturating_sub(1) as u32
    }

    /// The byte offset at which a line, counted from 0, starts; the last line's start where there is none.
    pub fn start(&self, line: u32) -> u32 {
        let at = (line as usize).min(self.starts.len().saturating_sub(1));
        self.starts.get(at).copied().unwrap_or(0)
    }

    /// Lines of the text; a final newline opens one more.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    /// The column of a byte offset, from 1, in UTF-16 units.
    pub fn column(&self, offset: u32, text: &str) -> u32 {
        let start = self.start(self.line(offset)) as usize;
        let before = text.get(start..offset as usize).unwrap_or("");
        before.encode_utf16().count() as u32 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf16_units() {
        let text = "a\n\u{1F600}é x";
        let lines = LineIndex::new(text);
        let at = text.find('x').map_or(0, |at| at as u32);
        assert_eq!((lines.line(at), lines.column(at, text)), (1, 5));
    }
}
