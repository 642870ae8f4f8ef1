//! Versions of a change: whether one follows another, and what the reviewer has to look at again.

use super::{FindingWork, LineWork, Version, Work};
use crate::finding::{Finding, Verdict};
use crate::model::{ChecklistLine, Report};
use std::collections::BTreeSet;

/// A short name of a text: equal texts have equal ones, and different texts all but never.
pub fn fingerprint(text: &str) -> String {
    format!("{:x}-{:08x}", text.len(), crc32fast::hash(text.as_bytes()))
}

/// A short name of what a line rests on: its status, findings and evidence, without their line numbers,
/// so that it outlives code that is added above. `report` is as the rules gave it, before any work.
pub fn line_fingerprint(line: &ChecklistLine, report: &Report) -> String {
    let ids: BTreeSet<&String> = line.findings.iter().collect();
    let findings = report.findings.iter().filter(|it| ids.contains(&it.id));
    let findings = findings.map(|finding| format!("{} {}", finding.id, finding.verdict.word()));
    let evidence = line
        .evidence
        .iter()
        .map(|evidence| format!("{} {}", evidence.path, evidence.note));
    let mut parts: Vec<String> = findings.chain(evidence).collect();
    parts.sort_unstable();
    parts.push(line.status.words().to_owned());
    fingerprint(&parts.join("\n"))
}

impl Version {
    /// What a report and its diff are remembered by. `text` is the diff's fingerprint.
    pub fn of(report: &Report, text: String, paths: BTreeSet<String>) -> Version {
        let findings = report.findings.iter();
        Version {
            text,
            source: report.source.clone(),
            paths,
            findings: findings
                .map(|finding| (finding.id.clone(), finding.verdict))
                .collect(),
        }
    }

    /// Whether this is a new version of the same change: of the same pull request, or with half of the
    /// paths and a finding in common.
    pub fn follows(&self, other: &Version) -> bool {
        match self.same_pull(other) {
            Some(is_same) => is_same,
            None => self.shares_half_of_the_paths(other) && self.shares_a_finding(other),
        }
    }

    /// Whether both are of one pull request; none where that is not known of both.
    pub fn same_pull(&self, other: &Version) -> Option<bool> {
        let (mine, theirs) = (&self.source, &other.source);
        let known = mine.pull.is_some() && theirs.pull.is_some();
        known.then(|| mine.pull == theirs.pull && mine.repo == theirs.repo)
    }

    fn shares_half_of_the_paths(&self, other: &Version) -> bool {
        let common = self.paths.intersection(&other.paths).count();
        common > 0 && 2 * common >= self.paths.len().min(other.paths.len())
    }

    fn shares_a_finding(&self, other: &Version) -> bool {
        self.findings
            .keys()
            .any(|id| other.findings.contains_key(id))
    }

    /// Whether a reviewer would see any difference between the two.
    pub fn reads_like(&self, other: &Version) -> bool {
        self.findings == other.findings && self.source.head == other.source.head
    }

    fn counted(&self) -> impl Iterator<Item = &str> {
        let counted = self.findings.iter().filter(|(_, verdict)| verdict.counts());
        counted.map(|(id, _)| id.as_str())
    }

    fn counts(&self, id: &str) -> bool {
        self.findings
            .get(id)
            .is_some_and(|verdict| verdict.counts())
    }
}

impl Work {
    /// The same work, laid over the next version.
    pub fn carried_to(&self, next: Version) -> Work {
        let is_news = |last: &&Version| !last.reads_like(&next);
        let last = self.version.as_ref().filter(is_news).cloned();
        Work {
            before: last.or_else(|| self.before.clone()),
            version: Some(next),
            ..self.clone()
        }
    }

    /// The work without the versions that it was done on, for a short link.
    pub fn without_versions(&self) -> Work {
        Work {
            version: None,
            before: None,
            ..self.clone()
        }
    }

    /// Whether the finding was not to be acted on in the version before this one. Never true of a first version.
    pub fn is_new(&self, finding: &Finding) -> bool {
        let before = self.before.as_ref();
        finding.verdict.counts() && before.is_some_and(|before| !before.counts(&finding.id))
    }

    /// How many findings of the version before are not to be acted on any more.
    pub fn n_gone(&self) -> usize {
        let (Some(before), Some(now)) = (&self.before, &self.version) else {
            return 0;
        };
        before.counted().filter(|id| !now.counts(id)).count()
    }
}

