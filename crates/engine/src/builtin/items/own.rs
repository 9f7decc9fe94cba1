//! Questions that the source brings along: asked as they are.

use language::normal::normal;
use language::script::word_count;
use language::sentences::asks;

use crate::checks::is_sound;
use crate::drafts::{OmissionReason, QuizItem, QuizItemKind};
use crate::reading::blocks::{Body, Question};
use crate::reading::flat::labelled;

use super::definitions::FEWEST_HINTED;
use super::{Candidate, Evidence, Form, MAX_OPTION, MAX_SHOWN, Rank, Workshop, fits, score};

/// Most of them for one lesson.
const MOST: usize = 12;
/// Longest question with options that the source asks, in characters.
const MAX_QUESTION: usize = 2 * MAX_SHOWN;

impl Workshop<'_> {
    pub(super) fn own_questions(&self, lesson: usize, found: &mut Vec<Candidate>) {
        let blocks = &self.lesson(lesson).reading.blocks;
        let questions = blocks
            .iter()
            .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None });
        for question in questions.flatten().filter(|question| fits(&question.question, MAX_QUESTION)).take(MOST) {
            match self.form(question) {
                Some(form) => found.push(self.own_question(lesson, question, form)),
                None => self.tally.note(QuizItemKind::Select, OmissionReason::UnknownKey),
            }
        }
    }

    fn own_question(&self, lesson: usize, question: &Question, form: Form) -> Candidate {
        let told = question.answers.join("; ");
        let fact = format!("own {}", normal(&question.question));
        let evidence = Evidence { lesson, pointer: &question.pointer, quote: &told, fact, weight: 1.0 };
        let asked = match &form {
            Form::Given { kind: QuizItemKind::Blank, .. } if leaves_open(question) => {
                self.hinted(lesson, &question.question, &question.answers[0])
            }
            _ => question.question.clone(),
        };
        let mut candidate = self.candidate(evidence, Rank::Own, asked, form);
        candidate.explanation = labelled(self.phrases().answer, &candidate.form.keys().join("; "));
        // The source's own explanation is better, unless it argues with the source's key.
        if let (Some(explanation), Form::Given { kind, options, keys }) = (&question.explanation, &candidate.form) {
            let item = QuizItem {
                question: candidate.question.clone(),
                kind: *kind,
                options: options.clone(),
                correct_answers: keys.clone(),
                explanation: explanation.clone(),
                score: score(*kind),
            };
            if is_sound(&item) {
                candidate.explanation.clone_from(explanation);
            }
        }
        candidate
    }

    /// The type, options and key that fit a question; none without a key.
    fn form(&self, question: &Question) -> Option<Form> {
        let phrases = self.phrases();
        let answers = question.answers.clone();
        let given = |kind, options, keys| Some(Form::Given { kind, options, keys });
        if question.options.len() >= 2 {
            let short =
                question.options.iter().all(|option| fits(option, MAX_OPTION * 2)) && question.options.len() <= 12;
            let known = !answers.is_empty() && answers.iter().all(|answer| question.options.contains(answer));
            return if short && known { given(QuizItemKind::Select, question.options.clone(), answers) } else { None };
        }
        let verdict = normal(answers.first()?);
        for (yes, words) in
            [(true, [phrases.yes, phrases.answer_true, "true"]), (false, [phrases.no, phrases.answer_false, "false"])]
        {
            if answers.len() == 1 && words.iter().any(|word| normal(word) == verdict) {
                if asks(&question.question) {
                    let key = if yes { phrases.yes } else { phrases.no };
                    let options = vec![phrases.yes.to_owned(), phrases.no.to_owned()];
                    return given(QuizItemKind::Select, options, vec![key.to_owned()]);
                }
                let key = if yes { phrases.answer_true } else { phrases.answer_false };
                let options = vec![phrases.answer_true.to_owned(), phrases.answer_false.to_owned()];
                return given(QuizItemKind::TrueFalse, options, vec![key.to_owned()]);
            }
        }
        let gap = question.question.contains("__") || question.question.contains("…");
        let brief = answers.iter().all(|answer| word_count(answer) <= 3);
        // Another way to write a short answer may be longer.
        let is_short = |answer: &String, times: usize| fits(answer, 24 * times) && word_count(answer) <= 3 * times;
        let short = is_short(&answers[0], 1) && answers.iter().all(|answer| is_short(answer, 2));
        let kind = if gap && brief || short { QuizItemKind::Blank } else { QuizItemKind::OpenEnded };
        given(kind, Vec::new(), answers)
    }
}

/// Whether a gap may be filled with other words as well: "Das Buch liegt auf dem ____." Its author knows the word, and learners get its
/// first and last letter behind the question. Not where the author hints at it, takes words with other letters, or leaves several gaps.
fn leaves_open(question: &Question) -> bool {
    let ends = |answer: &String| {
        let mut letters = answer.chars().flat_map(char::to_lowercase);
        (letters.next(), letters.last())
    };
    let is_word = |answer: &String| {
        answer.chars().nth(FEWEST_HINTED - 1).is_some()
            && answer.chars().all(|sign| sign.is_alphabetic() || " '’-".contains(sign))
    };
    let gaps = question.question.split(|sign| sign != '_').filter(|gap| gap.len() > 1).count();
    gaps == 1
        && !question.question.contains(['(', '（', '[', ':', '：'])
        && question.answers.iter().all(is_word)
        && question.answers.windows(2).all(|pair| ends(&pair[0]) == ends(&pair[1]))
}
