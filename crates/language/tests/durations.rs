//! Estimated durations against those of espeak-ng, which `bench/speech` measured.

#[path = "durations/measured.rs"]
mod measured;

use std::collections::BTreeMap;

use language::pace;
use measured::measured;

/// Fewest words of a text that counts by itself; in scripts without spaces, at two characters a word.
const FEWEST_WORDS: usize = 15;

#[test]
fn durations_are_within_a_tenth_of_espeak_in_20_languages() {
    let mut sums: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    let (mut near, mut all) = (0, 0);
    for text in measured().into_iter().filter(|text| text.set == "check") {
        assert!(language::script::word_count(&text.text) >= FEWEST_WORDS, "{}", text.text);
        let estimated = pace::seconds(&text.language, &text.text);
        let error = (estimated / text.seconds - 1.0).abs();
        assert!(error <= 0.18, "{}: {estimated:.1} s for {} s: {}", text.language, text.seconds, text.text);
        near += usize::from(error <= 0.1);
        all += 1;
        let sum = sums.entry(text.language).or_default();
        *sum = (sum.0 + estimated, sum.1 + text.seconds);
    }
    assert_eq!(sums.len(), 20);
    for (language, (estimated, measured)) in &sums {
        assert!((estimated / measured - 1.0).abs() <= 0.1, "{language}: {estimated:.1} s for {measured:.1} s");
    }
    assert!(near * 100 >= all * 95, "{near} of {all} texts");
}

#[test]
fn a_language_that_nobody_measured_has_a_usual_pace() {
    let seconds = pace::seconds("sw", "Seli ni sehemu ndogo zaidi ya uhai katika mwili wa kila kiumbe.");
    assert!((3.0..8.0).contains(&seconds), "{seconds}");
}

#[test]
fn every_further_word_takes_longer() {
    for (tag, word) in
        [("en", "cell "), ("zh", "水"), ("ar", "خلية "), ("hi", "कोशिका "), ("ko", "세포 "), ("th", "น้ำ ")]
    {
        assert!(pace::seconds(tag, &word.repeat(9)) > pace::seconds(tag, &word.repeat(8)) + 0.05, "{tag}");
    }
}

#[test]
fn acronyms_and_numbers_are_said_in_full() {
    assert!(pace::seconds("en", "DNA") > pace::seconds("en", "Dan"));
    assert!(pace::seconds("en", "1492") > 4.0 * pace::seconds("en", "2"));
    assert_eq!(pace::seconds("en", "1.5"), pace::seconds("en", "1,5"));
}
