//! What a learner is told: what was right, in their own words; what is missing or wrong, named without giving
//! the whole reference away; what to do next. In the language that was asked for.

use language::normal::shorten;
use language::{Feedback, fill};

use super::super::{CriterionGrade, DetailLevel, Grade, IntegrityFlag, ReviewReason, Submission, Tone};
use super::intake::Intake;
use super::judgement::{self, Judged, Judgement, Point, PointKind};

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
        strengths: writer.strengths(&points),
        mistakes: writer.mistakes(&points, &judgement),
        suggestions: writer.suggestions(&points, &judgement, intake),
        feedback_summary: writer.summary(&judgement, intake),
        next_step: writer.next_step(&points, &judgement),
        integrity: judgement::flags(intake, &judgement).into_iter().collect(),
        review_reasons: judgement.reasons.iter().copied().collect(),
        rubric_breakdown: judgement
            .criteria
            .map(|criteria| criteria.into_iter().map(|judged| writer.criterion(judged)).collect()),
    }
}

/// To three decimals, so that a grade reads the same wherever it is stored.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
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
    fn strengths(&self, points: &[Point]) -> Vec<String> {
        let template = if self.warm { self.phrases.right_warm } else { self.phrases.right };
        let said = points.iter().filter(|point| point.kind == PointKind::Said);
        let quoted =
            said.filter_map(|point| point.quote.as_deref()).map(|quote| fill(template, &[("quote", &short(quote))]));
        quoted.take(self.most).collect()
    }

    /// What is missing. Where a person has to look, nobody knows.
    fn mistakes(&self, points: &[Point], judgement: &Judgement) -> Vec<String> {
        let mut mistakes = Vec::new();
        if judgement.repeats {
            mistakes.push(self.phrases.repeats.to_owned());
        }
        if judgement.share < GOOD && !judgement.is_for_a_person() {
            let terms =
                lacking(points).map(|point| fill(self.phrases.missing, &[("terms", &(self.join)(&point.terms))]));
            mistakes.extend(terms);
        }
        mistakes.truncate(self.most);
        mistakes
    }

    fn suggestions(&self, points: &[Point], judgement: &Judgement, intake: &Intake) -> Vec<String> {
        let mut suggestions = Vec::new();
        if !intake.unread.is_empty() {
            suggestions.push(fill(self.phrases.unread, &[("files", &intake.unread.join(", "))]));
        }
        if judgement.reasons.contains(&ReviewReason::NotSentences) {
            suggestions.push(self.phrases.whole_sentences.to_owned());
        }
        if judgement.is_blank && !judgement.is_for_a_person() {
            suggestions.push(self.phrases.try_it.to_owned());
        }
        for point in points {
            match (point.kind, point.quote.as_deref()) {
                (PointKind::Doubtful, Some(quote)) => {
                    suggestions.push(fill(self.phrases.check, &[("quote", &short(quote))]));
                }
                (PointKind::Missing | PointKind::Partly, _)
                    if !point.terms.is_empty() && judgement.share < GOOD && !judgement.is_for_a_person() =>
                {
                    suggestions.push(fill(self.phrases.add, &[("terms", &(self.join)(&point.terms))]));
                }
                _ => {}
            }
        }
        let unread = usize::from(!intake.unread.is_empty());
        suggestions.truncate(self.most + unread);
        suggestions
    }

    fn summary(&self, judgement: &Judgement, intake: &Intake) -> String {
        let is_unguided = judgement.reasons.contains(&ReviewReason::NothingToCompare);
        let mut parts: Vec<String> = Vec::new();
        if judgement.is_blank && !judgement.is_for_a_person() {
            parts.push(self.phrases.nothing_said.to_owned());
        } else if is_unguided {
            parts.push(self.phrases.unguided.to_owned());
        } else if !judgement.is_for_a_person() {
            parts.push(self.verdict(judgement.share).to_owned());
        }
        if judgement.reasons.contains(&ReviewReason::OtherLanguage) {
            parts.push(self.phrases.foreign.to_owned());
        }
        if !judgement.reasons.is_empty() {
            parts.push(self.phrases.by_person.to_owned());
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

    /// The judgement in a sentence.
    fn verdict(&self, share: f64) -> &'static str {
        match (share, self.warm) {
            (share, true) if share >= GOOD => self.phrases.good_warm,
            (share, false) if share >= GOOD => self.phrases.good,
            (share, true) if share >= PARTLY => self.phrases.partly_warm,
            (share, false) if share >= PARTLY => self.phrases.partly,
            _ => self.phrases.little,
        }
    }

    fn next_step(&self, points: &[Point], judgement: &Judgement) -> String {
        match lacking(points).next() {
            _ if judgement.is_for_a_person() => self.phrases.next_reread.to_owned(),
            _ if judgement.is_blank => self.phrases.next_start.to_owned(),
            _ if judgement.share >= GOOD => self.phrases.next_good.to_owned(),
            Some(point) => fill(self.phrases.next_terms, &[("terms", &(self.join)(&point.terms))]),
            None => self.phrases.next_reread.to_owned(),
        }
    }

    fn criterion(&self, judged: Judged) -> CriterionGrade {
        let score = rounded(judged.share.clamp(0.0, 1.0) * judged.max_score).clamp(0.0, judged.max_score);
        let feedback =
            if judged.is_for_a_person { self.phrases.by_person.to_owned() } else { self.on_criterion(&judged) };
        CriterionGrade { criterion: judged.name, score, max_score: judged.max_score, feedback }
    }

    fn on_criterion(&self, judged: &Judged) -> String {
        let said = judged.points.iter().find(|point| matches!(point.kind, PointKind::Said | PointKind::Partly));
        let quote = said.and_then(|point| point.quote.as_deref()).map(short);
        let told = match (judged.share, quote) {
            (share, Some(quote)) if share >= GOOD => fill(self.phrases.met, &[("quote", &quote)]),
            (share, Some(quote)) if share >= PARTLY => fill(self.phrases.met_partly, &[("quote", &quote)]),
            _ => self.verdict(judged.share).to_owned(),
        };
        match lacking(&judged.points).next().filter(|_| judged.share < GOOD) {
            Some(point) => {
                let missing = fill(self.phrases.missing, &[("terms", &(self.join)(&point.terms))]);
                language::sentences::joined([told.as_str(), &missing].into_iter())
            }
            None => told,
        }
    }
}

/// The ideas that are not there, with words for what is missing.
fn lacking(points: &[Point]) -> impl Iterator<Item = &Point> {
    let is_lacking = |point: &&Point| matches!(point.kind, PointKind::Missing | PointKind::Partly);
    points.iter().filter(is_lacking).filter(|point| !point.terms.is_empty())
}

/// A quotation that fits into a sentence.
fn short(quote: &str) -> String {
    let line: Vec<&str> = quote.split_whitespace().collect();
    let line = line.join(" ");
    shorten(line.trim_end_matches(['.', ',', ';']), QUOTE_WORDS, QUOTE_CHARACTERS)
}
