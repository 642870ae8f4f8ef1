//! The diff cut to what a link has to carry.

use crate::plan::Plan;
use diff::Hunk;
use report::{Report, Side};

/// The diff cut to the hunks that carry a counted finding or a related place of one.
pub fn excerpt(plan: &Plan, report: &Report) -> String {
    let mut places: Vec<(&str, Side, u32)> = Vec::new();
    for finding in report.counted() {
        places.push((&finding.path, finding.side, finding.line));
        places.extend(
            finding
                .related
                .iter()
                .map(|place| (place.path.as_str(), place.side, place.line)),
        );
    }
    diff::excerpt(&plan.patch, |file, hunk| {
        let Some(file) = plan.patch.files.get(file) else {
            return false;
        };
        let Some(hunk) = file.hunks.get(hunk) else {
            return false;
        };
        places.iter().any(|&(path, side, line)| {
            let own =
                file.new_path.as_deref() == Some(path) || file.old_path.as_deref() == Some(path);
            own && holds(hunk, side, line)
        })
    })
}

fn holds(hunk: &Hunk, side: Side, line: u32) -> bool {
    hunk.lines.iter().any(|of| match side {
        Side::Old => of.old == Some(line),
        Side::New => of.new == Some(line),
    })
}
