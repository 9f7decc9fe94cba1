//! Courses, tests, pages and links out of a cartridge, our own or another system's.

mod answers;
mod assessment;
mod item;
mod material;
mod question;

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::error::ImportError;
use crate::import::Imported;
use crate::manifest::{Outline, Resource};
use crate::model::{CourseContent, Entry, Link};
use crate::report::{Loss, shown};
use crate::upload::Upload;
use crate::{archive, page, qti};

/// What a resource of a cartridge is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Assessment,
    QuestionBank,
    WebContent,
    WebLink,
    /// Files that belong to another resource.
    Associated,
    /// QTI 2 or 3: read by [`crate::qti`].
    Qti,
    /// Something that has no equal here, by what it is called.
    Other(&'static str),
}

fn kind(resource_type: &str) -> Kind {
    if qti::read::kind(resource_type).is_some() {
        return Kind::Qti;
    }
    match resource_type {
        "webcontent" => Kind::WebContent,
        other if other.starts_with("imsqti_xmlv1p") && other.ends_with("question-bank") => Kind::QuestionBank,
        other if other.starts_with("imsqti_xmlv1p") => Kind::Assessment,
        other if other.starts_with("imswl_xmlv1p") => Kind::WebLink,
        other if other.starts_with("associatedcontent/") => Kind::Associated,
        other if other.starts_with("imsdt_xmlv1p") => Kind::Other("discussion"),
        other if other.starts_with("imsbasiclti_xmlv1p") => Kind::Other("tool of another provider (LTI)"),
        other if other.starts_with("assignment_xmlv1p") => Kind::Other("assignment"),
        _ => Kind::Other("resource of an unknown type"),
    }
}

/// Reads all that is no QTI 2 or 3. Resources in the organization make the course; the others stand by
/// themselves.
pub(crate) fn contents(package: &mut Upload<'_>) -> Result<Imported, ImportError> {
    let mut reader = Reader::of(package);
    let outline = std::mem::take(&mut reader.package.manifest.outline);
    let mut entries = Vec::new();
    reader.outline(&outline, &mut entries)?;
    let mut imported = Imported::default();
    reader.others(&mut imported)?;
    reader.unlisted();
    if !entries.is_empty() {
        imported.courses.push(reader.course(entries));
    }
    Ok(imported)
}

struct Reader<'p, 'a> {
    package: &'p mut Upload<'a>,
    /// Resources that were read or reported.
    done: HashSet<String>,
    /// Files that some resource names.
    listed: BTreeSet<String>,
    /// The first `lectern.xml` of each resource that has one, by the resource's place: many assessments may depend on
    /// one resource of many files.
    extensions: HashMap<usize, String>,
    /// Whether the cartridge is our own.
    is_own: bool,
}

impl<'p, 'a> Reader<'p, 'a> {
    fn of(package: &'p mut Upload<'a>) -> Self {
        let listed = package.manifest.resources.iter().flat_map(|resource| resource.files.iter().cloned()).collect();
        let places = package.manifest.resources.iter().enumerate();
        let extension = |resource: &Resource| resource.files.iter().find(|file| is_extension_file(file)).cloned();
        let extensions = places.filter_map(|(at, resource)| Some((at, extension(resource)?))).collect();
        let is_own = !package.manifest.description.id.is_empty();
        Self { package, done: HashSet::new(), listed, extensions, is_own }
    }

    /// Takes the organization's resources in order.
    fn outline(&mut self, outline: &[Outline], entries: &mut Vec<Entry>) -> Result<(), ImportError> {
        for item in outline {
            if let Some(id) = &item.resource {
                self.listed_resource(id, &item.title, entries)?;
            } else if !item.inside.is_empty() && !item.title.trim().is_empty() {
                let message =
                    format!("The folder “{}” was dissolved; what is in it is kept.", shown(item.title.trim()));
                self.note(Loss::Structure, &message);
            } else if item.inside.is_empty() && !item.title.trim().is_empty() {
                let message = format!("The heading “{}” was left out.", shown(item.title.trim()));
                self.note(Loss::Structure, &message);
            }
            self.outline(&item.inside, entries)?;
        }
        Ok(())
    }

