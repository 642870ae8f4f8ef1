//! What a check is and what it yields.

use crate::facts::{Call, ExprId, Facts, Heat, Span, StmtId};
use report::Severity;
use std::cell::Cell;
use topic::Profile;

/// A check's metadata and its detection. Detection never looks at the diff, only at facts.
#[derive(Debug)]
pub(crate) struct Check {
    /// Kebab-case, unique in its rule: checks that ask several rules the same share an id.
    pub(crate) id: &'static str,
    /// 1 to 10.
    pub(crate) rule: u8,
    pub(crate) severity: Severity,
    /// Pull requests that the topic's source names for this very check.
    pub(crate) references: &'static [u32],
    /// What a reader of `explain` sees: one sentence on what the check finds.
    pub(crate) summary: &'static str,
    pub(crate) detect: fn(&Context<'_>, &mut Outcome),
}

/// What a check may read.
pub(crate) struct Context<'a> {
    /// This side of this file.
    pub(crate) facts: &'a Facts,
    /// The same side of the diff's other Python files, for names that are defined in one and used in another.
    pub(crate) others: Others<'a>,
    pub(crate) profile: &'a Profile,
}

/// The other files of one side. What a check sees without asking for them depends on its own file alone.
#[derive(Default)]
pub(crate) struct Others<'a> {
    files: &'a [&'a Facts],
    own: &'a str,
    is_asked: Cell<bool>,
}

impl<'a> Others<'a> {
    /// All files of the side; those at the path `own` are left out: of several versions of one none explains another.
    pub(crate) fn new(files: &'a [&'a Facts], own: &'a str) -> Others<'a> {
        Others {
            files,
            own,
            is_asked: Cell::new(false),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &'a &'a Facts> + use<'a> {
        self.is_asked.set(true);
        let own = self.own;
        self.files.iter().filter(move |other| other.path != own)
    }

    /// Whether any check has asked.
    pub(crate) fn is_asked(&self) -> bool {
        self.is_asked.get()
    }
}

impl Context<'_> {
    /// Weakens a verdict by the place: hot keeps it, unknown makes a violation a look, cold excuses it.
    pub(crate) fn where_it_matters(&self, stmt: StmtId, verdict: HitVerdict) -> HitVerdict {
        match (self.facts.heat(stmt, self.profile), verdict) {
            (Heat::Cold(reason), HitVerdict::Violation | HitVerdict::Look) => {
                HitVerdict::Excused(format!("Not on a hot path: {reason}."))
            }
            (Heat::Unknown, HitVerdict::Violation) => HitVerdict::Look,
            (_, verdict) => verdict,
        }
    }

    /// The same for a path that the code asks the service's own helper for: a command line that writes into the cache
    /// of a service shares it with that.
    pub(crate) fn where_path_shared(&self, path: ExprId, verdict: HitVerdict) -> HitVerdict {
        let is_tool = topic::has_word(&self.facts.path, "cli");
        let asks = |id: ExprId| {
            let imported = self.facts.call(id).filter(|call| {
                let root = self.facts.imported_root(call.function);
                root.is_some_and(|root| !self.facts.path.starts_with(&root))
            });
            imported.is_some_and(|call| self.profile.cache.is_path_call(call.callee()))
        };
        let reaches = || {
            let values = self.facts.values(path).into_iter().chain([path]);
            let parts = values.flat_map(|value| self.facts.within(value));
            let behind = parts.flat_map(|part| self.facts.values(part).into_iter().chain([part]));
            behind.into_iter().any(asks)
        };
        if is_tool && reaches() {
            return verdict;
        }
        self.where_shared(verdict)
    }

    /// Excuses what harms only those who share a path with other workers: tests, scripts and command lines do not.
    /// Start-up is no excuse here, since all workers start.
    pub(crate) fn where_shared(&self, verdict: HitVerdict) -> HitVerdict {
        match (self.facts.cold_file(self.profile), verdict) {
            (Some(reason), HitVerdict::Violation | HitVerdict::Look) => {
                HitVerdict::Excused(format!("No other worker shares this path: {reason}."))
            }
            (_, verdict) => verdict,
        }
    }
}

/// What the checks saw on one side of one file.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) hits: Vec<Hit>,
    pub(crate) evidence: Vec<Evidence>,
}

