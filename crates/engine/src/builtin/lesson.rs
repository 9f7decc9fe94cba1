//! A lesson prepared for teaching: its sentences, the terms in them and what the source says they mean.
//!
//! Everything kept here is the source's own text. What makes a sentence fit to stand alone, and which
//! sentences carry most, is decided here; what is made of them is the work of the drafts.

use std::collections::HashSet;

use language::Answers;
use language::fill;
use language::normal::{normal, shorten};
use language::profile::{self, Profile};
use language::script::{is_thai, is_unspaced, word_count};
use language::{segments, sentences};

use crate::phrases::Phrases;
use crate::reading::blocks::{Body, Item, LessonReading, Pair};
use crate::reading::flat::each_text;
use crate::reading::inline::Passage;
use crate::reading::pointer::Pointer;
use crate::text::arithmetic;
use crate::text::definitions::define;
use crate::text::orders;
use crate::text::stems::stems;
use crate::text::terms;

use super::material::speakable;

/// Longest heading made of a sentence, in characters; in scripts without spaces a character says more.
const HEADING: usize = 60;
const HEADING_UNSPACED: usize = 30;
/// Most terms kept of a lesson.
const MAX_TERMS: usize = 24;
/// Words of a sentence among which its subject mostly is.
const FIRST_WORDS: usize = 5;
/// Most terms that a lesson is about.
const MAX_TOPICS: usize = 8;
/// Longest beginning of a sentence that connects it with the one before, in characters.
const CONNECTION: usize = 30;
/// Words that begin a clause: "means that …".
const CLAUSES: [&str; 8] = ["that", "dass", "que", "che", "dat", "że", "что", "що"];
/// Fewest items of a list of definitions and most that are kept, fewest words of what one of them means, and most words of a term.
const FEWEST_DEFINED: usize = 3;
const MOST_DEFINED: usize = 400;
const FEWEST_MEANING: usize = 3;
const MOST_TERM: usize = 5;
/// Most sentences in which a name is looked for.
const MAX_LOOKED_AT: usize = 200;

/// A lesson with what was found in it.
pub(crate) struct Lesson {
    pub(crate) reading: LessonReading,
    /// Its title, the level's where it is the only lesson, or the beginning of its first sentence.
    pub(crate) title: String,
    /// The title was given, so it can be asked about; a quoted beginning can not.
    pub(crate) named: bool,
    /// The title, short enough for a question.
    pub(crate) short: String,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) terms: Vec<Term>,
    /// The language that it is written in.
    pub(crate) profile: &'static Profile,
}

/// A sentence of the source, verbatim.
pub(crate) struct Sentence {
    pub(crate) text: String,
    pub(crate) pointer: Pointer,
    /// Can be understood alone.
    pub(crate) standalone: bool,
    pub(crate) words: usize,
    /// How much of the lesson it carries.
    pub(crate) score: f64,
    /// It stands in a paragraph, and not in a list.
    pub(crate) prose: bool,
    /// The block it stands in.
    pub(crate) block: usize,
    marks: Vec<String>,
}

/// What the source says a term means.
#[derive(Clone)]
pub(crate) struct Definition {
    pub(crate) term: String,
    /// The meaning by itself: a pair's definition, or the sentence behind its copula.
    pub(crate) meaning: String,
    pub(crate) pointer: Pointer,
    /// For a definition in prose: where it stands and how it begins.
    pub(crate) prose: Option<Prose>,
    /// An item of a list describes the term: what it says need not read as a meaning.
    pub(crate) listed: bool,
}

/// A definition that is a sentence.
#[derive(Clone)]
pub(crate) struct Prose {
    pub(crate) sentence: usize,
    /// Article and term as they begin the sentence.
    pub(crate) lead: String,
    pub(crate) copula: String,
    /// The sentence emphasises the term, the lesson's title names it, or the lesson names it here first and goes on to use it.
    pub(crate) introduces: bool,
}

/// A term that a learner should know.
pub(crate) struct Term {
    pub(crate) text: String,
}

