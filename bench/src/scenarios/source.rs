//! What is expanded: a request of about 600 bytes, and a level as a teacher would send it.

use serde_json::{Value, json};

use crate::seed::World;

/// The operation that accepts expansions.
pub(crate) const PATH: &str = "/v1/content/integrations/expansions";
/// A payload with one short lesson.
pub(crate) const LESSON: &str = include_str!("lesson.json");
/// A payload with six lessons of different types.
pub(crate) const COURSE: &str = include_str!("course.json");

/// The body of a create request with this payload.
pub(crate) fn body(world: &World, payload: &str) -> String {
    let payload: Value = serde_json::from_str(payload).expect("the payloads are JSON");
    json!({ "classroomId": world.classroom, "payload": payload }).to_string()
}
