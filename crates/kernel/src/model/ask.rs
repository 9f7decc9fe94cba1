//! Asks for something with a shape, and once more where what came is wrong.

use serde::de::DeserializeOwned;

use super::{Model, ModelError, NoReply, Part, Prompt, Reply, Turn};

/// Defects that a model is told of, at most: the first ones say what it misunderstood.
const MOST_DEFECTS_TOLD: usize = 10;

/// What came of asking a model once.
pub type Call = Result<Reply, NoReply>;

/// What was made of a model's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked<T> {
    /// What the answer says.
    pub value: T,
    /// Each time that the model was asked, in order.
    pub calls: Vec<Call>,
}

/// There is no usable answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Unanswered {
    /// Why.
    pub error: ModelError,
    /// Each time that the model was asked, in order.
    pub calls: Vec<Call>,
}

/// What is wrong with an answer, in sentences that a model understands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objections {
    /// What makes it useless.
    pub defects: Vec<String>,
    /// What is worth asking again and can be lived with.
    pub doubts: Vec<String>,
}

impl From<Vec<String>> for Objections {
    fn from(defects: Vec<String>) -> Self {
        Self { defects, doubts: Vec::new() }
    }
}

/// Asks a model for a `T`.
///
/// The answer is a JSON object and nothing else; a fence of Markdown around it is forgiven. `check` objects to what is
/// wrong with it. A wrong answer is repaired at most once, by asking again; an answer that only left doubts stands where
/// the second one is no better.
///
/// # Errors
/// When the model does not answer, or answers wrong twice: [`ModelError::Unreadable`].
pub async fn ask<T: DeserializeOwned, O: Into<Objections>>(
    model: &dyn Model,
    mut prompt: Prompt,
    check: impl Fn(&T) -> O + Send,
) -> Result<Asked<T>, Unanswered> {
    let first = match model.answer(&prompt).await {
        Ok(reply) => reply,
        Err(failed) => return Err(Unanswered { error: failed.error.clone(), calls: vec![Err(failed)] }),
    };
    let (doubtful, objections) = match read(&first.text, &check) {
        (Some(value), objections) if objections.defects.is_empty() && objections.doubts.is_empty() => {
            return Ok(Asked { value, calls: vec![Ok(first)] });
        }
        (value, objections) => (value.filter(|_| objections.defects.is_empty()), objections),
    };
    prompt.turns.push(Turn::Model(first.text.clone()));
    prompt.turns.push(Turn::User(vec![Part::Text(complaint(&objections))]));
    let second = model.answer(&prompt).await;
    let (mended, error) = match &second {
        Ok(reply) => {
            let (value, objections) = read(&reply.text, &check);
            (value.filter(|_| objections.defects.is_empty()), ModelError::Unreadable)
        }
        Err(failed) => (None, failed.error.clone()),
    };
    let calls = vec![Ok(first), second];
    match mended.or(doubtful) {
        Some(value) => Ok(Asked { value, calls }),
        None => Err(Unanswered { error, calls }),
    }
}

fn read<T: DeserializeOwned, O: Into<Objections>>(text: &str, check: &impl Fn(&T) -> O) -> (Option<T>, Objections) {
    match serde_json::from_str::<T>(unfenced(text)) {
        Ok(value) => {
            let objections = check(&value).into();
            (Some(value), objections)
        }
        Err(error) => (None, vec![error.to_string()].into()),
    }
}

/// An answer's JSON: the text within a fence of Markdown, where all of it stands in one.
#[must_use]
pub fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) else { return text };
    inner.strip_prefix("json").unwrap_or(inner).trim()
}

