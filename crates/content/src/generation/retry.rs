//! `POST /v1/content/classrooms/{classroomId}/{courses|videos|slides|tests}/{id}/retry`: another try of a generation
//! that failed.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::versions::IfMatch;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::enqueue;
use super::generated::Generated;
use crate::courses::Course;
use crate::resources::{self, Keyed, Status};
use crate::slides::Slide;
use crate::tests::Test;
use crate::videos::Video;
use crate::{Content, ContentKey};

const NOT_FAILED: Problem = Problem::Conflict("Only what failed can be retried.");

/// What the path and the headers of a retry hold; a body is not read.
type Request = (Params<(String, String)>, IfMatch, HeaderMap);

/// Generates a course again whose generation failed, from its title and description as they are now.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/courses/{courseId}/retry", tag = "Courses",
    operation_id = "retryCourse", security(("contentKey" = [])),
    params(
        ("If-Match" = Option<String>, Header, description = "The versions of the course that may be retried, or `*`"),
    ),
    responses(
        (status = 202, description = "The course; it is `queued`", body = Course),
        (status = 409, description = "The course did not fail", body = ContentErrorBody),
        (status = 412, description = "The course was changed since", body = ContentErrorBody),
    )
)]
pub async fn course(State(content): State<Content>, key: ContentKey, request: Request) -> Result<Answer, Problem> {
    const ROUTE: &str = "POST /v1/content/classrooms/{classroomId}/courses/{courseId}/retry";
    retry::<Course>(content, key, "courses.retry", ROUTE, request).await
}

/// Generates a video again whose generation failed, from its title and description as they are now.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}/retry", tag = "Videos",
    operation_id = "retryVideo", security(("contentKey" = [])),
    params(
        ("If-Match" = Option<String>, Header, description = "The versions of the video that may be retried, or `*`"),
    ),
    responses(
        (status = 202, description = "The video; it is `queued`", body = Video),
        (status = 409, description = "The video did not fail", body = ContentErrorBody),
        (status = 412, description = "The video was changed since", body = ContentErrorBody),
    )
)]
pub async fn video(State(content): State<Content>, key: ContentKey, request: Request) -> Result<Answer, Problem> {
    const ROUTE: &str = "POST /v1/content/classrooms/{classroomId}/videos/{videoId}/retry";
    retry::<Video>(content, key, "videos.retry", ROUTE, request).await
}

/// Generates a slide again whose generation failed, from its outline as it is now.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/slides/{slideId}/retry", tag = "Slides",
    operation_id = "retrySlide", security(("contentKey" = [])),
    params(
        ("If-Match" = Option<String>, Header, description = "The versions of the slide that may be retried, or `*`"),
    ),
    responses(
        (status = 202, description = "The slide; it is `queued`", body = Slide),
        (status = 409, description = "The slide did not fail", body = ContentErrorBody),
        (status = 412, description = "The slide was changed since", body = ContentErrorBody),
    )
)]
pub async fn slide(State(content): State<Content>, key: ContentKey, request: Request) -> Result<Answer, Problem> {
    const ROUTE: &str = "POST /v1/content/classrooms/{classroomId}/slides/{slideId}/retry";
    retry::<Slide>(content, key, "slides.retry", ROUTE, request).await
}

/// Generates a test again whose generation failed, from its prompts as they are now.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/tests/{testId}/retry", tag = "Tests",
    operation_id = "retryTest", security(("contentKey" = [])),
    params(
        ("If-Match" = Option<String>, Header, description = "The versions of the test that may be retried, or `*`"),
    ),
    responses(
        (status = 202, description = "The test; it is `queued`", body = Test),
        (status = 409, description = "The test did not fail", body = ContentErrorBody),
        (status = 412, description = "The test was changed since", body = ContentErrorBody),
    )
)]
pub async fn test(State(content): State<Content>, key: ContentKey, request: Request) -> Result<Answer, Problem> {
    const ROUTE: &str = "POST /v1/content/classrooms/{classroomId}/tests/{testId}/retry";
    retry::<Test>(content, key, "tests.retry", ROUTE, request).await
}

async fn retry<R: Generated>(
    content: Content,
    key: ContentKey,
    name: &'static str,
    route: &'static str,
    (Params(path), expected, headers): Request,
) -> Result<Answer, Problem> {
    let keyed = Keyed::new(route, &headers, &json!(path), &JsonBody::of(Value::Null));
    let links = content.links.clone();
    resources::post(content, key, name, keyed, expected.read(), move |tx, organization, expected| {
        let found: R = resources::load(tx, &links, organization, &path)?;
        expected.permit(found.version())?;
        let id = found.id();
        let moves = ([Status::Failed; 2], Status::Queued);
        if !R::move_status(tx, organization, &id.to_string(), moves, None)? {
            return Err(NOT_FAILED);
        }
        enqueue::<R>(tx, organization, id)?;
        resources::stored(tx, &links, &found, StatusCode::ACCEPTED)
    })
    .await
}

#[cfg(test)]
mod tests;
