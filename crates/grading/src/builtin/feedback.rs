//! What a learner is told: what was right, in their own words; what is missing or wrong, named without giving
//! the whole reference away; what to do next. In the language that was asked for.

use std::collections::BTreeSet;

use language::normal::shorten;
use language::{Feedback, fill};

use super::super::{CriterionGrade, DetailLevel, Grade, IntegrityFlag, Submission, Tone};
use super::guards::form::Form;
use super::intake::Intake;
use super::judgement::{Judged, Judgement, Point, PointKind};

/// Longest quotation, in words and characters.
const QUOTE_WORDS: usize = 24;
const QUOTE_CHARACTERS: usize = 160;
/// Most entries of a list, by how much detail is wanted.
const BRIEF: usize = 1;
const DETAILED: usize = 5;
/// Shares from which an answer counts as good, and as partly good.
const GOOD: f64 = 0.8;
const PARTLY: f64 = 0.25;

/// Writes a grade.
pub(super) fn write(submission: &Submission, intake: &Intake, judgement: Judgement) -> Grade {
    let writer = Writer {
        phrases: &language::teaching(&submission.language).feedback,
        join: |items: &[String]| language::lists::join(&submission.language, items),
        warm: submission.feedback.tone == Tone::Encouraging,
        most: if submission.feedback.detail_level == DetailLevel::Brief { BRIEF } else { DETAILED },
    };
    let score = rounded(judgement.share.clamp(0.0, 1.0) * submission.max_score).clamp(0.0, submission.max_score);
    let points = distinct(&judgement.points);
    Grade {
        score,
        confidence: rounded(judgement.confidence.clamp(0.0, 1.0)),
        strengths: writer.strengths(&points, &judgement),
        mistakes: writer.mistakes(&points, &judgement),
        suggestions: writer.suggestions(&points, &judgement, intake),
        feedback_summary: writer.summary(&points, &judgement, intake),
        next_step: writer.next_step(&points, &judgement),
        integrity: flags(intake, &judgement).into_iter().collect(),
        rubric_breakdown: judgement
            .criteria
            .map(|criteria| criteria.into_iter().map(|judged| writer.criterion(judged)).collect()),
    }
}

/// To three decimals, so that a grade reads the same wherever it is stored.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

fn flags(intake: &Intake, judgement: &Judgement) -> BTreeSet<IntegrityFlag> {
    let mut flags = intake.flags.clone();
    if judgement.repeats {
        flags.insert(IntegrityFlag::RepeatsPrompt);
    }
    if judgement.form != Form::Sentences {
        flags.insert(IntegrityFlag::NotSentences);
    }
    flags
}

/// Each quotation praises once; criteria may share their ideas.
fn distinct(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        let known = kept.iter().any(|other| {
            other.kind == point.kind
                && other.quote == point.quote
                && (point.kind != PointKind::Missing || other.terms == point.terms)
        });
        if !known {
            kept.push(point.clone());
        }
    }
    kept
}

struct Writer<J: Fn(&[String]) -> String> {
    phrases: &'static Feedback,
    join: J,
    warm: bool,
    most: usize,
}

impl<J: Fn(&[String]) -> String> Writer<J> {
    fn strengths(&self, points: &[Point], judgement: &Judgement) -> Vec<String> {
        if judgement.form == Form::Salad {
            return Vec::new();
        }
        let template = if self.warm { self.phrases.right_warm } else { self.phrases.right };
        let said = points.iter().filter(|point| point.kind == PointKind::Said);
        let quoted =
            said.filter_map(|point| point.quote.as_deref()).map(|quote| fill(template, &[("quote", &short(quote))]));
        quoted.take(self.most).collect()
    }

    fn mistakes(&self, points: &[Point], judgement: &Judgement) -> Vec<String> {
        let mut mistakes = Vec::new();
        match judgement.form {
            Form::Keywords => mistakes.push(self.phrases.keywords.to_owned()),
            Form::Salad => mistakes.push(self.phrases.salad.to_owned()),
            Form::Sentences => {}
        }
        if judgement.repeats {
            mistakes.push(self.phrases.repeats.to_owned());
        }
        for point in points.iter().filter(|point| point.kind == PointKind::Contrary) {
            mistakes
                .extend(point.quote.as_deref().map(|quote| fill(self.phrases.contrary, &[("quote", &short(quote))])));
        }
        if judgement.share < GOOD {
            let lacking = points.iter().filter(|point| matches!(point.kind, PointKind::Missing | PointKind::Partly));
            let lacking = lacking.filter(|point| !point.terms.is_empty());
            mistakes.extend(lacking.map(|point| fill(self.phrases.missing, &[("terms", &(self.join)(&point.terms))])));
        }
        mistakes.truncate(self.most);
        mistakes
    }

