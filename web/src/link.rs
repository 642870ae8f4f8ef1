//! Permalinks: what one holds of the present state, and what opening one does.

use crate::github::Target;
use crate::input::{Input, Origin};
use crate::sharing::Sharing;
use crate::state::{Action, Fetch, State, Wanted};
use report::Context;
use report::permalink::{self, Content, Link};
use yew::{AttrValue, Callback};

/// The link of the present review, once all that it is to hold is there.
pub(crate) fn of(state: &State, sharing: &Sharing) -> Option<Link> {
    let report = state.report.as_deref()?;
    Some(Link {
        content: sharing.content(state)?,
        topic_version: report.tool.topic_version.clone(),
        profile: report.tool.profile.clone(),
        context: report.input.context,
        work: sharing.work(state),
        selected: state.selected.as_ref().map(AttrValue::to_string),
    })
}

/// Opens what a fragment or a whole address holds, or says why not. Text that is on the page stays unless there is another.
pub(crate) fn open(text: &str, act: &Callback<Action>) {
    if text.is_empty() {
        return;
    }
    if let Some(pull) = permalink::pull(text) {
        let target = Target::Pull {
            repo: pull.repo,
            number: pull.number,
        };
        act.emit(Action::Fetch(Fetch::Want(Wanted {
            target,
            selected: None,
            work: None,
        })));
        return;
    }
    match permalink::decode(text) {
        Ok(link) => load(link, act),
        Err(error) => {
            let sentence = by_address(text).unwrap_or_else(|| error.to_string());
            act.emit(Action::Notice(sentence.into()));
        }
    }
}

/// Opens what somebody typed or pasted as an address: a link of this page, or a change on GitHub.
pub(crate) fn open_address(text: &str, act: &Callback<Action>) {
    let is_link = ["#v1.", "#pr="].iter().any(|mark| text.contains(mark));
    if is_link {
        open(text.trim(), act);
    } else {
        act.emit(Action::Fetch(Fetch::Open(text.to_owned().into())));
    }
}

/// What is wrong with a fragment that was to name a pull request.
fn by_address(fragment: &str) -> Option<String> {
    let named = fragment.strip_prefix("pr=")?;
    Some(format!(
        "This address names no pull request: `{named}` is not of the form OWNER/NAME/NUMBER."
    ))
}

fn load(link: Link, act: &Callback<Action>) {
    let notice = difference(&link);
    match link.content {
        Content::Diff { text, excerpt } => act.emit(Action::OpenLink {
            input: Input::new(text, Origin::Link { excerpt }),
            selected: link.selected.map(AttrValue::from),
            work: Box::new(link.work),
            profile: link.profile,
        }),
        Content::Reference(reference) => {
            let target = Target::Compare {
                repo: reference.repo,
                base: reference.base,
                head: reference.head,
                pull: reference.pull,
            };
            let selected = link.selected.map(AttrValue::from);
            let work = Some(Box::new(link.work));
            act.emit(Action::Fetch(Fetch::Offer(Wanted {
                target,
                selected,
                work,
            })));
        }
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
