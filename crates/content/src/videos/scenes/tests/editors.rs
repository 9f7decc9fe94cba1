//! Several editors of one video at once: whatever they do, no scene is lost and no place is empty.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{Film, ids, scripts};
use crate::testing::{App, Call};

/// What an editor does; numbers choose among the scenes that there were when the round began.
#[derive(Clone, Debug)]
enum Edit {
    /// Adds a scene after one of them, or first.
    Add(Option<usize>),
    /// Writes on the screen of one of them.
    Change(usize),
    /// Deletes one of them.
    Delete(usize),
    /// Puts them in the order of these numbers.
    Reorder(Vec<u8>),
    /// Moves all by one place and adds a scene, in one request about all scenes. That means those that were seen, so
    /// it names their version.
    Replace,
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        4 => proptest::option::of(0..100_usize).prop_map(Edit::Add),
        2 => (0..100_usize).prop_map(Edit::Change),
        2 => (0..100_usize).prop_map(Edit::Delete),
        2 => proptest::collection::vec(any::<u8>(), 40).prop_map(Edit::Reorder),
        1 => Just(Edit::Replace),
    ]
}

/// Rounds of edits that are all made at once, some only of the version that was seen. A database for each of
/// proptest's cases would take too long.
fn history() -> Vec<Vec<(Edit, bool)>> {
    let round = proptest::collection::vec((edit(), proptest::bool::weighted(0.3)), 1..7);
    let history = proptest::collection::vec(round, 15);
    history.new_tree(&mut TestRunner::new(Config::default())).unwrap().current()
}

/// An edit on its way: the request, the script that it adds and the one that it takes away.
struct Sent<'a> {
    call: Call<'a>,
    adds: Option<String>,
    takes: Option<String>,
}

/// The request for an edit of the video as it was seen; new scenes have this script.
fn sent<'a>(film: &Film<'a>, seen: &Value, edit: &Edit, script: String) -> Option<Sent<'a>> {
    let (all, texts) = (ids(seen), scripts(seen));
    let at = |n: usize| n.checked_rem(all.len());
    let (app, scenes) = (film.app, format!("{}/scenes", film.path));
    let (mut adds, mut takes) = (None, None);
    let call = match edit {
        Edit::Add(after) => {
            let after = after.and_then(at).map(|n| &all[n]);
            let body = json!({ "insertAfterSceneId": after, "script": script });
            adds = Some(script);
            app.post(&scenes).json(&body)
        }
        Edit::Change(n) => app.patch(&format!("{scenes}/{}", all[at(*n)?])).json(&json!({ "displayText": script })),
        Edit::Delete(n) => {
            takes = Some(texts[at(*n)?].clone());
            app.delete(&format!("{scenes}/{}", all[at(*n)?]))
        }
        Edit::Reorder(numbers) => {
            let mut order: Vec<_> = all.iter().zip(numbers.iter().cycle()).collect();
            order.sort_by_key(|(_, number)| **number);
            let order: Vec<_> = order.into_iter().map(|(id, _)| id).collect();
            app.patch(&format!("{scenes}/reorder")).json(&json!({ "sceneIds": order }))
        }
        Edit::Replace => {
            let mut given: Vec<_> = all.iter().map(|id| json!({ "id": id })).collect();
            given.rotate_left(all.len().min(1));
            given.push(json!({ "script": script }));
            adds = Some(script);
            app.patch(&film.path).json(&json!({ "scenes": given }))
        }
    };
    Some(Sent { call: call.key(&film.key), adds, takes })
}

/// Makes the edits of a round at once, and holds what came of them against what each editor was told.
async fn make_round(film: &Film<'_>, number: usize, edits: Vec<(Edit, bool)>) {
    let seen = film.read().await;
    let mut expected: BTreeSet<String> = scripts(&seen).into_iter().collect();
    let (mut calls, mut effects) = (Vec::new(), Vec::new());
    for (n, (edit, is_conditional)) in edits.iter().enumerate() {
        let Some(Sent { call, adds, takes }) = sent(film, &seen, edit, format!("{number}.{n}")) else { continue };
        let is_conditional = *is_conditional || matches!(edit, Edit::Replace);
        let condition = if is_conditional { format!("\"{}\"", seen["version"]) } else { "*".to_owned() };
        calls.push(call.header("if-match", &condition).send());
        effects.push((edit, adds, takes));
    }
    let mut successes = 0;
    for (reply, (edit, adds, takes)) in join_all(calls).await.into_iter().zip(effects) {
        match reply.status.as_u16() {
            200 | 201 => {
                successes += 1;
                scripts(&reply.json());
                expected.extend(adds);
                takes.iter().for_each(|script| assert!(expected.remove(script), "{script} was deleted twice"));
            }
            // The scene is gone, another came or went meanwhile, or somebody else was faster.
            404 if matches!(edit, Edit::Add(Some(_)) | Edit::Change(_) | Edit::Delete(_)) => {}
            400 if matches!(edit, Edit::Reorder(_)) => {}
            412 => {}
            other => panic!("{edit:?} was answered with {other}: {}", reply.body),
        }
    }
    let after = film.read().await;
    assert_eq!(scripts(&after).into_iter().collect::<BTreeSet<_>>(), expected, "{edits:?}");
    assert_eq!(scripts(&after).len(), expected.len(), "{edits:?}");
    assert_eq!(after["version"], json!(seen["version"].as_i64().unwrap() + successes), "{edits:?}");
}

#[both_stores]
async fn any_edits_at_once_leave_no_gap_and_lose_no_scene(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &["a", "b", "c"]).await;
    for (number, edits) in history().into_iter().enumerate() {
        make_round(&film, number, edits).await;
    }
}

#[both_stores]
async fn everybody_who_adds_a_scene_at_once_finds_it(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let film = Film::new(&app, &tenant, &["a"]).await;
    let anchor = ids(&film.read().await)[0].clone();
    let bodies: Vec<_> = (0..12).map(|n| json!({ "insertAfterSceneId": anchor, "script": format!("{n}") })).collect();
    for reply in join_all(bodies.iter().map(|body| film.add(body))).await {
        reply.expect(201);
    }
    let video = film.read().await;
    let mut all = scripts(&video);
    assert_eq!((all.remove(0), &video["version"]), ("a".to_owned(), &json!(13)));
    let expected: BTreeSet<_> = (0..12).map(|n| n.to_string()).collect();
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), expected);
}

#[both_stores]
async fn deleting_the_video_while_others_edit_it_leaves_no_scene_behind(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for _ in 0..5 {
        let film = Film::new(&app, &tenant, &["a", "b"]).await;
        let bodies: Vec<_> = (0..4).map(|n| json!({ "script": format!("{n}") })).collect();
        let adding = join_all(bodies.iter().map(|body| film.add(body)));
        let deleting = app.delete(&film.path).key(&tenant.key).send();
        let (added, deleted) = futures_util::future::join(adding, deleting).await;
        deleted.expect(204);
        assert!(added.iter().all(|reply| [201, 404].contains(&reply.status.as_u16())));
    }
    assert_eq!(app.count("SELECT count(*) FROM scene").await, 0);
}
