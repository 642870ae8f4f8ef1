//! What the checks of R3 see, and what they leave alone.

use super::CHECKS;
use crate::probe::{facts_at, seen};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(
        seen(CHECKS, &facts_at("app/workers.py", text, true)),
        expected,
        "{text}"
    );
}

/// A class with an import line before it; the class starts at line 3.
fn class(body: &str) -> String {
    format!(
        "import asyncio, threading, weakref\nfrom concurrent.futures import ThreadPoolExecutor\nclass Owner:\n{body}"
    )
}

#[test]
fn a_kept_pool_needs_a_shutdown() {
    let made = "    def __init__(self):\n        self._pool = ThreadPoolExecutor()\n";
    check(&class(made), &["executor-never-shut-down 5 violation"]);
    let local =
        "    def __init__(self):\n        pool = ThreadPoolExecutor()\n        self._pool = pool\n";
    check(&class(local), &["executor-never-shut-down 5 violation"]);
    let in_dict = "    def pool(self, k):\n        self._pools[k] = ThreadPoolExecutor()\n";
    check(&class(in_dict), &["executor-never-shut-down 5 violation"]);
}

#[test]
fn a_shutdown_without_finalizer_is_half() {
    let made = "    def __init__(self):\n        self._pool = ThreadPoolExecutor()\n";
    let closed = format!(
        "{made}    def close(self):\n        pool, self._pool = self._pool, None\n        pool.shutdown()\n"
    );
    check(
        &class(&closed),
        &["executor-without-gc-fallback 5 violation"],
    );
    let collected =
        format!("{made}        weakref.finalize(self, self._pool.shutdown, wait=False)\n");
    check(&class(&collected), &[]);
    let deleted = format!("{closed}    def __del__(self):\n        self.close()\n");
    check(&class(&deleted), &[]);
}

#[test]
fn pools_in_a_container_are_ended_in_a_loop() {
    let body = "    def __init__(self):\n        self._pools = {}\n        self._f = weakref.finalize(self, stop_all, self._pools)\n    def pool(self, k):\n        self._pools[k] = ThreadPoolExecutor()\n    def close(self):\n        for pool in self._pools.values():\n            pool.shutdown()\n";
    check(&class(body), &[]);
}

#[test]
fn a_pool_of_the_module_is_the_process_s() {
    let text = "from concurrent.futures import ThreadPoolExecutor\nPOOL = ThreadPoolExecutor()\n";
    check(text, &["executor-never-shut-down 2 excused"]);
}

#[test]
fn local_pools_end_on_every_path() {
    let function = |body: &str| {
        format!("from concurrent.futures import ThreadPoolExecutor\ndef convert(xs):\n{body}")
    };
    check(
        &function(
            "    pool = ThreadPoolExecutor()\n    out = list(pool.map(f, xs))\n    pool.shutdown()\n    return out\n",
        ),
        &["local-executor-not-closed 3 violation"],
    );
    check(
        &function("    return ThreadPoolExecutor().submit(f, xs)\n"),
        &["local-executor-not-closed 3 violation"],
    );
    check(
        &function("    with ThreadPoolExecutor() as pool:\n        return list(pool.map(f, xs))\n"),
        &[],
    );
    check(
        &function(
            "    pool = ThreadPoolExecutor()\n    with pool:\n        return list(pool.map(f, xs))\n",
        ),
        &[],
    );
    check(
        &function(
            "    pool = ThreadPoolExecutor()\n    try:\n        return list(pool.map(f, xs))\n    finally:\n        pool.shutdown()\n",
        ),
        &[],
    );
}

