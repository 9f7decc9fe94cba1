//! The figures as tables in Markdown.

use std::io::{self, Write};

use crate::expand::LONG_LEVEL;
use crate::keys::{Balance, Share};
use crate::measure::{Figures, SourceFigures, ratio};
use crate::requests::Requests;

/// Most of a source that a video should speak.
const MAX_SPOKEN: f64 = 1.0 / 3.0;
/// Most seconds of a video for each lesson.
const MAX_SECONDS: f64 = 120.0;

/// Prints all tables.
pub(crate) fn print(out: &mut impl Write, figures: &Figures) -> io::Result<()> {
    sources(out, figures)?;
    kinds(out, figures)?;
    keys(out, &figures.keys)?;
    guesses(out, figures)?;
    leaks(out, figures)?;
    requests(out, &figures.requests)
}

fn sources(out: &mut impl Write, figures: &Figures) -> io::Result<()> {
    writeln!(out, "## Sources\n")?;
    writeln!(
        out,
        "| source | language | lessons | words | quiz items | module items | module copied | spoken | seconds a lesson | CPU ms | failed |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|---|")?;
    for source in &figures.sources {
        let failed: Vec<String> = source.failures.iter().map(|(draft, code)| format!("{draft}: {code}")).collect();
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {:.0} % | {:.0} % | {:.0} | {:.1} | {} |",
            source.source,
            source.language,
            source.lessons,
            source.words,
            source.quiz_items,
            source.module_items,
            100.0 * source.module_copied,
            100.0 * source.spoken,
            source.seconds_a_lesson,
            source.cpu_ms,
            failed.join(", ")
        )?;
    }
    let count = figures.sources.len() as f64;
    let mean = |of: fn(&SourceFigures) -> f64| figures.sources.iter().map(of).sum::<f64>() / count;
    let sum = |of: fn(&SourceFigures) -> usize| figures.sources.iter().map(of).sum::<usize>();
    writeln!(
        out,
        "| all {} | | {} | {} | {} | {} | {:.0} % | {:.0} % | {:.0} | {:.1} | {} |\n",
        figures.sources.len(),
        sum(|source| source.lessons),
        sum(|source| source.words),
        sum(|source| source.quiz_items),
        sum(|source| source.module_items),
        100.0 * mean(|source| source.module_copied),
        100.0 * mean(|source| source.spoken),
        mean(|source| source.seconds_a_lesson),
        mean(|source| source.cpu_ms),
        sum(|source| source.failures.len())
    )?;
    let is_long = |source: &&SourceFigures| source.spoken > MAX_SPOKEN || source.seconds_a_lesson > MAX_SECONDS;
    let long = figures.sources.iter().filter(is_long).count();
    writeln!(out, "- videos that speak more than a third of the source or two minutes a lesson: {long}")?;
    writeln!(out, "- a level of {LONG_LEVEL} lessons: {:.0} ms of CPU\n", figures.long_level_cpu_ms)
}

fn kinds(out: &mut impl Write, figures: &Figures) -> io::Result<()> {
    writeln!(out, "## Kinds\n")?;
    writeln!(out, "| kind | in quizzes | in modules | overlap | copied questions | dropped |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for (kind, made) in &figures.kinds {
        let dropped = figures.dropped.as_ref().map_or_else(
            || "not reported".to_owned(),
            |dropped| dropped.get(kind).map_or(0, |reasons| reasons.values().sum()).to_string(),
        );
        writeln!(
            out,
            "| {kind} | {} | {} | {:.0} % | {} | {dropped} |",
            made.in_quizzes,
            made.in_modules,
            100.0 * made.overlap,
            made.copied
        )?;
    }
    for (kind, reasons) in figures.dropped.iter().flatten() {
        for (reason, count) in reasons {
            writeln!(out, "- dropped {kind}: {reason}: {count}")?;
        }
    }
    writeln!(
        out,
        "\n- own questions of the sources that are asked: {} of {}",
        figures.own_asked, figures.own_questions
    )?;
    writeln!(out)
}

fn keys(out: &mut impl Write, keys: &Balance) -> io::Result<()> {
    writeln!(out, "## Keys\n")?;
    let verdicts = keys.is_true + keys.is_false;
    writeln!(
        out,
        "- true or false: {} true of {verdicts} ({:.0} %)",
        keys.is_true,
        100.0 * ratio(keys.is_true, verdicts)
    )?;
    for (options, positions) in &keys.positions {
        writeln!(out, "- position of the key among {options} options: {}", joined(positions))?;
    }
    for (options, ranks) in &keys.ranks {
        writeln!(out, "- rank of the key among {options} numbers, from the smallest: {}", joined(ranks))?;
    }
    for (name, share) in [("longest", keys.longest), ("shortest", keys.shortest)] {
        let Share { items, keys, expected } = share;
        writeln!(out, "- the {name} option is the key: {keys} of {items}, by chance {expected:.1}")?;
    }
    writeln!(out)
}

fn guesses(out: &mut impl Write, figures: &Figures) -> io::Result<()> {
    writeln!(out, "## Guesses\n")?;
    writeln!(out, "| script | items | right | chance | points above chance |")?;
    writeln!(out, "|---|---|---|---|---|")?;
    for guess in figures.guesses.iter().filter(|guess| guess.items > 0) {
        writeln!(
            out,
            "| {} | {} | {:.0} % | {:.0} % | {:+.1} ± {:.1} |",
            guess.script,
            guess.items,
            100.0 * guess.right,
            100.0 * guess.chance,
            guess.points,
            guess.error
        )?;
    }
    let guessed = figures.guesses.iter().filter(|guess| guess.items > 0);
    if let Some(best) = guessed.max_by(|left, right| left.points.total_cmp(&right.points)) {
        writeln!(out, "\n- the most that a script gains: {:+.1} points, {}", best.points, best.script)?;
    }
    writeln!(out)
}

fn leaks(out: &mut impl Write, figures: &Figures) -> io::Result<()> {
    writeln!(out, "## Leaks: {}\n", figures.leaks.len())?;
    for leak in &figures.leaks {
        writeln!(out, "- {}, {}: {}", leak.source, leak.place, leak.secret)?;
    }
    Ok(())
}

fn requests(out: &mut impl Write, found: &Requests) -> io::Result<()> {
    writeln!(out, "\n## Requests by prompt\n")?;
    writeln!(out, "- topics for which the own module comes first: {} of {}", found.own_first, found.topics)?;
    writeln!(out, "- other modules for a topic: {:.2}", found.others)?;
    writeln!(
        out,
        "- topics without material where the own module is missing: {} of {}",
        found.none_without_own, found.topics
    )?;
    writeln!(out, "- sentences that a deck repeats: {} of {}", found.deck_repeated, found.deck_sentences)?;
    writeln!(out, "- citations of another source's module: {} of {}", found.deck_foreign, found.deck_citations)
}

fn joined(counts: &[usize]) -> String {
    counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
