//! Scenes, one operation after the other and many at once.

mod editors;

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::MOST_SCENES;
use crate::testing::{App, Reply, Tenant};

/// A video and who may edit it.
struct Film<'a> {
    app: &'a App,
    key: String,
    path: String,
}

impl<'a> Film<'a> {
    /// A video with scenes of these scripts.
    async fn new(app: &'a App, tenant: &Tenant, scripts: &[&str]) -> Self {
        let scenes: Vec<_> = scripts.iter().map(|script| json!({ "script": script })).collect();
        let made = app.make(tenant, "videos", &json!({ "title": "Cells", "scenes": scenes })).await;
        let path = tenant.resources(&format!("videos/{}", made["id"].as_str().unwrap()));
        Self { app, key: tenant.key.clone(), path }
    }

    async fn read(&self) -> Value {
        self.app.get(&self.path).key(&self.key).send().await.expect(200)
    }

    async fn add(&self, body: &Value) -> Reply {
        self.app.post(&format!("{}/scenes", self.path)).key(&self.key).json(body).send().await
    }

    async fn change(&self, scene: &str, body: &Value) -> Reply {
        self.app.patch(&format!("{}/scenes/{scene}", self.path)).key(&self.key).json(body).send().await
    }

    async fn remove(&self, scene: &str) -> Reply {
        self.app.delete(&format!("{}/scenes/{scene}", self.path)).key(&self.key).send().await
    }

    async fn reorder(&self, ids: &Value) -> Reply {
        self.change("reorder", &json!({ "sceneIds": ids })).await
    }
}

fn ids(video: &Value) -> Vec<String> {
    video["scenes"].as_array().unwrap().iter().map(|scene| scene["id"].as_str().unwrap().to_owned()).collect()
}

/// The scripts in playing order; fails unless the sequences are 1, 2, 3…
#[track_caller]
fn scripts(video: &Value) -> Vec<String> {
    let scenes = video["scenes"].as_array().unwrap();
    let sequences: Vec<_> = scenes.iter().map(|scene| scene["sequence"].as_u64().unwrap()).collect();
    assert_eq!(sequences, (1..=scenes.len() as u64).collect::<Vec<_>>());
    scenes.iter().map(|scene| scene["script"].as_str().unwrap().to_owned()).collect()
}

#[both_stores]
async fn a_scene_goes_first_or_after_the_named_one(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &[]).await;
    let first = film.add(&json!({ "insertAfterSceneId": null, "script": "b" })).await;
    assert_eq!(scripts(&first.expect(201)), ["b"]);
    assert_eq!((first.json()["version"].clone(), first.header("etag")), (json!(2), "\"2\""));
    assert_eq!(
        first.json()["scenes"][0],
        json!({
            "id": ids(&first.json())[0], "sequence": 1, "script": "b", "displayText": "", "duration": 5.0,
        })
    );
    let before = film.add(&json!({ "script": "a" })).await.expect(201);
    assert_eq!(scripts(&before), ["a", "b"], "absent is null");
    let last = ids(&before)[1].clone();
    let body = json!({ "insertAfterSceneId": last, "script": "d", "displayText": "D", "duration": 2.5 });
    let after = film.add(&body).await.expect(201);
    assert_eq!(scripts(&after), ["a", "b", "d"]);
    assert_eq!((&after["scenes"][2]["displayText"], &after["scenes"][2]["duration"]), (&json!("D"), &json!(2.5)));
    let between = film.add(&json!({ "insertAfterSceneId": last, "script": "c" })).await.expect(201);
    assert_eq!(scripts(&between), ["a", "b", "c", "d"]);
    assert_eq!(film.read().await, between);
}

