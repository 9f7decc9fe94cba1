//! The page where a course, module, slide deck, test or video is edited.
//!
//! The form holds the whole resource and the version that it was made of. Saving sends the members that differ, for that
//! version: where somebody else saved in the meantime, nothing is overwritten, and the page shows both. Other buttons change
//! the form alone, also the one that has another version of a question, section or slide drafted (`redraft`). What a save replaced travels with the page that answers it, so that it can be undone.

mod act;
mod draft;
mod item;
mod redraft;
mod versions;

use askama::Template;
use http::{Method, StatusCode};
use serde_json::{Map, Value};

use self::act::Act;
use self::draft::{Draft, Part};
use self::item::Item;

use super::Page;
use super::classrooms::explained;
use super::organizations::frame;
use super::resource_kind::{Items, Kind};
use crate::api::content::Resource;
use crate::api::resources::StoredResource;
use crate::fields::Fields;
use crate::format;
use crate::owner::{Ids, Owner};
use crate::problem::ApiProblem;
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page_with};

/// The members of a resource that a form can change.
const MEMBERS: [&str; 9] =
    ["title", "name", "description", "language", "isPublic", "visibility", "content", "quizzes", "items"];

/// What the page says about the form that was sent.
enum Outcome {
    Untouched,
    /// The form is changed and not saved.
    Unsaved,
    /// The change is stored.
    Saved(Undo),
    /// A change was taken back.
    Undone(Undo),
    /// Somebody else saved; these members differ from what is stored now.
    Conflict(Vec<&'static str>),
    /// The API refused.
    Refused(Vec<Fault>),
}

/// A refused member of the form.
struct Fault {
    /// The member as the form calls it; empty for one within a question.
    about: &'static str,
    text: String,
}

impl Fault {
    /// Whether a field of the form shows it.
    fn is_marked(&self) -> bool {
        ["the title", "the description", "the language"].contains(&self.about)
    }
}

/// What a change replaced, as the API takes it, and the version in which that can be brought back.
struct Undo {
    members: String,
    version: i64,
}

#[derive(Template)]
#[template(path = "editor.html")]
struct EditorPage {
    shell: Shell,
    /// The address of this page.
    home: String,
    kind: &'static Kind,
    resource: Resource,
    stored: StoredResource,
    draft: Draft,
    version: i64,
    outcome: Outcome,
}

impl EditorPage {
    /// The item that a script copies for each new one.
    fn blank_item(&self) -> Item {
        Item::new("NEW".to_owned())
    }

    fn blank_part(&self) -> Part {
        Part { key: "NEW".to_owned(), is_html: true, ..Part::default() }
    }

    /// A document that shows a part as it looks. Its frame runs nothing and loads nothing from elsewhere.
    fn document(&self, part: &Part) -> String {
        let sheets = ["tokens.css", "text.css"];
        let links: String = sheets
            .iter()
            .map(|name| format!("<link rel=\"stylesheet\" href=\"{}\">", self.shell.asset(name)))
            .collect();
        format!("<!DOCTYPE html><html><head>{links}</head><body dir=\"auto\">{}</body></html>", part.source)
    }

    fn types(&self) -> &'static [(&'static str, &'static str)] {
        match self.kind.items {
            Some(Items::Quizzes) => &TYPES[..3],
            _ => &TYPES,
        }
    }

    fn is_test(&self) -> bool {
        self.kind.items == Some(Items::Test)
    }

    fn can_be_edited(&self) -> bool {
        !matches!(self.resource.status.as_str(), "queued" | "processing")
    }

    /// Whether the form has words that are not stored.
    fn is_unsaved(&self) -> bool {
        matches!(self.outcome, Outcome::Unsaved | Outcome::Conflict(_) | Outcome::Refused(_))
    }

    /// The sentence below a refused member of the form, such as `the title`.
    fn fault(&self, about: &str) -> Option<&str> {
        let Outcome::Refused(faults) = &self.outcome else { return None };
        faults.iter().find(|fault| fault.about == about).map(|fault| fault.text.as_str())
    }

    /// Whether the page answers a form that must not be sent twice.
    fn is_answer(&self) -> bool {
        !matches!(self.outcome, Outcome::Untouched)
    }

    fn module_path(&self, id: &str) -> String {
        self.home.split("/courses/").next().map_or_else(String::new, |folder| format!("{folder}/modules/{id}"))
    }
}

const TYPES: [(&str, &str); 5] = [
    ("select", "Choice"),
    ("true-false", "True or false"),
    ("blank", "Blank"),
    ("open-ended", "Open answer"),
    ("submission", "Submission"),
];

/// A resource that a path names.
struct Place {
    owner: Owner,
    kind: &'static Kind,
    /// The operations' path.
    path: String,
    /// The page's path.
    home: String,
}

/// What is stored there.
struct Stored {
    raw: Value,
    resource: Resource,
    details: StoredResource,
    draft: Draft,
}

