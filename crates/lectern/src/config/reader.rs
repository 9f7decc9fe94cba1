//! Takes the settings out of file and environment, by precedence, and collects every fault on the way.

use super::environment::{self, Environment};
use super::file::File;
use super::setting::{Entry, Setting, Source};
use super::{Fault, WithoutEffect};

/// Reads settings one after the other; what nobody asked for in the end is unknown.
pub(super) struct Reader<'a> {
    environment: &'a Environment,
    file: &'a File,
    asked: Vec<&'static Setting>,
    entries: Vec<Entry>,
    faults: Vec<Fault>,
    unused: Vec<WithoutEffect>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(environment: &'a Environment, file: &'a File, faults: Vec<Fault>) -> Self {
        Self { environment, file, asked: Vec::new(), entries: Vec::new(), faults, unused: Vec::new() }
    }

    /// The value of a setting that has a default. `None` when what was given is wrong; that is noted.
    pub(super) fn required<T>(
        &mut self,
        setting: &'static Setting,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        debug_assert!(setting.default.is_some(), "{} has a default", setting.name());
        self.optional(setting, parse).flatten()
    }

    /// The value of a setting that may be missing. A value that another one overrides must be right too.
    pub(super) fn optional<T>(
        &mut self,
        setting: &'static Setting,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<Option<T>> {
        self.asked.push(setting);
        let given = [
            (Source::Default, Ok(setting.default.map(str::to_owned))),
            (Source::File, self.in_file(setting)),
            (Source::Environment, self.in_environment(setting)),
        ];
        let mut effective = (Entry { setting, text: None, source: Source::Default }, None);
        let mut is_right = true;
        for (source, text) in given {
            let Some(text) = text.transpose() else { continue };
            match text.and_then(|text| Ok((parse(text.trim())?, text))) {
                Ok((value, text)) => effective = (Entry { setting, text: Some(text), source }, Some(value)),
                Err(wrong) => {
                    is_right = false;
                    self.faults.push(Fault::new(self.name(setting, source), wrong));
                }
            }
        }
        is_right.then(|| {
            self.entries.push(effective.0);
            effective.1
        })
    }

    /// Notes what is wrong about settings that are right one by one. There is no value then.
    pub(super) fn refuse<T>(&mut self, setting: &'static Setting, wrong: &str) -> Option<T> {
        let name = self.name(setting, self.source_of(setting).unwrap_or(Source::Default));
        self.faults.push(Fault::new(name, wrong));
        None
    }

    /// Both of two settings that need each other, or neither.
    pub(super) fn pair<A, B>(
        &mut self,
        (one, first): (&'static Setting, Option<A>),
        (other, second): (&'static Setting, Option<B>),
    ) -> Option<Option<(A, B)>> {
        match (first, second) {
            (Some(first), Some(second)) => Some(Some((first, second))),
            (None, None) => Some(None),
            (Some(_), None) => self.refuse(one, &format!("needs {} too", other.variable)),
            (None, Some(_)) => self.refuse(other, &format!("needs {} too", one.variable)),
        }
    }

    /// Whether file or environment say something about a setting, right or wrong.
    pub(super) fn is_given(&self, setting: &Setting) -> bool {
        self.file.get(&setting.name()).is_some() || self.environment.get(setting.variable).is_some()
    }

    /// The sections of the file.
    pub(super) fn sections(&self) -> impl Iterator<Item = &str> {
        let keyed = self.file.keys().filter_map(|key| key.split('.').next());
        keyed.chain(self.file.empty_sections())
    }

    /// The variables that are settings, or should be.
    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        self.environment.settings()
    }

    /// Whether the file has a section with nothing in it.
    pub(super) fn has_empty_section(&self, section: &str) -> bool {
        self.file.empty_sections().any(|known| known == section)
    }

    /// Notes that a setting changes nothing, if it is given.
    pub(super) fn note_unused(&mut self, setting: &'static Setting, why: &'static str) {
        if let Some(source @ (Source::File | Source::Environment)) = self.source_of(setting) {
            self.unused.push(WithoutEffect { name: self.name(setting, source), why });
        }
    }

    /// Notes that a part of a setting's value changes nothing, if it is given.
    pub(super) fn note_unused_part(&mut self, setting: &'static Setting, part: &str, why: &'static str) {
        if let Some(source @ (Source::File | Source::Environment)) = self.source_of(setting) {
            self.unused.push(WithoutEffect { name: format!("{part} in {}", self.name(setting, source)), why });
        }
    }

    /// What was noted to change nothing, and the variables that belong to parts which this version does not have.
    pub(super) fn without_effect(&self) -> Vec<WithoutEffect> {
        const WHY: &str = "this version has no such feature";
        let unasked = self.environment.settings().filter(|variable| !self.is_asked(variable));
        let unknown = unasked.filter(|variable| environment::is_without_effect(variable));
        let unknown = unknown.map(|variable| WithoutEffect { name: variable.to_owned(), why: WHY });
        self.unused.iter().cloned().chain(unknown).collect()
    }

    fn source_of(&self, setting: &'static Setting) -> Option<Source> {
        self.entries.iter().find(|entry| std::ptr::eq(entry.setting, setting)).map(|entry| entry.source)
    }

    fn is_asked(&self, variable: &str) -> bool {
        self.asked.iter().any(|setting| setting.variable == variable)
    }

    /// The effective values, or everything that is wrong.
    pub(super) fn finish(mut self) -> Result<Vec<Entry>, Vec<Fault>> {
        for key in self.file.keys() {
            if !self.asked.iter().any(|setting| setting.name() == key) {
                self.faults.push(Fault::new(self.file.name_of(key), "is no setting"));
            }
        }
        for section in self.file.empty_sections() {
            if !self.asked.iter().any(|setting| setting.section == section) {
                self.faults.push(Fault::new(self.file.name_of(section), "is no section"));
            }
        }
        for variable in self.environment.settings() {
            if !self.is_asked(variable) && !environment::is_without_effect(variable) {
                self.faults.push(Fault::new(variable, "is no setting"));
            }
        }
        if self.faults.is_empty() { Ok(self.entries) } else { Err(self.faults) }
    }

    fn in_file(&self, setting: &Setting) -> Result<Option<String>, String> {
        let Some(value) = self.file.get(&setting.name()) else { return Ok(None) };
        if setting.shape.is_written_as(value.kind) {
            return Ok(Some(value.text.clone()));
        }
        Err(format!("must be {}", setting.shape.written()))
    }

    fn in_environment(&self, setting: &Setting) -> Result<Option<String>, String> {
        let Some(value) = self.environment.get(setting.variable) else { return Ok(None) };
        value.to_str().map(|text| Some(text.to_owned())).ok_or_else(|| "is not valid UTF-8".to_owned())
    }

    fn name(&self, setting: &Setting, source: Source) -> String {
        match source {
            Source::Environment => setting.variable.to_owned(),
            Source::File | Source::Default => self.file.name_of(&setting.name()),
        }
    }
}
