//! What the tests of the workspace share: fixtures with the expectation in them, and one way to review a text.

mod expectation;
mod fixture;

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
    let mut parser = native::Parser::new()?;
    let input = review::Input {
        text,
        decoding: &[],
        files,
        profile: &Profile::builtin(),
        dismissals: &[],
        source: &report::Source::default(),
    };
    Ok(review::review(&input, &mut |text| parser.parse(text)))
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