#[test]
fn a_pool_that_is_handed_over_is_somebody_else_s() {
    let function = |body: &str| {
        format!("from concurrent.futures import ThreadPoolExecutor\ndef make(stack):\n{body}")
    };
    check(&function("    return ThreadPoolExecutor()\n"), &[]);
    check(
        &function("    pool = ThreadPoolExecutor()\n    return pool\n"),
        &[],
    );
    check(
        &function("    return Runner(pool=ThreadPoolExecutor())\n"),
        &[],
    );
    check(
        &function("    pool = stack.enter_context(ThreadPoolExecutor())\n    pool.submit(f)\n"),
        &[],
    );
    check(
        &function(
            "    pool = ThreadPoolExecutor()\n    stack.callback(pool.shutdown)\n    pool.submit(f).result()\n",
        ),
        &[],
    );
}

#[test]
fn a_pool_for_each_request_is_worse() {
    let text = "from concurrent.futures import ThreadPoolExecutor\nclass Model:\n    def infer(self, xs):\n        pool = ThreadPoolExecutor()\n        return [f.result(1) for f in [pool.submit(g, x) for x in xs]]\n";
    check(text, &["executor-per-call 4 violation"]);
}

#[test]
fn long_running_threads_are_joined() {
    let made = "    def start(self):\n        self._thread = threading.Thread(target=self._loop)\n        self._thread.start()\n    def _loop(self):\n        while not self._stop.is_set():\n            work()\n";
    let stop = "    def stop(self):\n        self._stop.set()\n";
    check(
        &class(&format!("{made}{stop}")),
        &["thread-not-joined 5 violation"],
    );
    let joined = format!(
        "{made}{stop}        thread = self._thread\n        if thread is not None:\n            thread.join(timeout=2)\n"
    );
    check(&class(&joined), &[]);
    let by_helper = format!("{made}{stop}        join_all([self._thread])\n");
    check(&class(&by_helper), &[]);
}

#[test]
fn one_shot_threads_end_by_themselves() {
    let body = "    def warm(self):\n        self._thread = threading.Thread(target=self._load, daemon=True)\n        self._thread.start()\n    def _load(self):\n        load_models()\n";
    check(&class(body), &[]);
}

#[test]
fn endless_threads_need_a_flag() {
    let body = |last: &str| {
        class(&format!(
            "    def start(self):\n        threading.Thread(target=self._loop, daemon=True).start()\n    def _loop(self):\n        while True:\n            item = self._queue.get()\n{last}            work(item)\n"
        ))
    };
    check(&body(""), &["thread-without-stop-flag 5 violation"]);
    check(
        &body("            if item is None:\n                break\n"),
        &[],
    );
}

#[test]
fn tasks_are_kept() {
    let function =
        |body: &str| format!("import asyncio\nasync def run(self, loop, group):\n{body}");
    check(
        &function("    asyncio.create_task(ping())\n"),
        &["task-reference-dropped 3 violation"],
    );
    check(
        &function("    task = asyncio.ensure_future(ping())\n"),
        &["task-reference-dropped 3 violation"],
    );
    check(
        &function("    self._task = asyncio.create_task(ping())\n"),
        &[],
    );
    check(&function("    group.create_task(ping())\n"), &[]);
    check(
        &function("    self._tasks.add(asyncio.create_task(ping()))\n"),
        &[],
    );
    check(&function("    await asyncio.create_task(ping())\n"), &[]);
}

#[test]
fn finalizers_do_not_hold_their_owner() {
    let made = "    def __init__(self):\n        self._pool = ThreadPoolExecutor()\n";
    let body = |last: &str| {
        class(&format!(
            "{made}        self._f = weakref.finalize({last})\n    def close(self):\n        self._f.detach()\n        self._pool.shutdown()\n"
        ))
    };
    let seen = ["finalizer-keeps-owner-alive 6 violation"];
    check(
        &body("self, self.close"),
        &["executor-without-gc-fallback 5 violation", seen[0]],
    );
    check(
        &body("self, lambda: self._pool.shutdown()"),
        &["executor-without-gc-fallback 5 violation", seen[0]],
    );
    check(
        &body("self, self._pool.shutdown"),
        &["finalizer-keeps-owner-alive 6 look"],
    );
    check(&body("self, self._pool.shutdown, wait=False"), &[]);
    let armed = class(&format!(
        "{made}        weakref.finalize(self, self._pool.shutdown, wait=False)\n    def close(self):\n        self._pool.shutdown()\n"
    ));
    check(&armed, &["finalizer-keeps-owner-alive 6 look"]);
}

