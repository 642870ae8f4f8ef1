//! What was fetched, at which commit, and which of its files were read whole.

use super::act_button::ActButton;
use super::visible::visible;
use crate::github::{Refusal, address::short};
use crate::state::{Action, Fetch, Fetched, Whole, WholeFiles};
use crate::words::{count, file_name};
use std::rc::Rc;
use yew::prelude::*;

/// Names that are listed in a sentence.
const LISTED: usize = 6;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) fetched: Rc<Fetched>,
    pub(crate) whole: WholeFiles,
    /// Python files that are not read whole.
    pub(crate) missing: Vec<String>,
    /// Findings that are still to look at; none until the review is done.
    pub(crate) n_looks: Option<usize>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn OriginLine(props: &Props) -> Html {
    let fetched = &props.fetched;
    html! {
        <section class="origin" aria-label="Fetched from GitHub">
            <p>
                <a href={fetched.target.page()} target="_blank" rel="noreferrer">{ fetched.target.to_string() }</a>
                { " " }<strong>{ visible(&fetched.title) }</strong>
                <span class="faint">
                    { " at " }<code title={fetched.head.clone()}>{ short(&fetched.head).to_owned() }</code>
                    if let Some(base) = &fetched.base {
                        { ", against " }<code title={base.clone()}>{ short(base).to_owned() }</code>
                    }
                </span>
                if fetched.moving().is_some() {
                    { " " }<ActButton class="quiet" action={Action::Fetch(Fetch::Again)} act={props.act.clone()}>{ "Ask for a newer version" }</ActButton>
                }
            </p>
            if !fetched.without_patch.is_empty() {
                <p class="faint">{ without_patch(&fetched.without_patch) }</p>
            }
            if props.n_looks.is_some() {
                { whole_files(props) }
            }
        </section>
    }
}

fn without_patch(paths: &[String]) -> String {
    let files = count(paths.len(), "file");
    let names = names(
        &paths
            .iter()
            .map(|path| file_name(path).to_owned())
            .collect::<Vec<_>>(),
    );
    format!("GitHub gave {files} without the changed lines, as too large or not text: {names}.")
}

fn names(files: &[String]) -> String {
    let mut names: Vec<&str> = files.iter().take(LISTED).map(String::as_str).collect();
    let more = format!("{} more", files.len().saturating_sub(LISTED));
    if files.len() > LISTED {
        names.push(&more);
    }
    names.join(", ")
}

fn whole_files(props: &Props) -> Html {
    let whole = &props.whole;
    let button = |label: String, action: Whole| {
        html! { <ActButton class="quiet" action={Action::Whole(action)} act={props.act.clone()}>{ label }</ActButton> }
    };
    if !whole.asked.is_empty() {
        let sentence = format!(
            "Fetching {} of the head, to see what stands around the changes\u{2026}",
            count(whole.asked.len(), "whole file")
        );
        return html! { <p><span role="status">{ sentence }</span>{ " " }{ button("Stop".to_owned(), Whole::Stop) }</p> };
    }
    html! {
        <>
            <p>
                <span role="status">{ read(props) }</span>
                if !props.missing.is_empty() {
                    { " " }{ button(offer(props), Whole::Want(props.missing.clone())) }
                }
            </p>
            if !whole.refused.is_empty() {
                <p class="faint">{ refused(whole) }</p>
            }
        </>
    }
}

/// What has been read whole, and what that settled.
fn read(props: &Props) -> String {
    let read = props.whole.texts.len();
    if read == 0 {
        return "The diff alone was read.".to_owned();
    }
    let files = count(read, "whole file");
    let looks = (
        props.whole.looks_before.unwrap_or(0),
        props.n_looks.unwrap_or(0),
    );
    let settled = match looks {
        (0, 0) => String::new(),
        (before, now) if now < before => {
            format!(": {} of {before} to look at settled", before - now)
        }
        _ => ": none of those to look at is settled by it".to_owned(),
    };
    format!("{files} of the head read{settled}.")
}

fn offer(props: &Props) -> String {
    let files = count(props.missing.len(), "file");
    if props.whole.texts.is_empty() {
        format!("Read {files} whole")
    } else {
        format!("Read the other {files} whole")
    }
}

fn refused(whole: &WholeFiles) -> String {
    let told = |(path, refusal): (&String, &Refusal)| {
        format!("{} ({})", file_name(path), refusal.in_short())
    };
    let files: Vec<String> = whole.refused.iter().map(told).collect();
    format!(
        "Not read whole, so the diff alone counts there: {}.",
        names(&files)
    )
}