#[both_stores]
async fn an_unknown_predecessor_is_404(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (film, other) = (Film::new(&app, &tenant, &["a"]).await, Film::new(&app, &tenant, &["b"]).await);
    let foreign = ids(&other.read().await)[0].clone();
    let unknown = app.test.ambient.id::<kernel::id::SceneId>().to_string();
    let before = app.stored().await;
    for id in [foreign.as_str(), unknown.as_str(), "1", ""] {
        let refused = film.add(&json!({ "insertAfterSceneId": id })).await;
        assert_eq!(refused.expect(404)["message"], "Scene not found.");
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_change_of_a_scene_leaves_the_rest_alone(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &["a", "b"]).await;
    let mut expected = film.read().await;
    let scene = ids(&expected)[1].clone();
    for (version, change) in (2..).zip([
        json!({ "script": "B" }),
        json!({ "displayText": "On the screen" }),
        json!({ "duration": 12.25 }),
        json!({ "script": "", "displayText": "", "duration": 3600 }),
        json!({ "duration": 0.001, "id": "x", "sequence": 1 }),
    ]) {
        app.test.clock.advance(std::time::Duration::from_secs(1));
        let reply = film.change(&scene, &change).await;
        for field in ["script", "displayText", "duration"] {
            if let Some(value) = change.get(field) {
                expected["scenes"][1][field] = value.as_f64().map_or_else(|| value.clone(), |number| json!(number));
            }
        }
        let changed = reply.expect(200);
        expected["version"] = json!(version);
        for derived in ["updatedAt", "targetDurationSeconds"] {
            expected[derived] = changed[derived].clone();
        }
        assert_eq!(changed, expected, "{change}");
        assert_eq!(reply.header("etag"), format!("\"{version}\""));
        assert_eq!(film.read().await, changed);
    }
}

#[both_stores]
async fn a_deleted_scene_leaves_no_gap(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &["a", "b", "c", "d"]).await;
    let all = ids(&film.read().await);
    for (id, left) in
        [(&all[1], vec!["a", "c", "d"]), (&all[3], vec!["a", "c"]), (&all[0], vec!["c"]), (&all[2], vec![])]
    {
        let reply = film.remove(id).await;
        assert_eq!(scripts(&reply.expect(200)), left);
        film.remove(id).await.expect(404);
        film.change(id, &json!({ "script": "x" })).await.expect(404);
    }
    assert_eq!(film.read().await["version"], 5);
}

#[both_stores]
async fn an_order_names_each_scene_once(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &["a", "b", "c"]).await;
    let other = ids(&Film::new(&app, &tenant, &["x"]).await.read().await)[0].clone();
    let all = ids(&film.read().await);
    for order in [[2, 0, 1], [1, 0, 2], [0, 1, 2], [2, 1, 0]] {
        let wanted: Vec<_> = order.map(|n: usize| all[n].clone()).to_vec();
        let reply = film.reorder(&json!(wanted)).await;
        assert_eq!(ids(&reply.expect(200)), wanted);
        scripts(&reply.json());
        assert_eq!(film.read().await, reply.json());
    }
    let before = (film.read().await, app.stored().await);
    for (wrong, expected) in [
        (json!([all[0], all[1]]), vec![("sceneIds", format!("lacks the scene {}", all[2]))]),
        (json!([all[0], all[1], all[2], other]), vec![("sceneIds[3]", "is no scene of the video".into())]),
        (json!([all[0], all[1], all[0], all[2]]), vec![("sceneIds[2]", "is the same as item 0".into())]),
        (
            json!([all[0], "x", all[0], ""]),
            vec![
                ("sceneIds[1]", "is no scene of the video".into()),
                ("sceneIds[2]", "is the same as item 0".into()),
                ("sceneIds[3]", "is no scene of the video".into()),
                ("sceneIds", format!("lacks the scene {}", all[2])),
                ("sceneIds", format!("lacks the scene {}", all[1])),
            ],
        ),
        (
            json!([7, all[1], null]),
            vec![("sceneIds[0]", "must be a string".into()), ("sceneIds[2]", "must be a string".into())],
        ),
        (json!(null), vec![("sceneIds", "must be an array".into())]),
        (json!({ "0": all[0] }), vec![("sceneIds", "must be an array".into())]),
    ] {
        let reply = film.reorder(&wrong).await.expect(400);
        let details: Vec<_> = reply["details"]
            .as_array()
            .unwrap()
            .iter()
            .map(|detail| (detail["path"].as_str().unwrap(), detail["message"].as_str().unwrap().to_owned()))
            .collect();
        assert_eq!(details, expected, "{wrong}");
    }
    assert_eq!(film.reorder(&json!([])).await.faults().len(), 3);
    assert_eq!(film.change("reorder", &json!({})).await.faults(), ["sceneIds"]);
    assert_eq!((film.read().await, app.stored().await), before);
    film.remove("reorder").await.expect(405);
    let empty = Film::new(&app, &tenant, &[]).await;
    assert_eq!(scripts(&empty.reorder(&json!([])).await.expect(200)), Vec::<String>::new());
}

