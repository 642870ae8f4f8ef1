//! The few shapes of the page. A shape never stands alone: a word is always beside it.

use report::{Severity, Status};
use yew::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Octagon,
    Flag,
    Dot,
    Cross,
    Eye,
    Check,
    Dash,
    Question,
    Chevron,
    Fold,
    Copy,
    Close,
}

impl Shape {
    pub(crate) fn of_severity(severity: Severity) -> Self {
        match severity {
            Severity::Block => Shape::Octagon,
            Severity::Flag => Shape::Flag,
            Severity::Nit => Shape::Dot,
        }
    }

    pub(crate) fn of_status(status: Status) -> Self {
        match status {
            Status::Found => Shape::Cross,
            Status::Look => Shape::Eye,
            Status::Clear => Shape::Check,
            Status::NotApplicable => Shape::Dash,
            Status::NotRead => Shape::Question,
        }
    }

    /// Drawn in a square of 16 units; filled by the even-odd rule.
    fn path(self) -> &'static str {
        match self {
            Shape::Octagon => "M5 1h6l4 4v6l-4 4H5l-4-4V5zM4 7v2h8V7z",
            Shape::Flag => "M2 1h2v1h10l-3 4 3 4H4v5H2z",
            Shape::Dot => "M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
            Shape::Cross => "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM7 4h2v5H7zM7 10.5h2v2H7z",
            Shape::Eye => {
                "M8 3C4.5 3 2 5.7 1 8c1 2.3 3.5 5 7 5s6-2.7 7-5c-1-2.3-3.5-5-7-5zm0 1.600c2.5 0 4.3 1.8 5.3 3.4-1 1.6-2.8 3.4-5.3 3.400S3.7 9.6 2.7 8C3.7 6.4 5.5 4.6 8 4.600zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"
            }
            Shape::Check => "M13.3 3.300l1.4 1.400L6.5 13 1.6 8.1 3 6.700l3.5 3.500z",
            Shape::Dash => "M3 7h10v2H3z",
            Shape::Question => {
                "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM5.5 6.200C5.6 4.8 6.6 4 8 4s2.5.9 2.5 2.200c0 1-.5 1.5-1.2 2-.6.4-.6.6-.6 1.300H7.200c0-1.2.2-1.7 1-2.3.6-.4.8-.6.8-1 0-.4-.4-.8-1-.8s-1 .300-1.1.8zM7.2 10.500h1.600V12H7.200z"
            }
            Shape::Chevron => "M5.7 2.300L11.4 8l-5.7 5.7-1.4-1.400L8.6 8 4.3 3.700z",
            Shape::Copy => {
                "M5 1h9v10h-3v4H2V5h3zM6.300 2.300V5H11v4.700h1.700V2.300zM3.300 6.300v7.400h6.400V6.300z"
            }
            Shape::Close => {
                "M3.700 2.300L8 6.600l4.300-4.300 1.400 1.400L9.400 8l4.300 4.300-1.400 1.400L8 9.400l-4.300 4.300-1.400-1.400L6.600 8 2.300 3.700z"
            }
            Shape::Fold => "M8 1l3 3H9v3H7V4H5zM2 7.500h12v1H2zM7 9h2v3h2l-3 3-3-3h2z",
        }
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) shape: Shape,
}

#[component]
pub(crate) fn Icon(props: &Props) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
            <path d={props.shape.path()} fill="currentColor" fill-rule="evenodd" />
        </svg>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct SeverityProps {
    pub(crate) severity: Severity,
}

/// A severity by word, shape and colour.
#[component]
pub(crate) fn SeverityBadge(props: &SeverityProps) -> Html {
    let word = props.severity.word();
    html! {
        <span class={classes!("severity", word.to_ascii_lowercase())}>
            <Icon shape={Shape::of_severity(props.severity)} />{ word }
        </span>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct StatusProps {
    pub(crate) status: Status,
}

/// A status by words, shape and colour.
#[component]
pub(crate) fn StatusBadge(props: &StatusProps) -> Html {
    let class = match props.status {
        Status::Found => "found",
        Status::Look => "look",
        Status::Clear => "clear",
        Status::NotApplicable => "not-applicable",
        Status::NotRead => "not-read",
    };
    html! {
        <span class={classes!("status", class)}>
            <Icon shape={Shape::of_status(props.status)} />{ props.status.words() }
        </span>
    }
}
