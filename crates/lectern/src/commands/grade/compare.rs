//! `lectern grade --compare`: a model and the built-in grader beside what people gave.
//!
//! Both grade every row, the model as often at once as the configuration allows. The figures are of the rows that both graded, so that
//! they are of the same answers. Rows without a grade are counted by why, and named. Of a row only numbers are kept.
//! [`report`] makes figures of them.

mod report;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use grading::{EvaluationType, GradingError, Judged};
use kernel::model::Usage;

use self::report::Report;
use super::grader::RowGrader;
use super::lessons::Lessons;
use super::rows::{GivenRow, read_given, share_of_grade};
use super::{Line, each_batch, grade_all};
use crate::cli::{Grade, GradeBy};
use crate::commands::{Session, WrongUse};
use crate::output;

/// Rows of a file, so that their numbers fit into the memory.
const MOST_ROWS: usize = 500_000;

/// What a comparison came to.
#[derive(Default)]
pub(super) struct Comparison {
    /// Rows that both graded.
    rows: Vec<Compared>,
    left_out: LeftOut,
    builtin: Spent,
    model: Spent,
    /// Rows without a grade of the built-in grader or of the model, by why.
    builtin_failures: BTreeMap<&'static str, usize>,
    model_failures: BTreeMap<&'static str, usize>,
}

/// A row that both graded.
struct Compared {
    given: f64,
    whole_points: Option<u8>,
    question: u64,
    builtin: Estimate,
    model: Estimate,
}

/// What a grader said of a row.
#[derive(Clone, Copy)]
struct Estimate {
    share: f64,
    confidence: f64,
}

/// Rows that nobody was asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct LeftOut {
    /// Nobody gave a score.
    without_score: usize,
    /// Values, which are compared by code whoever grades.
    exact: usize,
    /// The line is no row.
    unreadable: usize,
}

/// What all grades of a grader took.
#[derive(Default)]
struct Spent {
    seconds: Vec<f64>,
    usage: Usage,
}

/// A grade, and how long it took.
type Timed = (Result<Judged, GradingError>, Duration);

/// Exits 1 when a row has no grade.
pub(super) fn run(session: &Session, options: &Grade, path: &Path, lessons: &Lessons) -> anyhow::Result<ExitCode> {
    let model = RowGrader::open(session, GradeBy::Model, options.model.as_deref())?;
    let builtin = RowGrader::builtin()?;
    let mut comparison = Comparison::default();
    each_batch(path, model.at_once, |batch, progress| {
        let rows = progress.hidden_while(|| comparison.read(path, batch, lessons, &model))?;
        // One after the other: a model's calls would make the built-in grader wait, and be timed with it.
        let own = grade_all(&rows, builtin.at_once, |(_, row)| timed(&builtin, row));
        let said = grade_all(&rows, model.at_once, |(_, row)| timed(&model, row));
        progress.hidden_while(|| {
            for (((line, row), own), said) in rows.iter().zip(own).zip(said) {
                comparison.add(&format!("{}:{line}", path.display()), row, own, said);
            }
        });
        Ok(())
    })?;
    let has_failed = comparison.has_failed();
    let report = Report::of(comparison, &path.display().to_string(), model.model, options.prices)?;
    if options.json {
        output::json(&report)?;
    } else {
        report.print()?;
    }
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn timed(grader: &RowGrader, row: &GivenRow) -> Timed {
    let began = Instant::now();
    let graded = grader.grade(&row.submission);
    (graded, began.elapsed())
}

impl Comparison {
    /// The rows of a batch that are compared, with their lines.
    fn read(
        &mut self,
        path: &Path,
        batch: &[Line],
        lessons: &Lessons,
        model: &RowGrader,
    ) -> Result<Vec<(usize, GivenRow)>, WrongUse> {
        let mut rows = Vec::new();
        for line in batch {
            match read_given(&line.bytes, lessons) {
                Ok(None) => self.left_out.without_score += 1,
                Ok(Some(row)) if row.submission.evaluation_type == EvaluationType::Exact => self.left_out.exact += 1,
                Ok(Some(mut row)) => {
                    row.submission.tier = model.tier;
                    rows.push((line.number, row));
                }
                Err(error) => {
                    self.left_out.unreadable += 1;
                    let problem = output::plain(&error.to_string());
                    output::note(format!("{}:{}: {problem}", path.display(), line.number));
                }
            }
        }
        if self.builtin.seconds.len() + rows.len() > MOST_ROWS {
            return Err(WrongUse(format!("{} has more than {MOST_ROWS} graded rows: divide it", path.display())));
        }
        Ok(rows)
    }

    /// Adds what the two graders made of a row; a row without a grade is named and counted.
    fn add(&mut self, place: &str, row: &GivenRow, (own, took): Timed, (said, waited): Timed) {
        let own = self.builtin.add(own, took);
        let said = self.model.add(said, waited);
        for (grader, error, failures) in [
            ("the built-in grader", own.as_ref().err(), &mut self.builtin_failures),
            ("the model", said.as_ref().err(), &mut self.model_failures),
        ] {
            if let Some(error) = error {
                *failures.entry(error.code).or_default() += 1;
                output::note(format!("{place}: no grade of {grader}: {}", output::plain(&error.to_string())));
            }
        }
        if let (Ok(own), Ok(said)) = (own, said) {
            let estimate = |judged: &Judged| Estimate {
                share: share_of_grade(&judged.grade, row.submission.max_score),
                confidence: judged.grade.confidence,
            };
            let mut question = DefaultHasher::new();
            row.question.hash(&mut question);
            self.rows.push(Compared {
                given: row.share,
                whole_points: row.whole_points,
                question: question.finish(),
                builtin: estimate(&own),
                model: estimate(&said),
            });
        }
    }

    fn has_failed(&self) -> bool {
        self.left_out.unreadable > 0 || !self.builtin_failures.is_empty() || !self.model_failures.is_empty()
    }
}

impl Spent {
    /// Counts time and tokens, of a failure too.
    fn add(&mut self, graded: Result<Judged, GradingError>, took: Duration) -> Result<Judged, GradingError> {
        self.seconds.push(took.as_secs_f64());
        let record = match &graded {
            Ok(judged) => Some(&judged.record),
            Err(error) => error.record.as_deref(),
        };
        if let Some(usage) = record.map(grading::Record::usage) {
            self.usage.input_tokens = self.usage.input_tokens.saturating_add(usage.input_tokens);
            self.usage.output_tokens = self.usage.output_tokens.saturating_add(usage.output_tokens);
            self.usage.cached_tokens = self.usage.cached_tokens.saturating_add(usage.cached_tokens);
        }
        graded
    }
}
