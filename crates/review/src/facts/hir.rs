//! Statements, expressions and scopes of one document, as flat arenas.
//!
//! Ids ascend in source order within each arena's pre-order, so `a.0 < b.0` means "stands before or around".

use std::ops::Range;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A statement of one `Facts`.
    StmtId
);
id!(
    /// An expression of one `Facts`.
    ExprId
);
id!(
    /// A module, class, function or lambda of one `Facts`. Id 0 is the module.
    ScopeId
);

/// A UTF-8 byte range of the document's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub(crate) fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }
}

impl From<Range<u32>> for Span {
    fn from(range: Range<u32>) -> Span {
        Span {
            start: range.start,
            end: range.end,
        }
    }
}

pub(crate) type Block = Vec<StmtId>;

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    /// The whole statement, decorators included.
    pub(crate) span: Span,
    /// Up to the colon of a compound statement; the whole of a simple one.
    pub(crate) head: Span,
    /// The scope that the statement runs in (of a `def`: the one that it is defined in).
    pub(crate) scope: ScopeId,
    /// The compound statement around it, and which of its blocks; `None` at the top of a scope.
    pub(crate) parent: Option<Slot>,
    /// A statement that stands for text that is not shown (`if 1:` of the scaffold).
    pub(crate) scaffold: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) stmt: StmtId,
    pub(crate) part: Part,
}

/// Which block of a compound statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Body,
    /// `else` of `if`, `for`, `while` and `try`; an `elif` is an `if` in here.
    Else,
    /// The n-th `except` clause.
    Handler(u32),
    Finally,
}

impl StmtId {
    /// One of this statement's blocks, as the place of what stands in it.
    pub(super) fn slot(self, part: Part) -> Slot {
        Slot { stmt: self, part }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Expr(ExprId),
    /// `a = b = value`, `a: T = value`, `a += value`. `a: T` has no value.
    Assign {
        targets: Vec<ExprId>,
        value: Option<ExprId>,
        annotation: Option<ExprId>,
        augmented: bool,
    },
    Return(Option<ExprId>),
    Raise,
    Delete(Vec<ExprId>),
    Assert(Vec<ExprId>),
    If {
        test: ExprId,
        body: Block,
        orelse: Block,
    },
    While {
        test: ExprId,
        body: Block,
        orelse: Block,
    },
    For {
        target: ExprId,
        iter: ExprId,
        body: Block,
        orelse: Block,
        is_async: bool,
    },
    With {
        items: Vec<WithItem>,
        body: Block,
        is_async: bool,
    },
    Try {
        body: Block,
        handlers: Vec<Handler>,
        orelse: Block,
        finally: Block,
        has_finally: bool,
    },
    /// The blocks of its cases.
    Match(Vec<Block>),
    Function {
        scope: ScopeId,
        decorators: Vec<ExprId>,
    },
    Class {
        scope: ScopeId,
        decorators: Vec<ExprId>,
        bases: Vec<Arg>,
    },
    Import,
    /// `global` or `nonlocal`, by names.
    Global(Vec<Span>),
    Pass,
    Break,
    Continue,
    /// Not understood; its expressions are still in the arena.
    Other,
}

#[derive(Clone, Debug)]
pub(crate) struct WithItem {
    pub(crate) context: ExprId,
    pub(crate) target: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub(crate) struct Handler {
    /// The `except` line.
    pub(crate) span: Span,
    /// The exception classes; empty for a bare `except:`.
    pub(crate) types: Vec<ExprId>,
    pub(crate) body: Block,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    pub(crate) stmt: StmtId,
    /// Differs from the statement's scope inside a lambda.
    pub(crate) scope: ScopeId,
    pub(crate) parent: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// Its span is the name.
    Name,
    Attribute {
        object: ExprId,
        name: Span,
    },
    Call {
        function: ExprId,
        args: Box<[Arg]>,
    },
    Subscript {
        object: ExprId,
        index: Box<[ExprId]>,
    },
    /// A plain literal; the span is its content without quotes, escapes unread.
    Str(Span),
    /// An f-string or implicit concatenation.
    FString(Box<[StringPart]>),
    Number,
    True,
    False,
    None,
    Await(ExprId),
    Yield,
    Lambda {
        scope: ScopeId,
        body: ExprId,
    },
    /// List, set or dict comprehension or generator.
    Comprehension {
        elements: Box<[ExprId]>,
        clauses: Box<[Clause]>,
        conditions: Box<[ExprId]>,
    },
    Tuple(Box<[ExprId]>),
    List(Box<[ExprId]>),
    Set(Box<[ExprId]>),
    /// Pairs; a key of `None` is a `**splat`.
    Dict(Box<[(Option<ExprId>, ExprId)]>),
    Binary {
        operator: Span,
        left: ExprId,
        right: ExprId,
    },
    /// `and` / `or`.
    Bool {
        left: ExprId,
        right: ExprId,
    },
    Not(ExprId),
    Unary(ExprId),
    /// `a < b <= c`: three operands, two operators.
    Compare {
        operands: Box<[ExprId]>,
        operators: Box<[Span]>,
    },
    Conditional {
        body: ExprId,
        test: ExprId,
        orelse: ExprId,
    },
    Starred(ExprId),
    /// `name := value`.
    Walrus {
        target: ExprId,
        value: ExprId,
    },
    Other(Box<[ExprId]>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum StringPart {
    Text(Span),
    Value(ExprId),
}

/// `for target in iter` of a comprehension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clause {
    pub(crate) target: ExprId,
    pub(crate) iter: ExprId,
}

/// An argument of a call, or a base of a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arg {
    pub(crate) name: Option<Span>,
    pub(crate) value: ExprId,
    /// 1 for `*args`, 2 for `**kwargs`.
    pub(crate) stars: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    Class,
    Function,
    Lambda,
}

#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) kind: ScopeKind,
    /// `None` of modules, lambdas, and scopes whose name is not shown.
    pub(crate) name: Option<Span>,
    pub(crate) parent: Option<ScopeId>,
    /// The `def` or `class` statement.
    pub(crate) stmt: Option<StmtId>,
    pub(crate) span: Span,
    pub(crate) is_async: bool,
    pub(crate) params: Vec<Param>,
    pub(crate) returns: Option<ExprId>,
    pub(crate) body: Block,
    /// The head stands in the text, not in scaffold.
    pub(crate) head_shown: bool,
    /// Shown from its first to its last line without a gap.
    pub(crate) visible: bool,
    /// Holds a `yield` of its own.
    pub(crate) is_generator: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) name: Span,
    pub(crate) annotation: Option<ExprId>,
    pub(crate) default: Option<ExprId>,
}