    fn listed_resource(&mut self, id: &str, title: &str, entries: &mut Vec<Entry>) -> Result<(), ImportError> {
        let Some(at) = self.package.manifest.place(id) else {
            let message = format!("The entry “{}” shows nothing that the package has.", shown(title.trim()));
            self.note(Loss::File, &message);
            return Ok(());
        };
        if !self.done.insert(id.to_owned()) {
            let message = format!("The entry “{}” is there more than once and was kept once.", shown(title.trim()));
            self.note(Loss::Structure, &message);
            return Ok(());
        }
        let entry = self.resource(at, title)?;
        entries.extend(entry);
        Ok(())
    }

    /// Takes the resources that are in no organization.
    fn others(&mut self, imported: &mut Imported) -> Result<(), ImportError> {
        let belongs: HashSet<String> =
            self.package.manifest.resources.iter().flat_map(|resource| resource.dependencies.iter().cloned()).collect();
        for at in 0..self.package.manifest.resources.len() {
            let resource = &self.package.manifest.resources[at];
            let is_part =
                belongs.contains(&resource.id) && kind(&resource.kind) == Kind::WebContent && !is_page(resource);
            if !self.done.insert(resource.id.clone()) {
                continue;
            }
            if is_part {
                self.leave_out(at);
                continue;
            }
            match self.resource(at, "")? {
                Some(Entry::Test(test)) => imported.tests.push(test),
                Some(Entry::Module(module)) => imported.modules.push(module),
                Some(Entry::Link(link)) => imported.links.push(link),
                None => {}
            }
        }
        Ok(())
    }

    /// Reads a resource; none when it can't be kept, which is reported.
    fn resource(&mut self, at: usize, title: &str) -> Result<Option<Entry>, ImportError> {
        let resource = &self.package.manifest.resources[at];
        match kind(&resource.kind) {
            Kind::Qti => Ok(None),
            Kind::Assessment | Kind::QuestionBank => {
                if kind(&resource.kind) == Kind::QuestionBank {
                    self.note(Loss::Structure, "A question bank became a test.");
                }
                Ok(self.assessment(at, title)?.map(Entry::Test))
            }
            Kind::WebContent if is_page(resource) => self.page(at, title),
            Kind::WebLink => Ok(self.link(at, title)?.map(Entry::Link)),
            Kind::Associated if self.is_extension(at) => Ok(None),
            Kind::WebContent | Kind::Associated => {
                self.leave_out(at);
                Ok(None)
            }
            Kind::Other(name) => {
                let called = if title.trim().is_empty() { resource.id.as_str() } else { title.trim() };
                let message = format!("The {name} “{}” can't be kept.", shown(called));
                self.note(Loss::Resource, &message);
                Ok(None)
            }
        }
    }

    fn assessment(&mut self, at: usize, title: &str) -> Result<Option<crate::model::TestContent>, ImportError> {
        let extension = self.extension(at)?;
        let Some(file) = self.file(at) else { return Ok(None) };
        let Some(root) = self.package.document(&file)? else { return Ok(None) };
        let mut test = assessment::read(self.package, &file, &root, extension.as_ref())?;
        if let Some(test) = test.as_mut().filter(|test| extension.is_none() && test.title.is_empty()) {
            title.trim().clone_into(&mut test.title);
        }
        Ok(test)
    }

    /// What `lectern.xml` adds to an assessment.
    fn extension(&mut self, at: usize) -> Result<Option<super::extension::Extension>, ImportError> {
        let manifest = &self.package.manifest;
        let mut places = manifest.resources[at].dependencies.iter().filter_map(|id| manifest.place(id));
        let Some(file) = places.find_map(|place| self.extensions.get(&place)) else { return Ok(None) };
        let root = self.package.document(file)?;
        Ok(root.and_then(|root| super::extension::read(&root)))
    }

