//! Whether the topic applies, by what the changed lines say in code.
//!
//! Only names that the parser saw count, never comments, strings or docstrings. A statement that stands on the other
//! side too, moved or laid out anew, is no signal; nor is an import of a thing that was imported before.

mod mentions;

use super::seen::{Half, Seen};
use crate::facts::StmtKind;
use mentions::{Mention, mentions, origins};
use report::{Side, Signal};
use rustc_hash::{FxHashMap, FxHashSet};
use topic::{SignalKind, TriggerGroup};

/// More signals of one group than these say nothing new.
const LIMIT: usize = 12;

/// The lines that make the topic matter, by group, path and line.
pub(super) fn signals(seen: &[Seen<'_>]) -> Vec<Signal> {
    let groups = &topic::topic().groups;
    let mut found: Vec<Vec<Signal>> = groups.iter().map(|_| Vec::new()).collect();
    let mut matcher = Matcher::default();
    for side in [Side::New, Side::Old] {
        let elsewhere = statements(seen, other(side));
        for file in seen {
            let Some(half) = file.half(side) else {
                continue;
            };
            let commit = file.file.commit;
            for mention in mentions(half, |text| elsewhere.contains(&(commit, text.to_owned()))) {
                matcher.add(groups, half, &mention, &mut found);
            }
        }
    }
    found.into_iter().flat_map(in_order).collect()
}

fn in_order(mut signals: Vec<Signal>) -> Vec<Signal> {
    signals.sort_by(|a, b| (&a.path, a.line, a.side).cmp(&(&b.path, b.line, b.side)));
    signals
}

fn other(side: Side) -> Side {
    match side {
        Side::Old => Side::New,
        Side::New => Side::Old,
    }
}

/// The changed statements of one side of all files, normalised, with their commits; of imports each name alone, too.
fn statements(seen: &[Seen<'_>], side: Side) -> FxHashSet<(Option<u32>, String)> {
    let mut found = FxHashSet::default();
    for file in seen {
        let Some(half) = file.half(side) else {
            continue;
        };
        for (stmt, text) in half.changed.iter() {
            if matches!(half.facts.stmt(*stmt).kind, StmtKind::Import) {
                let imports = origins(text).into_iter();
                found.extend(imports.map(|origin| (file.file.commit, format!("import {origin}"))));
            }
            found.insert((file.file.commit, text.clone()));
        }
    }
    found
}

/// Which groups a mention triggers, remembered: the same names come again and again.
#[derive(Default)]
struct Matcher {
    known: FxHashMap<(SignalKind, String), Vec<usize>>,
}

impl Matcher {
    fn add(
        &mut self,
        groups: &[TriggerGroup],
        half: &Half<'_>,
        mention: &Mention,
        found: &mut [Vec<Signal>],
    ) {
        let key = (mention.kind, mention.name.clone());
        let triggered = self
            .known
            .entry(key)
            .or_insert_with(|| triggered(groups, mention));
        for &at in triggered.iter() {
            let (Some(group), Some(signals)) = (groups.get(at), found.get_mut(at)) else {
                continue;
            };
            let signal = Signal {
                group: group.id.to_owned(),
                path: half.facts.path.clone(),
                side: half.facts.document.side,
                line: mention.line,
                text: mention.text.clone(),
            };
            let is_told = |known: &Signal| {
                (&known.path, &known.text, known.side) == (&signal.path, &signal.text, signal.side)
            };
            if signals.len() < LIMIT && !signals.iter().any(is_told) {
                signals.push(signal);
            }
        }
    }
}

fn triggered(groups: &[TriggerGroup], mention: &Mention) -> Vec<usize> {
    let triggers = |group: &TriggerGroup| {
        group
            .signals
            .iter()
            .any(|signal| signal.kind == mention.kind && means(signal, &mention.name))
    };
    let numbered = groups.iter().enumerate();
    numbered
        .filter(|(_, group)| triggers(group))
        .map(|(at, _)| at)
        .collect()
}

fn means(signal: &topic::Signal, name: &str) -> bool {
    match signal.kind {
        SignalKind::Word => topic::says(name, signal.pattern),
        SignalKind::Call | SignalKind::Import | SignalKind::Name => {
            topic::name_matches(signal.pattern, name)
        }
    }
}
