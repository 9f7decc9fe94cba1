//! One rubric grade by the built-in grader, without service and store: the processor time that it takes.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Context as _;
use grading::{Criterion, EvaluationType, Submission, builtin};

use crate::histogram::Histogram;
use crate::machine::Usage;
use crate::report::{Figure, Report};

/// Enough that ticks of the processor's clock don't matter.
const GRADES: u32 = 2000;

/// The figure.
const CPU_MS: f64 = 5.0;

/// Two hundred words.
const ANSWER: &str = "\
Photosynthesis is the way in which green plants make their own food. It happens in the chloroplasts of the leaves, \
where a green pigment called chlorophyll takes in the energy of the sunlight. The plant takes carbon dioxide out of the \
air through small openings in the leaf, the stomata, and its roots bring water from the soil. With the energy of the \
light the water is split, and oxygen is left over, which leaves the leaf through the same openings. The hydrogen is used \
to turn the carbon dioxide into glucose, a sugar. The plant uses this sugar in several ways. Some of it is used at once \
for respiration, which releases the energy that all cells need for their work. Some is changed to starch and is kept in \
the roots or in the seeds for later, and some becomes cellulose for the walls of new cells. When it is dark the first \
part can't happen, so plants make no oxygen at night, but they go on with respiration. This is why light, water, carbon \
dioxide and a warm place all matter: if one of them is missing, photosynthesis becomes slower, however much there is of \
the others.";
const REFERENCE: &str = "\
In the chloroplasts chlorophyll absorbs light. Its energy splits water, which sets oxygen free, and turns carbon dioxide \
into glucose. The glucose is used for respiration, kept as starch or built into cellulose. Light, carbon dioxide, water \
and temperature limit how fast it goes.";
const CRITERIA: [(&str, &str, f64); 4] = [
    ("Place", "Says that it happens in chloroplasts, and what chlorophyll does there.", 2.0),
    ("Substances", "Names carbon dioxide and water as what is used, glucose and oxygen as what is made.", 4.0),
    ("Use of glucose", "Explains what the plant does with the glucose.", 2.0),
    ("Limits", "Says what makes photosynthesis slower.", 2.0),
];

pub(crate) fn run(report: &mut Report) -> anyhow::Result<()> {
    report.progress("rubric grades of 200 words");
    let submission = submission();
    let mut latency = Histogram::default();
    // The first one makes the tables that are made once.
    black_box(builtin::grade(&submission));
    let before = Usage::own()?;
    for _ in 0..GRADES {
        let started = Instant::now();
        black_box(builtin::grade(black_box(&submission)));
        latency.record(started.elapsed());
    }
    let spent = Usage::own()?.cpu.checked_sub(before.cpu).context("processor time does not run backwards")?;
    let cpu_ms = spent.as_secs_f64() * 1e3 / f64::from(GRADES);
    let quantile = |part| latency.quantile(part).as_secs_f64();
    let figure = Figure::new("grade, a rubric and 200 words", "none").latency(quantile(0.5), quantile(0.99));
    report.add(figure.cpu(cpu_ms * 1e3).below("CPU ms", cpu_ms, CPU_MS));
    Ok(())
}

fn submission() -> Submission {
    let criterion = |(name, description, max_score): (&str, &str, f64)| Criterion {
        name: name.to_owned(),
        description: description.to_owned(),
        max_score,
    };
    Submission {
        reference_answer: Some(REFERENCE.to_owned()),
        criteria: CRITERIA.into_iter().map(criterion).collect(),
        ..Submission::new(EvaluationType::RubricShortAnswer, "Explain how plants make their own food.", ANSWER, 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_has_two_hundred_words_and_is_graded() {
        let words = ANSWER.split_whitespace().count();
        assert!((195..=205).contains(&words), "{words}");
        let grade = builtin::grade(&submission());
        assert_eq!(grade.rubric_breakdown.map(|parts| parts.len()), Some(CRITERIA.len()));
        assert!(grade.score > 0.0);
    }
}
