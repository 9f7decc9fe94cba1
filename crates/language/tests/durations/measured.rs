//! The measured durations of texts.

use serde_json::Value;

/// A text with the time that a speech synthesiser takes to speak it.
pub(crate) struct Measured {
    pub(crate) language: String,
    /// `fit` or `check`.
    pub(crate) set: String,
    pub(crate) text: String,
    pub(crate) seconds: f64,
}

/// All of them, as `bench/speech/measure` wrote them.
pub(crate) fn measured() -> Vec<Measured> {
    let lines = include_str!("../durations.jsonl").lines();
    let read = |line: &str| -> Measured {
        let value: Value = serde_json::from_str(line).expect("a line is JSON");
        let text = |name: &str| value[name].as_str().expect("a line has it").to_owned();
        let seconds = value["seconds"].as_f64().expect("a line has seconds");
        Measured { language: text("language"), set: text("set"), text: text("text"), seconds }
    };
    lines.map(read).collect()
}
