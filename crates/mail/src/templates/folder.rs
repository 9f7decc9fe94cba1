//! An operator's templates: files named `<name>.<language>.txt` or `<name>.<language>.html`.
//!
//! All files are read and judged when the service starts. Other files of the folder, such as notes, are left alone.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::template::Template;
use super::{ABOUT, placeholders};

/// The largest file, in bytes.
const LARGEST_BYTES: usize = 256 * 1024;
const SUBJECT: &str = "Subject:";

/// A part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Text,
    Html,
}

/// The files of a folder.
#[derive(Debug, Default)]
pub(super) struct Folder {
    files: HashMap<(&'static str, &'static str, Part), String>,
}

/// Templates that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TemplatesError {
    /// The folder can't be read.
    #[error("the folder of mail templates {path} can't be read")]
    Folder {
        /// Which.
        path: String,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },
    /// Files are wrong.
    #[error("mail templates are wrong: {}", list(.0))]
    Files(Vec<TemplateFault>),
}

fn list(faults: &[TemplateFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// What is wrong with one file.
#[derive(Debug, PartialEq, Eq)]
pub struct TemplateFault {
    file: String,
    wrong: String,
}

impl fmt::Display for TemplateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.wrong)
    }
}

impl Folder {
    pub(super) fn load(path: &Path) -> Result<Self, TemplatesError> {
        let failed = |cause| TemplatesError::Folder { path: path.display().to_string(), cause };
        let mut names = Vec::new();
        for entry in path.read_dir().map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            names.extend((!name.starts_with('.')).then_some(name));
        }
        names.sort_unstable();
        let (mut files, mut faults) = (HashMap::new(), Vec::new());
        for name in names {
            match load(path, &name) {
                Ok(None) => {}
                Ok(Some((key, text))) => drop(files.insert(key, text)),
                Err(wrong) => faults.push(TemplateFault { file: name, wrong }),
            }
        }
        if faults.is_empty() { Ok(Self { files }) } else { Err(TemplatesError::Files(faults)) }
    }

    pub(super) fn find(&self, name: &'static str, language: &str, part: Part) -> Option<&str> {
        let tag = language::find(language)?.tag;
        self.files.get(&(name, tag, part)).map(String::as_str)
    }
}

type Key = (&'static str, &'static str, Part);

/// Reads one file; `None` where its name is not that of a part of a message.
fn load(folder: &Path, file: &str) -> Result<Option<(Key, String)>, String> {
    let part = match file.rsplit_once('.') {
        Some((_, "txt")) => Part::Text,
        Some((_, "html")) => Part::Html,
        _ => return Ok(None),
    };
    let mut parts = file.split('.');
    let (Some(name), Some(tag), Some(_), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return Err("must be named <name>.<language>.txt or <name>.<language>.html".to_owned());
    };
    let samples = Template::samples();
    let Some(template) = samples.iter().find(|template| template.name() == name) else {
        let names: Vec<_> = samples.iter().map(Template::name).collect();
        return Err(format!("there is no template {name}; the names are {}", names.join(", ")));
    };
    let Some(language) = language::all().find(|language| language.tag == tag) else {
        let tags: Vec<_> = language::all().map(|language| language.tag).collect();
        return Err(format!("{tag} is no language of this service; the languages are {}", tags.join(", ")));
    };
    let text = read(&folder.join(file))?;
    check(&text, template, part)?;
    Ok(Some(((template.name(), language.tag, part), text)))
}

fn read(path: &Path) -> Result<String, String> {
    let mut text = String::new();
    let opened = File::open(path).and_then(|file| file.take(LARGEST_BYTES as u64 + 1).read_to_string(&mut text));
    match opened {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err("must be UTF-8".to_owned()),
        Err(error) => Err(format!("can't be read: {error}")),
        Ok(length) if length > LARGEST_BYTES => Err(format!("must be at most {LARGEST_BYTES} bytes")),
        Ok(_) => Ok(text),
    }
}

fn check(text: &str, template: &Template, part: Part) -> Result<(), String> {
    if part == Part::Text && subject_and_text(text).is_none() {
        return Err("must begin with a line such as Subject: Confirm your address, and say something below".to_owned());
    }
    let (_, english) = language::email("en");
    let known: Vec<_> = template.values(english).into_iter().map(|(name, _)| name).chain(ABOUT).collect();
    match placeholders::names(text).find(|name| !known.contains(name)) {
        None => Ok(()),
        Some(unknown) => Err(format!("{{{unknown}}} is no value of this template; it has {{{}}}", known.join("}, {"))),
    }
}

/// The subject in the first line of a text, and what stands below.
pub(super) fn subject_and_text(file: &str) -> Option<(&str, &str)> {
    let (first, text) = file.strip_prefix('\u{feff}').unwrap_or(file).split_once('\n')?;
    let (subject, text) = (first.strip_prefix(SUBJECT)?.trim(), text.trim_start_matches(['\r', '\n']));
    (!subject.is_empty() && !text.trim().is_empty()).then_some((subject, text))
}
