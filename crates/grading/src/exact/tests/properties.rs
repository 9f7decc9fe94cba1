//! What holds of every answer: no panic, linear time, and equality that is one.

use proptest::prelude::*;

use super::super::{grade, numerals};
use super::{graded, share, submission};
use crate::{EvaluationType, ReviewReason, builtin};

proptest! {
    #[test]
    fn no_text_makes_it_fail(reference in "\\PC{1,40}", answer in ".{0,80}", question in ".{0,40}", language in "[a-z]{2}") {
        let graded = grade(&submission(&question, &reference, &answer, &language));
        if let Ok(graded) = graded {
            prop_assert!((0.0..=2.0).contains(&graded.score) && (0.0..=1.0).contains(&graded.confidence));
        }
    }

    #[test]
    fn no_mathematics_makes_it_fail(
        reference in "[-0-9x()\\[\\]{}+*/^_=<>,.;:|!%√π±∪∈\\\\$& fracsqtboxedpm]{1,40}",
        answer in "[-0-9x()\\[\\]{}+*/^_=<>,.;:|!%√π±∪∈\\\\$& fracsqtboxedpm]{0,60}",
    ) {
        let graded = grade(&submission("", &reference, &answer, "en"));
        prop_assert!(graded.is_ok() || reference.trim().is_empty());
    }

    #[test]
    fn every_text_equals_itself(text in "[^\\s]{1,60}", language in "en|de|fr|ar|tr|hi") {
        prop_assert_eq!(share("", &text, &text, &language), 1.0);
    }

    #[test]
    fn numbers_equal_themselves_in_every_notation(value in -9_999_999_i64..10_000_000, cents in 0_u32..100) {
        let plain = format!("{value}.{cents:02}");
        let grouped = |group: &str, point: &str| {
            let digits = value.unsigned_abs().to_string();
            let mut text = String::new();
            for (at, digit) in digits.chars().enumerate() {
                if at > 0 && (digits.len() - at).is_multiple_of(3) {
                    text.push_str(group);
                }
                text.push(digit);
            }
            format!("{}{text}{point}{cents:02}", if value < 0 { "-" } else { "" })
        };
        for (language, group, point) in
            [("en", ",", "."), ("de", ".", ","), ("fr", "\u{202f}", ","), ("ru", "\u{a0}", ","), ("de-CH", "’", "."), ("ar", "٬", "٫")]
        {
            let written = grouped(group, point);
            prop_assert_eq!(share("", &plain, &written, language), 1.0, "{} in {}", written, language);
        }
    }

    #[test]
    fn equality_of_numbers_is_symmetric_and_sound(one in -500_i64..500, other in -500_i64..500, below in 1_i64..60) {
        let (left, right) = (format!("{one}/{below}"), format!("{other}/{below}"));
        let equal = share("", &left, &right, "en");
        prop_assert_eq!(equal, share("", &right, &left, "en"));
        prop_assert_eq!(equal == 1.0, one == other);
    }

    #[test]
    fn expanded_products_equal_their_factors(a in -9_i32..10, b in -9_i32..10) {
        let factors = format!("(x + {a})(x + {b})").replace("+ -", "- ");
        let (sum, product) = (a + b, a * b);
        let expanded = format!("x^2 + {sum}x + {product}").replace("+ -", "- ");
        prop_assert_eq!(share("", &factors, &expanded, "en"), 1.0);
        let off = format!("x^2 + {sum}x + {}", product + 1).replace("+ -", "- ");
        prop_assert_eq!(share("", &factors, &off, "en"), 0.0);
    }

    #[test]
    fn numerals_never_take_more_than_there_is(text in "[0-9., ']{0,40}") {
        for language in ["en", "de", "fr"] {
            if let Some((_, length)) = numerals::read(&text, numerals::separators(language), numerals::LoneComma::Decimal) {
                prop_assert!(length <= text.len() && text.is_char_boundary(length));
            }
        }
    }
}

#[test]
fn work_grows_with_the_answer() {
    for part in [
        "1",
        "1,",
        "1, ",
        "1.2.",
        "word ",
        "the answer is 4. ",
        "(",
        "[1,",
        "$1$ ",
        "\\boxed{1} ",
        "\\frac{",
        "{",
        "^",
        "not ",
        "-",
        "²",
        "½",
        "a b, ",
        "1 or ",
        "\\(",
        "$",
        "=",
        "x=1, ",
        "\u{202e}",
        "\0",
        "A) ",
        "|",
        "٣",
        "±",
        "1:",
    ] {
        let make = |count: usize| submission("What is x? A) one B) two", "42", &part.repeat(count), "en");
        testkit::assert_linear(part, 1_500, make, |submission| drop(grade(submission)));
    }
}

