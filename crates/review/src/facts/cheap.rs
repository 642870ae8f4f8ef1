//! Objects that cost nothing to make: plain values, and instances whose constructor only stores what it is given.

use super::Facts;
use super::calls::Call;
use super::hir::*;

/// Calls inside of calls that are followed.
const DEPTH: u32 = 3;

/// Makers of plain values, and what only reads.
const PLAIN: &[&str] = &[
    "dict",
    "list",
    "set",
    "tuple",
    "frozenset",
    "int",
    "float",
    "str",
    "bool",
    "bytes",
    "bytearray",
    "len",
    "min",
    "max",
    "sum",
    "abs",
    "round",
    "sorted",
    "range",
    "zip",
    "enumerate",
    "isinstance",
    "getattr",
    "hasattr",
    "type",
    "super",
    "repr",
    "collections.deque",
    "collections.OrderedDict",
    "collections.defaultdict",
    "collections.Counter",
    "time.time",
    "time.monotonic",
    "time.perf_counter",
    "datetime.now",
    "datetime.utcnow",
    "datetime.datetime.now",
    "copy.copy",
    "dataclasses.field",
    "ValueError",
    "TypeError",
    "KeyError",
];

/// Methods of plain values.
const METHODS: &[&str] = &[
    "get",
    "copy",
    "items",
    "keys",
    "values",
    "append",
    "strip",
    "split",
    "lower",
    "upper",
    "format",
    "join",
    "replace",
    "startswith",
    "endswith",
    "total_seconds",
];

/// What libraries derive from their arguments in no time: two of them are as good as one.
const DERIVED: &[&str] = &[
    "pydantic.TypeAdapter",
    "jinja2.Template",
    "string.Template",
    "zoneinfo.ZoneInfo",
];

/// Bases that add nothing to the making of an instance.
const BASES: &[&str] = &[
    "object",
    "NamedTuple",
    "TypedDict",
    "Protocol",
    "ABC",
    "Generic",
    "Enum",
    "IntEnum",
    "BaseModel",
];

/// An object that costs nothing to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cheap {
    /// Two of them are as good as one.
    Value,
    /// It remembers something: of two, one loses what it was told.
    State,
}

impl Facts {
    /// Whether a call makes a thing that costs nothing, as far as the diff shows how it is made.
    pub(crate) fn makes_cheaply(&self, call: &Call<'_>) -> Option<Cheap> {
        if call.is(DERIVED) {
            return Some(Cheap::Value);
        }
        let (facts, made) = match self.definition(call.function) {
            Some(own) => (self, own),
            None => {
                let imported = self.imported(call.function)?;
                (imported.facts, imported.definition()?)
            }
        };
        if !facts.is_cheap(made, DEPTH) {
            return None;
        }
        let remembers = facts.scope(made).kind == ScopeKind::Class && facts.remembers(made);
        Some(if remembers {
            Cheap::State
        } else {
            Cheap::Value
        })
    }

    fn is_cheap(&self, made: ScopeId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        if !self.is_visible(made) {
            return false;
        }
        match self.scope(made).kind {
            ScopeKind::Class => self.is_cheap_class(made, depth),
            ScopeKind::Function => self.is_cheap_function(made, depth),
            _ => false,
        }
    }

    fn is_cheap_class(&self, class: ScopeId, depth: u32) -> bool {
        let head = self.scope(class).stmt.map(|stmt| &self.stmt(stmt).kind);
        let Some(StmtKind::Class { bases, .. }) = head else {
            return false;
        };
        let bases_cheap = bases.iter().all(|base| {
            let is_known = self
                .last_name(base.value)
                .is_some_and(|name| BASES.contains(&name));
            let own = self.definition(base.value);
            base.name.is_some() || is_known || own.is_some_and(|own| self.is_cheap(own, depth))
        });
        let makers = ["__init__", "__new__", "__post_init__"];
        let mut makers = makers.iter().filter_map(|name| self.method(class, name));
        // What a data class makes for each instance.
        let mut fields = self
            .calls_of(class)
            .filter_map(|call| call.keyword("default_factory"));
        bases_cheap
            && makers.all(|maker| self.is_cheap_function(maker, depth))
            && fields.all(|factory| self.is_cheap_factory(factory, depth))
    }

