//! Another version of one entry of the form, drafted by the API from the form as it was sent.

use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::Place;
use super::act::List;
use super::draft::Draft;
use super::item::Item;
use crate::api::resources::DraftedPart;
use crate::pages::resource_kind::{Items, Kind};
use crate::problem::ApiProblem;
use crate::visit::{Operation, Visit};

impl Place {
    /// Has another version of an entry drafted and puts it into the form. Where there is none, the entry says why, and the form
    /// stays as it is.
    pub(super) async fn redraft(
        &self,
        visit: &Visit,
        draft: &mut Draft,
        list: List,
        key: &str,
    ) -> Result<(), ApiProblem> {
        let Some(at) = place_of(draft, list, key) else { return Ok(()) };
        let Some(id) = self.kind.draft_part else { return Ok(()) };
        let (path, organization) = (format!("{}/part-drafts", self.path), Some(self.owner.id.as_str()));
        let call = |body: Map<String, Value>| Operation {
            id,
            method: Method::POST,
            path: &path,
            body: Some(Value::Object(body)),
            organization,
            ..Operation::default()
        };
        // The page's list of calls shows the call without the parts, which are as long as the form.
        visit.note(&call(asked_for(draft, self.kind, list, at)));
        let mut body = asked_for(draft, self.kind, list, at);
        body.extend(parts(draft, self.kind, list, at));
        let drafted = match visit.answer(call(body)).await {
            Ok(answer) => serde_json::from_slice(&answer.body).map_err(|_| ApiProblem::unreadable())?,
            // Nothing was saved, so the form is all that there is of the person's words.
            Err(problem) if problem.status != StatusCode::UNAUTHORIZED => {
                versions(draft, list, at).refuse(told(&problem));
                return Ok(());
            }
            Err(problem) => return Err(super::explained(visit)(problem)),
        };
        put(draft, self.kind, list, at, drafted).ok_or_else(ApiProblem::unreadable)
    }
}

fn place_of(draft: &Draft, list: List, key: &str) -> Option<usize> {
    match list {
        // Markdown is one part: another version of it would be one section in the place of all.
        List::Parts => draft.parts.iter().position(|part| part.key == key && part.is_html),
        List::Items => draft.items.iter().position(|item| item.key == key),
    }
}

fn versions(draft: &mut Draft, list: List, at: usize) -> &mut super::versions::Versions {
    match list {
        List::Parts => &mut draft.parts[at].versions,
        List::Items => &mut draft.items[at].versions,
    }
}

/// Which part is asked for, and what the person wants of it.
fn asked_for(draft: &Draft, kind: &Kind, list: List, at: usize) -> Map<String, Value> {
    let instruction = match list {
        List::Parts => &draft.parts[at].versions.instruction,
        List::Items => &draft.items[at].versions.instruction,
    };
    let mut body = Map::new();
    if kind.folder == "modules" {
        body.insert("kind".to_owned(), json!(if list == List::Items { "question" } else { "section" }));
    }
    body.insert("place".to_owned(), json!(at));
    body.insert("instruction".to_owned(), json!(instruction));
    body
}

/// All parts as they stand in the form, and the earlier versions of the one.
fn parts(draft: &Draft, kind: &Kind, list: List, at: usize) -> Map<String, Value> {
    let (member, earlier) = match (list, kind.items, kind.folder) {
        (List::Items, Some(Items::Test), _) => ("items", "earlierItems"),
        (List::Items, ..) => ("quizzes", "earlierQuizzes"),
        (List::Parts, _, "slides") => ("slides", "earlierSlides"),
        (List::Parts, ..) => ("sections", "earlierSections"),
    };
    let (present, before): (Value, Value) = match list {
        List::Parts => {
            let sources = draft.parts.iter().map(|part| json!(part.source));
            (sources.collect(), draft.parts[at].versions.shown().map(|source| json!(source)).collect())
        }
        List::Items => {
            let items = kind.items.unwrap_or(Items::Test);
            let before = draft.items[at].versions.shown().filter_map(|earlier| {
                let mut item = Item::default();
                item.replace_by(&serde_json::from_str(earlier).ok()?);
                Some(item.present(items))
            });
            (draft.items.iter().map(|item| item.present(items)).collect(), before.collect())
        }
    };
    Map::from_iter([(member.to_owned(), present), (earlier.to_owned(), before)])
}

/// Puts a draft into its entry; none where it is not of the kind that was asked for.
fn put(draft: &mut Draft, kind: &Kind, list: List, at: usize, drafted: DraftedPart) -> Option<()> {
    match list {
        List::Parts => {
            let source = drafted.section.or(drafted.slide)?;
            let part = &mut draft.parts[at];
            part.versions.replace(part.source.clone(), drafted.instruction_ignored);
            part.replace_by(&source);
        }
        List::Items => {
            let new = drafted.item.or(drafted.quiz)?;
            let item = &mut draft.items[at];
            item.versions.replace(item.version(kind.items?), drafted.instruction_ignored);
            item.replace_by(&new);
        }
    }
    Some(())
}

fn told(problem: &ApiProblem) -> String {
    match problem.details.first() {
        Some(detail) => format!("{} {}", problem.message, detail.sentence()),
        None => problem.message.clone(),
    }
}
