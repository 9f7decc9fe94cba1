//! The languages, a file for each.
//!
//! A file without an entry does not compile. What nobody has written for a language is `None` there, and
//! the functions here decide what stands in for it.

mod ar;
mod de;
mod en;
mod es;
mod fa;
mod fr;
mod he;
mod hi;
mod it;
mod ja;
mod ko;
mod nl;
mod pl;
mod pt;
mod ru;
mod sv;
mod th;
mod tr;
mod uk;
mod ur;
mod zh;

use crate::pace::Pace;
use crate::primary_subtag;
use crate::speech::{Plural, Speech};
use crate::texts::{Drafts, Email, ExactFeedback, Feedback, Labels, Page, Signs};
use crate::words::{Answers, Cues, FormPhrases, Grammar, Names, Orders, Style, Talk};

/// A language that the service speaks.
#[derive(Debug)]
pub struct Language {
    /// Its primary subtag.
    pub tag: &'static str,
    /// How it is spoken.
    pub speech: Speech,
    /// The words of an exported page.
    pub labels: Labels,
    /// The texts of pages; `None` where pages speak English.
    pub page: Option<Page>,
    /// The texts of e-mail; `None` where e-mail is written in English.
    pub email: Option<Email>,
    /// What generating and grading in the language takes; `None` where only pages speak it.
    pub teaching: Option<Teaching>,
}

/// What generating and grading in a language takes.
#[derive(Debug)]
pub struct Teaching {
    /// Little words, and how a definition is phrased.
    pub grammar: Grammar,
    /// How teachers order content.
    pub orders: Orders,
    /// Words that say something about an answer.
    pub answers: Answers,
    /// How classrooms ask for the form of an answer.
    pub forms: FormPhrases,
    /// Words by which the role of a text is told.
    pub cues: Cues,
    /// What course authors call the members of their sources.
    pub names: Names,
    /// What talk to a grader is made of.
    pub talk: Talk,
    /// The texts of drafts.
    pub drafts: Drafts,
    /// The texts of feedback.
    pub feedback: Feedback,
    /// The texts about answers that are compared by code.
    pub exact: ExactFeedback,
}

/// All languages. Of languages that are as likely a text's, the first is guessed.
static ALL: [&Language; 21] = [
    &en::LANGUAGE,
    &de::LANGUAGE,
    &es::LANGUAGE,
    &fr::LANGUAGE,
    &it::LANGUAGE,
    &pt::LANGUAGE,
    &nl::LANGUAGE,
    &pl::LANGUAGE,
    &ru::LANGUAGE,
    &uk::LANGUAGE,
    &tr::LANGUAGE,
    &ar::LANGUAGE,
    &hi::LANGUAGE,
    &zh::LANGUAGE,
    &ja::LANGUAGE,
    &ko::LANGUAGE,
    &th::LANGUAGE,
    &fa::LANGUAGE,
    &he::LANGUAGE,
    &ur::LANGUAGE,
    &sv::LANGUAGE,
];

/// Stands in for what another language lacks.
static ENGLISH: &Teaching = match &en::LANGUAGE.teaching {
    Some(teaching) => teaching,
    None => panic!("English is complete"),
};

/// Stands in for what another language lacks.
static ENGLISH_EMAIL: &Email = match &en::LANGUAGE.email {
    Some(email) => email,
    None => panic!("English is complete"),
};

/// All languages, English first.
pub fn all() -> impl Iterator<Item = &'static Language> {
    ALL.into_iter()
}

/// The languages that are generated and graded in, with their tags.
pub fn taught() -> impl Iterator<Item = (&'static str, &'static Teaching)> {
    all().filter_map(|language| Some((language.tag, language.teaching.as_ref()?)))
}

/// The language of a tag, by its primary subtag: `en-US` and `EN` are `en`.
#[must_use]
pub fn find(tag: &str) -> Option<&'static Language> {
    let primary = primary_subtag(tag);
    all().find(|language| language.tag == primary)
}

/// What generating and grading in the language of a tag takes; `None` where it is not known.
#[must_use]
pub fn find_teaching(tag: &str) -> Option<&'static Teaching> {
    find(tag)?.teaching.as_ref()
}

/// The same; English where it is not known.
#[must_use]
pub fn teaching(tag: &str) -> &'static Teaching {
    find_teaching(tag).unwrap_or(ENGLISH)
}

