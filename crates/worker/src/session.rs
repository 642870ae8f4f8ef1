//! The current review and how far it is. Nothing here knows JavaScript.

use report::permalink;
use report::{FromWorker, Report, Source, ToWorker};
use review::{FileFacts, Input, Plan};
use std::collections::BTreeMap;
use syntax::Tree;
use topic::{Profile, ProfileError};

/// Holds the newest review; an older one is forgotten wherever it stands.
#[derive(Default)]
pub(crate) struct Session {
    waiting: Option<Waiting>,
    current: Option<Current>,
}

/// A text that nobody has looked at yet.
struct Waiting {
    id: u32,
    text: String,
    source: Source,
    files: Option<BTreeMap<String, String>>,
    /// JSON.
    profile: Option<String>,
    left_out: Vec<String>,
}

struct Current {
    id: u32,
    plan: Plan,
    /// Of each file of the plan, in its order, once it is analysed. They are kept after the report:
    /// whole files that come later change only their own.
    facts: Vec<Option<FileFacts>>,
    /// Set once all files are analysed.
    report: Option<Report>,
    /// Whether whole files came after the report; it holds until the next one is there.
    is_stale: bool,
}

impl Session {
    /// A new text only waits, since reading it is a step of its own. Everything else is answered at once.
    pub(crate) fn receive(&mut self, message: ToWorker) -> Option<FromWorker> {
        match message {
            ToWorker::Review {
                id,
                text,
                source,
                files,
                profile,
                left_out,
            } => {
                self.waiting = Some(Waiting {
                    id,
                    text,
                    source,
                    files,
                    profile,
                    left_out,
                });
                self.current = None;
                None
            }
            ToWorker::Profile { id, text } => Some(match Profile::from_json(&text) {
                Ok(Profile { name, .. }) => FromWorker::Profile { id, name },
                Err(error) => FromWorker::NoProfile {
                    id,
                    message: error.to_string(),
                },
            }),
            ToWorker::Files { id, files } => self.take_files(id, files),
            ToWorker::Rows { id, file, from, to } => Some(self.of_plan(id, |plan| {
                let rows = review::rows(plan, file as usize, from as usize, to as usize);
                FromWorker::Rows {
                    id,
                    file,
                    from,
                    rows,
                }
            })),
            ToWorker::WholeRows { id, file, from, to } => Some(self.of_plan(id, |plan| {
                let rows = review::whole_rows(plan, file as usize, from as usize, to as usize);
                FromWorker::WholeRows {
                    id,
                    file,
                    from,
                    rows,
                }
            })),
            ToWorker::Text { id, file, from, to } => Some(self.of_plan(id, |plan| {
                let text = review::text(plan, file as usize, from as usize, to as usize);
                FromWorker::Text { id, text }
            })),
            ToWorker::Find { id, text, limit } => Some(self.of_plan(id, |plan| {
                let review::Found { rows, total } = review::find(plan, &text, limit as usize);
                FromWorker::Found { id, rows, total }
            })),
            ToWorker::Excerpt { id } => Some(self.excerpt(id)),
            ToWorker::Link { id, link } => {
                let fragment = permalink::encode(&link);
                Some(FromWorker::Link { id, fragment })
            }
        }
    }

    /// Whether there is anything to do but wait for messages.
    pub(crate) fn has_work(&self) -> bool {
        let is_under_way = |current: &Current| !current.is_done();
        self.waiting.is_some() || self.current.as_ref().is_some_and(is_under_way)
    }

    /// Reads the waiting text, or analyses one more file, or concludes.
    pub(crate) fn step(&mut self, parse: &mut dyn FnMut(&str) -> Tree) -> Option<FromWorker> {
        if let Some(waiting) = self.waiting.take() {
            let id = waiting.id;
            return Some(match Current::new(waiting) {
                Ok(current) => self.current.insert(current).view(),
                Err(error) => failed(id, &error.to_string()),
            });
        }
        self.current.as_mut()?.step(parse)
    }

    /// Adds to the review with that id, whether it waits, is under way or concluded. An older one is gone.
    fn take_files(&mut self, id: u32, files: BTreeMap<String, String>) -> Option<FromWorker> {
        if let Some(waiting) = self.waiting.as_mut().filter(|waiting| waiting.id == id) {
            waiting.files.get_or_insert_default().extend(files);
        } else if let Some(current) = self.current.as_mut().filter(|current| current.id == id) {
            return Some(current.take_files(files));
        }
        None
    }

    /// An answer that needs nothing but the diff.
    fn of_plan(&self, id: u32, answer: impl FnOnce(&Plan) -> FromWorker) -> FromWorker {
        match &self.current {
            Some(current) => answer(&current.plan),
            None => failed(id, REPLACED),
        }
    }

    fn excerpt(&self, id: u32) -> FromWorker {
        let Some(current) = &self.current else {
            return failed(id, REPLACED);
        };
        let Some(report) = &current.report else {
            return failed(id, "The diff can be cut once all of it was reviewed.");
        };
        let text = review::excerpt(&current.plan, report);
        FromWorker::Excerpt { id, text }
    }
}

