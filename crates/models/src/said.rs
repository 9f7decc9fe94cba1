//! What a model has said until now.

use kernel::model::Usage;

use crate::failure::Cause;

/// Characters that a token has, at most, in any language; longer is not what was asked for.
const MOST_BYTES_PER_TOKEN: usize = 32;
const LEAST_LIMIT: usize = 64 * 1024;
const MOST_LIMIT: usize = 2 * 1024 * 1024;
const LONGEST_NAME: usize = 200;

const THOUGHT_BEGINS: &str = "<think>";
const THOUGHT_ENDS: &str = "</think>";

/// An answer while it comes.
#[derive(Debug, Default)]
pub(crate) struct Said {
    text: String,
    /// The arguments of a tool, which are the answer where a tool was to be called.
    arguments: String,
    limit_bytes: usize,
    has_refused: bool,
    pub(crate) has_thought: bool,
    pub(crate) finish: Option<Finish>,
    pub(crate) usage: Usage,
    /// As the provider names it.
    pub(crate) model: Option<String>,
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    Whole,
    Length,
    Declined,
}

impl Said {
    /// Nothing yet.
    pub(crate) fn new(max_output_tokens: u32) -> Self {
        let tokens = usize::try_from(max_output_tokens).unwrap_or(usize::MAX);
        let limit_bytes = tokens.saturating_mul(MOST_BYTES_PER_TOKEN).clamp(LEAST_LIMIT, MOST_LIMIT);
        Self { limit_bytes, ..Self::default() }
    }

    /// More of the text.
    ///
    /// # Errors
    /// When it is longer than what was asked for can be.
    pub(crate) fn push(&mut self, text: &str) -> Result<(), Cause> {
        self.check_length(text)?;
        self.text.push_str(text);
        Ok(())
    }

    /// More of a tool's arguments.
    ///
    /// # Errors
    /// As [`Said::push`].
    pub(crate) fn push_arguments(&mut self, json: &str) -> Result<(), Cause> {
        self.check_length(json)?;
        self.arguments.push_str(json);
        Ok(())
    }

    fn check_length(&self, more: &str) -> Result<(), Cause> {
        let length = self.text.len() + self.arguments.len() + more.len();
        if length > self.limit_bytes { Err(Cause::Unreadable) } else { Ok(()) }
    }

    /// It is being declined in words, which are not the answer.
    pub(crate) fn refuse(&mut self) {
        self.has_refused = true;
    }

    /// The model's name as the provider gives it, if it is one.
    pub(crate) fn name(&mut self, model: Option<&str>) {
        let is_name = |name: &&str| !name.is_empty() && name.len() <= LONGEST_NAME && !name.contains(char::is_control);
        if let Some(name) = model.filter(is_name) {
            self.model = Some(name.to_owned());
        }
    }

    pub(crate) fn has_begun(&self) -> bool {
        !self.text.is_empty() || !self.arguments.is_empty()
    }

    /// The answer's text.
    ///
    /// # Errors
    /// When there is no whole answer.
    pub(crate) fn take_text(&mut self) -> Result<String, Cause> {
        match self.finish {
            _ if self.has_refused => Err(Cause::Declined),
            None => Err(Cause::Truncated),
            Some(Finish::Declined) => Err(Cause::Declined),
            Some(Finish::Length) => {
                let has_thought = self.has_thought || self.text.trim_start().starts_with(THOUGHT_BEGINS);
                Err(Cause::CutOff { has_thought })
            }
            Some(Finish::Whole) => {
                let text = if self.arguments.is_empty() { &mut self.text } else { &mut self.arguments };
                let text = without_thoughts(std::mem::take(text));
                if text.trim().is_empty() { Err(Cause::Unreadable) } else { Ok(text) }
            }
        }
    }
}

/// Local models think in front of their answer: between tags, of which the first may have been in the prompt. An answer is
/// a JSON object, so nothing before an end of thoughts that stands before any `{` belongs to it.
fn without_thoughts(text: String) -> String {
    let start = text.trim_start();
    if start.starts_with('{') {
        return text;
    }
    match text.split_once(THOUGHT_ENDS) {
        Some((_, answer)) => answer.trim_start().to_owned(),
        None if start.starts_with(THOUGHT_BEGINS) => String::new(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Result<String, Cause> {
        let mut said = Said::new(10);
        said.push(text).unwrap();
        said.finish = Some(Finish::Whole);
        said.take_text()
    }

    #[test]
    fn thoughts_before_the_answer_are_no_part_of_it() {
        for text in ["<think>hm {}</think>\n\n{\"a\": 1}", "hm\n</think>{\"a\": 1}", " \n<think></think> {\"a\": 1}"] {
            assert_eq!(whole(text).as_deref(), Ok("{\"a\": 1}"), "{text}");
        }
        let quoting = r#"{"a": "<think>x</think>{}"}"#;
        assert_eq!(whole(quoting).as_deref(), Ok(quoting));
        assert_eq!(whole("<think>and never an answer"), Err(Cause::Unreadable));
        assert_eq!(whole(" \n"), Err(Cause::Unreadable));
    }

    #[test]
    fn an_answer_without_an_end_is_none() {
        let mut said = Said::new(10);
        said.push("{\"a\": 1}").unwrap();
        assert_eq!(said.take_text(), Err(Cause::Truncated));
        said.finish = Some(Finish::Length);
        assert_eq!(said.take_text(), Err(Cause::CutOff { has_thought: false }));
        said.finish = Some(Finish::Whole);
        said.refuse();
        assert_eq!(said.take_text(), Err(Cause::Declined));
    }

    #[test]
    fn more_than_was_asked_for_is_refused_before_it_is_kept() {
        let mut said = Said::new(10);
        let piece = "x".repeat(LEAST_LIMIT / 2);
        assert_eq!((said.push(&piece), said.push_arguments(&piece)), (Ok(()), Ok(())));
        assert_eq!(said.push("x"), Err(Cause::Unreadable));
    }
}
