//! The review of a video, from its edit link to the files that were rendered.

use content::classrooms;
use content::videos::renderings::{Renderings, VideoFile};
use kernel::id::{FileId, ModuleId, OrganizationId, SceneId, VideoId};
use serde_json::{Value, json};
use store::{Tx, sql};
use testkit::{TestStore, both_stores};

use crate::testing::{App, Reply};

const FILM: &str = "the bytes of a film";
/// The text of the module beside every video.
const LESSON: &str = "The nucleus of a cell keeps the DNA. Ribosomes build the proteins of a cell.";

/// Stores a video with two scenes and what was rendered of its first version; its edit token.
pub(crate) async fn store_rendered_video(app: &App, organization: OrganizationId) -> String {
    let token = store_video(app, organization).await;
    let video = app.platform.content.links.edited_video(&token).unwrap();
    let (file, poster): (FileId, FileId) = (app.test.ambient.id(), app.test.ambient.id());
    let insert = move |tx: &mut Tx<'_>| {
        let (captions, chapters) = ("WEBVTT\n", r#"[{"title":"Cells","startMs":0}]"#);
        sql!(
            "INSERT INTO video_file (video_id, organization_id, file_id, poster_id, video_version, width, height, duration_ms,
                size_bytes, burns_captions, captions, transcript, chapters, rendered_at)
             VALUES ({video}, {organization}, {file}, {poster}, 1, 1280, 720, 4000, 19, 0, {captions}, 'One. Two.', {chapters}, 0)"
        )
        .execute(tx)?;
        VideoFile::find(tx, video)
    };
    let file = app.test.store.write("test", insert).await.unwrap().unwrap();
    app.platform.files.store.put(file.key(), FILM.into()).await.unwrap();
    app.platform.files.store.put(file.poster_key(), "a picture".into()).await.unwrap();
    token
}

/// Stores a video with two scenes beside a module; its edit token.
async fn store_video(app: &App, organization: OrganizationId) -> String {
    let (video, ambient): (VideoId, _) = (app.test.ambient.id(), app.test.ambient.clone());
    let insert = move |tx: &mut Tx<'_>| {
        let (name, metadata) = (format!("Class {video}"), "{}");
        let classroom = classrooms::create::create(tx, &ambient, organization, &name, "en")?.id;
        sql!(
            "INSERT INTO video (id, organization_id, classroom_id, title, slug, description, status, visibility, language,
                aspect_ratio, target_duration_seconds, metadata, created_at, updated_at)
             VALUES ({video}, {organization}, {classroom}, 'Cells', 'cells', '', 'completed', 'PRIVATE', 'en', '16:9', 0,
                {metadata}, 0, 0)"
        )
        .execute(tx)?;
        let (module, content) = (ambient.id::<ModuleId>(), format!("<p>{LESSON}</p>"));
        sql!(
            "INSERT INTO module (id, organization_id, classroom_id, title, slug, description, type, status, language, is_public,
                content, quizzes, metadata, created_at, updated_at)
             VALUES ({module}, {organization}, {classroom}, 'Cells', 'cells', '', 'interactive', 'completed', 'en', 0,
                {content}, '[]', {metadata}, 0, 0)"
        )
        .execute(tx)?;
        for (sequence, script) in [(1_i64, "One."), (2, "Two.")] {
            let scene: SceneId = ambient.id();
            sql!(
                "INSERT INTO scene (id, video_id, sequence, script, display_text, duration_seconds)
                 VALUES ({scene}, {video}, {sequence}, {script}, '', 5.0)"
            )
            .execute(tx)?;
        }
        Ok::<_, store::StoreError>(())
    };
    app.test.store.write("test", insert).await.unwrap();
    app.platform.content.links.edit_token(video)
}

fn path(token: &str) -> String {
    format!("/v1/platform/videos/edit/{token}")
}

/// A video that was never rendered: its path, and the video as its reviewer sees it.
async fn unrendered(app: &App) -> (String, Value) {
    let organization = app.organization("riverside").await;
    let path = path(&store_video(app, organization).await);
    let review = app.get(&path).send().await.expect(200);
    (path, review)
}

/// A video that was rendered: its path.
async fn rendered(app: &App) -> String {
    let organization = app.organization("riverside").await;
    path(&store_rendered_video(app, organization).await)
}

