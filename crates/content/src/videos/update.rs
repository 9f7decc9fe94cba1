//! `PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}` (content-api section 4).

use edge::answer::Answer;
use edge::body::{At, Body, Check, integer, judged};
use edge::problem::Problem;
use http::StatusCode;
use kernel::json::JsonText;
use serde_json::Value;
use store::{KeyedRecord as _, Tx};

use super::create::{LONGEST_SECONDS, aspect_ratio};
use super::scenes::fields::{SceneRequest, replaced, scenes};
use super::scenes::replace;
use super::{Video, WantedSeconds};
use crate::links::Links;
use crate::resources::{self, Status, Update, Visibility, fields};

/// What to change of a video; what is absent stays.
#[derive(Body)]
#[body(changes = Video)]
pub struct UpdateVideoRequest {
    /// What it is called: 1 to 255 characters.
    #[field(fields::title())]
    title: Option<String>,
    /// What it is about; null clears it.
    #[field(fields::description(), null = "")]
    description: Option<String>,
    /// Whether anybody may open its public page.
    visibility: Option<Visibility>,
    /// A language tag.
    #[field(fields::stored_language())]
    language: Option<String>,
    /// Width and height, each from 1 to 100.
    #[field(aspect_ratio(), example = "16:9")]
    aspect_ratio: Option<String>,
    /// How long it is meant to be, up to 7200000; with null or 0 it is as long as its scenes.
    #[field(seconds_or_none(), null = 0, apart)]
    target_duration_seconds: Option<i64>,
    /// All scenes: those that are not among them are gone. One with the `id` of a scene is that scene, and what is
    /// absent of it stays; one without is new.
    #[field(scenes(), apart)]
    scenes: Option<Vec<SceneRequest>>,
    /// All metadata: members that are not among them are gone; null clears it.
    #[field(fields::metadata(), null = JsonText::empty_object())]
    metadata: Option<JsonText>,
}

/// Changes a video. Who gives it scenes ends its generation: it is `completed`.
#[utoipa::path(
    patch, path = "/v1/content/classrooms/{classroomId}/videos/{videoId}", tag = "Videos",
    operation_id = "updateVideo", security(("contentKey" = [])), request_body = UpdateVideoRequest,
    responses((status = 200, description = "The changed video", body = Video))
)]
pub async fn update(request: Update) -> Result<Answer, Problem> {
    let change = |tx: &mut Tx<'_>, links: &Links, mut video: Video, changes: &UpdateVideoRequest| {
        changes.carry_out(tx, &mut video)?;
        resources::stored(tx, links, &video, StatusCode::OK)
    };
    resources::update(request, "videos.update", change).await
}

/// A length, or 0 for none.
fn seconds_or_none() -> impl Check<Value = i64> {
    let seconds = integer(1..=LONGEST_SECONDS);
    let read = move |value: &Value, at: &mut At<'_>| if value == 0 { Some(0) } else { seconds.read(value, at) };
    judged(read).shown_like(integer(0..=LONGEST_SECONDS))
}

impl UpdateVideoRequest {
    fn carry_out(&self, tx: &mut Tx<'_>, video: &mut Video) -> Result<(), Problem> {
        self.apply(video);
        // Who sends a video back as it was shown wants no other length than its scenes have.
        let is_as_shown = self.target_duration_seconds == Some(video.target_duration_seconds);
        if let Some(wanted) = self.target_duration_seconds
            && (video.wanted_duration_seconds.0.is_some() || !is_as_shown)
        {
            video.wanted_duration_seconds = WantedSeconds(Some(wanted).filter(|seconds| *seconds > 0));
        }
        let Some(given) = &self.scenes else {
            return Ok(video.update(tx)?);
        };
        let scenes = replaced(&video.scenes, given, tx.ambient())?;
        if !scenes.is_empty() {
            (video.status, video.error) = (Status::Completed, None);
        }
        video.update(tx)?;
        Ok(replace(tx, video.id, &scenes)?)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Tenant};

    /// A video with something in every field; its path and what it is.
    async fn full(app: &App, tenant: &Tenant) -> (String, Value) {
        let body = json!({
            "title": "The cell", "description": "About cells.", "visibility": "PUBLIC", "language": "fr", "aspectRatio": "4:3",
            "targetDurationSeconds": 60, "metadata": { "externalId": "a" },
            "scenes": [{ "script": "a", "displayText": "A", "duration": 2 }, { "script": "b" }, { "script": "c" }],
        });
        let made = app.make(tenant, "videos", &body).await;
        (tenant.resources(&format!("videos/{}", made["id"].as_str().unwrap())), made)
    }

