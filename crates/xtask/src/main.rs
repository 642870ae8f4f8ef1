//! Builds, serves, tests and measures Hunkwise. Plain Rust; needs Rust, Node.js with npm, and for the browser tests a
//! Chromium and, for those of its own, a Firefox.

mod bench;
mod browser;
mod check;
mod checksums;
mod command;
mod dependencies;
mod dist;
mod headers;
mod hosts;
mod licenses;
mod npm;
mod palette;
mod reproduce;
mod screenshots;
mod serve;
mod site;
mod test;
mod wasm;

use clap::Parser;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(Task::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> anyhow::Result<()> {
    let root = command::workspace_root()?;
    match task {
        Task::Serve { port, dev } => serve(&root, port, profile(dev)),
        Task::Dist => dist::run(&root),
        Task::Reproduce => reproduce::run(&root),
        Task::Test { suite, dev } => test::run(&root, suite, profile(dev)),
        Task::Soak { seed } => test::soak(&root, seed),
        Task::Check => check::run(&root),
        Task::Bench(arguments) => bench::run(&root, &arguments, wasm::Profile::Web),
        Task::Screenshots { dev } => screenshots::run(&root, profile(dev)),
    }
}

/// Builds, serves and tests Hunkwise.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Task {
    /// Build the page and serve it on this machine, with the security headers that a host has to send.
    Serve {
        /// The port to listen on; 0 takes a free one.
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Build faster, for a bigger and slower page.
        #[arg(long)]
        dev: bool,
    },
    /// Build the static site into dist/, with header files for common hosts, and print its sizes.
    Dist,
    /// Build dist/ here and from a clone elsewhere, and compare every byte.
    Reproduce,
    /// Run all tests: Rust, native against wasm, and the page in a browser.
    Test {
        /// Run one part only.
        suite: Option<test::Suite>,
        /// Test a page that is faster to build.
        #[arg(long)]
        dev: bool,
    },
    /// Use the page for long and see what it holds on to: 300 diffs twice, then a user who does anything.
    Soak {
        /// Another number makes another user.
        #[arg(long, default_value_t = 1)]
        seed: u32,
    },
    /// What must hold before a commit: formatting, lints natively and for wasm, then all tests.
    Check,
    /// Measure sizes and speed beside other tools, and print one table.
    Bench(bench::Arguments),
    /// Draw the page's main states into web/screenshots/.
    Screenshots {
        /// Draw a page that is faster to build.
        #[arg(long)]
        dev: bool,
    },
}

fn profile(dev: bool) -> wasm::Profile {
    if dev {
        wasm::Profile::Dev
    } else {
        wasm::Profile::Web
    }
}

fn serve(root: &Path, port: u16, profile: wasm::Profile) -> anyhow::Result<()> {
    let site = site::build(root, profile)?;
    let server = serve::Server::start(&site, port)?;
    println!("{}", server.address());
    server.wait();
    Ok(())
}
