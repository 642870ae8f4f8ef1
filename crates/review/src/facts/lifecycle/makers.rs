//! Which calls make something that has to be ended.

use super::Resource;
use super::connectors::{AMBIGUOUS, CONNECTORS};
use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, StmtKind, WithItem};

/// Functions and classes that make something wherever they are called.
const MAKERS: &[(&[&str], Resource)] = &[
    (&["tempfile.mkdtemp"], Resource::TempFolder),
    (
        &[
            "multiprocessing.Manager",
            "multiprocessing.managers.SyncManager",
        ],
        Resource::Manager,
    ),
    (CONNECTORS, Resource::Connection),
    (
        &[
            "asyncio.create_subprocess_exec",
            "asyncio.create_subprocess_shell",
        ],
        Resource::Object(Kind::Subprocess),
    ),
    (
        &[
            "h5py.File",
            "mmap.mmap",
            "aiofiles.open",
            "aiofiles.threadpool.open",
            "wave.open",
            "lmdb.open",
            "rasterio.open",
            "soundfile.SoundFile",
            "tifffile.TiffFile",
            "tifffile.TiffWriter",
            "netCDF4.Dataset",
            "fitz.open",
            "pymupdf.open",
            "pypdfium2.PdfDocument",
            "os.popen",
        ],
        Resource::Object(Kind::File),
    ),
];

impl Facts {
    /// What a call makes that somebody has to end; by its own callee, or by a function of this file
    /// that returns it fresh. An accessor that returns what is kept elsewhere makes nothing.
    pub(crate) fn resource_made(&self, call: &Call<'_>) -> Option<Resource> {
        self.resource_of_callee(call)
            .or_else(|| self.resource_returned(call))
            .or_else(|| self.opened_by_use(call))
    }