#[test]
fn a_thread_that_holds_its_object_outlives_del() {
    let body = "    def __init__(self):\n        self._thread = threading.Thread(target=self._loop)\n    def _loop(self):\n        while self._on:\n            work()\n    def __del__(self):\n        self._on = False\n        self._thread.join()\n";
    check(&class(body), &["finalizer-keeps-owner-alive 5 violation"]);
}

#[test]
fn a_failed_start_stops_what_runs() {
    let body = |step: &str| {
        class(&format!(
            "    def __enter__(self):\n        self._thread = threading.Thread(target=self._load)\n        self._thread.start()\n{step}        return self\n    def _load(self):\n        load()\n"
        ))
    };
    check(
        &body("        self._future.result(timeout=3)\n"),
        &["start-failure-leaks 6 look"],
    );
    check(
        &body(
            "        try:\n            self._future.result(timeout=3)\n        except Exception:\n            self.close()\n            raise\n",
        ),
        &[],
    );
    check(&body(""), &[]);
}

#[test]
fn sentinels_come_on_every_path() {
    let body = |work: &str| {
        format!(
            "import queue, threading\nq = queue.Queue()\ndef produce(xs):\n{work}def run(xs):\n    threading.Thread(target=produce, args=(xs,)).start()\n    while (x := q.get()) is not None:\n        use(x)\n"
        )
    };
    check(
        &body("    for x in xs:\n        q.put(decode(x))\n    q.put(None)\n"),
        &["sentinel-only-on-success 6 violation"],
    );
    check(
        &body(
            "    try:\n        for x in xs:\n            q.put(decode(x))\n    finally:\n        q.put(None)\n",
        ),
        &[],
    );
}

#[test]
fn atexit_alone_is_not_enough_for_what_is_outside() {
    let text = "import atexit, subprocess\nCHILD = subprocess.Popen(['x'])\natexit.register(CHILD.terminate)\n";
    check(text, &["atexit-only-cleanup 3 look"]);
    check(&format!("{text}def stop():\n    CHILD.terminate()\n"), &[]);
}

#[test]
fn thread_local_sessions_end_with_short_pools() {
    let text = "import threading, requests\nfrom concurrent.futures import ThreadPoolExecutor\n_local = threading.local()\ndef fetch(url):\n    if not hasattr(_local, 's'):\n        _local.s = requests.Session()\n    return _local.s.get(url)\ndef fetch_all(urls):\n    with ThreadPoolExecutor() as pool:\n        return list(pool.map(fetch, urls))\n";
    check(text, &["thread-local-in-short-pool 10 look"]);
}

#[test]
fn context_variables_are_carried_over() {
    let text = |given: &str| {
        format!(
            "import contextvars\nfrom concurrent.futures import ThreadPoolExecutor\nREQUEST = contextvars.ContextVar('r', default=None)\ndef work(x):\n    return REQUEST.get(), x\ndef run(x):\n    with ThreadPoolExecutor() as pool:\n        return pool.submit({given}).result(1)\n"
        )
    };
    check(&text("work, x"), &["thread-local-in-short-pool 8 look"]);
    check(&text("contextvars.copy_context().run, work, x"), &[]);
}

