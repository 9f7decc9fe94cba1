//! Variants of references that must stay right, and variants that must be wrong, in every language of drafts.
//!
//! A right variant that loses points is a false zero; a wrong variant with all points is false credit. Both are counted by language and
//! printed with `--no-capture`.

mod samples;

use std::fmt::Write as _;
use std::io::Write as _;

use super::share;
use samples::{SAMPLES, Sample};

/// What is expected of the variants of one language.
struct Count {
    tag: &'static str,
    right: usize,
    wrong: usize,
    false_zeros: Vec<String>,
    false_credit: Vec<String>,
}

impl Count {
    fn right(&mut self, question: &str, reference: &str, answer: &str) {
        self.right += 1;
        let got = share(question, reference, answer, self.tag);
        if got < 1.0 {
            self.false_zeros.push(format!("{answer:?} for {reference:?} of {question:?}: {got}"));
        }
    }

    fn wrong(&mut self, question: &str, reference: &str, answer: &str) {
        self.wrong += 1;
        if share(question, reference, answer, self.tag) >= 1.0 {
            self.false_credit.push(format!("{answer:?} for {reference:?} of {question:?}"));
        }
    }

    /// Case, punctuation and copies of the question's words around a reference.
    fn around(&mut self, question: &str, reference: &str, restated: &str, answer: &str) {
        for (before, after) in
            [("", "."), ("", "!"), (" ", "  "), ("\"", "\""), ("«", "»"), ("„", "“"), ("**", "**"), ("", "\n")]
        {
            self.right(question, reference, &format!("{before}{answer}{after}"));
        }
        self.right(question, reference, &restated.replace("{}", answer));
    }
}

fn with_group(digits: &str, group: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push_str(group);
        }
        text.push(digit);
    }
    text
}

fn words(sample: &Sample, count: &mut Count) {
    let (question, restated, negated) = sample.sentences;
    for (reference, other) in sample.words {
        count.around(question, reference, restated, reference);
        if !matches!(sample.tag, "tr") {
            count.right(question, reference, &reference.to_uppercase());
        }
        count.right(question, reference, &reference.to_lowercase());
        count.right(question, reference, &format!("{}{reference}", sample.article));
        count.wrong(question, reference, other);
        count.wrong(question, reference, &negated.replace("{}", reference));
        count.wrong(question, reference, &restated.replace("{}", other));
        count.wrong(question, reference, &format!("{reference}{}{other}", sample.or));
        count.wrong(question, reference, &format!("{other}, {reference}"));
        count.wrong(question, reference, question);
        count.wrong(question, reference, "");
    }
}

fn lists(sample: &Sample, count: &mut Count) {
    let [one, two, three] = sample.items;
    let (comma, and, question) = (sample.comma, sample.and, sample.list_question);
    let reference = format!("{one}{comma}{two}{comma}{three}");
    for [first, second, third] in [
        [one, two, three],
        [one, three, two],
        [two, one, three],
        [two, three, one],
        [three, one, two],
        [three, two, one],
    ] {
        count.right(question, &reference, &format!("{first}{comma}{second}{comma}{third}"));
        count.right(question, &reference, &format!("{first}{comma}{second}{and}{third}"));
        count.right(question, &reference, &format!("{first}; {second}; {third}."));
        count.right(question, &reference, &format!("{first}\n{second}\n{third}"));
    }
    count.right(question, &format!("{one}{comma}{two}{and}{three}"), &reference);
    count.wrong(question, &reference, &format!("{one}{comma}{two}"));
    count.wrong(question, &reference, &format!("{one}{and}{three}"));
    count.wrong(question, &reference, &format!("{reference}{comma}{}", sample.other_item));
    count.wrong(question, &reference, &format!("{one}{comma}{two}{comma}{}", sample.other_item));
}

fn numbers(sample: &Sample, count: &mut Count) {
    let (question, restated, negated) = sample.number_sentences;
    let (group, point) = sample.separators;
    for value in [7_i64, 42, 365, -13, 1_234, 25_000, 2_500_000] {
        let sign = if value < 0 { "-" } else { "" };
        let digits = value.unsigned_abs().to_string();
        let reference = format!("{sign}{digits}");
        count.around(question, &reference, restated, &reference);
        let grouped = format!("{sign}{}", with_group(&digits, group));
        count.right(question, &reference, &grouped);
        count.right(question, &grouped, &reference);
        count.right(question, &reference, &restated.replace("{}", &grouped));
        count.right(question, &reference, &format!("{reference}{point}0"));
        count.right(question, &reference, &format!("= {reference}"));
        count.wrong(question, &reference, &(value + 1).to_string());
        count.wrong(question, &reference, &(-value).to_string());
        count.wrong(question, &reference, &(value * 10).to_string());
        count.wrong(question, &reference, &negated.replace("{}", &reference));
        count.wrong(question, &reference, &format!("{reference}{}{}", sample.or, value + 1));
        count.wrong(question, &reference, &format!("{reference}{point}5"));
    }
    let decimal = format!("0{point}75");
    for same in ["3/4", "75%", "¾", "6/8"] {
        count.right(question, &decimal, same);
    }
    for other in [format!("0{point}57"), format!("7{point}5"), format!("-0{point}75"), "4/3".to_owned()] {
        count.wrong(question, &decimal, &other);
    }
    for (word, value) in sample.number_words {
        count.right(question, value, word);
        count.right(question, word, value);
        count.right(question, value, &restated.replace("{}", word));
        count.wrong(question, &(value.parse::<i64>().unwrap() + 1).to_string(), word);
    }
}

