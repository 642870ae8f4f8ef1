//! What the fuzz targets share. `crates/README.md` says how to run them.

/// A diff in which each of several rules finds something.
pub const SAMPLE: &str = include_str!("../../../static/samples/dispatch.diff");

/// The core recurses by the nesting of code, up to a limit that fits into the stack that the command gives it.
pub fn on_large_stack(work: impl FnOnce() + Send) {
    const STACK: usize = 64 << 20;
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK);
        worker.spawn_scoped(scope, work).expect("a thread starts");
    });
}