/// What the lessons of a level have in common.
pub(super) struct Frame {
    /// Bytes that are analysed of each lesson.
    pub(super) share: usize,
    pub(super) declared: &'static Profile,
    /// The titles of the level and of all its lessons, in normal form.
    pub(super) titles: String,
    pub(super) phrases: &'static Phrases,
    /// Heads the only lesson where it has no title.
    pub(super) title: Option<String>,
}

impl Lesson {
    pub(super) fn prepare(reading: LessonReading, at: usize, frame: &Frame) -> Self {
        let share = frame.share;
        let passages = passages(&reading, share);
        let sample: String =
            passages.iter().take(8).map(|(_, passage, _)| beginning(&passage.text, 800)).collect::<Vec<_>>().join(" ");
        let profile = profile::of_text(&sample, frame.declared);
        let mut found: Vec<Sentence> = Vec::new();
        for (block, passage, pointer) in &passages {
            for text in sentences::split(beginning(&passage.text, share), profile) {
                let start = text.as_ptr() as usize - passage.text.as_ptr() as usize;
                let marks = passage.marked_in(start..start + text.len()).map(str::to_owned).collect();
                found.push(Sentence {
                    text: text.to_owned(),
                    pointer: (*pointer).clone(),
                    standalone: stands_alone(text, profile),
                    words: word_count(text),
                    score: 0.0,
                    prose: matches!(reading.blocks[*block].body, Body::Paragraph(_)),
                    block: *block,
                    marks,
                });
            }
        }
        let definitions = definitions(&reading, &found, profile, &frame.titles);
        let candidates =
            terms::find(found.iter().map(|sentence| (sentence.text.as_str(), sentence.marks.as_slice())), profile);
        score(&mut found, &candidates, &definitions);
        let terms = ranked_terms(&definitions, candidates);
        let given = [&reading.title, &frame.title].into_iter().flatten().find(|title| speakable(&short_of(title)));
        let named = given.is_some();
        let title = given.cloned().unwrap_or_else(|| beginning_of(&reading, &found, at, frame.phrases));
        let short = short_of(&title);
        Self { reading, title, named, short, sentences: found, definitions, terms, profile }
    }

    /// Whether a sentence is about something that the lesson teaches, and does not only tell a story: it emphasises or names a
    /// term, or says a word of the title.
    pub(crate) fn tells_of_a_term(&self, sentence: &Sentence) -> bool {
        let text = normal(&sentence.text);
        let defines = |found: &Definition| {
            let taught = found.prose.as_ref().is_none_or(|prose| prose.introduces);
            taught && language::normal::mentions(&text, &normal(&found.term))
        };
        let titled = || self.named && !stems(&text).is_disjoint(&stems(&normal(&self.short)));
        !sentence.marks.is_empty() || self.definitions.iter().any(defines) || titled()
    }

    /// Whether a sentence is about something that the lesson teaches or comes back to.
    pub(crate) fn is_on_topic(&self, sentence: &Sentence) -> bool {
        let text = normal(&sentence.text);
        let mut first = self.terms.iter().take(MAX_TOPICS).map(|term| normal(&term.text));
        self.tells_of_a_term(sentence) || first.any(|term| language::normal::mentions(&text, &term))
    }

    /// Whether its steps are calculations rather than things to do.
    pub(crate) fn calculates(&self) -> bool {
        let steps = self.reading.blocks.iter().filter_map(|block| match &block.body {
            Body::List { steps: true, items } => Some(items),
            _ => None,
        });
        let (mut formulas, mut all) = (0, 0);
        for step in steps.flatten() {
            all += 1;
            formulas += usize::from(step.text.text.contains(['=', '≈', '≤', '≥']));
        }
        all > 0 && formulas * 2 >= all
    }

    /// Whether a sentence tells learners what to do.
    pub(crate) fn commands(&self, text: &str) -> bool {
        orders::of(self.profile.tag).is_some_and(|orders| orders.commands(text.trim_start()))
    }

