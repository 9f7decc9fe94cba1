//! Questions that the source itself asks, with their options and the answers it calls right.

use serde_json::Value;

use super::blocks::Question;
use super::flat::flat;
use super::metadata::is_metadata;
use super::names::{Role, has_role};
use super::shapes::{Member, Shaper};

/// Whether members describe a question (and not, say, a lesson that mentions one).
pub(super) fn is_question(members: &[Member<'_>]) -> bool {
    let asks = members.iter().any(|member| has_role(member.name, Role::Question) && member.value.is_string());
    let answers =
        members.iter().any(|member| has_role(member.name, Role::Answer) || has_role(member.name, Role::Options));
    asks && answers
}

impl Shaper<'_> {
    /// Reads the members of a question; what has no part in it becomes a note.
    pub(super) fn question(&self, members: &[Member<'_>]) -> Option<Question> {
        let asked = members.iter().find(|member| has_role(member.name, Role::Question))?;
        let mut question = Question {
            pointer: asked.pointer.clone(),
            question: flat(asked.value, self.phrases),
            options: Vec::new(),
            answers: Vec::new(),
            explanation: None,
            notes: Vec::new(),
        };
        let mut flagged = Vec::new();
        let mut rest: Vec<&Member<'_>> = Vec::new();
        for member in members.iter().filter(|member| !std::ptr::eq(*member, asked)) {
            let listed = has_role(member.name, Role::Options)
                || member.name.eq_ignore_ascii_case("answers") && question.options.is_empty();
            match member.value {
                Value::Array(values) if listed && values.len() > 1 => {
                    (question.options, flagged) = self.options(values);
                }
                Value::Object(values) if has_role(member.name, Role::Options) => {
                    question.options = values.values().map(|value| flat(value, self.phrases)).collect();
                }
                _ if has_role(member.name, Role::Explanation) && question.explanation.is_none() => {
                    question.explanation = Some(flat(member.value, self.phrases)).filter(|text| !text.is_empty());
                }
                _ => rest.push(member),
            }
        }
        question.answers = flagged;
        let mut answered = !question.answers.is_empty();
        for member in rest {
            if has_role(member.name, Role::Answer) && !answered {
                question.answers = self.answers(member.value, &question.options);
                answered = !question.answers.is_empty();
                if answered {
                    continue;
                }
            }
            question.notes.extend(self.note(member));
        }
        Some(question).filter(|question| !question.question.is_empty())
    }

    /// Options as texts, and those that are flagged as right (`{"text": "…", "correct": true}`).
    fn options(&self, values: &[Value]) -> (Vec<String>, Vec<String>) {
        let mut options = Vec::new();
        let mut right = Vec::new();
        for value in values {
            let Value::Object(members) = value else {
                options.push(flat(value, self.phrases));
                continue;
            };
            let text = members
                .iter()
                .find(|(name, value)| value.is_string() && !is_metadata(name, value, false))
                .map_or_else(String::new, |(_, value)| flat(value, self.phrases));
            let flag = members.iter().any(|(name, value)| {
                (has_role(name, Role::Answer) || name.eq_ignore_ascii_case("iscorrect")) && *value == Value::Bool(true)
            });
            if flag {
                right.push(text.clone());
            }
            options.push(text);
        }
        options.retain(|option| !option.is_empty());
        (options, right)
    }

    /// The right answers: as texts, by number (from 0, or from 1 where 0 can't be meant) or by letter.
    fn answers(&self, value: &Value, options: &[String]) -> Vec<String> {
        if let Value::Array(values) = value {
            return values.iter().flat_map(|value| self.answers(value, options)).collect();
        }
        let text = flat(value, self.phrases);
        if options.is_empty() {
            return Some(text).filter(|text| !text.is_empty()).into_iter().collect();
        }
        let named = options.iter().find(|option| option.trim().eq_ignore_ascii_case(text.trim()));
        let found = named.or_else(|| {
            let index = match value {
                Value::Number(number) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
                _ => letter(&text),
            }?;
            options.get(index).or_else(|| options.get(index.checked_sub(1)?))
        });
        found.cloned().into_iter().collect()
    }
}

/// "B", "b)" and "B." name the second option.
fn letter(text: &str) -> Option<usize> {
    let letter = text.trim().trim_end_matches([')', '.']);
    let mut characters = letter.chars();
    match (characters.next(), characters.next()) {
        (Some(letter @ ('a'..='h' | 'A'..='H')), None) => Some(letter.to_ascii_lowercase() as usize - 'a' as usize),
        _ => None,
    }
}
