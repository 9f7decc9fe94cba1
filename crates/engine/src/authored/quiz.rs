//! The quiz, and a test from its prompts: an outline of topics, then the questions of each at once.
//!
//! How many questions there are and of which types is decided here, so that types vary whatever a model likes best.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::brief::Brief;
use super::desk::{Assignment, Desk};
use super::ground::Ground;
use super::items::{self, Bar, Item};
use super::outline::{self, Product};
use super::prompt;
use super::sources::{Shown, Sources};
use crate::builtin::quiz::{PASSING_PERCENTAGE, time_limit_minutes};
use crate::drafts::{Citation, QuizDraft, QuizItem, QuizItemKind};
use crate::generator::GenerationError;

use QuizItemKind::{Blank, OpenEnded, Select, Submission, TrueFalse};

/// Questions of a quiz, and about how much of the material there is one for, in words.
const FEWEST: usize = 6;
const MOST: usize = 16;
const WORDS: usize = 60;
/// Most topics, and questions of one topic.
const TOPICS: usize = 6;
const TOGETHER: usize = 8;
/// The order in which factual types are asked for.
const FACTUAL: [QuizItemKind; 7] = [Select, TrueFalse, Select, Blank, Select, TrueFalse, Blank];

const INSTRUCTIONS: &str = "\
Your part of the work is some questions of a quiz on one topic: on what matters most of it, each on something else. They ask \
for understanding where the excerpts allow it, and not only for words.";

/// How many questions of which sort.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) items: usize,
    /// Of these, so many that ask for more than a fact.
    pub(super) tasks: usize,
}

/// What a quiz is, besides its questions.
pub(super) struct Frame {
    pub(super) level: String,
    /// The label of difficulty as the caller wrote it; blank where there is none.
    pub(super) asked_level: String,
    /// What it is about; blank where the outline's title says it.
    pub(super) subject: String,
    pub(super) wanted: Wanted,
}

impl Wanted {
    /// For a level: by how much it holds.
    pub(super) fn for_material(sources: &Sources) -> Self {
        let items = (sources.words() / WORDS).clamp(FEWEST, MOST);
        Self { items, tasks: items.div_ceil(6) }
    }

    /// The types in the order in which they are asked for: tasks stand between the others, the largest is the last.
    fn kinds(self) -> Vec<QuizItemKind> {
        let tasks = self.tasks.min(self.items);
        let factual = self.items - tasks;
        let mut kinds: Vec<QuizItemKind> = FACTUAL.iter().copied().cycle().take(factual).collect();
        for task in 0..tasks {
            let kind = if task + 1 == tasks && self.items >= FEWEST && tasks > 1 { Submission } else { OpenEnded };
            let at = ((task + 1) * (factual + tasks) / tasks).saturating_sub(1).min(kinds.len());
            kinds.insert(at, kind);
        }
        kinds
    }

    /// Fewer than this are no quiz.
    fn fewest(self) -> usize {
        self.items.div_ceil(2)
    }
}

/// How questions are to be.
#[derive(Clone, Copy)]
struct Manner<'a> {
    level: &'a str,
    kinds: &'a [QuizItemKind],
    /// Which set of questions on the topic it is, from 0, where there are too many for one.
    set: usize,
}

/// Questions to be written.
pub(super) struct Asking<'a> {
    brief: Brief<'a>,
    manner: Manner<'a>,
}

/// Questions as a model writes them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Questions {
    pub(super) items: Vec<Item>,
}

pub(super) async fn draft(desk: &Desk<'_>, ground: &Ground, frame: Frame) -> Result<QuizDraft, GenerationError> {
    let sources = desk.sources;
    let kinds = frame.wanted.kinds();
    let topics = (kinds.len() / 3).clamp(1, TOPICS).max(kinds.len().div_ceil(TOGETHER));
    let outline = outline::plan(desk, ground, Product::Quiz, topics).await?;
    let parts = outline::parts(sources, &outline.parts, topics);
    let plan: Vec<String> = parts.iter().map(|part| part.heading.clone()).collect();
    let shares = shares(&kinds, parts.len());
    let sets = parts
        .iter()
        .zip(&shares)
        .flat_map(|(part, kinds)| kinds.chunks(TOGETHER).enumerate().map(move |(set, kinds)| (part, kinds, set)));
    let asking = sets.map(|(part, kinds, set)| Asking {
        brief: Brief::new((sources, ground), part, &plan, desk.limits.part_characters),
        manner: Manner { level: &frame.asked_level, kinds, set },
    });
    let asking: Vec<Asking<'_>> = desk.compute(|| asking.collect());
    let written = desk.all(&asking).await?;
    let items = written.into_iter().flat_map(|questions| questions.items).collect();
    let (items, dropped) = desk.compute(|| items::different(items));
    desk.note_dropped(dropped);
    enough(&items, frame.wanted)?;
    let cite = |(at, item): (usize, &Item)| Citation::new("items", at, sources.pointers(&item.excerpts));
    let citations = items.iter().enumerate().map(cite).collect();
    let items: Vec<QuizItem> = items.into_iter().map(Item::into_item).collect();
    Ok(QuizDraft {
        subject: if frame.subject.is_empty() { outline.title.clone() } else { frame.subject },
        name: outline.title,
        description: outline.description,
        language: sources.language.clone(),
        time_limit_minutes: time_limit_minutes(&items),
        level: frame.level,
        passing_percentage: PASSING_PERCENTAGE,
        items,
        citations,
        omitted: Vec::new(),
    })
}