#[test]
fn work_grows_with_the_question_and_with_what_it_offers() {
    let words = |count: usize| (0..count).map(|at| format!("word{at} ")).collect::<String>();
    let asked = |count: usize| submission(&words(count), "alpha, beta", &words(count), "en");
    testkit::assert_linear("words of the question", 500, asked, |submission| drop(grade(submission)));
    let offered = |count: usize| submission("A) one B) two", "one", &"one ".repeat(count), "en");
    testkit::assert_linear("an option again and again", 1_500, offered, |submission| drop(grade(submission)));
    let wanted = |count: usize| submission("", &words(count), &words(count + 1), "en");
    testkit::assert_linear("words of the reference", 500, wanted, |submission| drop(grade(submission)));
}

#[test]
fn forms_that_keyboards_lead_to_are_read() {
    for (reference, answer) in [
        ("6.02e23", "6.02 x 10^23"),
        ("6.02 x 10^23", "6.02×10²³"),
        ("5000", "5x10^3"),
        ("5 X 10^3", "5000"),
        ("4", "= 4"),
        ("4", "`4`"),
        ("7", "3 + 4 = 7"),
        ("0.33", "1/3 = 0.33"),
        ("5", "<b>5</b>"),
        ("Paris", "<p>Paris</p>"),
        ("5 km", "5<br> km"),
        ("<p>Hi</p>", "<p>Hi</p>"),
        ("1<b>0", "1<b>0"),
    ] {
        assert_eq!(share("", reference, answer, "en"), 1.0, "{answer} for {reference}");
    }
    for (reference, answer) in [("7", "8=7"), ("5000", "5x10^4"), ("2x", "2"), ("8", "3 + 4 = 8")] {
        assert_eq!(share("", reference, answer, "en"), 0.0, "{answer} for {reference}");
    }
}

#[test]
fn names_with_titles_and_references_with_several_forms_are_read() {
    for (reference, answer) in [
        ("Graf Spee", "Admiral Graf Spee"),
        ("Carl Belew", "Carl Robert Belew"),
        ("Timothy B. Schmit", "bassist Timothy B. Schmit"),
        ("Venera 7 (Venus)", "Venera 7"),
        ("Gurkha or Nepalese", "Nepalese"),
        ("about 24 hours", "24 hours"),
        ("June 1992", "26 June 1992"),
        ("in 1997", "26 June 1997"),
        ("1945", "May 8, 1945"),
        ("in the winter", "winter"),
        ("prenatal development", "during prenatal development"),
    ] {
        assert_eq!(share("", reference, answer, "en"), 1.0, "{answer} for {reference}");
    }
    for (reference, answer) in [
        ("World War", "World War II"),
        ("Graf Spee", "Not Graf Spee"),
        ("Graf Spee", "Graf Spee or Bismarck"),
        ("Graf Spee", "Graf Spee, Bismarck"),
        ("sodium", "sodium chloride"),
        ("Korea", "North Korea"),
        ("Gurkha or Nepalese", "Gurkhas"),
        ("Na⁺", "Na"),
        ("June 1992", "26 May 1992"),
        ("26 June 1992", "June 1992"),
        ("1945", "May 8, 1944"),
        ("in the box", "on the box"),
    ] {
        assert_eq!(share("", reference, answer, "en"), 0.0, "{answer} for {reference}");
    }
}

#[test]
fn signs_and_their_order_count_among_words() {
    for (reference, other) in [
        ("A ∪ B", "A ∩ B"),
        ("A ∧ B", "A ∨ B"),
        ("¬A", "A"),
        ("A→B", "B→A"),
        ("A ⇒ B", "B ⇒ A"),
        ("A⇌B", "B⇌A"),
        ("A ⊂ B", "B ⊂ A"),
        ("A ∖ B", "B ∖ A"),
        ("a ∘ b", "b ∘ a"),
        ("∀x", "∃x"),
        ("a ⊥ b", "a ∥ b"),
        ("A ∪ B", "A, B"),
    ] {
        assert_eq!(share("", reference, other, "en"), 0.0, "{other} for {reference}");
        assert_eq!(share("", reference, reference, "en"), 1.0, "{reference}");
    }
    for (reference, same) in [("A → B", "A -> B"), ("A ⇒ B", "A => B"), ("≤", "<="), ("A ∪ B", "A∪B")] {
        assert_eq!(share("", reference, same, "en"), 1.0, "{same} for {reference}");
    }
}

