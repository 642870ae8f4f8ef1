//! Which findings the checklist lists and the keys step through: those that the words of the filter match.

use super::{State, Tab};
use report::{Finding, Severity, Verdict};
use std::collections::BTreeSet;
use std::rc::Rc;
use yew::AttrValue;

#[derive(Clone, PartialEq, Default)]
pub(crate) struct Filter {
    pub(crate) words: AttrValue,
    /// Counts how often its field was asked for.
    pub(crate) turn: u32,
}

/// What the filter leaves, for the checklist.
#[derive(Clone, PartialEq, Default)]
pub(crate) struct Filtered {
    pub(crate) filter: Filter,
    /// Ids of the findings that it leaves; none without a filter.
    pub(crate) shown: Option<Rc<BTreeSet<String>>>,
    /// Findings without it.
    pub(crate) n_all: usize,
}

impl Filter {
    fn is_empty(&self) -> bool {
        self.words.trim().is_empty()
    }

    /// Whether a finding matches every word. `is_open` says that nothing was decided on it.
    fn admits(&self, finding: &Finding, is_open: bool) -> bool {
        let words = self.words.to_lowercase();
        words
            .split_whitespace()
            .all(|word| match word.strip_prefix("is:") {
                Some("open") => is_open,
                Some("look") => finding.verdict == Verdict::Look,
                Some("block") => finding.severity == Severity::Block,
                Some("flag") => finding.severity == Severity::Flag,
                Some("nit") => finding.severity == Severity::Nit,
                _ => is_in(word, finding),
            })
    }
}

impl Filtered {
    pub(crate) fn shows(&self, id: &str) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.contains(id))
    }
}

/// Whether a word in small letters stands in what a finding says of itself.
fn is_in(word: &str, finding: &Finding) -> bool {
    let title = topic::topic().rule(finding.rule).map(|card| card.title);
    let texts = [&finding.message, &finding.path, &finding.check];
    let mut texts = texts.into_iter().map(String::as_str).chain(title);
    // A rule's id is meant as a whole: R1 is not R10.
    let mut rules = finding.also.iter().chain([&finding.rule]);
    rules.any(|rule| word == format!("r{rule}"))
        || texts.any(|text| text.to_lowercase().contains(word))
}

impl State {
    /// Ids of the findings to step through that the filter leaves.
    pub(crate) fn filtered_tour(&self) -> impl Iterator<Item = &str> {
        let admits = self.admits();
        self.tour_findings()
            .filter(move |finding| admits(finding))
            .map(|finding| finding.id.as_str())
    }

    pub(crate) fn filtered(&self) -> Filtered {
        let shown = || self.filtered_tour().map(str::to_owned).collect();
        Filtered {
            filter: self.filter.clone(),
            shown: (!self.filter.is_empty()).then(|| Rc::new(shown())),
            n_all: self.tour().count(),
        }
    }

    pub(super) fn admits(&self) -> impl Fn(&Finding) -> bool + use<> {
        let filter = self.filter.clone();
        let decided = self.decided();
        move |finding| filter.is_empty() || filter.admits(finding, !decided.contains(&finding.id))
    }

    /// Brings the filter's field into view and asks for the focus, where there is something to filter.
    pub(super) fn seek_filter(&mut self) {
        let has_report = self.report.is_some();
        if has_report && (self.tour().next().is_some() || !self.filter.is_empty()) {
            self.tab = Tab::Checklist;
            self.filter.turn += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::Side;

    #[test]
    fn words_match_message_path_check_and_rule_in_any_case() {
        for words in [
            "",
            "WAITS",
            "pool.py",
            "unbounded",
            "r4",
            "R4 serving waits",
        ] {
            assert!(admits(words, true), "{words}");
        }
        for words in ["waits elsewhere", "r40", "is:nothing"] {
            assert!(!admits(words, true), "{words}");
        }
    }

    #[test]
    fn a_rule_is_named_as_a_whole() {
        let tenth = Finding {
            rule: 10,
            ..finding()
        };
        assert!(!filter("r1").admits(&tenth, true));
        assert!(filter("r10").admits(&tenth, true));
        let told_there = Finding {
            also: vec![4],
            ..tenth
        };
        assert!(filter("r4").admits(&told_there, true));
    }

    #[test]
    fn severity_verdict_and_decision_narrow() {
        assert!(admits("is:block is:look is:open", true));
        assert!(!admits("is:flag", true));
        assert!(!admits("is:nit", true));
        assert!(!admits("is:block is:open", false));
        let violation = Finding {
            verdict: Verdict::Violation,
            ..finding()
        };
        assert!(!filter("is:look").admits(&violation, true));
    }

    fn admits(words: &'static str, is_open: bool) -> bool {
        filter(words).admits(&finding(), is_open)
    }

    fn filter(words: &'static str) -> Filter {
        Filter {
            words: words.into(),
            turn: 0,
        }
    }

    fn finding() -> Finding {
        Finding {
            id: "f1".to_owned(),
            rule: 4,
            check: "unbounded-result".to_owned(),
            severity: Severity::Block,
            verdict: Verdict::Look,
            side: Side::New,
            path: "serving/pool.py".to_owned(),
            commit: None,
            line: 1,
            end_line: 1,
            column: 1,
            end_column: 2,
            message: "Waits without a limit".to_owned(),
            why: String::new(),
            ask: String::new(),
            reason: None,
            related: Vec::new(),
            also: Vec::new(),
            references: Vec::new(),
        }
    }
}