/// Whether what is left is a quiz: enough questions, and not all of one type where several were asked for.
fn enough(items: &[Item], wanted: Wanted) -> Result<(), GenerationError> {
    if items.len() < wanted.fewest() {
        return Err(GenerationError::too_little("questions", items.len(), wanted.fewest()));
    }
    let first = items.first().map(|item| item.kind);
    let several = wanted.kinds().iter().any(|kind| Some(*kind) != first);
    if items.len() > 2 && several && items.iter().all(|item| Some(item.kind) == first) {
        return Err(GenerationError::too_little("types of questions", 1, 2));
    }
    Ok(())
}

/// The types shared out to the topics in turn, so that each topic has several.
fn shares(kinds: &[QuizItemKind], topics: usize) -> Vec<Vec<QuizItemKind>> {
    let mut shares = vec![Vec::new(); topics];
    let (each, more) = (kinds.len() / topics.max(1), kinds.len() % topics.max(1));
    let mut rest = kinds;
    for (at, share) in shares.iter_mut().enumerate() {
        let (own, later) = rest.split_at((each + usize::from(at < more)).min(rest.len()));
        share.extend_from_slice(own);
        rest = later;
    }
    shares
}

impl<'a> Asking<'a> {
    /// Of these types, however hard.
    pub(super) fn for_module(brief: Brief<'a>, kinds: &'a [QuizItemKind]) -> Self {
        Self { brief, manner: Manner { level: "", kinds, set: 0 } }
    }

    fn bar(&self) -> Bar<'_> {
        Bar { ground: self.brief.ground, given: self.brief.given(), kinds: self.manner.kinds }
    }
}

impl Assignment for Asking<'_> {
    type Piece = Questions;
    const MOST_TOKENS: u32 = 6_000;

    fn name(&self) -> &'static str {
        "questions"
    }

    fn instructions(&self) -> String {
        format!("{INSTRUCTIONS}\n\n{}", items::RULES)
    }

    fn schema(&self) -> Value {
        let all = [Select, TrueFalse, Blank, OpenEnded, Submission];
        prompt::object(json!({ "items": prompt::list(items::schema(&all)) }))
    }

    fn material(&self) -> &Shown {
        &self.brief.shown
    }

    fn shorter(&self) -> Self {
        Self { brief: self.brief.shorter(), manner: self.manner }
    }

    fn task(&self) -> String {
        let kinds: Vec<&str> = self.manner.kinds.iter().map(|kind| items::word(*kind)).collect();
        let further = match self.manner.set {
            0 => String::new(),
            set => format!(" There are {} questions on it already: ask about what is less obvious.", set * TOGETHER),
        };
        format!(
            "Write {} questions on the topic that `topic` names, of these types in this order: {}. `plan` lists all topics; \
             other writers ask about the others. `level`, if it is not empty, says how hard the questions are.{further}",
            kinds.len(),
            kinds.join(", ")
        )
    }

    fn data(&self) -> Value {
        let mut data = self.brief.data("topic");
        data["level"] = json!(self.manner.level);
        data
    }

    fn fitted(&self, questions: Questions) -> Questions {
        Questions { items: questions.items.into_iter().map(Item::fitted).collect() }
    }

    fn texts(&self, questions: &Questions) -> Vec<String> {
        let said: Vec<&str> =
            questions.items.iter().flat_map(|item| [item.question.as_str(), &item.explanation]).collect();
        vec![said.join(" ")]
    }

    fn faults(&self, questions: &Questions) -> Vec<String> {
        let mut faults = Vec::new();
        if questions.items.len() != self.manner.kinds.len() {
            faults.push(format!("`items` has {} entries; it takes {}", questions.items.len(), self.manner.kinds.len()));
        }
        for (at, item) in questions.items.iter().enumerate().take(2 * TOGETHER) {
            faults.extend(item.faults(&self.bar()).into_iter().map(|fault| format!("items[{at}]: {fault}")));
        }
        if questions.items.len() <= TOGETHER && items::different(questions.items.clone()).1 > 0 {
            faults.push("two questions ask the same".to_owned());
        }
        faults
    }

    /// What is sound of them; none at all is an answer too, the others may be enough.
    fn mended(&self, questions: Questions) -> Option<(Questions, usize)> {
        let before = questions.items.len();
        let sound = questions.items.into_iter().take(2 * TOGETHER).filter(|item| item.faults(&self.bar()).is_empty());
        let (mut items, _) = items::different(sound.collect());
        items.truncate(self.manner.kinds.len());
        let dropped = before - items.len();
        Some((Questions { items }, dropped))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_vary_and_are_as_many_as_wanted() {
        for items in 1..=20 {
            for tasks in 0..=items {
                let kinds = Wanted { items, tasks }.kinds();
                assert_eq!(kinds.len(), items, "{items} {tasks}");
                let open = kinds.iter().filter(|kind| matches!(kind, OpenEnded | Submission)).count();
                assert_eq!(open, tasks, "{items} {tasks}");
            }
        }
        let kinds = Wanted { items: 6, tasks: 1 }.kinds();
        assert_eq!(kinds, [Select, TrueFalse, Select, Blank, Select, OpenEnded]);
    }

    #[test]
    fn every_type_is_asked_for_once_over_all_topics() {
        let kinds = Wanted { items: 10, tasks: 2 }.kinds();
        for topics in 1..=6 {
            let shares = shares(&kinds, topics);
            assert_eq!((shares.len(), shares.concat()), (topics, kinds.clone()));
        }
    }
}
