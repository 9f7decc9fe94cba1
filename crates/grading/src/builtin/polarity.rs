//! Whether an answer says an idea or its contrary: denials, words that exclude each other, exchanged roles.
//!
//! Each of them turns a statement round, so two of them make it right again ("not lower" is "higher").

use std::collections::HashMap;

use super::alignment::said_by;
use super::answer::{Answer, denies};
use super::features::Met;
use super::ideas::{Idea, Reference};
use super::lexicon;
use super::roles;
use super::tokens::Word;

/// What of an idea a clause must have, and what of the clause the idea, before the two are held against each
/// other. Who says something else with some of the words, denials and all, says nothing contrary: below this,
/// contradictions were found mostly in answers that people graded well.
const SAME_MATTER: f64 = 0.6;
const SAME_WORDS: f64 = 0.75;
/// Words of a reference up to which its numbers are what is asked for.
const SHORT: usize = 16;
/// What a number may differ from another, as a share of it, and still be the same, rounded.
const ROUNDED: f64 = 0.05;
/// Clauses that have nearly as much of an idea as the best one speak of it as well.
const NEARLY: f64 = 0.8;

/// What an answer does with an idea.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    /// How much of it is there, from 0 to 1.
    pub(super) coverage: f64,
    /// The clause that speaks of it most.
    pub(super) evidence: Option<usize>,
    /// That clause says the contrary.
    pub(super) contradicted: bool,
}

/// What an answer does with each idea of a reference.
pub(super) fn judge(reference: &Reference, met: &Met, answer: &Answer) -> Vec<Verdict> {
    let mut from = 0;
    // In a long reference numbers are examples, and learners have others.
    let is_short = reference.words.len() <= SHORT;
    let verdict = |idea: &Idea| {
        let places = from..from + idea.words.len();
        from = places.end;
        let verdict = of_idea(idea, places, met, answer, is_short);
        Verdict { coverage: verdict.coverage.clamp(0.0, 1.0), ..verdict }
    };
    reference.ideas.iter().map(verdict).collect()
}

fn of_idea(idea: &Idea, places: std::ops::Range<usize>, met: &Met, answer: &Answer, is_short: bool) -> Verdict {
    let mut shares: HashMap<usize, f64> = HashMap::new();
    let (mut all, mut found, mut content, mut missed) = (0.0, 0.0, 0.0, 0.0);
    for (word, at) in idea.words.iter().zip(places) {
        all += met.weight[at];
        found += met.weight[at] * met.fit[at];
        content += if word.is_content() { word.weight } else { 0.0 };
        missed += if word.number && met.by[at].is_none() { word.weight } else { 0.0 };
        let Some(by) = met.by[at].filter(|_| word.is_content()) else { continue };
        let mut last = None;
        for place in answer.index.types()[by].places.iter().take(64) {
            let clause = answer.clause_of(*place);
            if last != Some(clause) {
                *shares.entry(clause).or_default() += word.weight * met.fit[at];
            }
            last = Some(clause);
        }
    }
    let coverage = if all > 0.0 { found / all } else { 0.0 };
    let mut ranked: Vec<(usize, f64)> = shares.into_iter().collect();
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let Some((first, most)) = ranked.first().copied() else {
        return Verdict { coverage, evidence: None, contradicted: false };
    };
    let same = content > 0.0 && most / content >= SAME_MATTER;
    let mut near = ranked.iter().take_while(|(_, share)| *share >= most * NEARLY).take(4);
    let contrary = same && near.all(|(clause, _)| is_contrary(idea, *clause, answer))
        || is_short
            && content > missed
            && most / (content - missed) >= SAME_MATTER
            && has_other_numbers(idea, first, answer);
    Verdict { coverage, evidence: Some(first), contradicted: contrary }
}

/// Whether a clause turns an idea round an odd number of times.
fn is_contrary(idea: &Idea, clause: usize, answer: &Answer) -> bool {
    let said = &answer.clauses[clause];
    let words = &answer.words[said.words.clone()];
    if said.is_rejected {
        return !denies(&idea.words);
    }
    if said_by(&idea.words, words) < SAME_WORDS {
        return false;
    }
    let denied = denies(&idea.words) != said.denies;
    denied ^ opposed(&idea.words, words) ^ roles::are_exchanged(&idea.words, words)
}

/// Whether a clause gives other numbers where an idea gives its own: "water boils at 0 °C". A number that is as good as one
/// of the idea's is none.
fn has_other_numbers(idea: &Idea, clause: usize, answer: &Answer) -> bool {
    let numbers = |words: &[Word]| -> Vec<f64> {
        words.iter().filter(|word| word.number).filter_map(|word| word.key.parse().ok()).collect()
    };
    let said = &answer.words[answer.clauses[clause].words.clone()];
    // A number in front counts the learner's points.
    let (wanted, given) = (numbers(&idea.words), numbers(said.get(1..).unwrap_or_default()));
    let is_year = |number: f64| (1000.0..2100.0).contains(&number) && number.fract() == 0.0;
    let agrees = |one: f64, other: f64| {
        let rounding = if is_year(one) && is_year(other) { 0.0 } else { ROUNDED };
        (one - other).abs() <= rounding * one.abs().max(other.abs())
    };
    !wanted.is_empty() && !given.is_empty() && !given.iter().any(|one| wanted.iter().any(|other| agrees(*one, *other)))
}

