//! A first, plain stitching of hunks: headings and indentation only.

use super::{DocLine, Document, Scaffold};
use diff::{File, Hunk, LineKind, Patch, Status};
use report::Side;

pub(super) fn stitch(file: &File, patch: &Patch, side: Side) -> Document {
    let whole = matches!(
        (file.status, side),
        (Status::Added, Side::New) | (Status::Deleted, Side::Old)
    );
    let mut document = Document {
        side,
        text: String::new(),
        lines: Vec::new(),
        whole,
    };
    for (n, hunk) in file.hunks.iter().enumerate() {
        let lines: Vec<(&str, u32, bool)> = hunk
            .lines
            .iter()
            .filter_map(|line| {
                let number = match side {
                    Side::Old => line.old,
                    Side::New => line.new,
                }?;
                Some((
                    patch.text(line).trim_end_matches('\r'),
                    number,
                    line.kind != LineKind::Context,
                ))
            })
            .collect();
        if !whole {
            scaffold(hunk, &lines, &mut document);
        }
        for (text, number, changed) in lines {
            push(
                &mut document,
                text,
                DocLine::Diff {
                    number,
                    changed,
                    hunk: n as u32,
                },
            );
        }
    }
    document.lines.push(DocLine::Scaffold(Scaffold::Tail));
    document
}

fn scaffold(hunk: &Hunk, lines: &[(&str, u32, bool)], document: &mut Document) {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let code: Vec<usize> = lines
        .iter()
        .filter(|l| !l.0.trim().is_empty())
        .map(|l| indent(l.0))
        .collect();
    let Some(&first) = code.first() else { return };
    let mut levels: Vec<usize> = Vec::new();
    let mut least = first;
    for &level in &code {
        if level < least {
            levels.push(level);
            least = level;
        }
    }
    if least > 0 {
        levels.push(0);
    }
    levels.sort_unstable();
    let heading = hunk.section.trim_start();
    let depth = indent(&hunk.section);
    let name = |key: &str| {
        let rest = heading.strip_prefix(key)?;
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        rest.get(..end).map(str::to_string)
    };
    let known = name("class ")
        .map(|n| format!("class {n}:"))
        .or_else(|| name("def ").map(|n| format!("def {n}():")));
    if known.is_some() && depth < first && !levels.contains(&depth) {
        levels.push(depth);
        levels.sort_unstable();
    }
    for level in levels.into_iter().filter(|&level| level < first) {
        let pad = " ".repeat(level);
        match &known {
            Some(known) if depth == level => push(
                document,
                &format!("{pad}{known}"),
                DocLine::Scaffold(Scaffold::Heading),
            ),
            _ => push(
                document,
                &format!("{pad}if 1:"),
                DocLine::Scaffold(Scaffold::Unknown),
            ),
        }
    }
}

fn push(document: &mut Document, text: &str, line: DocLine) {
    document.text.push_str(text);
    document.text.push('\n');
    document.lines.push(line);
}
