//! Questions answered freely, and work to hand in. The model answer is the source's own text.

use language::fill;
use language::normal::{normal, shorten};
use language::script::{is_thai, is_unspaced, word_count};
use language::segments;

use crate::builtin::lesson::{Definition, Lesson};
use crate::drafts::QuizItemKind;
use crate::reading::blocks::{Body, Origin};
use crate::reading::flat::labelled;

use super::{Candidate, Evidence, Form, MAX_SHOWN, Rank, Workshop, fits, sentence_fact};

/// Longest model answer, in characters and in words.
pub(super) const MAX_ANSWER: usize = 1500;
pub(super) const MAX_ANSWER_WORDS: usize = 200;
/// Fewest words of a claim that a reason is given for, and of the reason.
const MIN_CLAIM: usize = 4;
/// Fewest words of an explanation that is worth asking for.
const MIN_MEANING: usize = 7;
/// How much of its lesson a reason and a term are about.
const REASON: f64 = 1.0;
const TERM: f64 = 0.7;

impl Workshop<'_> {
    pub(super) fn open_questions(&self, lesson: usize, found: &mut Vec<Candidate>) {
        let read = self.lesson(lesson);
        self.submission(lesson, read, found);
        self.explain_term(lesson, read, found);
        if read.reading.origin == Origin::Lesson {
            // Nobody can be asked about a text that only its author has seen.
            self.reasons(lesson, read, found);
            self.retell(lesson, read, found);
        }
    }

    /// Work that the steps of a practical lesson describe.
    fn submission(&self, lesson: usize, read: &Lesson, found: &mut Vec<Candidate>) {
        let steps = read.reading.blocks.iter().find_map(|block| match &block.body {
            Body::List { steps: true, items } if items.len() > 2 && block.teaches() => Some((&block.pointer, items)),
            _ => None,
        });
        let kind = read.reading.kind.to_lowercase();
        let practical = language::cues(|cues| cues.practical).any(|label| kind.contains(label));
        let Some((pointer, steps)) = steps.filter(|_| practical && !read.calculates() && read.named) else { return };
        let question = fill(self.phrases().submission, &[("title", &read.short)]);
        let quote = shorten(&steps[0].text.text, 60, MAX_SHOWN);
        let fact = format!("carry out {lesson}");
        let evidence = Evidence { lesson, pointer, quote: &quote, fact, weight: 1.0 };
        let covered = fill(
            self.phrases().covers_submission,
            &[("steps", &numbered(steps.iter().map(|step| step.text.text.as_str())))],
        );
        let form = Form::Written { kind: QuizItemKind::Submission, keys: vec![covered] };
        found.push(self.candidate(evidence, Rank::Sound, question, form));
    }

    /// "Muscle cells have many mitochondria because they use a lot of energy": why is it so?
    fn reasons(&self, lesson: usize, read: &Lesson, found: &mut Vec<Candidate>) {
        let because = language::find_teaching(read.profile.tag).map_or("", |teaching| teaching.cues.because);
        let because: Vec<&str> = because.split('|').filter(|word| !word.is_empty()).collect();
        let dependents = language::find_teaching(read.profile.tag).map_or("", |teaching| teaching.cues.dependents);
        let is_longer =
            |phrase: &&str| because.iter().any(|word| phrase.len() > word.len() && phrase.starts_with(word));
        let dependents: Vec<&str> = dependents.split('|').filter(is_longer).collect();
        for (at, sentence) in read.sentences.iter().enumerate() {
            if !sentence.standalone || !fits(&sentence.text, MAX_SHOWN) {
                continue;
            }
            // "The last line prints false": that of the code above.
            let above = sentence.block.checked_sub(1).map(|at| &read.reading.blocks[at].body);
            if matches!(above, Some(Body::Code(_))) {
                continue;
            }
            let Some(claim) = claim_of(&sentence.text, &because) else { continue };
            let behind = sentence.text[claim.len()..].trim_start_matches(|sign: char| !sign.is_alphanumeric());
            // Thai "เพราะฉะนั้น" says "therefore", and begins with "because".
            if dependents.iter().any(|longer| behind.starts_with(longer)) {
                continue;
            }
            // "…, and why they change": the reason is another clause's.
            let joins =
                claim.split_whitespace().next_back().is_some_and(|word| read.profile.is_stop(&word.to_lowercase()));
            let is_open = read.points_elsewhere(sentence) || read.leaves_its_subject_open(sentence);
            if joins || is_open || !read.states(sentence) || !read.is_on_topic(sentence) {
                continue;
            }
            // The reason may be that of the last clause alone, and Thai does not mark where a clause ends.
            if says_two_things(claim, read.profile.tag) || parts_in_thai(claim) || parts_in_thai(behind) {
                continue;
            }
            let question = fill(self.phrases().open_reason, &[("claim", &format!("{claim}{}", full_stop(claim)))]);
            let question = self.in_context(lesson, sentence, question, None);
            let evidence = Evidence::of_sentence(lesson, at, sentence, REASON);
            found.push(self.candidate(evidence, Rank::Sound, question, open(&sentence.text)));
        }
    }

    fn explain_term(&self, lesson: usize, read: &Lesson, found: &mut Vec<Candidate>) {
        let is_glossary = is_glossary(read);
        let explained =
            |definition: &&Definition| explains(read, definition) && (is_glossary || definition.prose.is_some());
        for definition in read.definitions.iter().filter(explained).take(3) {
            let question = fill(self.phrases().open_term, &[("term", &definition.term)]);
            let answer = told(read, definition);
            let fact = match &definition.prose {
                Some(prose) => sentence_fact(lesson, prose.sentence),
                None => format!("pair {}", normal(&definition.term)),
            };
            let evidence = Evidence { lesson, pointer: &definition.pointer, quote: &answer, fact, weight: TERM };
            found.push(self.candidate(evidence, Rank::Sound, question, open(&answer)));
        }
    }
}

