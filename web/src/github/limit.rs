//! GitHub's rate limit, as its headers tell it, in words.

use crate::words::count;

/// How many requests are left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) remaining: u32,
    pub(crate) limit: u32,
    pub(crate) reset: Reset,
}

/// When a limit starts anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reset {
    /// The time of day as the reader's own clock shows it.
    pub(crate) clock: String,
    /// From now on, rounded up.
    pub(crate) minutes: u32,
}

impl Reset {
    /// `now` and `at` in seconds since 1970.
    pub(crate) fn new(now: f64, at: f64, clock: String) -> Self {
        let minutes = ((at - now) / 60.0).ceil().max(0.0) as u32;
        Reset { clock, minutes }
    }

    /// `at 14:05, in 12 minutes`.
    pub(crate) fn words(&self) -> String {
        let wait = match self.minutes {
            0 => "now".to_owned(),
            1 => "in a minute".to_owned(),
            minutes => format!("in {}", count(minutes as usize, "minute")),
        };
        format!("at {}, {wait}", self.clock)
    }
}

impl Limit {
    /// What is left of the hour, in a line.
    pub(crate) fn words(&self) -> String {
        format!(
            "GitHub answers {} of {} more requests until {}.",
            self.remaining, self.limit, self.reset.clock
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_told_in_minutes_and_rounded_up() {
        let words = |seconds: f64| Reset::new(1000.0, 1000.0 + seconds, "14:05".into()).words();
        assert_eq!(words(-5.0), "at 14:05, now");
        assert_eq!(words(30.0), "at 14:05, in a minute");
        assert_eq!(words(61.0), "at 14:05, in 2 minutes");
        assert_eq!(words(3600.0), "at 14:05, in 60 minutes");
    }
}
