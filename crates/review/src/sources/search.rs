//! The search for the hypothesis that explains a fragment best.
//!
//! Most fragments leave no choice, and of the others the lexer mostly picks the right hypothesis. So a guess is made
//! without parsing, the parse of the whole document checks all guesses at once, and only a fragment in which that
//! finds an error is searched: its hypotheses are parsed one by one, in the order of the least score they can have,
//! until none that is left can be better than the best. Where the guess is known to fail without a parse, since it
//! takes sentences for code, the hypothesis that the search would try first is guessed instead.

use super::heading::Heading;
use super::lex::{Lexed, Quote, Start, lex};
use super::prefix::{self, Hypothesis};
use super::scaffold::{Built, build};
use super::score;
use syntax::Tree;

/// What trial parses may cost in one file. It is counted and not timed: the same input gives the same answer.
#[derive(Debug)]
pub(super) struct Trials {
    parses: usize,
    bytes: usize,
    /// A search ended early.
    pub(super) spent: bool,
}

/// Parses a fragment may cost on average, and on top of that a file with few.
const PARSES_A_FRAGMENT: usize = 8;
const PARSES_A_FILE: usize = 64;

/// Text that may be parsed for trials, as a multiple of the file's shown text, and on top of that.
const TIMES_THE_TEXT: usize = 4;
const BYTES_A_FILE: usize = 256 * 1024;

/// A string that starts and ends outside of the fragment must explain a third of its lines, unless they are doctests.
const UNSEEN_STRING: i64 = 340;

impl Trials {
    pub(super) fn new(fragments: usize, bytes: usize) -> Trials {
        Trials {
            parses: fragments * PARSES_A_FRAGMENT + PARSES_A_FILE,
            bytes: bytes.saturating_mul(TIMES_THE_TEXT) + BYTES_A_FILE,
            spent: false,
        }
    }

    /// Pays for one parse; false if that is too much.
    fn pay(&mut self, bytes: usize) -> bool {
        let can = self.parses > 0 && self.bytes >= bytes;
        if can {
            self.parses -= 1;
            self.bytes -= bytes;
        }
        self.spent |= !can;
        can
    }
}

/// A hypothesis with its scaffold.
struct Candidate {
    built: Built,
    /// Its score if the parse finds no error.
    bound: i64,
    /// The least score it can have, once that is asked.
    least: i64,
    /// Its place among the hypotheses, the likelier before.
    at: usize,
}

/// A score, and what decides between equal ones.
type Rank = (i64, i64, usize);

impl Candidate {
    fn rank(&self, score: i64) -> Rank {
        (score, self.bound, self.at)
    }
}

/// The likeliest scaffold by the lexer alone.
pub(super) fn guess(lines: &[&str], heading: Option<&Heading>) -> Built {
    let starts = Starts::new(lines);
    let firsts = starts.0.iter();
    let firsts =
        firsts.filter_map(|(quote, lexed)| by_start(lines, lexed, *quote).into_iter().next());
    let mut candidates = candidates(lines, heading, firsts.collect(), &starts);
    let is_doubtful = |candidate: &Candidate| score::penalty(lines, &candidate.built) > 0;
    if candidates.iter().all(is_doubtful) {
        candidates.extend(self::candidates(
            lines,
            heading,
            prefix::never_closed(lines, None),
            &starts,
        ));
    }
    let best = candidates
        .into_iter()
        .min_by_key(|candidate| candidate.bound);
    let is_wrong = |best: &Candidate| score::least(lines, &best.built, best.bound) > best.bound;
    let best = match best {
        Some(best) if is_wrong(&best) => in_order(lines, heading, &starts).into_iter().next(),
        best => best,
    };
    best.map(|candidate| candidate.built).unwrap_or_default()
}

/// All candidates, by the best rank that they can have.
fn in_order(lines: &[&str], heading: Option<&Heading>, starts: &Starts) -> Vec<Candidate> {
    let mut candidates = candidates(lines, heading, hypotheses(lines, starts), starts);
    for candidate in &mut candidates {
        candidate.least = score::least(lines, &candidate.built, candidate.bound);
    }
    candidates.sort_by_key(|candidate| candidate.rank(candidate.least));
    candidates
}

/// The best scaffold by trial.
pub(super) fn search(
    lines: &[&str],
    heading: Option<&Heading>,
    trials: &mut Trials,
    parse: &mut dyn FnMut(&str) -> Tree,
) -> Option<Built> {
    let mut best: Option<(Rank, Built)> = None;
    for candidate in in_order(lines, heading, &Starts::new(lines)) {
        let least = candidate.rank(candidate.least);
        if best.as_ref().is_some_and(|best| best.0 <= least) {
            break;
        }
        let (text, own) = alone(lines, &candidate.built);
        if !trials.pay(text.len()) {
            break;
        }
        let tree = parse(&text);
        let errors = score::errors(&text, &tree, &own, &candidate.built);
        let rank = candidate.rank(candidate.bound + errors);
        if best.as_ref().is_none_or(|best| rank < best.0) {
            best = Some((rank, candidate.built));
        }
    }
    best.map(|(_, built)| built)
}

