//! What a link promises: it opens as it was, or says in a sentence why not.

use super::*;
use crate::work::{Answer, LineWork};
use proptest::prelude::*;
use serde_json::Value;

fn link(text: &str) -> Link {
    Link {
        content: Content::Diff {
            text: text.to_owned(),
            excerpt: false,
        },
        topic_version: "1".to_owned(),
        profile: "roboflow/inference".to_owned(),
        context: Context::Diff,
        work: Work::default(),
        selected: Some("f1".to_owned()),
    }
}

fn reference() -> Link {
    Link {
        content: Content::Reference(Reference {
            repo: "acme/serve".to_owned(),
            base: "0a1b2c3".to_owned(),
            head: "4d5e6f7".to_owned(),
            pull: Some(12),
        }),
        context: Context::Files,
        ..link("")
    }
}

/// A fragment around any bytes, with a right checksum.
fn fragment_of(json: &[u8]) -> String {
    format!("v1.d.{}", pack(json))
}

#[test]
fn a_reference_opens_as_it_was() {
    let fragment = encode(&reference());
    assert!(fragment.starts_with("v1.r."));
    assert_eq!(decode(&fragment), Ok(reference()));
}

#[test]
fn what_people_paste_opens() {
    let link = link("--- a/a.py\r\n+++ b/a.py\n@@ -1 +1 @@\n-é\n+😀\n");
    let fragment = encode(&link);
    let (first, second) = fragment.split_at(40);
    for text in [
        fragment.clone(),
        format!("#{fragment}"),
        format!("https://example.org/hunkwise/?a=1#{fragment}"),
        format!("  <https://example.org/#{fragment}>.\n"),
        format!("See https://example.org/#{fragment}, line 3"),
        format!("[the review](https://example.org/#{fragment})!"),
        format!("https://example.org/%23{fragment}"),
        format!("https://example.org/#{first}\r\n{second}"),
        format!("https://example.org/#{first}\u{200b}{second}"),
        format!("https://example.org/#{fragment}%20"),
        format!("issue #12: https://example.org/#{fragment}&utm_source=chat"),
        address("https://example.org/#old", &link),
    ] {
        assert_eq!(decode(&text), Ok(link.clone()), "{text}");
    }
}

#[test]
fn a_cut_link_is_damaged() {
    let fragment = encode(&link(&"+    pool.submit(work)\n".repeat(40)));
    for len in 5..fragment.len() {
        let (cut, _) = fragment.split_at(len);
        assert_eq!(decode(cut), Err(LinkError::Damaged), "{len}");
    }
}

#[test]
fn a_changed_link_is_damaged() {
    let fragment = encode(&link("+    future.result()\n"));
    for idx in 5..fragment.len() {
        let mut changed = fragment.clone().into_bytes();
        changed[idx] = if changed[idx] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).unwrap();
        let opened = decode(&changed);
        // The last bits of the last character carry nothing.
        assert!(
            opened == Err(LinkError::Damaged) || idx + 1 == fragment.len(),
            "{idx}: {opened:?}"
        );
    }
}

#[test]
fn what_cannot_be_opened_gets_its_sentence() {
    assert_eq!(decode(""), Err(LinkError::NotALink));
    assert_eq!(decode("https://example.org/#top"), Err(LinkError::NotALink));
    assert_eq!(decode("v0.d.abc"), Err(LinkError::NotALink));
    assert_eq!(decode("#v2.d.abc"), Err(LinkError::Newer(2)));
    assert_eq!(
        decode("#v1.q.abc"),
        Err(LinkError::UnknownKind("q".to_owned()))
    );
    let newer = fragment_of(br#"{"schema": "hunkwise.link/3"}"#);
    assert_eq!(decode(&newer), Err(LinkError::Newer(3)));
    assert_eq!(decode(&fragment_of(b"{}")), Err(LinkError::Damaged));
    let other_kind = encode(&reference()).replacen("v1.r", "v1.d", 1);
    assert_eq!(decode(&other_kind), Err(LinkError::Damaged));
}

#[test]
fn what_expands_too_far_is_refused() {
    let bomb = fragment_of(&vec![b' '; EXPANSION_LIMIT]);
    assert!(bomb.len() < 200_000);
    assert_eq!(decode(&bomb), Err(LinkError::TooLarge));
}

#[test]
fn a_pull_request_is_read_from_a_fragment() {
    let expected = Some(Pull {
        repo: "acme/serve.py".to_owned(),
        number: 12,
    });
    assert_eq!(pull("#pr=acme/serve.py/12"), expected);
    assert_eq!(
        pull("https://example.org/#pr=acme%2Fserve.py%2F12."),
        expected
    );
    for text in [
        "",
        "#pr=",
        "#pr=acme/serve",
        "#pr=acme/serve/0",
        "#pr=a/b/1/2",
        "#pr=../b/1",
        "acme/serve/12",
    ] {
        assert_eq!(pull(text), None, "{text}");
    }
}

/// Each `.txt` holds a link that was once given out, the `.json` beside it what it opened to. None may ever stop opening.
#[test]
fn recorded_links_open() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/links");
    let mut n_opened = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let link = decode(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let recorded = std::fs::read_to_string(path.with_extension("json")).unwrap();
        let recorded: Value = serde_json::from_str(&recorded).unwrap();
        let opened = serde_json::to_value(Document::of(&link).1).unwrap();
        assert!(holds(&opened, &recorded), "{}: {opened:#}", path.display());
        n_opened += 1;
    }
    assert!(n_opened >= 5, "the folder of recorded links is incomplete");
}

/// Whether all that was recorded is still there; a later version may know more.
fn holds(opened: &Value, recorded: &Value) -> bool {
    match (opened, recorded) {
        (Value::Object(opened), Value::Object(recorded)) => recorded
            .iter()
            .all(|(key, value)| opened.get(key).is_some_and(|it| holds(it, value))),
        _ => opened == recorded,
    }
}

#[test]
fn no_link_ends_in_a_mark_that_gets_lost() {
    for n in 0..200 {
        let fragment = encode(&link(&"x".repeat(n)));
        assert!(!fragment.ends_with(['-', '_']), "{n}");
        assert!(decode(&fragment).is_ok());
    }
}

proptest! {
    #[test]
    fn every_link_opens_as_it_was(
        text in any::<String>(),
        excerpt: bool,
        selected in any::<Option<String>>(),
        note in any::<String>(),
    ) {
        let mut link = link("");
        link.content = Content::Diff { text, excerpt };
        link.selected = selected;
        link.work.lines.insert("R4".to_owned(), LineWork { answer: Answer::Checked, note, ..LineWork::default() });
        prop_assert_eq!(decode(&encode(&link)), Ok(link));
    }

    #[test]
    fn no_text_panics(text in any::<String>(), payload in "[A-Za-z0-9_-]{0,80}") {
        let _ = decode(&text);
        let _ = decode(&format!("{text}#v1.d.{payload}{text}"));
        let _ = pull(&format!("#pr={text}"));
    }
}