#[both_stores]
async fn many_wrong_ids_are_refused_with_as_many_faults_as_anybody_reads(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &["a"]).await;
    assert_eq!(film.reorder(&json!(vec!["x"; 2_000])).await.faults().len(), 100);
    assert_eq!(film.reorder(&json!(vec!["x"; 10_000])).await.faults(), ["sceneIds"]);
}

#[both_stores]
async fn wrong_fields_of_a_scene_are_named_at_once(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &["a"]).await;
    let scene = ids(&film.read().await)[0].clone();
    let before = app.stored().await;
    for wrong in [json!(true), json!([]), json!({})] {
        let body = json!({ "insertAfterSceneId": wrong, "script": wrong, "displayText": wrong, "duration": wrong });
        assert_eq!(film.add(&body).await.faults(), ["insertAfterSceneId", "script", "displayText", "duration"]);
        assert_eq!(film.change(&scene, &body).await.faults(), ["script", "displayText", "duration"]);
    }
    for duration in
        [json!(0), json!(-0.0), json!(-1), json!(-1e-300), json!(3600.5), json!(1e308), json!(i64::MAX), json!("5")]
    {
        let body = json!({ "duration": duration });
        assert_eq!(film.add(&body).await.faults(), ["duration"], "{duration}");
        assert_eq!(film.change(&scene, &body).await.faults(), ["duration"], "{duration}");
    }
    for field in ["script", "displayText", "duration"] {
        assert_eq!(film.change(&scene, &json!({ field: null })).await.faults(), [field]);
    }
    for (field, longest) in [("script", 10_000), ("displayText", 2_000)] {
        assert_eq!(film.add(&json!({ field: "ä".repeat(longest + 1) })).await.faults(), [field]);
    }
    for empty in [json!({}), json!({ "id": scene, "sequence": 1 })] {
        assert_eq!(film.change(&scene, &empty).await.faults(), [""]);
    }
    let path = format!("{}/scenes", film.path);
    for text in [
        "{\"script\":\"\\u0000\"}",
        "{\"displayText\":\"\\ud800\"}",
        "{\"duration\":NaN}",
        "{\"duration\":1e999}",
        "[]",
    ] {
        app.post(&path).key(&tenant.key).raw("application/json", text).send().await.expect(400);
        app.patch(&format!("{path}/{scene}")).key(&tenant.key).raw("application/json", text).send().await.expect(400);
    }
    assert_eq!(app.stored().await, before);
    film.add(&json!({ "script": "ä".repeat(10_000), "displayText": "\u{202e}\n", "duration": 1e-300 }))
        .await
        .expect(201);
}