fn candidates(
    lines: &[&str],
    heading: Option<&Heading>,
    hypotheses: Vec<Hypothesis>,
    starts: &Starts,
) -> Vec<Candidate> {
    let candidate = |(at, hypothesis): (usize, Hypothesis)| {
        let lexed = starts.lexed(lines, &hypothesis);
        let built = build(lines, heading, &hypothesis, lexed);
        let bound = score::bound(lines, &built, hypothesis.cost);
        Candidate {
            built,
            bound,
            least: bound,
            at,
        }
    };
    hypotheses.into_iter().enumerate().map(candidate).collect()
}

/// All hypotheses about a fragment, of equal ones the likelier first.
fn hypotheses(lines: &[&str], starts: &Starts) -> Vec<Hypothesis> {
    let is_quoteless = starts.0.len() == 1;
    let mut found: Vec<Hypothesis> = Vec::new();
    for (quote, lexed) in &starts.0 {
        found.extend(by_start(lines, lexed, *quote));
    }
    for &(quote, ref lexed) in &starts.0 {
        if lexed.unmatched.is_empty() {
            found.extend(prefix::never_closed(lines, quote));
            if !lexed.brackets.is_empty() && quote.is_none() {
                found.extend(prefix::unfinished());
            }
        }
    }
    if is_quoteless {
        found.push(unseen_string(lines));
    }
    found
}

/// A fragment as it is lexed from each of its possible starts.
struct Starts(Vec<(Option<Quote>, Lexed)>);

impl Starts {
    fn new(lines: &[&str]) -> Starts {
        let lexed = |quote| {
            let brackets = Vec::new();
            (quote, lex(lines, Start { quote, brackets }))
        };
        Starts(quotes(lines).into_iter().map(lexed).collect())
    }

    /// The lines as a hypothesis has them.
    fn lexed(&self, lines: &[&str], hypothesis: &Hypothesis) -> Lexed {
        let Hypothesis {
            quote, brackets, ..
        } = hypothesis;
        let known = self.0.iter().find(|(start, _)| start == quote);
        match known {
            Some((_, lexed)) if brackets.is_empty() => lexed.clone(),
            _ => lex(
                lines,
                Start {
                    quote: *quote,
                    brackets: brackets.clone(),
                },
            ),
        }
    }
}

/// How the fragment can start: in code, or in a string of a kind that it shows a delimiter of.
fn quotes(lines: &[&str]) -> Vec<Option<Quote>> {
    let shown = |quote: &Quote| lines.iter().any(|line| line.contains(quote.text()));
    let strings = Quote::ALL.into_iter().filter(shown).map(Some);
    std::iter::once(None).chain(strings).collect()
}

/// The hypotheses about a fragment that starts in code or in a string.
fn by_start(lines: &[&str], lexed: &Lexed, quote: Option<Quote>) -> Vec<Hypothesis> {
    let mut found = prefix::for_closers(lines, lexed, quote);
    if found.is_empty() {
        found.push(Hypothesis {
            quote,
            ..Hypothesis::default()
        });
    }
    for hypothesis in &mut found {
        // Of equally good answers code comes first.
        hypothesis.cost += match quote {
            None => 0,
            Some(Quote::Double) => 2,
            Some(Quote::Single) => 3,
        };
    }
    found
}

fn unseen_string(lines: &[&str]) -> Hypothesis {
    // Neither a doctest nor a fence of Markdown is ever code.
    let marks = |line: &&str| {
        [">>> ", "```"]
            .iter()
            .any(|mark| line.trim_start().starts_with(mark))
    };
    let is_marked = lines.iter().any(marks);
    let shown = lines.iter().filter(|line| !line.trim().is_empty()).count() as i64;
    Hypothesis {
        quote: Some(Quote::Double),
        cost: if is_marked { 0 } else { UNSEEN_STRING * shown },
        ..Hypothesis::default()
    }
}

/// The text of a fragment with its scaffold, and the rows of the fragment's own lines.
fn alone(lines: &[&str], built: &Built) -> (String, std::ops::Range<usize>) {
    let above = built.above.iter().map(|(line, _)| line.as_str());
    let below = built.below.iter().map(|(line, _)| line.as_str());
    let mut text = String::new();
    for line in above.chain(lines.iter().copied()).chain(below) {
        text.push_str(line);
        text.push('\n');
    }
    let first = built.above.len();
    (text, first..first + lines.len())
}
