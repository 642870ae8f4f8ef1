//! The arguments.

use clap::{Args, Parser, Subcommand, ValueEnum};
use report::export::Gravity;
use report::{Severity, Source};
use std::path::PathBuf;

/// Reviews a unified diff of Python code for concurrency, resource and artifact safety.
#[derive(Parser)]
#[command(version, name = "hunkwise")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Reviews a diff and prints the report.
    Review(Review),
    /// Prints the permalink of a diff.
    Link(Link),
    /// Prints the review of a permalink.
    Open(Open),
    /// Prints the card of a rule (R4), or of a check (unbounded-result) with its rule.
    Explain {
        /// A rule or a check.
        id: String,
    },
    /// Prints what one stage makes of its input, for developers.
    #[command(subcommand)]
    Dump(Stage),
}

#[derive(Args)]
pub(crate) struct Review {
    #[command(flatten)]
    pub(crate) output: Output,
    /// A folder with the new-side files (a checkout of the head), read for whole-file context.
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) names: Names,
    #[command(flatten)]
    pub(crate) origin: Origin,
    /// A file with a diff; `-` or nothing for standard input.
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
}

#[derive(Args)]
pub(crate) struct Link {
    /// The page's address; without it the fragment alone is printed.
    #[arg(long, value_name = "URL")]
    pub(crate) page: Option<String>,
    /// Put only the hunks that carry findings into the link.
    #[arg(long)]
    pub(crate) excerpt: bool,
    /// Name the diff (by --repo, --base and --head) instead of putting it into the link.
    #[arg(long, conflicts_with = "excerpt", requires_all = ["repo", "base", "head"])]
    pub(crate) reference: bool,
    #[command(flatten)]
    pub(crate) names: Names,
    #[command(flatten)]
    pub(crate) origin: Origin,
    /// A file with a diff; `-` or nothing for standard input.
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
}

#[derive(Args)]
pub(crate) struct Open {
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) names: Names,
    /// The link: a whole address or its fragment.
    pub(crate) link: String,
}

/// How a report leaves the command.
#[derive(Args)]
pub(crate) struct Output {
    /// Text on a terminal, else JSON.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Exit with 1 where a violation at least this severe stands; looks never fail a run.
    #[arg(long, value_enum, default_value_t = FailOn::Never)]
    pub(crate) fail_on: FailOn,
    /// Let SARIF carry findings of severity NIT.
    #[arg(long)]
    pub(crate) nits: bool,
    /// What Markdown and comments call a BLOCK.
    #[arg(long, value_enum, default_value_t = BlockAs::High)]
    pub(crate) block_as: BlockAs,
}

/// Where the diff comes from. Reports name it, and lines are linked where repository and head are known.
#[derive(Args)]
pub(crate) struct Origin {
    /// The repository, as OWNER/NAME.
    #[arg(long)]
    repo: Option<String>,
    /// The number of the pull request.
    #[arg(long)]
    pull: Option<u32>,
    /// The commit that the diff starts from.
    #[arg(long, value_name = "COMMIT")]
    base: Option<String>,
    /// The commit that the diff leads to.
    #[arg(long, value_name = "COMMIT")]
    head: Option<String>,
}

impl Origin {
    pub(crate) fn source(&self) -> Source {
        Source {
            repo: self.repo.clone(),
            pull: self.pull,
            base: self.base.clone(),
            head: self.head.clone(),
        }
    }
}

/// What a team brings to a review.
#[derive(Args)]
pub(crate) struct Names {
    /// Another repository's names (guards, helpers, cache roots, hot paths) as JSON, in place of the built-in ones.
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Findings that the team has dismissed: JSON with a reason by id, or a saved review.
    #[arg(long, value_name = "FILE")]
    pub(crate) dismissals: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Markdown,
    Sarif,
    /// Comments at the lines of a pull request: the JSON that GitHub's review endpoint takes.
    Comments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlockAs {
    Critical,
    High,
}

impl BlockAs {
    pub(crate) fn gravity(self) -> Gravity {
        match self {
            BlockAs::Critical => Gravity::Critical,
            BlockAs::High => Gravity::High,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Block,
    Flag,
    Never,
}

impl FailOn {
    pub(crate) fn severity(self) -> Option<Severity> {
        match self {
            FailOn::Block => Some(Severity::Block),
            FailOn::Flag => Some(Severity::Flag),
            FailOn::Never => None,
        }
    }
}

#[derive(Subcommand)]
pub(crate) enum Stage {
    /// The files, hunks and problems that the diff reader finds.
    Patch {
        /// A file with a diff, or `-` for standard input.
        file: PathBuf,
    },
    /// The Python made of each file and side, and its syntax tree.
    Tree {
        /// A file with a diff, or `-` for standard input.
        file: PathBuf,
    },
    /// The statements of each file and side, and what every check sees there before the diff is asked.
    Facts {
        /// A file with a diff, or `-` for standard input.
        file: PathBuf,
    },
}
