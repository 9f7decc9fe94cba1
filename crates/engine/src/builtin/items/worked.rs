//! Worked examples, asked again with other numbers.
//!
//! An example is varied where one calculation in it gives its result: the numbers of the task are changed, and the
//! calculation is done again.

use language::normal::stable_hash;

use crate::drafts::QuizItemKind;
use crate::reading::blocks::{Body, WorkedExample};
use crate::text::arithmetic::{self, Calculation};
use crate::text::numbers::{self, Number};

use super::{Candidate, Evidence, Form, MAX_ENTRIES, MAX_SHOWN, Rank, Workshop, fits};

/// How often other numbers are tried.
const TRIES: u64 = 60;
/// How much of its lesson an example is about.
const WEIGHT: f64 = 1.0;

impl Workshop<'_> {
    pub(super) fn about_examples(&self, lesson: usize, found: &mut Vec<Candidate>) {
        for block in self.lesson(lesson).reading.blocks.iter().filter(|block| block.teaches()).take(MAX_ENTRIES) {
            let Body::Example(example) = &block.body else { continue };
            let Some(varied) = vary(example).filter(|varied| fits(&varied.problem, MAX_SHOWN)) else { continue };
            let fact = format!("example {}", example.problem.text);
            let evidence = Evidence { lesson, pointer: &block.pointer, quote: &varied.told, fact, weight: WEIGHT };
            let form = Form::Written { kind: QuizItemKind::Blank, keys: varied.keys };
            let mut candidate = self.candidate(evidence, Rank::Sound, varied.problem, form);
            candidate.explanation = format!("{} = {}", varied.calculation, varied.result);
            found.push(candidate);
        }
    }
}

/// An example with other numbers.
#[derive(Debug, PartialEq)]
struct Varied {
    problem: String,
    calculation: String,
    result: String,
    /// The result with its unit, and without.
    keys: Vec<String>,
    /// What the source calculates.
    told: String,
}

fn vary(example: &WorkedExample) -> Option<Varied> {
    let result = example.result.as_ref()?.text.as_str();
    let texts = example.steps.iter().map(|step| step.text.text.as_str()).chain([result]);
    let mut calculations: Vec<Calculation> = texts.flat_map(arithmetic::find).collect();
    calculations.dedup();
    let [calculation] = &calculations[..] else { return None };
    let [answer] = numbers::find(without(result, &calculation.text))[..] else { return None };
    if answer.text != calculation.result_text {
        return None;
    }
    let problem = example.problem.text.as_str();
    let given = numbers::find(problem);
    let once = |text: &str| given.iter().filter(|number| number.text == text).count() == 1;
    // Every number of the task takes part in the calculation, and only once.
    let used = |number: &&Number<'_>| calculation.numbers().filter(|text| *text == number.text).count() == 1;
    let all_read =
        numbers::digits(problem).count() == given.iter().flat_map(|number| numbers::digits(number.text)).count();
    if given.is_empty()
        || !all_read
        || !given.iter().all(|number| once(number.text))
        || !given.iter().all(|number| used(&number))
    {
        return None;
    }
    let seed = stable_hash(problem);
    (0..TRIES).find_map(|attempt| {
        let others: Vec<(String, String)> = given
            .iter()
            .zip(0_u64..)
            .map(|(number, place)| Some((number.text.to_owned(), other(number.text, seed, attempt * 7 + place)?)))
            .collect::<Option<_>>()?;
        let keeps_order = given.windows(2).zip(others.windows(2)).all(|(old, new)| {
            numbers::value(old[0].text).partial_cmp(&numbers::value(old[1].text))
                == numbers::value(&new[0].1).partial_cmp(&numbers::value(&new[1].1))
        });
        let changed = calculation.with(&others)?;
        let fits = keeps_order && changed.result_text != calculation.result_text && changed.result > 0.0;
        if !fits {
            return None;
        }
        let unit = without(result, &calculation.text);
        let unit = unit[answer_end(unit, answer.text)?..].trim_end_matches(['.', '。', '।', '$']).trim_end();
        let whole = format!("{}{unit}", changed.result_text);
        let mut keys = vec![whole.trim().to_owned()];
        keys.extend(Some(changed.result_text.clone()).filter(|bare| *bare != keys[0]));
        Some(Varied {
            problem: replaced(problem, &given, &others),
            calculation: changed.text,
            result: whole,
            keys,
            told: format!("{} = {}", calculation.text, calculation.result_text),
        })
    })
}

