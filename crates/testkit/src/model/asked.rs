//! A request, as a script looks at it.

use serde_json::Value;

/// What a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI's chat completions.
    Chat,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Messages,
    /// OpenAI's speech, which answers with sound.
    Speech,
}

/// What the model is asked.
#[derive(Clone, Debug)]
pub struct Asked {
    /// By its path.
    pub protocol: Protocol,
    /// The headers, their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as it came.
    pub raw: String,
    /// The body; null when it is no JSON.
    pub body: Value,
}

impl Asked {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The model's name.
    pub fn model(&self) -> &str {
        self.body["model"].as_str().unwrap_or_default()
    }

    /// Whether the answer shall be streamed.
    pub fn streams(&self) -> bool {
        self.body["stream"] == true
    }

    /// The system's message.
    pub fn instructions(&self) -> String {
        match self.protocol {
            Protocol::Chat => text_of(&self.body["messages"][0]["content"]),
            Protocol::Responses => text_of(&self.body["instructions"]),
            Protocol::Messages => text_of(&self.body["system"]),
            Protocol::Speech => String::new(),
        }
    }

    /// The turns after the system's message: who speaks, and the text.
    pub fn turns(&self) -> Vec<(String, String)> {
        let all = match self.protocol {
            Protocol::Responses => &self.body["input"],
            Protocol::Chat | Protocol::Messages | Protocol::Speech => &self.body["messages"],
        };
        let turns = all.as_array().into_iter().flatten().filter(|turn| turn["role"] != "system");
        let turn = |turn: &Value| (turn["role"].as_str().unwrap_or_default().to_owned(), text_of(&turn["content"]));
        turns.map(turn).collect()
    }

    /// Everything that was said to the model, the system's message excepted.
    pub fn text(&self) -> String {
        self.turns().into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n")
    }

    /// What was said last.
    pub fn last(&self) -> String {
        self.turns().pop().map(|(_, text)| text).unwrap_or_default()
    }

    /// The name and the schema of the answer, where the request has them in the protocol's own place.
    pub fn schema(&self) -> Option<&Value> {
        let schema = match self.protocol {
            Protocol::Chat => &self.body["response_format"]["json_schema"]["schema"],
            Protocol::Responses => &self.body["text"]["format"]["schema"],
            Protocol::Messages => &self.body["output_config"]["format"]["schema"],
            Protocol::Speech => return None,
        };
        (!schema.is_null()).then_some(schema)
    }

    /// Whether the answer shall be JSON by the protocol's weaker means: any object, or the call of a tool.
    pub fn wants_object(&self) -> bool {
        match self.protocol {
            Protocol::Chat => self.body["response_format"]["type"] == "json_object",
            Protocol::Responses => self.body["text"]["format"]["type"] == "json_object",
            Protocol::Messages => self.body["tool_choice"]["type"] == "tool",
            Protocol::Speech => false,
        }
    }
}

/// The text of a message, whether it is one text or parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}
