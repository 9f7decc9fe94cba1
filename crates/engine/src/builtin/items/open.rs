//! Questions answered freely, and work to hand in. The model answer is the source's own text.

use language::fill;
use language::normal::shorten;
use language::script::word_count;
use language::sentences::joined;

use crate::builtin::lesson::Lesson;
use crate::drafts::QuizItemKind;
use crate::reading::blocks::{Body, Item as Step, Origin};
use crate::reading::flat::{each_text, labelled};

use super::{Evidence, Item, MAX_SHOWN, Workshop, fits};

/// Longest model answer, in characters.
const MAX_ANSWER: usize = 900;
/// Fewest words of an answer that summarises; what is shorter has nothing to summarise.
const MIN_ANSWER: usize = 5;

impl Workshop<'_> {
    pub(super) fn open_questions(&self, lesson: usize, items: &mut Vec<Item>) {
        let found = self.lesson(lesson);
        items.extend(self.submission(lesson, found));
        items.extend(self.explain_term(lesson, found));
        if found.reading.origin == Origin::Prompt {
            // Nobody can be asked about a text that only its author has seen.
            return;
        }
        items.extend(self.explain_sentence(lesson, found));
        let asked = items.iter().any(|item| item.lesson == lesson);
        if !found.sentences.is_empty() || !asked {
            items.extend(self.summarise(lesson, found));
        }
    }

    /// Something to ask even of a source that is a single word or number.
    pub(super) fn last_resort(&self) -> Item {
        let lessons = &self.material.lessons;
        let lesson = lessons.iter().position(|lesson| !lesson.reading.blocks.is_empty()).unwrap_or(0);
        let found = self.lesson(lesson);
        let answer = summary(found);
        let answer = if answer.trim().is_empty() { found.short.clone() } else { answer };
        let evidence = Evidence { lesson, pointer: &found.reading.pointer, quote: &answer, fact: String::new() };
        self.free(evidence, QuizItemKind::OpenEnded, self.phrases().open_text.to_owned(), answer.clone())
    }

    fn submission(&self, lesson: usize, found: &Lesson) -> Option<Item> {
        let (pointer, steps) = found.reading.blocks.iter().find_map(|block| match &block.body {
            Body::List { steps: true, items } if items.len() > 1 => Some((&block.pointer, items)),
            _ => None,
        })?;
        let kind = found.reading.kind.to_lowercase();
        let practical = language::cues(|cues| cues.practical).any(|label| kind.contains(label))
            || steps.len() >= 4 && !found.calculates();
        let model = numbered(steps);
        practical.then(|| {
            let question = fill(self.phrases().submission, &[("title", &found.short)]);
            let quote = shorten(&steps[0].text.text, 60, MAX_SHOWN);
            let evidence = Evidence { lesson, pointer, quote: &quote, fact: format!("carry out {lesson}") };
            self.free(evidence, QuizItemKind::Submission, question, model)
        })
    }

    fn explain_term(&self, lesson: usize, found: &Lesson) -> Option<Item> {
        let definition = found
            .definitions
            .iter()
            .filter(|definition| definition.meaning.split(' ').count() > 4 || definition.prose.is_some())
            .find(|definition| fits(&definition.meaning, MAX_ANSWER))?;
        let question = fill(self.phrases().open_term, &[("term", &definition.term)]);
        let (answer, fact) = match &definition.prose {
            Some(prose) => {
                (found.sentences[prose.sentence].text.clone(), format!("sentence {lesson} {}", prose.sentence))
            }
            None => (definition.meaning.clone(), format!("pair {}", language::normal::normal(&definition.term))),
        };
        let evidence = Evidence { lesson, pointer: &definition.pointer, quote: &answer, fact };
        Some(self.free(evidence, QuizItemKind::OpenEnded, question, answer.clone()))
    }

    /// A sentence of weight, to be explained with an example of one's own.
    fn explain_sentence(&self, lesson: usize, found: &Lesson) -> Option<Item> {
        let sentence = found
            .key_sentence()
            .filter(|sentence| sentence.standalone && fits(&sentence.text, MAX_SHOWN) && found.sentences.len() > 2)?;
        let at = found.sentences.iter().position(|other| std::ptr::eq(other, sentence))?;
        let question = fill(self.phrases().open_why, &[("quote", &sentence.text)]);
        let around = joined(found.sentences[at..].iter().take(3).map(|sentence| sentence.text.as_str()));
        let answer = shorten(&around, 160, MAX_ANSWER);
        let evidence = Evidence::of_sentence(lesson, sentence, &format!("sentence {lesson} {at}"));
        Some(self.free(evidence, QuizItemKind::OpenEnded, question, answer))
    }

    fn summarise(&self, lesson: usize, found: &Lesson) -> Option<Item> {
        let answer = summary(found);
        let long = found.sentences.len() > 2;
        let question = if long {
            fill(self.phrases().open_lesson, &[("title", &found.short)])
        } else {
            fill(self.phrases().open_term, &[("term", &found.short)])
        };
        let quote = shorten(&answer, 60, MAX_SHOWN);
        let fact = format!("summary {lesson}");
        let evidence = Evidence { lesson, pointer: &found.reading.pointer, quote: &quote, fact };
        Some(self.free(evidence, QuizItemKind::OpenEnded, question, answer.clone())).filter(|_| {
            answer.chars().any(char::is_alphabetic) && word_count(&answer) >= MIN_ANSWER && (long || found.named)
        })
    }
}

fn numbered(steps: &[Step]) -> String {
    let lines: Vec<String> =
        steps.iter().enumerate().map(|(at, step)| format!("{}. {}", at + 1, step.text.text)).collect();
    shorten(&lines.join(" "), 400, MAX_ANSWER * 2)
}

/// The best sentences in source order, or the first texts of a lesson without sentences.
fn summary(found: &Lesson) -> String {
    let mut best: Vec<usize> = (0..found.sentences.len()).collect();
    best.sort_by(|left, right| found.sentences[*right].score.total_cmp(&found.sentences[*left].score));
    best.truncate(3);
    best.sort_unstable();
    let sentences = joined(best.into_iter().map(|at| found.sentences[at].text.as_str()));
    let mut parts: Vec<String> = Vec::new();
    if sentences.is_empty() {
        for block in found.reading.blocks.iter().take(8) {
            if let Body::Table(table) = &block.body {
                parts.extend(table.rows.iter().take(12).map(|row| {
                    labelled(
                        row.cells.first().map_or("", String::as_str),
                        &row.cells[1.min(row.cells.len())..].join(", "),
                    )
                }));
                continue;
            }
            each_text(&block.body, &mut |text| {
                if parts.len() < 12 && !text.is_empty() {
                    parts.push(shorten(text, 40, 200));
                }
            });
        }
        return shorten(
            if parts.is_empty() { found.title.clone() } else { parts.join("; ") }.as_str(),
            120,
            MAX_ANSWER,
        );
    }
    shorten(&sentences, 160, MAX_ANSWER)
}
