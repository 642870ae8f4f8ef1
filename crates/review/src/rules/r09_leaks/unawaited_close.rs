//! A close that is a coroutine, and that nobody awaits: it never runs.

use super::opened;
use super::resource_not_closed::CHECK;
use crate::facts::{Call, ExprId, Facts};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Classes and functions whose objects are closed by a coroutine, and its names.
const CLOSED_ASYNC: &[(&[&str], &[&str])] = &[
    (
        &["aiohttp.ClientSession", "aiohttp.TCPConnector"],
        &["close"],
    ),
    (&["httpx.AsyncClient"], &["aclose"]),
    (
        &[
            "redis.asyncio.Redis",
            "redis.asyncio.from_url",
            "redis.asyncio.Redis.from_url",
        ],
        &["aclose", "close"],
    ),
    (
        &[
            "asyncpg.connect",
            "asyncpg.create_pool",
            "aiosqlite.connect",
            "websockets.connect",
        ],
        &["close"],
    ),
    (&["aiofiles.open"], &["close"]),
    (&["aio_pika.connect", "aio_pika.connect_robust"], &["close"]),
    (
        &["aiokafka.AIOKafkaProducer", "aiokafka.AIOKafkaConsumer"],
        &["stop"],
    ),
    (
        &["grpc.aio.insecure_channel", "grpc.aio.secure_channel"],
        &["close"],
    ),
    (&["contextlib.AsyncExitStack"], &["aclose"]),
];

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts
        .calls()
        .filter(|call| call.is_dropped() && !call.is_awaited())
    {
        let lost = call
            .receiver()
            .is_some_and(|object| is_coroutine(facts, object, &call));
        if lost {
            let verdict = opened::unless_cold(cx, HitVerdict::Violation);
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                verdict,
                word(facts, &call),
            ));
        }
    }
}

fn is_coroutine(facts: &Facts, object: ExprId, call: &Call<'_>) -> bool {
    let known = CLOSED_ASYNC
        .iter()
        .filter(|(_, closers)| closers.contains(&call.name()));
    let makers: Vec<&str> = known
        .flat_map(|(makers, _)| makers.iter().copied())
        .collect();
    if makers.is_empty() {
        return false;
    }
    let values = facts.values(object);
    let made = |&value: &ExprId| {
        let made = facts.awaited_call(value).or_else(|| facts.call(value));
        made.is_some_and(|made| {
            made.is(&makers) && (made.is_awaited() || !has_twin(&made, &makers))
        })
    };
    !values.is_empty() && values.iter().all(made)
}

/// `open(path)`, `Redis()`: another library has a plain one of the same name, and no import that is shown says which.
fn has_twin(made: &Call<'_>, makers: &[&str]) -> bool {
    let is_common = matches!(
        made.name(),
        "open" | "connect" | "Redis" | "from_url" | "insecure_channel" | "secure_channel"
    );
    is_common && !makers.contains(&made.callee())
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let (object, name) = (
        call.receiver()
            .map_or_else(String::new, |object| facts.shown(object)),
        call.name(),
    );
    Words::new(
        format!("`{object}.{name}()` makes a coroutine that nobody awaits, so nothing is closed."),
        "Python warns that the coroutine was never awaited, and the connections stay open until the collector comes by.",
        format!(
            "Write `await {object}.{name}()`, and make the function around it `async` if it is not."
        ),
    )
}