/// A place where a check's pattern stands.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) check: &'static Check,
    /// Set where this hit weighs less than its check says.
    pub(crate) severity: Option<Severity>,
    pub(crate) anchor: Anchor,
    pub(crate) verdict: HitVerdict,
    pub(crate) words: Words,
    /// What is at fault, where a statement can be rewritten so that its fault becomes another: hits of different
    /// subjects are not one that was there before.
    pub(crate) subject: Option<String>,
    /// What is missing may stand in lines that are not shown: of the old side nobody knows it either.
    pub(crate) is_unseen: bool,
    pub(crate) related: Vec<Place>,
    /// Further statements that make the hit: an added line in one of them makes the hit the diff's,
    /// as one in the anchor does. (The acquire is the anchor, the escaping statement is a cause.)
    pub(crate) causes: Vec<Span>,
    /// Other rules that the same defect breaks.
    pub(crate) also: Vec<u8>,
    /// Ids of other checks whose fault the statement has as well, or worse: this hit stands for them.
    pub(crate) stands_for: Vec<&'static str>,
    /// The function of another file in which the fault lies: its path there and its span. A finding in it says all.
    pub(crate) root: Option<(String, Span)>,
}

impl Outcome {
    /// Notes an added line's good deed.
    pub(crate) fn evidence(&mut self, rule: u8, span: Span, note: impl Into<String>) {
        self.evidence.push(Evidence {
            rule,
            span,
            note: note.into(),
        });
    }
}

impl Hit {
    /// A hit with nothing but the necessary.
    pub(crate) fn new(
        check: &'static Check,
        anchor: Anchor,
        verdict: HitVerdict,
        words: Words,
    ) -> Hit {
        Hit {
            check,
            severity: None,
            anchor,
            verdict,
            words,
            subject: None,
            is_unseen: false,
            related: Vec::new(),
            causes: Vec::new(),
            also: Vec::new(),
            stands_for: Vec::new(),
            root: None,
        }
    }

    /// Adds a second place.
    pub(crate) fn with_related(mut self, span: Span, note: &str) -> Hit {
        self.related.push(Place {
            span,
            note: note.to_string(),
        });
        self
    }
}

/// A check's own verdict; `conclude` adds what only the diff can say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HitVerdict {
    Violation,
    Look,
    /// Matched, and harmless for this reason.
    Excused(String),
}

impl HitVerdict {
    /// A violation where the shown text proves it, else a look.
    pub(crate) fn sure_if(proven: bool) -> HitVerdict {
        match proven {
            true => HitVerdict::Violation,
            false => HitVerdict::Look,
        }
    }
}

/// The statement that carries a hit, and the part of it to underline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) stmt: StmtId,
    /// Within the statement's head: never a whole body.
    pub(crate) span: Span,
}

impl Anchor {
    /// The call and the statement that it stands in.
    pub(crate) fn call(call: &Call<'_>) -> Anchor {
        Anchor {
            stmt: call.stmt(),
            span: call.span(),
        }
    }

    /// This place, or the second one where the change brought only that: the stop that an exit passes by was added
    /// to a start that stood there.
    pub(crate) fn or_where_changed(self, facts: &Facts, second: Anchor) -> Anchor {
        let brought = |anchor: Anchor| facts.is_changed(facts.stmt(anchor.stmt).head);
        if brought(second) && !brought(self) {
            second
        } else {
            self
        }
    }

    /// An expression and the statement that it stands in.
    pub(crate) fn expr(facts: &Facts, id: ExprId) -> Anchor {
        let expr = facts.expr(id);
        Anchor {
            stmt: expr.stmt,
            span: expr.span,
        }
    }

    /// A whole statement's head.
    pub(crate) fn stmt(facts: &Facts, stmt: StmtId) -> Anchor {
        Anchor {
            stmt,
            span: facts.stmt(stmt).head,
        }
    }
}

/// Wording, apart from detection: what stands there, why it breaks, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) message: String,
    pub(crate) why: String,
    pub(crate) ask: String,
}

impl Words {
    pub(crate) fn new(
        message: impl Into<String>,
        why: impl Into<String>,
        ask: impl Into<String>,
    ) -> Words {
        Words {
            message: message.into(),
            why: why.into(),
            ask: ask.into(),
        }
    }
}

/// A second place in the same document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) span: Span,
    pub(crate) note: String,
}

/// A place that satisfies a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Evidence {
    pub(crate) rule: u8,
    pub(crate) span: Span,
    pub(crate) note: String,
}