impl Current {
    fn new(waiting: Waiting) -> Result<Current, ProfileError> {
        let profile = match &waiting.profile {
            Some(text) => Profile::from_json(text)?,
            None => Profile::builtin(),
        };
        let mut plan = review::plan(&Input {
            text: &waiting.text,
            decoding: &[],
            files: waiting.files.as_ref(),
            profile: &profile,
            dismissals: &[],
            source: &waiting.source,
        });
        plan.tell_left_out(&waiting.left_out);
        Ok(Current {
            id: waiting.id,
            facts: (0..plan.len()).map(|_| None).collect(),
            plan,
            report: None,
            is_stale: false,
        })
    }

    fn view(&self) -> FromWorker {
        FromWorker::View {
            id: self.id,
            view: review::view(&self.plan),
        }
    }

    /// Forgets what these files said before.
    fn take_files(&mut self, files: BTreeMap<String, String>) -> FromWorker {
        let mut known = Vec::new();
        for place in self.plan.take_files(files) {
            if let Some(facts) = self.facts.get_mut(place) {
                *facts = None;
            }
            known.extend(self.plan.index(place));
        }
        self.is_stale = true;
        let n_lines = |file: u32| Some((file, review::n_whole_lines(&self.plan, file as usize)?));
        FromWorker::Known {
            id: self.id,
            files: known.into_iter().filter_map(n_lines).collect(),
        }
    }

    /// Reads one file, and tells what it shows by itself, unless a report has already told more.
    fn analyse(&mut self, n: usize, parse: &mut dyn FnMut(&str) -> Tree) -> FromWorker {
        let facts = review::file_facts(&self.plan, n, parse);
        let findings = match self.report {
            None => review::provisional(&self.plan, &facts),
            Some(_) => Vec::new(),
        };
        if let Some(place) = self.facts.get_mut(n) {
            *place = Some(facts);
        }
        FromWorker::Progress {
            id: self.id,
            done: self.facts.iter().flatten().count() as u32,
            total: self.facts.len() as u32,
            file: self.plan.index(n),
            findings,
        }
    }

    fn is_done(&self) -> bool {
        self.report.is_some() && !self.is_stale
    }

    /// Nothing once the report is there.
    fn step(&mut self, parse: &mut dyn FnMut(&str) -> Tree) -> Option<FromWorker> {
        if self.is_done() {
            return None;
        }
        let id = self.id;
        if let Some(next) = self.facts.iter().position(Option::is_none) {
            return Some(self.analyse(next, parse));
        }
        let facts: Vec<FileFacts> = std::mem::take(&mut self.facts)
            .into_iter()
            .flatten()
            .collect();
        let report = review::conclude(&self.plan, &facts);
        self.facts = facts.into_iter().map(Some).collect();
        self.report = Some(report.clone());
        self.is_stale = false;
        Some(FromWorker::Done { id, report })
    }
}

const REPLACED: &str = "A newer review has replaced the one that this belongs to.";