#[both_stores]
async fn the_link_shows_the_scenes_and_that_nothing_was_rendered(test: TestStore) {
    let app = App::new(test);
    let (path, review) = unrendered(&app).await;
    assert_eq!((&review["renderStatus"], &review["videoKey"]), (&json!("idle"), &json!(null)));
    for absent in ["error", "rendering", "file"] {
        assert_eq!(review[absent], json!(null), "{absent}");
    }
    let scripts: Vec<_> = review["scenes"].as_array().unwrap().iter().map(|scene| scene["script"].clone()).collect();
    assert_eq!((scripts, &review["version"]), (vec![json!("One."), json!("Two.")], &json!(1)));
    assert_eq!(app.get(&path).send().await.header("etag"), "\"1\"");
}

#[both_stores]
async fn a_render_request_is_202_and_waits_for_its_turn(test: TestStore) {
    let app = App::new(test);
    let (path, _) = unrendered(&app).await;
    let render = format!("{path}/render");
    let asked = app.post(&render).send().await.expect(202);
    assert_eq!((&asked["renderStatus"], &asked["videoKey"]), (&json!("queued"), &json!(null)));
    assert_eq!(
        (&asked["rendering"]["resolution"], &asked["rendering"]["burnCaptions"]),
        (&json!("720p"), &json!(false))
    );
    assert_eq!((&asked["rendering"]["scenes"], &asked["rendering"]["scenesDone"]), (&json!(2), &json!(0)));
    let wanted = json!({ "resolution": "1080p", "burnCaptions": true });
    let replaced = app.post(&render).json(&wanted).send().await.expect(202);
    assert_eq!(
        (&replaced["rendering"]["resolution"], &replaced["rendering"]["burnCaptions"]),
        (&json!("1080p"), &json!(true))
    );
    let shown = app.get(&path).send().await.expect(200);
    for member in ["renderStatus", "videoKey", "rendering", "file", "error"] {
        assert_eq!(shown[member], replaced[member], "{member}");
    }
    for (wrong, fault) in
        [(json!({ "resolution": "4k" }), "resolution"), (json!({ "burnCaptions": 1 }), "burnCaptions")]
    {
        assert_eq!(app.post(&render).json(&wrong).send().await.faults(), [fault]);
    }
    let cancelled = app.delete(&render).send().await.expect(200);
    assert_eq!((&cancelled["renderStatus"], &cancelled["rendering"]), (&json!("idle"), &json!(null)));
    app.delete(&render).send().await.expect(200);
}

#[both_stores]
async fn a_video_that_is_generated_or_empty_is_not_rendered(test: TestStore) {
    let app = App::new(test);
    let (path, _) = unrendered(&app).await;
    for change in ["UPDATE video SET status = 'processing'", "DELETE FROM scene"] {
        app.test.store.write("test", move |tx| tx.execute(change, &[])).await.unwrap();
        app.post(&format!("{path}/render")).send().await.expect(409);
    }
    app.patch(&path).json(&json!({ "title": "x" })).send().await.expect(409);
}

#[both_stores]
async fn a_file_is_fetched_whole_and_in_ranges_while_it_is_rendered_again(test: TestStore) {
    let app = App::new(test);
    let path = rendered(&app).await;
    app.post(&format!("{path}/render")).send().await.expect(202);
    let review = app.get(&path).send().await.expect(200);
    let file = &review["file"];
    assert_eq!((&review["renderStatus"], &file["isOutdated"]), (&json!("queued"), &json!(false)));
    assert!(review["videoKey"].as_str().unwrap().starts_with("renderings/"), "{review}");
    let fetch = async |member: &str, range: Option<&str>| -> Reply {
        let url = file[member].as_str().unwrap().strip_prefix("https://lectern.example").unwrap().to_owned();
        let call = app.get(&url);
        match range {
            Some(range) => call.header("range", range).send().await,
            None => call.send().await,
        }
    };
    for (member, media_type, body) in [
        ("videoUrl", "video/mp4", FILM),
        ("posterUrl", "image/png", "a picture"),
        ("captionsUrl", "text/vtt; charset=utf-8", "WEBVTT\n"),
        ("transcriptUrl", "text/plain; charset=utf-8", "One. Two."),
    ] {
        let reply = fetch(member, None).await;
        assert_eq!((reply.status.as_u16(), reply.body.as_str()), (200, body), "{member}");
        assert_eq!(reply.header("content-type"), media_type);
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
    }
    let part = fetch("videoUrl", Some("bytes=4-8")).await;
    assert_eq!((part.status.as_u16(), part.body.as_str()), (206, &FILM[4..9]));
    assert_eq!(part.header("content-range"), format!("bytes 4-8/{}", FILM.len()));
    assert_eq!(fetch("videoUrl", Some("bytes=99-")).await.status.as_u16(), 416);
    app.get(&format!("{path}/files/video.exe")).send().await.expect(404);
}

