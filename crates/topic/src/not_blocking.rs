//! What is no reason to hold a change up.

use crate::model::NotBlocking;

pub(crate) const CONDITIONS: [NotBlocking; 4] = [
    NotBlocking {
        id: "single-owner",
        rules: &[1, 2, 3, 7, 8, 9, 10],
        title: "One owner, one thread",
        text: "State that one function or one request makes, uses and disposes of, and that nobody else can reach, \
               needs no lock, no timeout and no finalizer. A temporary folder that the same function removes is the usual case. \
               It stops being private as soon as it is returned, stored, or handed to a callback or a thread.",
    },
    NotBlocking {
        id: "throwaway-target",
        rules: &[5],
        title: "Nobody else reads the target",
        text: "A plain write is fine where the target lies outside the model cache and no other worker opens it: \
               a user's output folder, a log, a profile, a scratch file.",
    },
    NotBlocking {
        id: "not-on-a-hot-path",
        rules: &[4],
        title: "The wait holds no request up",
        text: "A wait at process start, in a command-line tool or in a test may carry a limit of its own; \
               the shared timeout setting is meant for requests, dispatch and streams.",
    },
    NotBlocking {
        id: "own-helper-that-works",
        rules: &[1, 2, 4, 5, 6],
        title: "An own helper beside the shared one",
        text: "Code that does by hand what a shared helper of the package already does will drift from it. \
               That is a FLAG with the helper's name; it blocks only where the own version is itself proven wrong.",
    },
];
