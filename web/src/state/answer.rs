//! What the worker's answers change. Those to an older text change nothing.

use super::{Phase, Place, State};
use crate::diff_file::{ChunkId, DiffFile, Homes, Related};
use crate::words::finding_name;
use report::{Decision, DiffView, Finding, FromWorker, Report, Row};
use std::collections::BTreeSet;
use std::rc::Rc;

impl State {
    pub(super) fn answer(&mut self, answer: FromWorker) {
        // These belong to no review.
        match answer {
            FromWorker::Profile { name, .. } => self.take_profile(name),
            FromWorker::NoProfile { message, .. } => self.refuse_profile(message.into()),
            answer => self.review_answer(answer),
        }
    }

    fn review_answer(&mut self, answer: FromWorker) {
        // What was under way when the review ended must not begin it again.
        if matches!(self.phase, Phase::Cancelled | Phase::Failed(_)) {
            return;
        }
        match answer {
            FromWorker::View { id, view, .. } if id == self.request => self.take_view(view),
            FromWorker::Progress {
                id,
                done,
                total,
                file,
                findings,
                ..
            } if id == self.request && !self.is_done() => {
                self.phase = Phase::Working { done, total };
                self.take_provisional(file, findings);
            }
            FromWorker::Done { id, report } if id == self.request => self.take_report(report),
            FromWorker::Rows {
                id,
                file,
                from,
                rows,
            } if id == self.request => {
                self.take_rows(ChunkId::of_row(file, from), rows);
            }
            FromWorker::WholeRows {
                id,
                file,
                from,
                rows,
            } if id == self.request => {
                self.take_rows(ChunkId::of_line(file, from), rows);
            }
            FromWorker::Known { id, files, .. } if id == self.request => self.take_known(files),
            FromWorker::Text { id, text } if id == self.request => self.copying.take(text.into()),
            FromWorker::Found { id, rows, total } if id == self.request => {
                self.take_hits(rows, total);
            }
            FromWorker::Excerpt { id, text } if id == self.request => {
                self.excerpt = Some(text.into())
            }
            FromWorker::Link { id, fragment } if id == self.request => {
                self.link = Some(fragment.into());
            }
            FromWorker::Failed { id, message } if id == self.request => {
                self.phase = Phase::Failed(message.into());
            }
            _ => {}
        }
    }

    fn take_rows(&mut self, chunk: ChunkId, rows: Vec<Row>) {
        Rc::make_mut(&mut self.rows).take(chunk, rows);
    }

    /// Lines outside of the hunks can be shown from now on.
    fn take_known(&mut self, files: Vec<(u32, u32)>) {
        for (file, n_lines) in files {
            self.change_file(file, |file| {
                Rc::make_mut(&mut file.view).whole = Some(n_lines)
            });
        }
    }

    /// What one file shows by itself, until the whole diff is concluded.
    fn take_provisional(&mut self, file: Option<u32>, findings: Vec<Finding>) {
        let findings: Vec<_> = findings.into_iter().map(Rc::new).collect();
        if let Some(file) = file.filter(|_| !findings.is_empty()) {
            self.change_file(file, |file| {
                file.is_provisional = true;
                file.take_findings(findings);
            });
        }
    }

    fn take_view(&mut self, view: DiffView) {
        let files = (0..)
            .zip(view.files)
            .map(|(index, view)| Rc::new(DiffFile::new(index, view)));
        self.files = Rc::new(files.collect());
        self.rows = Rc::default();
        self.files_of = self.request;
        self.report = None;
        self.found = None;
        self.astray = Rc::default();
        self.search_anew();
    }

    /// A second report of the same text comes when whole files have sharpened the first: then nothing moves.
    pub(super) fn take_report(&mut self, found: Report) {
        let is_first = self.report.is_none();
        self.phase = Phase::Done;
        let found = Rc::new(found);
        self.found = Some(found.clone());
        self.finish_review();
        let work = &self.kept().work;
        // Where nothing was decided both are one, so that there are not two of a large report.
        let report = match work.findings.is_empty() {
            true => found,
            false => Rc::new(work.apply(&found)),
        };
        self.place(&report);
        self.report = Some(report);
        match self.selected.take() {
            Some(id) if self.finding(&id).is_none() => {}
            Some(id) if is_first => self.reveal(Place::Finding(id)),
            selected => self.selected = selected,
        }
        self.want_looked_at_files();
    }

    /// Gives each file its findings.
    fn place(&mut self, report: &Report) {
        let mut of_file = vec![Vec::new(); self.files.len()];
        let mut astray = Vec::new();
        let homes = Homes::new(&self.files);
        for finding in report.findings.iter().cloned().map(Rc::new) {
            let home = homes.of(&finding.path, finding.commit, finding.side, finding.line);
            match home.and_then(|index| of_file.get_mut(index)) {
                Some(findings) => findings.push(finding),
                None if finding.verdict.counts() => astray.push(finding),
                None => {}
            }
        }
        let related = self.related(report, &homes);
        let decided = self.decided();
        let files = Rc::make_mut(&mut self.files);
        for ((file, findings), related) in files.iter_mut().zip(of_file).zip(related) {
            let file = Rc::make_mut(file);
            file.is_provisional = false;
            file.related = related;
            let is_decided = |finding: &&Rc<Finding>| decided.contains(&finding.id);
            let here = findings.iter().filter(is_decided);
            file.decided = here.map(|finding| finding.id.clone()).collect();
            file.take_findings(findings);
        }
        self.astray = Rc::new(astray);
    }

    /// Ids of the findings that the reviewer decided on.
    pub(super) fn decided(&self) -> BTreeSet<String> {
        let kept = self.kept();
        let findings = kept.work.findings.iter();
        findings
            .filter(|(_, work)| work.decision != Decision::Open)
            .map(|(id, _)| id.clone())
            .collect()
    }

    /// For each file the lines of it that belong to findings.
    fn related(&self, report: &Report, homes: &Homes<'_>) -> Vec<Vec<Related>> {
        let mut of_file = vec![Vec::new(); self.files.len()];
        for finding in report.counted() {
            for place in &finding.related {
                let home = homes.of(&place.path, finding.commit, place.side, place.line);
                if let Some(related) = home.and_then(|index| of_file.get_mut(index)) {
                    related.push(Related {
                        side: place.side,
                        line: place.line,
                        finding: finding.id.clone().into(),
                        name: finding_name(finding),
                    });
                }
            }
        }
        of_file
    }
}