    fn is_cheap_factory(&self, factory: ExprId, depth: u32) -> bool {
        let own = || self.definition(factory);
        match self.expr(factory).kind {
            ExprKind::Lambda { body, .. } => self
                .within(body)
                .filter_map(|id| self.call(id))
                .all(|call| self.is_cheap_call(&call, depth)),
            _ => {
                self.is_one_of(factory, PLAIN) || own().is_some_and(|own| self.is_cheap(own, depth))
            }
        }
    }

    /// A few statements that store, test and compute: no loop, no context, nothing awaited or imported.
    fn is_cheap_function(&self, function: ScopeId, depth: u32) -> bool {
        let is_plain = |stmt: StmtId| match &self.stmt(stmt).kind {
            StmtKind::Assign { targets, .. } => targets
                .iter()
                .all(|&target| !self.reach(target).is_process_wide()),
            StmtKind::Expr(_)
            | StmtKind::Return(_)
            | StmtKind::If { .. }
            | StmtKind::Raise
            | StmtKind::Assert(_)
            | StmtKind::Pass => true,
            _ => false,
        };
        let mut calls = self.calls_within(self.scope(function).span);
        !self.is_async(function)
            && self.statements_of(function).all(is_plain)
            && calls.all(|call| self.is_cheap_call(&call, depth))
    }

    fn is_cheap_call(&self, call: &Call<'_>, depth: u32) -> bool {
        let to_base = call.method() == Some("__init__")
            && call
                .receiver()
                .and_then(|base| self.call(base))
                .is_some_and(|base| base.callee() == "super");
        let of_value = call.method().is_some_and(|name| METHODS.contains(&name));
        let own = || match self.definition(call.function) {
            Some(own) => Some(own),
            None => self.callee_scope(call),
        };
        // The base's own constructor is looked at with the class.
        to_base || of_value || call.is(PLAIN) || own().is_some_and(|own| self.is_cheap(own, depth))
    }

    /// Whether instances of a class change after they are made: a method stores into them, or they hold a container,
    /// or they are a data class that is not frozen.
    fn remembers(&self, class: ScopeId) -> bool {
        let is_maker = |method: ScopeId| {
            matches!(
                self.scope_name(method),
                Some("__init__" | "__new__" | "__post_init__")
            )
        };
        let stores = |stmt: StmtId| match &self.stmt(stmt).kind {
            StmtKind::Assign { targets, .. } => targets
                .iter()
                .any(|&target| self.reach(target) == super::Reach::Instance),
            StmtKind::Delete(_) => true,
            _ => false,
        };
        let holds = |value: ExprId| {
            matches!(
                self.expr(value).kind,
                ExprKind::Dict(_) | ExprKind::List(_) | ExprKind::Set(_)
            ) || self.call(value).is_some_and(|call| {
                call.is(&[
                    "dict",
                    "list",
                    "set",
                    "collections.deque",
                    "collections.OrderedDict",
                    "collections.defaultdict",
                    "collections.Counter",
                ])
            })
        };
        let mut methods = self.methods(class);
        methods.any(|method| {
            self.statements_of(method)
                .any(|stmt| match &self.stmt(stmt).kind {
                    StmtKind::Assign {
                        value: Some(value), ..
                    } if is_maker(method) => stores(stmt) && holds(*value),
                    _ => !is_maker(method) && stores(stmt),
                })
        }) || self.is_open_record(class)
    }

