//! Text whose lines end in a carriage return alone.

/// Makes line feeds of carriage returns if there is no line feed at all.
pub(super) fn clean(text: &str) -> Option<String> {
    (text.contains('\r') && !text.contains('\n')).then(|| text.replace('\r', "\n"))
}
