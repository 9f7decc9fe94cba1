//! What the platform keeps: people, links, columns of the gradebook and the scores in them.

use std::collections::BTreeMap;

use kernel::time::Timestamp;
use lti::ags::LineItem;
use serde_json::{Map, Value};
use url::Url;

/// Links and columns that the course may have.
const MOST: usize = 200;

/// Somebody of the school.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::demo) struct Person {
    /// As the platform's addresses name them.
    pub(in crate::demo) id: &'static str,
    /// As launches name them.
    pub(super) subject: &'static str,
    /// The whole name.
    pub(in crate::demo) name: &'static str,
    pub(super) role: Role,
}

/// What somebody may do in the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Teacher,
    Student,
}

/// The one teacher.
pub(in crate::demo) const TEACHER: Person =
    Person { id: "park", subject: "riverside-user-1", name: "Mina Park", role: Role::Teacher };

/// The student of the tour.
pub(in crate::demo) const ANN: Person =
    Person { id: "ann", subject: "riverside-user-2", name: "Ann Lee", role: Role::Student };

/// The student that the tour leaves to its reader.
pub(in crate::demo) const BEN: Person =
    Person { id: "ben", subject: "riverside-user-3", name: "Ben Ortiz", role: Role::Student };

/// Those who learn.
pub(super) const STUDENTS: [Person; 3] =
    [ANN, BEN, Person { id: "chidi", subject: "riverside-user-4", name: "Chidi Obi", role: Role::Student }];

static PEOPLE: [Person; 4] = {
    let [ann, ben, chidi] = STUDENTS;
    [TEACHER, ann, ben, chidi]
};

/// The person with this id.
pub(super) fn person(id: &str) -> Option<&'static Person> {
    PEOPLE.iter().find(|person| person.id == id)
}

/// Everybody, the teacher first.
pub(super) fn people() -> impl Iterator<Item = &'static Person> {
    PEOPLE.iter()
}

impl Person {
    /// The first and the last name.
    pub(super) fn names(&self) -> (&'static str, &'static str) {
        self.name.split_once(' ').unwrap_or((self.name, ""))
    }
}

/// A link in the course.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: Option<String>,
    /// Where its launches lead.
    pub(super) url: Url,
    /// Texts that its launches bring along.
    pub(super) custom: Map<String, Value>,
}

/// A link that a teacher adds, with the column that it wants.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NewLink {
    pub(super) title: String,
    pub(super) text: Option<String>,
    pub(super) url: Url,
    pub(super) custom: Map<String, Value>,
    pub(super) column: Option<NewColumn>,
}

/// A column that a link wants.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NewColumn {
    pub(super) label: String,
    pub(super) score_maximum: f64,
    pub(super) resource_id: Option<String>,
    pub(super) tag: Option<String>,
}

/// A column of the gradebook.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) item: LineItem,
    /// By student.
    pub(super) grades: BTreeMap<&'static str, Grade>,
}

/// What a student has in a column.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::demo) struct Grade {
    /// The points, on the scale of the column; `None` where there are none, or grading has not ended.
    pub(in crate::demo) points: Option<f64>,
    /// The points of a perfect answer.
    pub(in crate::demo) maximum: f64,
    /// How far grading is, in words for people.
    pub(super) progress: &'static str,
    pub(super) comment: Option<String>,
    /// When the tool gave the score.
    pub(super) given_at: Timestamp,
    /// When it arrived here.
    pub(super) arrived_at: Timestamp,
}

/// A score that may be written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NewScore {
    pub(super) subject: String,
    /// Points and their maximum.
    pub(super) points: Option<(f64, f64)>,
    pub(super) progress: &'static str,
    pub(super) comment: Option<String>,
    pub(super) given_at: Timestamp,
    pub(super) arrived_at: Timestamp,
}

/// Why something is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotKept {
    #[error("the course has as many links or columns as it may have")]
    Full,
    #[error("the course has no such column")]
    NoColumn,
    #[error("the course has no such link")]
    NoLink,
    #[error("the course has no such student")]
    NoStudent,
    #[error("the gradebook has this score already, or a later one")]
    NotLater,
}

/// The course and its gradebook.
pub(super) struct School {
    url: String,
    links: Vec<Link>,
    columns: Vec<Column>,
}

impl School {
    pub(super) fn new(url: &str) -> Self {
        Self { url: url.to_owned(), links: Vec::new(), columns: Vec::new() }
    }

    pub(super) fn links(&self) -> &[Link] {
        &self.links
    }

    pub(super) fn link(&self, id: &str) -> Option<&Link> {
        self.links.iter().find(|link| link.id == id)
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column with a number, as its address has it.
    pub(super) fn column(&self, number: usize) -> Option<&Column> {
        self.columns.get(number.checked_sub(1)?)
    }

    /// The columns that belong to a link.
    pub(super) fn columns_of(&self, link: &str) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |column| column.item.resource_link_id.as_deref() == Some(link))
    }

    /// What a student has for a link.
    pub(super) fn grade_of(&self, student: &Person, link: &str) -> Option<&Grade> {
        self.columns_of(link).find_map(|column| column.grades.get(student.id))
    }

    /// Adds all links, or none.
    pub(super) fn add_links(&mut self, links: Vec<NewLink>) -> Result<(), NotKept> {
        if self.links.len() + links.len() > MOST || self.columns.len() + links.len() > MOST {
            return Err(NotKept::Full);
        }
        for NewLink { title, text, url, custom, column } in links {
            let id = format!("link-{}", self.links.len() + 1);
            if let Some(NewColumn { label, score_maximum, resource_id, tag }) = column {
                let link = Some(id.clone());
                self.push(LineItem { id: None, label, score_maximum, resource_id, resource_link_id: link, tag });
            }
            self.links.push(Link { id, title, text, url, custom });
        }
        Ok(())
    }

    /// Adds a column, and gives it with its address.
    pub(super) fn add_column(&mut self, item: LineItem) -> Result<&LineItem, NotKept> {
        if item.resource_link_id.as_deref().is_some_and(|link| self.link(link).is_none()) {
            return Err(NotKept::NoLink);
        }
        if self.columns.len() >= MOST {
            return Err(NotKept::Full);
        }
        self.push(item);
        self.columns.last().map(|column| &column.item).ok_or(NotKept::NoColumn)
    }

    fn push(&mut self, mut item: LineItem) {
        let address = format!("{}/lineitems/{}", self.url, self.columns.len() + 1);
        item.id = Url::parse(&address).ok();
        self.columns.push(Column { item, grades: BTreeMap::new() });
    }

    /// Writes a score that is later than the one that is there.
    pub(super) fn write(&mut self, column: usize, score: NewScore) -> Result<(), NotKept> {
        let index = column.checked_sub(1).ok_or(NotKept::NoColumn)?;
        let column = self.columns.get_mut(index).ok_or(NotKept::NoColumn)?;
        let student = STUDENTS.iter().find(|student| student.subject == score.subject).ok_or(NotKept::NoStudent)?;
        if column.grades.get(student.id).is_some_and(|last| score.given_at <= last.given_at) {
            return Err(NotKept::NotLater);
        }
        let maximum = column.item.score_maximum;
        let grade = Grade {
            points: score.points.map(|(given, of)| given / of * maximum),
            maximum,
            progress: score.progress,
            comment: score.comment,
            given_at: score.given_at,
            arrived_at: score.arrived_at,
        };
        column.grades.insert(student.id, grade);
        Ok(())
    }
}
