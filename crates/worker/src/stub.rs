//! Stands in for the core until it is there.

use report::{Context, DiffView, Input, OutOfScope, Problem, Report, Row, Source, Tool, Topic};
use syntax::Tree;

pub(crate) struct Plan {
    text: String,
}
pub(crate) struct FileFacts {
    nodes: usize,
}
impl Plan {
    pub(crate) fn n_files(&self) -> usize {
        1
    }
}
pub(crate) fn plan(text: &str) -> Plan {
    Plan {
        text: text.to_owned(),
    }
}
pub(crate) fn view(_plan: &Plan) -> DiffView {
    DiffView::default()
}
pub(crate) fn rows(_plan: &Plan, _file: u32, _from: u32, _to: u32) -> Vec<Row> {
    Vec::new()
}
pub(crate) fn excerpt(plan: &Plan) -> String {
    plan.text.clone()
}
pub(crate) fn file_facts(plan: &Plan, _i: usize, parse: &mut dyn FnMut(&str) -> Tree) -> FileFacts {
    FileFacts {
        nodes: parse(&plan.text).len(),
    }
}
pub(crate) fn conclude(_plan: &Plan, facts: &[FileFacts]) -> Report {
    let nodes: usize = facts.iter().map(|facts| facts.nodes).sum();
    Report {
        schema: report::SCHEMA.to_owned(),
        tool: Tool {
            name: "hunkwise".into(),
            version: "0".into(),
            topic: String::new(),
            topic_version: String::new(),
            profile: String::new(),
        },
        source: Source::default(),
        input: Input {
            context: Context::Diff,
            files: 1,
            hunks: 0,
            added: 0,
            removed: 0,
            out_of_scope: OutOfScope::default(),
        },
        topic: Topic::default(),
        checklist: Vec::new(),
        findings: Vec::new(),
        problems: vec![Problem {
            path: None,
            line: None,
            kind: "stub".into(),
            message: format!("{nodes} nodes"),
        }],
    }
}
