//! `lectern.toml` as a flat list of `section.key` and text.
//!
//! The text of a value is what its variable would hold, so that both go through the same parser: a list is
//! its items with commas between them, and a list of tables is JSON.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::setting::Kind;
use super::{Fault, parse};

/// Looked for in the working folder when nothing names a file.
pub(super) const DEFAULT_NAME: &str = "lectern.toml";

/// The values of a configuration file.
#[derive(Debug, Default)]
pub(super) struct File {
    /// Where it was found; `None` when there is none.
    pub(super) path: Option<PathBuf>,
    values: BTreeMap<String, Given>,
    empty_sections: Vec<String>,
}

/// A value of the file.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) text: String,
    pub(super) kind: Kind,
}

impl File {
    /// Reads the named file, which must exist, or else the default one, which need not.
    pub(super) fn find(named: Option<&Path>, faults: &mut Vec<Fault>) -> Self {
        let path = named.unwrap_or(Path::new(DEFAULT_NAME));
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(path, &text, faults),
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => Self::default(),
            Err(error) => {
                faults.push(Fault::new(path.display(), format!("can't be read: {error}")));
                Self::default()
            }
        }
    }

    pub(super) fn parse(path: &Path, text: &str, faults: &mut Vec<Fault>) -> Self {
        let mut file = Self { path: Some(path.to_owned()), ..Self::default() };
        match text.parse::<Table>() {
            Ok(sections) => file.flatten(sections, faults),
            // The message alone: the library's full text repeats the line, which may hold a secret.
            Err(error) => {
                let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                faults.push(Fault::new(format!("{} line {line}", path.display()), error.message()));
            }
        }
        file
    }

    fn flatten(&mut self, sections: Table, faults: &mut Vec<Fault>) {
        for (section, content) in sections {
            let Value::Table(keys) = content else {
                faults.push(Fault::new(self.name_of(&section), "every key belongs in a section, such as [server]"));
                continue;
            };
            if keys.is_empty() {
                self.empty_sections.push(section.clone());
            }
            for (key, value) in keys {
                let key = format!("{section}.{key}");
                match text_of(&value) {
                    Some(text) => {
                        self.values.insert(key, Given { text, kind: kind_of(&value) });
                    }
                    None => faults.push(Fault::new(self.name_of(&key), "must be a plain value or a list of them")),
                }
            }
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Given> {
        self.values.get(key)
    }

    /// The sections that have a heading and nothing else.
    pub(super) fn empty_sections(&self) -> impl Iterator<Item = &str> {
        self.empty_sections.iter().map(String::as_str)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// How a message names a key of this file.
    pub(super) fn name_of(&self, key: &str) -> String {
        match &self.path {
            Some(path) => format!("{key} in {}", path.display()),
            None => key.to_owned(),
        }
    }
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::String(_) => Kind::Text,
        Value::Integer(_) | Value::Boolean(_) => Kind::Bare,
        Value::Array(items) if items.iter().all(Value::is_str) => Kind::List,
        Value::Array(items) if items.iter().all(Value::is_table) => Kind::Tables,
        _ => Kind::Other,
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(flag) => Some(flag.to_string()),
        Value::Datetime(time) => Some(time.to_string()),
        Value::Array(items) if items.is_empty() => Some(parse::NONE.to_owned()),
        Value::Array(items) if items.iter().all(Value::is_table) => {
            let tables = items.iter().map(|item| item.as_table().and_then(json_of));
            Some(serde_json::Value::from(tables.collect::<Option<Vec<_>>>()?).to_string())
        }
        Value::Array(items) => {
            let is_plain = |item: &Value| !matches!(item, Value::Array(_) | Value::Table(_));
            let texts = items.iter().map(|item| text_of(item).filter(|_| is_plain(item)));
            Some(texts.collect::<Option<Vec<_>>>()?.join(","))
        }
        Value::Table(_) => None,
    }
}

/// A table with plain values as JSON. Numbers with decimals are texts there, so that each keeps its digits.
fn json_of(table: &Table) -> Option<serde_json::Value> {
    let member = |(key, value): (&String, &Value)| {
        let value = match value {
            Value::Integer(number) => (*number).into(),
            Value::Boolean(flag) => (*flag).into(),
            Value::Array(_) | Value::Table(_) => return None,
            plain => text_of(plain)?.into(),
        };
        Some((key.clone(), value))
    };
    table.iter().map(member).collect::<Option<serde_json::Map<_, _>>>().map(serde_json::Value::Object)
}
