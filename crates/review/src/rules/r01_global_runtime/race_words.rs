//! What is said of a container that two sides use with no lock.

use crate::facts::Container;
use crate::rules::Words;

/// What goes wrong with it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Gone through while the other side changes its size.
    Walked,
    /// An entry is taken out that the other side may have taken out before.
    TakenTwice,
    /// Emptied after it was read: what was put in between is lost.
    Emptied,
}

pub(super) fn word(container: &Container, how: How) -> Words {
    let name = &container.name;
    let (what, why) = match how {
        How::Walked => (
            "is gone through in one thread while another one changes it, and neither takes a lock",
            "A dict, set or deque that changes its size meanwhile ends the loop with `RuntimeError`, and a thread that nobody watches ends with it.",
        ),
        How::TakenTwice => (
            "loses entries in a thread and elsewhere, and neither side takes a lock",
            "Both can find the same entry; the one that comes second raises `KeyError`, and a thread that nobody watches ends with it.",
        ),
        How::Emptied => (
            "is read and then emptied while another thread puts into it, and neither takes a lock",
            "What is put in between the two steps is thrown away without having been seen.",
        ),
    };
    let ask = match how {
        How::Walked => {
            "Take one lock on both sides, or go through a copy (`list(...)`) and bear that entries are gone by then."
        }
        How::TakenTwice => {
            "Take one lock on both sides, or take out with a default (`pop(key, None)`)."
        }
        How::Emptied => {
            "Take one lock on both sides around reading and emptying, or hand the items over through a `queue.Queue`."
        }
    };
    Words::new(format!("`{name}` {what}."), why, ask)
}
