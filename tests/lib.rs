//! What the tests of the workspace share: fixtures with the expectation in them, and one way to review a text.

mod expectation;
mod fixture;
pub mod sound;

pub use expectation::{Expectation, Expected};
pub use fixture::{Fixture, fixtures};

use report::Report;
use std::collections::BTreeMap;
use topic::Profile;

/// The review of a diff with the built-in profile and nothing else.
pub fn review(text: &str) -> anyhow::Result<Report> {
    review_with(text, None)
}

/// The same with whole new-side files by path.
pub fn review_with(text: &str, files: Option<&BTreeMap<String, String>>) -> anyhow::Result<Report> {
    let input = review::Input {
        text,
        decoding: &[],
        files,
        profile: &Profile::builtin(),
        dismissals: &[],
        source: &report::Source::default(),
    };
    Ok(reviewed(&input)?.1)
}

/// A review of whatever is given, and the plan that knows the diff's rows.
pub fn reviewed(input: &review::Input<'_>) -> anyhow::Result<(review::Plan, Report)> {
    let mut parser = native::Parser::new()?;
    let plan = review::plan(input);
    let facts: Vec<review::FileFacts> = (0..plan.len())
        .map(|n| review::file_facts(&plan, n, &mut |text| parser.parse(text)))
        .collect();
    let report = review::conclude(&plan, &facts);
    Ok((plan, report))
}

/// A diff that adds a whole file.
pub fn new_file(path: &str, text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let added: String = lines.iter().map(|line| format!("+{line}\n")).collect();
    format!(
        "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{} @@\n{added}",
        lines.len()
    )
}
