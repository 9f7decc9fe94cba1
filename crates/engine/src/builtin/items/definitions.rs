//! Questions about terms and what they mean. Wrong options are other terms, or other meanings, of the same material; one
//! that could be right as well is never taken.

use std::cmp::Reverse;
use std::collections::HashSet;

use language::normal::{mentions, normal};
use language::profile::{self, Profile};
use language::script::{is_hangul, is_unspaced, word_count};
use language::{fill, sentences};
use unicode_segmentation::UnicodeSegmentation;

use crate::builtin::lesson::{Definition, Prose, Sentence};
use crate::builtin::material::Material;
use crate::drafts::{OmissionReason, QuizItemKind};
use crate::reading::names::capitalise;
use crate::text::stems::stems;

use super::balance::{MIN_WRONG, alike_in_length, is_abbreviation};
use super::open::is_glossary;
use super::{
    Candidate, Evidence, Form, GAP, MAX_OPTION, MAX_SHOWN, Rank, Workshop, fits, rotated, sentence_fact, trimmed,
};

/// Most definitions asked about in a lesson.
const MOST: usize = 10;
/// Most definitions that wrong options are taken from.
const MAX_POOL: usize = 400;
/// Most wrong options that are offered to choose from.
const MAX_RIVALS: usize = 5;
/// Fewest words of a meaning for which a term can be written: of fewer, another term is as right.
const FEWEST_TOLD: usize = 3;
/// Longest term that is written, in characters.
const LONGEST_WRITTEN: usize = 40;
/// Longest of the words that an abbreviation may leave out, in characters.
const LONGEST_LITTLE_WORD: usize = 3;
/// Most words of a term that is written: of more, another order or article is as right.
const MOST_WRITTEN: usize = 3;
/// Fewest letters of a word of which the last one tells little, and of one whose spelling tells another.
pub(super) const FEWEST_HINTED: usize = 4;
/// Fewest words of a meaning that tells one term from all others.
const TELLING: usize = 5;
/// Least similarity, from 0 to 1, of the spelling of two words of which one tells the other.
const COGNATE: f64 = 0.6;
/// How much of its lesson a definition is about.
const WEIGHT: f64 = 0.9;

/// A definition with what comparing needs.
struct Pooled<'m> {
    lesson: usize,
    definition: &'m Definition,
    term: String,
    meaning: String,
    /// The meaning begins with an article, as a noun does, where the language has articles.
    names_a_thing: bool,
    /// The meaning begins with another little word: "to cross", beside "junction".
    opens_with_stop_word: bool,
    /// The term has an article, of whatever language: "het kruispunt", beside "oversteken".
    has_article: bool,
    words: HashSet<String>,
}

/// The definitions of all lessons.
pub(super) struct Pool<'m>(Vec<Pooled<'m>>);

impl<'m> Pool<'m> {
    pub(super) fn new(material: &'m Material) -> Self {
        let share = (MAX_POOL / material.lessons.len().max(1)).max(4);
        let all = material.lessons.iter().enumerate().flat_map(|(lesson, found)| {
            let is_told = |definition: &&Definition| {
                let letters = definition.term.chars().filter(|letter| letter.is_alphabetic()).count();
                fits(&definition.meaning, MAX_SHOWN) && (letters > 1 || definition.term.starts_with(is_unspaced))
            };
            let is_glossary = is_glossary(found);
            let usable = found.definitions.iter().filter(is_told).take(share);
            usable.map(move |definition| {
                let meaning = normal(&definition.meaning);
                let words = stems(&meaning);
                let (term, opening) = (normal(&definition.term), meaning.split(' ').next().unwrap_or_default());
                let is_article = found.profile.is_article(opening);
                let names_a_thing = is_article || !found.profile.has_articles();
                // In a list of words they tell what sort of word it is; a meaning in words says that by itself.
                let is_translation = word_count(&definition.meaning) < TELLING && !is_glossary;
                let opens_with_stop_word = is_translation && !is_article && found.profile.is_stop(opening);
                let has_article =
                    is_translation && term.split_once(' ').is_some_and(|(first, _)| is_any_article(first));
                Pooled { lesson, definition, term, meaning, names_a_thing, opens_with_stop_word, has_article, words }
            })
        });
        Self(all.take(MAX_POOL).collect())
    }