#[both_stores]
async fn an_edited_video_says_that_its_file_is_outdated(test: TestStore) {
    let app = App::new(test);
    let path = rendered(&app).await;
    let edited = app.patch(&path).json(&json!({ "title": "Plant cells", "description": "" })).send().await.expect(200);
    assert_eq!(
        (&edited["title"], &edited["version"], &edited["file"]["isOutdated"]),
        (&json!("Plant cells"), &json!(2), &json!(true))
    );
    assert_eq!(edited["renderStatus"], "completed");
}

#[both_stores]
async fn scenes_are_reordered_edited_added_and_removed_in_one_change(test: TestStore) {
    let app = App::new(test);
    let (path, review) = unrendered(&app).await;
    let (one, two) = (&review["scenes"][0], &review["scenes"][1]);
    let scenes = json!([
        { "id": two["id"], "displayText": "2" },
        { "id": one["id"], "script": "A much longer script, which takes a reader more than five seconds to say out loud, however fast that reader is.", "duration": 5.0 },
        { "script": "New.", "duration": 7 },
    ]);
    let edited = app.patch(&path).json(&json!({ "scenes": scenes })).send().await.expect(200);
    let shown = edited["scenes"].as_array().unwrap();
    assert_eq!(
        (&shown[0]["id"], &shown[0]["script"], &shown[0]["displayText"]),
        (&two["id"], &two["script"], &json!("2"))
    );
    assert_eq!((&shown[0]["duration"], &shown[2]["duration"]), (&json!(5.0), &json!(7.0)));
    assert!(shown[1]["duration"].as_f64().unwrap() > 5.0, "the duration follows the script: {}", shown[1]);
    let removed = app.patch(&path).json(&json!({ "scenes": [{ "id": one["id"] }] })).send().await.expect(200);
    assert_eq!(removed["scenes"].as_array().unwrap().len(), 1);
    let foreign = json!({ "scenes": [{ "id": "01a00000-0000-7000-8000-000000000000" }] });
    assert_eq!(app.patch(&path).json(&foreign).send().await.faults(), ["scenes[0].id"]);
    app.patch(&path).json(&json!({ "visibility": "PUBLIC" })).send().await.expect(400);
}

#[both_stores]
async fn of_two_editors_at_once_the_second_is_told(test: TestStore) {
    let app = App::new(test);
    let (path, _) = unrendered(&app).await;
    let edit = async |title: &str| {
        app.patch(&path).header("if-match", "\"1\"").json(&json!({ "title": title })).send().await.status.as_u16()
    };
    assert_eq!((edit("Mine").await, edit("Yours").await), (200, 412));
    assert_eq!(app.get(&path).send().await.expect(200)["title"], "Mine");
}

