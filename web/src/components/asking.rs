//! What GitHub is being asked, why it gave nothing, and what a link offers to fetch.

use super::act_button::ActButton;
use super::prose::Prose;
use super::token_field::TokenField;
use crate::github::{Target, Way, address::short};
use crate::state::{Action, Asking, Fetch, GitHub, Refused, Stage, Wanted};
use crate::words::count;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) github: GitHub,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn AskingGitHub(props: &Props) -> Html {
    let github = &props.github;
    html! {
        <div class="troubles">
            if let Some(asking) = &github.asking {
                { under_way(asking, &props.act) }
            }
            if let Some(refused) = &github.refused {
                { refusal(refused, props) }
            }
            if let Some(offer) = &github.offer {
                { offered(offer, &props.act) }
            }
        </div>
    }
}

fn under_way(asking: &Asking, act: &Callback<Action>) -> Html {
    let target = &asking.wanted.target;
    let (sentence, value, max) = match asking.stage {
        Stage::Naming => (format!("Asking GitHub for {target}\u{2026}"), None, 1),
        Stage::Diff => (format!("Fetching the diff of {target}\u{2026}"), None, 1),
        Stage::Files { done, total } => {
            let so_far = count(done as usize, "file");
            let sentence = format!(
                "{target} is too large for one diff. Fetching its list of files: {so_far} so far\u{2026}"
            );
            (sentence, (total > 0).then_some(done), total.max(1))
        }
    };
    html! {
        <div class="asking">
            <span role="status" aria-label="GitHub">{ sentence }</span>
            <progress aria-label="Fetched" value={value.map(|done| done.to_string())} max={max.to_string()} />
            <ActButton action={Action::Fetch(Fetch::Cancel)} act={act.clone()}>{ "Cancel" }</ActButton>
        </div>
    }
}

fn refusal(refused: &Refused, props: &Props) -> Html {
    let ways = refused.refusal.ways();
    let target = refused.wanted.as_ref().map(|wanted| &wanted.target);
    html! {
        <div class="trouble refused" role="alert">
            <div class="told">
                <p>
                    if let Some(target) = target {
                        <strong>{ target.to_string() }</strong>{ ": " }
                    }
                    <Prose text={refused.refusal.sentence()} />
                    if let Some(target) = target.filter(|_| ways.contains(&Way::Diff)) {
                        { " " }{ diff_on_github(target) }
                    }
                </p>
                if ways.contains(&Way::Token) {
                    <TokenField token={props.github.token.clone()} limit={None} act={props.act.clone()} />
                }
            </div>
            <div class="ways">
                if ways.contains(&Way::Retry) {
                    <ActButton class="primary" action={Action::Fetch(Fetch::Retry)} act={props.act.clone()}>{ "Retry" }</ActButton>
                }
                <ActButton action={Action::Fetch(Fetch::Close)} act={props.act.clone()}>{ "Close" }</ActButton>
            </div>
        </div>
    }
}

/// The plain diff, where the reader may be signed in.
fn diff_on_github(target: &Target) -> Html {
    html! {
        <a href={format!("{}.diff", target.page())} target="_blank" rel="noreferrer">{ "The plain diff on GitHub" }</a>
    }
}

fn offered(offer: &Wanted, act: &Callback<Action>) -> Html {
    let range = match &offer.target {
        Target::Compare { base, head, .. } => {
            format!(", from {} to {}", short(base), short(head))
        }
        _ => String::new(),
    };
    let repo = offer.target.repo();
    let pull = match &offer.target {
        Target::Compare {
            pull: Some(pull), ..
        } => format!("#{pull}"),
        _ => String::new(),
    };
    html! {
        <div class="trouble offer" role="alert">
            <p>
                { "This link names the changes of " }<strong>{ format!("{repo}{pull}") }</strong>
                { format!("{range}, without holding them. The page can ask GitHub for them; or paste their diff.") }
            </p>
            <div class="ways">
                <ActButton class="primary" action={Action::Fetch(Fetch::Want(offer.clone()))} act={act.clone()}>{ "Fetch from GitHub" }</ActButton>
                <ActButton action={Action::Fetch(Fetch::Close)} act={act.clone()}>{ "Close" }</ActButton>
            </div>
        </div>
    }
}
