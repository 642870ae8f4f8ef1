//! Readers of text and object formats, for the checks that ask what a damaged file raises.

use crate::facts::{Call, Facts, Handler};

/// What raises something else than OSError on a damaged file.
pub(super) const PARSERS: &[&str] = &[
    "json.load",
    "json.loads",
    "orjson.loads",
    "pickle.load",
    "pickle.loads",
    "yaml.safe_load",
    "yaml.load",
    "tomllib.load",
    "tomllib.loads",
    "toml.load",
    "joblib.load",
];

/// Readers of arrays, weights and archives from disk. A cut file makes each of them raise something else than OSError.
pub(super) const LOADERS: &[&str] = &[
    "numpy.load",
    "torch.load",
    "safetensors.torch.load_file",
    "safetensors.numpy.load_file",
    "zipfile.ZipFile",
    "pandas.read_parquet",
    "pandas.read_pickle",
];

/// A reader, and the classes that data which was cut, or is of another kind, makes it raise. Of each group one has to be
/// caught; a class without a dot is known by its last name.
struct Reader {
    names: &'static [&'static str],
    raises: &'static [&'static [&'static str]],
}

const READERS: &[Reader] = &[
    Reader {
        names: &[
            "pickle.load",
            "pickle.loads",
            "cloudpickle.load",
            "cloudpickle.loads",
            "dill.load",
            "dill.loads",
        ],
        raises: &[
            &["UnpicklingError", "PickleError", "PicklingError"],
            &["EOFError"],
        ],
    },
    Reader {
        names: &["json.load", "json.loads", "orjson.loads"],
        raises: &[&["ValueError", "JSONDecodeError"]],
    },
    Reader {
        names: &["zlib.decompress"],
        raises: &[&["zlib.error"]],
    },
    Reader {
        names: &["gzip.decompress"],
        raises: &[&["EOFError"]],
    },
    Reader {
        names: &["lzma.decompress"],
        raises: &[&["LZMAError"]],
    },
    Reader {
        names: &["struct.unpack", "struct.unpack_from"],
        raises: &[&["struct.error"]],
    },
    Reader {
        names: &["zipfile.ZipFile"],
        raises: &[&["BadZipFile", "BadZipfile"]],
    },
    Reader {
        names: &["tarfile.open"],
        raises: &[&["ReadError", "TarError"]],
    },
    Reader {
        names: &[
            "xml.etree.ElementTree.parse",
            "xml.etree.ElementTree.fromstring",
        ],
        raises: &[&["ParseError", "SyntaxError"]],
    },
    Reader {
        names: &["yaml.safe_load", "yaml.load"],
        raises: &[&["YAMLError"]],
    },
];

/// The first class that a reader raises on damaged data and that no handler of a `try` names.
pub(super) fn uncaught_damage(
    facts: &Facts,
    call: &Call<'_>,
    handlers: &[Handler],
) -> Option<&'static str> {
    // A bare `open` is the builtin, whatever ends with that name.
    let named = |reader: &&Reader| call.callee() != "open" && call.is(reader.names);
    let reader = READERS.iter().find(named)?;
    let caught = |group: &&&[&str]| {
        handlers
            .iter()
            .any(|handler| facts.catches_all(handler) || names_one(facts, handler, group))
    };
    let open = reader.raises.iter().find(|group| !caught(group))?;
    open.first().copied()
}

fn names_one(facts: &Facts, handler: &Handler, group: &[&str]) -> bool {
    handler.types.iter().any(|&class| {
        let resolved = facts.resolved(class).unwrap_or_default();
        group.iter().any(|name| match name.contains('.') {
            true => facts.means(&resolved, name),
            false => facts.last_name(class) == Some(name),
        })
    })
}
