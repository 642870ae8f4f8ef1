//! Documents of ours that come in where a diff is expected: a saved review, or somebody's work.

use crate::input::{Input, Origin};
use report::export::{self, Read, Saved};
use report::{Report, Work};
use std::rc::Rc;
use yew::AttrValue;

/// What a text is.
pub(crate) enum Import {
    /// A diff, or anything else that the worker has to look at.
    Text(Input),
    /// A saved review with its diff, which is reviewed again.
    Diff { input: Input, work: Box<Work> },
    /// A saved review without its diff: the report is all there is to show. The text stays the document.
    Report {
        input: Input,
        report: Box<Report>,
        work: Box<Work>,
    },
    /// Answers and decisions alone.
    Work(Box<Work>),
    /// A document of ours that cannot be read.
    Broken(String),
}

impl From<Input> for Import {
    fn from(input: Input) -> Import {
        match export::read(&input.text) {
            None => Import::Text(input),
            Some(Err(error)) => Import::Broken(error.to_string()),
            Some(Ok(Read::Work(work))) => Import::Work(work),
            Some(Ok(Read::Review(saved))) => review(input, *saved),
        }
    }
}

fn review(input: Input, saved: Saved) -> Import {
    let Saved { report, work, diff } = saved;
    let work = Box::new(work);
    let origin = Origin::Report {
        source: Rc::new(report.source.clone()),
        has_diff: diff.is_some(),
    };
    match diff {
        Some(diff) => Import::Diff {
            input: Input::new(diff, origin),
            work,
        },
        None => Import::Report {
            input: Input {
                folded: true,
                ..Input::new(AttrValue::clone(&input.text), origin)
            },
            report: Box::new(report),
            work,
        },
    }
}