    /// Others that can stand against `asked`, those of the same lesson first, and of these the ones that mean something alike: they are
    /// what a learner may take for it.
    fn against<'p>(&'p self, asked: &'p Pooled<'m>, seed: &str) -> impl Iterator<Item = &'p Pooled<'m>> + 'p {
        let mut order: Vec<&Pooled<'m>> = rotated(self.0.len(), seed).map(|at| &self.0[at]).collect();
        order.sort_by_cached_key(|other| (other.lesson != asked.lesson, Reverse(other.shares_with(asked))));
        order.into_iter().filter(|other| other.differs_from(asked))
    }
}

impl Pooled<'_> {
    /// Neither the same term nor the same meaning, nor part of one another.
    fn differs_from(&self, other: &Self) -> bool {
        let same_term = mentions(&self.term, &other.term) || mentions(&other.term, &self.term);
        let smaller = self.words.len().min(other.words.len());
        let alike = self.meaning == other.meaning
            || smaller > 1 && self.shares_with(other) * 2 > smaller && !self.is_listed_beside(other)
            || self.meaning.contains(&other.meaning)
            || other.meaning.contains(&self.meaning);
        let told = mentions(&other.meaning, &self.term) || mentions(&self.meaning, &other.term);
        !same_term && !alike && !told && self.form() == other.form()
    }

    /// The signs of a term and its meaning that a learner sees without knowing either.
    fn form(&self) -> (bool, bool, [bool; 3]) {
        let Definition { prose, listed, .. } = self.definition;
        (prose.is_some(), *listed, [self.names_a_thing, self.opens_with_stop_word, self.has_article])
    }

    /// How many words both meanings have.
    fn shares_with(&self, other: &Self) -> usize {
        self.words.intersection(&other.words).count()
    }

    /// Both are entries of one glossary: whoever gives two terms an entry each means two things, in however similar words.
    fn is_listed_beside(&self, other: &Self) -> bool {
        let is_entry = |pooled: &Self| pooled.definition.prose.is_none() && !pooled.definition.listed;
        is_entry(self) && is_entry(other) && self.lesson == other.lesson
    }

    /// The meaning names a term, a form of it or what its letters stand for.
    fn is_circular(&self) -> bool {
        if spells_out(&self.meaning, &self.definition.term) {
            return true;
        }
        let within = |one: &str, other: &str| match other.starts_with(is_hangul) {
            // Syllables say more than letters, and particles follow a word.
            true => other.chars().nth(1).is_some() && one.starts_with(other),
            false => other.chars().nth(3).is_some() && one.contains(other),
        };
        // "ions" and "ionic".
        let begins = |one: &str, other: &str| {
            let stem = other.trim_end_matches('s');
            stem.chars().nth(2).is_some() && one.starts_with(stem)
        };
        let holds = |one: &str, other: &str| within(one, other) || begins(one, other);
        let alike = |word: &str, other: &str| same_root(word, other) || holds(word, other) || holds(other, word);
        self.term.split([' ', '-', '\'', '’']).map(without_article).any(|word| {
            let others = self.meaning.split([' ', '\'', '’']);
            others
                .map(|other| without_article(other.trim_matches(|sign: char| !sign.is_alphanumeric())))
                .any(|other| alike(word, other))
        })
    }

    /// The term and its translation are spelled much alike: "balkong" is a balcony.
    fn is_cognate(&self) -> bool {
        let is_translation = self.meaning.split(' ').count() < TELLING;
        let alike = |one: &str, other: &str| strsim::normalized_levenshtein(one, other) >= COGNATE;
        is_translation && long_words(&self.term).any(|word| long_words(&self.meaning).any(|other| alike(word, other)))
    }

    /// Whether one of the statements that say most of what `asked` means names a term as well: then the term may be what is meant. Of two
    /// entries of one glossary neither is.
    fn may_be_meant(&self, term: &str, saying: &[&str], asked: &Self) -> bool {
        !self.is_listed_beside(asked) && saying.iter().any(|statement| mentions(statement, term))
    }

    /// Both say what sort of thing they are in the same words: "an igneous rock that …".
    fn is_of_the_same_sort(&self, other: &Self) -> bool {
        let sort = |text: &str| text.split(' ').take(3).map(str::to_owned).collect::<Vec<_>>();
        sort(&self.meaning) == sort(&other.meaning) && self.meaning.split(' ').count() > TELLING
    }

    /// "The Alps", and not "the Golgi apparatus" or "the CPU": behind an article all words are names. Such a name is not asked for by a meaning.
    fn is_proper_name(&self, prose: &Prose, profile: &Profile) -> bool {
        let mut words = prose.lead.split_whitespace();
        let follows_article = words.next().is_some_and(|first| profile.is_article(&first.to_lowercase()));
        let mut named = words.peekable();
        let is_name = |word: &str| word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase);
        !profile.nouns_are_capitalised && follows_article && named.peek().is_some() && named.all(is_name)
    }

    /// The sentence that defines the term.
    fn evidence<'a>(&'a self, prose: &Prose, sentence: &'a str) -> Evidence<'a> {
        let fact = sentence_fact(self.lesson, prose.sentence);
        Evidence { lesson: self.lesson, pointer: &self.definition.pointer, quote: sentence, fact, weight: WEIGHT }
    }
}

