//! Characters that are not what they seem: invisible ones, those that reorder the text around them, and letters of
//! one script that look like those of another.

/// An odd character of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Odd {
    pub(crate) char: char,
    /// In UTF-8 bytes.
    pub(crate) start: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Reorders,
    Invisible,
    /// A space that is none of ASCII's, which Python refuses outside of strings.
    Space,
    /// Looks like a Latin letter, and belongs to this script.
    LooksLatin(&'static str),
}

impl Odd {
    pub(crate) fn end(&self) -> usize {
        self.start + self.char.len_utf8()
    }

    pub(crate) fn name(&self) -> String {
        let number = format!("U+{:04X}", u32::from(self.char));
        match self.kind {
            Kind::LooksLatin(script) => format!("{number} {script}"),
            _ => number,
        }
    }

    pub(crate) fn why(&self) -> &'static str {
        match self.kind {
            Kind::Reorders => {
                "This character changes the order in which the text around it is shown."
            }
            Kind::Invisible => "This character is invisible.",
            Kind::Space => "This is not the space of the keyboard.",
            Kind::LooksLatin(_) => "This letter looks like a Latin one and is another.",
        }
    }
}

/// The odd characters of a text, in order. `is_code` says of a byte whether it stands in code, where even a word
/// wholly of letters that look Latin is odd; in prose it is Russian or Greek.
pub(crate) fn odd(text: &str, is_code: impl Fn(usize) -> bool) -> Vec<Odd> {
    if text.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~')) {
        return Vec::new();
    }
    let mut odds = Vec::new();
    let mut word = Word::default();
    for (start, char) in text.char_indices() {
        if char.is_alphabetic() {
            word.push(start, char);
            continue;
        }
        word.end(&is_code, &mut odds);
        odds.extend(alone(char).map(|kind| Odd { char, start, kind }));
    }
    word.end(&is_code, &mut odds);
    odds
}

/// What a character is whatever stands around it.
fn alone(char: char) -> Option<Kind> {
    match char {
        '\t' => None,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(Kind::Reorders)
        }
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Some(Kind::Space)
        }
        '\u{ad}'
        | '\u{34f}'
        | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{2800}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => Some(Kind::Invisible),
        _ if char.is_control() => Some(Kind::Invisible),
        _ => None,
    }
}

/// Letters that follow each other.
#[derive(Default)]
struct Word {
    letters: Vec<(usize, char)>,
    has_latin: bool,
}

impl Word {
    fn push(&mut self, start: usize, char: char) {
        self.has_latin |= char.is_ascii_alphabetic();
        self.letters.push((start, char));
    }

    fn end(&mut self, is_code: &impl Fn(usize) -> bool, odds: &mut Vec<Odd>) {
        let in_code = self
            .letters
            .first()
            .is_some_and(|&(start, _)| is_code(start));
        let all_exact = self.letters.iter().all(|&(_, char)| is_exact(char));
        for (start, char) in self.letters.drain(..) {
            let kind = match letter(char) {
                Some(Letter::Filler) => Some(Kind::Invisible),
                Some(Letter::Dressed(script)) => Some(Kind::LooksLatin(script)),
                Some(Letter::Like(script)) if self.has_latin || (in_code && all_exact) => {
                    Some(Kind::LooksLatin(script))
                }
                _ => None,
            };
            odds.extend(kind.map(|kind| Odd { char, start, kind }));
        }
        self.has_latin = false;
    }
}

enum Letter {
    /// A letter of another script that looks like a Latin one.
    Like(&'static str),
    /// A Latin letter in other clothes: Python takes it for the plain one.
    Dressed(&'static str),
    /// A letter that is drawn as nothing.
    Filler,
}

const CYRILLIC: &str = "аеорсухіјѕԁһԛԝвкмнтгпАВЕКМНОРСТУХІЈЅԌ";
const GREEK: &str = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορτυ";
const ARMENIAN: &str = "աոսհցօքՏՕՍԼ";

fn letter(char: char) -> Option<Letter> {
    match char {
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => Some(Letter::Filler),
        '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => Some(Letter::Dressed("fullwidth")),
        '\u{1d400}'..='\u{1d6a5}' => Some(Letter::Dressed("mathematical")),
        'ſ' => Some(Letter::Dressed("long s")),
        _ if CYRILLIC.contains(char) => Some(Letter::Like("Cyrillic")),
        _ if GREEK.contains(char) => Some(Letter::Like("Greek")),
        _ if ARMENIAN.contains(char) => Some(Letter::Like("Armenian")),
        _ => None,
    }
}

/// Whether a letter cannot be told from a Latin one even when it stands alone. Small Greek ones can: formulas use them.
fn is_exact(char: char) -> bool {
    match char {
        'в' | 'к' | 'м' | 'н' | 'т' | 'г' | 'п' => false,
        _ if CYRILLIC.contains(char) => true,
        'ο' => true,
        _ => GREEK.contains(char) && char.is_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, in_code: bool, names: &[&str]) {
        let found: Vec<String> = odd(text, |_| in_code).iter().map(Odd::name).collect();
        assert_eq!(found, names);
    }

    #[test]
    fn what_reorders_or_is_invisible_is_odd_everywhere() {
        check(
            "a\u{202e}b\u{200b}\u{7f}c",
            false,
            &["U+202E", "U+200B", "U+007F"],
        );
        check("x\u{a0}= 1", false, &["U+00A0"]);
        check("\tx = \"é😀 plain\"", true, &[]);
    }

    #[test]
    fn a_foreign_letter_in_a_latin_word_is_odd() {
        check("p\u{430}ssword", false, &["U+0430 Cyrillic"]);
        check("l\u{3bf}ck_id", true, &["U+03BF Greek"]);
        check("\u{ff49}f", false, &["U+FF49 fullwidth"]);
    }

    #[test]
    fn a_word_of_look_alikes_is_odd_in_code_and_plain_in_prose() {
        check(
            "\u{441}\u{430}\u{440}",
            true,
            &["U+0441 Cyrillic", "U+0430 Cyrillic", "U+0440 Cyrillic"],
        );
        check("\u{441}\u{430}\u{440}", false, &[]);
        check("кот и пёс", true, &[]);
    }

    #[test]
    fn formulas_are_plain() {
        check("Δt = σ_x * μ + ρ_air * α", true, &[]);
    }
}