    #[both_stores]
    async fn a_change_of_a_field_leaves_the_others_alone(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, mut expected) = full(&app, &tenant).await;
        let changes = [
            json!({ "title": "Cells" }),
            json!({ "description": "More." }),
            json!({ "visibility": "PRIVATE" }),
            json!({ "language": "en" }),
            json!({ "aspectRatio": "1:1" }),
            json!({ "targetDurationSeconds": 1 }),
            json!({ "metadata": { "b": 1 } }),
            json!({ "scenes": [] }),
            json!({ "title": "Both", "language": "de", "unknown": 1, "status": "failed", "slug": "x", "version": 9 }),
        ];
        for (version, change) in (2..).zip(&changes) {
            app.test.clock.advance(std::time::Duration::from_secs(1));
            let reply = app.patch(&path).key(&tenant.key).json(change).send().await;
            for (field, value) in change.as_object().unwrap() {
                if !["unknown", "status", "slug", "version"].contains(&field.as_str()) {
                    expected[field] = value.clone();
                }
            }
            let changed = reply.expect(200);
            expected["version"] = json!(version);
            for given in ["updatedAt", "publicUrl"] {
                expected[given] = changed[given].clone();
            }
            assert_eq!(changed, expected, "{change}");
            assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200), changed);
        }
    }

    #[both_stores]
    async fn null_clears_what_can_be_cleared_and_nothing_else(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, made) = full(&app, &tenant).await;
        let patch = async |body: Value| app.patch(&path).key(&tenant.key).json(&body).send().await;
        for field in ["title", "visibility", "language", "aspectRatio", "scenes"] {
            assert_eq!(patch(json!({ field: null, "description": "x" })).await.faults(), [field]);
        }
        for empty in [json!({}), json!({ "unknown": 1 }), json!({ "id": "x", "status": "queued", "generate": true })] {
            assert_eq!(patch(empty.clone()).await.faults(), [""], "{empty}");
        }
        assert_eq!(app.get(&path).key(&tenant.key).send().await.json(), made);
        let cleared =
            patch(json!({ "description": null, "metadata": null, "targetDurationSeconds": null })).await.expect(200);
        assert_eq!((&cleared["description"], &cleared["metadata"]), (&json!(""), &json!({})));
        assert_eq!(cleared["targetDurationSeconds"], 12);
    }

    #[both_stores]
    async fn all_scenes_at_once_keep_those_that_are_named(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let (path, made) = full(&app, &tenant).await;
        let patch =
            async |scenes: Value| app.patch(&path).key(&tenant.key).json(&json!({ "scenes": scenes })).send().await;
        let id = |n: usize| made["scenes"][n]["id"].clone();
        let changed =
            patch(json!([{ "id": id(2), "script": "C" }, { "script": "new" }, { "id": id(0), "duration": 4 }]))
                .await
                .expect(200);
        assert_eq!(
            changed["scenes"],
            json!([
                { "id": id(2), "sequence": 1, "script": "C", "displayText": "", "duration": 5.0 },
                { "id": changed["scenes"][1]["id"], "sequence": 2, "script": "new", "displayText": "", "duration": 5.0 },
                { "id": id(0), "sequence": 3, "script": "a", "displayText": "A", "duration": 4.0 },
            ])
        );
        let again = patch(changed["scenes"].clone()).await.expect(200);
        assert_eq!(again["scenes"], changed["scenes"], "what was read can be sent back");
        let mut turned = changed["scenes"].clone();
        (turned[0]["sequence"], turned[2]["sequence"]) = (json!(3), json!(1));
        assert_eq!(patch(turned).await.expect(200)["scenes"][0]["id"], id(0), "sequences tell the order");
        let before = app.stored().await;
        let gone = patch(
            json!([{ "sequence": 2, "id": "x" }, { "sequence": 3, "id": id(2) }, { "sequence": 1, "id": id(1) }]),
        )
        .await;
        assert_eq!(gone.faults(), ["scenes[2].id", "scenes[0].id"]);
        assert_eq!(patch(json!([{ "id": id(0) }, { "id": id(0) }])).await.faults(), ["scenes[1].id"]);
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn who_gives_a_video_scenes_ends_its_generation(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let made = app.make(&tenant, "videos", &json!({ "title": "Cells", "generate": true })).await;
        let path = tenant.resources(&format!("videos/{}", made["id"].as_str().unwrap()));
        let patch = async |body: Value| app.patch(&path).key(&tenant.key).json(&body).send().await.expect(200);
        assert_eq!(patch(json!({ "title": "The cell", "scenes": [] })).await["status"], "queued");
        let given = patch(json!({ "scenes": [{ "script": "By hand." }] })).await;
        assert_eq!((&given["status"], &given["scenes"][0]["script"]), (&json!("completed"), &json!("By hand.")));
    }
}
