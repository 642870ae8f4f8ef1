//! What the rules ask about one side of one file. One walk of the tree makes statements, expressions and scopes;
//! everything else here answers questions about them. Rules read this and never walk trees.

mod annotations;
mod bindings;
mod blocking;
mod calls;
mod cheap;
mod classes;
mod cleanup;
mod commands;
mod common_folder;
mod companions;
mod composition;
mod containers;
mod deletions;
mod downloads;
mod fills;
mod flow;
mod heat;
mod held;
mod hir;
mod hooks;
mod imported;
mod imports;
mod in_process;
mod index;
mod key_lookups;
mod keys;
mod lazy;
mod lifecycle;
mod lifespan;
mod locks;
mod lower;
mod memberships;
mod memo;
mod messages;
mod modules;
mod named_writes;
mod names;
mod objects;
mod origins;
mod own_loop;
mod paths;
mod queue_ends;
mod reads;
mod ready;
mod redis_removals;
mod release;
mod requests;
mod scopes;
mod shared;
mod single_worker;
mod start;
mod state_uses;
mod switches;
mod temps;
mod threads;
mod training;
mod types;
mod unmade;
mod unread;
mod visibility;
mod waits;
mod writes;

use bindings::Bindings;
pub(crate) use bindings::{Binding, BindingKind};
pub(crate) use blocking::Wait;
pub(crate) use calls::Call;
use calls::OfCalls;
pub(crate) use cheap::Cheap;
pub(crate) use cleanup::{CleanupPlace, Failing, REMOVAL_ERRORS};
pub(crate) use common_folder::Common;
pub(crate) use companions::Whose;
pub(crate) use composition::Piece;
pub(crate) use containers::{Container, Owner, Use, UseKind};
pub(crate) use deletions::{Deletion, FileLocked};
pub(crate) use heat::Heat;
pub(crate) use held::{Held, Taken};
pub(crate) use hir::*;
pub(crate) use keys::{KeyPart, Loss, Source, says_owner, tells_entries_apart, told_apart_by};
pub(crate) use lifecycle::*;
pub(crate) use lifespan::Lifespan;
pub(crate) use locks::{Home, Lock, LockMode, says_acquire, says_lock, says_lock_file};
pub(crate) use modules::Modules;
pub(crate) use paths::{CacheProof, Leads, says_own};
pub(crate) use ready::Spared;
pub(crate) use requests::Request;
pub(crate) use shared::Reach;
pub(crate) use switches::Switch;
pub(crate) use temps::{Temp, TempKind};
pub(crate) use threads::{Endless, Handover, PROXIES};
pub(crate) use types::{Kind, Proof, Type};
pub(crate) use waits::Bound;
pub(crate) use writes::{Move, Write, Writing};

use crate::sources::{DocLine, Document, Scaffold};
use imports::Imports;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};
use syntax::LineIndex;

/// One side of one file, understood. What is asked often is found once and kept; what a document's text alone says is shared by copies.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// The file's path on this side, as in the diff.
    pub(crate) path: String,
    pub(crate) document: Arc<Document>,
    pub(crate) lines: Arc<LineIndex>,
    pub(crate) stmts: Arc<[Stmt]>,
    pub(crate) exprs: Arc<[Expr]>,
    pub(crate) scopes: Arc<[Scope]>,
    imports: Arc<Imports>,
    /// The modules of the diff; set in linked facts alone.
    modules: Option<Arc<Modules>>,
    /// For each scope the first fragment of the same scope: hunks of one class are one class.
    canonical: Arc<[ScopeId]>,
    /// Names that `global` or `nonlocal` sends out of a scope.
    globals: Arc<[(ScopeId, Span)]>,
    /// All bindings of a name in a scope, in source order. Class scopes also hold `self.x` of their methods.
    bindings: Arc<Bindings>,
    /// For each statement the first of its own expressions.
    first_exprs: Arc<[u32]>,
    /// Calls in source order.
    calls: Arc<[ExprId]>,
    /// Resolved dotted callee of each call, by its expression.
    callees: Arc<FxHashMap<ExprId, Box<str>>>,
    /// Look-up tables, made when first asked for.
    index: OnceLock<Arc<index::Index>>,
    found: Found,
    /// Nesting was deeper than we follow; what lies below is missing.
    pub(crate) truncated: bool,
}

/// Answers that rules ask for again and again, each found when first asked for.
#[derive(Clone, Debug, Default)]
struct Found {
    held: OnceLock<Vec<Held>>,
    /// By statement the held regions that it begins or stands in, as places in `held`.
    held_near: OnceLock<FxHashMap<StmtId, Vec<u32>>>,
    /// What each expression is.
    types: OnceLock<Box<[OnceLock<Option<Type>>]>>,
    /// What is put into which container.
    fills: OnceLock<fills::Fills>,
    /// What the calls construct.
    constructed: OnceLock<FxHashMap<ExprId, Kind>>,
    /// What is made that somebody has to end.
    made: OnceLock<Vec<Made>>,
    containers: OnceLock<Vec<Container>>,
    compositions: OnceLock<Box<[ExprId]>>,
    writes: OnceLock<OfCalls<(ExprId, Writing)>>,
    moves: OnceLock<OfCalls<(ExprId, ExprId)>>,
    deletions: OnceLock<OfCalls<deletions::Removal>>,
    handovers: OnceLock<Vec<Handover>>,
    /// Clients of a store with expiry, as they are written.
    expiring: OnceLock<FxHashSet<String>>,
    /// What the keys are known by that are taken out of Redis.
    removed_from_redis: OnceLock<FxHashSet<String>>,
    path_heat: OnceLock<heat::PathHeat>,
}