    /// `@dataclass` without `frozen=True`.
    fn is_open_record(&self, class: ScopeId) -> bool {
        self.decorators(class).iter().any(|&decorator| {
            let is_record = matches!(
                self.last_name(decorator),
                Some("dataclass" | "define" | "attrs")
            );
            let frozen = self
                .call(decorator)
                .and_then(|call| call.keyword("frozen"))
                .is_some_and(|frozen| matches!(self.expr(frozen).kind, ExprKind::True));
            is_record && !frozen
        })
    }

    /// Whether a function that awaits nothing runs on an event loop alone, as far as its callers are shown: coroutines
    /// call it, or functions that only coroutines call.
    pub(crate) fn runs_in_coroutines(&self, function: ScopeId) -> bool {
        self.is_run_by_coroutines(function, DEPTH)
    }

    fn is_run_by_coroutines(&self, function: ScopeId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let by_coroutine = |facts: &Facts, call: &Call<'_>| {
            let caller = facts.function_of(call.scope());
            caller.is_some_and(|caller| {
                facts.is_async(caller) || facts.is_run_by_coroutines(caller, depth)
            })
        };
        self.is_only_called(function)
            && self
                .callers(function)
                .into_iter()
                .all(|(facts, call)| by_coroutine(facts, &call))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::facts_of;

    fn cheap(text: &str) -> Option<Cheap> {
        let facts = facts_of(&format!("{text}made(A())\n"));
        let call = facts.calls().find(|call| call.name() == "A").unwrap();
        facts.makes_cheaply(&call)
    }

    #[test]
    fn constructors_that_only_store_are_cheap() {
        let class = |body: &str| format!("class A:\n    def __init__(self, n=1):\n{body}");
        let value = class("        self.n = max(int(n), 1)\n");
        assert_eq!(cheap(&value), Some(Cheap::Value));
        let state = class("        self.n = []\n");
        assert_eq!(cheap(&state), Some(Cheap::State));
        let changed = class("        self.n = n\n    def add(self):\n        self.n += 1\n");
        assert_eq!(cheap(&changed), Some(Cheap::State));
        for dear in [
            "        self.n = open(n)\n",
            "        self.lock = threading.Lock()\n",
            "        self.model = load_model(n)\n",
            "        import torch\n",
            "        for x in n:\n            self.n = x\n",
        ] {
            assert_eq!(cheap(&class(dear)), None, "{dear}");
        }
        assert_eq!(cheap("class A(Foreign):\n    pass\n"), None);
    }

    #[test]
    fn records_are_cheap() {
        assert_eq!(
            cheap("class A(NamedTuple):\n    n: int = 1\n"),
            Some(Cheap::Value)
        );
        assert_eq!(
            cheap("@dataclass(frozen=True)\nclass A:\n    n: int = 1\n"),
            Some(Cheap::Value)
        );
        let record = "@dataclass\nclass A:\n    n: list = field(default_factory=list)\n";
        assert_eq!(cheap(record), Some(Cheap::State));
        let locked =
            "@dataclass\nclass A:\n    n: object = field(default_factory=threading.Lock)\n";
        assert_eq!(cheap(locked), None);
    }

    #[test]
    fn helpers_of_coroutines_run_on_the_loop() {
        let runs = |text: &str| {
            let facts = facts_of(text);
            let mut scopes = facts.scope_ids();
            let function = scopes.find(|&scope| facts.scope_name(scope) == Some("f"));
            facts.runs_in_coroutines(function.unwrap())
        };
        assert!(runs("def f(): pass\nasync def g():\n    f()\n"));
        assert!(runs(
            "def f(): pass\ndef h():\n    f()\nasync def g():\n    h()\n"
        ));
        assert!(!runs("def f(): pass\ndef g():\n    f()\n"));
        assert!(!runs(
            "def f(): pass\nasync def g():\n    await asyncio.to_thread(f)\n"
        ));
        assert!(!runs("def f(): pass\n"));
    }
}