#[test]
fn what_overflows_or_cancels_out_is_not_equal() {
    assert_eq!(share("How far?", "1.5 km", "1e308 Mm", "en"), 0.0);
    assert_eq!(share("", "0", "5+10^300-10^300", "en"), 0.0);
    assert_eq!(share("", "0", "5-5", "en"), 1.0);
    assert_eq!(share("", "0", "sqrt(2)-sqrt(2)", "en"), 1.0);
}

#[test]
fn huge_numbers_are_quick_and_sound() {
    for (reference, answer, expected) in [
        ("10^(10^10)", "10^(10^10)", 1.0),
        ("10^(10^10)", "10^(10^11)", 0.0),
        ("5", "10^(10^10)", 0.0),
        ("1e999999999", "1e999999998", 0.0),
        ("5", "9^9^9^9^9^9^9", 0.0),
        ("5", "99999999!", 0.0),
        ("5", "1/0", 0.0),
        ("5", "0/0", 0.0),
    ] {
        assert_eq!(share("", reference, answer, "en"), expected, "{answer} for {reference}");
    }
    for long in [
        "9".repeat(50_000),
        "(".repeat(50_000),
        "((".repeat(20_000) + "1",
        "-".repeat(50_000) + "5",
        "a".repeat(50_000),
    ] {
        assert_eq!(share("", "5", &long, "en"), 0.0);
        assert_eq!(share("", &long, &long, "en"), 1.0);
    }
}

#[test]
fn a_part_of_the_reference_gets_the_estimate_of_an_open_answer_and_goes_to_a_person() {
    let less = graded("Who betrayed him?", "Judas Iscariot", "Judas", "en");
    let mut open = submission("Who betrayed him?", "Judas Iscariot", "Judas", "en");
    open.evaluation_type = EvaluationType::OpenEnded;
    assert_eq!(less.review_reasons, [ReviewReason::NearlyEqual]);
    assert!(less.confidence <= 0.35 && less.score > 0.0 && less.score < open.max_score, "{}", less.score);
    assert!((less.score - builtin::grade(&open).score).abs() < 1e-9, "{}", less.score);
    assert!(less.feedback_summary.contains("A person should look"), "{}", less.feedback_summary);
    assert!(!less.feedback_summary.contains("Iscariot") && less.suggestions.len() == 1, "{:?}", less.suggestions);
    for (reference, answer) in [
        ("Carl Belew", "Belew"),
        ("William Shakespeare", "Shakespeare"),
        ("Martin Luther King", "Martin Luther"),
        ("Martin Luther King", "King"),
        ("the summit of Cadillac Mountain", "Cadillac Mountain"),
        ("an edible tuber", "tubers"),
    ] {
        assert!((0.01..0.99).contains(&share("What is it?", reference, answer, "en")), "{answer}");
    }
    for (reference, answer) in [
        ("not allowed", "allowed"),
        ("World War II", "World War"),
        ("Apollo 11", "Apollo"),
        ("Gurkha or Nepalese", "Gurkhas"),
        ("sodium", "sodium chloride"),
        ("A ∪ B", "A, B"),
    ] {
        assert_eq!(share("What is it?", reference, answer, "en"), 0.0, "{answer}");
    }
}

#[test]
fn what_shares_words_with_the_reference_and_says_others_earns_nothing_and_goes_to_a_person() {
    for (reference, answer) in
        [("Alexander Fleming", "Ian Fleming"), ("the tilt of the axis", "the length of the axis")]
    {
        let near = graded("What is it?", reference, answer, "en");
        assert_eq!((near.score, near.review_reasons), (0.0, vec![ReviewReason::NearlyEqual]), "{answer}");
        assert!(near.confidence <= 0.35 && near.feedback_summary.contains("A person should look"));
    }
    for (reference, answer) in [("Paris", "Lyon"), ("42", "41"), ("Paris", "Paris")] {
        assert!(graded("Which?", reference, answer, "en").review_reasons.is_empty(), "{answer}");
    }
}