impl Facts {
    /// Understands a document. `path` is the file's path on this side.
    pub(crate) fn new(path: &str, document: Document, tree: &syntax::Tree) -> Facts {
        let lines = LineIndex::new(&document.text);
        let lowered = lower::lower(&document, &lines, tree);
        let mut facts = Facts {
            path: path.to_string(),
            document: Arc::new(document),
            lines: Arc::new(lines),
            stmts: lowered.stmts.into(),
            exprs: lowered.exprs.into(),
            scopes: lowered.scopes.into(),
            imports: Arc::new(lowered.imports),
            modules: None,
            canonical: Arc::default(),
            globals: Arc::default(),
            bindings: Arc::default(),
            first_exprs: Arc::default(),
            calls: Arc::default(),
            callees: Arc::default(),
            index: OnceLock::new(),
            found: Found::default(),
            truncated: lowered.truncated,
        };
        facts.unite_scopes();
        facts.index_exprs();
        facts.mark_visible_scopes();
        facts.bind(&lowered.captures);
        facts.resolve_calls();
        facts
    }

    /// A copy that knows the modules of the diff. What was found without them is to be found again.
    fn linked(&self, modules: Arc<Modules>) -> Facts {
        Facts {
            path: self.path.clone(),
            document: Arc::clone(&self.document),
            lines: Arc::clone(&self.lines),
            stmts: Arc::clone(&self.stmts),
            exprs: Arc::clone(&self.exprs),
            scopes: Arc::clone(&self.scopes),
            imports: Arc::clone(&self.imports),
            modules: Some(modules),
            canonical: Arc::clone(&self.canonical),
            globals: Arc::clone(&self.globals),
            bindings: Arc::clone(&self.bindings),
            first_exprs: Arc::clone(&self.first_exprs),
            calls: Arc::clone(&self.calls),
            callees: Arc::clone(&self.callees),
            index: self.index.clone(),
            found: Found::default(),
            truncated: self.truncated,
        }
    }

    /// Forgets what was found, which takes more room than what it was found in; it is found again when asked for.
    pub(crate) fn rest(&mut self) {
        self.found = Found::default();
        self.index = OnceLock::new();
    }

    /// A place for the type of each expression.
    fn types(&self) -> &[OnceLock<Option<Type>>] {
        let places = || self.exprs.iter().map(|_| OnceLock::new()).collect();
        self.found.types.get_or_init(places)
    }

    pub(crate) fn stmt(&self, id: StmtId) -> &Stmt {
        self.stmts.get(id.index()).unwrap_or(&NO_STMT)
    }

    pub(crate) fn expr(&self, id: ExprId) -> &Expr {
        self.exprs.get(id.index()).unwrap_or(&NO_EXPR)
    }

    pub(crate) fn scope(&self, id: ScopeId) -> &Scope {
        self.scopes.get(id.index()).unwrap_or(&NO_SCOPE)
    }

    pub(crate) fn stmt_ids(&self) -> impl DoubleEndedIterator<Item = StmtId> + use<> {
        (0..self.stmts.len() as u32).map(StmtId)
    }

    pub(crate) fn expr_ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len() as u32).map(ExprId)
    }

    pub(crate) fn scope_ids(&self) -> impl Iterator<Item = ScopeId> + use<> {
        (0..self.scopes.len() as u32).map(ScopeId)
    }

    /// The text of a span; empty where it does not fit.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.document
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    pub(crate) fn expr_text(&self, id: ExprId) -> &str {
        self.text(self.expr(id).span)
    }

    /// An expression as a message quotes it: its text, or where that is long its chain of names. What is longer still the
    /// report shortens.
    pub(crate) fn shown(&self, id: ExprId) -> String {
        let text = self.expr_text(id);
        if text.len() <= 60 && !text.contains('\n') {
            return text.to_string();
        }
        self.dotted(id).unwrap_or_else(|| text.to_string())
    }

    /// The lines of the diff (number on this side, changed) that a span touches.
    pub(crate) fn diff_lines(&self, span: Span) -> impl Iterator<Item = (u32, bool)> {
        let first = self.lines.line(span.start) as usize;
        let last = self.lines.line(span.end.saturating_sub(1).max(span.start)) as usize;
        self.document
            .lines
            .iter()
            .take(last + 1)
            .skip(first)
            .filter_map(|line| match line {
                DocLine::Diff {
                    number, changed, ..
                } => Some((*number, *changed)),
                DocLine::Scaffold(_) => None,
            })
    }

    /// Whether the diff changed a line of the span: added it on the new side, deleted it on the old.
    pub(crate) fn is_changed(&self, span: Span) -> bool {
        self.diff_lines(span).any(|(_, changed)| changed)
    }

    /// What a document line stands for, if it is scaffold.
    pub(crate) fn scaffold_at(&self, offset: u32) -> Option<Scaffold> {
        match self.document.lines.get(self.lines.line(offset) as usize) {
            Some(DocLine::Scaffold(scaffold)) => Some(*scaffold),
            _ => None,
        }
    }
}

static NO_STMT: Stmt = Stmt {
    kind: StmtKind::Pass,
    span: Span { start: 0, end: 0 },
    head: Span { start: 0, end: 0 },
    scope: ScopeId(0),
    parent: None,
    scaffold: true,
};

static NO_EXPR: Expr = Expr {
    kind: ExprKind::None,
    span: Span { start: 0, end: 0 },
    stmt: StmtId(u32::MAX),
    scope: ScopeId(0),
    parent: None,
};

static NO_SCOPE: Scope = Scope {
    kind: ScopeKind::Module,
    name: None,
    parent: None,
    stmt: None,
    span: Span { start: 0, end: 0 },
    is_async: false,
    params: Vec::new(),
    returns: None,
    body: Vec::new(),
    head_shown: false,
    visible: false,
    is_generator: false,
};
