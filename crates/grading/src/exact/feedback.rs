//! What is said of an exact answer: what differs, and what to do about it, in the language that was asked for.

use language::normal::shorten;
use language::{ExactFeedback, fill};

use super::super::{AttachmentText, DetailLevel, Grade, IntegrityFlag, ReviewReason, Submission, Tone, builtin};
use super::compare::Difference;
use super::judgement::{Finding, Judgement};

/// How sure a comparison can be at most of an answer that was not read in full.
const UNREAD: f64 = 0.2;
const MOST_QUOTED_WORDS: usize = 12;
const MOST_QUOTED_CHARACTERS: usize = 80;

/// The grade that a judgement is.
pub(super) fn grade(
    submission: &Submission,
    judgement: &Judgement,
    reference: &str,
    integrity: Vec<IntegrityFlag>,
) -> Grade {
    let teaching = language::teaching(&submission.language);
    let phrases = &teaching.exact;
    let quoted = quote(&submission.answer);
    let wanted = quote(reference);
    let is_right = judgement.finding == Finding::Right;
    let mistake = (!is_right).then(|| mistake(phrases, &judgement.finding, &quoted, &wanted));
    let strength = strength(phrases, &judgement.finding, &quoted);
    let is_near = matches!(judgement.finding, Finding::Less | Finding::Near);
    let advice = match is_near {
        true => teaching.feedback.by_person.to_owned(),
        false => fill(phrases.advice, &[("reference", &wanted)]),
    };
    let warm = submission.feedback.tone == Tone::Encouraging;
    let mut summary: Vec<&str> = Vec::new();
    if let Some(strength) = strength.as_deref().filter(|_| is_right || warm) {
        summary.push(strength);
    }
    summary.extend(mistake.as_deref());
    if is_near || !is_right && submission.feedback.detail_level == DetailLevel::Detailed {
        summary.push(&advice);
    }
    let unread = unread(submission);
    summary.extend(unread.as_deref());
    let feedback_summary = summary.join(" ");
    let unread_reason = unread.as_ref().map(|_| ReviewReason::UnreadFiles);
    let near_reason = is_near.then_some(ReviewReason::NearlyEqual);
    Grade {
        score: submission.max_score * judgement.share,
        confidence: if unread.is_some() { judgement.confidence.min(UNREAD) } else { judgement.confidence },
        rubric_breakdown: None,
        strengths: strength.into_iter().collect(),
        mistakes: mistake.into_iter().collect(),
        suggestions: if is_right { Vec::new() } else { vec![advice] },
        feedback_summary,
        next_step: if is_right { phrases.next_right } else { phrases.next_wrong }.to_owned(),
        integrity,
        review_reasons: unread_reason.into_iter().chain(near_reason).collect(),
    }
}

/// What of the answer's files could not be read in full, where there is any.
fn unread(submission: &Submission) -> Option<String> {
    let partly = submission.answer_files.iter().filter(|file| !matches!(file.text, AttachmentText::Whole(_)));
    let names: Vec<&str> = partly.map(|file| file.file_name.as_str()).collect();
    let template = builtin::unread_phrase(&submission.language);
    (!names.is_empty()).then(|| fill(template, &[("files", &names.join(", "))]))
}

fn strength(phrases: &ExactFeedback, finding: &Finding, quoted: &str) -> Option<String> {
    match finding {
        Finding::Right => Some(fill(phrases.right, &[("answer", quoted)])),
        Finding::Part { right, counted, .. } => {
            Some(fill(phrases.part, &[("right", &right.to_string()), ("counted", &counted.to_string())]))
        }
        Finding::NoUnit | Finding::Differs(Difference::Unit) => Some(phrases.number_right.to_owned()),
        _ => None,
    }
}

fn mistake(phrases: &ExactFeedback, finding: &Finding, quoted: &str, wanted: &str) -> String {
    let values = [("answer", quoted), ("reference", wanted)];
    let template = match finding {
        Finding::Right => return String::new(),
        Finding::Empty => phrases.empty,
        Finding::OnlyOrders => phrases.orders,
        Finding::CopiedQuestion => phrases.copied,
        Finding::NoUnit => phrases.no_unit,
        Finding::Less | Finding::Near => phrases.near,
        Finding::Marks => phrases.marks,
        Finding::Negated => phrases.negated,
        Finding::Several => phrases.several,
        Finding::Form => phrases.kind,
        Finding::Part { missing, .. } if missing.is_empty() => phrases.extra,
        Finding::Part { missing, .. } => {
            let missing = quote(&missing.join(", "));
            return fill(phrases.missing, &[("missing", &missing)]);
        }
        Finding::Differs(difference) => match difference {
            Difference::Amount { converted: Some(value) } => {
                let values = [("answer", quoted), ("reference", wanted), ("value", value.as_str())];
                return fill(phrases.converted, &values);
            }
            Difference::Amount { converted: None } | Difference::Value => phrases.wrong,
            Difference::Sign => phrases.sign,
            Difference::Rounding => phrases.rounding,
            Difference::Unit => phrases.unit,
            Difference::Order => phrases.order,
            Difference::Items { missing, .. } if *missing > 0 => phrases.incomplete,
            Difference::Items { .. } => phrases.extra,
            Difference::Bounds => phrases.bounds,
            Difference::Kind => phrases.kind,
        },
    };
    fill(template, &values)
}

/// A learner's words for a sentence of ours: visible, on one line, short.
fn quote(text: &str) -> String {
    let plain: String = text
        .chars()
        .take(MOST_QUOTED_CHARACTERS * 4)
        .map(|one| if one.is_whitespace() { ' ' } else { one })
        .filter(|one| !one.is_control() && !super::characters::hides_something(one.encode_utf8(&mut [0; 4])))
        .collect();
    let plain = plain.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    shorten(&plain.replace(['“', '”'], "\""), MOST_QUOTED_WORDS, MOST_QUOTED_CHARACTERS)
}