    /// `link = self._connect()` of a function that is not shown, with `link.close()` behind it in the same block: whoever
    /// closes it here knows that it has to be closed.
    fn opened_by_use(&self, call: &Call<'_>) -> Option<Resource> {
        let mut words = topic::words(call.name());
        let opens = words.any(|word| {
            matches!(
                &*word,
                "open"
                    | "connect"
                    | "connection"
                    | "reopen"
                    | "session"
                    | "sessionmaker"
                    | "client"
                    | "channel"
            )
        });
        let unknown = opens && self.callee_scope(call).is_none() && self.kind_of(call.id).is_none();
        let StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } = &self.stmt(call.stmt()).kind
        else {
            return None;
        };
        let name = match targets[..] {
            [target] if unknown && *value == call.id => self.name(target)?,
            _ => return None,
        };
        let behind = self.following(call.stmt());
        let ends = |other: Call<'_>| {
            let of_name = other.receiver().and_then(|of| self.name(of)) == Some(name);
            of_name && matches!(other.method(), Some("close" | "aclose" | "disconnect"))
        };
        let mut calls = behind.iter().flat_map(|&stmt| self.calls_in(stmt));
        calls.any(ends).then_some(Resource::Opened)
    }

    fn resource_of_callee(&self, call: &Call<'_>) -> Option<Resource> {
        let by_name = MAKERS.iter().find(|(names, _)| call.is(names));
        by_name
            .map(|(_, resource)| *resource)
            .or_else(|| self.left_on_disk(call))
            .or_else(|| opens_descriptor(call).then_some(Resource::Descriptor))
            .or_else(|| self.hooks_for_a_while(call).then_some(Resource::Hook))
            .or_else(|| self.connects(call).then_some(Resource::Connection))
            .or_else(|| self.starts_daemon(call).then_some(Resource::Daemon))
            .or_else(|| self.object_made(call))
    }

    fn left_on_disk(&self, call: &Call<'_>) -> Option<Resource> {
        let is_kept = call.is(&["tempfile.NamedTemporaryFile"]) && self.is_false(call, "delete");
        is_kept.then_some(Resource::KeptTempFile)
    }

    /// What no name in the table says to connect.
    fn connects(&self, call: &Call<'_>) -> bool {
        let is_session = call.name() == "SessionLocal";
        let subscribes = call.method() == Some("pubsub") && call.args.is_empty();
        is_session
            || subscribes
            || self.opens_socket(call)
            || self.connects_engine(call)
            || self.opens_page(call)
            || self.connects_by_import(call)
    }

    fn starts_daemon(&self, call: &Call<'_>) -> bool {
        self.constructs(call).is_none() && is_daemon(call.name())
    }

    fn object_made(&self, call: &Call<'_>) -> Option<Resource> {
        let kind = self
            .constructs(call)
            .or_else(|| self.opened_by_method(call))?;
        (kind.has_end() && !is_borrowed(call)).then_some(Resource::Object(kind))
    }

    /// `path.open()` and a request with `stream=True`.
    fn opened_by_method(&self, call: &Call<'_>) -> Option<Kind> {
        let opens = call.method() == Some("open");
        let streams = call.keyword("stream").is_some();
        let found = (opens || streams)
            .then(|| self.kind_of(call.id))
            .flatten()?;
        matches!(found, Kind::File | Kind::StreamedResponse).then_some(found)
    }

    /// `engine.connect()` of SQLAlchemy: takes a connection out of the engine's pool.
    fn connects_engine(&self, call: &Call<'_>) -> bool {
        let takes = matches!(call.method(), Some("connect" | "raw_connection"));
        let Some(engine) = call.receiver().filter(|_| takes && call.args.is_empty()) else {
            return false;
        };
        let is_made = |value: ExprId| {
            self.call(value).is_some_and(|made| {
                matches!(
                    made.name(),
                    "create_engine" | "create_async_engine" | "engine_from_config"
                )
            })
        };
        let says = self
            .last_name(engine)
            .is_some_and(|name| topic::words(name).last().as_deref() == Some("engine"));
        says || self.values(engine).into_iter().any(is_made)
    }

    /// `browser = await playwright.chromium.launch()` with no `with` that ends them all; `page = await browser.new_page()`
    /// of a browser that outlives the function.
    fn opens_page(&self, call: &Call<'_>) -> bool {
        let Some(of) = call.receiver() else {
            return false;
        };
        let name = self.last_name(of).unwrap_or_default();
        let ends_all = |item: &WithItem| {
            let context = self.call(item.context);
            context.is_some_and(|context| context.name().ends_with("playwright"))
        };
        match call.method() {
            Some("launch") => {
                let launches = matches!(name, "chromium" | "firefox" | "webkit");
                launches && !self.with_items(call.stmt()).any(|(_, item)| ends_all(item))
            }
            Some("new_page" | "new_context") => {
                let outlives = self.parameter(of).is_some() || self.self_attribute(of).is_some();
                outlives && name.trim_start_matches('_') == "browser"
            }
            _ => false,
        }
    }

    fn connects_by_import(&self, call: &Call<'_>) -> bool {
        let mut rows = AMBIGUOUS.iter();
        rows.any(|(module, names)| call.is(names) && self.imports_from(module))
    }

    /// A hook on a module of a network, put there by a function that uses the network; a constructor hooks for good.
    fn hooks_for_a_while(&self, call: &Call<'_>) -> bool {
        let hooks = matches!(
            call.method(),
            Some(
                "register_forward_hook"
                    | "register_forward_pre_hook"
                    | "register_full_backward_hook"
                    | "register_backward_hook"
            )
        );
        let name = self.function_name(call.stmt()).unwrap_or_default();
        let for_good = topic::has_word(
            name,
            "init register attach add install setup set hook hooks patch wrap prepare \
             enable apply build configure",
        );
        hooks && !for_good && !name.is_empty()
    }

    /// `context.socket(zmq.REQ)` of ZeroMQ.
    fn opens_socket(&self, call: &Call<'_>) -> bool {
        let kind = call.positional(0).and_then(|kind| self.resolved(kind));
        call.method() == Some("socket") && kind.is_some_and(|kind| kind.starts_with("zmq."))
    }

    fn is_false(&self, call: &Call<'_>, keyword: &str) -> bool {
        call.keyword(keyword)
            .is_some_and(|value| matches!(self.expr(value).kind, ExprKind::False))
    }

    fn resource_returned(&self, call: &Call<'_>) -> Option<Resource> {
        let function = self.callee_scope(call)?;
        let is_constructor = self.scope_name(function) == Some("__init__");
        let is_generator = self.scope(function).is_generator;
        let is_shared = self.keeps_results(function);
        if is_constructor || is_generator || is_shared || call.scope() == function {
            return None;
        }
        let returned: Vec<_> = self.returns_of(function).collect();
        let [only] = returned.as_slice() else {
            return None;
        };
        let kept = self.self_attribute(*only).is_some();
        let [made] = self.values(*only).try_into().ok()?;
        let inner = self.call(made).filter(|_| !kept)?;
        let resource = self.resource_of_callee(&inner)?;
        (!self.is_kept_on_the_way(&inner, *only)).then_some(resource)
    }
}

/// Where no import is shown a bare `open` would be the tail of `os.open`.
fn opens_descriptor(call: &Call<'_>) -> bool {
    matches!(call.callee(), "os.open" | "os.dup" | "os.memfd_create")
}

/// Classes whose name says that they run by themselves.
fn is_daemon(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(char::is_uppercase)
        && topic::ends_in_word(name, "watchdog daemon scheduler poller heartbeat thread")
}

/// `get_event_loop()` gives a loop that somebody else made.
fn is_borrowed(call: &Call<'_>) -> bool {
    matches!(call.name(), "get_event_loop" | "get_running_loop")
}