impl Workshop<'_> {
    pub(super) fn about_definitions(&self, lesson: usize, found: &mut Vec<Candidate>) {
        let asked: Vec<&Pooled<'_>> = self.pool.0.iter().filter(|pooled| pooled.lesson == lesson).collect();
        // A long list is asked about all over, not only at its beginning.
        let step = asked.len().div_ceil(MOST).max(1);
        for (at, pooled) in asked.into_iter().step_by(step).enumerate() {
            match &pooled.definition.prose {
                Some(prose) => self.about_sentence(pooled, prose, found),
                None if pooled.definition.listed => self.about_listed(pooled, found),
                None => self.about_pair(pooled, at, found),
            }
        }
    }

    /// Terms that the meaning of `asked` surely does not fit.
    fn rivals<'p>(&'p self, asked: &'p Pooled<'_>, seed: &str) -> Vec<&'p Pooled<'p>> {
        let saying: Vec<&str> = self.said.saying(&asked.words).collect();
        let rivals = self.pool.against(asked, seed).filter(|other| !other.may_be_meant(&other.term, &saying, asked));
        let alike = |other: &Pooled<'_>| alike_in_length(&asked.definition.term, &other.definition.term);
        near(rivals.collect(), asked, alike)
    }

    /// Meanings that surely do not fit the term of `asked`.
    fn rival_meanings(&self, asked: &Pooled<'_>, seed: &str) -> Vec<String> {
        let rivals = self.pool.against(asked, seed).filter(|other| {
            let may_be_meant = || {
                let saying: Vec<&str> = self.said.saying(&other.words).collect();
                asked.may_be_meant(&asked.term, &saying, other)
            };
            fits(&other.definition.meaning, MAX_OPTION) && !may_be_meant()
        });
        let profile = self.lesson(asked.lesson).profile;
        let alike = |other: &Pooled<'_>| alike_in_length(&asked.definition.meaning, &other.definition.meaning);
        near(rivals.collect(), asked, alike)
            .into_iter()
            .take(MAX_RIVALS)
            .map(|other| first_sentence(&other.definition.meaning, profile))
            .collect()
    }

    /// Which meaning, or which description, fits the term? None where its own is too long for an option.
    fn meaning_of(&self, asked: &Pooled<'_>, question: &str) -> Option<(String, Form)> {
        let Definition { term, meaning, .. } = asked.definition;
        let key = first_sentence(meaning, self.lesson(asked.lesson).profile);
        let question = fill(question, &[("term", term)]);
        let wrong = self.rival_meanings(asked, &question);
        fits(&key, MAX_OPTION).then_some((question, Form::Choice { key, wrong }))
    }

    /// A pair is asked in one direction or the other.
    fn about_pair(&self, asked: &Pooled<'_>, at: usize, found: &mut Vec<Candidate>) {
        let phrases = self.phrases();
        let Definition { term, meaning, pointer, .. } = asked.definition;
        let quote = format!("{term}: {meaning}");
        let meaning = &first_sentence(meaning, self.lesson(asked.lesson).profile);
        let unique = !self.pool.0.iter().any(|other| other.meaning == asked.meaning && other.term != asked.term);
        let one_term = !self.pool.0.iter().any(|other| other.term == asked.term && other.meaning != asked.meaning);
        if !one_term || asked.is_circular() {
            self.tally.note(
                QuizItemKind::Select,
                if one_term { OmissionReason::GivesAway } else { OmissionReason::SeveralKeys },
            );
            return;
        }
        let rank = if asked.is_cognate() { Rank::Spare } else { Rank::Sound };
        let evidence = || Evidence {
            lesson: asked.lesson,
            pointer,
            quote: &quote,
            fact: format!("pair {}", asked.term),
            weight: WEIGHT,
        };
        // "What time does it leave?" is what a phrase means, and describes nothing; nor does a translation.
        let describes = word_count(meaning) >= TELLING && !sentences::asks(meaning);
        let (ask_term, ask_written) = match describes && is_glossary(self.lesson(asked.lesson)) {
            true => (phrases.term_described, phrases.blank_described),
            false => (phrases.term_for, phrases.blank_term),
        };
        let question = fill(ask_term, &[("definition", trimmed(meaning))]);
        if unique && at % 3 != 1 {
            let rivals = self.rivals(asked, &question).into_iter().take(MAX_RIVALS);
            let wrong = rivals.map(|other| other.definition.term.clone());
            let form = Form::Choice { key: term.clone(), wrong: wrong.collect() };
            found.push(self.candidate(evidence(), rank, question, form));
        }
        if !at.is_multiple_of(3)
            && let Some((question, form)) = self.meaning_of(asked, phrases.meaning_of)
        {
            found.push(self.candidate(evidence(), rank, question, form));
        }
        if unique && word_count(meaning) >= FEWEST_TOLD && self.is_writable(asked.lesson, term) {
            let question = fill(ask_written, &[("definition", trimmed(meaning))]);
            found.push(self.candidate(evidence(), rank, self.hinted(asked.lesson, &question, term), written(term)));
        }
    }

    /// The item of a list is the description of its term, and the question asks which description fits. What does not begin like a noun
    /// ("from overheated cables") says something else of the term.
    fn about_listed(&self, asked: &Pooled<'_>, found: &mut Vec<Candidate>) {
        let Definition { term, meaning, pointer, .. } = asked.definition;
        let quote = format!("{term}: {meaning}");
        let fact = format!("pair {}", asked.term);
        let evidence = Evidence { lesson: asked.lesson, pointer, quote: &quote, fact, weight: WEIGHT };
        let description = self
            .meaning_of(asked, self.phrases().description_of)
            .filter(|_| asked.names_a_thing && !asked.is_circular());
        found.extend(description.map(|(question, form)| self.candidate(evidence, Rank::Sound, question, form)));
    }

    fn about_sentence(&self, asked: &Pooled<'_>, prose: &Prose, found: &mut Vec<Candidate>) {
        let read = self.lesson(asked.lesson);
        let sentence = &read.sentences[prose.sentence];
        let telling = word_count(&asked.definition.meaning) >= TELLING && !asked.is_circular();
        // "A sink is a place where it is removed": what is?
        let alone = sentence.standalone && !read.points_elsewhere(sentence) && !read.holds_a_pronoun(&asked.meaning);
        if !fits(&sentence.text, MAX_SHOWN) || !alone || !telling {
            return;
        }
        let gapped = format!("{GAP}{}", &sentence.text[prose.lead.len()..]);
        let unique = !self.said.may_mean_another(&asked.term, &asked.words);
        let question = fill(self.phrases().cloze_term, &[("sentence", &gapped)]);
        let question = self.in_context(asked.lesson, sentence, question, Some(&asked.definition.term));
        // The gap opens the sentence, so that options begin with a capital, and have their own articles.
        let wrong: Vec<String> = self
            .rivals(asked, &sentence.text)
            .into_iter()
            .filter_map(|other| other.definition.prose.as_ref())
            // "____ are …" fits no term that "is" something.
            .filter(|theirs| theirs.introduces && theirs.copula == prose.copula && !theirs.lead.contains(','))
            .map(|theirs| capitalise(&theirs.lead))
            .take(MAX_RIVALS)
            .collect();
        let form = Form::Choice { key: capitalise(&prose.lead), wrong };
        // The form of the key often tells it in the gap: an article, or an insertion between commas.
        found.push(self.candidate(asked.evidence(prose, &sentence.text), Rank::Ordered, question, form));
        self.judge(asked, prose, sentence, found);
        if !prose.introduces {
            return;
        }
        let description = self.meaning_of(asked, self.phrases().description_of);
        let evidence = asked.evidence(prose, &sentence.text);
        found.extend(description.map(|(question, form)| self.candidate(evidence, Rank::Sound, question, form)));
        let means = read.profile.is_copula(&prose.copula) || read.profile.says_means(&prose.copula);
        if unique
            && means
            && !asked.is_proper_name(prose, read.profile)
            && self.is_writable(asked.lesson, &asked.definition.term)
        {
            let meaning = read.profile.without_closing_copula(trimmed(&asked.definition.meaning));
            let question = fill(self.phrases().blank_described, &[("definition", meaning)]);
            let evidence = asked.evidence(prose, &sentence.text);
            let question = self.hinted(asked.lesson, &question, &asked.definition.term);
            found.push(self.candidate(evidence, Rank::Sound, question, written(&asked.definition.term)));
        }
    }

    /// Whether learners can write a term as it stands: "F1 and F2" are two.
    fn is_writable(&self, lesson: usize, term: &str) -> bool {
        let conjunctions = language::find_teaching(self.lesson(lesson).profile.tag)
            .map_or("", |teaching| teaching.answers.conjunctions);
        let joins = |word: &str| conjunctions.split(' ').any(|conjunction| conjunction == word);
        fits(term, LONGEST_WRITTEN)
            && term.split_whitespace().count() <= MOST_WRITTEN
            && !term.contains(is_unspaced)
            && !term.contains(['/', ','])
            // Nobody knows whether the article is to be written.
            && !has_foreign_article(term, self.lesson(lesson).profile)
            && !self.is_titled(lesson, term)
            && !term.to_lowercase().split(' ').any(joins)
            // "To irrigate" without "to" is as right.
            && !has_particle(term)
    }

    /// A term that the level or the lesson is called by is what everybody would write.
    fn is_titled(&self, lesson: usize, term: &str) -> bool {
        let (term, read) = (normal(term), self.lesson(lesson));
        // A lesson without a title is called by its beginning.
        let own = Some(&read.title).filter(|_| read.named);
        own.into_iter().chain([&self.material.title]).any(|title| mentions(&normal(title), &term))
    }

    /// The question with the first and the last letter of the term, so that no synonym is an answer as well.
    pub(super) fn hinted(&self, lesson: usize, question: &str, term: &str) -> String {
        let profile = self.lesson(lesson).profile;
        let bare = without_remark(term).unwrap_or(term);
        let mut words = bare.split_whitespace().skip_while(|word| profile.is_article(&word.to_lowercase()));
        let first = words.next().unwrap_or(term).graphemes(true).next().unwrap_or_default();
        let last = bare.graphemes(true).next_back().unwrap_or_default();
        let is_long = bare.graphemes(true).count() >= FEWEST_HINTED && last.chars().all(char::is_alphabetic);
        format!("{question} ({first}…{})", if is_long { last } else { "" })
    }

    /// The sentence, or the same with another term of the same sort in its place, which means something else.
    fn judge(&self, asked: &Pooled<'_>, prose: &Prose, defining: &Sentence, found: &mut Vec<Candidate>) {
        let sentence = defining.text.as_str();
        let swapped = |other: &Pooled<'_>| {
            let theirs = other.definition.prose.as_ref()?;
            let peer = theirs.copula == prose.copula
                && !theirs.lead.contains(',')
                && other.lesson == asked.lesson
                && other.is_of_the_same_sort(asked)
                && !self.said.may_mean(&other.term, &asked.words);
            peer.then(|| format!("{}{}", theirs.lead, &sentence[prose.lead.len()..]))
        };
        let fails: Vec<String> = self
            .pool
            .against(asked, sentence)
            .filter_map(swapped)
            .filter(|statement| !self.said.states(statement))
            .take(2)
            .collect();
        if fails.is_empty() {
            self.tally.note(QuizItemKind::TrueFalse, OmissionReason::FewRivals);
            return;
        }
        let form = Form::Verdict { holds: Some(sentence.to_owned()), fails };
        let topic = self.topic(asked.lesson, defining, None);
        let evidence = asked.evidence(prose, sentence);
        found.push(self.candidate(evidence, Rank::Spare, sentence.to_owned(), form).under(topic));
    }
}

