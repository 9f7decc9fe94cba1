//! The figures of a comparison, as a table for people or as JSON. `docs/grading-by-model.md` says what each of them means.

use std::collections::BTreeMap;
use std::io;

use grading::metrics::{Agreement, Calibration, PointAgreement, is_hit, percentile};
use kernel::model::Usage;
use serde::Serialize;

use super::{Compared, Comparison, Estimate, LeftOut, Spent};
use crate::cli::TokenPrices;
use crate::output;

const MILLION: f64 = 1e6;

/// What a comparison found.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    file: String,
    /// Answers that both graded: the figures are of these.
    answers: usize,
    left_out: LeftOut,
    builtin: Figures,
    model: Figures,
}

/// The figures of a grader; those that the answers don't determine are null.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Figures {
    /// The model and its provider; null for the built-in grader.
    name: Option<String>,
    /// Answers without a grade, by code.
    failures: BTreeMap<&'static str, usize>,
    r: f64,
    r_within_questions: f64,
    /// Where all answers have one scale of few whole points.
    points: Option<Points>,
    rmse: f64,
    /// That of always giving the mean of the people's grades.
    rmse_of_mean: f64,
    bias: f64,
    within_quarter: f64,
    /// Fifths of the grades, from the least to the most sure.
    confidence_fifths: [Fifth; 5],
    largest_gap: f64,
    /// Share of the grades with a confidence of .8 or more, and of those the share that is not within a quarter.
    sure: f64,
    sure_and_wrong: f64,
    latency: Latency,
    tokens: Usage,
    cost: Option<Cost>,
}

#[derive(Serialize)]
struct Points {
    exact: f64,
    adjacent: f64,
    kappa: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fifth {
    confidence: f64,
    within_quarter: f64,
}

/// Of a grade, in milliseconds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Latency {
    p50_ms: f64,
    p95_ms: f64,
    p99_ms: f64,
}

/// In the currency of the prices.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Cost {
    total: f64,
    per_answer: f64,
}

impl Report {
    /// The figures of a comparison.
    ///
    /// # Errors
    /// Where no answer was graded by both.
    pub(super) fn of(
        comparison: Comparison,
        file: &str,
        model: Option<String>,
        prices: Option<TokenPrices>,
    ) -> anyhow::Result<Self> {
        let Comparison { rows, left_out, builtin, model: asked, builtin_failures, model_failures } = comparison;
        let graded = builtin.seconds.len();
        if graded == 0 {
            anyhow::bail!("{file} has no row of a rubric or open answer with a score that a person gave");
        }
        if rows.is_empty() {
            let why = failures_of(&model_failures, &builtin_failures);
            anyhow::bail!("none of the {graded} answers was graded by both: {why}");
        }
        let own = Figures::of(&rows, |row| row.builtin, builtin, None);
        let said = Figures::of(&rows, |row| row.model, asked, prices);
        Ok(Self {
            file: file.to_owned(),
            answers: rows.len(),
            left_out,
            builtin: Figures { failures: builtin_failures, ..own },
            model: Figures { name: model, failures: model_failures, ..said },
        })
    }

    /// Prints it for a person.
    pub(super) fn print(&self) -> io::Result<()> {
        self.lines().iter().try_for_each(output::line)?;
        let heading = ["", "BUILT-IN", self.model.name.as_deref().unwrap_or("MODEL")];
        let rows = self.builtin.cells().into_iter().zip(self.model.cells());
        output::table(heading, rows.map(|((name, own), (_, said))| [name.to_owned(), own, said]))
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{}: {} answers graded by both", output::plain(&self.file), self.answers)];
        let LeftOut { without_score, exact, unreadable } = self.left_out;
        for (count, what) in [
            (without_score, "rows without a score"),
            (exact, "rows of exact answers, which code compares"),
            (unreadable, "lines that are no row"),
        ] {
            if count > 0 {
                lines.push(format!("left out: {count} {what}"));
            }
        }
        for (grader, failures) in [("the built-in grader", &self.builtin.failures), ("the model", &self.model.failures)]
        {
            if !failures.is_empty() {
                lines.push(format!("without a grade of {grader}: {}", counts(failures)));
            }
        }
        lines.push(String::new());
        lines
    }
}

const FIFTHS: [&str; 5] = [
    "confidence / within a quarter, least sure fifth",
    "  second fifth",
    "  third fifth",
    "  fourth fifth",
    "  most sure fifth",
];

