//! Takes the settings out of file and environment, by precedence, and collects every fault on the way.

use super::Fault;
use super::environment::{self, Environment};
use super::file::File;
use super::setting::{Entry, Setting, Source};

/// Reads settings one after the other; what nobody asked for in the end is unknown.
pub(super) struct Reader<'a> {
    environment: &'a Environment,
    file: &'a File,
    asked: Vec<&'static Setting>,
    entries: Vec<Entry>,
    faults: Vec<Fault>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(environment: &'a Environment, file: &'a File, faults: Vec<Fault>) -> Self {
        Self { environment, file, asked: Vec::new(), entries: Vec::new(), faults }
    }

    /// The value of a setting that has a default. `None` when what was given is wrong; that is noted.
    pub(super) fn required<T>(
        &mut self,
        setting: &'static Setting,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        debug_assert!(setting.default.is_some(), "{} has a default", setting.name());
        self.optional(setting, parse).flatten()
    }

    /// The value of a setting that may be missing.
    pub(super) fn optional<T>(
        &mut self,
        setting: &'static Setting,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<Option<T>> {
        self.asked.push(setting);
        let (text, source) = self.look_up(setting)?;
        let value = text.as_deref().map(|text| parse(text.trim())).transpose();
        match value {
            Ok(value) => {
                self.entries.push(Entry { setting, text, source });
                Some(value)
            }
            Err(wrong) => {
                let name = self.name(setting, source);
                self.faults.push(Fault::new(name, wrong));
                None
            }
        }
    }

    /// Notes what is wrong about settings that are right one by one.
    pub(super) fn refuse(&mut self, setting: &'static Setting, wrong: &str) {
        let source = self.entries.iter().find(|entry| std::ptr::eq(entry.setting, setting)).map(|entry| entry.source);
        let name = self.name(setting, source.unwrap_or(Source::Default));
        self.faults.push(Fault::new(name, wrong));
    }

    /// The effective values, or everything that is wrong.
    pub(super) fn finish(mut self) -> Result<Vec<Entry>, Vec<Fault>> {
        for key in self.file.keys() {
            if !self.asked.iter().any(|setting| setting.name() == key) {
                self.faults.push(Fault::new(self.file.name_of(key), "is no setting"));
            }
        }
        for variable in self.environment.settings() {
            let is_asked = self.asked.iter().any(|setting| setting.variable == variable);
            if !is_asked && !environment::is_without_effect(variable) {
                self.faults.push(Fault::new(variable, "is no setting"));
            }
        }
        if self.faults.is_empty() { Ok(self.entries) } else { Err(self.faults) }
    }

    fn look_up(&mut self, setting: &Setting) -> Option<(Option<String>, Source)> {
        if let Some(value) = self.environment.get(setting.variable) {
            let Some(text) = value.to_str() else {
                self.faults.push(Fault::new(setting.variable, "is not valid UTF-8"));
                return None;
            };
            return Some((Some(text.to_owned()), Source::Environment));
        }
        match self.file.get(&setting.name()) {
            Some(text) => Some((Some(text.to_owned()), Source::File)),
            None => Some((setting.default.map(str::to_owned), Source::Default)),
        }
    }

    fn name(&self, setting: &Setting, source: Source) -> String {
        match source {
            Source::Environment => setting.variable.to_owned(),
            Source::File | Source::Default => self.file.name_of(&setting.name()),
        }
    }
}