#[both_stores]
async fn scenes_of_another_video_classroom_or_organization_are_404(test: TestStore) {
    let app = App::new(test);
    let (tenant, stranger) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let beside = app.classroom(&tenant, "Class 8a", "en").await;
    let (film, other) = (Film::new(&app, &tenant, &["a"]).await, Film::new(&app, &tenant, &["b"]).await);
    let scene = ids(&film.read().await)[0].clone();
    let id = film.path.rsplit('/').next().unwrap();
    let before = app.stored().await;
    for (path, key) in [
        (film.path.clone(), &stranger.key),
        (other.path.clone(), &tenant.key),
        (format!("/v1/content/classrooms/{}/videos/{id}", beside.id), &tenant.key),
        (tenant.resources("videos/7"), &tenant.key),
    ] {
        let body = json!({ "insertAfterSceneId": scene, "script": "x" });
        app.post(&format!("{path}/scenes")).key(key).json(&body).send().await.expect(404);
        let path = format!("{path}/scenes/{scene}");
        app.patch(&path).key(key).json(&json!({ "script": "x" })).send().await.expect(404);
        app.delete(&path).key(key).send().await.expect(404);
    }
    for unknown in ["7", "%00", "%F0%9F%98%80", "00000000-0000-0000-0000-000000000000"] {
        film.change(unknown, &json!({ "script": "x" })).await.expect(404);
        film.remove(unknown).await.expect(404);
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_stale_version_changes_no_scene(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &["a", "b"]).await;
    let all = ids(&film.read().await);
    film.change(&all[0], &json!({ "script": "A" })).await.expect(200);
    let before = app.stored().await;
    let scenes = format!("{}/scenes", film.path);
    let calls = |header: &str| {
        [
            (app.post(&scenes).json(&json!({ "script": "c" })), 201),
            (app.patch(&format!("{scenes}/{}", all[0])).json(&json!({ "script": "x" })), 200),
            (app.patch(&format!("{scenes}/reorder")).json(&json!({ "sceneIds": [all[1], all[0]] })), 200),
            (app.delete(&format!("{scenes}/{}", all[1])), 200),
        ]
        .map(|(call, status)| (call.key(&tenant.key).header("if-match", header), status))
    };
    for (call, _) in calls("\"1\"").into_iter().chain(calls("W/\"2\"")) {
        assert_eq!(call.send().await.expect(412)["error"], "Precondition Failed");
    }
    for (call, _) in calls("2") {
        assert_eq!(call.send().await.faults(), ["If-Match"]);
    }
    assert_eq!(app.stored().await, before);
    let [(added, _), (changed, _), _, _] = calls("\"2\"");
    added.send().await.expect(201);
    changed.send().await.expect(412);
    let [_, (changed, _), _, (deleted, _)] = calls("*");
    changed.send().await.expect(200);
    assert_eq!(deleted.send().await.header("etag"), "\"5\"");
}

#[both_stores]
async fn a_repeated_scene_is_one_scene(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &["a"]).await;
    let send = |film: &Film<'_>, body: Value| {
        let path = format!("{}/scenes", film.path);
        let (app, key) = (&app, &tenant.key);
        async move { app.post(&path).key(key).idempotency("k").header("if-match", "\"1\"").json(&body).send().await }
    };
    let first = send(&film, json!({ "script": "b" })).await;
    first.expect(201);
    let replay = send(&film, json!({ "script": "b" })).await;
    assert_eq!((replay.status.as_u16(), &replay.body, replay.is_replay()), (201, &first.body, true));
    assert_eq!(replay.header("etag"), "\"2\"");
    send(&film, json!({ "script": "c" })).await.expect(409);
    let other = Film::new(&app, &tenant, &[]).await;
    send(&other, json!({ "script": "b" })).await.expect(409);
    assert_eq!(scripts(&film.read().await), ["b", "a"]);
}

#[both_stores]
async fn a_video_is_as_long_as_its_scenes_unless_somebody_says(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &[]).await;
    assert_eq!(film.read().await["targetDurationSeconds"], 0);
    film.add(&json!({ "duration": 2.25 })).await.expect(201);
    let two = film.add(&json!({ "duration": 8.25 })).await.expect(201);
    assert_eq!(two["targetDurationSeconds"], 11, "rounded");
    let patch = async |value: Value| {
        app.patch(&film.path).key(&tenant.key).json(&json!({ "targetDurationSeconds": value })).send().await.expect(200)
    };
    assert_eq!(patch(json!(60)).await["targetDurationSeconds"], 60);
    assert_eq!(film.add(&json!({})).await.expect(201)["targetDurationSeconds"], 60);
    assert_eq!(patch(json!(null)).await["targetDurationSeconds"], 16);
    assert_eq!(film.remove(&ids(&two)[0]).await.expect(200)["targetDurationSeconds"], 7);
}

