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

    #[test]
    fn every_host_gets_every_header() {
        for host in [netlify(), apache(), nginx()] {
            for (name, value) in headers::table() {
                assert!(
                    host.contains(name) && host.contains(&value),
                    "{name} is missing in {host}"
                );
            }
        }
    }

    #[test]
    fn no_value_would_end_the_quotes_around_it() {
        for (name, value) in headers::table() {
            assert!(!value.contains('"'), "{name}");
        }
    }
}