fn quantities(sample: &Sample, count: &mut Count) {
    let question = sample.quantity_question;
    let point = sample.separators.1;
    for (number, unit, same, converted, others) in [
        (format!("3{point}5"), "km", sample.kilometres, "3500 m", ["m", "kg", "cm"]),
        ("5".to_owned(), "kg", sample.kilograms, "5000 g", ["g", "km", "l"]),
        ("2".to_owned(), "h", sample.hours, "120 min", ["min", "s", "kg"]),
        ("90".to_owned(), "min", sample.minutes, "5400 s", ["s", "h", "m"]),
        ("3".to_owned(), "l", sample.litres, "3000 ml", ["ml", "kg", "m"]),
        ("20".to_owned(), "m²", sample.square_metres, "200000 cm²", ["m", "km²", "cm²"]),
        ("60".to_owned(), "km/h", sample.kilometres_per_hour, "60000 m/h", ["m/s", "km", "m/h"]),
        ("100".to_owned(), "°C", sample.degrees_celsius, "373.15 K", ["K", "°F", "m"]),
        ("30".to_owned(), "%", sample.percent, "30 %", ["‰", "km", "kg"]),
    ] {
        let reference = format!("{number} {unit}");
        count.right(question, &reference, &format!("{number}{unit}"));
        count.right(question, &reference, &format!("{reference}."));
        count.right(question, &reference, &converted.replace('.', point));
        count.right(question, &reference, &sample.number_sentences.1.replace("{}", &reference));
        for name in same {
            count.right(question, &reference, &format!("{number} {name}"));
            count.right(question, &format!("{number} {name}"), &reference);
            count.wrong(question, &reference, &format!("1{number} {name}"));
        }
        for other in others {
            count.wrong(question, &reference, &format!("{number} {other}"));
        }
        count.wrong(question, &reference, &format!("-{reference}"));
        count.wrong(question, &reference, &format!("1{reference}"));
        count.wrong(question, &reference, &sample.number_sentences.2.replace("{}", &reference));
    }
    for degrees in sample.degrees {
        count.right(question, "100 °C", &format!("100 {degrees}"));
        count.right(question, &format!("100 {degrees}"), "100 °C");
        count.right(question, &format!("90 {degrees}"), "90°");
        count.wrong(question, "100 °C", &format!("90 {degrees}"));
        count.wrong(question, &format!("90 {degrees}"), "90 km");
    }
}

