//! A question of a module or a test, as a form has it.

use serde_json::{Map, Value, json};

use super::versions::Versions;
use crate::api::resources::StoredItem;
use crate::fields::Fields;
use crate::pages::resource_kind::Items;

/// An option of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) text: String,
    pub(crate) is_right: bool,
}

/// A question with its key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Item {
    /// Names the item among those of the form.
    pub(crate) key: String,
    /// The id of the stored item; empty for a new one.
    pub(crate) id: String,
    pub(crate) item_type: String,
    pub(crate) question: String,
    pub(crate) options: Vec<Choice>,
    /// Accepted texts and model answers.
    pub(crate) answers: Vec<String>,
    pub(crate) explanation: String,
    /// Points, as they were entered.
    pub(crate) score: String,
    pub(crate) title: String,
    pub(crate) shows_feedback: bool,
    pub(crate) versions: Versions,
}

/// Whether the key of a type is among its options.
fn has_choices(item_type: &str) -> bool {
    matches!(item_type, "select" | "true-false")
}

impl Item {
    /// A new item.
    pub(crate) fn new(key: String) -> Self {
        Self { key, item_type: "select".to_owned(), score: "1".to_owned(), shows_feedback: true, ..Self::default() }
    }

    /// The item as it is stored.
    pub(crate) fn stored(key: usize, item: &StoredItem) -> Self {
        let is_chosen = has_choices(&item.item_type);
        let choice = |option: &String| Choice {
            text: lines(option),
            is_right: is_chosen && item.correct_answers.contains(option),
        };
        Self {
            key: key.to_string(),
            id: item.id.clone(),
            item_type: item.item_type.clone(),
            question: lines(&item.question),
            options: item.options.iter().map(choice).collect(),
            answers: if is_chosen { Vec::new() } else { item.correct_answers.iter().map(|text| lines(text)).collect() },
            explanation: lines(&item.explanation),
            score: item.score.to_string(),
            title: lines(&item.title),
            shows_feedback: item.show_feedback,
            versions: Versions::default(),
        }
    }

    /// The same entry of the form with another question in it. Its points stay what the person gave.
    pub(crate) fn replace_by(&mut self, other: &StoredItem) {
        let Self { key, id, score, shows_feedback, versions, .. } = std::mem::take(self);
        *self = Self { key, id, score, shows_feedback, versions, ..Self::stored(0, other) };
    }

    /// Puts the version back that was there before the present one. A version that can't be read is left out.
    pub(crate) fn bring_back(&mut self, items: Items) {
        let present = self.version(items);
        while let Some(earlier) = self.versions.restore(present.clone()) {
            if let Ok(earlier) = serde_json::from_str(&earlier) {
                return self.replace_by(&earlier);
            }
        }
    }

    /// The question as one of its versions. Its points are the entry's: they stay whatever version is shown.
    pub(crate) fn version(&self, items: Items) -> String {
        let mut whole = self.json(items);
        if let Some(members) = whole.as_object_mut() {
            members.shift_remove("score");
        }
        whole.to_string()
    }

    /// The question as far as it tells what is asked, as the API takes it beside a draft.
    pub(crate) fn present(&self, items: Items) -> Value {
        let mut whole = self.json(items);
        if let Some(members) = whole.as_object_mut() {
            members.retain(|name, _| !matches!(name.as_str(), "id" | "options" | "explanation" | "score"));
        }
        whole
    }

    /// The item with this key in a form.
    pub(crate) fn entered(key: &str, fields: &Fields) -> Self {
        let name = |member: &str| format!("item-{key}-{member}");
        let text = |member: &str| lines(fields.typed(&name(member)));
        let item_type = text("type");
        let is_chosen = has_choices(&item_type);
        let right = fields.all(&name("right"));
        let options = fields.all(&name("option")).into_iter().enumerate().map(|(place, option)| Choice {
            text: lines(option),
            is_right: is_chosen && right.contains(&place.to_string().as_str()),
        });
        let options = options.filter(|option| !option.text.trim().is_empty()).collect();
        let answers = fields.all(&name("answer")).into_iter().map(lines).filter(|answer| !answer.trim().is_empty());
        Self {
            key: key.to_owned(),
            id: text("id"),
            options,
            answers: if is_chosen { Vec::new() } else { answers.collect() },
            question: text("question"),
            explanation: text("explanation"),
            score: text("score").trim().to_owned(),
            title: text("title"),
            shows_feedback: fields.has(&name("feedback"), "yes"),
            versions: Versions::entered(&format!("item-{key}"), fields),
            item_type,
        }
    }