#[both_stores]
async fn foreign_tokens_open_nothing(test: TestStore) {
    let app = App::new(test);
    let path = rendered(&app).await;
    let scene = app.get(&path).send().await.expect(200)["scenes"][0].take();
    let (video, tag) = path.rsplit('/').next().unwrap().split_once('.').unwrap();
    let before = app.stored().await;
    let unknown = app.platform.content.links.edit_token("01a00000-0000-7000-8000-000000000000".parse().unwrap());
    for token in
        [unknown, video.to_owned(), format!("{video}.{}A", &tag[1..]), format!("{video}."), "x".into(), "%00".into()]
    {
        let path = self::path(&token);
        let (render, file) = (format!("{path}/render"), format!("{path}/files/video.mp4"));
        let drafts = format!("{path}/part-drafts");
        for call in [
            app.get(&path),
            app.patch(&path).json(&json!({ "title": "x" })),
            app.post(&drafts).json(&json!({ "place": 0 })),
            app.post(&render),
            app.delete(&render),
            app.get(&file),
            app.get(&format!("{path}/scenes/{}/picture", scene["id"].as_str().unwrap())),
        ] {
            call.send().await.expect(404);
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn another_version_of_a_scene_is_drafted_by_link_and_nothing_is_stored(test: TestStore) {
    let app = App::new(test);
    let (path, review) = unrendered(&app).await;
    let (drafts, before) = (format!("{path}/part-drafts"), app.stored().await);
    let said = json!({ "place": 0, "earlierScenes": [{ "script": LESSON }] });
    let refused = app.post(&drafts).json(&said).send().await;
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["code"]), (409, &json!("platform_conflict")));
    for (wrong, fault) in
        [(json!({}), "place"), (json!({ "place": 3 }), "place"), (json!({ "place": 0, "scenes": 1 }), "scenes")]
    {
        assert_eq!(app.post(&drafts).json(&wrong).send().await.faults(), [fault]);
    }
    let drafted = app.post(&drafts).json(&json!({ "place": 0 })).send().await.expect(200);
    assert_eq!((&drafted["place"], &drafted["generator"]), (&json!(0), &json!("builtin")));
    assert!(!drafted["scene"]["script"].as_str().unwrap().is_empty(), "{drafted}");
    assert_eq!((app.get(&path).send().await.expect(200), app.stored().await), (review, before));
}

#[both_stores]
async fn a_scene_is_drawn_as_it_is_stored_and_once_for_each_version(test: TestStore) {
    let app = App::new(test);
    let (path, review) = unrendered(&app).await;
    let scene = review["scenes"][1]["id"].as_str().unwrap();
    let picture = format!("{path}/scenes/{scene}/picture");
    let drawn = app.get(&picture).send().await;
    assert_eq!((drawn.status.as_u16(), drawn.body.as_str()), (200, "a picture of Two."));
    assert_eq!((drawn.header("content-type"), drawn.header("cache-control")), ("image/png", "private, no-cache"));
    let tag = drawn.header("etag").to_owned();
    let again = app.get(&picture).header("if-none-match", &tag).send().await;
    assert_eq!((again.status.as_u16(), again.body.as_str(), again.header("etag")), (304, "", &*tag));
    let change = json!({ "scenes": [{ "id": scene, "script": "Changed." }] });
    app.patch(&path).json(&change).send().await.expect(200);
    let changed = app.get(&picture).header("if-none-match", &tag).send().await;
    assert_eq!((changed.status.as_u16(), changed.body.as_str()), (200, "a picture of Changed."));
    let change = json!({ "scenes": [{ "id": scene, "script": "Too large." }] });
    app.patch(&path).json(&change).send().await.expect(200);
    app.get(&picture).send().await.expect(409);
    for unknown in [review["scenes"][0]["id"].as_str().unwrap(), review["id"].as_str().unwrap(), "x"] {
        app.get(&format!("{path}/scenes/{unknown}/picture")).send().await.expect(404);
    }
}

#[both_stores]
async fn a_link_has_twenty_drafts_a_minute(test: TestStore) {
    let app = App::new(test);
    let (path, _) = unrendered(&app).await;
    let drafts = format!("{path}/part-drafts");
    let draft = || app.post(&drafts).json(&json!({ "place": 0 })).send();
    for _ in 0..20 {
        draft().await.expect(200);
    }
    let refused = draft().await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "60"));
    app.test.clock.advance(std::time::Duration::from_secs(60));
    draft().await.expect(200);
}

#[both_stores]
async fn a_deleted_video_takes_its_file_and_its_rendering_along(test: TestStore) {
    let app = App::new(test);
    let path = rendered(&app).await;
    app.post(&format!("{path}/render")).send().await.expect(202);
    let video = app.platform.content.links.edited_video(path.rsplit('/').next().unwrap()).unwrap();
    app.test.store.write("test", move |tx| tx.execute("DELETE FROM video WHERE id = $1", &[&video])).await.unwrap();
    app.get(&path).send().await.expect(404);
    let left = app.test.store.read("test", move |tx| Renderings::load(tx, video)).await.unwrap();
    assert_eq!(left, Renderings::default());
}