pub(super) fn open(answer: &str) -> Form {
    Form::Written { kind: QuizItemKind::OpenEnded, keys: vec![shorten(answer, MAX_ANSWER_WORDS, MAX_ANSWER)] }
}

/// Whether the pairs of a lesson mostly say enough to be explained. One long entry makes no glossary of a list of words.
pub(super) fn is_glossary(read: &Lesson) -> bool {
    let pairs = || read.definitions.iter().filter(|definition| definition.prose.is_none());
    pairs().filter(|pair| word_count(&pair.meaning) >= MIN_MEANING).count() * 2 >= pairs().count()
}

/// A meaning that says enough to be explained.
fn explains(read: &Lesson, definition: &Definition) -> bool {
    let told = definition.prose.as_ref().is_none_or(|prose| {
        let sentence = &read.sentences[prose.sentence];
        prose.introduces && !read.points_elsewhere(sentence)
    });
    told && !definition.listed
        && word_count(&definition.meaning) >= MIN_MEANING
        && fits(&definition.meaning, MAX_ANSWER)
}

/// What the source says of a term.
fn told(read: &Lesson, definition: &Definition) -> String {
    match &definition.prose {
        Some(prose) => read.sentences[prose.sentence].text.clone(),
        None => labelled(&definition.term, &definition.meaning),
    }
}

/// What stands before a word that gives a reason.
fn claim_of<'s>(sentence: &'s str, because: &[&str]) -> Option<&'s str> {
    let (at, word) = because.iter().find_map(|word| {
        let mut found = language::normal::positions(sentence, word);
        found.next().filter(|_| found.next().is_none()).map(|at| (at, *word))
    })?;
    let (claim, reason) = (sentence[..at].trim_end_matches([' ', ',', '،', '，', ';']), &sentence[at + word.len()..]);
    // A reason may belong to one clause of several, and "…, for instance because …" gives an example.
    let whole = segments::words(claim).len() >= MIN_CLAIM
        && word_count(reason) >= MIN_CLAIM
        && !claim.contains([';', ':', '(', ',', '，', '،']);
    whole.then_some(claim)
}

/// Whether a conjunction joins the parts of a claim.
fn says_two_things(claim: &str, tag: &str) -> bool {
    let conjunctions = language::find_teaching(tag).map_or("", |teaching| teaching.answers.conjunctions);
    claim.to_lowercase().split_whitespace().any(|word| conjunctions.split(' ').any(|conjunction| conjunction == word))
}

/// Whether a space parts two clauses, or the members of a list, of a Thai text.
fn parts_in_thai(text: &str) -> bool {
    let parts: Vec<&str> = text.trim().split(' ').collect();
    parts.windows(2).any(|pair| pair[0].ends_with(is_thai) && pair[1].starts_with(is_thai))
}

/// The full stop of a claim's script; Thai has none.
fn full_stop(claim: &str) -> &'static str {
    match claim.chars().next_back() {
        Some(last) if is_thai(last) => "",
        Some(last) if is_unspaced(last) => "。",
        _ => ".",
    }
}

pub(super) fn numbered<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let lines: Vec<String> = texts.enumerate().map(|(at, text)| format!("{}. {text}", at + 1)).collect();
    shorten(&lines.join(" "), 400, MAX_ANSWER * 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_stands_before_its_reason() {
        let claim = |text: &'static str| claim_of(text, &["because"]);
        assert_eq!(
            claim("Muscle cells hold many mitochondria because they use a lot of energy."),
            Some("Muscle cells hold many mitochondria")
        );
        assert_eq!(claim("It is so because of it."), None);
        assert_eq!(
            claim("A promise is rejected when no answer arrives, for instance, because the network is down."),
            None
        );
        assert_eq!(claim("Nothing is said of causes in this sentence."), None);
    }
}
