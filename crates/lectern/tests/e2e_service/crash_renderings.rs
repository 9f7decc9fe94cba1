//! Videos become files by the real programs, also when the server is killed on the way.

use axum::body::Bytes;
use http::Method;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::client::Client;
use super::process::{Installation, Wait, count};

/// A video with four scenes, and the path by which it is reviewed.
async fn video(client: &Client, installation: &Installation) -> String {
    let scenes: Vec<Value> = ["nucleus", "membrane", "cytoplasm", "wall"]
        .map(|part| json!({ "script": format!("This is the {part}."), "displayText": part, "duration": 1.5 }))
        .into();
    let path = installation.resources("videos");
    let made =
        client.create(&path, "video", &json!({ "title": "The cell", "scenes": scenes })).await.unwrap().expect(201);
    let link = format!("{path}/{}/edit-link", made["id"].as_str().unwrap());
    let link = client.get(&link).await.unwrap().expect(200);
    format!("/v1/platform/videos/edit/{}", link["editToken"].as_str().unwrap())
}

/// The review, as soon as its rendering has come so far.
async fn until(client: &Client, path: &str, what: &'static str, is_so_far: impl Fn(&Value) -> bool) -> Value {
    let wait = Wait::until(what);
    loop {
        let review = client.get(path).await.unwrap().expect(200);
        assert_ne!(review["renderStatus"], "failed", "{review}");
        if is_so_far(&review) {
            return review;
        }
        wait.on().await;
    }
}

#[both_stores]
async fn a_killed_server_renders_on_behind_the_last_scene_and_the_file_plays(test: TestStore) {
    let installation = Installation::new(&test);
    let mut server = installation.serve().await;
    installation.sign_in(&mut server.client).await;
    let cookie = server.client.cookie.clone();
    let path = video(&server.client, &installation).await;
    server.client.post(&format!("{path}/render"), &json!({})).await.unwrap().expect(202);
    for scenes in 1..=3 {
        until(&server.client, &path, "a scene is rendered", |review| {
            review["rendering"]["scenesDone"].as_u64() >= Some(scenes)
        })
        .await;
        server.kill();
        server = installation.serve().await;
        server.client.cookie.clone_from(&cookie);
    }
    let review =
        until(&server.client, &path, "the video is rendered", |review| review["renderStatus"] == "completed").await;
    let (file, duration) = (&review["file"], review["file"]["durationMs"].as_f64().unwrap() / 1000.0);
    assert!((6.0..20.0).contains(&duration), "{file}");
    assert_eq!(file["chapters"].as_array().unwrap().len(), 4);
    let film = server.client.get(&format!("{path}/files/video.mp4")).await.unwrap();
    assert_eq!(&film.body[4..8], b"ftyp");
    assert_eq!(film.body.len() as u64, file["sizeBytes"].as_u64().unwrap());
    let captions = server.client.get(&format!("{path}/files/captions.vtt")).await.unwrap();
    let captions = String::from_utf8(captions.body.to_vec()).unwrap();
    assert!(captions.starts_with("WEBVTT") && captions.contains("This is the cytoplasm."), "{captions}");
    server.kill();
    let store = installation.open(&test).await;
    assert_eq!(count(&store, "SELECT count(*) FROM job").await, 0);
    assert_eq!(count(&store, "SELECT count(*) FROM video_file").await, 1);
}

#[both_stores]
async fn an_edit_while_it_is_rendered_makes_the_file_outdated_and_rendering_again_makes_it_new(test: TestStore) {
    let installation = Installation::new(&test);
    let mut server = installation.serve().await;
    installation.sign_in(&mut server.client).await;
    let path = video(&server.client, &installation).await;
    server.client.post(&format!("{path}/render"), &json!({})).await.unwrap().expect(202);
    let review = until(&server.client, &path, "a worker has it", |review| review["renderStatus"] == "rendering").await;
    let scenes = json!({ "scenes": [{ "id": review["scenes"][0]["id"], "script": "Only this is left." }] });
    let scenes = Bytes::from(scenes.to_string());
    server.client.send(Method::PATCH, &path, &[], scenes).await.unwrap().expect(200);
    let review = until(&server.client, &path, "it is rendered", |review| review["renderStatus"] == "completed").await;
    assert_eq!(review["file"]["isOutdated"], true);
    server.client.post(&format!("{path}/render"), &json!({})).await.unwrap().expect(202);
    let is_new = |review: &Value| review["renderStatus"] == "completed" && review["file"]["isOutdated"] == false;
    until(&server.client, &path, "it is rendered again", is_new).await;
    let transcript = server.client.get(&format!("{path}/files/transcript.txt")).await.unwrap();
    assert!(String::from_utf8(transcript.body.to_vec()).unwrap().contains("Only this is left."));
}