fn mathematics(sample: &Sample, count: &mut Count) {
    let (_, restated, negated) = sample.number_sentences;
    for (reference, right, wrong) in [
        ("x^2-5x+6", ["(x-2)(x-3)", "6-5x+x²", "x*x-5x+6"], ["x^2+5x+6", "(x+2)(x-3)", "x^2-5x"]),
        ("2x+3", ["3+2x", "2*x + 3", "y = 2x+3"], ["2x-3", "3x+2", "2x"]),
        ("x = 3", ["3", "3 = x", "x=6/2"], ["x = -3", "y = 3", "4"]),
        ("y = 2x + 3", ["2x - y + 3 = 0", "y - 3 = 2x", "2x+3"], ["y = 2x - 3", "y = 3x + 2", "2x + y + 3 = 0"]),
        ("5√2", ["√50", "5*sqrt(2)", "$5\\sqrt{2}$"], ["2√5", "5√3", "-5√2"]),
        ("(1; 2)", ["(1 ; 2)", "$\\left(1; 2\\right)$", "(2/2; 2)"], ["(2; 1)", "1", "(1; 3)"]),
        ("[0; 9)", ["0 ≤ x < 9", "[0; 9[", "9 > x ≥ 0"], ["[0; 9]", "(0; 9)", "0 ≤ x < 8"]),
        ("x > 5", ["5 < x", "(5; ∞)", "]5; +∞["], ["x < 5", "x ≥ 5", "x > 6"]),
        ("{1; 2; 3}", ["{3; 2; 1}", "1; 2; 3", "3; 1; 2"], ["{1; 2}", "{1; 2; 3; 4}", "{1; 2; 4}"]),
        ("x^2+1; x-1; 7", ["7; x-1; x^2+1", "x-1; 1+x^2; 7", "-1+x; 7; x^2+1"], ["x^2+1; x-1", "x^2-1; x-1; 7", "7"]),
        (
            "$\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}$",
            ["$\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}$", "[[1; 2]; [3; 4]]", "[1 2; 3 4]"],
            ["[1 2; 3 5]", "[1 3; 2 4]", "[[1; 2]; [3; 5]]"],
        ),
        ("1/3", ["2/6", "$\\frac13$", "$\\frac{1}{3}$"], ["3", "2/3", "-1/3"]),
        ("6.02 × 10^23", ["6.02e23", "60.2 × 10^22", "6.02·10²³"], ["6.02 × 10^22", "6.02", "-6.02 × 10^23"]),
    ] {
        for same in right {
            count.right("", reference, same);
        }
        for other in wrong {
            count.wrong("", reference, other);
        }
        if !reference.contains([';', '$']) {
            count.right("", reference, &restated.replace("{}", reference));
            count.wrong("", reference, &negated.replace("{}", reference));
        }
    }
    for (question, reference, same, refused) in sample.forms {
        count.right(question, reference, same);
        count.wrong(question, reference, refused);
    }
}

fn dates_and_names(sample: &Sample, count: &mut Count) {
    let question = sample.quantity_question;
    for same in sample.dates {
        count.right(question, "2024-03-05", same);
        count.right(question, same, "2024-03-05");
        count.wrong(question, "2024-03-06", same);
        count.wrong(question, "2023-03-05", same);
    }
    let [(before, others), (after, more)] = sample.eras;
    for other in others {
        count.right(question, before, other);
        count.right(question, other, before);
        count.wrong(question, before, &other.replace("44", "45"));
        count.wrong(question, &after.replace("79", "44"), other);
    }
    for other in more {
        count.right(question, after, other);
        count.wrong(question, after, &other.replace("79", "97"));
    }
    for (reference, right, wrong) in [
        (
            "Martin Luther King",
            [
                "Dr. Martin Luther King",
                "Martin Luther King Jr.",
                "King, Martin Luther",
                "martin luther king",
                "Martin King",
            ],
            ["Martin Luther", "Luther King Martin", "Stephen King"],
        ),
        (
            "Ludwig van Beethoven",
            [
                "Beethoven, Ludwig van",
                "L. van Beethoven",
                "ludwig van beethoven",
                "Ludwig Beethoven",
                "LUDWIG VAN BEETHOVEN",
            ],
            ["Ludwig van Gogh", "Vincent van Gogh", "Johann Beethoven"],
        ),
    ] {
        for same in right {
            // Capital I is another letter in Turkish.
            if sample.tag != "tr" || same != same.to_uppercase() {
                count.right("", reference, same);
            }
        }
        for other in wrong {
            count.wrong("", reference, other);
        }
    }
}

fn truths(sample: &Sample, count: &mut Count) {
    let question = sample.truth_question;
    let [yes, no] = sample.truths;
    for (own, others) in [(yes, no), (no, yes)] {
        for reference in own {
            for same in own {
                count.right(question, reference, same);
                count.right(question, reference, &format!("{same}."));
            }
            for other in others {
                count.wrong(question, reference, other);
            }
        }
    }
}

#[test]
fn variants_of_references_are_judged_alike_in_every_language() {
    let mut report = String::new();
    let mut failures = Vec::new();
    for sample in &SAMPLES {
        let (false_zeros, false_credit) = (Vec::new(), Vec::new());
        let mut count = Count { tag: sample.tag, right: 0, wrong: 0, false_zeros, false_credit };
        for part in [words, lists, numbers, quantities, mathematics, dates_and_names, truths] {
            part(sample, &mut count);
        }
        let Count { tag, right, wrong, .. } = count;
        let (zeros, credit) = (count.false_zeros.len(), count.false_credit.len());
        writeln!(report, "{tag}: {zeros} false zeros of {right}, {credit} false credit of {wrong}").unwrap();
        assert!(right > 250 && wrong > 200, "{tag} has too few variants");
        failures.extend(count.false_zeros.iter().map(|zero| format!("{tag} false zero: {zero}")));
        failures.extend(count.false_credit.iter().map(|credit| format!("{tag} false credit: {credit}")));
    }
    std::io::stdout().write_all(report.as_bytes()).unwrap();
    assert!(failures.is_empty(), "{report}\n{}", failures.join("\n"));
}