    fn is_extension(&self, at: usize) -> bool {
        self.package.manifest.resources[at].files.iter().all(|file| is_extension_file(file))
    }

    fn page(&mut self, at: usize, title: &str) -> Result<Option<Entry>, ImportError> {
        let Some(file) = self.file(at) else { return Ok(None) };
        let Some(content) = self.package.content(&file)? else { return Ok(None) };
        match page::read::module(&content, &file, &mut self.package.report) {
            Ok(mut module) => {
                if !self.is_own && !title.trim().is_empty() {
                    title.trim().clone_into(&mut module.title);
                }
                Ok(Some(Entry::Module(module)))
            }
            Err(error) if error.is_about_one_file() => {
                self.package.report.add(&file, Loss::File, error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn link(&mut self, at: usize, title: &str) -> Result<Option<Link>, ImportError> {
        let Some(file) = self.file(at) else { return Ok(None) };
        let Some(root) = self.package.document(&file)? else { return Ok(None) };
        let own = root.first("title").map(crate::xml::Element::text).unwrap_or_default();
        let address = root.first("url").and_then(|url| url.attribute("href")).unwrap_or_default();
        let (own, address) = if self.is_own { (own.as_str(), address) } else { (own.trim(), address.trim()) };
        if !archive::path::is_web(address) {
            self.package.report.add(&file, Loss::Link, "A link that leads to no web page was left out.");
            return Ok(None);
        }
        let title = if own.is_empty() && !self.is_own { title.trim() } else { own };
        Ok(Some(Link { title: title.to_owned(), url: address.to_owned() }))
    }

    /// The file that a resource begins with.
    fn file(&mut self, at: usize) -> Option<String> {
        let resource = &self.package.manifest.resources[at];
        let file = resource.files.first().cloned();
        if file.is_none() {
            let message = format!("The resource “{}” has no file.", shown(&resource.id));
            self.note(Loss::File, &message);
        }
        file
    }

    /// Reports each file of a resource.
    fn leave_out(&mut self, at: usize) {
        let files = self.package.manifest.resources[at].files.clone();
        for file in files.iter().filter(|file| !is_extension_file(file)) {
            self.package.report.add(file, Loss::Media, "The file was left out: only pages, tests and links are kept.");
        }
    }

    /// Reports files that no resource names.
    fn unlisted(&mut self) {
        let is_unlisted = |file: &&str| {
            !self.listed.contains(*file)
                && !self.package.was_read(file)
                && *file != self.package.manifest_path
                && !is_of_the_system(file)
        };
        let files: Vec<String> = self.package.files().filter(is_unlisted).map(str::to_owned).collect();
        for file in files {
            self.package.report.add(&file, Loss::File, "The manifest does not name the file; it was left out.");
        }
    }

    fn course(&self, entries: Vec<Entry>) -> CourseContent {
        let description = &self.package.manifest.description;
        let tidy = |text: &str| if self.is_own { text.to_owned() } else { text.trim().to_owned() };
        CourseContent {
            title: tidy(&description.title),
            description: tidy(&description.description),
            level: tidy(&description.level),
            language: description.language.clone(),
            entries,
        }
    }

    fn note(&mut self, code: Loss, message: &str) {
        let path = self.package.manifest_path.clone();
        self.package.report.add(&path, code, message);
    }
}

fn is_page(resource: &Resource) -> bool {
    let is_html = |file: &String| {
        let file = file.to_lowercase();
        [".html", ".htm", ".xhtml"].iter().any(|ending| file.ends_with(ending))
    };
    resource.files.first().is_some_and(is_html)
}

fn is_extension_file(file: &str) -> bool {
    file.rsplit('/').next() == Some(super::extension::FILE)
}

/// What operating systems leave in archives.
fn is_of_the_system(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or_default();
    file.starts_with("__MACOSX/") || matches!(name, ".DS_Store" | "Thumbs.db" | "desktop.ini")
}