    /// Whether a sentence states something, and does not tell learners what to do. What can't be told is no statement.
    pub(crate) fn states(&self, sentence: &Sentence) -> bool {
        let text = sentence.text.trim_start();
        let orders = orders::of(self.profile.tag);
        if !sentence.standalone || !sentence.prose || self.profile.is_unknown() || self.commands(text) {
            return false;
        }
        if text.starts_with(is_unspaced) || orders.is_some_and(|orders| orders.verb_last()) {
            return !language::cues(|cues| cues.instructs).any(|mark| text.contains(mark));
        }
        let mut words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
        let Some(first) = words.next() else { return false };
        let lower = first.to_lowercase();
        let little = self.profile.is_article(&lower)
            || self.profile.is_determiner(&lower)
            || crate::relevance::without_article(&lower) != lower;
        let known = |word: &str| {
            self.terms.iter().any(|term| term.text.split(' ').next().is_some_and(|head| head.to_lowercase() == word))
        };
        let defines = self.definitions.iter().filter_map(|found| found.prose.as_ref());
        let defined = defines.clone().any(|prose| self.sentences[prose.sentence].text == sentence.text);
        let opens = self.profile.opens_noun(&lower);
        little
            || opens
            || defined
            || known(&lower)
            || self.is_name(first)
            || self.is_noun(&lower)
            || first.starts_with(|digit: char| digit.is_numeric())
    }

    /// Whether a sentence points to another one: "the four types above", "in summer they live six weeks", "the difference is …".
    pub(crate) fn points_elsewhere(&self, sentence: &Sentence) -> bool {
        let text = sentence.text.to_lowercase();
        let Some(teaching) = language::find_teaching(self.profile.tag) else { return false };
        let first = first_words(&text);
        let is_theirs = first.iter().any(|word| teaching.cues.is_pronoun(word));
        let mut pointers = teaching.cues.pointers.split('|').filter(|pointer| !pointer.is_empty());
        is_theirs
            || self.has_vague_subject(&first, &teaching.answers)
            || pointers.any(|pointer| language::normal::mentions(&text, pointer))
    }

    /// Whether a text has a pronoun of the third person.
    pub(crate) fn holds_a_pronoun(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        language::find_teaching(self.profile.tag).is_some_and(|teaching| {
            let mut words = lower.split(|sign: char| !sign.is_alphanumeric());
            words.any(|word| teaching.cues.is_pronoun(word))
        })
    }

    /// Whether a sentence begins with an article and a noun that the lesson names nowhere else, and says more of it at once: "the difference
    /// has nothing to do with …". A preposition would say which one.
    pub(crate) fn leaves_its_subject_open(&self, sentence: &Sentence) -> bool {
        let Some(teaching) = language::find_teaching(self.profile.tag) else { return false };
        let text = sentence.text.to_lowercase();
        let [article, noun, behind, ..] = first_words(&text)[..] else { return false };
        let listed = |list: &str| list.split(' ').any(|known| known == behind);
        let specifies = listed(teaching.answers.prepositions) || listed(teaching.orders.of);
        self.profile.is_article(article) && self.profile.is_stop(behind) && !specifies && !self.names_again(noun)
    }

    /// Whether the title names a noun, or two sentences do.
    fn names_again(&self, noun: &str) -> bool {
        let is_named = |text: &str| language::normal::mentions(&text.to_lowercase(), noun);
        let again = || self.sentences.iter().take(MAX_LOOKED_AT).filter(|other| is_named(&other.text)).nth(1).is_some();
        is_named(&self.title) || again()
    }

    /// Whether a sentence begins with an article and leaves its noun to the sentence before ("la de tercer grado"), or says what a noun "is"
    /// that the lesson names nowhere else: what "the difference" or "the event" means was said in other words.
    fn has_vague_subject(&self, first: &[&str], answers: &Answers) -> bool {
        let [article, noun, behind, ..] = first else { return false };
        if !self.profile.is_article(article) {
            return false;
        }
        let elides = answers.prepositions.split(' ').any(|known| known == *noun);
        let says_what_it_is = answers.copulas.split(' ').any(|known| known == *behind);
        elides || says_what_it_is && !self.names_again(noun)
    }

    /// Whether a word stands, somewhere in the lesson, behind an article or "of": "the valves of hearts".
    fn is_noun(&self, word: &str) -> bool {
        let of = language::find_teaching(self.profile.tag).map_or("", |teaching| teaching.orders.of);
        let opens = |before: &str| self.profile.is_article(before) || of.split(' ').any(|known| known == before);
        self.sentences.iter().take(MAX_LOOKED_AT).any(|sentence| {
            let text = sentence.text.to_lowercase();
            let mut before = language::normal::positions(&text, word).filter_map(|at| text[..at].strip_suffix(' '));
            before.any(|before| before.split(' ').next_back().is_some_and(opens))
        })
    }

