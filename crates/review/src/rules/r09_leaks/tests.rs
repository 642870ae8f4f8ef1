//! What the checks of R9 see, and what they leave alone.

use super::CHECKS;
use crate::probe::{facts_at, seen};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(
        seen(CHECKS, &facts_at("app/video.py", text, true)),
        expected,
        "{text}"
    );
}

#[track_caller]
fn in_function(body: &str, expected: &[&str]) {
    check(
        &format!(
            "import cv2, json, os, requests, shutil, socket, subprocess, tempfile, torch\nfrom contextlib import ExitStack, closing\ndef work(p, stack):\n{body}"
        ),
        expected,
    );
}

#[track_caller]
fn in_class(body: &str, expected: &[&str]) {
    check(
        &format!(
            "import cv2, requests, shutil, socket, tempfile, torch\nfrom contextlib import ExitStack, contextmanager\nclass Owner:\n{body}"
        ),
        expected,
    );
}

#[test]
fn open_files_are_closed_on_every_path() {
    in_function(
        "    return open(p).read()\n",
        &["resource-not-closed 4 violation"],
    );
    in_function(
        "    return json.load(open(p))\n",
        &["resource-not-closed 4 violation"],
    );
    in_function(
        "    f = open(p)\n    x = f.read()\n    f.close()\n    return x\n",
        &["closed-only-on-success 4 violation"],
    );
    in_function("    with open(p) as f:\n        return f.read()\n", &[]);
    in_function(
        "    f = open(p)\n    with f:\n        return f.read()\n",
        &[],
    );
    in_function(
        "    f = open(p)\n    try:\n        return f.read()\n    finally:\n        f.close()\n",
        &[],
    );
}

#[test]
fn ownership_that_is_handed_over_is_silent() {
    in_function("    return open(p)\n", &[]);
    in_function("    f = open(p)\n    return Reader(f)\n", &[]);
    in_function(
        "    f = stack.enter_context(open(p))\n    return f.read()\n",
        &[],
    );
    in_function(
        "    f = open(p)\n    stack.callback(f.close)\n    return f.read()\n",
        &[],
    );
    in_function(
        "    with closing(socket.socket()) as s:\n        s.connect(p)\n",
        &[],
    );
    in_function(
        "    f = open(p)\n    p.stream = f\n    return f.read()\n",
        &[],
    );
    in_function("    open(p, 'w').close()\n", &[]);
}

#[test]
fn captures_that_could_not_be_opened_have_nothing_to_close() {
    in_function(
        "    c = cv2.VideoCapture(p)\n    if not c.isOpened():\n        raise ValueError(p)\n    n = int(c.get(7))\n    c.release()\n    return n\n",
        &[],
    );
    in_function(
        "    c = cv2.VideoCapture(p)\n    if not c.isOpened():\n        raise ValueError(p)\n    n = detect(c.read())\n    c.release()\n    return n\n",
        &["closed-only-on-success 4 violation"],
    );
    in_function(
        "    c = cv2.VideoCapture(p)\n    return c.read()\n",
        &["resource-not-closed 4 violation"],
    );
}

#[test]
fn an_early_return_passes_the_close_by() {
    in_function(
        "    c = cv2.VideoCapture(p)\n    if stack:\n        return None\n    c.release()\n",
        &["closed-only-on-success 4 violation"],
    );
    in_function(
        "    c = cv2.VideoCapture(p)\n    if stack:\n        c.release()\n        return None\n    c.release()\n",
        &[],
    );
}

#[test]
fn temporary_folders_are_removed() {
    in_function(
        "    d = tempfile.mkdtemp()\n    convert(os.path.join(d, 'x'))\n    shutil.rmtree(d)\n",
        &["closed-only-on-success 4 violation"],
    );
    in_function(
        "    d = tempfile.mkdtemp()\n    try:\n        convert(d)\n    finally:\n        shutil.rmtree(d, ignore_errors=True)\n",
        &[],
    );
    in_function(
        "    d = tempfile.mkdtemp()\n    return os.path.join(d, 'x')\n",
        &[],
    );
    in_class(
        "    def __init__(self):\n        self._d = tempfile.mkdtemp()\n",
        &["resource-not-closed 5 violation"],
    );
    in_class(
        "    def __init__(self):\n        self._d = tempfile.mkdtemp()\n    def close(self):\n        shutil.rmtree(self._d)\n",
        &[],
    );
}

