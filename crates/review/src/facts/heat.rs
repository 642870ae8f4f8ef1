//! Where code runs: on a hot path, at start-up or in tests, or nobody can tell.

use super::Facts;
use super::calls::Call;
use super::hir::*;
use topic::Profile;

/// How much the place of a statement matters for checks that depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heat {
    /// Requests, frames or dispatched work pass here.
    Hot,
    Unknown,
    /// Start-up, command line, tests, scripts; with the words that say which.
    Cold(&'static str),
}

/// Words of functions that run once or rarely, whatever the profile says.
const START_UP_WORDS: &[&str] = &[
    "setup",
    "init",
    "initialize",
    "initialise",
    "startup",
    "warmup",
    "preload",
    "bootstrap",
    "lifespan",
];

/// What a file's path says. Globs are slow, and asked for every statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathHeat {
    cold: Option<&'static str>,
    is_offline: bool,
    is_hot: bool,
}

impl Facts {
    /// Facts live under one profile, so this is found once.
    fn path_heat(&self, profile: &Profile) -> PathHeat {
        let places = &profile.places;
        *self.found.path_heat.get_or_init(|| PathHeat {
            cold: cold_path(&self.path, profile),
            is_offline: places.is_offline_path(&self.path),
            is_hot: places.is_hot_path(&self.path),
        })
    }

    /// Where a statement runs, by its function's name, its callers in the diff, its class, its file and the profile.
    pub(crate) fn heat(&self, stmt: StmtId, profile: &Profile) -> Heat {
        if let Some(reason) = self.idle_file(profile) {
            return Heat::Cold(reason);
        }
        if self.trains(stmt) {
            return Heat::Cold("it runs in training, not while something serves");
        }
        let Some(function) = self.function_of(self.stmt(stmt).scope) else {
            let scope = self.stmt(stmt).scope;
            let at_module =
                self.scope(scope).kind == ScopeKind::Module && self.is_module_level(stmt);
            return if at_module {
                Heat::Cold("it runs once, when the module is imported")
            } else {
                self.owner_heat(stmt, profile)
            };
        };
        self.function_heat(function, profile, 3)
    }

