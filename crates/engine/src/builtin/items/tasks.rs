//! Tasks on a topic of which nothing is known but its name: explain, compare, apply, hand in.
//!
//! Neither a task nor its key says anything about the topic. A key says what a good answer covers; with
//! it stand the further topics that the prompt itself names.

use crate::builtin::difficulty::Difficulty;
use crate::builtin::material::tidy;
use crate::drafts::{QuizItem, QuizItemKind};
use crate::phrases::{Phrases, fill};
use crate::text::normal::shorten;
use crate::text::sentences::append;

use super::score;

/// Longest target that is shown in a question, in words and characters.
const TARGET: (usize, usize) = (40, 240);
/// Most topics that a key names.
const MAX_POINTS: usize = 6;

/// The ways of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Explain,
    Example,
    Points,
    Why,
    Compare,
    Apply,
    Judge,
    Target,
    /// Handed in, as is `Work`.
    Overview,
    Work,
}

use Form::{Apply, Compare, Example, Explain, Judge, Overview, Points, Target, Why, Work};

/// In which order they are asked.
fn forms(difficulty: Difficulty) -> [Form; 10] {
    match difficulty {
        Difficulty::Easy => [Explain, Example, Points, Target, Why, Overview, Apply, Compare, Judge, Work],
        Difficulty::Medium => [Explain, Compare, Apply, Target, Overview, Example, Points, Why, Judge, Work],
        Difficulty::Hard => [Compare, Apply, Judge, Target, Work, Explain, Points, Why, Example, Overview],
    }
}

/// What tasks are made from.
pub(crate) struct Subject<'s> {
    pub(crate) phrases: &'static Phrases,
    /// The main topic first; at least one.
    pub(crate) topics: Vec<&'s str>,
    /// What learners should be able to do, or who they are, in the caller's words.
    pub(crate) targets: Vec<&'s str>,
}

/// A task, and whether it is about a target.
pub(crate) struct Task {
    pub(crate) item: QuizItem,
    pub(crate) on_target: bool,
}

/// All tasks on a subject, in the order in which they should be asked: every way of asking about one
/// topic or another, then again about the next, no question twice.
pub(crate) fn tasks<'s>(subject: &'s Subject<'s>, difficulty: Difficulty) -> impl Iterator<Item = Task> + 's {
    let forms = forms(difficulty);
    let rounds = subject.topics.len().max(subject.targets.len());
    (0..rounds).flat_map(move |round| {
        forms.into_iter().enumerate().filter_map(move |(at, form)| subject.task(form, round, at))
    })
}

impl Subject<'_> {
    /// The task of a form in a round; none where the form has nothing more to ask.
    fn task(&self, form: Form, round: usize, at: usize) -> Option<Task> {
        let count = self.topics.len();
        let main = self.topics[0];
        // Each form goes through all topics, and neighbouring forms are at different ones.
        let topic = self.topics[(round + at) % count];
        let more = round < count;
        let tasks = &self.phrases.tasks;
        let (question, covers) = match form {
            Explain if more && is_question(topic) => (topic.to_owned(), tasks.covers_explain),
            Explain if more => (fill(self.phrases.open_term, &[("term", topic)]), tasks.covers_explain),
            Example if more => (self.ask(tasks.ask_example, topic), tasks.covers_example),
            Points if more => (self.ask(tasks.ask_points, topic), tasks.covers_points),
            Why if more => (self.ask(tasks.ask_why, topic), tasks.covers_why),
            Apply if more => (self.ask(tasks.ask_apply, topic), tasks.covers_apply),
            Judge if more => (self.ask(tasks.ask_judge, topic), tasks.covers_judge),
            Compare if more => (self.compare(round), tasks.covers_compare),
            Target => {
                let target = shorten(self.targets.get(round)?, TARGET.0, TARGET.1);
                (fill(tasks.ask_target, &[("topic", main), ("target", &target)]), tasks.covers_target)
            }
            Overview if round == 0 => (self.ask(tasks.ask_overview, main), tasks.covers_overview),
            Work if round == 0 => (self.ask(tasks.ask_task, main), tasks.covers_task),
            _ => return None,
        };
        let kind = if matches!(form, Overview | Work) { QuizItemKind::Submission } else { QuizItemKind::OpenEnded };
        Some(Task { item: self.item(kind, tidy(&question), covers, topic), on_target: form == Target })
    }

    fn ask(&self, template: &str, topic: &str) -> String {
        fill(template, &[("topic", topic)])
    }

    /// Two neighbouring topics below the main one, or a topic with something that the learner knows.
    fn compare(&self, round: usize) -> String {
        match &self.topics[1..] {
            below @ [_, _, ..] if round + 1 < below.len() => {
                fill(self.phrases.tasks.ask_compare, &[("one", below[round]), ("other", below[round + 1])])
            }
            below => self.ask(self.phrases.tasks.ask_compare_own, below.get(round).unwrap_or(&self.topics[0])),
        }
    }

    fn item(&self, kind: QuizItemKind, question: String, covers: &str, topic: &str) -> QuizItem {
        let tasks = &self.phrases.tasks;
        let mut key = covers.to_owned();
        let points: Vec<&str> =
            self.topics[1..].iter().copied().filter(|point| !is_question(point)).take(MAX_POINTS).collect();
        if topic == self.topics[0] && points.len() > 1 {
            append(&mut key, &fill(tasks.points, &[("points", &self.phrases.join(&points))]));
        }
        let mut explanation = tasks.several_answers.to_owned();
        if let Some(target) = self.targets.first() {
            append(&mut explanation, &fill(tasks.with_target, &[("target", &shorten(target, TARGET.0, TARGET.1))]));
        }
        QuizItem { question, kind, options: Vec::new(), correct_answers: vec![key], explanation, score: score(kind) }
    }
}

fn is_question(topic: &str) -> bool {
    topic.ends_with(['?', '？', '؟'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::for_language;

    #[test]
    fn tasks_say_nothing_that_the_prompt_does_not() {
        let subject = Subject {
            phrases: for_language("en").phrases,
            topics: vec!["Plants", "Roots", "What is a leaf?"],
            targets: vec!["Grade 5"],
        };
        for difficulty in [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard] {
            let all: Vec<QuizItem> = tasks(&subject, difficulty).map(|task| task.item).collect();
            let questions: std::collections::HashSet<&str> = all.iter().map(|item| item.question.as_str()).collect();
            assert_eq!(questions.len(), all.len(), "{all:#?}");
            assert!(all.len() >= 20 && questions.contains("What is a leaf?"), "{all:#?}");
            assert!(all.iter().all(crate::checks::is_sound), "{all:#?}");
        }
    }
}
