//! What the templates show.

use askama::Template;
use kernel::time::Timestamp;

use crate::demo::lms::COURSE;
use crate::demo::lms::school::{Grade, Link, Person, Role, STUDENTS, School, people};

/// The page that asks who the visitor is.
#[derive(Template)]
#[template(path = "lms/people.html")]
pub(super) struct PeoplePage {
    title: &'static str,
    people: Vec<&'static Person>,
}

/// The page of the course.
#[derive(Template)]
#[template(path = "lms/course.html")]
pub(super) struct CoursePage {
    title: &'static str,
    place: &'static str,
    visitor: &'static Person,
    notice: Option<String>,
    links: Vec<Entry>,
}

/// A link in the course.
struct Entry {
    link: Link,
    /// The points of a perfect answer; empty where there are none.
    maximum: String,
    grade: Option<GradeView>,
}

/// The page with the tool in a frame.
#[derive(Template)]
#[template(path = "lms/frame.html")]
pub(super) struct FramePage {
    title: String,
    place: &'static str,
    visitor: &'static Person,
    /// The tool's origin, for which the page keeps texts.
    tool: String,
    /// What the frame opens.
    frame: String,
    /// What a window of its own opens.
    window: String,
    is_graded: bool,
    maximum: String,
    grade: Option<GradeView>,
}

/// The page of the gradebook.
#[derive(Template)]
#[template(path = "lms/gradebook.html")]
pub(super) struct GradebookPage {
    title: &'static str,
    place: &'static str,
    visitor: &'static Person,
    columns: Vec<ColumnView>,
    rows: Vec<Row>,
}

struct ColumnView {
    label: String,
    maximum: String,
}

/// A student with a grade, or none, for each column.
struct Row {
    name: &'static str,
    grades: Vec<Option<GradeView>>,
}

struct GradeView {
    points: Option<String>,
    progress: &'static str,
    comment: Option<String>,
    arrived_at: Timestamp,
    /// The same for people.
    time: String,
}

/// A form that posts itself to the tool.
pub(in crate::demo::lms) struct PostBack {
    pub(in crate::demo::lms) action: String,
    pub(in crate::demo::lms) fields: Vec<(&'static str, String)>,
}

#[derive(Template)]
#[template(path = "lms/post_back.html")]
pub(super) struct PostBackPage {
    title: &'static str,
    back: PostBack,
}

#[derive(Template)]
#[template(path = "lms/picked.html")]
pub(super) struct PickedPage {
    title: &'static str,
    notice: String,
    course: String,
}

#[derive(Template)]
#[template(path = "lms/refused.html")]
pub(super) struct RefusedPage {
    title: &'static str,
    why: String,
}

impl PeoplePage {
    pub(super) fn new() -> Self {
        Self { title: COURSE, people: people().collect() }
    }
}

impl CoursePage {
    pub(super) fn new(school: &School, visitor: &'static Person, notice: Option<String>) -> Self {
        let entry = |link: &Link| Entry {
            link: link.clone(),
            maximum: maximum_of(school, &link.id),
            grade: school.grade_of(visitor, &link.id).map(GradeView::of),
        };
        Self { title: COURSE, place: "course", visitor, notice, links: school.links().iter().map(entry).collect() }
    }
}

impl FramePage {
    /// The page of a link.
    pub(super) fn link(
        school: &School,
        visitor: &'static Person,
        link: &str,
        tool: &str,
        frame: String,
    ) -> Option<Self> {
        let link = school.link(link)?;
        Some(Self {
            title: link.title.clone(),
            place: "",
            visitor,
            tool: tool.to_owned(),
            frame,
            window: format!("/as/{}/links/{}/launch", visitor.id, link.id),
            is_graded: visitor.role == Role::Student && school.columns_of(&link.id).next().is_some(),
            maximum: maximum_of(school, &link.id),
            grade: school.grade_of(visitor, &link.id).map(GradeView::of),
        })
    }

    /// The page on which a teacher picks content.
    pub(super) fn picking(visitor: &'static Person, tool: &str, frame: String) -> Self {
        Self {
            title: "Add content from Lectern".to_owned(),
            place: "",
            visitor,
            tool: tool.to_owned(),
            frame,
            window: format!("/as/{}/add/launch", visitor.id),
            is_graded: false,
            maximum: String::new(),
            grade: None,
        }
    }
}

impl GradebookPage {
    pub(super) fn new(school: &School, visitor: &'static Person) -> Self {
        let columns = school.columns().iter();
        let grades =
            |student: &Person| school.columns().iter().map(|column| column.grades.get(student.id).map(GradeView::of));
        let is_shown = |student: &&Person| visitor.role == Role::Teacher || student.id == visitor.id;
        let rows = STUDENTS.iter().filter(is_shown);
        Self {
            title: if visitor.role == Role::Teacher { "Gradebook" } else { "My grades" },
            place: "gradebook",
            visitor,
            columns: columns
                .map(|column| ColumnView {
                    label: column.item.label.clone(),
                    maximum: number(column.item.score_maximum),
                })
                .collect(),
            rows: rows.map(|student| Row { name: student.name, grades: grades(student).collect() }).collect(),
        }
    }
}

impl PostBackPage {
    pub(super) const fn new(back: PostBack) -> Self {
        Self { title: "Opening Lectern", back }
    }
}

impl PickedPage {
    pub(super) fn new(notice: &str, course: String) -> Self {
        Self { title: COURSE, notice: notice.to_owned(), course }
    }
}

impl RefusedPage {
    pub(super) fn new(title: &'static str, why: &str) -> Self {
        Self { title, why: why.to_owned() }
    }
}

impl GradeView {
    fn of(grade: &Grade) -> Self {
        Self {
            points: grade.points.map(number),
            progress: grade.progress,
            comment: grade.comment.clone(),
            arrived_at: grade.arrived_at,
            time: grade.arrived_at.to_string().replace('T', " ").chars().take(19).chain(" UTC".chars()).collect(),
        }
    }
}

impl Person {
    fn is_teacher(&self) -> bool {
        self.role == Role::Teacher
    }
}

impl Role {
    const fn name(self) -> &'static str {
        match self {
            Self::Teacher => "teacher",
            Self::Student => "student",
        }
    }
}

/// The points of a perfect answer, of all columns of a link; empty where there are none.
fn maximum_of(school: &School, link: &str) -> String {
    school.columns_of(link).next().map_or_else(String::new, |column| number(column.item.score_maximum))
}

/// Points, with two places at most.
fn number(points: f64) -> String {
    ((points * 100.0).round() / 100.0).to_string()
}