/// The cues of all languages of one kind.
pub fn cues(kind: fn(&Cues) -> &'static str) -> impl Iterator<Item = &'static str> + Clone {
    ALL.iter()
        .filter_map(|language| language.teaching.as_ref())
        .flat_map(move |teaching| kind(&teaching.cues).split('|').filter(|cue| !cue.is_empty()))
}

/// How the language of a tag is spoken; as English is where it is not known.
#[must_use]
pub fn speech(tag: &str) -> &'static Speech {
    &find(tag).unwrap_or(&en::LANGUAGE).speech
}

/// The texts of e-mail in the language of a tag, with the tag that they are written in; English ones where nobody has
/// written them.
#[must_use]
pub fn email(tag: &str) -> (&'static str, &'static Email) {
    let known = find(tag).and_then(|language| Some((language.tag, language.email.as_ref()?)));
    known.unwrap_or((en::LANGUAGE.tag, ENGLISH_EMAIL))
}

/// The words of an exported page; English ones where the language is not known.
#[must_use]
pub fn labels(tag: &str) -> &'static Labels {
    &find(tag).unwrap_or(&en::LANGUAGE).labels
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    type Texts = Vec<(&'static str, &'static str)>;

    fn placeholders(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|part| part.split('}').next()).collect()
    }

    /// Every text of a language, part by part.
    fn texts(language: &Language) -> Vec<Texts> {
        let mut texts = vec![language.labels.entries()];
        let teaching = language.teaching.as_ref();
        texts.push(language.page.as_ref().map_or_else(Vec::new, Page::entries));
        texts.push(language.email.as_ref().map_or_else(Vec::new, Email::entries));
        texts.extend(teaching.map(|teaching| teaching.drafts.entries()));
        texts.extend(teaching.map(|teaching| teaching.feedback.entries()));
        texts.extend(teaching.map(|teaching| teaching.exact.entries()));
        texts.insert(3, language.speech.signs.entries());
        texts
    }

    #[test]
    fn every_text_says_something_and_has_the_places_of_the_english_one() {
        for language in all() {
            for (theirs, english) in texts(language).iter().zip(texts(&en::LANGUAGE)) {
                for ((name, text), (_, english)) in theirs.iter().zip(&english) {
                    assert!(!text.trim().is_empty(), "{} {name}", language.tag);
                    assert_eq!(placeholders(text), placeholders(english), "{} {name}", language.tag);
                }
            }
        }
    }

    #[test]
    fn pages_are_translated() {
        let english = texts(&en::LANGUAGE);
        for language in all().skip(1) {
            let theirs = texts(language);
            let same = theirs[1].iter().zip(&english[1]).filter(|(one, other)| one == other).count();
            assert!(same < 12, "{}: {same} texts are English", language.tag);
        }
    }

    #[test]
    fn email_is_translated() {
        let english = texts(&en::LANGUAGE);
        for language in all().skip(1) {
            let theirs = texts(language);
            let same = theirs[2].iter().zip(&english[2]).filter(|(one, other)| one == other).count();
            assert_eq!(same, 0, "{}", language.tag);
            assert_eq!(language.email.is_some(), language.page.is_some(), "{}", language.tag);
        }
    }

    #[test]
    fn lists_have_no_empty_words_and_no_word_twice() {
        for (tag, teaching) in taught() {
            let answers = &teaching.answers;
            for list in [answers.negators, answers.truths, answers.falsehoods, answers.copulas, answers.numbers] {
                let words: Vec<&str> = list.split(' ').filter(|_| !list.is_empty()).collect();
                assert!(words.iter().all(|word| !word.is_empty()), "{tag}: {list}");
                assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len(), "{tag}: {list}");
            }
            assert!(matches!(answers.months.split('|').count(), 1 | 12), "{tag}");
            let mut numbers = answers.numbers.split_whitespace().chain(answers.parts.split_whitespace());
            assert!(numbers.all(|entry| entry.split('=').nth(1).is_some_and(|of| of.parse::<u64>().is_ok())), "{tag}");
        }
    }

    #[test]
    fn languages_are_found_by_their_primary_subtag() {
        for (tag, found) in
            [("en-US", Some("en")), ("zh-Hant", Some("zh")), ("PT_br", Some("pt")), ("xx", None), ("", None)]
        {
            assert_eq!(find(tag).map(|language| language.tag), found);
        }
        assert_eq!((labels("de-AT").right, labels("xx").right), ("Richtig", "Right"));
        assert_eq!(teaching("sv").drafts.objectives, teaching("en").drafts.objectives);
        assert!(find_teaching("sv").is_none() && find_teaching("ja").is_some());
    }

    #[test]
    fn months_are_found_by_their_names() {
        assert_eq!((teaching("ru").answers.month("марта"), teaching("ja").answers.month("")), (Some(3), None));
    }
}