    fn suggestions(&self, points: &[Point], judgement: &Judgement, intake: &Intake) -> Vec<String> {
        let mut suggestions = Vec::new();
        if !intake.unread.is_empty() {
            suggestions.push(fill(self.phrases.unread, &[("files", &intake.unread.join(", "))]));
        }
        if judgement.blank {
            suggestions.push(self.phrases.try_it.to_owned());
        }
        for point in points {
            match (point.kind, point.quote.as_deref()) {
                (PointKind::Contrary, Some(quote)) => {
                    suggestions.push(fill(self.phrases.check, &[("quote", &short(quote))]));
                }
                (PointKind::Missing | PointKind::Partly, _) if !point.terms.is_empty() => {
                    suggestions.push(fill(self.phrases.add, &[("terms", &(self.join)(&point.terms))]));
                }
                _ => {}
            }
        }
        if judgement.form != Form::Sentences {
            suggestions.push(self.phrases.whole_sentences.to_owned());
        }
        let unread = usize::from(!intake.unread.is_empty());
        suggestions.truncate(self.most + unread);
        suggestions
    }

    fn summary(&self, points: &[Point], judgement: &Judgement, intake: &Intake) -> String {
        let mut parts: Vec<String> = Vec::new();
        let told = if judgement.blank {
            self.phrases.nothing_said
        } else if judgement.unguided {
            self.phrases.unguided
        } else if judgement.share >= GOOD {
            if self.warm { self.phrases.good_warm } else { self.phrases.good }
        } else if judgement.share >= PARTLY {
            if self.warm { self.phrases.partly_warm } else { self.phrases.partly }
        } else if points.iter().any(|point| point.kind == PointKind::Contrary) {
            self.phrases.mostly_wrong
        } else {
            self.phrases.little
        };
        parts.push(told.to_owned());
        if intake.foreign().is_some() && !judgement.blank {
            parts.push(self.phrases.foreign.to_owned());
        }
        if intake.flags.contains(&IntegrityFlag::AddressesGrader) {
            parts.push(self.phrases.talk.to_owned());
        }
        if intake.flags.contains(&IntegrityFlag::HiddenText) {
            parts.push(self.phrases.hidden.to_owned());
        }
        if !intake.unread.is_empty() {
            parts.push(fill(self.phrases.unread, &[("files", &intake.unread.join(", "))]));
        }
        language::sentences::joined(parts.iter().map(String::as_str))
    }

    fn next_step(&self, points: &[Point], judgement: &Judgement) -> String {
        let lacking = points.iter().find(|point| {
            matches!(point.kind, PointKind::Missing | PointKind::Partly | PointKind::Contrary)
                && !point.terms.is_empty()
        });
        match lacking {
            _ if judgement.blank => self.phrases.next_start.to_owned(),
            _ if judgement.share >= GOOD => self.phrases.next_good.to_owned(),
            Some(point) => fill(self.phrases.next_terms, &[("terms", &(self.join)(&point.terms))]),
            None => self.phrases.next_reread.to_owned(),
        }
    }

    fn criterion(&self, judged: Judged) -> CriterionGrade {
        let find = |kinds: &[PointKind]| judged.points.iter().find(|point| kinds.contains(&point.kind));
        let quote_of = |point: Option<&Point>| point.and_then(|point| point.quote.as_deref()).map(short);
        let said = quote_of(find(&[PointKind::Said, PointKind::Partly]));
        let terms: Vec<String> = judged
            .points
            .iter()
            .find(|point| !point.terms.is_empty())
            .map(|point| point.terms.clone())
            .unwrap_or_default();
        let terms = (self.join)(&terms);
        let contrary = quote_of(find(&[PointKind::Contrary]));
        let feedback = match (judged.share, said, contrary) {
            (share, Some(quote), _) if share >= GOOD => fill(self.phrases.met, &[("quote", &quote)]),
            (share, _, Some(quote)) if share < 0.5 => fill(self.phrases.contrary, &[("quote", &quote)]),
            (share, Some(quote), _) if share >= PARTLY => fill(self.phrases.met_partly, &[("quote", &quote)]),
            _ => self.phrases.unmet.to_owned(),
        };
        let feedback = if judged.share < GOOD && !terms.is_empty() {
            language::sentences::joined(
                [feedback.as_str(), &fill(self.phrases.missing, &[("terms", &terms)])].into_iter(),
            )
        } else {
            feedback
        };
        let score = rounded(judged.share.clamp(0.0, 1.0) * judged.max_score).clamp(0.0, judged.max_score);
        CriterionGrade { criterion: judged.name, score, max_score: judged.max_score, feedback }
    }
}

/// A quotation that fits into a sentence.
fn short(quote: &str) -> String {
    let line: Vec<&str> = quote.split_whitespace().collect();
    let line = line.join(" ");
    shorten(line.trim_end_matches(['.', ',', ';']), QUOTE_WORDS, QUOTE_CHARACTERS)
}
