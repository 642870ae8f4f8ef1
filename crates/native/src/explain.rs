//! `hunkwise explain`: a rule's card, or a check with its rule's card.

use crate::output;
use anyhow::bail;
use review::CheckInfo;
use std::fmt::Write as _;
use std::process::ExitCode;
use topic::RuleCard;

/// Columns of a line.
const WIDTH: usize = 100;

pub(crate) fn run(id: &str) -> anyhow::Result<ExitCode> {
    let topic = topic::topic();
    let checks: Vec<CheckInfo> = review::checks_named(id).collect();
    let card = match checks[..] {
        [] => topic.rule_by_id(id),
        [check] => topic.rule(check.rule),
        [first, ..] => return shared(&checks, first.rule),
    };
    let Some(card) = card else {
        bail!(
            "there is no rule and no check {id:?}; rules are R1 to R10, as in `hunkwise explain R4`"
        );
    };
    output::print(&text(card, checks.first()))?;
    Ok(ExitCode::SUCCESS)
}

/// A check that several rules have: a card for each would be a book.
fn shared(checks: &[CheckInfo], rule: u8) -> anyhow::Result<ExitCode> {
    let mut out = String::new();
    for check in checks {
        head(&mut out, check);
    }
    let more = format!(
        "Several rules have this check; `hunkwise explain R{rule}` shows the first one's card."
    );
    told(&mut out, 0, &more);
    output::print(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// What a check finds, and a blank line.
fn head(out: &mut String, check: &CheckInfo) {
    let weight = check.severity.word();
    told(out, 0, &format!("{} (R{}, {weight})", check.id, check.rule));
    told(out, 2, check.summary);
    out.push('\n');
}

fn text(card: &RuleCard, check: Option<&CheckInfo>) -> String {
    let mut out = String::new();
    if let Some(check) = check {
        head(&mut out, check);
    }
    told(
        &mut out,
        0,
        &format!("{} ({}): {}", card.id, card.severity.word(), card.title),
    );
    for text in [card.what, card.why] {
        out.push('\n');
        told(&mut out, 0, text);
    }
    list(
        &mut out,
        "Fine",
        card.safe.iter().map(|text| (*text).to_owned()),
    );
    code(&mut out, "Breaks the rule", card.bad);
    code(&mut out, "Mended", card.good);
    list(&mut out, "Checks", checks(card));
    list(&mut out, "Files to learn from", files(card));
    list(&mut out, "Pull requests", pulls(card));
    out
}

fn checks(card: &RuleCard) -> impl Iterator<Item = String> {
    let own = review::checks().filter(|check| check.rule == card.number);
    own.map(|check| {
        format!(
            "{} ({}): {}",
            check.id,
            check.severity.word(),
            check.summary
        )
    })
}

fn files(card: &RuleCard) -> impl Iterator<Item = String> {
    let files = card.key_files.iter();
    files.map(|file| format!("{}: {}", file.path, file.shows))
}

fn pulls(card: &RuleCard) -> impl Iterator<Item = String> {
    let pulls = card.references.iter();
    pulls.map(|pull| format!("#{} {} ({})", pull.number, pull.title, pull.url()))
}

fn list(out: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}:");
    for item in items {
        wrapped(out, "  - ", "    ", &item);
    }
}

fn code(out: &mut String, title: &str, code: &str) {
    let _ = writeln!(out, "\n{title}:");
    for line in code.lines() {
        let _ = writeln!(out, "{}", format!("    {line}").trim_end());
    }
}

fn told(out: &mut String, indent: usize, text: &str) {
    let indent = " ".repeat(indent);
    wrapped(out, &indent, &indent, text);
}

/// A paragraph in lines of at most [`WIDTH`] characters, longer words left whole.
fn wrapped(out: &mut String, first: &str, next: &str, text: &str) {
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in text.split_whitespace() {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{line}");
            line = next.to_owned();
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    let _ = writeln!(out, "{line}");
}
