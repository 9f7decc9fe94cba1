//! How a sentence stands to what it says: states it, asks it, or calls it wrong.

use super::tokens::Word;

/// How a sentence stands to what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stance {
    /// It states it.
    States,
    /// It asks it.
    Asks,
    /// It reports it and calls it wrong: "some say …, but that is wrong", "it is false that …".
    Rejects,
}

/// Words at the beginning and at the end of a sentence within which a rejection stands.
const REACH: usize = 6;

const WRONG: [&str; 37] = [
    "wrong",
    "false",
    "untrue",
    "incorrect",
    "mistaken",
    "falsch",
    "unwahr",
    "falso",
    "falsa",
    "falsos",
    "incorrecto",
    "incorrecta",
    "mentira",
    "faux",
    "fausse",
    "erroné",
    "sbagliato",
    "sbagliata",
    "errato",
    "errado",
    "errada",
    "incorreto",
    "fout",
    "onjuist",
    "onwaar",
    "nieprawda",
    "błędne",
    "fałsz",
    "неверно",
    "неправда",
    "ложь",
    "неправильно",
    "хибно",
    "yanlış",
    "خطأ",
    "خاطئ",
    "गलत",
];
const BUT: [&str; 18] = [
    "but",
    "yet",
    "however",
    "aber",
    "doch",
    "jedoch",
    "pero",
    "mais",
    "ma",
    "mas",
    "porém",
    "maar",
    "ale",
    "но",
    "однако",
    "але",
    "ama",
    "لكن",
];
const THAT: [&str; 13] = ["that", "dass", "daß", "que", "che", "dat", "że", "что", "що", "أن", "कि", "think", "thinks"];
const NOBODY: [&str; 9] = ["nobody", "niemand", "nadie", "personne", "nessuno", "ninguém", "nikt", "никто", "ніхто"];
const WHOEVER: [&str; 8] = ["anyone", "whoever", "those", "claim", "idea", "wer", "quien", "quiconque"];

/// Judges a sentence by its words; `text` is the sentence as it stands.
pub(super) fn stance(text: &str, words: &[Word]) -> Stance {
    if text.trim_end_matches(['"', '”', '»', ')', ' ']).ends_with(['?', '？', '؟']) {
        return Stance::Asks;
    }
    let lower = |word: &Word| word.lower.as_str().to_owned();
    let opening: Vec<String> = words.iter().take(REACH).map(lower).collect();
    let ending: Vec<String> = words.iter().skip(words.len().saturating_sub(REACH)).map(lower).collect();
    let is_wrong = |word: &String| WRONG.contains(&word.as_str());
    let is_but = |word: &String| BUT.contains(&word.as_str());
    let is_that = |word: &String| THAT.contains(&word.as_str());
    let taken_back = ending.iter().position(is_but).is_some_and(|at| ending[at..].iter().any(is_wrong));
    let that = opening.iter().position(is_that);
    // "Nobody has shown that": the denial is of the saying. In "not that" it is of what follows.
    let denies = |word: &Word| word.negation || NOBODY.contains(&word.lower.as_str());
    let denied_saying = |at: usize| words[..at.saturating_sub(1)].iter().any(denies);
    let announced = that.is_some_and(|at| opening[..at].iter().any(is_wrong) || denied_saying(at));
    let of_others = opening.iter().any(|word| WHOEVER.contains(&word.as_str())) && ending.iter().any(is_wrong);
    if words.len() > REACH && (taken_back || announced || of_others) { Stance::Rejects } else { Stance::States }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::tokens::Reader;

    fn of(tag: &str, text: &str) -> Stance {
        stance(text, &Reader::new(tag).words(text))
    }

    #[test]
    fn what_is_reported_and_called_wrong_is_rejected() {
        for (tag, text) in [
            ("en", "My friend said that metal conducts heat better than wood, but that is wrong."),
            ("en", "It is false that metal conducts heat better than wood."),
            ("en", "Nobody has shown that metal conducts heat better than wood."),
            ("en", "Anyone who thinks that metal conducts heat better than wood is mistaken."),
            ("de", "Viele sagen, Metall leite Wärme besser als Holz, aber das ist falsch."),
            ("es", "Dicen que el metal conduce mejor el calor, pero es falso."),
            ("fr", "On dit que le métal conduit mieux la chaleur, mais c'est faux."),
        ] {
            assert_eq!(of(tag, text), Stance::Rejects, "{text}");
        }
    }

    #[test]
    fn what_a_learner_states_is_stated() {
        for text in [
            "Metal conducts heat better than wood, so it feels colder to the hand.",
            "This shows that metal does not keep the heat of the hand.",
            "It is not that metal is colder, it conducts better than wood.",
            "The wrong sign of the term makes the whole result negative.",
            "But.",
            "That is wrong.",
        ] {
            assert_eq!(of("en", text), Stance::States, "{text}");
        }
    }

    #[test]
    fn a_question_asks() {
        assert_eq!(of("en", "Do both spoons have the same temperature?"), Stance::Asks);
        assert_eq!(of("zh", "两把勺子温度一样吗？"), Stance::Asks);
    }
}
