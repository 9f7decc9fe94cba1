//! Fits the pace of each language to measured durations, and shows how well it predicts the others:
//! `cargo run -p language --example fit_pace`.
//!
//! The durations are those of `tests/durations.jsonl`. The texts of the set `fit` give the seconds of each sound, by least squares
//! of the relative error, without negative seconds, and drawn a little towards [`Pace::UNKNOWN`]. The set `check` is left out.

use std::io::Write;

use language::pace::{Pace, Sounds};

#[path = "../tests/durations/measured.rs"]
mod measured;

use measured::{Measured, measured};

/// How strongly a language is drawn towards the usual seconds for each sound. Syllables and letters grow together, so that
/// measurements alone can't tell them apart.
const PULL: [f64; 7] = [1.0, 0.03, 1.0, 0.03, 0.03, 0.03, 0.03];
const ROUNDS: usize = 3_000;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut languages: Vec<String> = Vec::new();
    let all = measured();
    for text in &all {
        if !languages.contains(&text.language) {
            languages.push(text.language.clone());
        }
    }
    for language in languages {
        let of = |set: &str| all.iter().filter(|text| text.language == language && text.set == set).collect::<Vec<_>>();
        let pace = fitted(&of("fit"));
        let (fit, check) = (errors(&of("fit"), &pace), errors(&of("check"), &pace));
        let numbers: Vec<String> = pace.iter().map(|seconds| format!("{seconds:.3}")).collect();
        writeln!(
            out,
            "{language} {} fit {:.1} % check {:.1} % worst {:.1} %",
            numbers.join(" "),
            100.0 * mean(&fit),
            100.0 * mean(&check),
            100.0 * check.iter().copied().fold(0.0, f64::max)
        )?;
    }
    Ok(())
}

/// Coordinate descent on the normal equations.
fn fitted(texts: &[&Measured]) -> [f64; 7] {
    let usual = Pace::UNKNOWN.coefficients();
    let rows: Vec<[f64; 7]> =
        texts.iter().map(|text| Sounds::of(&text.text).counts().map(|count| count / text.seconds)).collect();
    let mut pace = usual;
    for _ in 0..ROUNDS {
        for at in 0..pace.len() {
            let square: f64 = rows.iter().map(|row| row[at] * row[at]).sum();
            let rest: f64 = rows
                .iter()
                .map(|row| {
                    let others: f64 =
                        (0..pace.len()).filter(|other| *other != at).map(|other| row[other] * pace[other]).sum();
                    row[at] * (1.0 - others)
                })
                .sum();
            pace[at] = ((rest + PULL[at] * usual[at]) / (square + PULL[at])).max(0.0);
        }
    }
    pace
}

fn errors(texts: &[&Measured], pace: &[f64; 7]) -> Vec<f64> {
    let predicted = |text: &Measured| {
        Sounds::of(&text.text).counts().iter().zip(pace).map(|(count, each)| count * each).sum::<f64>()
    };
    texts.iter().map(|text| (predicted(text) / text.seconds - 1.0).abs()).collect()
}

#[expect(clippy::cast_precision_loss, reason = "there are few texts")]
fn mean(errors: &[f64]) -> f64 {
    errors.iter().sum::<f64>() / errors.len() as f64
}