/// Those of the same lesson, where enough of them look like the key: nobody would choose a term of another topic.
fn near<'p>(
    rivals: Vec<&'p Pooled<'p>>,
    asked: &Pooled<'_>,
    is_alike: impl Fn(&Pooled<'_>) -> bool,
) -> Vec<&'p Pooled<'p>> {
    let here = rivals.iter().filter(|other| other.lesson == asked.lesson && is_alike(other)).count();
    let is_near = |other: &&Pooled<'_>| here < MIN_WRONG || other.lesson == asked.lesson;
    rivals.into_iter().filter(is_near).collect()
}

/// The meaning of a term, without what else is said of it: "A capital. Small letters are called lower case."
pub(super) fn first_sentence(meaning: &str, profile: &Profile) -> String {
    let sentences = sentences::split(meaning, profile);
    let first = match sentences[..] {
        [first, _, ..] => trimmed(first),
        _ => meaning,
    };
    // "the upper chamber (plural: atria)": what stands in brackets at the end is a remark. In "to change (trains)" it tells what is meant.
    match first.strip_suffix(')').and_then(|first| first.rsplit_once(" (")) {
        Some((bare, _)) if word_count(bare) >= FEWEST_TOLD => bare.to_owned(),
        _ => first.to_owned(),
    }
}

