//! Why GitHub gave nothing: a sentence for each case, and the ways on from there.

use super::address::NotOpened;
use super::limit::Reset;

/// What stopped a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The text names no change.
    NotOpened(NotOpened),
    /// The user stopped it.
    Cancelled,
    /// The browser has no network.
    Offline,
    /// No answer came: no route, or something between refused it. Scripts are not told which.
    Unreachable,
    /// The answer broke off in its middle.
    Cut,
    /// 404. The API says so of private repositories as well.
    NotFound { had_token: bool },
    /// 401.
    BadToken,
    /// 403 or 429 with nothing left, or with a wait.
    RateLimit {
        reset: Option<Reset>,
        had_token: bool,
    },
    /// 403 for another reason, in GitHub's words.
    Forbidden(String),
    /// 410, 451: taken down.
    Gone,
    /// 406: too large for a diff. Answered by asking for the list of files.
    TooLarge,
    /// 5xx.
    Server(u16),
    /// Anything else, with GitHub's words.
    Status(u16, String),
    /// The document is not what the API describes.
    Unreadable,
    /// The change has no lines at all.
    Nothing,
    /// A whole file is longer than the review reads.
    TooLong,
}

/// Something that can be done about a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Retry,
    /// A token opens it, or raises a limit.
    Token,
    /// Take the plain diff from GitHub's own page, where the reader may be signed in, and paste it.
    Diff,
}

/// What the headers and the body of an answer tell, where it is no success.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) status: u16,
    /// Whether nothing is left of the limit, or the host asks to wait.
    pub(crate) is_limited: bool,
    pub(crate) reset: Option<Reset>,
    /// GitHub's own words.
    pub(crate) message: String,
    pub(crate) had_token: bool,
}

impl Refusal {
    pub(crate) fn of(told: Told) -> Self {
        let (reset, had_token) = (told.reset, told.had_token);
        let is_limited = told.is_limited || told.message.contains("rate limit");
        match told.status {
            401 => Refusal::BadToken,
            403 | 429 if is_limited => Refusal::RateLimit { reset, had_token },
            429 => Refusal::RateLimit { reset, had_token },
            403 => Refusal::Forbidden(told.message),
            404 => Refusal::NotFound { had_token },
            406 => Refusal::TooLarge,
            410 | 451 => Refusal::Gone,
            status @ 500.. => Refusal::Server(status),
            status => Refusal::Status(status, told.message),
        }
    }

    /// What happened and what to do, in two or three sentences.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Refusal::NotOpened(reason) => reason.to_string(),
            Refusal::Cancelled => "Cancelled. Nothing was fetched.".to_owned(),
            Refusal::Offline => {
                "This browser is offline. Try again when it has a network, or paste a diff: reviewing one needs no network."
                    .to_owned()
            }
            Refusal::Unreachable => {
                "No answer came from GitHub. The connection may be down, or a proxy, a firewall or an extension of this browser keeps the page \
                 from reading the answer. Try again, or paste the diff."
                    .to_owned()
            }
            Refusal::Cut => {
                "The connection broke off before all of the answer had come, and half a diff is not reviewed. Try again.".to_owned()
            }
            Refusal::NotFound { had_token: false } => {
                "GitHub shows nothing here: the address is mistyped, or the repository is private. \
                 Check the address; of a private repository, paste the diff or give a token that may read it."
                    .to_owned()
            }
            Refusal::NotFound { had_token: true } => {
                "GitHub shows nothing here, with your token neither: the address is mistyped, or the token may not read this repository. \
                 Check both, or paste the diff."
                    .to_owned()
            }
            Refusal::BadToken => {
                "GitHub does not accept the token: it is mistyped, expired or revoked. Correct it, or empty its field to ask without one."
                    .to_owned()
            }
            Refusal::RateLimit { reset, had_token } => limited(reset.as_ref(), *had_token),
            Refusal::Forbidden(words) => {
                format!("GitHub forbids this{}. Another token may be allowed to, or paste the diff.", quoted(words))
            }
            Refusal::Gone => {
                "GitHub does not give this repository out any more. If you have the diff, paste it.".to_owned()
            }
            Refusal::TooLarge => {
                "This change is too large for GitHub to give out. Make the diff with `git diff` and drop it here as a file."
                    .to_owned()
            }
            Refusal::Server(status) => {
                format!("GitHub has trouble of its own (status {status}). Try again in a moment, or paste the diff.")
            }
            Refusal::Status(status, words) => {
                format!("GitHub answered with status {status}{}. Check the address, or paste the diff.", quoted(words))
            }
            Refusal::Unreadable => {
                "GitHub's answer was not what its API describes; something between may have replaced it. Try again, or paste the diff."
                    .to_owned()
            }
            Refusal::TooLong => "The file is longer than the review reads.".to_owned(),
            Refusal::Nothing => "This change has no changed lines, so there is nothing to review.".to_owned(),
        }
    }

    /// What happened to one file of many, in a few words.
    pub(crate) fn in_short(&self) -> &'static str {
        match self {
            Refusal::Offline => "no network",
            Refusal::Unreachable => "no answer",
            Refusal::Cut => "broke off",
            Refusal::NotFound { had_token: false } => "not there, or not public",
            Refusal::NotFound { had_token: true } => "not there",
            Refusal::BadToken => "token not accepted",
            Refusal::RateLimit { .. } => "no requests left for now",
            Refusal::Server(_) => "trouble at GitHub",
            Refusal::TooLong => "longer than 2 MB",
            _ => "refused",
        }
    }

    pub(crate) fn ways(&self) -> &'static [Way] {
        match self {
            Refusal::NotOpened(_) | Refusal::Nothing | Refusal::TooLong => &[],
            Refusal::Cancelled | Refusal::Offline => &[Way::Retry],
            Refusal::BadToken | Refusal::RateLimit { .. } | Refusal::Forbidden(_) => {
                &[Way::Token, Way::Retry, Way::Diff]
            }
            Refusal::NotFound { .. } => &[Way::Token, Way::Retry, Way::Diff],
            Refusal::Gone => &[Way::Diff],
            _ => &[Way::Retry, Way::Diff],
        }
    }
}

