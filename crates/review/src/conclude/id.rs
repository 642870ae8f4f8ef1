//! The id of a finding, which survives unrelated edits, shifts of lines, a rebase, and whole files coming in.

use super::found::Found;
use super::seen::Seen;
use crate::facts::StmtId;
use std::collections::BTreeMap;

/// What findings have in common whose ids differ by their ordinal only.
type Key<'s> = (u8, &'s str, &'s str, &'s str);

/// The statements with equal text that were met, in the order of the diff.
type Met = Vec<(usize, StmtId)>;

/// Gives every finding its id. Equals are counted among what the change brought, whatever becomes of them later:
/// whole files show more of a file, but no more of the change.
pub(super) fn number(seen: &[Seen<'_>], found: &mut [Found]) {
    let mut met: BTreeMap<Key<'_>, Met> = BTreeMap::new();
    for one in found.iter_mut() {
        let Some((_, half, sighting)) = one.of(seen) else {
            continue;
        };
        let check = sighting.hit.check;
        let key = (
            check.rule,
            check.id,
            half.facts.path.as_str(),
            sighting.statement.as_str(),
        );
        let place = (one.file, sighting.hit.anchor.stmt);
        let equals = met.entry(key).or_default();
        let ordinal = equals
            .iter()
            .position(|of| *of == place)
            .unwrap_or_else(|| {
                equals.push(place);
                equals.len() - 1
            });
        one.id = id(key, ordinal);
    }
}

fn id((rule, check, path, statement): Key<'_>, ordinal: usize) -> String {
    let text = format!("{rule}\0{check}\0{path}\0{statement}\0{ordinal}");
    format!("{:016x}", fnv(text.as_bytes()))
}

/// FNV-1a in 64 bits. Ids are kept in dismissals and links, so the function must never change.
fn fnv(bytes: &[u8]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.iter().fold(OFFSET, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_never_change() {
        assert_eq!(format!("{:016x}", fnv(b"foobar")), "85944171f73967e8");
        let key = (4, "unbounded-result", "a.py", "future.result()");
        assert_ne!(id(key, 0), id(key, 1));
    }
}
