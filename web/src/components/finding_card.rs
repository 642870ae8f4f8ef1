//! One finding beside its line: what, why, what to do. Excused and existing ones are folded.

use super::act_button::ActButton;
use super::copy_comment::CopyComment;
use super::decision_bar::DecisionBar;
use super::icon::SeverityBadge;
use super::prose::Prose;
use super::rule_card::PullLink;
use crate::desk::Desk;
use crate::state::{Action, Place};
use crate::words::{file_name, finding_name, line_name, verdict_words};
use report::{Finding, Reference};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) finding: Rc<Finding>,
    pub(crate) is_selected: bool,
    /// Whether the rest of the diff may still explain it.
    #[prop_or_default]
    pub(crate) is_provisional: bool,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn FindingCard(props: &Props) -> Html {
    let finding = &props.finding;
    let desk = use_context::<Desk>().unwrap_or_default();
    let select = props.act.reform({
        let id = AttrValue::from(finding.id.clone());
        move |_: MouseEvent| Action::Select(id.clone())
    });
    let class = classes!(
        "finding",
        finding.severity.word().to_ascii_lowercase(),
        finding.verdict.word(),
        props.is_selected.then_some("is-selected"),
    );
    let body = if finding.verdict.counts() {
        open(props, &desk)
    } else {
        folded(props, &desk)
    };
    html! {
        <article {class} id={format!("finding-{}", finding.id)} aria-label={finding_name(finding)}
            aria-current={props.is_selected.then_some("true")} tabindex="-1" onclick={select}>{ body }</article>
    }
}

fn open(props: &Props, desk: &Desk) -> Html {
    html! {
        <>
            <div class="finding-head">
                { head(&props.finding, rule_link(props)) }
                if props.is_provisional {
                    <span class="file-status">{ "provisional" }</span>
                }
                if desk.kept.work.is_new(&props.finding) {
                    <span class="new">{ "new in this version" }</span>
                }
            </div>
            { told(props) }
            { decision(props, desk) }
        </>
    }
}

fn folded(props: &Props, desk: &Desk) -> Html {
    html! {
        <div class="folded-finding">
            <details>
                <summary class="finding-head">
                    { head(&props.finding, html! { <span class="rule-name">{ rule_name(&props.finding) }</span> }) }
                    <span class="reason">{ reason(&props.finding) }</span>
                </summary>
                <p>{ rule_link(props) }</p>
                { told(props) }
            </details>
            { decision(props, desk) }
        </div>
    }
}

fn decision(props: &Props, desk: &Desk) -> Html {
    let id = props.finding.id.as_str();
    let verdict = desk.verdict(id).unwrap_or(props.finding.verdict);
    let asks = desk.asks_reason.as_deref() == Some(id);
    let bar = html! { <DecisionBar finding={id.to_owned()} {verdict} work={desk.finding(id)} {asks} act={props.act.clone()} /> };
    if !props.finding.verdict.counts() {
        return bar;
    }
    html! { <div class="finding-acts">{ bar }<CopyComment finding={id.to_owned()} /></div> }
}

fn reason(finding: &Finding) -> Html {
    match &finding.reason {
        Some(reason) => html! { <Prose text={reason.clone()} /> },
        None => html! {},
    }
}

fn head(finding: &Finding, rule: Html) -> Html {
    html! {
        <>
            <SeverityBadge severity={finding.severity} />
            <span class="verdict">{ verdict_words(finding.verdict) }</span>
            { rule }
            <span class="faint">{ line_name(finding.side, finding.line) }</span>
        </>
    }
}

fn rule_name(finding: &Finding) -> String {
    format!("R{} {}", finding.rule, finding.check)
}

fn rule_link(props: &Props) -> Html {
    let action = Action::OpenRule(props.finding.rule);
    html! {
        <ActButton class="rule-link" title="Open the rule card" {action} act={props.act.clone()}>
            { rule_name(&props.finding) }
        </ActButton>
    }
}

fn told(props: &Props) -> Html {
    let finding = &props.finding;
    html! {
        <>
            <p class="message"><Prose text={finding.message.clone()} /></p>
            <p><span class="part">{ "Why" }</span><Prose text={finding.why.clone()} /></p>
            <p><span class="part">{ "Do" }</span><Prose text={finding.ask.clone()} /></p>
            { for finding.related.iter().map(|place| related(place, props)) }
            { footer(props) }
        </>
    }
}

fn related(place: &Reference, props: &Props) -> Html {
    let line = Place::Line {
        path: place.path.clone().into(),
        side: place.side,
        line: place.line,
    };
    let is_same_file = place.path == props.finding.path;
    html! {
        <p>
            <span class="part">{ "See" }</span>
            <ActButton class="place" action={Action::Reveal(line)} act={props.act.clone()} title={place.path.clone()}>
                if !is_same_file {
                    { file_name(&place.path).to_owned() }{ " " }
                }
                { line_name(place.side, place.line) }
            </ActButton>
            { " " }<Prose text={place.note.clone()} />
        </p>
    }
}

/// Rules that met here, and pull requests to read.
fn footer(props: &Props) -> Html {
    let finding = &props.finding;
    if finding.also.is_empty() && finding.references.is_empty() {
        return html! {};
    }
    let rule = |&rule: &u8| {
        html! {
            <>{ " " }<ActButton class="rule-link" action={Action::OpenRule(rule)} act={props.act.clone()}>{ format!("R{rule}") }</ActButton></>
        }
    };
    html! {
        <p class="finding-foot">
            if !finding.also.is_empty() {
                <span>{ "Also" }{ for finding.also.iter().map(rule) }</span>
            }
            if !finding.references.is_empty() {
                <span>{ "Learned from" }{ for finding.references.iter().map(|&number| html! { <>{ " " }<PullLink {number} /></> }) }</span>
            }
        </p>
    }
}