#[test]
fn owners_close_what_they_keep() {
    let made = "    def __init__(self, p):\n        self._s = socket.socket()\n";
    in_class(made, &["resource-not-closed 5 violation"]);
    in_class(
        &format!("{made}    def close(self):\n        self._s.close()\n"),
        &[],
    );
    in_class(
        &format!("{made}    def __del__(self):\n        self._s.close()\n"),
        &["resource-not-closed 5 look"],
    );
    in_class(
        "    def __init__(self):\n        self._s = requests.Session()\n",
        &["resource-not-closed 5 look"],
    );
}

#[test]
fn a_constructor_that_fails_leaves_nobody_to_close() {
    in_class(
        "    def __init__(self, p):\n        self._s = socket.socket()\n        self._s.connect(p)\n    def close(self):\n        self._s.close()\n",
        &["init-failure-leak 5 look"],
    );
}

#[test]
fn contexts_are_left() {
    in_class(
        "    def __init__(self):\n        self._c = torch.autocast('cuda')\n        self._c.__enter__()\n",
        &["context-entered-not-exited 6 violation"],
    );
    in_class(
        "    def __enter__(self):\n        self._c = torch.autocast('cuda')\n        self._c.__enter__()\n    def __exit__(self, *e):\n        self._c.__exit__(*e)\n",
        &[],
    );
    in_function(
        "    c = torch.inference_mode()\n    c.__enter__()\n    work(p)\n    c.__exit__(None, None, None)\n",
        &["context-entered-not-exited 5 violation"],
    );
    in_function(
        "    c = torch.inference_mode()\n    c.__enter__()\n    try:\n        work(p)\n    finally:\n        c.__exit__(None, None, None)\n",
        &[],
    );
}

#[test]
fn exit_stacks_are_closed() {
    in_function(
        "    s = ExitStack()\n    f = s.enter_context(open(p))\n    return f.read()\n",
        &["context-entered-not-exited 4 violation"],
    );
    in_function(
        "    with ExitStack() as s:\n        f = s.enter_context(open(p))\n        return s.pop_all()\n",
        &[],
    );
}

#[test]
fn a_yield_is_guarded() {
    let head = "    @contextmanager\n    def lend(self):\n        s = self.take()\n";
    in_class(
        &format!("{head}        yield s\n        s.release()\n"),
        &["yield-without-finally 7 violation"],
    );
    in_class(
        &format!(
            "{head}        try:\n            yield s\n        finally:\n            s.release()\n"
        ),
        &[],
    );
    in_class(
        &format!("{head}        yield s\n        logger.info('done')\n"),
        &[],
    );
    in_class(
        "    @contextmanager\n    def lend(self):\n        with self.lock:\n            yield self.x\n",
        &[],
    );
}

#[test]
fn scripts_and_tests_end_soon() {
    let facts = facts_at(
        "tests/unit/test_a.py",
        "def test_a(p):\n    assert open(p).read()\n",
        true,
    );
    assert_eq!(seen(CHECKS, &facts), ["resource-not-closed 2 excused"]);
}

#[test]
fn what_a_factory_hands_to_its_class_is_the_class_s() {
    let made = "    @classmethod\n    def make(cls, p):\n        s = socket.socket()\n        return cls(p, sock=s)\n    def __init__(self, p, sock):\n        self._sock = sock\n";
    in_class(made, &["resource-not-closed 6 violation"]);
    in_class(
        &format!("{made}    def stop(self):\n        self._sock.close()\n"),
        &[],
    );
}

#[test]
fn a_swallowed_error_passes_the_close_by() {
    in_function(
        "    try:\n        c = cv2.VideoCapture(p)\n        detect(c.read())\n        c.release()\n    except Exception:\n        log(p)\n",
        &["closed-only-on-success 5 violation"],
    );
    in_function(
        "    c = cv2.VideoCapture(p)\n    try:\n        detect(c.read())\n    except Exception:\n        log(p)\n    c.release()\n",
        &[],
    );
}

#[test]
fn each_handler_closes() {
    in_function(
        "    s = socket.socket()\n    try:\n        s.connect(p)\n    except Exception:\n        s.close()\n        raise\n    prepare(p)\n    try:\n        s.send(p)\n    except Exception:\n        s.close()\n        raise\n    s.close()\n",
        &[],
    );
}

