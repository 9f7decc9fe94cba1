//! `POST /v1/content/classrooms/{classroomId}/videos` (content-api section 4).

use edge::answer::Answer;
use edge::body::{At, Body, Check, any_text, integer};
use edge::problem::Problem;
use http::StatusCode;
use kernel::ambient::Ambient;
use kernel::json::JsonText;

use super::scenes::fields::{SceneRequest, made, scenes};
use super::{Video, WantedSeconds};
use crate::generation;
use crate::resources::{self, Create, Place, Status, Visibility, fields};

pub(super) const DEFAULT_ASPECT_RATIO: &str = "16:9";
/// The largest part of an aspect ratio.
const LARGEST_PART: u32 = 100;
/// The longest video that can be wanted, in seconds: that of as many of the longest scenes as a video can have.
pub(super) const LONGEST_SECONDS: i64 = 7_200_000;

/// A video to create.
#[derive(Body)]
#[body(rule = have_one_origin(scenes, generate))]
pub struct CreateVideoRequest {
    /// What it is called: 1 to 255 characters.
    #[field(fields::title(), example = "The cell in one minute")]
    title: String,
    /// What it is about, and what a generated video tells.
    #[field(fields::description(), default)]
    description: String,
    /// `PRIVATE` when it is absent.
    #[field(default = Visibility::Private)]
    visibility: Visibility,
    /// A language tag; the classroom's language when it is absent.
    #[field(fields::language(), example = "en")]
    language: Option<String>,
    /// Width and height, each from 1 to 100; `16:9` when it is absent.
    #[field(aspect_ratio(), default = DEFAULT_ASPECT_RATIO.to_owned(), example = "16:9")]
    aspect_ratio: String,
    /// How long it is meant to be, 1 to 7200000; as long as its scenes when it is absent.
    #[field(integer(1..=LONGEST_SECONDS))]
    target_duration_seconds: Option<i64>,
    /// Its scenes; none when they are absent.
    #[field(scenes(), default)]
    scenes: Vec<SceneRequest>,
    /// Whether its scenes are to be generated from title, description and the classroom's modules; false when it is
    /// absent.
    #[field(default)]
    generate: bool,
    /// Whatever the caller wants to keep with it.
    #[field(fields::metadata(), default = JsonText::empty_object())]
    metadata: JsonText,
}

/// Creates a video in a classroom: without scenes, with the given ones, or with scenes that are generated.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/videos", tag = "Videos",
    operation_id = "createVideo", security(("contentKey" = [])), request_body = CreateVideoRequest,
    responses((status = 201, description = "The video; `queued` when it is to be generated", body = Video))
)]
pub async fn create(request: Create) -> Result<Answer, Problem> {
    resources::create(request, "videos.create", StatusCode::CREATED, |tx, place, request: &CreateVideoRequest| {
        let new = request.video(tx.ambient(), place);
        super::insert(tx, &new)?;
        if request.generate {
            generation::enqueue::<Video>(tx, place.organization, new.id)?;
        }
        Ok(new)
    })
    .await
}

/// The rule of a new video: its scenes are given, or generated.
fn have_one_origin(at: &mut At<'_>, scenes: &[SceneRequest], generate: &bool) {
    if *generate && !scenes.is_empty() {
        at.member("scenes").refuse::<()>("must be absent where they are to be generated");
    }
}

/// Two whole numbers, such as `16:9`.
pub(super) fn aspect_ratio() -> impl Check<Value = String> {
    let is_part = |part: &str| {
        !part.starts_with('0')
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse().is_ok_and(|part: u32| part <= LARGEST_PART)
    };
    any_text().pattern("^([1-9][0-9]?|100):([1-9][0-9]?|100)$").parsed(move |text| match text.split_once(':') {
        Some((width, height)) if is_part(width) && is_part(height) => Ok(text),
        _ => Err(format!("must be two numbers from 1 to {LARGEST_PART} such as {DEFAULT_ASPECT_RATIO}")),
    })
}

