//! `exact`: whether an answer has the same value as the reference, by code alone.
//!
//! A submission's texts are brought to plain characters ([`characters`]); what talks to the grader is set aside. The question says
//! whose words are read and which form is required ([`task`], [`forms`]). Then the reference decides what is compared: letters of
//! options ([`choices`]), dates ([`dates`]) and years ([`eras`]), values of mathematics ([`extract`] finds them, [`values`] reads
//! them, [`compare`] judges them), or words ([`texts`]). The score is all or nothing with three exceptions: each right item of a list of
//! words counts, a right number without its unit gets half, and a part of the reference without other words gets the built-in
//! grader's estimate. Nothing here does I/O, recurses without bound, or takes more than linear time; no input makes it fail.

mod characters;
mod choices;
mod compare;
mod dates;
mod eras;
mod evaluate;
mod expressions;
mod extract;
mod feedback;
mod folding;
mod forms;
mod judgement;
mod latex;
mod names;
mod number_words;
mod numerals;
mod phrases;
mod ratio;
mod task;
mod texts;
pub(crate) mod units;
mod values;
mod vocabulary;

#[cfg(test)]
mod tests;

use self::compare::{Difference, Expected};
use self::expressions::Notation;
use self::judgement::{Finding, Judgement};
use self::numerals::{LoneComma, Separators};
use self::task::Task;
use self::texts::Words;
use self::values::Value;
use super::{Grade, GradingError, IntegrityFlag, Submission, builtin};

/// A longer reference is no value; it may be a solution that ends in one.
const MOST_REFERENCE_BYTES: usize = 200_000;

/// Grades an `exact` submission (platform-api section 2; decisions, `exact`).
///
/// # Errors
/// When the submission has no reference, or one that is too long to be a value.
pub fn grade(submission: &Submission) -> Result<Grade, GradingError> {
    let given = submission.reference_answer.iter().chain(&submission.other_references);
    let references: Vec<&String> = given.filter(|reference| !reference.trim().is_empty()).collect();
    if references.is_empty() {
        return Err(GradingError::lasting("missing_reference", "An exact evaluation needs a reference answer."));
    }
    if references.iter().any(|reference| reference.len() > MOST_REFERENCE_BYTES) {
        return Err(GradingError::lasting("reference_too_long", "The reference answer is too long to be compared."));
    }
    let task = Task::of(submission, references.first().map_or("", |reference| reference.as_str()));
    let readings = Answer::readings(submission, &task);
    let pairs = references.iter().flat_map(|reference| readings.iter().map(move |answer| (answer, *reference)));
    let judged = pairs.map(|(answer, reference)| (answer.judge(reference), reference));
    let best = judged.reduce(|best, next| if next.0.rank() > best.0.rank() { next } else { best });
    let Some((judgement, reference)) = best else {
        return Err(GradingError::lasting("missing_reference", "An exact evaluation needs a reference answer."));
    };
    let judgement = match judgement.finding {
        Finding::Less => Judgement { share: estimate(submission), ..judgement },
        _ => judgement,
    };
    Ok(feedback::grade(submission, &judgement, reference, flags(&readings)))
}

/// The share that the submission would earn as an open answer, which is what a teacher is expected to give.
fn estimate(submission: &Submission) -> f64 {
    builtin::grade(submission).score / submission.max_score
}

/// The answer, read once for all references.
struct Answer<'s> {
    submission: &'s Submission,
    task: &'s Task,
    /// In plain characters.
    text: String,
    /// All of it, or what is left without the sentences that talk to the grader.
    answering: String,
    /// Where its value may be, in plain notation.
    candidates: Vec<String>,
}