/// What stands behind a calculation in a text, or all of it.
fn without<'t>(text: &'t str, calculation: &str) -> &'t str {
    text.find(calculation).map_or(text, |at| &text[at + calculation.len()..])
}

fn answer_end(text: &str, answer: &str) -> Option<usize> {
    text.find(answer).map(|at| at + answer.len())
}

/// Another number of the same form, between a half and twice as much.
fn other(text: &str, seed: u64, attempt: u64) -> Option<String> {
    let digits: i64 = text.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok()?;
    let unit = 10_i64.pow(text.bytes().rev().take_while(|byte| *byte == b'0').count().try_into().ok()?);
    let significant = digits / unit;
    let most = (significant / 2).max(2);
    let spread = i64::try_from((seed ^ attempt.wrapping_mul(0x9e37_79b9)) % (2 * most.unsigned_abs() + 1)).ok()? - most;
    let changed = (significant + spread) * unit;
    let as_round = unit > 1 || changed % 10 != 0;
    (spread != 0 && changed > 0 && as_round).then(|| numbers::formed(changed, text)).flatten()
}

fn replaced(text: &str, given: &[Number<'_>], others: &[(String, String)]) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut from = 0;
    for (number, (_, other)) in given.iter().zip(others) {
        replaced.push_str(&text[from..number.start]);
        replaced.push_str(other);
        from = number.start + number.text.len();
    }
    replaced + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::blocks::Item;
    use crate::reading::inline::Passage;
    use crate::reading::pointer::Pointer;

    fn example(problem: &str, steps: &[&str], result: &str) -> WorkedExample {
        let step = |text: &&str| Item {
            pointer: Pointer::root("/x"),
            level: 0,
            text: Passage::plain(text),
            notes: Vec::new(),
        };
        WorkedExample {
            title: None,
            problem: Passage::plain(problem),
            steps: steps.iter().map(step).collect(),
            result: Some(Passage::plain(result)),
        }
    }

    #[test]
    fn an_example_is_asked_again_with_other_numbers() {
        let varied = vary(&example(
            "A rectangle is 8 cm long and 3 cm wide. What is its area?",
            &["Multiply length and width.", "8 × 3 = 24"],
            "24 cm²",
        ))
        .unwrap();
        assert!(!varied.problem.contains("8 cm") && varied.problem.starts_with("A rectangle is "), "{varied:?}");
        let [given, key] = [numbers::find(&varied.problem), numbers::find(&varied.keys[0])];
        let product: u64 = given.iter().map(|number| number.text.parse::<u64>().unwrap()).product();
        assert_eq!((key[0].text.parse(), varied.keys[0].ends_with(" cm²")), (Ok(product), true), "{varied:?}");
    }

    #[test]
    fn what_can_not_be_calculated_again_is_left_alone() {
        for (problem, steps, result) in [
            ("Solve 2x = 8.", &["x = 8 / 2 = 4"][..], "x = 4"),
            ("A train goes 120 km in 2 h, then 60 km.", &["120 / 2 = 60"], "60 km/h"),
            ("How old is he?", &["3 + 4 = 7"], "7"),
            ("A box holds 4 rows of 6 eggs.", &["4 × 6 = 23"], "23"),
        ] {
            assert_eq!(vary(&example(problem, steps, result)), None, "{problem}");
        }
    }
}