impl CreateVideoRequest {
    fn video(&self, ambient: &Ambient, place: &Place) -> Video {
        let language = place.language(self.language.as_ref());
        Video {
            description: self.description.clone(),
            status: if self.generate { Status::Queued } else { Status::Completed },
            visibility: self.visibility,
            aspect_ratio: self.aspect_ratio.clone(),
            wanted_duration_seconds: WantedSeconds(self.target_duration_seconds),
            scenes: made(&self.scenes, ambient),
            metadata: self.metadata.clone(),
            ..Video::new(ambient, place.ids(), self.title.clone(), language)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn a_title_is_enough(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let french = app.classroom(&tenant, "Français 3", "fr").await;
        let path = format!("/v1/content/classrooms/{}/videos", french.id);
        let made = app.post(&path).key(&tenant.key).json(&json!({ "title": "La cellule" })).send().await.expect(201);
        assert_eq!(
            made,
            json!({
                "id": made["id"], "classroomId": french.id, "title": "La cellule", "slug": "la-cellule", "description": "",
                "status": "completed", "error": null, "visibility": "PRIVATE", "language": "fr", "aspectRatio": "16:9",
                "targetDurationSeconds": 0, "scenes": [], "metadata": {}, "publicUrl": null,
                "previewUrl": made["previewUrl"], "version": 1, "createdAt": "2026-01-02T03:04:05.000Z",
                "updatedAt": "2026-01-02T03:04:05.000Z",
            })
        );
        assert_eq!(app.count("SELECT count(*) FROM job").await, 0);
    }

    #[both_stores]
    async fn what_is_given_is_kept(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let body = json!({
            "title": "The cell", "description": "About\ncells.", "visibility": "PUBLIC", "language": "pt-BR",
            "aspectRatio": "9:16", "targetDurationSeconds": 90, "metadata": { "z": 1, "externalId": "v-1", "a": [null] },
            "unknown": true, "status": "failed", "generate": false,
        });
        let made = app.make(&tenant, "videos", &body).await;
        for field in
            ["title", "description", "visibility", "language", "aspectRatio", "targetDurationSeconds", "metadata"]
        {
            assert_eq!(made[field], body[field], "{field}");
        }
        assert_eq!(
            (&made["status"], made["metadata"].to_string()),
            (&json!("completed"), body["metadata"].to_string())
        );
        let id = made["id"].as_str().unwrap();
        assert_eq!(made["publicUrl"], format!("https://lectern.example/public/videos/{id}"));
        assert!(
            made["previewUrl"].as_str().unwrap().starts_with(&format!("https://lectern.example/preview/videos/{id}/"))
        );
        let read = app.get(&tenant.resources(&format!("videos/{id}"))).key(&tenant.key).send().await.expect(200);
        assert_eq!(read, made);
    }

    #[both_stores]
    async fn scenes_come_in_their_order_with_ids_of_their_own(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let given = json!([
            { "script": "a", "displayText": "A", "duration": 1.5 }, { "script": "b", "id": "anything" }, {},
        ]);
        let made = app.make(&tenant, "videos", &json!({ "title": "Cells", "scenes": given })).await;
        let scene = |n: usize, script: &str, text: &str, duration: f64| {
            json!({
                "id": made["scenes"][n]["id"], "sequence": n + 1, "script": script, "displayText": text, "duration": duration,
            })
        };
        assert_eq!(made["scenes"], json!([scene(0, "a", "A", 1.5), scene(1, "b", "", 5.0), scene(2, "", "", 5.0)]));
        assert_eq!(made["targetDurationSeconds"], 12);
        assert_ne!(made["scenes"][1]["id"], "anything");
        let copied = app.make(&tenant, "videos", &made).await;
        assert_ne!(copied["scenes"][0]["id"], made["scenes"][0]["id"]);
        assert_eq!(copied["scenes"].as_array().map(Vec::len), Some(3));
        let turned = json!([{ "script": "b", "sequence": 7 }, { "script": "a", "sequence": 2 }]);
        let turned = app.make(&tenant, "videos", &json!({ "title": "Cells", "scenes": turned })).await;
        assert_eq!((&turned["scenes"][0]["script"], &turned["scenes"][0]["sequence"]), (&json!("a"), &json!(1)));
    }

    #[both_stores]
    async fn every_wrong_field_is_named_at_once(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let path = tenant.resources("videos");
        let before = app.stored().await;
        let fields = [
            "title",
            "description",
            "visibility",
            "language",
            "aspectRatio",
            "targetDurationSeconds",
            "scenes",
            "generate",
            "metadata",
        ];
        for wrong in [json!(-7), json!(1e300), json!("\u{1}")] {
            let body: serde_json::Map<_, _> = fields.iter().map(|field| ((*field).to_owned(), wrong.clone())).collect();
            let faults = app.post(&path).key(&tenant.key).json(&body.into()).send().await.faults();
            let expected: Vec<_> =
                fields.into_iter().filter(|field| wrong.is_number() || *field != "description").collect();
            assert_eq!(faults, expected, "{wrong}");
        }
        for (body, faults) in [
            (json!({}), vec!["title"]),
            (json!({ "title": "x".repeat(256), "description": "x".repeat(5_001) }), vec!["title", "description"]),
            (json!({ "title": "a", "visibility": "public" }), vec!["visibility"]),
            (json!({ "title": "a", "targetDurationSeconds": 0 }), vec!["targetDurationSeconds"]),
            (json!({ "title": "a", "targetDurationSeconds": 1.5 }), vec!["targetDurationSeconds"]),
            (
                json!({ "title": "a", "scenes": [{ "duration": 0 }, 7, { "script": 1, "sequence": -1 }] }),
                vec!["scenes[0].duration", "scenes[1]", "scenes[2].sequence", "scenes[2].script", "scenes[0].sequence"],
            ),
            (json!({ "title": "a", "scenes": [{ "sequence": 1 }, { "sequence": 1.0 }] }), vec!["scenes[1].sequence"]),
            (json!({ "title": "a", "scenes": vec![json!({}); 2_001] }), vec!["scenes"]),
            (json!({ "title": "a", "scenes": [{}], "generate": true }), vec!["scenes"]),
        ] {
            assert_eq!(app.post(&path).key(&tenant.key).json(&body).send().await.faults(), faults);
        }
        for wrong in [
            "",
            ":",
            "16",
            "16:",
            ":9",
            "0:9",
            "16:0",
            "016:9",
            "16:9:1",
            "101:1",
            "-1:1",
            "1.5:1",
            "+1:1",
            " 1:1",
            "a:b",
            "\u{661}:1",
        ] {
            let body = json!({ "title": "a", "aspectRatio": wrong });
            assert_eq!(
                app.post(&path).key(&tenant.key).json(&body).send().await.faults(),
                ["aspectRatio"],
                "{wrong:?}"
            );
        }
        for text in
            ["{\"title\":\"\\u0000\"}", "{\"title\":\"\\ud800\"}", "{\"title\":\"a\",\"targetDurationSeconds\":1e999}"]
        {
            app.post(&path).key(&tenant.key).raw("application/json", text).send().await.expect(400);
        }
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn a_video_to_be_generated_is_queued_with_its_job(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let body = json!({ "title": "The cell", "description": "What cells are.", "generate": true, "scenes": [] });
        let made = app.make(&tenant, "videos", &body).await;
        assert_eq!((&made["status"], &made["error"], &made["scenes"]), (&json!("queued"), &json!(null), &json!([])));
        let queued = app
            .read(|tx| {
                tx.query("SELECT kind, payload FROM job", &[], |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)))
            })
            .await;
        let [(kind, payload)] = &queued[..] else { panic!("{queued:?}") };
        assert_eq!(kind, "GenerateResource");
        assert!(payload.contains(made["id"].as_str().unwrap()));
    }
}
