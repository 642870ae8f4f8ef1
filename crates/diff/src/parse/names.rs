//! File names as diffs write them: C-quoted, prefixed, followed by a timestamp.

/// A name of a `---` or `+++` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// The name with its prefix.
    pub(super) text: String,
    /// The file does not exist on this side.
    pub(super) absent: bool,
}

impl Name {
    /// Reads what follows `--- ` or `+++ `.
    pub(super) fn read(field: &str) -> Self {
        let (text, stamp) = match unquote(field) {
            Some((name, rest)) => (name, rest.trim_start()),
            None => {
                let (name, stamp) = split_stamp(field);
                (name.to_owned(), stamp)
            }
        };
        let absent = text == "/dev/null" || is_absent(stamp);
        Self { text, absent }
    }

    /// The name of a file that is there after all, unless the name itself says that there is none.
    pub(super) fn there(self) -> Self {
        let absent = self.text == "/dev/null";
        Self { absent, ..self }
    }

    /// The path without the prefix, or `None` for a side where the file does not exist.
    pub(super) fn path(&self, prefixed: bool) -> Option<String> {
        (!self.absent).then(|| strip(&self.text, prefixed))
    }
}

/// Whether two names carry prefixes such as `a/` and `b/`. The same letter on both sides is a folder of that name.
pub(super) fn are_prefixed(old: &str, new: &str) -> bool {
    match (prefix(old), prefix(new)) {
        (Some(old), Some(new)) => old != new,
        (Some(_), None) => new == "/dev/null",
        (None, Some(_)) => old == "/dev/null",
        (None, None) => false,
    }
}

/// The name without its prefix, if it has one.
pub(super) fn strip(name: &str, prefixed: bool) -> String {
    let path = if prefixed && prefix(name).is_some() {
        name.get(2..)
    } else {
        None
    };
    path.unwrap_or(name).to_owned()
}

/// Splits what follows `diff --git `. Names with spaces are not quoted there, so the split is the one that gives the
/// same path twice; a renamed file with spaces has none, and says its names on other lines.
pub(super) fn split_pair(pair: &str) -> Option<(String, String)> {
    if let Some((old, rest)) = unquote(pair) {
        return Some((old, read_name(rest.strip_prefix(' ')?)));
    }
    if let Some((old, _)) = pair.split_once(" \"") {
        return Some((old.to_owned(), read_name(pair.get(old.len() + 1..)?)));
    }
    let (old, new) = split_halves(pair)
        .or_else(|| split_only(pair, " "))
        .or_else(|| split_before_b(pair))?;
    Some((old.to_owned(), new.to_owned()))
}

/// A name that stands alone, quoted or not.
pub(super) fn read_name(text: &str) -> String {
    unquote(text).map_or_else(|| text.to_owned(), |(name, _)| name)
}

/// Splits `Binary files x and y differ`.
pub(super) fn split_binary(line: &str) -> Option<(Name, Name)> {
    let names = line
        .strip_prefix("Binary files ")?
        .strip_suffix(" differ")?;
    let (old, new) = split_only(names, " and ")?;
    Some((Name::read(old), Name::read(new)))
}

fn split_halves(pair: &str) -> Option<(&str, &str)> {
    let (old, rest) = pair.split_at_checked(pair.len() / 2)?;
    let new = rest.strip_prefix(' ')?;
    let tail = |name: &str| name.split_once('/').map(|(_, tail)| tail.to_owned());
    let same = old == new || (tail(old).is_some() && tail(old) == tail(new));
    same.then_some((old, new))
}

/// Splits at the only place where `mark` stands.
fn split_only<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(mark)
        .filter(|(_, second)| !second.contains(mark))
}

/// Splits before the only `b/`, keeping it.
fn split_before_b(pair: &str) -> Option<(&str, &str)> {
    let (old, _) = split_only(pair, " b/")?;
    Some((old, pair.get(old.len() + 1..)?))
}

fn prefix(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [
            letter @ (b'a' | b'b' | b'c' | b'i' | b'o' | b'w'),
            b'/',
            _,
            ..,
        ] => Some(*letter),
        _ => None,
    }
}

/// Undoes C quoting; gives the name and what follows the closing quote.
fn unquote(text: &str) -> Option<(String, &str)> {
    let body = text.strip_prefix('"')?;
    let mut name = Vec::new();
    let mut bytes = body.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => {
                return Some((
                    String::from_utf8_lossy(&name).into_owned(),
                    body.get(at + 1..)?,
                ));
            }
            b'\\' => name.push(unescape(&mut bytes)?),
            _ => name.push(byte),
        }
    }
    None
}

fn unescape(bytes: &mut impl Iterator<Item = (usize, u8)>) -> Option<u8> {
    let mut next = || bytes.next().map(|(_, byte)| byte);
    Some(match next()? {
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 0x0B,
        b'f' => 0x0C,
        b'r' => b'\r',
        high @ b'0'..=b'3' => (octal(high)? << 6) | (octal(next()?)? << 3) | octal(next()?)?,
        other => other,
    })
}

fn octal(digit: u8) -> Option<u8> {
    digit.checked_sub(b'0').filter(|value| *value < 8)
}

/// Splits a name from the timestamp behind it: at a tab, or at what can only be a timestamp where pasting made the tab
/// a space.
fn split_stamp(field: &str) -> (&str, &str) {
    if let Some((name, stamp)) = field.split_once('\t') {
        return (name, stamp);
    }
    let stamp = field
        .match_indices(' ')
        .map(|(at, _)| at)
        .find(|at| field.get(at + 1..).is_some_and(is_stamp));
    match stamp.and_then(|at| field.split_at_checked(at)) {
        Some((name, stamp)) if !name.is_empty() => (name, stamp.trim_start()),
        _ => (field, ""),
    }
}

/// `2024-03-04 05:06:07`, `(revision 12)` and their like.
fn is_stamp(text: &str) -> bool {
    let revision = text
        .strip_prefix("(revision ")
        .and_then(|rest| rest.strip_suffix(')'));
    if text == "(working copy)" || text == "(nonexistent)" || revision.is_some_and(is_digits) {
        return true;
    }
    let mut words = text.split(' ');
    let date = words
        .next()
        .unwrap_or("")
        .splitn(3, '-')
        .filter(|part| is_digits(part))
        .count();
    let time = words
        .next()
        .unwrap_or("")
        .split([':', '.'])
        .filter(|part| is_digits(part))
        .count();
    date == 3 && time >= 2 && words.all(|zone| zone.starts_with(['+', '-']))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a timestamp says that there is no file: `diff -N` gives it the time 0, Subversion says so in words.
fn is_absent(stamp: &str) -> bool {
    matches!(stamp, "(nonexistent)" | "(revision 0)") || is_epoch(stamp).unwrap_or(false)
}

fn is_epoch(stamp: &str) -> Option<bool> {
    let mut words = stamp.split(' ');
    let day = match words.next()? {
        "1970-01-01" => 0,
        "1969-12-31" => -24 * 60,
        _ => return None,
    };
    let (hours, rest) = words.next()?.split_once(':')?;
    let minutes =
        i32::from(hours.parse::<u8>().ok()?) * 60 + i32::from(rest.get(..2)?.parse::<u8>().ok()?);
    let zone = i32::from(words.next().unwrap_or("+0000").parse::<i16>().ok()?);
    Some(day + minutes == zone / 100 * 60 + zone % 100)
}
