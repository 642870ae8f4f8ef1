//! What has to be said about the reviewer's work: that it was carried on, that the page does not know whose
//! it is, that it cannot be stored.

use super::act_button::ActButton;
use crate::desk::Desk;
use crate::state::{Action, News, Question, Reply, Shelf, ShelfAction};
use crate::words::count;
use report::{Version, Work};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) shelf: Shelf,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn DeskNotes(props: &Props) -> Html {
    let desk = use_context::<Desk>().unwrap_or_default();
    let shelf = &props.shelf;
    html! {
        <div class="troubles">
            if let Some(sentence) = &shelf.trouble {
                <div class="trouble" role="alert">
                    <p>{ sentence }</p>
                    { button("Close", ShelfAction::DropTrouble, props) }
                </div>
            }
            { match &shelf.question {
                Some(Question::SameReview(id)) => same_review(shelf.get(id).map_or("", |kept| &kept.title), props),
                Some(Question::Theirs(theirs)) => whose_work(theirs, props),
                None => match &shelf.news {
                    Some(News::Carried) => carried(&desk, props),
                    Some(News::Came { by }) => came(by.as_deref(), props),
                    None => html! {},
                },
            } }
        </div>
    }
}

fn button(label: &'static str, action: ShelfAction, props: &Props) -> Html {
    html! { <ActButton action={Action::Shelf(action)} act={props.act.clone()}>{ label }</ActButton> }
}

fn reply(label: &'static str, reply: Reply, props: &Props) -> Html {
    button(label, ShelfAction::Reply(reply), props)
}

fn same_review(title: &str, props: &Props) -> Html {
    html! {
        <section class="desk-note" aria-label="The same review?">
            <p>
                <strong>{ "The same review or a new one?" }</strong>
                { format!(" This may be the next version of \u{201c}{title}\u{201d}, where you have answers. They stay with it in either case.") }
            </p>
            <div class="ways">
                { reply("Next version: bring my answers", Reply::CarryOver, props) }
                { reply("A new review", Reply::StartNew, props) }
            </div>
        </section>
    }
}

fn whose_work(theirs: &Work, props: &Props) -> Html {
    let who = match &theirs.reviewer {
        Some(name) => format!("{name}\u{2019}s answers and notes came with it."),
        None => "Answers and notes came with it.".to_owned(),
    };
    html! {
        <section class="desk-note" aria-label="Whose work?">
            <p><strong>{ "You have work on this diff already." }</strong>{ " " }{ who }{ " Yours are on the page." }</p>
            <div class="ways">
                { reply("Keep mine", Reply::KeepMine, props) }
                { reply("Take theirs", Reply::TakeTheirs, props) }
                { reply("Merge, mine win", Reply::Merge, props) }
            </div>
        </section>
    }
}

fn came(by: Option<&str>, props: &Props) -> Html {
    let sentence = match by {
        Some(name) => format!("The answers and notes on the page are {name}\u{2019}s."),
        None => "Answers and notes came with it.".to_owned(),
    };
    html! {
        <section class="desk-note" aria-label="Whose work?">
            <p>{ sentence }{ " What you change is yours, and stays in this browser." }</p>
            <div class="ways">{ button("Close", ShelfAction::DropNews, props) }</div>
        </section>
    }
}

/// What was kept of the version before, and what there is to look at.
fn carried(desk: &Desk, props: &Props) -> Html {
    let work = &desk.kept.work;
    let mut parts = vec![format!("{} kept", count(work.lines.len(), "answer"))];
    if desk.n_again() > 0 {
        parts.push(format!(
            "{} to look at again",
            count(desk.n_again(), "line")
        ));
    }
    parts.push(count(desk.n_new(), "new finding"));
    parts.push(format!("{} gone", work.n_gone()));
    html! {
        <section class="desk-note" aria-label="A new version">
            <p><strong>{ "A new version of a review you had." }</strong>{ heads(work) }{ format!(" {}.", parts.join(", ")) }</p>
            <div class="ways">
                { reply("Start a new review instead", Reply::StartNew, props) }
                { button("Close", ShelfAction::DropNews, props) }
            </div>
        </section>
    }
}

/// Which commits were compared, where both are known.
fn heads(work: &Work) -> Option<String> {
    let head = |version: &Option<Version>| {
        let head = version.as_ref()?.source.head.as_deref()?;
        Some(head.get(..7).unwrap_or(head).to_owned())
    };
    let (before, now) = (head(&work.before)?, head(&work.version)?);
    (before != now).then(|| format!(" You saw {before}, this is {now}."))
}
