//! Tasks on a topic of which nothing is known but its name: explain, compare, apply, hand in.
//!
//! Neither a task nor its key says anything about the topic. A key says what a good answer covers; with
//! it stand the further topics that the prompt itself names.

use language::fill;
use language::normal::shorten;
use language::sentences::{append, asks};

use crate::builtin::material::tidy;
use crate::builtin::requested::Difficulty;
use crate::drafts::{QuizItem, QuizItemKind};
use crate::phrases::Phrases;

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
    /// What all of it is about.
    pub(crate) title: &'s str,
    /// The title was put together from the topics, and is none itself.
    pub(crate) composed: bool,
    /// What the prompt names below that.
    pub(crate) topics: Vec<&'s str>,
    /// What learners should be able to do, in the caller's words.
    pub(crate) targets: Vec<&'s str>,
    /// What the sources say that a topic is, if they do.
    pub(crate) told: &'s dyn Fn(&str) -> Option<Told>,
}

/// What a source says of a topic.
pub(crate) struct Told {
    pub(crate) answer: String,
    pub(crate) explanation: String,
    pub(crate) pointer: String,
}

/// A task, and what else it came from than the prompt that names its topic.
pub(crate) struct Task {
    pub(crate) item: QuizItem,
    pub(crate) on_target: bool,
    pub(crate) told_at: Option<String>,
}

/// All tasks on a subject, in the order in which they should be asked: the prompt's own questions, then
/// every way of asking about one topic or another, then again about the next. A question may come twice
/// where topics do.
pub(crate) fn tasks<'s>(subject: &'s Subject<'s>, difficulty: Difficulty) -> impl Iterator<Item = Task> + 's {
    let named = if subject.composed { None } else { Some(subject.title) };
    let all = named.into_iter().chain(subject.topics.iter().copied());
    let (questions, topics): (Vec<&str>, Vec<&str>) = all.partition(|topic| asks(topic));
    let covers = subject.phrases.covers_explain;
    let own: Vec<Task> = questions
        .into_iter()
        .map(|question| subject.task(QuizItemKind::OpenEnded, question.to_owned(), covers, false))
        .collect();
    let rounds = topics.len().max(subject.targets.len()).max(1);
    let made = (0..rounds).flat_map(move |round| {
        let topics = topics.clone();
        let forms = forms(difficulty).into_iter().enumerate();
        forms.filter_map(move |(at, form)| subject.made(form, &topics, round, at))
    });
    own.into_iter().chain(made)
}

impl Subject<'_> {
    /// The task of a form in a round; none where the form has nothing more to ask.
    fn made(&self, form: Form, topics: &[&str], round: usize, at: usize) -> Option<Task> {
        let tasks = self.phrases;
        let title = self.title;
        let whole = match form {
            Target => {
                let target = shorten(self.targets.get(round)?, TARGET.0, TARGET.1);
                Some((fill(tasks.ask_target, &[("topic", title), ("target", &target)]), tasks.covers_target))
            }
            Overview if round == 0 => Some((ask(tasks.ask_overview, title), tasks.covers_overview)),
            Work if round == 0 && !title.ends_with('…') => Some((ask(tasks.ask_task, title), tasks.covers_task)),
            _ => None,
        };
        if let Some((question, covers)) = whole {
            let kind = if form == Target { QuizItemKind::OpenEnded } else { QuizItemKind::Submission };
            let task = self.task(kind, question, covers, form != Target);
            return Some(Task { on_target: form == Target, ..task });
        }
        // Each form goes through all topics, and neighbouring forms are at different ones.
        let topic = *topics.get((round + at) % topics.len().max(1)).filter(|_| round < topics.len())?;
        let (question, covers) = match form {
            Explain => (fill(self.phrases.open_term, &[("term", topic)]), tasks.covers_explain),
            Example => (ask(tasks.ask_example, topic), tasks.covers_example),
            Points => (ask(tasks.ask_points, topic), tasks.covers_points),
            Why => (ask(tasks.ask_why, topic), tasks.covers_why),
            Apply => (ask(tasks.ask_apply, topic), tasks.covers_apply),
            Judge => (ask(tasks.ask_judge, topic), tasks.covers_judge),
            Compare => (self.compare(topics, round), tasks.covers_compare),
            Target | Overview | Work => return None,
        };
        let whole = topic == title && matches!(form, Explain | Points);
        let mut task = self.task(QuizItemKind::OpenEnded, question, covers, whole);
        if let Some(told) = (self.told)(topic).filter(|_| form == Explain) {
            task.item.correct_answers = vec![told.answer];
            task.item.explanation = told.explanation;
            task.told_at = Some(told.pointer);
        }
        Some(task)
    }

    /// Two neighbouring topics below the title, or a topic with something that the learner knows.
    fn compare(&self, topics: &[&str], round: usize) -> String {
        let below = if self.composed { topics } else { &topics[1.min(topics.len())..] };
        match below.get(round..round + 2) {
            Some([one, other]) => fill(self.phrases.ask_compare, &[("one", one), ("other", other)]),
            _ => ask(self.phrases.ask_compare_own, below.get(round).unwrap_or(&topics[0])),
        }
    }

    /// A task; one on the `whole` subject has the topics below it for points to cover.
    fn task(&self, kind: QuizItemKind, question: String, covers: &str, whole: bool) -> Task {
        let tasks = self.phrases;
        let mut key = covers.to_owned();
        let points: Vec<&str> = self.topics.iter().copied().filter(|point| !asks(point)).take(MAX_POINTS).collect();
        if whole && points.len() > 1 {
            append(&mut key, &fill(tasks.points, &[("points", &self.phrases.join(&points))]));
        }
        let mut explanation = tasks.several_answers.to_owned();
        if let Some(target) = self.targets.first() {
            append(&mut explanation, &fill(tasks.with_target, &[("target", &shorten(target, TARGET.0, TARGET.1))]));
        }
        let (question, score) = (tidy(&question), score(kind));
        let item = QuizItem { question, kind, options: Vec::new(), correct_answers: vec![key], explanation, score };
        Task { item, on_target: false, told_at: None }
    }
}

fn ask(template: &str, topic: &str) -> String {
    fill(template, &[("topic", topic)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::for_language;

    #[test]
    fn tasks_say_nothing_that_the_prompt_does_not() {
        let subject = Subject {
            phrases: for_language("en").phrases,
            title: "Plants",
            composed: false,
            topics: vec!["Roots", "What is a leaf?", "Stems"],
            targets: vec!["Grade 5"],
            told: &|_| None,
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
