//! What the review was given, in figures.

use crate::plan::{Plan, is_read};
use report::{Context, Input, OutOfScope};

pub(super) fn input(plan: &Plan) -> Input {
    let files = &plan.patch.files;
    let count = |of: fn(&diff::File) -> usize| files.iter().map(of).sum::<usize>() as u32;
    let binary = |file: &&diff::File| file.binary;
    let other = |file: &&diff::File| !file.binary && !is_read(file);
    Input {
        context: match plan.files {
            Some(_) => Context::Files,
            None => Context::Diff,
        },
        files: files.len() as u32,
        hunks: count(|file| file.hunks.len()),
        added: count(diff::File::added),
        removed: count(diff::File::deleted),
        out_of_scope: OutOfScope {
            non_python: files.iter().filter(other).count() as u32,
            binary: files.iter().filter(binary).count() as u32,
        },
    }
}
