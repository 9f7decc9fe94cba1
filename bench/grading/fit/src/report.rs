//! What a fit came to, as tables.

use std::io::{self, Write};

use grading::builtin::scorer::FEATURES;
use grading::metrics::{Agreement, Calibration, is_hit, mean};

use crate::fitting::{Fit, Shares, Unseen};

const KINDS: [(Unseen, &str); 3] = [
    (Unseen::Nothing, "fitted to all"),
    (Unseen::Questions, "questions left out"),
    (Unseen::Collection, "collection left out"),
];

/// Prints the tables.
pub(crate) fn print(out: &mut impl Write, fit: &Fit<'_>, ablation: bool) -> io::Result<()> {
    let shares = KINDS.map(|(unseen, _)| (unseen, fit.shares(unseen, None)));
    for ((_, title), (_, shares)) in KINDS.iter().zip(&shares) {
        writeln!(out, "## {title}\n")?;
        writeln!(
            out,
            "| collection | answers | r | within questions | RMSE / of the mean | bias | within a quarter |"
        )?;
        writeln!(out, "|---|---|---|---|---|---|---|")?;
        for (collection, found) in fit.collections.iter().zip(agreements(fit, shares)) {
            writeln!(
                out,
                "| {} | {} | {:.3} | {:.3} | {:.3} / {:.3} | {:+.3} | {:.2} |",
                collection.name,
                collection.answers.len(),
                found.r,
                found.within,
                found.rmse,
                found.rmse_of_mean,
                found.bias,
                found.hits
            )?;
        }
        writeln!(out)?;
    }
    writeln!(out, "## Confidence: mean and share within a quarter, by fifths of confidence\n")?;
    writeln!(out, "| | first | | | | last | largest gap | sure (≥ .8) | of those wrong |")?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
    for ((unseen, title), (_, own)) in KINDS.iter().zip(&shares) {
        let found = calibration(fit, own, &fit.confidences(*unseen, &shares));
        let fifths: Vec<String> = found.fifths.iter().map(|(sure, hit)| format!("{sure:.2} / {hit:.2}")).collect();
        writeln!(
            out,
            "| {title} | {} | {:.3} | {:.2} | {:.2} |",
            fifths.join(" | "),
            found.largest_gap(),
            found.sure,
            found.wrong
        )?;
    }
    if !fit.pairs.is_empty() {
        writeln!(out, "\n## Pairs: in the right order, of all; right answers below half\n")?;
        for (kind, (all, ordered, low)) in fit.ordered_pairs(None) {
            writeln!(out, "- {kind}: {ordered} of {all}; {low}")?;
        }
    }
    if ablation {
        print_ablation(out, fit)?;
    }
    Ok(())
}

fn agreements(fit: &Fit<'_>, shares: &Shares) -> Vec<Agreement> {
    let of = |(collection, shares): (&crate::collections::Collection, &Vec<f64>)| {
        let given: Vec<f64> = collection.answers.iter().map(|answer| answer.share).collect();
        let questions: Vec<&str> = collection.answers.iter().map(|answer| answer.question.as_str()).collect();
        Agreement::of(shares, &given, &questions)
    };
    fit.collections.iter().zip(shares).map(of).collect()
}

fn calibration(fit: &Fit<'_>, shares: &Shares, confidences: &Shares) -> Calibration {
    let given = fit.collections.iter().flat_map(|collection| &collection.answers).map(|answer| answer.share);
    let hits: Vec<bool> = shares.iter().flatten().zip(given).map(|(share, given)| is_hit(*share, given)).collect();
    let confidences: Vec<f64> = confidences.iter().flatten().copied().collect();
    Calibration::of(&confidences, &hits)
}

/// The gain of each feature: the figures with it less those without it, as means over the collections, and the pairs in the right order.
fn print_ablation(out: &mut impl Write, fit: &Fit<'_>) -> io::Result<()> {
    let summary = |without: Option<usize>| {
        let found = agreements(fit, &fit.shares(Unseen::Collection, without));
        let within = found.iter().map(|one| one.within).filter(|within| within.is_finite());
        [mean(found.iter().map(|one| one.r)), mean(within), mean(found.iter().map(|one| one.rmse / one.rmse_of_mean))]
    };
    let ordered = |without| fit.ordered_pairs(without).values().map(|(_, ordered, _)| ordered).sum::<usize>() as i64;
    let all = summary(None);
    writeln!(out, "\n## Ablation, collection left out: what a feature adds\n")?;
    writeln!(out, "| feature | r | within questions | RMSE / of the mean | pairs in order |")?;
    writeln!(out, "|---|---|---|---|---|")?;
    writeln!(out, "| all | {:.4} | {:.4} | {:.4} | {} |", all[0], all[1], all[2], ordered(None))?;
    for (at, name) in FEATURES.iter().enumerate() {
        let less = summary(Some(at));
        let [r, within, rmse] = [0, 1, 2].map(|figure| all[figure] - less[figure]);
        let pairs = ordered(None) - ordered(Some(at));
        writeln!(out, "| {name} | {r:+.4} | {within:+.4} | {rmse:+.4} | {pairs:+} |")?;
    }
    Ok(())
}
