//! Mails whose body is quoted-printable: `=3D` for an equals sign, and `=` at the end of a line that goes on.

/// Decodes the bodies of mails that say that they are encoded, or a whole text that can be nothing else. Gives the
/// text and, since lines were joined, the line each line begins on.
pub(super) fn clean(text: &str) -> Option<(String, Vec<u32>)> {
    let whole = is_encoded(text);
    let declared = text.contains("uoted-printable") || text.contains("UOTED-PRINTABLE");
    let declared = declared && text.split('\n').any(declares);
    if !whole && !declared {
        return None;
    }
    let mut decoder = Decoder {
        encoded: whole,
        ..Decoder::default()
    };
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        decoder.read(line, number);
    }
    Some((
        String::from_utf8_lossy(&decoder.bytes).into_owned(),
        decoder.line_numbers,
    ))
}

#[derive(Default)]
struct Decoder {
    bytes: Vec<u8>,
    line_numbers: Vec<u32>,
    /// The lines to come are encoded.
    encoded: bool,
    /// The header said that the body will be.
    announced: bool,
    /// The last line goes on.
    open: bool,
}

impl Decoder {
    fn read(&mut self, line: &str, number: u32) {
        if !self.open {
            self.line_numbers.push(number);
        }
        let text = line.trim_end_matches(['\n', '\r']);
        if line.starts_with("From ") && text.matches(':').count() == 2 {
            // The next mail of a mailbox.
            self.encoded = false;
            self.announced = false;
        }
        self.announced |= declares(text);
        self.encoded |= self.announced && text.is_empty();
        match text.strip_suffix('=').filter(|_| self.encoded) {
            Some(begun) => self.push(begun, ""),
            None => self.push(text, line.get(text.len()..).unwrap_or("")),
        }
    }

    /// Adds a line; without a line end, it goes on.
    fn push(&mut self, text: &str, end: &str) {
        if self.encoded {
            self.push_decoded(text);
        } else {
            self.bytes.extend_from_slice(text.as_bytes());
        }
        self.bytes.extend_from_slice(end.as_bytes());
        self.open = end.is_empty();
    }

    fn push_decoded(&mut self, text: &str) {
        let mut pieces = text.split('=');
        self.bytes
            .extend_from_slice(pieces.next().unwrap_or("").as_bytes());
        for piece in pieces {
            match piece
                .split_at_checked(2)
                .and_then(|(hex, rest)| Some((hex_byte(hex)?, rest)))
            {
                Some((byte, rest)) => {
                    self.bytes.push(byte);
                    self.bytes.extend_from_slice(rest.as_bytes());
                }
                None => {
                    self.bytes.push(b'=');
                    self.bytes.extend_from_slice(piece.as_bytes());
                }
            }
        }
    }
}

fn declares(line: &str) -> bool {
    let header = line.trim_end().to_ascii_lowercase();
    header == "content-transfer-encoding: quoted-printable"
}

/// Whether every equals sign of the text begins an escape or ends a line, and several stand for themselves: code has
/// plain ones.
fn is_encoded(text: &str) -> bool {
    let is_escape = |rest: &str| {
        rest.is_empty()
            || rest.starts_with(['\n', '\r'])
            || rest.get(..2).and_then(hex_byte).is_some()
    };
    let signs = || {
        text.match_indices('=')
            .filter_map(|(at, _)| text.get(at + 1..))
    };
    text.contains("=3D") && signs().all(is_escape) && text.matches("=3D").count() > 2
}

fn hex_byte(hex: &str) -> Option<u8> {
    let upper = hex
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
    if upper {
        u8::from_str_radix(hex, 16).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, decoded: &str, line_numbers: &[u32]) {
        assert_eq!(
            clean(text),
            Some((decoded.to_owned(), line_numbers.to_vec()))
        );
    }

    #[test]
    fn a_mail_is_decoded_from_its_body_on() {
        let head = "Content-Transfer-Encoding: quoted-printable\nSubject: a=3Db\n\n";
        let text = format!("{head}+x =3D=\n 1\n+caf=C3=A9\n");
        let decoded = format!("{head}+x = 1\n+caf\u{e9}\n");
        check(&text, &decoded, &[1, 2, 3, 4, 6]);
    }

    #[test]
    fn a_body_alone_is_recognised_by_its_equals_signs() {
        check(
            "+a =3D 1\n+b =3D 2\n+c =3D=3D d\n",
            "+a = 1\n+b = 2\n+c == d\n",
            &[1, 2, 3],
        );
    }

    #[test]
    fn code_about_the_encoding_stays() {
        assert_eq!(clean("+a = '=3D'\n+b = '=3D=3D'\n"), None);
        assert_eq!(clean("+encode('=3D')\n"), None);
    }
}
