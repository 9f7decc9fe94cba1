//! A language model that writes content well: it answers by the name of the schema, from the material that it is shown.
//!
//! It knows prompts only as text and JSON, so that every crate can put it behind its own end of a model. What a test wants
//! to be wrong it changes in the answer.

use serde_json::{Value, json};

/// A question as a writer reads it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The schema's.
    pub name: &'static str,
    /// The system's message.
    pub instructions: String,
    /// The JSON of the first block of data.
    pub material: Value,
    /// The first line of what is to be done.
    pub task: String,
    /// The JSON of the second block of data; null where there is none.
    pub data: Value,
    /// What was said to be wrong with the answer before.
    pub complaint: Option<String>,
    /// All user turns as they were sent.
    pub texts: Vec<String>,
}

impl Asked {
    /// Reads the texts of a prompt's user turns: material, task, and a complaint where there is one.
    pub fn read(name: &'static str, instructions: &str, texts: Vec<String>) -> Self {
        let json = |text: &str| text.lines().find_map(|line| serde_json::from_str(line).ok()).unwrap_or_default();
        Self {
            name,
            instructions: instructions.to_owned(),
            material: json(&texts[0]),
            task: texts[1].lines().next().unwrap_or_default().to_owned(),
            data: json(&texts[1]),
            complaint: texts.get(2).cloned(),
            texts,
        }
    }

    fn lessons(&self) -> &[Value] {
        self.material["lessons"].as_array().map_or(&[], Vec::as_slice)
    }

    fn excerpts(&self) -> impl Iterator<Item = &Value> {
        self.lessons().iter().flat_map(|lesson| lesson["excerpts"].as_array().into_iter().flatten())
    }

    /// The number of the first excerpt that it is given.
    pub fn number(&self) -> u64 {
        self.excerpts().next().and_then(|excerpt| excerpt["n"].as_u64()).expect("a part is given an excerpt")
    }

    /// The sentences of the material; of one without any text, its JSON.
    pub fn sentences(&self) -> Vec<String> {
        let texts = self.excerpts().flat_map(|excerpt| [&excerpt["text"], &excerpt["value"]]).flat_map(texts);
        let sentences = texts.flat_map(|text| text.split_inclusive(". ")).map(|sentence| sentence.trim().to_owned());
        let found: Vec<String> = sentences.filter(|sentence| !sentence.is_empty()).collect();
        if found.is_empty() { vec![self.material["lessons"].to_string()] } else { found }
    }
}

/// The texts in a value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Object(members) => members.values().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// A good answer.
pub fn good(asked: &Asked) -> Value {
    let sentences = asked.sentences();
    match asked.name {
        "module_outline" | "video_outline" | "quiz_outline" | "slides_outline" => outline(asked),
        "course_outline" => {
            let parts = outline(asked);
            let part =
                |part: &Value| json!({ "title": part["heading"], "description": "All of it.", "sections": [part] });
            let modules: Vec<Value> = parts["parts"].as_array().unwrap().iter().map(part).collect();
            json!({ "title": parts["title"], "description": parts["description"], "modules": modules })
        }
        "section" => json!({
            "objective": "Say what it is about.",
            "blocks": [block("paragraph", &sentences.join(" ")), block("heading", "more of it")],
            "terms": [],
            "recap": sentences[0],
            "excerpts": [asked.number()],
            "items": [question("true-false", &sentences[0], asked.number())],
        }),
        "section_text" => json!({
            "heading": "All of it",
            "blocks": [block("paragraph", &sentences.join(" ")), block("heading", "more of it")],
            "excerpts": [asked.number()],
        }),
        "scenes" => json!({ "scenes": [
            { "script": sentences[0], "display": "first of all", "excerpts": [asked.number()] },
            { "script": sentences[sentences.len() - 1], "display": "and then", "excerpts": [asked.number()] },
        ] }),
        "questions" => {
            let kinds = asked.task.split_once("in this order: ").unwrap().1.split_once('.').unwrap().0;
            let items = kinds.split(", ").zip(sentences.iter().cycle());
            json!({ "items": items.map(|(kind, sentence)| question(kind, sentence, asked.number())).collect::<Vec<_>>() })
        }
        "slides" => json!({ "slides": [{
            "headline": asked.data["part"], "points": [sentences[0]], "notes": sentences.join(" "), "excerpts": [asked.number()],
        }] }),
        other => panic!("nobody asks for {other}"),
    }
}

fn outline(asked: &Asked) -> Value {
    let stated = asked.task.split_once("at most ").map(|(_, rest)| rest.split(' ').next().unwrap().parse().unwrap());
    let most = stated.unwrap_or(if asked.name == "course_outline" { 12 } else { 1 });
    let part = |lesson: &Value| {
        let numbers: Vec<&Value> = lesson["excerpts"].as_array().unwrap().iter().map(|excerpt| &excerpt["n"]).collect();
        json!({ "heading": lesson["title"], "excerpts": numbers })
    };
    let parts: Vec<Value> = asked.lessons().iter().map(part).take(most).collect();
    json!({ "title": "All about it", "description": "What there is to know.", "parts": parts })
}

/// A block of text.
pub fn block(kind: &str, text: &str) -> Value {
    json!({ "kind": kind, "text": text, "items": [], "rows": [] })
}

/// A sound question about a sentence.
pub fn question(kind: &str, sentence: &str, excerpt: u64) -> Value {
    let words: Vec<&str> = sentence.trim_end_matches('.').split(' ').collect();
    let (last, before) = words.split_last().unwrap();
    let (question, options, key) = match kind {
        "select" => {
            (format!("What fits here: {} …?", before.join(" ")), vec![last, "nobody", "nothing", "a stone"], *last)
        }
        "true-false" => (sentence.to_owned(), vec!["True", "False"], "True"),
        "blank" => (format!("{} ____.", before.join(" ")), Vec::new(), *last),
        "open-ended" | "submission" => (format!("Work with this {kind}: {sentence}"), Vec::new(), sentence),
        other => panic!("no type {other}"),
    };
    json!({
        "type": kind, "question": question, "options": options, "correctAnswers": [key], "explanation": sentence,
        "excerpts": [excerpt],
    })
}