    /// Whether a word is written with a capital within sentences.
    fn is_name(&self, word: &str) -> bool {
        let inside = |sentence: &Sentence| {
            language::normal::positions(&sentence.text, word).any(|at| at > 0 && sentence.text[..at].ends_with(' '))
        };
        word.starts_with(char::is_uppercase) && self.sentences.iter().take(MAX_LOOKED_AT).any(inside)
    }

    /// Whether a sentence speaks of the course, its learners or its tests rather than of what they teach.
    pub(crate) fn speaks_of_itself(&self, sentence: &Sentence) -> bool {
        orders::of(self.profile.tag).is_some_and(|orders| orders.speaks_of_work(&sentence.text))
    }

    /// The sentence that says most, among those that can stand alone where there are any.
    pub(crate) fn key_sentence(&self) -> Option<&Sentence> {
        let best = |alone: bool| {
            self.sentences
                .iter()
                .filter(|sentence| {
                    (sentence.standalone || !alone)
                        && sentence.words >= 3
                        && sentence.text.chars().any(char::is_alphabetic)
                })
                .max_by(|left, right| left.score.total_cmp(&right.score))
        };
        best(true).or_else(|| best(false))
    }
}

/// The passages to analyse: all of them, or a spread when there is too much.
fn passages(reading: &LessonReading, share: usize) -> Vec<(usize, &Passage, &Pointer)> {
    let mut all: Vec<(usize, &Passage, &Pointer)> = Vec::new();
    for (at, block) in reading.blocks.iter().enumerate().filter(|(_, block)| block.teaches()) {
        match &block.body {
            Body::Paragraph(passage) => all.push((at, passage, &block.pointer)),
            Body::List { steps: false, items } => {
                let telling =
                    items.iter().filter(|item| item.text.text.len() > 24 && sentences::is_complete(&item.text.text));
                all.extend(telling.map(|item| (at, &item.text, &item.pointer)));
            }
            _ => {}
        }
    }
    let total: usize = all.iter().map(|(_, passage, _)| passage.text.len()).sum();
    let step = total / share.max(1) + 1;
    all.into_iter().step_by(step).collect()
}

/// The words among which a sentence mostly has its subject.
fn first_words(text: &str) -> Vec<&str> {
    let words = text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(FIRST_WORDS).collect()
}

fn beginning(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A closed sentence of sensible length that does not lean on the one before.
fn stands_alone(text: &str, profile: &Profile) -> bool {
    let mut words = text
        .split(|character: char| !character.is_alphanumeric() && !matches!(character, '\'' | '’'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase);
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let unspaced = text.starts_with(is_unspaced);
    let connects = || {
        let beginning: String = text.chars().take(CONNECTION).flat_map(char::to_lowercase).collect();
        let dependents = language::find_teaching(profile.tag).map_or("", |teaching| teaching.cues.dependents);
        dependents.split('|').filter(|begin| !begin.is_empty()).any(|begin| {
            let rest = beginning.strip_prefix(begin);
            // "แต่" says "but", and begins "แต่ละ", which says "each".
            let is_word = || !begin.starts_with(is_thai) || segments::is_whole(text, begin.len()..begin.len());
            rest.is_some_and(|rest| if unspaced { is_word() } else { !rest.starts_with(char::is_alphanumeric) })
        })
    };
    let leans = connects()
        || !unspaced && (profile.is_anaphoric(&first) || profile.is_stop(&first) && profile.is_anaphoric(&second));
    let length = word_count(text);
    let quoted = text.starts_with(['"', '“', '„', '«', '»', '(', '-', '–', '—'])
        || text.contains(['?', '？', '؟'])
        || text.contains("://");
    !leans
        && !quoted
        && !reports_of_nobody(text, profile)
        && (5..=45).contains(&length)
        && sentences::is_complete(text)
        && !text.trim_end().ends_with(':')
}

/// "Dr. Smith says it isn't that simple": what somebody says of something named elsewhere.
fn reports_of_nobody(text: &str, profile: &Profile) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty() && !CLAUSES.contains(word));
    words.any(|word| language::cues(|cues| cues.sayings).any(|saying| saying == word))
        && words.next().is_some_and(|word| profile.is_anaphoric(word))
}