impl Place {
    fn of(owner: Owner, ids: &Ids) -> Result<Self, ApiProblem> {
        let kind = Kind::of(ids)?;
        let rest = format!("/classrooms/{}/{}/{}", ids.get("classroom"), kind.folder, ids.get("resource"));
        Ok(Self { kind, path: format!("/v1/content{rest}"), home: owner.page(&rest), owner })
    }

    async fn read(&self, visit: &Visit) -> Result<Stored, ApiProblem> {
        let read: Result<Value, ApiProblem> = visit.read_for(&self.owner.id, self.kind.get, &self.path).await;
        let raw = read.map_err(explained(visit))?;
        let typed = (serde_json::from_value(raw.clone()), serde_json::from_value(raw.clone()));
        let (Ok(resource), Ok(details)) = typed else { return Err(ApiProblem::unreadable()) };
        let draft = Draft::stored(self.kind, &resource, &details);
        Ok(Stored { raw, resource, details, draft })
    }

    /// Sends a change that was made of a version; what it replaced.
    async fn change(
        &self,
        visit: &Visit,
        stored: &Stored,
        change: Map<String, Value>,
        version: i64,
    ) -> Result<Undo, ApiProblem> {
        let undo = Undo { members: before(&stored.raw, &change), version: version.saturating_add(1) };
        let (body, version) = (Some(Value::Object(change)), Some(version));
        let (id, path, organization) = (self.kind.update, self.path.as_str(), Some(self.owner.id.as_str()));
        let method = Method::PATCH;
        visit.act(Operation { id, method, path, body, organization, version, ..Operation::default() }).await?;
        Ok(undo)
    }

    async fn page(&self, visit: &Visit, stored: Stored, form: Option<(Draft, i64)>, outcome: Outcome) -> Page {
        if matches!(outcome, Outcome::Untouched) {
            let (id, path, organization) = (self.kind.update, self.path.as_str(), Some(self.owner.id.as_str()));
            let body = Some(serde_json::json!({ self.kind.title_member(): stored.resource.label() }));
            let (method, version) = (Method::PATCH, Some(stored.resource.version));
            visit.note(&Operation { id, method, path, body, organization, version, ..Operation::default() });
        }
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let list = self.owner.page(folder.strip_prefix("/v1/content").unwrap_or(folder));
        let shell = frame(visit, &self.owner, "Classrooms", stored.resource.label()).await?;
        let shell = shell.crumb("Classrooms", &self.owner.page("/classrooms")).crumb(self.kind.plural, &list);
        let status = match &outcome {
            Outcome::Conflict(_) => StatusCode::CONFLICT,
            Outcome::Refused(_) => StatusCode::BAD_REQUEST,
            _ => StatusCode::OK,
        };
        let (draft, version) = form.unwrap_or_else(|| (stored.draft.clone(), stored.resource.version));
        let (kind, home) = (self.kind, self.home.clone());
        let (resource, stored) = (stored.resource, stored.details);
        Ok(page_with(status, &EditorPage { shell, home, kind, resource, stored, draft, version, outcome }))
    }

    /// The page of a form that was made of another version than the one that is stored now.
    async fn conflict(&self, visit: &Visit, stored: Stored, draft: Draft) -> Page {
        let differing = draft.change(self.kind, &stored.draft).keys().map(|member| named(member)).collect();
        let form = Some((draft, stored.resource.version));
        self.page(visit, stored, form, Outcome::Conflict(differing)).await
    }
}

pub(crate) async fn show(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let place = Place::of(owner, &ids)?;
    let stored = place.read(&visit).await?;
    place.page(&visit, stored, None, Outcome::Untouched).await
}

pub(crate) async fn save(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let place = Place::of(owner, &ids)?;
    let stored = place.read(&visit).await?;
    let mut draft = Draft::entered(&fields);
    let version = fields.get("version").parse().unwrap_or_default();
    let act = Act::of(fields.get("do"));
    if act != Act::Save {
        act.apply(&mut draft, place.kind.items.unwrap_or(Items::Test));
        if let Act::Redraft { list, key } = &act {
            place.redraft(&visit, &mut draft, *list, key).await?;
        }
        return place.page(&visit, stored, Some((draft, version)), Outcome::Unsaved).await;
    }
    let change = draft.change(place.kind, &stored.draft);
    if change.is_empty() {
        return Ok(visit.done(&place.home, "nothing-changed"));
    }
    if version != stored.resource.version {
        return place.conflict(&visit, stored, draft).await;
    }
    match place.change(&visit, &stored, change, version).await {
        Ok(undo) => {
            let stored = place.read(&visit).await?;
            place.page(&visit, stored, None, Outcome::Saved(undo)).await
        }
        Err(problem) if problem.status == StatusCode::PRECONDITION_FAILED => {
            let stored = place.read(&visit).await?;
            place.conflict(&visit, stored, draft).await
        }
        Err(problem) if problem.is_correctable() => {
            let faults = faults(&problem, place.kind);
            place.page(&visit, stored, Some((draft, version)), Outcome::Refused(faults)).await
        }
        Err(problem) => Err(explained(&visit)(problem)),
    }
}

