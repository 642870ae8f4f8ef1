//! Permalinks: what one holds of the present state, and what opening one does.

use crate::input::{Input, Origin};
use crate::state::{Action, State};
use report::Context;
use report::permalink::{self, Content, Link, Reference};
use yew::{AttrValue, Callback};

/// The link of the present review. `excerpt` is the diff cut to the hunks with findings, where that is wanted.
pub(crate) fn of(state: &State, excerpt: Option<&AttrValue>) -> Option<Link> {
    let report = state.report.as_deref()?;
    let was_excerpt = state.input.origin == Origin::Link { excerpt: true };
    let content = Content::Diff {
        text: excerpt.unwrap_or(&state.input.text).to_string(),
        excerpt: excerpt.is_some() || was_excerpt,
    };
    Some(Link {
        content,
        topic_version: report.tool.topic_version.clone(),
        profile: report.tool.profile.clone(),
        context: report.input.context,
        work: state.kept().work.without_versions(),
        selected: state.selected.as_ref().map(AttrValue::to_string),
    })
}

/// Opens what a fragment holds, or says why not. Text that is on the page stays unless there is another.
pub(crate) fn open(fragment: &str, act: &Callback<Action>) {
    if fragment.is_empty() {
        return;
    }
    match permalink::decode(fragment) {
        Ok(link) => load(link, act),
        Err(error) => {
            let sentence = by_address(fragment).unwrap_or_else(|| error.to_string());
            act.emit(Action::Notice(sentence.into()));
        }
    }
}

/// What to do with a fragment that only names a pull request.
fn by_address(fragment: &str) -> Option<String> {
    let named = fragment.strip_prefix("pr=")?;
    let Some(pull) = permalink::pull(fragment) else {
        return Some(format!(
            "This address names no pull request: `{named}` is not of the form OWNER/NAME/NUMBER."
        ));
    };
    Some(format!(
        "This page does not fetch pull requests yet. Open https://github.com/{}/pull/{}.diff and paste what it shows.",
        pull.repo, pull.number
    ))
}

fn load(link: Link, act: &Callback<Action>) {
    let notice = difference(&link);
    match link.content {
        Content::Diff { text, excerpt } => act.emit(Action::OpenLink {
            input: Input::new(text, Origin::Link { excerpt }),
            selected: link.selected.map(AttrValue::from),
            work: Box::new(link.work),
        }),
        Content::Reference(reference) => act.emit(Action::Notice(missing(&reference).into())),
    }
    if let Some(notice) = notice {
        act.emit(Action::Notice(notice.into()));
    }
}

/// Why the review here may differ from that of whoever made the link.
fn difference(link: &Link) -> Option<&'static str> {
    if link.topic_version != topic::topic().version {
        Some(
            "This link was made with another version of the checklist, so its findings may differ from those here.",
        )
    } else if link.context == Context::Files {
        Some(
            "This link was made with whole files at hand. Here the diff alone is reviewed, which may leave more to look at.",
        )
    } else {
        None
    }
}

fn missing(reference: &Reference) -> String {
    let pull = reference
        .pull
        .map_or(String::new(), |pull| format!("#{pull}"));
    format!(
        "This link names a diff without holding it. Paste the diff of {}{pull} from {} to {} to review it.",
        reference.repo, reference.base, reference.head
    )
}
