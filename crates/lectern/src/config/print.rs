//! The effective values, as TOML for people and as JSON for scripts. Secrets never show.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use url::Url;

use super::Config;
use super::setting::{Entry, Shape};

const MASK: &str = "********";

impl Config {
    /// TOML that can be used as a configuration file, but for the masked secrets. Each value's source stands
    /// behind it.
    pub fn to_toml(&self) -> String {
        let mut toml = match &self.file {
            Some(file) => format!("# effective configuration; file: {}\n", file.display()),
            None => "# effective configuration; there is no file\n".to_owned(),
        };
        let mut section = "";
        for entry in &self.entries {
            let setting = entry.setting;
            if setting.section != section {
                section = setting.section;
                let _ = write!(toml, "\n[{section}]\n");
            }
            let _ = match toml_value(entry) {
                Some(value) => {
                    writeln!(toml, "{} = {value}  # {}: {}", setting.key, entry.source.as_str(), setting.variable)
                }
                None => writeln!(toml, "# {}: {}  # {}", setting.key, setting.otherwise, setting.variable),
            };
        }
        toml
    }

    /// `{section: {key: {value, source, variable}}}`; the value is null where nothing is set.
    pub fn to_json(&self) -> Value {
        let mut sections = Map::new();
        for entry in &self.entries {
            let setting = entry.setting;
            let shown = json!({
                "value": json_value(entry),
                "source": entry.source.as_str(),
                "variable": setting.variable,
            });
            let section = sections.entry(setting.section).or_insert_with(|| json!({}));
            section[setting.key] = shown;
        }
        Value::Object(sections)
    }
}

fn toml_value(entry: &Entry) -> Option<String> {
    let value = json_value(entry);
    (!value.is_null()).then(|| toml_text(&value))
}

/// JSON's strings, numbers and truth values are TOML's too.
fn toml_text(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(toml_text).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| format!("{key} = {}", toml_text(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string().replace('\u{7f}', "\\u007f"),
    }
}

fn json_value(entry: &Entry) -> Value {
    let Some(text) = entry.text.as_deref() else { return Value::Null };
    match entry.setting.shape {
        Shape::Text => json!(text),
        Shape::Bare | Shape::Tables => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
        Shape::List if text == "none" => json!([]),
        Shape::List => text.split(',').map(str::trim).collect(),
        Shape::Secret => json!(MASK),
        Shape::UrlWithPassword => json!(without_password(text)),
    }
}

/// A URL that can't be read is hidden whole.
fn without_password(text: &str) -> String {
    let Ok(mut url) = Url::parse(text) else { return MASK.to_owned() };
    if url.password().is_some() && url.set_password(Some(MASK)).is_err() {
        return MASK.to_owned();
    }
    let has_password = url.query_pairs().any(|(name, _)| name == "password");
    if has_password {
        url.set_query(None);
    }
    url.to_string()
}
