//! What holds for any text: nothing panics, the same bytes give the same bytes, and every finding lies in the diff.

use proptest::prelude::*;
use report::{Report, Side, Work, export};
use std::sync::LazyLock;
use tests::{fixtures, review};

/// Texts worth damaging.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let fixtures = fixtures("rules").unwrap();
    fixtures.into_iter().map(|fixture| fixture.diff).collect()
});

/// One way to damage a text; numbers are taken modulo what there is.
#[derive(Clone, Debug)]
enum Damage {
    DropLine(usize),
    RepeatLine(usize),
    SwapLines(usize, usize),
    Cut(usize),
    Insert(usize, char),
    Append(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let odd = prop::sample::select(vec![
        '\0',
        '\t',
        '\r',
        '\u{c}',
        '(',
        ')',
        '[',
        '"',
        '\'',
        '\\',
        '#',
        ':',
        '@',
        '+',
        '-',
        ' ',
        '\u{e9}',
        '\u{1F600}',
        '\u{2028}',
        '\n',
    ]);
    prop_oneof![
        any::<usize>().prop_map(Damage::DropLine),
        any::<usize>().prop_map(Damage::RepeatLine),
        any::<(usize, usize)>().prop_map(|(a, b)| Damage::SwapLines(a, b)),
        any::<usize>().prop_map(Damage::Cut),
        (any::<usize>(), odd).prop_map(|(at, c)| Damage::Insert(at, c)),
        any::<usize>().prop_map(Damage::Append),
    ]
}

fn damaged(text: &str, damage: &Damage) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let n = lines.len().max(1);
    let place = |at: usize| {
        let at = at % (text.len() + 1);
        (at..=text.len())
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(0)
    };
    match *damage {
        Damage::DropLine(at) if !lines.is_empty() => {
            lines.remove(at % n);
        }
        Damage::RepeatLine(at) if !lines.is_empty() => lines.insert(at % n, lines[at % n]),
        Damage::SwapLines(a, b) if !lines.is_empty() => lines.swap(a % n, b % n),
        Damage::Cut(at) => return text[..place(at)].to_owned(),
        Damage::Insert(at, c) => {
            let (head, tail) = text.split_at(place(at));
            return format!("{head}{c}{tail}");
        }
        Damage::Append(at) => return format!("{text}{}", TEXTS[at % TEXTS.len()]),
        _ => {}
    }
    lines.concat()
}

/// Whether each finding stands on lines that the diff shows, in order.
fn is_sound(text: &str, report: &Report) -> Result<(), TestCaseError> {
    let patch = diff::parse(text);
    for finding in &report.findings {
        let mut files = patch.files.iter();
        let shown = files.any(|file| {
            let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
            let own = |path: &Option<String>| path.as_deref().unwrap_or("") == finding.path;
            (own(&file.old_path) || own(&file.new_path))
                && lines.into_iter().any(|line| match finding.side {
                    Side::Old => line.old == Some(finding.line),
                    Side::New => line.new == Some(finding.line),
                })
        });
        prop_assert!(shown, "{finding:?} stands on no line of the diff");
        prop_assert!(finding.line <= finding.end_line && finding.column >= 1);
        let (start, end) = (
            (finding.line, finding.column),
            (finding.end_line, finding.end_column),
        );
        prop_assert!(start < end, "{finding:?} is empty");
    }
    let order = |report: &Report| -> Vec<(String, u32, u8, String)> {
        let findings = report.findings.iter();
        findings
            .map(|it| (it.path.clone(), it.line, it.rule, it.check.clone()))
            .collect()
    };
    prop_assert!(order(report).is_sorted());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_texts_are_reviewed(at in any::<usize>(), damages in prop::collection::vec(damage(), 0..6)) {
        let mut text = TEXTS[at % TEXTS.len()].clone();
        for damage in &damages {
            text = damaged(&text, damage);
        }
        let report = review(&text).unwrap();
        is_sound(&text, &report)?;
        let again = review(&text).unwrap();
        prop_assert_eq!(export::json(&report, &Work::default()), export::json(&again, &Work::default()));
    }
}
