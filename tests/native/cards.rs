//! The examples on the rules' cards: what is called bad is reported by its rule, the mended form is not.

use tests::{new_file, review};

/// A place that no profile calls cold.
const PATH: &str = "inference/core/example_runner.py";

fn counted_of(rule: u8, text: &str) -> Vec<String> {
    let report = review(&new_file(PATH, text)).unwrap();
    report
        .counted()
        .filter(|finding| finding.rule == rule)
        .map(|finding| format!("line {}: {}", finding.line, finding.check))
        .collect()
}

#[test]
fn bad_examples_fire_and_good_ones_do_not() {
    let mut told = Vec::new();
    for card in &topic::topic().rules {
        if !review::checks().any(|check| check.rule == card.number) {
            continue;
        }
        if counted_of(card.number, card.bad).is_empty() {
            told.push(format!("{}: the bad example is not reported", card.id));
        }
        let good = counted_of(card.number, card.good);
        told.extend(
            good.iter()
                .map(|found| format!("{}: good example, {found}", card.id)),
        );
    }
    assert!(told.is_empty(), "\n{}\n", told.join("\n"));
}
