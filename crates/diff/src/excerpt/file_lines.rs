//! The header lines of a file, as git writes them.

use std::fmt::Write as _;

use crate::{File, Status};

/// Writes everything before the first hunk. `is_open` says that the file before might still take names.
pub(super) fn write(text: &mut String, file: &File, with_hunks: bool, is_open: bool) {
    let Names { old, new } = Names::of(file);
    if is_git_header(file) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "diff --git {} {}", quote(&old), quote(&new));
        write_extended(text, file, with_hunks);
    } else if is_open {
        // As `diff -r` begins a file.
        let _ = writeln!(text, "diff -u {} {}", quote(&old), quote(&new));
    }
    if with_hunks {
        let _ = writeln!(text, "--- {}", name_field(&old, file.old_path.is_some()));
        let _ = writeln!(text, "+++ {}", name_field(&new, file.new_path.is_some()));
    } else if file.binary {
        let (old, new) = (
            side(&old, file.old_path.is_some()),
            side(&new, file.new_path.is_some()),
        );
        let _ = writeln!(
            text,
            "Binary files {} and {} differ",
            quote(old),
            quote(new)
        );
    }
}

/// Both names with their prefixes; a missing side has the other one's, as on git's first line.
struct Names {
    old: String,
    new: String,
}

impl Names {
    fn of(file: &File) -> Self {
        let old = file.old_path.as_deref().unwrap_or(file.path());
        Self {
            old: format!("a/{old}"),
            new: format!("b/{}", file.path()),
        }
    }
}

/// Git writes its line for one path, or for a path that moves; a plain diff may compare any two files.
fn is_git_header(file: &File) -> bool {
    let moved = matches!(file.status, Status::Renamed | Status::Copied);
    let same = file.old_path.is_none() || file.new_path.is_none() || file.old_path == file.new_path;
    !file.path().is_empty() && (moved || same)
}

fn write_extended(text: &mut String, file: &File, with_hunks: bool) {
    write_modes(text, file, with_hunks);
    if let Some((word, old, new)) = moved(file) {
        let _ = writeln!(text, "{word} from {}\n{word} to {}", quote(old), quote(new));
    } else if file.status == Status::Modified && !with_hunks {
        text.push_str("index 0000000..0000000\n");
    }
}

fn write_modes(text: &mut String, file: &File, with_hunks: bool) {
    const PLAIN_FILE: u32 = 0o100_644;
    let default = (!with_hunks).then_some(PLAIN_FILE);
    match (&file.old_path, &file.new_path, file.old_mode, file.new_mode) {
        (None, _, _, mode) => write_mode(text, "new file mode", mode.or(default)),
        (_, None, mode, _) => write_mode(text, "deleted file mode", mode.or(default)),
        (_, _, Some(old), Some(new)) if old != new => {
            write_mode(text, "old mode", Some(old));
            write_mode(text, "new mode", Some(new));
        }
        _ => {}
    }
}

fn write_mode(text: &mut String, what: &str, mode: Option<u32>) {
    if let Some(mode) = mode {
        let _ = writeln!(text, "{what} {mode:06o}");
    }
}

fn moved(file: &File) -> Option<(&str, &str, &str)> {
    let word = match file.status {
        Status::Renamed => "rename",
        Status::Copied => "copy",
        _ => return None,
    };
    Some((word, file.old_path.as_deref()?, file.new_path.as_deref()?))
}

/// A name on a `---` or `+++` line. Behind a space in it, git puts a tab so that it is clear where it ends.
fn name_field(name: &str, exists: bool) -> String {
    let mut field = quote(side(name, exists));
    if field.contains(' ') && !field.starts_with('"') {
        field.push('\t');
    }
    field
}

fn side(name: &str, exists: bool) -> &str {
    if exists { name } else { "/dev/null" }
}

/// C quoting, where a name needs it.
fn quote(name: &str) -> String {
    let plain = |char: char| !char.is_ascii_control() && char != '"' && char != '\\';
    if name.chars().all(plain) {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for char in name.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            _ if plain(char) => quoted.push(char),
            _ => {
                let _ = write!(quoted, "\\{:03o}", u32::from(char));
            }
        }
    }
    quoted.push('"');
    quoted
}
