//! A report that comes to a part of the page a moment later, so that the page is not held up by all of its parts at once.

use gloo::timers::callback::Timeout;
use report::Report;
use std::rc::Rc;
use yew::prelude::*;

/// Findings from which on a report is worth a task of its own.
const LONG: usize = 500;

/// The report; of a long one that was there before, until the page had time for something else.
#[hook]
pub(crate) fn use_late(report: &Option<Rc<Report>>) -> Option<Rc<Report>> {
    let late = use_state_eq(|| None::<Rc<Report>>);
    let is_long = |report: &Rc<Report>| report.findings.len() > LONG;
    let is_put_off = report.as_ref().is_some_and(is_long);
    use_effect_with(report.clone().filter(|_| is_put_off), {
        let late = late.setter();
        move |report| {
            let report = report.clone();
            let timer = match report {
                Some(report) => Some(Timeout::new(0, move || late.set(Some(report)))),
                None => {
                    late.set(None);
                    None
                }
            };
            move || drop(timer)
        }
    });
    match is_put_off {
        true => Option::clone(&late),
        false => report.clone(),
    }
}