#[test]
fn another_field_can_hold_the_path() {
    in_class(
        "    def __enter__(self):\n        self._f = tempfile.NamedTemporaryFile(delete=False)\n        self.path = self._f.name\n        return self.path\n    def __exit__(self, *e):\n        shutil.move(self.path, self.target)\n",
        &[],
    );
}

#[test]
fn a_leaky_constructor_is_cleaned_up_after() {
    let text = |given: &str, last: &str| {
        format!(
            "class Sam:\n    def __init__(self):\n        self._model = build_sam3_image_model({given})\n{last}"
        )
    };
    let on = "enable_inst_interactivity=True";
    check(&text(on, ""), &["constructor-leaks-context 3 look"]);
    check(
        &text(on, "        _eject_sam3_leaked_bf16_autocast()\n"),
        &[],
    );
    // Without its keyword it enters nothing.
    check(&text("", ""), &[]);
}

#[test]
fn an_early_yield_has_nothing_to_undo() {
    in_class(
        "    @contextmanager\n    def lend(self):\n        if not self.x:\n            yield None\n            return\n        s = self.take()\n        try:\n            yield s\n        finally:\n            s.release()\n",
        &[],
    );
}

#[test]
fn a_client_that_is_not_connected_has_nothing_to_end() {
    check(
        "from paho.mqtt.client import Client\ndef send(p):\n    c = Client()\n    if not c.connect(p):\n        return None\n    c.disconnect()\n",
        &[],
    );
    check(
        "from paho.mqtt.client import Client\ndef send(p):\n    c = Client()\n    c.connect(p)\n    c.publish(encode(p))\n    c.disconnect()\n",
        &["closed-only-on-success 3 violation"],
    );
}

#[test]
fn the_builtin_open_is_meant_in_a_fragment() {
    let facts = facts_at(
        "app/video.py",
        "def work(p):\n    return open(p).read()\n",
        false,
    );
    assert_eq!(seen(CHECKS, &facts), ["resource-not-closed 2 violation"]);
}

#[test]
fn a_wrapped_folder_is_the_same_folder() {
    check(
        "import shutil\nfrom pathlib import Path\nfrom tempfile import mkdtemp\ndef work(convert):\n    d = Path(mkdtemp())\n    out = convert(d / 'x')\n    shutil.rmtree(d)\n    return out\n",
        &["closed-only-on-success 5 violation"],
    );
}

#[test]
fn an_open_that_failed_left_nothing() {
    in_function(
        "    try:\n        f = open(p)\n    except OSError:\n        return None\n    f.close()\n",
        &[],
    );
}

#[test]
fn a_wrapper_leaves_what_it_enters() {
    in_class(
        "    def __enter__(self):\n        return self.inner().__enter__()\n    def __exit__(self, *e):\n        return self.inner().__exit__(*e)\n",
        &[],
    );
}

#[test]
fn a_remover_can_be_handed_over_with_its_path() {
    check(
        "import asyncio, os, tempfile\nclass Upload:\n    def write(self, data):\n        with tempfile.NamedTemporaryFile(delete=False) as f:\n            self._path = f.name\n    async def cleanup(self):\n        await asyncio.to_thread(os.unlink, self._path)\n",
        &[],
    );
}

#[test]
fn reading_a_capture_in_its_constructor_does_not_fail() {
    in_class(
        "    def __init__(self, p):\n        self._c = cv2.VideoCapture(p)\n        self._ok, self._frame = self._c.read()\n    def stop(self):\n        self._c.release()\n",
        &[],
    );
}

#[test]
fn what_reads_from_a_folder_does_not_own_it() {
    in_function(
        "    d = tempfile.mkdtemp()\n    page = os.path.join(d, 'x')\n    out = Document(page).render()\n    shutil.rmtree(d)\n    return out\n",
        &["closed-only-on-success 4 violation"],
    );
    in_function("    d = tempfile.mkdtemp()\n    return Workspace(d)\n", &[]);
}

#[test]
fn what_is_returned_may_lie_in_the_folder() {
    in_function(
        "    d = tempfile.mkdtemp()\n    return build(p, target=d)\n",
        &["resource-not-closed 4 look"],
    );
}