fn limited(reset: Option<&Reset>, had_token: bool) -> String {
    let used_up = if had_token {
        "The token's requests to GitHub are used up for now."
    } else {
        "GitHub's requests without a token are used up: it answers 60 an hour to one network address, which colleagues may share."
    };
    let again = match reset {
        Some(reset) => format!("It answers again {}.", reset.words()),
        None => "Wait a few minutes.".to_owned(),
    };
    let token = if had_token { "" } else { ", give a token" };
    format!("{used_up} {again} Until then{token} or paste the diff.")
}

/// GitHub's words, where there are any.
fn quoted(words: &str) -> String {
    let words = words.trim().trim_end_matches('.');
    if words.is_empty() {
        String::new()
    } else {
        format!(": \u{201c}{words}\u{201d}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(status: u16) -> Told {
        Told {
            status,
            ..Told::default()
        }
    }

    #[test]
    fn each_status_has_its_own_refusal() {
        assert_eq!(Refusal::of(told(401)), Refusal::BadToken);
        assert_eq!(
            Refusal::of(told(404)),
            Refusal::NotFound { had_token: false }
        );
        assert_eq!(Refusal::of(told(406)), Refusal::TooLarge);
        assert_eq!(Refusal::of(told(451)), Refusal::Gone);
        assert_eq!(Refusal::of(told(502)), Refusal::Server(502));
        assert_eq!(Refusal::of(told(422)), Refusal::Status(422, String::new()));
    }

    #[test]
    fn a_limit_is_told_from_another_prohibition() {
        let limited = Told {
            is_limited: true,
            ..told(403)
        };
        let secondary = Told {
            message: "You have exceeded a secondary rate limit.".to_owned(),
            ..told(403)
        };
        let sso = Told {
            message: "Resource protected by organization SAML enforcement.".to_owned(),
            ..told(403)
        };
        for limit in [limited, secondary, told(429)] {
            assert!(matches!(Refusal::of(limit), Refusal::RateLimit { .. }));
        }
        assert!(
            Refusal::of(sso)
                .sentence()
                .contains("\u{201c}Resource protected by organization SAML enforcement\u{201d}")
        );
    }

    #[test]
    fn the_time_at_which_a_limit_ends_is_told() {
        let reset = Some(Reset {
            clock: "14:05".to_owned(),
            minutes: 12,
        });
        let sentence = Refusal::RateLimit {
            reset,
            had_token: false,
        }
        .sentence();
        assert!(
            sentence.contains("again at 14:05, in 12 minutes. Until then, give a token or paste"),
            "{sentence}"
        );
    }
}
