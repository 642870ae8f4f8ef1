//! Pings, heartbeats and metrics: jobs beside the requests, which some loop calls and guards.

use super::is_hot;
use crate::facts::{Call, Facts, ScopeId};
use crate::rules::Context;

/// A side job that no request is seen to wait for.
pub(super) fn is_quiet_side_job(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let function = cx.facts.function_of(call.scope());
    function.is_some_and(|function| is_side_job(cx.facts, function)) && !is_hot(cx, call)
}

/// Pings, heartbeats and metrics: jobs beside the requests, which some loop calls and guards.
pub(super) fn is_side_job(facts: &Facts, function: ScopeId) -> bool {
    let says = |name: &str| SIDE_JOBS.iter().any(|word| topic::says(name, word));
    let class = facts.class_of(function);
    let class = class.and_then(|class| facts.scope_name(class));
    class.is_some_and(says) || facts.scope_name(function).is_some_and(says)
}

const SIDE_JOBS: &[&str] = &[
    "beat",
    "heartbeat",
    "keepalive",
    "metric",
    "metrics",
    "monitor",
    "ping",
    "probe",
    "report",
    "reporter",
    "stats",
    "telemetry",
];
