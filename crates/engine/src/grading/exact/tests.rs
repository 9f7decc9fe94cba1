//! Tests of exact grading: tables of answers, and properties that hold for all.

mod properties;
mod tables;

use super::super::{Attachment, EvaluationType, FeedbackOptions, Grade, Submission, Tier};

/// A submission worth two points.
fn submission(question: &str, reference: &str, answer: &str, language: &str) -> Submission {
    Submission {
        evaluation_type: EvaluationType::Exact,
        question: question.to_owned(),
        answer: answer.to_owned(),
        reference_answer: Some(reference.to_owned()),
        other_references: Vec::new(),
        criteria: Vec::new(),
        rubric_files: Vec::<Attachment>::new(),
        answer_files: Vec::new(),
        max_score: 2.0,
        language: language.to_owned(),
        subject: None,
        grade_level: None,
        difficulty: None,
        feedback: FeedbackOptions::default(),
        tier: Tier::default(),
        reviewed: Vec::new(),
        tenant: String::new(),
    }
}

fn graded(question: &str, reference: &str, answer: &str, language: &str) -> Grade {
    super::grade(&submission(question, reference, answer, language)).unwrap()
}

/// The part of the points, from 0 to 1.
fn share(question: &str, reference: &str, answer: &str, language: &str) -> f64 {
    graded(question, reference, answer, language).score / 2.0
}