    /// The item as the API takes it.
    pub(crate) fn json(&self, items: Items) -> Value {
        let texts: Vec<&str> = self.options.iter().map(|option| option.text.as_str()).collect();
        let right: Vec<&str> = if has_choices(&self.item_type) {
            self.options.iter().filter(|option| option.is_right).map(|option| option.text.as_str()).collect()
        } else {
            self.answers.iter().map(String::as_str).collect()
        };
        let mut item = Map::new();
        let mut set = |name: &str, value: Value| item.insert(name.to_owned(), value);
        if !self.id.is_empty() {
            set("id", json!(self.id));
        }
        set("type", json!(self.item_type));
        set("question", json!(self.question));
        if !texts.is_empty() {
            set("options", json!(texts));
        }
        set("correctAnswers", json!(right));
        match items {
            Items::Quizzes => {
                set("title", json!(self.title));
                set("showFeedback", json!(self.shows_feedback));
            }
            Items::Test => {
                set("explanation", json!(self.explanation));
                set("score", self.score.parse::<f64>().map_or_else(|_| json!(self.score), |score| json!(score)));
            }
        }
        Value::Object(item)
    }

    pub(crate) fn is(&self, item_type: &str) -> bool {
        self.item_type == item_type
    }
}

/// A text with the line ends of the API: browsers send two characters for each.
pub(crate) fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored() -> StoredItem {
        serde_json::from_value(json!({
            "id": "q-1", "type": "select", "question": "Which?", "options": ["A\nB", "C"], "correctAnswers": ["C"],
            "explanation": "Because.", "score": 2.5, "title": "", "showFeedback": true,
        }))
        .unwrap()
    }

    fn form(pairs: &[(&str, &str)]) -> Fields {
        Fields::from(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>())
    }

    #[test]
    fn an_item_that_comes_back_as_it_was_shown_says_the_same() {
        let shown = Item::stored(0, &stored());
        let back = Item::entered(
            "0",
            &form(&[
                ("item-0-id", "q-1"),
                ("item-0-type", "select"),
                ("item-0-question", "Which?"),
                ("item-0-option", "A\r\nB"),
                ("item-0-option", "C"),
                ("item-0-option", ""),
                ("item-0-right", "1"),
                ("item-0-explanation", "Because."),
                ("item-0-score", "2.5"),
                ("item-0-title", ""),
                ("item-0-feedback", "yes"),
            ]),
        );
        assert_eq!(shown.json(Items::Test), back.json(Items::Test));
        assert_eq!(
            back.json(Items::Test),
            json!({
                "id": "q-1", "type": "select", "question": "Which?", "options": ["A\nB", "C"], "correctAnswers": ["C"],
                "explanation": "Because.", "score": 2.5,
            })
        );
    }

    #[test]
    fn the_key_of_a_blank_is_its_texts_and_nonsense_is_left_to_the_api() {
        let item = Item::entered(
            "n1",
            &form(&[
                ("item-n1-type", "blank"),
                ("item-n1-question", "2 + 2 = ___"),
                ("item-n1-option", "ticked before the type was changed"),
                ("item-n1-right", "0"),
                ("item-n1-answer", "4"),
                ("item-n1-answer", " "),
                ("item-n1-score", "many"),
            ]),
        );
        let json = item.json(Items::Test);
        assert_eq!((&json["correctAnswers"], &json["score"]), (&json!(["4"]), &json!("many")));
        assert_eq!(json.get("id"), None);
    }
}
