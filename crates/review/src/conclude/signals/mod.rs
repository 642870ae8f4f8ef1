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
use std::borrow::Cow;
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
            let stands_elsewhere = |text: &str| elsewhere.contains(&(commit, Cow::Borrowed(text)));
            mentions(half, stands_elsewhere, |mention| {
                matcher.add(groups, half, &mention, &mut found);
            });
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
fn statements<'s>(seen: &'s [Seen<'_>], side: Side) -> FxHashSet<(Option<u32>, Cow<'s, str>)> {
    let mut found = FxHashSet::default();
    for file in seen {
        let Some(half) = file.half(side) else {
            continue;
        };
        for (stmt, text) in half.changed.iter() {
            if matches!(half.facts.stmt(*stmt).kind, StmtKind::Import) {
                let imports = origins(text).into_iter();
                let imports = imports.map(|origin| Cow::Owned(format!("import {origin}")));
                found.extend(imports.map(|import| (file.file.commit, import)));
            }
            found.insert((file.file.commit, Cow::Borrowed(text.as_str())));
        }
    }
    found
}

/// Which groups a mention triggers, remembered: the same names come again and again. Groups that had their fill before
/// are left out.
#[derive(Default)]
struct Matcher {
    known: FxHashMap<SignalKind, FxHashMap<Box<str>, Vec<usize>>>,
}

impl Matcher {
    fn add(
        &mut self,
        groups: &[TriggerGroup],
        half: &Half<'_>,
        mention: &Mention<'_>,
        found: &mut [Vec<Signal>],
    ) {
        let known = self.known.entry(mention.kind).or_default();
        if !known.contains_key(mention.name) {
            known.insert(mention.name.into(), triggered(groups, mention, found));
        }
        let triggered = known.get(mention.name).into_iter().flatten();
        for &at in triggered {
            let (Some(group), Some(signals)) = (groups.get(at), found.get_mut(at)) else {
                continue;
            };
            if signals.len() < LIMIT {
                add(group, half, mention, signals);
            }
        }
    }
}

/// Adds a signal that is not told yet, where a changed line shows it.
fn add(group: &TriggerGroup, half: &Half<'_>, mention: &Mention<'_>, signals: &mut Vec<Signal>) {
    let facts = half.facts;
    let mut lines = facts.diff_lines(mention.span);
    let Some((line, _)) = lines.find(|(_, changed)| *changed) else {
        return;
    };
    let text = facts.text(mention.span);
    let signal = Signal {
        group: group.id.to_owned(),
        path: facts.path.clone(),
        side: facts.document.side,
        line,
        text: text.lines().next().unwrap_or(text).to_owned(),
    };
    let is_told = |known: &Signal| {
        (&known.path, &known.text, known.side) == (&signal.path, &signal.text, signal.side)
    };
    if !signals.iter().any(is_told) {
        signals.push(signal);
    }
}

fn triggered(groups: &[TriggerGroup], mention: &Mention<'_>, found: &[Vec<Signal>]) -> Vec<usize> {
    let triggers = |group: &TriggerGroup| {
        let mut signals = group.signals.iter();
        signals.any(|signal| signal.kind == mention.kind && means(signal, mention.name))
    };
    let open = groups.iter().zip(found).enumerate();
    open.filter(|(_, (group, signals))| signals.len() < LIMIT && triggers(group))
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