/// Brings back what a save replaced.
pub(crate) async fn undo(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let place = Place::of(owner, &ids)?;
    let stored = place.read(&visit).await?;
    let version: i64 = fields.get("version").parse().unwrap_or_default();
    let mut members: Map<String, Value> = serde_json::from_str(fields.typed("members")).unwrap_or_default();
    members.retain(|name, _| MEMBERS.contains(&name.as_str()));
    match place.change(&visit, &stored, members, version).await {
        Ok(undo) => {
            let stored = place.read(&visit).await?;
            place.page(&visit, stored, None, Outcome::Undone(undo)).await
        }
        Err(problem) if problem.is_correctable() => Ok(visit.done(&place.home, "not-undone")),
        Err(problem) => Err(explained(&visit)(problem)),
    }
}

/// Generates a failed resource again.
pub(crate) async fn retry(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let place = Place::of(owner, &ids)?;
    let id = place.kind.retry.ok_or_else(ApiProblem::not_found)?;
    let (path, organization) = (format!("{}/retry", place.path), Some(place.owner.id.as_str()));
    let method = Method::POST;
    visit
        .act(Operation { id, method, path: &path, organization, ..Operation::default() })
        .await
        .map_err(explained(&visit))?;
    Ok(visit.done(&place.home, "resource-retried"))
}

/// The values that a change replaces.
fn before(raw: &Value, change: &Map<String, Value>) -> String {
    let members = change.keys().map(|name| {
        let value = raw.get(name).cloned().unwrap_or_default();
        (name.clone(), if value == "" { Value::Null } else { value })
    });
    Value::Object(members.collect()).to_string()
}

/// A member as the form calls it.
fn named(member: &str) -> &'static str {
    match member {
        "title" | "name" => "the title",
        "description" => "the description",
        "language" => "the language",
        "isPublic" | "visibility" => "who can open it",
        "content" => "the content",
        _ => "the questions",
    }
}

/// What the API refused, as a reader of the form knows its fields.
fn faults(problem: &ApiProblem, kind: &Kind) -> Vec<Fault> {
    if problem.details.is_empty() {
        return vec![Fault { about: "", text: problem.message.clone() }];
    }
    let fault = |path: &str, message: &str| {
        let items = format!("{}[", kind.items_member());
        let question = path.strip_prefix(&items).and_then(|rest| rest.split_once(']'));
        match question.and_then(|(index, field)| Some((index.parse::<usize>().ok()?, field))) {
            Some((index, field)) => {
                let text = format!("Question {}: {} {message}.", index + 1, asked(field.trim_start_matches('.')));
                Fault { about: "", text }
            }
            None => {
                let about = named(path.split('[').next().unwrap_or(path));
                Fault { about, text: format!("{} {message}.", format::capitalized(about)) }
            }
        }
    };
    problem.details.iter().map(|detail| fault(&detail.path, &detail.message)).collect()
}

/// A field of a question.
fn asked(field: &str) -> &'static str {
    match field.split('[').next() {
        Some("question") => "what is asked",
        Some("options") => "an option",
        Some("correctAnswers") => "the right answer",
        Some("explanation") => "the explanation",
        Some("score") => "the number of points",
        Some("type") => "the type",
        Some("title") => "the heading",
        _ => "it",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::problem::FieldProblem;

    #[test]
    fn what_a_change_replaced_can_be_sent_back() {
        let raw = json!({ "title": "Old", "description": "", "content": "<p>a</p>", "version": 3 });
        let change = json!({ "title": "New", "description": "x" });
        let members: Value = serde_json::from_str(&before(&raw, change.as_object().unwrap())).unwrap();
        assert_eq!(members, json!({ "title": "Old", "description": null }));
    }

    #[test]
    fn faults_name_the_question_by_its_number() {
        let kind = Kind::all().iter().find(|kind| kind.folder == "modules").unwrap();
        let mut problem = ApiProblem::new(StatusCode::BAD_REQUEST, "The request is invalid.");
        let texts =
            |problem: &ApiProblem| faults(problem, kind).into_iter().map(|fault| fault.text).collect::<Vec<_>>();
        assert_eq!(texts(&problem), ["The request is invalid."]);
        let detail = |path: &str| FieldProblem { path: path.into(), message: "must not be empty".into() };
        problem.details =
            vec![detail("quizzes[2].correctAnswers"), detail("title"), detail("quizzes"), detail("quizzes[x]")];
        assert_eq!(
            texts(&problem),
            [
                "Question 3: the right answer must not be empty.",
                "The title must not be empty.",
                "The questions must not be empty.",
                "The questions must not be empty.",
            ]
        );
    }
}
