//! What the generator is asked for: read from the row of the resource, as it stands.

use engine::{CourseRequest, SlideRequest, SourceModule, TestRequest, VideoRequest};
use kernel::id::{ClassroomId, OrganizationId};
use store::{Row, StoreError, Tx};

use crate::resources::{Kind, Status};

/// A request, with or without material from the classroom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Test(TestRequest),
    Slide(SlideRequest),
    Course(CourseRequest),
    Video(VideoRequest),
}

/// A resource that is to be generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub(super) classroom: ClassroomId,
    /// Whether a worker took it up before.
    pub(super) is_processing: bool,
    /// As stored.
    pub(super) metadata: String,
    /// Without material.
    pub(super) request: Request,
}

impl Request {
    /// The prompts' text: what the material is chosen by.
    pub(super) fn topic(&self) -> String {
        match self {
            Self::Test(request) => [request.topic_prompt.as_str(), &request.target_prompt].join("\n"),
            Self::Slide(request) => [request.title.as_str(), &request.description, &request.outline].join("\n"),
            Self::Course(request) => [request.title.as_str(), &request.description].join("\n"),
            Self::Video(request) => [request.title.as_str(), &request.description].join("\n"),
        }
    }

    pub(super) fn language(&self) -> &str {
        match self {
            Self::Test(request) => &request.language,
            Self::Slide(request) => &request.language,
            Self::Course(request) => &request.language,
            Self::Video(request) => &request.language,
        }
    }

    pub(super) fn with_material(self, material: Vec<SourceModule>) -> Self {
        match self {
            Self::Test(request) => Self::Test(TestRequest { material, ..request }),
            Self::Slide(request) => Self::Slide(SlideRequest { material, ..request }),
            Self::Course(request) => Self::Course(CourseRequest { material, ..request }),
            Self::Video(request) => Self::Video(VideoRequest { material, ..request }),
        }
    }
}

/// Reads what a row asks for.
type Read = fn(&Row<'_>) -> Result<Request, StoreError>;

/// Finds a resource that waits for its generation: `None` when it is gone, or whole, or given up.
pub(super) fn find_open(
    tx: &mut Tx<'_>,
    kind: Kind,
    organization: OrganizationId,
    id: &str,
) -> Result<Option<Open>, StoreError> {
    let (sql, read): (_, Read) = match kind {
        Kind::Test => (
            "SELECT classroom_id, status, metadata, language, coalesce(topic_prompt, ''), coalesce(target_prompt, ''),
                level
             FROM test WHERE id = $1 AND organization_id = $2",
            test,
        ),
        Kind::Slide => (
            "SELECT classroom_id, status, metadata, language, title, description, coalesce(outline, '')
             FROM slide WHERE id = $1 AND organization_id = $2",
            slide,
        ),
        Kind::Course => (
            "SELECT classroom_id, status, metadata, language, title, description, coalesce(level, '')
             FROM course WHERE id = $1 AND organization_id = $2",
            course,
        ),
        Kind::Video => (
            "SELECT classroom_id, status, metadata, language, title, description
             FROM video WHERE id = $1 AND organization_id = $2",
            video,
        ),
        Kind::Module => return Ok(None),
    };
    let found = tx.find(sql, &[&id, &organization], |row| {
        let is_processing = match row.get(1)? {
            Status::Queued => false,
            Status::Processing => true,
            Status::Completed | Status::Failed => return Ok(None),
        };
        let (classroom, metadata) = (row.get(0)?, row.get(2)?);
        Ok(Some(Open { classroom, is_processing, metadata, request: read(row)? }))
    });
    Ok(found?.flatten())
}

fn test(row: &Row<'_>) -> Result<Request, StoreError> {
    Ok(Request::Test(TestRequest {
        topic_prompt: row.get(4)?,
        target_prompt: row.get(5)?,
        level: row.get(6)?,
        language: row.get(3)?,
        material: Vec::new(),
    }))
}

fn slide(row: &Row<'_>) -> Result<Request, StoreError> {
    Ok(Request::Slide(SlideRequest {
        title: row.get(4)?,
        description: row.get(5)?,
        outline: row.get(6)?,
        language: row.get(3)?,
        material: Vec::new(),
    }))
}

fn course(row: &Row<'_>) -> Result<Request, StoreError> {
    Ok(Request::Course(CourseRequest {
        title: row.get(4)?,
        description: row.get(5)?,
        level: row.get(6)?,
        language: row.get(3)?,
        material: Vec::new(),
    }))
}

fn video(row: &Row<'_>) -> Result<Request, StoreError> {
    Ok(Request::Video(VideoRequest {
        title: row.get(4)?,
        description: row.get(5)?,
        language: row.get(3)?,
        material: Vec::new(),
    }))
}