    /// Why everything in this file is cold, if it is.
    pub(crate) fn cold_file(&self, profile: &Profile) -> Option<&'static str> {
        self.path_heat(profile).cold
    }

    /// Whether another project wrote the file: its mends belong there, and the next copy would undo them here.
    pub(crate) fn is_copied(&self, profile: &Profile) -> bool {
        self.cold_file(profile) == Some(COPIED)
    }

    /// Whether the file's path says that it tests.
    pub(crate) fn is_test(&self) -> bool {
        is_test_path(&self.path)
    }

    /// Why nothing in this file serves anybody, if so: it is cold, or it trains, evaluates or prepares data,
    /// or helps command lines. Such code may still share files with others of its kind.
    pub(crate) fn idle_file(&self, profile: &Profile) -> Option<&'static str> {
        let offline = || {
            let is_offline = self.path_heat(profile).is_offline;
            is_offline.then_some("this code trains, evaluates or prepares data")
        };
        let of_terminal = || {
            let reason = "these functions talk to a terminal and end the process";
            self.is_of_command_line().then_some(reason)
        };
        self.cold_file(profile)
            .or_else(offline)
            .or_else(of_terminal)
    }

    fn function_heat(&self, function: ScopeId, profile: &Profile, depth: u32) -> Heat {
        let Some(name) = self.scope_name(function) else {
            return self.owner_heat_of(function, profile);
        };
        let places = &profile.places;
        let is_hot = self.is_named_hot(function, profile);
        if name == "__init__" || (!is_hot && is_start_up(name)) || places.is_start_up_function(name)
        {
            return Heat::Cold("it runs at start-up or construction");
        }
        if self.is_start_hook(function) {
            return Heat::Cold("a framework runs it once, at start-up");
        }
        if self.talks_to_terminal(function) {
            return Heat::Cold("it talks to a terminal and ends the process");
        }
        if !is_hot && self.document.whole && self.starts_program(function) {
            return Heat::Cold("it runs once, when the program starts");
        }
        let serves = self.takes_request(function, profile) || self.answers_request(function);
        if !serves && self.is_end_hook(function) {
            return Heat::Unknown;
        }
        if is_hot || serves || self.path_heat(profile).is_hot {
            return Heat::Hot;
        }
        self.heat_of_callers(function, profile, depth)
    }

    /// Whether a function's name is one of a start, whatever it starts: `init_process`, `after_process_boot`.
    pub(crate) fn begins_with_start(&self, function: ScopeId) -> bool {
        let words: Vec<_> = topic::words(self.scope_name(function).unwrap_or("")).collect();
        let first = words.first();
        first.is_some_and(|first| START_UP_WORDS.contains(&&**first))
            || words.iter().any(|word| matches!(&**word, "boot" | "fork"))
    }

    /// Whether a function itself says that it serves: by its name, its route or the request that it takes.
    pub(crate) fn says_hot(&self, function: ScopeId, profile: &Profile) -> bool {
        self.is_named_hot(function, profile) || self.takes_request(function, profile)
    }

    fn is_named_hot(&self, function: ScopeId, profile: &Profile) -> bool {
        let name = self.scope_name(function).unwrap_or("");
        profile.places.says_hot_function(name) || name == "__call__" || self.is_route(function)
    }

    /// A parameter says that the function serves a request.
    fn takes_request(&self, function: ScopeId, profile: &Profile) -> bool {
        let params = &self.scope(function).params;
        params
            .iter()
            .any(|param| profile.places.is_request_name(self.text(param.name)))
    }

    /// Decorated as a request handler: `@app.get(...)`, `@router.post(...)`.
    pub(crate) fn is_route(&self, function: ScopeId) -> bool {
        self.decorators(function).iter().any(|&decorator| {
            self.call(decorator).is_some_and(|call| {
                matches!(
                    call.method(),
                    Some("get" | "post" | "put" | "delete" | "patch" | "websocket" | "route")
                )
            })
        })
    }

    /// A part of a file whose other lines serve requests: `@router.post("/path")` stands in what is shown of it.
    pub(crate) fn shows_routes(&self) -> bool {
        let is_route = |call: Call<'_>| {
            let router = call.receiver().and_then(|of| self.last_name(of));
            let path = call.positional(0).and_then(|path| self.string(path));
            matches!(router, Some("app" | "router" | "api" | "blueprint" | "bp"))
                && path.is_some_and(|path| path.starts_with('/'))
        };
        let verbs = ["get", "post", "put", "delete", "patch", "route"];
        !self.document.whole
            && verbs
                .iter()
                .any(|verb| self.calls_named(verb).any(is_route))
    }

    /// A function is as hot as the hottest of its callers in the diff; as cold as all of them together.
    fn heat_of_callers(&self, function: ScopeId, profile: &Profile, depth: u32) -> Heat {
        if depth == 0 {
            return Heat::Unknown;
        }
        let mut heats = Vec::new();
        for (facts, call) in self.calls_from_afar(function) {
            // Tests and scripts call what serves requests elsewhere.
            let caller = facts.function_of(call.scope());
            let heat = caller.map(|caller| facts.function_heat(caller, profile, depth - 1));
            let counts = facts.cold_file(profile).is_none();
            heats.extend(heat.filter(|heat| counts && !matches!(heat, Heat::Cold(_))));
        }
        let on_objects = self.calls_on_objects(function);
        for call in self.calls_to(function).chain(on_objects) {
            heats.push(match self.function_of(call.scope()) {
                Some(caller) if self.canonical(caller) == self.canonical(function) => continue,
                Some(caller) => self.function_heat(caller, profile, depth - 1),
                None => Heat::Cold("it runs once, when the module is imported"),
            });
        }
        match heats.first() {
            Some(_) if heats.contains(&Heat::Hot) => Heat::Hot,
            Some(cold @ Heat::Cold(_))
                if heats.iter().all(|heat| matches!(heat, Heat::Cold(_)))
                    && self.is_private(function) =>
            {
                *cold
            }
            _ => Heat::Unknown,
        }
    }

    fn is_private(&self, function: ScopeId) -> bool {
        self.scope_name(function)
            .is_some_and(|name| name.starts_with('_'))
    }

    /// The body of a function answers a request.
    fn answers_request(&self, scope: ScopeId) -> bool {
        self.calls_of(scope)
            .any(|call| ANSWERS.contains(&call.name()))
    }

    fn owner_heat(&self, stmt: StmtId, profile: &Profile) -> Heat {
        self.owner_heat_of(self.stmt(stmt).scope, profile)
    }

    /// A method that is not for others, of a class that by its name dispatches, serves or streams.
    pub(crate) fn is_helper_of_hot(&self, scope: ScopeId, profile: &Profile) -> bool {
        let helps = self
            .function_of(scope)
            .is_some_and(|function| self.is_private(function));
        let class = self
            .class_of(scope)
            .and_then(|class| self.scope_name(class));
        helps && class.is_some_and(|class| profile.places.says_hot_owner(class))
    }

    /// Where the function's name is not shown, class and file speak for it.
    fn owner_heat_of(&self, scope: ScopeId, profile: &Profile) -> Heat {
        let class = self
            .class_of(scope)
            .and_then(|class| self.scope_name(class));
        let file = self
            .path
            .rsplit('/')
            .next()
            .unwrap_or("")
            .trim_end_matches(".py");
        let says_hot = |name: &str| profile.places.says_hot_owner(name);
        let by_name = class.is_some_and(says_hot) || says_hot(file);
        if self.path_heat(profile).is_hot || by_name || self.answers_request(scope) {
            return Heat::Hot;
        }
        Heat::Unknown
    }
}

/// What a web framework's handler answers with.
const ANSWERS: &[&str] = &[
    "HTTPException",
    "JSONResponse",
    "ORJSONResponse",
    "StreamingResponse",
    "jsonable_encoder",
    "jsonify",
    "json_response",
    "HttpResponse",
    "JsonResponse",
];

fn cold_path(path: &str, profile: &Profile) -> Option<&'static str> {
    if !profile.places.is_cold_path(path) {
        return None;
    }
    Some(if is_test_path(path) {
        "this is test code"
    } else if is_vendored(path) {
        COPIED
    } else {
        "this is a script, an example or a command-line tool"
    })
}

/// Why nothing is asked of code that another project wrote.
const COPIED: &str = "this is code of another project, copied in";

fn is_vendored(path: &str) -> bool {
    let folders = [
        "vendor",
        "vendored",
        "externals",
        "thirdparty",
        "third_party",
    ];
    path.split('/')
        .any(|part| folders.contains(&part.trim_start_matches('_')))
}

fn is_test_path(path: &str) -> bool {
    let says = |part: &str| part == "tests" || part == "test" || part.starts_with("test_");
    path.split('/').any(says) || path.ends_with("conftest.py")
}

fn is_start_up(name: &str) -> bool {
    topic::words(name).any(|word| START_UP_WORDS.contains(&&*word))
}
