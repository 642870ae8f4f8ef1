//! Finding a link in what people paste: whole addresses, fragments, and what chats and mail programs make of them.

use percent_encoding::percent_decode_str;

/// A link's parts, not yet opened.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) version: u32,
    pub(super) kind: String,
    /// What the payload may be, likeliest first: up to the first blank, and with the line breaks of a mail taken out.
    pub(super) payloads: Vec<String>,
}

/// A pull request that an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pull {
    /// `owner/name`.
    pub repo: String,
    pub number: u32,
}

/// The link in a text, if there is one.
pub(super) fn find(text: &str) -> Option<Found> {
    let text = percent_decode_str(text).decode_utf8_lossy().into_owned();
    let starts = text.match_indices('#').map(|(idx, mark)| idx + mark.len());
    std::iter::once(0)
        .chain(starts)
        .filter_map(|idx| text.get(idx..))
        .find_map(|rest| parts(rest.trim_start_matches(is_wrapping)))
}

/// `OWNER/NAME/NUMBER` out of a fragment `#pr=OWNER/NAME/NUMBER`, alone or at the end of an address.
pub fn pull(text: &str) -> Option<Pull> {
    let text = percent_decode_str(text.trim()).decode_utf8_lossy();
    let (_, fragment) = text.rsplit_once('#').unwrap_or(("", &text));
    let mut parts = fragment.strip_prefix("pr=")?.split('/');
    let (owner, name, number) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = number.trim_end_matches(is_wrapping);
    let named = [owner, name].iter().all(|part| is_repository_part(part));
    let repo = format!("{owner}/{name}");
    let number = digits.parse().ok().filter(|&number| number > 0)?;
    (named && parts.next().is_none()).then_some(Pull { repo, number })
}

fn is_repository_part(part: &str) -> bool {
    let allowed = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    !part.is_empty() && part.chars().all(allowed) && part.chars().any(|char| char != '.')
}

/// `v1.d.payload` and what follows it.
fn parts(text: &str) -> Option<Found> {
    let (version, rest) = split_near(text.strip_prefix('v')?)?;
    let (kind, rest) = split_near(rest)?;
    let is_kind =
        (1..=8).contains(&kind.len()) && kind.chars().all(|char| char.is_ascii_lowercase());
    let is_version =
        (1..=9).contains(&version.len()) && version.chars().all(|char| char.is_ascii_digit());
    let version = version.parse().ok().filter(|&version| version > 0)?;
    (is_kind && is_version).then(|| Found {
        version,
        kind: kind.to_owned(),
        payloads: payloads(rest),
    })
}

/// Splits at a dot among the next few characters: a text may have a million places that begin like a link,
/// and looking for the dot of each through all that follows would take minutes.
fn split_near(text: &str) -> Option<(&str, &str)> {
    const NEAR: usize = 10;
    let head = text.get(..text.floor_char_boundary(NEAR))?;
    let dot = head.find('.')?;
    Some((text.get(..dot)?, text.get(dot + 1..)?))
}

fn payloads(rest: &str) -> Vec<String> {
    let until = |is_end: fn(char) -> bool, text: &str| -> String {
        text.chars().take_while(|&char| !is_end(char)).collect()
    };
    let unwrapped: String = rest.chars().filter(|&char| !is_blank(char)).collect();
    let mut payloads = vec![
        until(is_no_payload, rest.trim_start_matches(is_blank)),
        until(is_no_payload, &unwrapped),
    ];
    payloads.dedup();
    payloads
}

fn is_no_payload(char: char) -> bool {
    !(char.is_ascii_alphanumeric() || matches!(char, '-' | '_'))
}

/// Blanks, and the invisible characters that chats put into long words.
fn is_blank(char: char) -> bool {
    char.is_whitespace()
        || matches!(
            char,
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}'
        )
}

/// What stands around a link in a message.
fn is_wrapping(char: char) -> bool {
    is_blank(char) || "<>()[]{}\"'`.,;:!?*".contains(char)
}
