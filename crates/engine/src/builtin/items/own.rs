//! Questions that the source brings along: asked as they are.

use language::normal::normal;
use language::script::word_count;

use crate::checks::is_sound;
use crate::drafts::QuizItemKind;
use crate::reading::blocks::{Body, Question};

use super::{Evidence, Item, MAX_OPTION, MAX_SHOWN, Workshop, fits};

/// Most of them for one lesson.
const MOST: usize = 12;

impl Workshop<'_> {
    pub(super) fn own_questions(&self, lesson: usize, items: &mut Vec<Item>) {
        let blocks = &self.lesson(lesson).reading.blocks;
        let questions = blocks
            .iter()
            .filter_map(|block| if let Body::Questions(questions) = &block.body { Some(questions) } else { None });
        let sound =
            questions.flatten().filter(|question| !question.answers.is_empty() && fits(&question.question, MAX_SHOWN));
        items.extend(sound.take(MOST).filter_map(|question| self.own_question(lesson, question)));
    }

    fn own_question(&self, lesson: usize, question: &Question) -> Option<Item> {
        let (kind, options, keys) = self.form(question)?;
        let told = format!("{} {}", question.question, question.answers.join("; "));
        let fact = format!("own {}", normal(&question.question));
        let evidence = Evidence { lesson, pointer: &question.pointer, quote: &told, fact };
        let mut item = self.item(evidence, kind, question.question.clone(), options, keys);
        // The source's explanation is better than a quotation, unless it argues with the source's key.
        if let Some(explanation) = &question.explanation {
            let quoting = std::mem::replace(&mut item.item.explanation, explanation.clone());
            if !is_sound(&item.item) {
                item.item.explanation = quoting;
            }
        }
        Some(item)
    }

    /// The type, options and key that fit a question.
    fn form(&self, question: &Question) -> Option<(QuizItemKind, Vec<String>, Vec<String>)> {
        let phrases = self.phrases();
        let answers = question.answers.clone();
        if question.options.len() >= 2 {
            let short =
                question.options.iter().all(|option| fits(option, MAX_OPTION * 2)) && question.options.len() <= 12;
            return short.then(|| (QuizItemKind::Select, question.options.clone(), answers));
        }
        let verdict = normal(answers.first()?);
        for (yes, words) in
            [(true, [phrases.yes, phrases.answer_true, "true"]), (false, [phrases.no, phrases.answer_false, "false"])]
        {
            if words.iter().any(|word| normal(word) == verdict) {
                let key = if yes { phrases.answer_true } else { phrases.answer_false };
                let options = vec![phrases.answer_true.to_owned(), phrases.answer_false.to_owned()];
                return Some((QuizItemKind::TrueFalse, options, vec![key.to_owned()]));
            }
        }
        let gap = question.question.contains("__") || question.question.contains("…");
        let brief = answers.iter().all(|answer| word_count(answer) <= 3);
        let short = answers.iter().all(|answer| fits(answer, 24)) && brief;
        let kind = if gap && brief || short { QuizItemKind::Blank } else { QuizItemKind::OpenEnded };
        Some((kind, Vec::new(), answers))
    }
}
