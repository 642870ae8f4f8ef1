//! Names of the methods that end an object, whatever it is. Of an object whose kind is known
//! [`Resource::closers`](super::Resource::closers) says more.

use crate::facts::Call;

/// Methods by which an object is ended.
pub(crate) const ENDS: &[&str] = &[
    "close",
    "aclose",
    "stop",
    "shutdown",
    "terminate",
    "release",
    "disconnect",
    "dispose",
    "destroy",
    "cleanup",
    "teardown",
];

/// Methods by which an object takes its leave of somebody who goes on.
pub(crate) const LEAVES: &[&str] = &["unsubscribe", "unsubscribe_all", "logout", "quit"];

/// Methods that the language calls at the end.
pub(crate) const PROTOCOL: &[&str] = &["__exit__", "__aexit__", "__del__"];

/// Whether a method of this name ends its object.
pub(crate) fn ends_object(name: &str) -> bool {
    ENDS.contains(&name)
}

impl Call<'_> {
    /// Whether it ends the object that it is a method of.
    pub(crate) fn ends_receiver(&self) -> bool {
        self.method().is_some_and(ends_object)
    }

    /// Whether it takes its object's leave of a peer.
    pub(crate) fn leaves_peer(&self) -> bool {
        self.method().is_some_and(|method| LEAVES.contains(&method))
    }
}