fn complaint(objections: &Objections) -> String {
    let mut text = "Your answer can't be used:\n".to_owned();
    for defect in objections.defects.iter().chain(&objections.doubts).take(MOST_DEFECTS_TOLD) {
        text.push_str("- ");
        text.push_str(defect);
        text.push('\n');
    }
    text.push_str("Answer again with the whole JSON object and nothing else.");
    text
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::Mutex;
    use std::time::Duration;

    use async_trait::async_trait;
    use futures_util::FutureExt as _;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::model::{ModelRole, Schema, Usage};

    /// Says one thing after the other, and remembers how many turns each prompt had.
    struct Script {
        lines: Mutex<VecDeque<Result<&'static str, ModelError>>>,
        turns: Mutex<Vec<usize>>,
    }

    impl Script {
        fn new(lines: impl IntoIterator<Item = Result<&'static str, ModelError>>) -> Self {
            Self { lines: Mutex::new(lines.into_iter().collect()), turns: Mutex::default() }
        }
    }

    #[async_trait]
    impl Model for Script {
        async fn answer(&self, prompt: &Prompt) -> Call {
            self.turns.lock().unwrap().push(prompt.turns.len());
            let line = self.lines.lock().unwrap().pop_front().unwrap_or(Err(ModelError::TimedOut));
            let reply = |text: &str| Reply {
                text: text.to_owned(),
                usage: Usage::default(),
                provider: "script".to_owned(),
                model: "none".to_owned(),
                latency: Duration::ZERO,
                tries: 1,
                failures: Vec::new(),
            };
            line.map(reply).map_err(NoReply::from)
        }
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Answer {
        points: u32,
    }

    fn ask_for_points(script: &Script) -> Result<Asked<Answer>, Unanswered> {
        ask_and_check(script, |answer| match answer.points {
            0..=5 => Vec::new(),
            _ => vec!["points: at most 5".to_owned()],
        })
    }

    fn ask_and_check<O: Into<Objections>>(
        script: &Script,
        check: impl Fn(&Answer) -> O + Send,
    ) -> Result<Asked<Answer>, Unanswered> {
        let prompt = Prompt {
            role: ModelRole::Fast,
            tenant: String::new(),
            instructions: "Count.".to_owned(),
            turns: vec![Turn::User(vec![Part::Text("How many?".to_owned())])],
            schema: Schema::new("points", &json!({ "type": "object" })),
            max_output_tokens: 10,
            temperature: None,
        };
        ask(script, prompt, check).now_or_never().expect("a script answers at once")
    }

    #[test]
    fn a_right_answer_is_asked_for_once_in_a_fence_or_not() {
        for text in [r#"{"points": 3}"#, "```json\n{\"points\": 3}\n```", " ```{\"points\":3}``` "] {
            let asked = ask_for_points(&Script::new([Ok(text)])).unwrap();
            assert_eq!((asked.value, asked.calls.len()), (Answer { points: 3 }, 1), "{text}");
        }
    }

    #[test]
    fn a_wrong_answer_is_repaired_by_asking_once_more_with_what_was_wrong() {
        for wrong in ["three", r#"{"points": 9}"#, r#"{"points": 3, "more": 1}"#, r#"{"points": 3} Done."#, ""] {
            let script = Script::new([Ok(wrong), Ok(r#"{"points": 4}"#)]);
            let asked = ask_for_points(&script).unwrap();
            assert_eq!((asked.value, asked.calls.len()), (Answer { points: 4 }, 2), "{wrong}");
            assert_eq!(*script.turns.lock().unwrap(), [1, 3]);
        }
    }

    #[test]
    fn an_answer_that_left_doubts_stands_where_the_second_is_no_better() {
        let doubt = |answer: &Answer| {
            let doubts = if answer.points > 3 { vec!["points: so many?".to_owned()] } else { Vec::new() };
            Objections { defects: Vec::new(), doubts }
        };
        for (second, points) in
            [(Ok(r#"{"points": 2}"#), 2), (Ok(r#"{"points": 5}"#), 5), (Ok("no"), 4), (Err(ModelError::TimedOut), 4)]
        {
            let asked = ask_and_check(&Script::new([Ok(r#"{"points": 4}"#), second]), doubt).unwrap();
            assert_eq!(asked.value, Answer { points });
        }
    }

    #[test]
    fn two_wrong_answers_are_none_and_a_failure_is_not_asked_again() {
        let twice = ask_for_points(&Script::new([Ok("no"), Ok("no"), Ok(r#"{"points": 1}"#)])).unwrap_err();
        assert_eq!((twice.error, twice.calls.len()), (ModelError::Unreadable, 2));
        let failed = ask_for_points(&Script::new([Err(ModelError::Declined)])).unwrap_err();
        assert_eq!((failed.error, failed.calls), (ModelError::Declined, vec![Err(ModelError::Declined.into())]));
    }
}
