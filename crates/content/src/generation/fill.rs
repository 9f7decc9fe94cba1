//! Fills a resource with what was made: one transaction, after which it is `completed`.
//!
//! Only what the caller left open is filled: a title or description that is there stands, whenever it was written, and
//! so does whatever was said of a test. Whoever gives a resource its items, content or scenes by hand has ended its generation, and nothing comes here.

use engine::{Citation, CourseDraft, QuizDraft, SlideDraft, VideoDraft};
use kernel::id::{CourseId, OrganizationId, VideoId};
use kernel::json::JsonText;
use serde_json::{Map, Value, json};
use store::{StoreError, Tx, sql};

use super::credit::Credit;
use super::made::Made;
use super::parts;
use super::request::Open;
use crate::modules::NewModule;
use crate::modules::copy_to_course::MOST_MODULES;
use crate::resources::Failure;
use crate::tests::PassingValueType;
use crate::{courses, modules, tests, videos};

/// The resource to fill, as the transaction sees it.
pub(super) struct Target<'a> {
    pub(super) organization: OrganizationId,
    pub(super) id: &'a str,
    pub(super) open: &'a Open,
    /// Who made what it is filled with.
    pub(super) credit: &'a Credit,
}

/// Fills the resource, or says what stands against it.
pub(super) fn fill(tx: &mut Tx<'_>, target: &Target<'_>, made: &Made) -> Result<Option<Failure>, StoreError> {
    match made {
        Made::Test(draft) => {
            let obstacle = out_of_reach(tx, target, draft)?;
            if obstacle.is_none() {
                test(tx, target, draft)?;
            }
            return Ok(obstacle);
        }
        Made::Slide(draft) => slide(tx, target, draft)?,
        Made::Course(draft) => return course(tx, target, draft),
        Made::Video(draft) => video(tx, target, draft)?,
    }
    Ok(None)
}

/// A test that nobody can pass is refused when it is edited by hand; it is not generated either.
fn out_of_reach(tx: &mut Tx<'_>, target: &Target<'_>, draft: &QuizDraft) -> Result<Option<Failure>, StoreError> {
    let points = tx.find(
        "SELECT passing_value FROM test WHERE id = $1 AND organization_id = $2 AND passing_value_type = $3",
        &[&target.id, &target.organization, &PassingValueType::Points.word()],
        |row| row.get::<f64>(0),
    )?;
    let scores = tests::total(draft.items.iter().map(|item| item.score));
    Ok(points.filter(|points| *points > scores).map(|points| Failure {
        code: "passing_value_out_of_reach".to_owned(),
        message: format!("It takes {points} points to pass, and the generated items give {scores} together."),
    }))
}

fn test(tx: &mut Tx<'_>, target: &Target<'_>, draft: &QuizDraft) -> Result<(), StoreError> {
    let items = json!(parts::test_items(tx.ambient(), &draft.items)).to_string();
    let metadata = target.metadata(Some(&draft.citations));
    let (now, minutes) = (tx.now(), f64::from(draft.time_limit_minutes));
    sql!(
        "UPDATE test SET status = 'completed', error_code = NULL, error_message = NULL, items = {items},
            name = CASE WHEN open_fields LIKE '%name;%' THEN {draft.name} ELSE name END,
            description = CASE WHEN open_fields LIKE '%description;%' THEN {draft.description} ELSE description END,
            subject = CASE WHEN open_fields LIKE '%subject;%' THEN {draft.subject} ELSE subject END,
            time_limit_minutes = CASE WHEN open_fields LIKE '%timeLimit;%' THEN {minutes} ELSE time_limit_minutes END,
            open_fields = '', metadata = {metadata}, version = version + 1, updated_at = {now}
         WHERE id = {target.id} AND organization_id = {target.organization}"
    )
    .execute_later(tx)
}

fn slide(tx: &mut Tx<'_>, target: &Target<'_>, draft: &SlideDraft) -> Result<(), StoreError> {
    let metadata = target.metadata(Some(&draft.citations));
    let now = tx.now();
    sql!(
        "UPDATE slide SET status = 'completed', error_code = NULL, error_message = NULL, content = {draft.content_html},
            description = CASE WHEN description = '' THEN {draft.description} ELSE description END,
            metadata = {metadata}, version = version + 1, updated_at = {now}
         WHERE id = {target.id} AND organization_id = {target.organization}"
    )
    .execute_later(tx)
}

/// Modules that were copied into the course meanwhile stay in front.
fn course(tx: &mut Tx<'_>, target: &Target<'_>, draft: &CourseDraft) -> Result<Option<Failure>, StoreError> {
    let (organization, classroom) = (target.organization, target.open.classroom);
    let course = typed::<CourseId>(target.id)?;
    let size = courses::size_of(tx, organization, classroom, course)?.unwrap_or(0);
    if size + i64::try_from(draft.modules.len()).unwrap_or(i64::MAX) > MOST_MODULES {
        return Ok(Some(Failure {
            code: "course_full".to_owned(),
            message: format!("A course has at most {MOST_MODULES} modules, and this one has {size} already."),
        }));
    }
    let metadata = target.metadata(None);
    let now = tx.now();
    tx.execute_later(
        "UPDATE course SET status = 'completed', error_code = NULL, error_message = NULL,
            description = CASE WHEN description = '' THEN $3 ELSE description END,
            metadata = $4, version = version + 1, updated_at = $5
         WHERE id = $1 AND organization_id = $2",
        &[&course, &organization, &draft.description, &metadata, &now],
    )?;
    for (sequence, draft) in (size + 1..).zip(&draft.modules) {
        let mut metadata = Map::from_iter([("sources".to_owned(), json!(draft.citations))]);
        target.credit.sign(&mut metadata);
        let module = parts::module(tx.ambient(), (organization, classroom), draft, JsonText::of(&metadata));
        modules::insert(tx, &NewModule { part_of: Some((course, sequence)), ..module })?;
    }
    Ok(None)
}

fn video(tx: &mut Tx<'_>, target: &Target<'_>, draft: &VideoDraft) -> Result<(), StoreError> {
    let video = typed::<VideoId>(target.id)?;
    let metadata = target.metadata(Some(&draft.citations));
    let now = tx.now();
    tx.execute_later(
        "UPDATE video SET status = 'completed', error_code = NULL, error_message = NULL,
            description = CASE WHEN description = '' THEN $3 ELSE description END,
            metadata = $4, version = version + 1, updated_at = $5
         WHERE id = $1 AND organization_id = $2",
        &[&video, &target.organization, &draft.description, &metadata, &now],
    )?;
    let scenes = parts::scenes(tx.ambient(), &draft.scenes);
    videos::scenes::replace(tx, video, &scenes)
}

impl Target<'_> {
    /// The resource's metadata with the generator's name and, of each part, the places that it was made of. What the
    /// caller stores by the same names is the caller's.
    fn metadata(&self, citations: Option<&[Citation]>) -> String {
        let Ok(mut metadata) = serde_json::from_str::<Map<String, Value>>(&self.open.metadata) else {
            return self.open.metadata.clone();
        };
        self.credit.sign(&mut metadata);
        if let Some(citations) = citations {
            metadata.entry("sources").or_insert_with(|| json!(citations));
        }
        json!(metadata).to_string()
    }
}

fn typed<T: std::str::FromStr>(id: &str) -> Result<T, StoreError>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    id.parse().map_err(|error: T::Err| StoreError::Unexpected(Box::new(error)))
}
