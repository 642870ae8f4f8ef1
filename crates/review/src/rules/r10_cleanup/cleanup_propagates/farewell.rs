//! Ends of connections that say goodbye to the other side, and destructors that run an event loop.

use super::CHECK;
use crate::facts::{Call, ExprId, Facts, Handler, Part, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() {
        return;
    }
    for call in facts.calls() {
        if let Some(peer) = farewell(facts, &call).filter(|_| !is_guarded(facts, call.stmt())) {
            report(facts, &call, peer, out);
        }
        if is_destructor(facts, call.stmt()) && runs_loop_in(facts, &call) {
            let verdict = seen(facts, call.stmt());
            let words = word_of_destructor(&call);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        }
    }
}

/// Who is told goodbye.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Peer {
    /// A mail or file server: `quit` sends a command and reads the answer.
    Command,
    /// A stream or websocket of an event loop: its end raises what the connection died of.
    Stream,
    /// A database, where the function promised an answer instead of an error.
    Database,
}

/// A call in `finally` that talks to the other side once more.
fn farewell(facts: &Facts, call: &Call<'_>) -> Option<Peer> {
    let block = facts
        .ancestors(call.stmt())
        .find(|around| around.part == Part::Finally)?;
    let receiver = call.receiver()?;
    let made_by = |names: &[&str]| is_made_by(facts, receiver, names);
    match call.method()? {
        "quit"
            if made_by(&[
                "smtplib.SMTP",
                "smtplib.SMTP_SSL",
                "ftplib.FTP",
                "ftplib.FTP_TLS",
            ]) =>
        {
            Some(Peer::Command)
        }
        "logout" | "close" if made_by(&["imaplib.IMAP4", "imaplib.IMAP4_SSL"]) => {
            Some(Peer::Command)
        }
        "wait_closed" if call.is_awaited() && is_writer(facts, receiver) => Some(Peer::Stream),
        "close" if call.is_awaited() && is_websocket(facts, receiver) => Some(Peer::Stream),
        "close" | "disconnect" if made_by(DATABASES) && answers(facts, block.stmt) => {
            Some(Peer::Database)
        }
        _ => None,
    }
}

/// Connections to databases over the network.
const DATABASES: &[&str] = &[
    "pyodbc.connect",
    "psycopg.connect",
    "psycopg2.connect",
    "pymysql.connect",
    "MySQLdb.connect",
    "mysql.connector.connect",
    "pymssql.connect",
    "oracledb.connect",
    "cx_Oracle.connect",
    "asyncpg.connect",
    "aiomysql.connect",
    "snowflake.connector.connect",
];

fn is_made_by(facts: &Facts, object: ExprId, names: &[&str]) -> bool {
    let values = facts.values(object);
    values.into_iter().any(|value| {
        let call = facts.awaited_call(value);
        call.is_some_and(|call| call.is(names))
    })
}

fn is_writer(facts: &Facts, object: ExprId) -> bool {
    let named = facts
        .last_name(object)
        .is_some_and(|name| topic::says(name, "writer"));
    named && facts.imports_name("asyncio")
}

fn is_websocket(facts: &Facts, object: ExprId) -> bool {
    let annotation = facts
        .parameter(object)
        .and_then(|(_, param)| param.annotation);
    annotation.is_some_and(|class| facts.last_name(class) == Some("WebSocket"))
}

/// All errors of the `try` become what the function returns.
fn answers(facts: &Facts, outer: StmtId) -> bool {
    let returns = |handler: &Handler| {
        let mut stmts = facts.statements_in(&handler.body).into_iter();
        stmts.any(|stmt| matches!(facts.stmt(stmt).kind, StmtKind::Return(Some(_))))
    };
    let handlers = facts.handlers(outer);
    let all = handlers.iter().any(|handler| facts.catches_all(handler));
    all && handlers
        .iter()
        .all(|handler| returns(handler) && !facts.reraises(handler))
}

fn is_guarded(facts: &Facts, stmt: StmtId) -> bool {
    let mut handlers = facts.handlers_around(stmt);
    handlers.any(|handler| !facts.reraises(handler))
        || facts.is_caught(
            stmt,
            &["Exception", "OSError", "ConnectionError", "RuntimeError"],
        )
}

fn is_destructor(facts: &Facts, stmt: StmtId) -> bool {
    facts.function_name(stmt) == Some("__del__") && !is_guarded(facts, stmt)
}

/// The call runs a coroutine to its end or makes a task, by itself or in the method that it calls.
fn runs_loop_in(facts: &Facts, call: &Call<'_>) -> bool {
    if runs_loop(facts, call) {
        return true;
    }
    let method = facts
        .self_attribute(call.function)
        .and_then(|_| facts.callee_scope(call));
    method.is_some_and(|method| {
        let mut inner = facts.calls_of(method);
        inner.any(|inner| runs_loop(facts, &inner) && !is_guarded(facts, inner.stmt()))
    })
}

fn runs_loop(facts: &Facts, call: &Call<'_>) -> bool {
    let runs = call.is(&[
        "asyncio.run",
        "asyncio.create_task",
        "asyncio.ensure_future",
        "anyio.run",
        "trio.run",
    ]) || call.method() == Some("run_until_complete");
    runs && !asks_for_loop(facts, call.stmt())
}

/// `if loop.is_running(): ... else: ...`.
fn asks_for_loop(facts: &Facts, stmt: StmtId) -> bool {
    facts
        .ancestors(stmt)
        .any(|around| match facts.stmt(around.stmt).kind {
            StmtKind::If { test, .. } => {
                let text = facts.expr_text(test);
                text.contains("is_running") || text.contains("is_closed")
            }
            _ => false,
        })
}

fn seen(facts: &Facts, stmt: StmtId) -> HitVerdict {
    HitVerdict::sure_if(facts.sees_enclosure(stmt))
}

fn report(facts: &Facts, call: &Call<'_>, peer: Peer, out: &mut Outcome) {
    let verdict = match peer {
        Peer::Database => seen(facts, call.stmt()),
        _ => HitVerdict::Look,
    };
    let words = word(facts, call, peer);
    out.hits
        .push(Hit::new(&CHECK, Anchor::call(call), verdict, words));
}

fn word(facts: &Facts, call: &Call<'_>, peer: Peer) -> Words {
    let what = facts.expr_text(call.function);
    let why = match peer {
        Peer::Command => {
            "It sends a last command. Where the server has hung up, which may be what failed before, it raises, and that error hides the first one."
        }
        Peer::Stream => {
            "Where the other side is gone it raises what the connection died of, or that it is closed already, and that error hides the first one."
        }
        Peer::Database => {
            "The handlers above turn every error into an answer; when the server drops the connection the caller gets an exception instead of it."
        }
    };
    Words::new(
        format!("`{what}` in `finally` can raise."),
        why,
        "Put it into a `try` of its own that logs, so that the outcome of the work stands.",
    )
}

fn word_of_destructor(call: &Call<'_>) -> Words {
    Words::new(
        format!("`{}` in a destructor drives an event loop.", call.name()),
        "The collector calls it at any time: within a running loop, in another thread, or at exit, and there it raises; what it should end stays as it is, and the message names no caller.",
        "End it in an explicit `close` that callers await; here at most catch and log what goes wrong.",
    )
}