fn definitions(reading: &LessonReading, sentences: &[Sentence], profile: &Profile, titles: &str) -> Vec<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    for block in reading.blocks.iter().filter(|block| block.teaches()) {
        if let Body::Definitions(pairs) = &block.body {
            let counted = counted(pairs);
            let told = pairs
                .iter()
                .filter(|pair| !pair.term.is_empty() && !pair.definition.is_empty() && pair.term.chars().count() <= 80)
                .filter(|pair| !counter(&pair.term).is_some_and(|(word, _)| counted.contains(word)))
                // "Area: 3 · 4 = 12" calculates, and defines nothing.
                .filter(|pair| arithmetic::find(&pair.definition).is_empty());
            found.extend(told.take(MOST_DEFINED).map(|pair| Definition {
                term: pair.term.clone(),
                meaning: pair.definition.clone(),
                pointer: pair.pointer.clone(),
                prose: None,
                listed: false,
            }));
        }
    }
    for block in reading.blocks.iter().filter(|block| block.teaches()) {
        if let Body::List { steps: false, items } = &block.body {
            found.extend(in_list(items).into_iter().take(MOST_DEFINED));
        }
    }
    let title = reading.title.as_deref().map(normal);
    for (at, sentence) in sentences.iter().enumerate() {
        if let Some(definition) = in_prose(at, sentence, profile, title.as_deref())
            .filter(|found| is_established(found, titles, sentences) && !is_small(found, sentences, profile))
        {
            found.push(definition);
        }
    }
    let mut seen = HashSet::new();
    found.retain(|definition| seen.insert(normal(&definition.term)));
    for definition in &mut found {
        let term = normal(&definition.term);
        if let Some(prose) = definition.prose.as_mut().filter(|prose| !prose.introduces) {
            prose.introduces = is_taken_up(&term, prose.sentence, sentences);
        }
    }
    found
}

/// Whether a lesson defines a term where it first names it, and goes on to use it.
fn is_taken_up(term: &str, defined_in: usize, sentences: &[Sentence]) -> bool {
    let naming = |(_, sentence): &(usize, &Sentence)| language::normal::mentions(&sentence.text.to_lowercase(), term);
    let mut named_in = sentences.iter().enumerate().take(MAX_LOOKED_AT).filter(naming).map(|(at, _)| at);
    named_in.next() == Some(defined_in) && named_in.next().is_some()
}

/// The definitions of a list that emphasises a term in front of each of its items: "**Elimination** – remove the hazard". None where some
/// items are something else.
fn in_list(items: &[Item]) -> Vec<Definition> {
    let outer = items.iter().filter(|item| item.level == 0);
    let found: Option<Vec<Definition>> = outer
        .map(|item| {
            let Passage { text, marks } = &item.text;
            let term = marks.first().filter(|mark| mark.start == 0 && mark.kind.is_emphasis())?;
            let (term, meaning) = (&text[..term.end], described(&text[..term.end], &text[term.end..])?);
            let meaning = meaning.trim_end_matches(['.', ';', ',', '。', '；', '।']);
            let told = word_count(meaning) >= FEWEST_MEANING
                && word_count(term) <= MOST_TERM
                && arithmetic::find(meaning).is_empty();
            told.then(|| Definition {
                term: term.trim_end_matches([':', '：']).to_owned(),
                meaning: meaning.to_owned(),
                pointer: item.pointer.clone(),
                prose: None,
                listed: true,
            })
        })
        .collect();
    found.filter(|found| found.len() >= FEWEST_DEFINED).unwrap_or_default()
}

/// The description of a term behind a dash or a colon. The colon may be part of the emphasis ("**Danger:** …"); a hyphen within a word is no dash.
fn described<'t>(term: &str, rest: &'t str) -> Option<&'t str> {
    let behind = rest.trim_start();
    let found = if term.ends_with([':', '：']) {
        Some(behind)
    } else {
        behind.strip_prefix(['–', '—', ':', '：']).or_else(|| rest.strip_prefix(" - "))
    };
    found.map(str::trim_start)
}

