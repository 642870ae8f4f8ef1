//! Bytes of any origin through the whole review: everything that it points at is there, and a second run says the same.

#![no_main]

use fuzz::on_large_stack;
use libfuzzer_sys::fuzz_target;
use report::export::Gravity;
use report::{Work, export};
use review::Input;
use tests::{reviewed, sound};
use topic::{Profile, topic};

fuzz_target!(|bytes: &[u8]| {
    on_large_stack(|| {
        if let Err(unsound) = check(bytes) {
            panic!("{unsound:#}");
        }
    });
});

fn check(bytes: &[u8]) -> anyhow::Result<()> {
    let decoded = diff::decode(bytes);
    let input = Input {
        text: &decoded.text,
        decoding: &decoded.problems,
        files: None,
        profile: &Profile::builtin(),
        dismissals: &[],
        source: &report::Source::default(),
    };
    let (plan, report) = reviewed(&input)?;
    sound::report(&diff::parse(&decoded.text), &report)?;
    let view = review::view(&plan);
    sound::rows(&plan, &view)?;
    let work = Work::default();
    sound::exports(&report, &work, &view, &topic().wording(Gravity::default()))?;
    let (_, again) = reviewed(&input)?;
    anyhow::ensure!(
        export::json(&report, &work) == export::json(&again, &work),
        "two reviews differ"
    );
    Ok(())
}