impl LineWork {
    /// Whether the line was answered, and what it rests on has changed since.
    pub fn is_outdated(&self, fingerprint: &str) -> bool {
        self.answer != super::Answer::Open && !self.seen.is_empty() && self.seen != fingerprint
    }
}

impl FindingWork {
    /// Whether the finding was decided on, and the rules judge it otherwise since.
    pub fn is_outdated(&self, verdict: Verdict) -> bool {
        self.decision != super::Decision::Open && self.seen.is_some_and(|seen| seen != verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample;
    use crate::model::{Evidence, Source};

    fn version(paths: &[&str], findings: &[&str]) -> Version {
        Version {
            paths: paths.iter().map(|&path| path.to_owned()).collect(),
            findings: findings
                .iter()
                .map(|&id| (id.to_owned(), Verdict::Violation))
                .collect(),
            ..Version::default()
        }
    }

    fn of_pull(number: u32, mut version: Version) -> Version {
        version.source = Source {
            repo: Some("acme/serve".to_owned()),
            pull: Some(number),
            ..Source::default()
        };
        version
    }

    #[test]
    fn half_of_the_paths_and_a_finding_make_a_next_version() {
        let first = version(&["a.py", "b.py"], &["f1", "f2"]);
        assert!(version(&["b.py", "c.py"], &["f2", "f3"]).follows(&first));
        assert!(!version(&["b.py", "c.py"], &["f3"]).follows(&first));
        assert!(!version(&["c.py", "d.py", "e.py"], &["f1"]).follows(&first));
        assert!(!version(&[], &[]).follows(&version(&[], &[])));
    }

    #[test]
    fn the_pull_request_decides_where_it_is_known() {
        let first = of_pull(7, version(&["a.py"], &["f1"]));
        assert!(of_pull(7, version(&["z.py"], &[])).follows(&first));
        assert!(!of_pull(8, version(&["a.py"], &["f1"])).follows(&first));
        assert!(version(&["a.py"], &["f1"]).follows(&first));
    }

    #[test]
    fn what_the_next_version_adds_is_new_and_what_it_lost_is_counted() {
        let first = version(&["a.py"], &["gone", "f-block"]);
        let work = Work::default().carried_to(first);
        let report = sample::report();
        let is_new = |work: &Work, id| work.is_new(report.finding(id).unwrap());
        assert!(!is_new(&work, "f-flag") && work.n_gone() == 0);
        let work = work.carried_to(Version::of(&report, String::new(), BTreeSet::new()));
        assert!(is_new(&work, "f-flag") && !is_new(&work, "f-block"));
        assert!(!is_new(&work, "f-existing"));
        assert_eq!(work.n_gone(), 1);
    }

    #[test]
    fn a_version_that_reads_the_same_keeps_what_is_new() {
        let first = version(&["a.py"], &["f1"]);
        let second = version(&["a.py"], &["f1", "f2"]);
        let work = Work::default()
            .carried_to(first.clone())
            .carried_to(second.clone());
        let moved = Version {
            text: "moved".to_owned(),
            ..second
        };
        let work = work.carried_to(moved.clone());
        assert_eq!((work.before, work.version), (Some(first), Some(moved)));
    }

    #[test]
    fn a_line_is_outdated_by_its_findings_and_evidence_but_not_by_a_shift() {
        let mut report = sample::report();
        let fingerprint = |report: &Report| {
            let line = report.checklist.iter().find(|line| line.id == "R5");
            line_fingerprint(line.unwrap(), report)
        };
        let answered = LineWork {
            answer: crate::work::Answer::Checked,
            seen: fingerprint(&report),
            ..LineWork::default()
        };
        for evidence in report.checklist.iter_mut().flat_map(|it| &mut it.evidence) {
            evidence.line += 10;
        }
        assert!(!answered.is_outdated(&fingerprint(&report)));
        let more = Evidence {
            path: "serve/files.py".to_owned(),
            line: 30,
            note: "os.replace".to_owned(),
        };
        for line in report.checklist.iter_mut().filter(|line| line.id == "R5") {
            line.evidence.push(more.clone());
        }
        assert!(answered.is_outdated(&fingerprint(&report)));
    }

    #[test]
    fn a_decision_is_outdated_once_the_rules_judge_otherwise() {
        let dismissed = FindingWork {
            decision: crate::work::Decision::Dismissed,
            seen: Some(Verdict::Look),
            ..FindingWork::default()
        };
        assert!(!dismissed.is_outdated(Verdict::Look));
        assert!(dismissed.is_outdated(Verdict::Violation));
    }
}