fn flags(readings: &[Answer<'_>]) -> Vec<IntegrityFlag> {
    let mut flags = Vec::new();
    if readings.len() > 1 {
        flags.push(IntegrityFlag::AddressesGrader);
    }
    if readings.iter().any(|answer| characters::hides_something(&answer.submission.answer)) {
        flags.push(IntegrityFlag::HiddenText);
    }
    flags
}

impl<'s> Answer<'s> {
    /// The answer as it is written and, where a sentence of it seems to talk to the grader, without that as well: the better
    /// one counts, so an honest sentence costs nothing and talk beside a value neither.
    fn readings(submission: &'s Submission, task: &'s Task) -> Vec<Self> {
        let wanted = submission.reference_answer.iter().chain(&submission.other_references);
        // Markup that nobody asked for is not what was said.
        let asks_for_tags = wanted.chain([&submission.question]).any(|text| characters::without_tags(text) != *text);
        let bare = if asks_for_tags {
            submission.answer.as_str().into()
        } else {
            characters::without_tags(&submission.answer)
        };
        let text = characters::plain(&bare);
        let answering = without_orders(&text);
        let has_orders = answering.len() < text.len();
        let without = has_orders.then(|| Self::of(submission, task, &text, answering));
        std::iter::once(Self::of(submission, task, &text, text.clone())).chain(without).collect()
    }

    fn of(submission: &'s Submission, task: &'s Task, text: &str, answering: String) -> Self {
        let candidates = extract::candidates(&answering, task.words);
        Self { submission, task, text: text.to_owned(), answering, candidates }
    }

    fn judge(&self, reference: &str) -> Judgement {
        let reference = characters::plain(reference);
        if tidy(&self.text) == tidy(&reference) {
            return Judgement::right(1.0);
        }
        if !self.text.chars().any(|one| !one.is_whitespace()) {
            return Judgement::wrong(Finding::Empty);
        }
        if self.answering.trim().is_empty() {
            return Judgement::wrong(Finding::OnlyOrders);
        }
        if self.copies_question(&reference) {
            return Judgement::wrong(Finding::CopiedQuestion);
        }
        let formula = self.candidates.first().filter(|_| self.answering.contains(['\\', '$']));
        let said = formula.unwrap_or(&self.answering);
        if let Some(is_same) = choices::compare(&reference, said, self.task) {
            let wrong = Judgement::wrong(Finding::Differs(Difference::Amount { converted: None }));
            return if is_same { Judgement::right(0.98) } else { wrong };
        }
        if let Some(judgement) = self.day_or_time(&reference) {
            return judgement;
        }
        let (of_value, was_value) = self.judge_value(&reference);
        let of_value = of_value.or_else(|| was_value.then(|| Judgement::wrong(Finding::Differs(Difference::Kind))));
        match of_value {
            Some(judgement) if judgement.share > 0.0 || !is_wordy(&reference) => judgement,
            _ => self.judge_words(&reference),
        }
    }

    fn day_or_time(&self, reference: &str) -> Option<Judgement> {
        let language = self.task.language.as_str();
        let wrong = || Judgement::wrong(Finding::Differs(Difference::Amount { converted: None }));
        let judged = |is_same: bool| if is_same { Judgement::right(0.98) } else { wrong() };
        let answer = tidy(&self.answering);
        if let Some(day) = dates::parse(tidy(reference), language) {
            let clauses = std::iter::once(answer).chain(self.candidates.iter().map(|candidate| tidy(candidate)));
            return Some(
                clauses
                    .filter_map(|text| dates::parse(text, language))
                    .next()
                    .map_or_else(wrong, |given| judged(given.holds(day))),
            );
        }
        let denies = || folding::words(answer, language).iter().any(|word| self.task.words.is_negator(word));
        if let Some((wanted, true)) = eras::parse(tidy(reference))
            && !denies()
        {
            let clauses = std::iter::once(answer).chain(self.candidates.iter().map(|candidate| tidy(candidate)));
            let (given, says_era) = clauses.filter_map(eras::parse).next()?;
            let names_era = says_era || eras::are_named(&self.task.question);
            return Some(judged(if says_era { given == wanted } else { given.is_near(wanted, names_era) }));
        }
        if let Some((given, true)) = eras::parse(answer)
            && !denies()
            && let Some((wanted, false)) = eras::parse(tidy(reference))
        {
            return Some(judged(given == wanted));
        }
        if let Some(year) = dates::year(tidy(reference))
            && let Some(given) = dates::parse(answer, language)
        {
            return Some(judged(given.is_in(year)));
        }
        let time = dates::time_of_day(tidy(reference))?;
        Some(judged(dates::time_of_day(answer)? == time))
    }

    /// Compares values; the second says whether the reference is one that words can't equal.
    fn judge_value(&self, reference: &str) -> (Option<Judgement>, bool) {
        let separators = numerals::separators(&self.task.language);
        let both = [LoneComma::Decimal, LoneComma::Separates];
        let commas = if separators == Separators::Point { &both[..] } else { &both[..1] };
        let mut best: Option<Judgement> = None;
        let mut was_value = false;
        for comma in commas {
            // Between brackets a comma without a space is no decimal one.
            let of = |text: &str| {
                let is_list = separators == Separators::Point && text.contains(['(', '[', '{']);
                Notation {
                    separators,
                    comma: if is_list { LoneComma::Separates } else { *comma },
                    words: self.task.words,
                }
            };
            let wanted = extract::of_reference(reference, self.task.words)
                .into_iter()
                .map(|text| values::parse(&text, of(&text)));
            let Some(wanted) = wanted.into_iter().find(Value::is_comparable) else { continue };
            was_value = true;
            let given = self.candidates.iter().map(|text| values::parse(text, of(text))).find(Value::is_comparable);
            let Some(given) = given else { continue };
            let mut judgement = self.judged(&wanted, &given);
            // 7! may be a factorial, and the number 7 said with joy.
            if judgement.share < 1.0
                && let Some(calm) = self.answering.trim_end().strip_suffix('!')
            {
                let again = self.judged(&wanted, &values::parse(calm, of(calm)));
                judgement = if again.rank() > judgement.rank() { again } else { judgement };
            }
            if best.as_ref().is_none_or(|best| judgement.rank() > best.rank()) {
                best = Some(judgement);
            }
        }
        (best, was_value)
    }

    fn judged(&self, wanted: &Value, given: &Value) -> Judgement {
        let judgement = Judgement::of_value(compare::compare(wanted, given, self.expected(wanted)));
        let lacks_form = judgement.share > 0.0 && self.task.forms.are_missed(wanted, given);
        if lacks_form { Judgement::wrong(Finding::Form) } else { judgement }
    }

    /// What the question says of units.
    fn expected(&self, wanted: &Value) -> Expected {
        let is_ordered = self.task.forms.is_ordered;
        let Value::Scalar(scalar) = wanted else { return Expected { is_ordered, ..Expected::default() } };
        let Some(unit) = &scalar.unit else {
            return Expected { names_unit: false, asks_percent: self.names(|unit| unit.is_share), is_ordered };
        };
        let names_unit = self.names(|named| named == unit);
        Expected { names_unit, asks_percent: unit.is_share && names_unit, is_ordered }
    }

    fn names(&self, is_meant: impl Fn(&units::Unit) -> bool) -> bool {
        self.task.units().iter().any(is_meant)
    }

    /// "7 * 8" is no answer to "What is 7 * 8?".
    fn copies_question(&self, reference: &str) -> bool {
        let squeezed = |text: &str| text.chars().filter(|one| !one.is_whitespace()).collect::<String>();
        let answer = squeezed(tidy(&self.answering));
        let has_sign = answer.trim_start_matches('-').contains(['+', '*', '/', '^', '-']);
        let is_calculation = has_sign
            && answer.len() >= 3
            && answer.chars().all(|one| one.is_ascii_digit() || "+-*/^().,".contains(one));
        is_calculation
            && answer.len() < 200
            && !squeezed(reference).contains(&answer)
            && squeezed(&self.task.question).contains(&answer)
    }

    fn judge_words(&self, reference: &str) -> Judgement {
        let wanted = extract::of_reference(reference, self.task.words)
            .into_iter()
            .next()
            .unwrap_or_else(|| reference.to_owned());
        let forms = texts::forms(&wanted, self.task.words).into_iter();
        let judged = forms.map(|form| Judgement::of_words(texts::compare(form, &self.answering, self.task)));
        let best = judged.reduce(|best, next| if next.rank() > best.rank() { next } else { best });
        let mut best = best.unwrap_or_else(|| Judgement::of_words(Words::Different));
        for candidate in self.candidates.iter().take(2).filter(|candidate| **candidate != self.answering) {
            if best.share >= 1.0 || !self.answering.contains(['\\', '$']) {
                break;
            }
            let next = Judgement::of_words(texts::compare(&wanted, candidate, self.task));
            if next.rank() > best.rank() {
                best = next;
            }
        }
        best
    }
}

/// "X-ray" could be a difference of names, and is a word.
fn is_wordy(text: &str) -> bool {
    let has_signs = text.contains(|one: char| one.is_ascii_digit() || "=^*+<>≤≥≠√π∞\\$()[]{}|".contains(one));
    let letters = || text.chars().map(char::is_alphabetic);
    !has_signs && letters().zip(letters().skip(1)).any(|(one, next)| one && next)
}

fn tidy(text: &str) -> &str {
    values::tidy(text)
}

/// The text without the sentences that talk to the grader.
fn without_orders(text: &str) -> String {
    if !vocabulary::is_order(text) {
        return text.to_owned();
    }
    text.split_inclusive(['.', '!', '?', '\n', ';']).filter(|sentence| !vocabulary::is_order(sentence)).collect()
}
