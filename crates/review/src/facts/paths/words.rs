//! The calls and words that say where a path leads.

use super::CacheProof;
use super::Leads;

/// Calls that pass their first argument's place on.
pub(super) const PASSING: &[&str] = &[
    "os.path.dirname",
    "os.path.abspath",
    "os.path.realpath",
    "os.path.normpath",
    "os.path.expanduser",
    "os.path.expandvars",
    "os.fspath",
    "str",
    "bytes",
    "pathlib.Path",
    "pathlib.PurePath",
    "pathlib.PosixPath",
    "typing.cast",
];

/// Methods of paths and strings that keep the place.
pub(super) const KEEPING: &[&str] = &[
    "with_suffix",
    "with_name",
    "with_stem",
    "resolve",
    "absolute",
    "expanduser",
    "as_posix",
    "strip",
    "rstrip",
    "replace",
    "format",
    "removesuffix",
    "decode",
    "encode",
];

/// What makes a name one of this run.
pub(super) const UNIQUE: &[&str] = &[
    "uuid.uuid4",
    "uuid.uuid1",
    "os.getpid",
    "threading.get_ident",
    "threading.get_native_id",
    "tempfile.mktemp",
    "tempfile.gettempprefix",
    "secrets.token_hex",
    "secrets.token_urlsafe",
    "random.getrandbits",
];

/// What makes a file or folder of our own.
pub(super) const OWN_MAKERS: &[&str] = &[
    "tempfile.mkdtemp",
    "tempfile.mkstemp",
    "tempfile.mktemp",
    "tempfile.TemporaryDirectory",
    "tempfile.NamedTemporaryFile",
    "tempfile.gettempdir",
];

/// Words of names that hold a temp path of our own.
const OWN_WORDS: &[&str] = &[
    "tmp",
    "temp",
    "temporary",
    "tempdir",
    "tmpdir",
    "staging",
    "scratch",
    "partial",
    "part",
    "uuid",
    "pid",
];

/// Whether a name says that its path, or what makes it, is of this run alone.
pub(crate) fn says_own(name: &str) -> bool {
    topic::words(name).any(|word| OWN_WORDS.contains(&&*word))
}

/// Words of names that hold a path which is not the cache's.
pub(super) const ELSEWHERE_WORDS: &[&str] = &[
    "output",
    "outputs",
    "out",
    "log",
    "logs",
    "report",
    "export",
    "result",
    "results",
    "trace",
    "profile",
    "video",
    "screenshot",
    "debug",
];

/// A literal path with a folder that is a cache by its name.
pub(super) fn literal(text: &str) -> Leads {
    let says = |part: &str| matches!(part, ".cache" | "cache" | "model_cache" | "model-cache");
    if text.contains('/') && text.split('/').any(says) {
        Leads::Cache(CacheProof::Says)
    } else {
        Leads::Unknown
    }
}

/// `.tmp`, `_partial`, `.downloading.part`: the name is not the final one.
pub(crate) fn is_temp_suffix(text: &str) -> bool {
    topic::ends_in_word(text, "tmp temp part partial incomplete staging new")
        && text.starts_with(['.', '_', '-'])
}