#[both_stores]
async fn while_a_video_is_generated_its_scenes_are_not_edited_one_by_one(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let made = app.make(&tenant, "videos", &json!({ "title": "Cells", "generate": true })).await;
    let path = tenant.resources(&format!("videos/{}", made["id"].as_str().unwrap()));
    let film = Film { app: &app, key: tenant.key.clone(), path };
    let before = app.stored().await;
    film.add(&json!({ "script": "a" })).await.expect(409);
    film.reorder(&json!([])).await.expect(409);
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn editing_the_scenes_of_a_failed_video_makes_it_whole(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &[]).await;
    app.write(|tx| tx.execute("UPDATE video SET status = 'failed', error_code = 'x', error_message = 'y'", &[])).await;
    assert_eq!(film.read().await["error"], json!({ "code": "x", "message": "y" }));
    let edited = film.add(&json!({ "script": "a" })).await.expect(201);
    assert_eq!((&edited["status"], &edited["error"]), (&json!("completed"), &json!(null)));
}

#[both_stores]
async fn all_scenes_together_have_a_most_text(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &["a", "b"]).await;
    let all = ids(&film.read().await);
    // As an expansion of a long source may make it.
    app.write(|tx| tx.execute("UPDATE scene SET script = $1 WHERE script = 'a'", &[&"ä".repeat(1_000_010)])).await;
    film.change(&all[1], &json!({ "displayText": "" })).await.expect(200);
    film.change(&all[1], &json!({ "displayText": "x" })).await.expect(409);
    app.write(|tx| tx.execute("UPDATE scene SET script = $1 WHERE script LIKE 'ä%'", &[&"ä".repeat(999_990)])).await;
    film.change(&all[1], &json!({ "script": "x".repeat(10) })).await.expect(200);
    let before = app.stored().await;
    film.change(&all[1], &json!({ "displayText": "x" })).await.expect(409);
    film.add(&json!({ "script": "x" })).await.expect(409);
    assert_eq!(app.stored().await, before);
    film.change(&all[0], &json!({ "script": "Shorter." })).await.expect(200);
    film.add(&json!({ "script": "x" })).await.expect(201);
}

#[both_stores]
async fn a_page_of_videos_has_the_scenes_of_each(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for n in 0..7 {
        let scripts: Vec<_> = (0..n).map(|scene| format!("{n}.{scene}")).collect();
        Film::new(&app, &tenant, &scripts.iter().map(String::as_str).collect::<Vec<_>>()).await;
    }
    for query in ["", "?limit=1&page=3", "?limit=2&page=2", "?limit=100"] {
        let path = tenant.resources(&format!("videos{query}"));
        for video in app.get(&path).key(&tenant.key).send().await.expect(200).as_array().unwrap() {
            let one = tenant.resources(&format!("videos/{}", video["id"].as_str().unwrap()));
            assert_eq!(&app.get(&one).key(&tenant.key).send().await.expect(200), video, "{query}");
            scripts(video);
        }
    }
}

#[both_stores]
async fn a_video_has_an_end(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let scripts: Vec<_> = (0..MOST_SCENES).map(|_| "a").collect();
    let film = Film::new(&app, &tenant, &scripts).await;
    let all = ids(&film.read().await);
    let before = app.stored().await;
    film.add(&json!({})).await.expect(409);
    assert_eq!(app.stored().await, before);
    film.remove(&all[0]).await.expect(200);
    film.add(&json!({ "insertAfterSceneId": all[1999] })).await.expect(201);
}
