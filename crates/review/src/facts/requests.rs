//! Requests over HTTP by a function of a library, and where each takes its timeout.

use super::calls::Call;

/// A call that sends a request and waits for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The place of the timeout among the arguments without a name; else it is given by name alone.
    pub(crate) place: Option<usize>,
    /// Without a timeout it waits for ever; the others give up by themselves.
    pub(crate) endless: bool,
}

const BY_NAME: Request = Request {
    place: None,
    endless: true,
};
const LIMITED: Request = Request {
    place: None,
    endless: false,
};
const OPENS: Request = Request {
    place: Some(2),
    endless: true,
};

const FUNCTIONS: &[(&str, Request)] = &[
    ("requests.get", BY_NAME),
    ("requests.post", BY_NAME),
    ("requests.put", BY_NAME),
    ("requests.patch", BY_NAME),
    ("requests.delete", BY_NAME),
    ("requests.head", BY_NAME),
    ("requests.options", BY_NAME),
    ("requests.request", BY_NAME),
    ("httpx.get", LIMITED),
    ("httpx.post", LIMITED),
    ("httpx.put", LIMITED),
    ("httpx.patch", LIMITED),
    ("httpx.delete", LIMITED),
    ("httpx.head", LIMITED),
    ("httpx.options", LIMITED),
    ("httpx.request", LIMITED),
    ("httpx.stream", LIMITED),
    ("aiohttp.request", LIMITED),
    ("urllib.request.urlopen", OPENS),
    ("urllib2.urlopen", OPENS),
];

/// Methods of a session or client that send a request.
const METHODS: &[&str] = &[
    "get",
    "post",
    "put",
    "patch",
    "delete",
    "head",
    "options",
    "request",
    "send",
    "stream",
    "ws_connect",
];

impl Call<'_> {
    /// The request that a function of a library sends. A bare `get(url)` whose import is not shown is none.
    pub(crate) fn request(&self) -> Option<Request> {
        let callee = self.callee();
        let last = callee.rsplit('.').next()?;
        let says = callee.len() > last.len() || last == "urlopen";
        // Asked of every call: the last name decides most of them.
        let mut functions = FUNCTIONS.iter().filter(|(name, _)| name.ends_with(last));
        let found = functions.find(|(name, _)| says && self.is(&[name]));
        found.map(|&(_, request)| request)
    }

    /// Whether it is a method by which sessions and clients send requests; whose it is, the caller asks.
    pub(crate) fn sends(&self) -> bool {
        self.method()
            .is_some_and(|method| METHODS.contains(&method))
    }
}

#[cfg(test)]
mod tests {
    use super::{BY_NAME, LIMITED, OPENS, Request};
    use crate::probe::facts_of;

    fn request(line: &str) -> Option<Request> {
        let head = "import httpx, requests\nfrom urllib.request import urlopen\nfrom requests import options\n";
        let facts = facts_of(&format!("{head}{line}\n"));
        facts.calls().find_map(|call| call.request())
    }

    #[test]
    fn a_library_says_how_long_it_waits() {
        assert_eq!(request("requests.options(url)"), Some(BY_NAME));
        assert_eq!(request("options(url)"), Some(BY_NAME));
        assert_eq!(request("httpx.post(url, json=body)"), Some(LIMITED));
        assert_eq!(request("urlopen(url)"), Some(OPENS));
    }

    #[test]
    fn other_functions_of_a_library_ask_nobody() {
        assert_eq!(request("requests.Session()"), None);
        assert_eq!(request("requests.utils.get(url)"), None);
        assert_eq!(request("get(url)"), None);
    }
}
