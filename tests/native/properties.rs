//! What holds for any text: nothing panics, the same bytes give the same bytes, and every finding lies in the diff.

use proptest::collection::vec;
use proptest::prelude::*;
use report::{Work, export};
use std::path::Path;
use std::sync::LazyLock;
use tests::{fixtures, reviewed, sound};
use topic::{Profile, topic};

/// Texts worth damaging.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let fixtures = fixtures("rules").unwrap();
    fixtures.into_iter().map(|fixture| fixture.diff).collect()
});

/// Diffs as programs, mails and web pages give them, without the longest.
static PASTES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/diff");
    let mut paths: Vec<_> = (folder.read_dir().unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "diff"))
        .collect();
    paths.sort();
    let texts = paths
        .iter()
        .map(|path| diff::decode(&std::fs::read(path).unwrap()).text);
    texts.filter(|text| text.len() < 20_000).collect()
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

fn is_sound(text: &str) -> anyhow::Result<()> {
    let patch = diff::parse(text);
    sound::patch(text, &patch)?;
    let profile = Profile::builtin();
    let input = review::Input {
        text,
        decoding: &[],
        files: None,
        profile: &profile,
        dismissals: &[],
        source: &report::Source::default(),
    };
    let (plan, report) = reviewed(&input)?;
    sound::report(&patch, &report)?;
    let view = review::view(&plan);
    sound::rows(&plan, &view)?;
    let (work, wording) = (Work::default(), topic().wording(export::Gravity::default()));
    sound::exports(&report, &work, &view, &wording)?;
    let (_, again) = reviewed(&input)?;
    anyhow::ensure!(
        export::json(&report, &work) == export::json(&again, &work),
        "two reviews"
    );
    Ok(())
}

/// Fails with the whole story, so that shrinking shows what is wrong with the smallest text.
fn holds(sound: anyhow::Result<()>) -> Result<(), TestCaseError> {
    sound.map_err(|unsound| TestCaseError::fail(format!("{unsound:#}")))
}

fn all_damaged(text: &str, damages: &[Damage]) -> String {
    let whole = text.to_owned();
    damages.iter().fold(whole, |text, one| damaged(&text, one))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_texts_are_reviewed(at in any::<usize>(), damages in vec(damage(), 0..6)) {
        holds(is_sound(&all_damaged(&TEXTS[at % TEXTS.len()], &damages)))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_diffs_of_every_origin_are_accounted_for(at in any::<usize>(), damages in vec(damage(), 0..6)) {
        let text = all_damaged(&PASTES[at % PASTES.len()], &damages);
        let patch = diff::parse(&text);
        prop_assert_eq!(&patch, &diff::parse(&text));
        holds(sound::patch(&text, &patch))?;
    }
}