fn failed(id: u32, sentence: &str) -> FromWorker {
    let message = sentence.to_owned();
    FromWorker::Failed { id, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::permalink::{Content, Link};
    use report::{Context, Work};

    const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n a = 1\n+b = 2\n";

    fn review(id: u32) -> ToWorker {
        ToWorker::Review {
            id,
            text: DIFF.to_owned(),
            source: Source::default(),
            files: None,
            profile: None,
            left_out: Vec::new(),
        }
    }

    fn files(id: u32) -> ToWorker {
        let text = "a = 1\nb = 2\nc = 3\n".to_owned();
        ToWorker::Files {
            id,
            files: BTreeMap::from([("x.py".to_owned(), text)]),
        }
    }

    /// All answers up to the end, each as its name and id.
    fn finish(session: &mut Session) -> Vec<(&'static str, u32)> {
        let mut answers = Vec::new();
        while session.has_work() {
            answers.extend(
                session
                    .step(&mut |_| Tree::default())
                    .map(|answer| name_of(&answer)),
            );
        }
        answers
    }

    fn name_of(answer: &FromWorker) -> (&'static str, u32) {
        match answer {
            FromWorker::View { id, .. } => ("view", *id),
            FromWorker::Progress { id, .. } => ("progress", *id),
            FromWorker::Done { id, .. } => ("done", *id),
            FromWorker::Rows { id, .. } => ("rows", *id),
            FromWorker::WholeRows { id, .. } => ("whole-rows", *id),
            FromWorker::Known { id, .. } => ("known", *id),
            FromWorker::Text { id, .. } => ("text", *id),
            FromWorker::Found { id, .. } => ("found", *id),
            FromWorker::Excerpt { id, .. } => ("excerpt", *id),
            FromWorker::Link { id, .. } => ("link", *id),
            FromWorker::Profile { id, .. } => ("profile", *id),
            FromWorker::NoProfile { id, .. } => ("no-profile", *id),
            FromWorker::Failed { id, .. } => ("failed", *id),
            FromWorker::Ready { .. } => ("ready", 0),
        }
    }

    #[test]
    fn the_view_comes_first_then_the_files_then_the_report() {
        let mut session = Session::default();
        assert_eq!(session.receive(review(4)), None);
        assert_eq!(
            finish(&mut session),
            [("view", 4), ("progress", 4), ("done", 4)]
        );
    }

    #[test]
    fn a_newer_text_ends_the_review_under_way() {
        let mut session = Session::default();
        session.receive(review(1));
        session.step(&mut |_| Tree::default());
        session.receive(review(2));
        assert_eq!(
            finish(&mut session),
            [("view", 2), ("progress", 2), ("done", 2)]
        );
    }

    #[test]
    fn whole_files_that_come_later_conclude_the_review_anew_without_another_view() {
        let mut session = Session::default();
        session.receive(review(4));
        finish(&mut session);
        let known = |files| Some(FromWorker::Known { id: 4, files });
        assert_eq!(session.receive(files(4)), known(vec![(0, 3)]));
        assert_eq!(finish(&mut session), [("progress", 4), ("done", 4)]);
        assert_eq!(session.receive(files(4)), known(Vec::new()));
        assert_eq!(finish(&mut session), [("done", 4)], "nothing of it is new");
    }

    #[test]
    fn whole_files_of_an_older_review_change_nothing() {
        let mut session = Session::default();
        session.receive(review(5));
        finish(&mut session);
        session.receive(files(4));
        assert!(!session.has_work());
    }

    #[test]
    fn whole_files_are_taken_before_the_diff_was_looked_at() {
        let mut session = Session::default();
        session.receive(review(6));
        session.receive(files(6));
        assert_eq!(
            finish(&mut session),
            [("view", 6), ("progress", 6), ("done", 6)]
        );
    }

    #[test]
    fn rows_are_answered_before_the_report_and_an_excerpt_after_it() {
        let mut session = Session::default();
        session.receive(review(1));
        session.step(&mut |_| Tree::default());
        let rows = ToWorker::Rows {
            id: 1,
            file: 0,
            from: 0,
            to: 9,
        };
        let Some(FromWorker::Rows { rows, .. }) = session.receive(rows) else {
            panic!("no rows");
        };
        assert_eq!(rows.len(), 3);
        let early = session.receive(ToWorker::Excerpt { id: 8 });
        assert_eq!(early.as_ref().map(name_of), Some(("failed", 8)));
        finish(&mut session);
        let late = session.receive(ToWorker::Excerpt { id: 9 });
        assert_eq!(late.as_ref().map(name_of), Some(("excerpt", 9)));
    }

    #[test]
    fn what_asks_before_any_review_is_told_so() {
        let answer = Session::default().receive(ToWorker::Excerpt { id: 3 });
        assert_eq!(answer.as_ref().map(name_of), Some(("failed", 3)));
    }

    #[test]
    fn a_profile_is_told_by_its_name_and_its_names_are_used() {
        let mut session = Session::default();
        let ask = |text: &str| ToWorker::Profile {
            id: 3,
            text: text.to_owned(),
        };
        let Some(FromWorker::Profile { name, .. }) = session.receive(ask(ACME)) else {
            panic!("no profile");
        };
        assert_eq!(name, "acme");
        let refused = session.receive(ask("name = 'acme'"));
        assert_eq!(refused.as_ref().map(name_of), Some(("no-profile", 3)));

        session.receive(with_profile(4, ACME));
        finish(&mut session);
        let report = session.current.as_ref().unwrap().report.as_ref().unwrap();
        assert_eq!(report.tool.profile, "acme");
        session.receive(with_profile(5, "{\"lock\": {}}"));
        assert_eq!(finish(&mut session), [("failed", 5)]);
        assert!(!session.has_work());
    }

    const ACME: &str = "{\"name\": \"acme\"}";

    fn with_profile(id: u32, json: &str) -> ToWorker {
        ToWorker::Review {
            id,
            text: DIFF.to_owned(),
            source: Source::default(),
            files: None,
            profile: Some(json.to_owned()),
            left_out: Vec::new(),
        }
    }

    #[test]
    fn a_link_is_packed_whatever_is_under_way() {
        let link = Link {
            content: Content::Diff {
                text: DIFF.to_owned(),
                excerpt: false,
            },
            topic_version: String::new(),
            profile: String::new(),
            context: Context::Diff,
            work: Work::default(),
            selected: None,
        };
        let ask = ToWorker::Link {
            id: 5,
            link: Box::new(link.clone()),
        };
        let Some(FromWorker::Link { id: 5, fragment }) = Session::default().receive(ask) else {
            panic!("no link");
        };
        assert_eq!(permalink::decode(&fragment), Ok(link));
    }
}