/// "La llave" in a lesson in English: a word of another language, with its article.
fn has_foreign_article(term: &str, profile: &Profile) -> bool {
    let lower = term.to_lowercase();
    let Some((first, _)) = lower.split_once(' ') else { return false };
    !profile.is_article(first) && is_any_article(first)
}

/// "To irrigate": an infinitive with its particle.
fn has_particle(term: &str) -> bool {
    const PARTICLES: [&str; 6] = ["to", "att", "at", "å", "te", "zu"];
    term.split_once(' ').is_some_and(|(first, _)| PARTICLES.contains(&first.to_lowercase().as_str()))
}

/// An article of any language; `word` in lower case.
pub(super) fn is_any_article(word: &str) -> bool {
    language::taught().any(|(tag, _)| profile::of(tag).is_article(word))
}

/// A term without a remark in brackets behind it; none where it has no remark.
fn without_remark(term: &str) -> Option<&str> {
    term.strip_suffix(')')?.rsplit_once(" (").map(|(bare, _)| bare)
}

/// The key of a written term. A remark in brackets behind the term may be left out.
pub(super) fn written(term: &str) -> Form {
    let bare = without_remark(term).map(str::to_owned);
    let keys = [Some(term.to_owned()), bare.filter(|bare| !bare.is_empty())];
    Form::Written { kind: QuizItemKind::Blank, keys: keys.into_iter().flatten().collect() }
}

