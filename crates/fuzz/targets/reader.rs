//! Bytes of any origin through the diff reader.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tests::sound;

fuzz_target!(|bytes: &[u8]| {
    let decoded = diff::decode(bytes);
    let patch = diff::parse(&decoded.text);
    assert_eq!(patch, diff::parse(&decoded.text), "two readings differ");
    if let Err(unsound) = sound::patch(&decoded.text, &patch) {
        panic!("{unsound:#}");
    }
});
