//! Permalinks: what people paste as one, what a damaged writer may have put inside, and what we put inside ourselves.

#![no_main]

use arbitrary::Arbitrary;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use libfuzzer_sys::fuzz_target;
use miniz_oxide::deflate::compress_to_vec;
use report::permalink::{self, Content, Link, Reference};
use report::{Answer, Context, Decision, FindingWork, LineWork, Work};

#[derive(Arbitrary, Debug)]
enum Case<'a> {
    /// Any text, a link or not.
    Pasted(&'a str),
    /// Any document, packed with a right checksum.
    Packed { reference: bool, document: &'a [u8] },
    /// A link of ours with text around it.
    Ours {
        link: Parts<'a>,
        before: &'a str,
        after: &'a str,
    },
}

#[derive(Arbitrary, Debug)]
struct Parts<'a> {
    text: &'a str,
    excerpt: bool,
    reference: Option<(&'a str, &'a str, &'a str, Option<u32>)>,
    files: bool,
    profile: &'a str,
    selected: Option<&'a str>,
    reviewer: Option<&'a str>,
    lines: Vec<(&'a str, u8, &'a str)>,
    findings: Vec<(&'a str, u8, &'a str)>,
}

fuzz_target!(|case: Case<'_>| {
    match case {
        Case::Pasted(text) => {
            opens_again(text);
            if let Some(pull) = permalink::pull(text) {
                let again = format!("#pr={}/{}", pull.repo, pull.number);
                assert_eq!(permalink::pull(&again), Some(pull));
            }
        }
        Case::Packed {
            reference,
            document,
        } => {
            opens_again(&packed(if reference { 'r' } else { 'd' }, document));
        }
        Case::Ours {
            link,
            before,
            after,
        } => {
            let link = link.link();
            let fragment = permalink::encode(&link);
            assert_eq!(
                permalink::encode(&link),
                fragment,
                "two links of one review"
            );
            assert_eq!(permalink::decode(&fragment).as_ref(), Ok(&link));
            let pasted = format!("{} #{fragment}{}", plain(before), plain(after));
            assert_eq!(permalink::decode(&pasted).as_ref(), Ok(&link), "{pasted}");
        }
    }
});

/// What opens is a link whose own fragment opens as the same; what does not says so in a sentence.
fn opens_again(text: &str) {
    match permalink::decode(text) {
        Ok(link) => assert_eq!(permalink::decode(&permalink::encode(&link)), Ok(link)),
        Err(error) => assert!(error.to_string().ends_with('.'), "{error}"),
    }
}

fn packed(kind: char, document: &[u8]) -> String {
    let mut bytes = crc32fast::hash(document).to_le_bytes().to_vec();
    bytes.extend(document);
    let payload = BASE64_URL_SAFE_NO_PAD.encode(compress_to_vec(&bytes, 1));
    format!("v1.{kind}.{payload}")
}

/// Text that neither continues a payload nor begins a link of its own: blanks and marks.
fn plain(text: &str) -> String {
    let mark = |char: char| {
        if char.is_ascii_punctuation() {
            ", ".chars()
        } else {
            " (".chars()
        }
    };
    text.chars().take(8).flat_map(mark).collect()
}

impl Parts<'_> {
    fn link(&self) -> Link {
        let diff = || Content::Diff {
            text: self.text.to_owned(),
            excerpt: self.excerpt,
        };
        let reference = |(repo, base, head, pull): (&str, &str, &str, Option<u32>)| {
            Content::Reference(Reference {
                repo: repo.to_owned(),
                base: base.to_owned(),
                head: head.to_owned(),
                pull,
            })
        };
        Link {
            content: self.reference.map_or_else(diff, reference),
            topic_version: "1".to_owned(),
            profile: self.profile.to_owned(),
            context: if self.files {
                Context::Files
            } else {
                Context::Diff
            },
            work: self.work(),
            selected: self.selected.map(str::to_owned),
        }
    }

    fn work(&self) -> Work {
        let line = |&(id, answer, note): &(&str, u8, &str)| {
            let answer = Answer::ALL[usize::from(answer) % Answer::ALL.len()];
            (
                id.to_owned(),
                LineWork {
                    answer,
                    note: note.to_owned(),
                    ..LineWork::default()
                },
            )
        };
        let finding = |&(id, decision, reason): &(&str, u8, &str)| {
            let all = [
                Decision::Open,
                Decision::Accepted,
                Decision::Dismissed,
                Decision::Raised,
            ];
            let decision = all[usize::from(decision) % all.len()];
            (
                id.to_owned(),
                FindingWork {
                    decision,
                    reason: reason.to_owned(),
                    ..FindingWork::default()
                },
            )
        };
        Work {
            reviewer: self.reviewer.map(str::to_owned),
            lines: self.lines.iter().map(line).collect(),
            findings: self.findings.iter().map(finding).collect(),
            ..Work::default()
        }
    }
}