impl Figures {
    /// The figures of one grader.
    fn of(rows: &[Compared], of: fn(&Compared) -> Estimate, spent: Spent, prices: Option<TokenPrices>) -> Self {
        let given: Vec<f64> = rows.iter().map(|row| row.given).collect();
        let shares: Vec<f64> = rows.iter().map(|row| of(row).share).collect();
        let questions: Vec<u64> = rows.iter().map(|row| row.question).collect();
        let confidences: Vec<f64> = rows.iter().map(|row| of(row).confidence).collect();
        let hits: Vec<bool> = shares.iter().zip(&given).map(|(share, given)| is_hit(*share, *given)).collect();
        let agreement = Agreement::of(&shares, &given, &questions);
        let calibration = Calibration::of(&confidences, &hits);
        let scale = rows[0].whole_points.filter(|points| rows.iter().all(|row| row.whole_points == Some(*points)));
        let points = scale.map(|points| PointAgreement::of(&shares, &given, points));
        let answers = spent.seconds.len() as f64;
        let mut seconds = spent.seconds;
        let mut latency = |share| percentile(&mut seconds, share).unwrap_or(f64::NAN) * 1_000.0;
        Self {
            name: None,
            failures: BTreeMap::new(),
            r: agreement.r,
            r_within_questions: agreement.within,
            points: points.map(|PointAgreement { exact, adjacent, kappa }| Points { exact, adjacent, kappa }),
            rmse: agreement.rmse,
            rmse_of_mean: agreement.rmse_of_mean,
            bias: agreement.bias,
            within_quarter: agreement.hits,
            confidence_fifths: calibration
                .fifths
                .map(|(confidence, within_quarter)| Fifth { confidence, within_quarter }),
            largest_gap: calibration.largest_gap(),
            sure: calibration.sure,
            sure_and_wrong: calibration.wrong,
            latency: Latency { p50_ms: latency(0.5), p95_ms: latency(0.95), p99_ms: latency(0.99) },
            tokens: spent.usage,
            cost: prices.map(|TokenPrices { read, written }| {
                let (input, output) = (spent.usage.input_tokens as f64, spent.usage.output_tokens as f64);
                let total = (input * read + output * written) / MILLION;
                Cost { total, per_answer: total / answers }
            }),
        }
    }

    /// Names and values, in the order of the table.
    fn cells(&self) -> Vec<(&'static str, String)> {
        let mut cells = vec![("r", two(self.r)), ("r within questions", two(self.r_within_questions))];
        if let Some(Points { exact, adjacent, kappa }) = &self.points {
            cells.push(("same points", two(*exact)));
            cells.push(("points differ by one at most", two(*adjacent)));
            cells.push(("quadratic weighted kappa", two(*kappa)));
        }
        cells.push(("root mean square error", two(self.rmse)));
        cells.push(("  of always giving the mean", two(self.rmse_of_mean)));
        cells.push(("bias", format!("{:+.2}", self.bias)));
        cells.push(("within a quarter", two(self.within_quarter)));
        for (name, Fifth { confidence, within_quarter }) in FIFTHS.into_iter().zip(&self.confidence_fifths) {
            cells.push((name, format!("{} / {}", two(*confidence), two(*within_quarter))));
        }
        cells.push(("largest gap of these", two(self.largest_gap)));
        cells.push(("confidence .8 or more", two(self.sure)));
        cells.push(("  of those not within a quarter", two(self.sure_and_wrong)));
        let Latency { p50_ms, p95_ms, p99_ms } = self.latency;
        cells.push(("ms an answer, p50 / p95 / p99", format!("{p50_ms:.1} / {p95_ms:.1} / {p99_ms:.1}")));
        let Usage { input_tokens, output_tokens, .. } = self.tokens;
        cells.push(("tokens read / written", format!("{input_tokens} / {output_tokens}")));
        let cost = self.cost.as_ref().map(|cost| format!("{:.4} ({:.6} an answer)", cost.total, cost.per_answer));
        cells.push(("cost", cost.unwrap_or_else(|| if self.name.is_none() { "0" } else { "no --prices" }.to_owned())));
        cells
    }
}

fn failures_of(model: &BTreeMap<&'static str, usize>, builtin: &BTreeMap<&'static str, usize>) -> String {
    let of = |grader: &str, failures: &BTreeMap<&'static str, usize>| {
        (!failures.is_empty()).then(|| format!("{grader} failed ({})", counts(failures)))
    };
    [of("the model", model), of("the built-in grader", builtin)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn counts(failures: &BTreeMap<&'static str, usize>) -> String {
    failures.iter().map(|(code, count)| format!("{code}: {count}")).collect::<Vec<_>>().join(", ")
}

/// A figure with two places; a dash where the answers don't determine it.
fn two(figure: f64) -> String {
    if figure.is_nan() { "–".to_owned() } else { format!("{figure:.2}") }
}