#[test]
fn loops_are_touched_in_their_own_thread() {
    let body = |act: &str| {
        class(&format!(
            "    def start(self):\n        self._task = asyncio.create_task(go())\n        self._loop = asyncio.get_running_loop()\n        threading.Timer(3, self._expire).start()\n    def _expire(self):\n        {act}\n"
        ))
    };
    check(
        &body("self._task.cancel()"),
        &["loop-touched-from-thread 9 violation"],
    );
    check(
        &body("self._loop.call_soon(self._task.cancel)"),
        &["loop-touched-from-thread 9 violation"],
    );
    check(
        &body("self._loop.call_soon_threadsafe(self._task.cancel)"),
        &[],
    );
}

#[test]
fn watchdogs_have_settings() {
    check(
        "def work(w, limit):\n    return Watchdog(timeout_seconds=30, on_timeout=w)\n",
        &["hard-coded-watchdog 2 violation"],
    );
    check(
        "def work(w, limit):\n    return Watchdog(timeout_seconds=limit, on_timeout=w)\n",
        &[],
    );
}

#[test]
fn daemons_are_stopped() {
    let body = |last: &str| {
        format!("def work(job):\n    watchdog = Watchdog(job.limit)\n    watchdog.start()\n{last}")
    };
    check(
        &body("    run(job, watchdog.beat)\n"),
        &["thread-without-stop-flag 3 look"],
    );
    check(
        &body("    run(job, watchdog.beat)\n    watchdog.stop()\n"),
        &["thread-without-stop-flag 3 look"],
    );
    check(
        &body("    try:\n        run(job, watchdog.beat)\n    finally:\n        watchdog.stop()\n"),
        &[],
    );
}

#[test]
fn tests_and_scripts_are_excused() {
    let facts = facts_at(
        "tests/unit/test_pool.py",
        "from concurrent.futures import ThreadPoolExecutor\ndef test_a():\n    ThreadPoolExecutor().submit(f)\n",
        true,
    );
    assert_eq!(
        seen(CHECKS, &facts),
        ["local-executor-not-closed 3 excused"]
    );
}

#[test]
fn a_pool_that_its_method_ends_needs_no_fallback() {
    check(
        &class(
            "    def convert(self, xs):\n        self._pool = ThreadPoolExecutor()\n        try:\n            return list(self._pool.map(f, xs))\n        finally:\n            self._pool.shutdown()\n",
        ),
        &[],
    );
}

#[test]
fn a_thread_class_can_wait_for_its_own_end() {
    let text = "import threading\nclass Pump(threading.Thread):\n    def run(self):\n        while not self.off:\n            pump()\n    def stop(self):\n        self.off = True\n        self.join(2)\nclass Owner:\n    def __init__(self):\n        self._pump = Pump()\n    def stop(self):\n        self._pump.stop()\n";
    check(text, &[]);
}

#[test]
fn threads_of_the_program_live_as_long_as_it() {
    let text = "import signal, threading\ndef watch():\n    while True:\n        look()\ndef start(stop):\n    signal.signal(signal.SIGTERM, stop)\n    threading.Thread(target=watch, daemon=True).start()\n";
    check(text, &["thread-without-stop-flag 7 excused"]);
}

#[test]
fn a_stop_does_not_wait_for_a_thread_that_waits() {
    let body = |name: &str| {
        class(&format!(
            "    def __init__(self):\n        self._jobs = queue.Queue(4)\n        self._thread = threading.Thread(target=self._work)\n    def _work(self):\n        while self._on:\n            self._jobs.get()()\n    def {name}(self):\n        self._on = False\n        self._thread.join()\n"
        ))
    };
    let body = |name: &str| body(name).replace("import asyncio", "import queue, asyncio");
    check(&body("stop"), &["thread-not-joined 12 look"]);
    check(&body("join"), &[]);
}

#[test]
fn what_a_thread_runs_elsewhere_is_only_guessed() {
    check(
        &class(
            "    def start(self):\n        self._thread = threading.Thread(target=self._engine.run)\n        self._thread.start()\n    def stop(self):\n        self._engine.stop()\n",
        ),
        &["thread-not-joined 5 look"],
    );
}
