//! What of a submission is judged: all visible text of the answer and of its files.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use language::profile;
use language::script::Script;
use unicode_segmentation::UnicodeSegmentation;

use super::super::{Attachment, AttachmentText, CutText, IntegrityFlag, Submission};
use super::guards::{self, Reading, Suspicion};
use super::words::Reader;

/// What is judged, and what is known of it beforehand.
pub(super) struct Intake {
    /// The answer with its files.
    pub(super) text: String,
    /// How texts of the task are read, its answers among them.
    pub(super) reading: Reading,
    /// The good answers; the first is the one that the submission names.
    pub(super) references: Vec<String>,
    pub(super) question: String,
    pub(super) flags: BTreeSet<IntegrityFlag>,
    /// How sure a judgement can be at most: what talks to the grader is judged with the rest.
    pub(super) most_sure: f64,
    /// It talks to the grader by more than one sign.
    pub(super) surely_talks: bool,
    /// The files that were not read, or not wholly, and those of them that are part of the answer.
    pub(super) unread: Vec<String>,
    pub(super) unread_answer: Vec<String>,
    /// The language of the task, and the script of its references, or of its question without any.
    pub(super) reader: Reader,
    script: Option<Script>,
    foreign: OnceCell<Option<Reader>>,
}

impl Intake {
    /// The language of the answer, where it is another one than the task's.
    pub(super) fn foreign(&self) -> Option<&Reader> {
        // Names of elements are no language.
        let is_prose = self.reading != Reading::Source;
        self.foreign.get_or_init(|| is_prose.then(|| foreign(&self.text, &self.reader, self.script)).flatten()).as_ref()
    }
}

/// How sure a judgement can be at most where a sentence may talk to the grader: a person should look at it.
const SURE_BESIDE_TALK: f64 = 0.4;
/// Most references that an answer is compared with.
const MAX_REFERENCES: usize = 32;

/// Longest text that is judged, in characters, once it is written in one way: a single character may stand for eighteen.
/// A reference may be as long for a few criteria, a twentieth of it for twenty and more.
const MOST_CHARACTERS: usize = 200_000;

/// Reads a submission.
pub(super) fn read(submission: &Submission) -> Intake {
    // A reference or a criterion may be formatted whatever it speaks of: only the question tells.
    let reading = Reading::of(&submission.question);
    let question = cut(guards::visible(&submission.question, reading).text, MOST_CHARACTERS);
    let references = references(submission, reading);
    let criteria: Vec<&str> = submission
        .criteria
        .iter()
        .flat_map(|criterion| [criterion.name.as_str(), criterion.description.as_str()])
        .collect();
    let task_text = format!("{question} {} {}", references.join(" "), criteria.join(" "));
    let tag = profile::guess(&task_text).unwrap_or(profile::of(&submission.language).tag);
    let reader = Reader::new(tag);
    let script = Script::of(&references.join(" ")).or_else(|| Script::of(&question));
    let (text, unread) = written(submission);
    let is_unread = |file: &&Attachment| !matches!(file.text, AttachmentText::Whole(_));
    let unread_answer = submission.answer_files.iter().filter(is_unread).map(|file| file.file_name.clone()).collect();
    let mut screened = guards::screen(&text, &[&task_text], reader.profile, reading);
    if submission.answer_files.iter().any(|file| file.hides_text) {
        screened.flags.insert(IntegrityFlag::HiddenText);
    }
    let text = cut(screened.text, MOST_CHARACTERS);
    let most_sure = if screened.suspicion == Suspicion::None { 1.0 } else { SURE_BESIDE_TALK };
    Intake {
        text,
        reading,
        references,
        question,
        flags: screened.flags,
        most_sure,
        surely_talks: screened.suspicion == Suspicion::Sure,
        unread,
        unread_answer,
        reader,
        script,
        foreign: OnceCell::new(),
    }
}

fn cut(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
    }
    text
}

/// The references, each once. A rubric's files stand in where nothing else is given.
fn references(submission: &Submission, reading: Reading) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let longest = MOST_CHARACTERS / submission.criteria.len().clamp(1, 20);
    let named = submission.reference_answer.iter().chain(&submission.other_references);
    for text in named.take(MAX_REFERENCES) {
        let text = cut(guards::visible(text, reading).text, longest);
        if text.contains(char::is_alphanumeric) && !found.contains(&text) {
            found.push(text);
        }
    }
    if found.is_empty() && submission.criteria.is_empty() {
        let files = submission.rubric_files.iter().filter_map(read_text);
        found.extend(
            files.map(|text| guards::visible(text, reading).text).filter(|text| text.contains(char::is_alphanumeric)),
        );
    }
    found
}

/// The answer with its files' text, and the names of the files that are not whole.
pub(super) fn written(submission: &Submission) -> (String, Vec<String>) {
    let mut text = submission.answer.clone();
    for file in &submission.answer_files {
        if let Some(more) = read_text(file) {
            text.push_str("\n\n");
            text.push_str(more);
        }
    }
    let files = submission.answer_files.iter().chain(&submission.rubric_files);
    let partly = files.filter(|file| !matches!(file.text, AttachmentText::Whole(_)));
    (text, partly.map(|file| file.file_name.clone()).collect())
}

fn read_text(file: &Attachment) -> Option<&str> {
    match &file.text {
        AttachmentText::Whole(text) | AttachmentText::Cut(CutText { text, .. }) => Some(text),
        AttachmentText::Unread(_) => None,
    }
}

/// The language of an answer that is clearly not the task's.
fn foreign(text: &str, reader: &Reader, script: Option<Script>) -> Option<Reader> {
    // Names and abbreviations are Latin in every language.
    let own = Script::of(text).filter(|own| *own != Script::Latin || text.unicode_words().nth(3).is_some());
    if own.zip(script).is_some_and(|(own, wanted)| own != wanted) {
        return Some(Reader::new(profile::guess(text).unwrap_or_default()));
    }
    let tag = profile::guess(text).filter(|tag| *tag != reader.tag())?;
    let words: Vec<String> = text.unicode_words().take(300).map(str::to_lowercase).collect();
    let little = |reader: &Reader| words.iter().filter(|word| reader.profile.is_stop(word)).count();
    let other = Reader::new(tag);
    (words.is_empty() || little(&other) > 2 * little(reader) + 1 || words.len() < 4).then_some(other)
}
