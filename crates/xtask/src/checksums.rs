//! SHA-256 sums in the form of `shasum`: of what others built and the site ships, and of the site itself.

use crate::command::output;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Node.js has the hash; the build needs it anyway.
const SUMS: &str = include_str!("checksums.mjs");

/// The sums of vendored files, beside the versions that they belong to.
const KNOWN: &str = "vendored.sha256";

/// Holds files of npm packages to the sums in the folder of the package.json. The lock file vouches for what npm
/// downloaded; this one for what lies there now, which runs in the worker as it is.
pub(crate) fn check_vendored(web: &Path, modules: &Path, files: &[&str]) -> Result<()> {
    let known = fs::read_to_string(web.join(KNOWN))
        .with_context(|| format!("{KNOWN} is missing in {}.", web.display()))?;
    let found = sums(modules, files.iter().map(|&file| file.to_owned()))?;
    ensure!(
        found == known,
        "The vendored files are not those of web/{KNOWN}. Known:\n{known}Found:\n{found}\
         After an update that was meant, write the sums that were found into that file; else remove web/node_modules."
    );
    Ok(())
}

/// Writes the sums of all files of a folder into `checksums.txt` in it.
pub(crate) fn write(folder: &Path) -> Result<()> {
    let mut files = Vec::new();
    list(folder, Path::new(""), &mut files)?;
    files.sort();
    Ok(fs::write(
        folder.join("checksums.txt"),
        sums(folder, files)?,
    )?)
}

fn sums(folder: &Path, files: impl IntoIterator<Item = String>) -> Result<String> {
    output(
        Command::new("node")
            .args(["--input-type=module", "--eval", SUMS, "--"])
            .args(files)
            .current_dir(folder),
    )
}

/// Files below a folder, with slashes whatever the system.
fn list(folder: &Path, below: &Path, files: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let path: PathBuf = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            list(folder, &path, files)?;
        } else {
            files.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
    }

    #[test]
    fn a_sum_is_that_of_the_bytes() {
        let empty = std::env::temp_dir().join(format!("hunkwise-sums-{}", std::process::id()));
        fs::create_dir_all(&empty).unwrap();
        fs::write(empty.join("nothing"), "").unwrap();
        let found = sums(&empty, ["nothing".to_owned()]).unwrap();
        fs::remove_dir_all(empty).unwrap();
        let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(found, format!("{of_nothing}  nothing\n"));
    }

    #[test]
    fn a_vendored_file_with_other_bytes_ends_the_build() {
        let web = folder().join("../../../web");
        let error = check_vendored(&web, folder(), &["sizes.mjs"]).unwrap_err();
        assert!(error.to_string().contains("vendored.sha256"), "{error}");
    }
}