/// Whether a word of the clause excludes one of the idea that the clause lacks.
fn opposed(idea: &[Word], clause: &[Word]) -> bool {
    let has = |words: &[Word], word: &Word| {
        words.iter().any(|other| other.key == word.key || lexicon::share(other.meanings, word.meanings))
    };
    let lacking = |word: &&Word| !word.meanings.is_empty() && !has(clause, word);
    let odd =
        |word: &&Word| clause.iter().any(|other| lexicon::oppose(word.meanings, other.meanings) && !has(idea, other));
    idea.iter().filter(lacking).filter(odd).count() % 2 == 1
}

/// Words by which a learner takes back what went before.
const DENIALS: [&str; 26] = [
    "none of this is true",
    "none of that is true",
    "this is not true",
    "that is not true",
    "all of this is wrong",
    "all of this is false",
    "the opposite is true",
    "nichts davon stimmt",
    "nichts davon ist wahr",
    "das stimmt nicht",
    "das ist alles falsch",
    "das gegenteil ist wahr",
    "nada de esto es cierto",
    "nada de esto es verdad",
    "esto no es cierto",
    "todo esto es falso",
    "rien de tout cela n'est vrai",
    "rien de cela n'est vrai",
    "ce n'est pas vrai",
    "tout cela est faux",
    "niente di tutto questo è vero",
    "nada disso é verdade",
    "niets hiervan is waar",
    "всё это неправда",
    "все это неправда",
    "以上都不对",
];

/// Whether an answer takes back what it said.
pub(super) fn takes_back(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    DENIALS.iter().any(|denial| lower.contains(denial))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::alignment::Index;
    use crate::builtin::features;
    use crate::builtin::tokens::Reader;

    fn contradicted(tag: &str, reference: &str, answer: &str) -> bool {
        let reader = Reader::new(tag);
        let reference = Reference::read(reference, &reader);
        let answer = Answer::read(answer, &reader, usize::MAX);
        let met = features::meet(&reference.words, &answer, &Index::new([].iter()));
        judge(&reference, &met, &answer).iter().any(|verdict| verdict.contradicted)
    }

    #[test]
    fn a_denied_idea_is_contradicted() {
        for (tag, reference, answer) in [
            ("en", "The axis is tilted.", "The axis is not tilted."),
            ("de", "Die Erdachse ist geneigt.", "Die Erdachse ist nicht geneigt."),
            ("es", "El eje de la Tierra está inclinado.", "El eje de la Tierra no está inclinado."),
            ("fr", "L'axe de la Terre est incliné.", "L'axe de la Terre n'est pas incliné."),
        ] {
            assert!(contradicted(tag, reference, answer), "{answer}");
            assert!(!contradicted(tag, reference, reference), "{reference}");
        }
    }

    #[test]
    fn a_word_that_excludes_another_contradicts() {
        for (tag, reference, answer) in [
            ("en", "Hot air rises.", "Hot air sinks."),
            ("de", "Warme Luft steigt.", "Warme Luft fällt."),
            ("es", "El aire caliente sube.", "El aire caliente baja."),
            ("fr", "L'air chaud monte.", "L'air chaud tombe."),
        ] {
            assert!(contradicted(tag, reference, answer), "{answer}");
        }
    }

    #[test]
    fn another_number_contradicts_unless_it_is_the_same_rounded() {
        let reference = "Water boils at 100 degrees at sea level.";
        assert!(contradicted("en", reference, "Water boils at 0 degrees at sea level."));
        assert!(!contradicted("en", reference, "Water boils at 99.6 degrees at sea level."));
        assert!(!contradicted("en", reference, "1. Water boils at a hundred degrees at sea level."));
        assert!(contradicted("en", "The war ended in Europe in 1945.", "The war ended in Europe in 1946."));
    }

    #[test]
    fn what_is_rejected_contradicts() {
        let reference = "Metal conducts heat better than wood.";
        assert!(contradicted("en", reference, "Many say metal conducts heat better than wood, but that is wrong."));
        assert!(!contradicted(
            "en",
            reference,
            "Wood is warm, they say, but that is wrong. Metal conducts heat better than wood."
        ));
    }

    #[test]
    fn two_turns_make_it_right_again() {
        assert!(!contradicted("en", "The pressure is lower.", "The pressure is not higher."));
        assert!(!contradicted("en", "RAM is faster than a disk.", "A disk is slower than RAM."));
    }

    #[test]
    fn what_is_taken_back_is_seen_in_several_languages() {
        for text in [
            "But none of this is true: …",
            "Nichts davon stimmt.",
            "Nada de esto es cierto",
            "Rien de tout cela n’est vrai",
        ] {
            assert!(takes_back(text), "{text}");
        }
        assert!(!takes_back("It is true that the axis is tilted."));
    }
}
