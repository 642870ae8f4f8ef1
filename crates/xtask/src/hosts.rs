//! The security headers as the files that common static hosts read.

use crate::headers;
use anyhow::Result;
use std::fs;
use std::path::Path;

/// Writes one file for each kind of host, and a page that says which is for whom.
pub(crate) fn write(dist: &Path) -> Result<()> {
    fs::write(dist.join("_headers"), netlify())?;
    fs::write(dist.join(".htaccess"), apache())?;
    fs::write(dist.join("nginx.conf"), nginx())?;
    // Without it GitHub Pages takes the files through Jekyll, which leaves some out.
    fs::write(dist.join(".nojekyll"), "")?;
    fs::write(dist.join("HOSTING.md"), include_str!("HOSTING.md"))?;
    Ok(())
}

/// Cloudflare Pages reads the same form.
fn netlify() -> String {
    let lines = headers::table()
        .into_iter()
        .map(|(name, value)| format!("  {name}: {value}\n"));
    format!("/*\n{}", lines.collect::<String>())
}

fn apache() -> String {
    let lines = headers::table()
        .into_iter()
        .map(|(name, value)| format!("Header always set {name} \"{value}\"\n"));
    format!(
        "AddType application/wasm .wasm\nAddType text/javascript .js\n{}",
        lines.collect::<String>()
    )
}

fn nginx() -> String {
    let lines = headers::table()
        .into_iter()
        .map(|(name, value)| format!("    add_header {name} \"{value}\" always;\n"));
    format!(
        "# Inside of a server block. A location with add_header lines of its own would lose these.\nlocation / {{\n{}}}\n",
        lines.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and values of the lines that `read` understands.
    fn read(host: &str, read: fn(&str) -> Option<(&str, &str)>) -> Vec<(&str, &str)> {
        host.lines().filter_map(read).collect()
    }

    fn quoted<'a>(line: &'a str, start: &str, end: &str) -> Option<(&'a str, &'a str)> {
        let (name, value) = line.trim().strip_prefix(start)?.split_once(' ')?;
        Some((name, value.strip_prefix('"')?.strip_suffix(end)?))
    }

    #[test]
    fn every_host_sends_what_the_server_of_the_tests_sends_and_nothing_else() {
        let table = headers::table();
        let wanted: Vec<(&str, &str)> = table
            .iter()
            .map(|(name, value)| (*name, &**value))
            .collect();
        assert_eq!(
            read(&netlify(), |line| line.strip_prefix("  ")?.split_once(": ")),
            wanted
        );
        assert_eq!(
            read(&apache(), |line| quoted(line, "Header always set ", "\"")),
            wanted
        );
        assert_eq!(
            read(&nginx(), |line| quoted(line, "add_header ", "\" always;")),
            wanted
        );
    }

    #[test]
    fn the_headers_are_sent_for_every_file() {
        assert!(netlify().starts_with("/*\n"));
        assert!(nginx().contains("\nlocation / {\n"));
        for scope in ["<Files", "<If", "<Location"] {
            assert!(!apache().contains(scope), "{scope}");
        }
    }

    #[test]
    fn no_value_would_end_the_quotes_around_it() {
        for (name, value) in headers::table() {
            assert!(!value.contains('"'), "{name}");
        }
    }
}