/// The words that terms share and only number, such as "Step" of "Step 1" and "Step 2": these are places in a list.
fn counted(pairs: &[Pair]) -> HashSet<&str> {
    let numbered = pairs.iter().filter_map(|pair| counter(&pair.term));
    let all: HashSet<(&str, u32)> = numbered.collect();
    all.iter().filter(|(word, number)| *number == 1 && all.contains(&(*word, 2))).map(|(word, _)| *word).collect()
}

/// A term that ends in a number, parted.
fn counter(term: &str) -> Option<(&str, u32)> {
    let (word, number) = term.trim_end_matches(['.', ':']).rsplit_once(' ')?;
    Some((word, number.parse().ok()?))
}

fn in_prose(at: usize, sentence: &Sentence, profile: &Profile, title: Option<&str>) -> Option<Definition> {
    let text = &sentence.text;
    let defined = define(text, profile)
        .filter(|_| sentence.standalone || sentence.words <= 60 && sentences::is_complete(text))?;
    let lead = text[..defined.lead_end].to_owned();
    let (term, predicate) = (&text[defined.term], &text[defined.predicate]);
    // "Adagio means slow, andante means walking": more than one thing is defined.
    let copula = text[defined.copula.clone()].to_lowercase();
    let several = predicate.contains([';', '；', ':', '：'])
        || predicate.match_indices([',', '，', '،']).any(|(at, comma)| {
            let rest = predicate[at + comma.len()..].trim_start();
            let rest = if profile.tag == "ar" { rest.strip_prefix('و').unwrap_or(rest) } else { rest };
            define(&format!("{rest}."), profile).is_some()
        });
    let clause = predicate.split(' ').next().is_some_and(|first| CLAUSES.contains(&first));
    let teaching = language::find_teaching(profile.tag);
    // "The shaft is called the diaphysis" gives a name, and "phishing is one of the commonest …" sorts.
    let names = teaching.is_some_and(|teaching| {
        let words = teaching.cues.namings.split('|').chain(teaching.cues.named.split('|'));
        words.filter(|word| !word.is_empty()).any(|word| language::normal::mentions(&copula, word))
    });
    let sorts = teaching.is_some_and(|teaching| {
        let listed = |list: &str, word: Option<&str>| list.split(' ').any(|known| Some(known) == word);
        let lower = predicate.to_lowercase();
        let mut words = lower.split(' ');
        listed(teaching.answers.one, words.next()) && listed(teaching.orders.of, words.next())
    });
    let because = language::find_teaching(profile.tag).map_or("", |teaching| teaching.cues.because);
    let argues = because
        .split('|')
        .filter(|word| !word.is_empty())
        .any(|word| language::normal::mentions(&predicate.to_lowercase(), word));
    if clause
        || argues
        || names
        || sorts
        || term.contains(['(', ')', '"', '“', '„', '«'])
        || lead.contains('(')
        || several
    {
        return None;
    }
    let form = normal(term);
    let titled = title.is_some_and(|title| language::normal::mentions(title, &form));
    let introduces = titled || sentence.marks.iter().any(|mark| normal(mark) == form);
    let prose = Prose { sentence: at, lead, copula, introduces };
    Some(Definition {
        term: term.to_owned(),
        meaning: predicate.to_owned(),
        pointer: sentence.pointer.clone(),
        prose: Some(prose),
        listed: false,
    })
}

/// Whether a lesson is about a term, and does not only say in passing what "the reason is". A term is established by a
/// title, by emphasis, by coming back, or by standing without an article.
fn is_established(definition: &Definition, titles: &str, sentences: &[Sentence]) -> bool {
    let term = normal(&definition.term);
    let bare = definition.prose.as_ref().is_some_and(|prose| normal(&prose.lead) == term);
    let titled = language::normal::mentions(titles, &term);
    let marked = || sentences.iter().flat_map(|sentence| &sentence.marks).any(|mark| normal(mark) == term);
    let again = || {
        let naming = |sentence: &&Sentence| language::normal::mentions(&sentence.text.to_lowercase(), &term);
        sentences.iter().take(MAX_LOOKED_AT).filter(naming).nth(1).is_some()
    };
    bare || titled || marked() || again()
}

