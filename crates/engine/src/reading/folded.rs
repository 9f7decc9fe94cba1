//! Text that is folded away below a line: an answer, a solution, a teacher's note, or simply more.

use super::blocks::{Block, Body, Question, WorkedExample};
use super::flat::each_text;
use super::inline::Passage;
use super::names::{Role, has_role, heads};

/// Most words of a line that says that an answer follows.
const MOST_WORDS: usize = 5;

/// What is shown of folded text; `None` where it belongs to what stands before it, or to nobody.
pub(super) fn unfold(summary: &str, before: &mut [Block], inside: Vec<Block>) -> Option<Vec<Block>> {
    if heads(summary, Role::Teacher) {
        return None;
    }
    if !names_answer(summary) {
        return Some(inside);
    }
    answered(before, inside);
    None
}

/// "Answer", "Show solution".
fn names_answer(summary: &str) -> bool {
    let words: Vec<&str> =
        summary.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let named =
        |word: &&str| word.chars().nth(1).is_some() && (has_role(word, Role::Answer) || has_role(word, Role::Solution));
    heads(summary, Role::Answer) || words.len() <= MOST_WORDS && words.iter().any(named)
}

/// Gives an answer to the question in front of it, or a solution to the task. Where neither stands there, nobody sees it.
fn answered(before: &mut [Block], inside: Vec<Block>) {
    let mut texts = Vec::new();
    for block in &inside {
        each_text(&block.body, &mut |text| texts.push(text.to_owned()));
    }
    texts.retain(|text| !text.is_empty());
    let Some(last) = before.last_mut() else { return };
    match &mut last.body {
        Body::Paragraph(passage) if language::sentences::asks(&passage.text) => {
            let mut question = Question::asking(last.pointer.clone(), passage.text.clone());
            let mut texts = texts.into_iter();
            question.answers = texts.next().into_iter().collect();
            question.explanation = Some(texts.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty());
            last.body = Body::Questions(vec![question]);
        }
        Body::Paragraph(passage) => {
            let problem = std::mem::take(passage);
            last.body = Body::Example(example(problem, inside));
        }
        Body::Questions(questions) => {
            if let Some(question) = questions.last_mut()
                && question.answers.is_empty()
                && question.options.is_empty()
            {
                question.answers = texts.into_iter().take(1).collect();
            }
        }
        _ => {}
    }
}

/// A task with its solution: steps where the solution lists some, and the rest as the result.
fn example(problem: Passage, inside: Vec<Block>) -> WorkedExample {
    let mut example = WorkedExample { title: None, problem, steps: Vec::new(), result: None };
    let mut rest: Vec<String> = Vec::new();
    for block in inside {
        match block.body {
            Body::List { items, .. } => example.steps.extend(items),
            Body::Paragraph(passage) if example.result.is_none() && rest.is_empty() => example.result = Some(passage),
            body => each_text(&body, &mut |text| rest.push(text.to_owned())),
        }
    }
    if !rest.is_empty() {
        let first = example.result.take().map(|passage| passage.text);
        example.result = Some(Passage::plain(&first.into_iter().chain(rest).collect::<Vec<_>>().join(" ")));
    }
    example
}