/// The words whose spelling can tell another's.
fn long_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| word.chars().nth(FEWEST_HINTED - 1).is_some())
}

/// A word of Arabic without the article that is written as a part of it.
fn without_article(word: &str) -> &str {
    word.strip_prefix("ال").unwrap_or(word)
}

/// Whether a text has the words that an abbreviation stands for: "DHCP" of "a protocol for dynamic host configuration" does not. Little
/// words may stand among them. `text` is normal.
pub(super) fn spells_out(text: &str, abbreviation: &str) -> bool {
    let is_long = abbreviation.chars().nth(2).is_some();
    let words: Vec<&str> = text.unicode_words().collect();
    let begins_at = |start: usize| {
        let mut letters = abbreviation.chars().flat_map(char::to_lowercase).peekable();
        for word in &words[start..] {
            // Little words stand for no letter.
            if word.chars().nth(LONGEST_LITTLE_WORD).is_none() {
                continue;
            }
            if letters.next_if(|letter| word.starts_with(*letter)).is_none() {
                break;
            }
            // "Deoxyribonucleic" has two of the letters.
            for sign in word.chars().skip(1).filter(|_| is_long) {
                letters.next_if_eq(&sign);
            }
        }
        letters.peek().is_none()
    };
    is_abbreviation(abbreviation) && (0..words.len()).any(begins_at)
}

/// "cell" and "cells", "grow" and "growth".
pub(super) fn same_root(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(left, right)| left == right).count();
    let longer = one.chars().count().max(other.chars().count());
    shared >= 4 && shared + 3 >= longer
}