/// Whether a word that only begins its sentence with a capital is no noun: "Reif ist der Honig, wenn …" beside "noch nicht reif".
fn is_small(definition: &Definition, sentences: &[Sentence], profile: &Profile) -> bool {
    let Some(prose) = definition.prose.as_ref().filter(|prose| !prose.introduces) else { return false };
    let small = definition.term.to_lowercase();
    let is_small = |sentence: &Sentence| language::normal::mentions(&sentence.text, &small);
    // "Leben" is a noun beside "leben" where it stands within a sentence.
    let is_great = |sentence: &Sentence| {
        let within = |at: usize| at > 0 && !sentence.text[..at].trim_end().ends_with(['.', ':', '„', '“']);
        language::normal::positions(&sentence.text, &definition.term).any(within)
    };
    let looked_at = || sentences.iter().take(MAX_LOOKED_AT);
    let is_bare = prose.lead == definition.term;
    profile.nouns_are_capitalised && is_bare && looked_at().any(is_small) && !looked_at().any(is_great)
}

/// A sentence counts by the terms in it, by where it stands and by whether it defines.
fn score(sentences: &mut [Sentence], candidates: &[terms::Candidate], definitions: &[Definition]) {
    let weights: Vec<(String, f64)> = candidates
        .iter()
        .take(30)
        .map(|candidate| (candidate.text.to_lowercase(), candidate.weight.min(4.0)))
        .collect();
    let total = sentences.len();
    for (at, sentence) in sentences.iter_mut().enumerate() {
        let lower = sentence.text.to_lowercase();
        let carried: f64 =
            weights.iter().filter(|(term, _)| lower.contains(term.as_str())).map(|(_, weight)| weight).sum();
        let place = if at == 0 {
            1.3
        } else if at < total / 3 {
            1.1
        } else {
            1.0
        };
        let length = sentence.words as f64;
        let fit = if length < 5.0 {
            0.3
        } else if length > 35.0 {
            0.6
        } else {
            1.0
        };
        sentence.score = (1.0 + carried) / (length + 8.0).sqrt() * place * fit;
    }
    for prose in definitions.iter().filter_map(|definition| definition.prose.as_ref()) {
        sentences[prose.sentence].score *= 2.0;
    }
}

fn ranked_terms(definitions: &[Definition], candidates: Vec<terms::Candidate>) -> Vec<Term> {
    let mut seen = HashSet::new();
    let defined = definitions.iter().map(|definition| Term { text: definition.term.clone() });
    let others = candidates.into_iter().map(|candidate| Term { text: candidate.text });
    defined
        .chain(others)
        .filter(|term| seen.insert(normal(&term.text)) && !crate::reading::is_address(&term.text))
        .take(MAX_TERMS)
        .collect()
}

/// The beginning of the lesson's first sentence, else of its first text with letters.
fn beginning_of(reading: &LessonReading, sentences: &[Sentence], at: usize, phrases: &Phrases) -> String {
    let mut first = sentences.first().and_then(|sentence| heading_from(&sentence.text));
    for block in &reading.blocks {
        if first.is_some() {
            break;
        }
        each_text(&block.body, &mut |text| first = first.take().or_else(|| heading_from(text)));
    }
    first.unwrap_or_else(|| fill(phrases.lesson_n, &[("n", &(at + 1).to_string())]))
}

/// A title for use within a question.
fn short_of(title: &str) -> String {
    shorten(title, 12, 70)
}

/// The beginning of a text, if words are in it.
fn heading_from(text: &str) -> Option<String> {
    let worded = |text: &str| text.chars().any(char::is_alphabetic);
    if !worded(text) || crate::reading::is_address(text) {
        return None;
    }
    let most = if text.starts_with(is_unspaced) { HEADING_UNSPACED } else { HEADING };
    let short = shorten(text, most, most);
    let heading = if short == text { short.trim_end_matches(['.', '。', '।']).to_owned() } else { short };
    Some(heading).filter(|heading| worded(&short_of(heading)))
}
