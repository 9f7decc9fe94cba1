//! Edit links: a video is edited and rendered by forms, and what was rendered plays on the video's page.

use content::resources::Kind;
use http::Method;
use http::header::RANGE;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::call::Reply;
use crate::service::Service;

const BASE: &str = "https://lectern.example/school/";
const HOSTILE: &str = "</textarea><script>alert(1)</script>\"'><b>";
const FILM: &str = "the bytes of a film";

/// A service with a video of three scenes.
struct Stage {
    service: Service,
    video: String,
    /// The path of its edit page.
    path: String,
}

impl Stage {
    async fn new(test: TestStore) -> Self {
        Self::with(test, json!([["One", "1.", 4.0], ["Two", "2.", 5.0], ["Three", "3.", 6.5]])).await
    }

    async fn with(test: TestStore, scenes: Value) -> Self {
        let service = Service::new(test, BASE).await;
        let video = service.add(Kind::Video, json!({ "scenes": scenes })).await;
        let path = service.edit_page(&video);
        Self { service, video, path }
    }

    async fn open(&self) -> Reply {
        let page = self.service.get(&self.path).await;
        assert_eq!(page.status, 200);
        page
    }

    /// What the page's form sends by a button, with some fields changed: the name, which of that name, and the value.
    async fn press(&self, button: &str, changes: &[(&str, usize, &str)]) -> Reply {
        let page = self.open().await;
        self.press_on(&page, button, changes).await
    }

    async fn press_on(&self, page: &Reply, button: &str, changes: &[(&str, usize, &str)]) -> Reply {
        let mut fields = form_of(page);
        for (name, which, value) in changes {
            let mut of_name = fields.iter_mut().filter(|(field, _)| field == name);
            of_name.nth(*which).unwrap().1 = (*value).to_owned();
        }
        fields.push(("do".to_owned(), button.to_owned()));
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.service.answer(&self.path, &fields).await
    }

    async fn scripts(&self) -> Vec<String> {
        self.open().await.texts("[name=script]")
    }

    /// The ids of the scenes in their order.
    async fn ids(&self) -> Vec<String> {
        self.open().await.attributes("[name=scene]", "value")
    }
}

/// The fields of the page's form as it is shown, in their order.
fn form_of(page: &Reply) -> Vec<(String, String)> {
    let names = page.attributes("form :is(input:not([type=checkbox]), textarea)", "name");
    let document = scraper::Html::parse_document(&page.body);
    let fields = scraper::Selector::parse("form :is(input:not([type=checkbox]), textarea)").unwrap();
    let value = |element: scraper::ElementRef<'_>| match element.attr("value") {
        Some(value) => value.to_owned(),
        // HTML ignores a line end behind the tag.
        None => element.text().collect::<String>().trim_start_matches('\n').to_owned(),
    };
    names.into_iter().zip(document.select(&fields).map(value)).collect()
}

#[both_stores]
async fn the_page_shows_every_scene_as_a_form(test: TestStore) {
    let stage = Stage::new(test).await;
    let page = stage.open().await;
    assert_eq!(page.texts("[name=script]"), ["1.", "2.", "3."]);
    assert_eq!(page.texts("[name=display-text]"), ["One", "Two", "Three"]);
    assert_eq!(page.attributes("[name=duration]", "value"), ["4", "5", "6.5"]);
    assert_eq!(page.texts("[data-status]"), ["Not rendered yet."]);
    assert_eq!(page.attributes("form", "action"), [format!("/school{}", stage.path)]);
    let (ids, token) = (stage.ids().await, stage.path.rsplit('/').next().unwrap());
    let pictures =
        ids.iter().map(|id| format!("/school/v1/platform/videos/edit/{token}/scenes/{id}/picture?version=1"));
    assert_eq!(page.attributes("[data-scene] img", "src"), pictures.collect::<Vec<_>>());
    assert_eq!(page.header("cache-control"), "no-store");
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
}

#[both_stores]
async fn whatever_button_is_pressed_the_words_are_saved(test: TestStore) {
    let stage = Stage::new(test).await;
    let ids = stage.ids().await;
    let up = stage.press(&format!("up:{}", ids[2]), &[("script", 0, "Eins.")]).await;
    assert_eq!(
        (up.status.as_u16(), up.header("location")),
        (303, &*format!("/school{}?saved#scene-{}", stage.path, ids[2]))
    );
    assert_eq!(stage.scripts().await, ["Eins.", "3.", "2."]);
    stage.press(&format!("down:{}", ids[0]), &[("title", 0, "Zellen")]).await;
    assert_eq!(
        (stage.scripts().await, stage.open().await.texts("h1")),
        (vec!["3.".to_owned(), "Eins.".into(), "2.".into()], vec!["Zellen".to_owned()])
    );
    stage.press(&format!("add:{}", ids[0]), &[]).await;
    assert_eq!(stage.scripts().await, ["3.", "Eins.", "", "2."]);
    stage.press(&format!("remove:{}", ids[1]), &[]).await;
    assert_eq!(stage.scripts().await, ["3.", "Eins.", ""]);
}

#[both_stores]
async fn seconds_follow_a_changed_script_unless_they_are_changed_too(test: TestStore) {
    let stage = Stage::new(test).await;
    let long = "A much longer script, which takes a reader more than five seconds to say out loud, however fast.";
    stage.press("save", &[("script", 0, long), ("script", 1, long), ("duration", 1, "30")]).await;
    let seconds = stage.open().await.attributes("[name=duration]", "value");
    assert!(seconds[0].parse::<f64>().unwrap() > 5.0, "{seconds:?}");
    assert_eq!(seconds[1..], ["30", "6.5"]);
}

#[both_stores]
async fn of_two_people_the_second_keeps_their_words_and_is_told(test: TestStore) {
    let stage = Stage::new(test).await;
    let page = stage.open().await;
    stage.press("save", &[("script", 0, "Theirs.")]).await;
    let refused = stage.press_on(&page, "save", &[("script", 0, "Mine.")]).await;
    assert_eq!(refused.status, 409);
    assert!(refused.texts("[role=alert]")[0].contains("Somebody else saved this video meanwhile"), "{}", refused.body);
    assert_eq!(refused.texts("[name=script]")[0], "Mine.");
    assert_eq!(stage.scripts().await[0], "Theirs.");
    stage.press_on(&refused, "save", &[]).await;
    assert_eq!(stage.scripts().await[0], "Mine.");
}

#[both_stores]
async fn words_of_a_scene_that_somebody_removed_meanwhile_become_a_new_scene(test: TestStore) {
    let stage = Stage::new(test).await;
    let page = stage.open().await;
    let ids = stage.ids().await;
    stage.press(&format!("remove:{}", ids[1]), &[]).await;
    let refused = stage.press_on(&page, "save", &[("script", 1, "Mine.")]).await;
    assert_eq!(refused.texts("[name=script]"), ["1.", "Mine.", "3."]);
    assert_eq!(refused.attributes("[data-review]", "data-unsaved").len(), 1, "leaving the page asks first");
    stage.press_on(&refused, "save", &[]).await;
    assert_eq!(stage.scripts().await, ["1.", "Mine.", "3."]);
}

#[both_stores]
async fn another_version_hides_nobodys_changes(test: TestStore) {
    let stage = taught(test).await;
    let (page, ids) = (stage.open().await, stage.ids().await);
    stage.press("save", &[("title", 0, "The cell, by others")]).await;
    for act in ["redraft", "restore"] {
        let entered = stage.press_on(&page, &format!("{act}:{}", ids[0]), &[("title", 0, "Mine")]).await;
        assert_eq!(entered.status, 200, "{act}");
        let saved = stage.press_on(&entered, "save", &[]).await;
        let title = stage.open().await.texts("h1");
        assert_eq!((saved.status.as_u16(), title), (409, vec!["The cell, by others".to_owned()]), "{act}");
    }
}

#[both_stores]
async fn a_faulty_form_stays_one_of_the_version_that_it_was_made_of(test: TestStore) {
    let stage = Stage::new(test).await;
    let invalid = stage.press("save", &[("duration", 0, "long")]).await;
    assert_eq!((invalid.status.as_u16(), invalid.attributes("[name=duration]", "value")[0].as_str()), (400, "long"));
    stage.press("save", &[("title", 0, "Theirs")]).await;
    assert_eq!(stage.press_on(&invalid, "save", &[("duration", 0, "4")]).await.status, 409);
}

#[both_stores]
async fn words_of_a_scene_that_is_gone_stay_whatever_button_follows(test: TestStore) {
    let stage = taught(test).await;
    let (page, ids) = (stage.open().await, stage.ids().await);
    stage.press(&format!("remove:{}", ids[1]), &[]).await;
    let mut mine = stage.press_on(&page, "save", &[("script", 1, "Mine.")]).await;
    let new = mine.attributes("[name=scene]", "value").swap_remove(1);
    for act in [format!("restore:{}", ids[0]), format!("redraft:{}", ids[0])] {
        mine = stage.press_on(&mine, &act, &[]).await;
        assert_eq!(mine.texts("[name=script]")[1], "Mine.", "{act}");
    }
    let drafted = stage.press_on(&mine, &format!("redraft:{new}"), &[]).await;
    let restored = stage.press_on(&drafted, &format!("restore:{new}"), &[]).await;
    assert_eq!(restored.texts("[name=script]")[1], "Mine.");
    mine = stage.press_on(&mine, "save", &[("duration", 0, "long"), ("script", 1, "Mine again.")]).await;
    assert_eq!((mine.status.as_u16(), mine.texts("[name=script]")[1].as_str()), (400, "Mine again."));
    stage.press_on(&mine, "save", &[("duration", 0, "4")]).await;
    assert_eq!(stage.scripts().await[1], "Mine again.");
}

#[both_stores]
async fn a_form_that_no_video_has_is_refused_before_it_is_shown(test: TestStore) {
    let stage = Stage::new(test).await;
    let id = stage.ids().await.swap_remove(0);
    let scenes = vec![("scene", id.as_str()); 2_001];
    let versions: Vec<_> = std::iter::once(("scene", id.as_str())).chain(vec![("earlier", "{}"); 21]).collect();
    let long = "x".repeat(13 * 1024 * 1024);
    for form in [scenes, versions, vec![("title", long.as_str())]] {
        for button in ["save", "redraft:x", "restore:x"] {
            let refused = stage.service.answer(&stage.path, &[form.as_slice(), &[("do", button)]].concat()).await;
            assert_eq!((refused.status.as_u16(), refused.texts("[name=script]").len()), (413, 3), "{button}");
        }
    }
}

#[both_stores]
async fn a_video_of_long_words_in_any_script_can_be_saved(test: TestStore) {
    let words = "细胞".repeat(2_000);
    let scenes: Vec<Value> = (0..60).map(|n| json!([format!("细胞 {n}"), words, 4.0])).collect();
    let stage = Stage::with(test, json!(scenes)).await;
    let saved = stage.press("save", &[("script", 0, "改变")]).await;
    assert_eq!((saved.status.as_u16(), stage.scripts().await[0].as_str()), (303, "改变"), "{}", saved.body);
}

#[both_stores]
async fn a_nul_character_is_stored_nowhere(test: TestStore) {
    let stage = Stage::new(test).await;
    let changes = [("script", 0, "a\0b"), ("display-text", 0, "\0c"), ("description", 0, "d\0")];
    assert_eq!(stage.press("save", &changes).await.status, 303);
    let page = stage.open().await;
    let shown =
        ["script", "display-text", "description"].map(|name| page.texts(&format!("[name={name}]")).swap_remove(0));
    assert_eq!(shown, ["ab", "c", "d"]);
}

#[both_stores]
async fn what_is_wrong_is_named_and_nothing_is_lost(test: TestStore) {
    let stage = Stage::new(test).await;
    let refused = stage.press("save", &[("duration", 1, "long"), ("title", 0, ""), ("script", 2, "Kept.")]).await;
    assert_eq!(refused.status, 400);
    let faults = refused.texts("[role=alert] li");
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults.iter().any(|fault| fault.starts_with("Scene 2: the duration")), "{faults:?}");
    assert!(faults.iter().any(|fault| fault.starts_with("the title")), "{faults:?}");
    assert_eq!(refused.texts("[name=script]")[2], "Kept.");
    assert_eq!(stage.scripts().await[2], "3.");
}

/// A stage whose classroom teaches more than the video's three scenes say.
async fn taught(test: TestStore) -> Stage {
    let service = Service::new(test, BASE).await;
    let content = "<h2>The cell</h2><p>A cell is the smallest unit of life. The nucleus of a cell keeps the DNA. Ribosomes \
                   build the proteins of a cell. The membrane of a cell lets water pass. Mitochondria give a cell its energy.</p>";
    service.add(Kind::Module, json!({ "title": "The cell", "content": content })).await;
    let scenes = json!([
        ["Life", "A cell is the smallest unit of life.", 4.0],
        ["DNA", "The nucleus of a cell keeps the DNA.", 4.0]
    ]);
    let video = service.add(Kind::Video, json!({ "title": "The cell", "scenes": scenes })).await;
    let path = service.edit_page(&video);
    Stage { service, video, path }
}

#[both_stores]
async fn another_version_of_a_scene_stands_in_the_form_until_it_is_saved(test: TestStore) {
    let stage = taught(test).await;
    let (before, ids) = (stage.scripts().await, stage.ids().await);
    let button = |act: &str| format!("{act}:{}", ids[0]);
    assert_eq!(stage.open().await.texts("[value^='restore:']"), Vec::<String>::new());
    let changes = [("script", 1, "My own words about the nucleus."), ("instruction", 0, "Shorter.")];
    let drafted = stage.press(&button("redraft"), &changes).await;
    let scripts = drafted.texts("[name=script]");
    assert_eq!((drafted.status.as_u16(), scripts[1].as_str()), (200, changes[0].2), "{}", drafted.body);
    assert_ne!(scripts[0], before[0]);
    assert_ne!(drafted.texts("[name=display-text]")[0], "Life");
    assert_eq!(drafted.attributes("[data-display]", "data-outdated"), ["Save to see the change."]);
    let told = drafted.texts(&format!("#scene-{} .notice", ids[0]));
    assert_eq!(told, ["This version is not saved yet. The built-in generator ignores the instruction."]);
    assert_eq!(drafted.attributes("[name=instruction]", "value"), ["Shorter.", ""]);
    assert_eq!(drafted.attributes("[data-review]", "data-unsaved").len(), 1, "leaving the page asks first");
    assert_eq!(stage.scripts().await, before);

    let restored = stage.press_on(&drafted, &button("restore"), &[]).await;
    assert_eq!(
        restored.texts(&format!("#scene-{} .notice", ids[0])),
        Vec::<String>::new(),
        "the stored version is saved"
    );
    assert_eq!(restored.texts("[name=script]"), [before[0].as_str(), scripts[1].as_str()]);
    assert_eq!(restored.attributes("[name=duration]", "value")[0], "4");
    let again = stage.press_on(&restored, &button("restore"), &[]).await;
    assert_eq!(again.texts("[name=script]"), scripts);
    assert_eq!(stage.scripts().await, before);

    stage.press_on(&again, "save", &[]).await;
    assert_eq!(stage.scripts().await, scripts);
    assert_eq!(stage.open().await.texts("[value^='restore:']"), Vec::<String>::new());
}

#[both_stores]
async fn versions_of_a_scene_come_once_and_then_the_page_says_that_there_is_no_other(test: TestStore) {
    let stage = taught(test).await;
    let (button, mut page) = (format!("redraft:{}", stage.ids().await[0]), stage.open().await);
    let mut shown = page.texts("[name=script]");
    for _ in 0..10 {
        let last = page.texts("[name=script]");
        page = stage.press_on(&page, &button, &[]).await;
        if page.status != 200 {
            assert_eq!((page.status.as_u16(), page.texts("[name=script]")), (409, last));
            let alert = page.texts("[data-scene]:first-child [role=alert]");
            assert!(alert[0].contains("no other scene"), "{alert:?}");
            assert!(shown.len() > 2, "{shown:?}");
            return;
        }
        let script = page.texts("[name=script]").swap_remove(0);
        assert!(!shown.contains(&script), "{script} came again");
        shown.push(script);
    }
    panic!("the source has not so many scenes: {shown:?}");
}

#[both_stores]
async fn no_other_version_is_made_of_a_scene_that_is_too_long_or_not_there(test: TestStore) {
    let stage = taught(test).await;
    let (ids, before) = (stage.ids().await, stage.scripts().await);
    let long = "long ".repeat(2_100);
    let refused = stage.press(&format!("redraft:{}", ids[0]), &[("script", 1, &long)]).await;
    assert_eq!(refused.status, 400);
    let faults = refused.texts("[role=alert] li");
    assert!(faults.len() == 1 && faults[0].starts_with("Scene 2: the script"), "{faults:?}");
    for id in [ids[0].replace(|digit: char| digit.is_ascii_digit(), "7"), String::new(), HOSTILE.to_owned()] {
        for act in ["redraft", "restore"] {
            let page = stage.press(&format!("{act}:{id}"), &[]).await;
            assert_eq!((page.status.as_u16(), page.texts("[name=script]")), (200, before.clone()), "{act} {id}");
        }
    }
    let restored = stage.press(&format!("restore:{}", ids[0]), &[]).await;
    assert_eq!(restored.texts("[name=script]"), before, "there is no version before");
}

#[both_stores]
async fn a_rendering_is_asked_for_and_cancelled_by_buttons(test: TestStore) {
    let stage = Stage::new(test).await;
    let asked = stage.press("render", &[("script", 0, "Saved too.")]).await;
    assert_eq!((asked.status.as_u16(), asked.header("location")), (303, &*format!("/school{}#render", stage.path)));
    let page = stage.open().await;
    assert_eq!(
        (page.texts("[data-status]"), page.texts("[name=script]")[0].as_str()),
        (vec!["Waiting for its turn.".to_owned()], "Saved too.")
    );
    assert_eq!(page.texts("#render button"), ["Cancel"]);
    stage.press("cancel", &[("script", 1, "Saved by cancelling.")]).await;
    let page = stage.open().await;
    assert_eq!(
        (page.texts("[data-status]"), page.texts("[name=script]")[1].as_str()),
        (vec!["Not rendered yet.".to_owned()], "Saved by cancelling.")
    );
}

#[both_stores]
async fn a_video_without_scenes_says_that_it_can_not_be_rendered(test: TestStore) {
    let stage = Stage::with(test, json!([])).await;
    let page = stage.open().await;
    assert_eq!(page.attributes("button.primary[value=render]", "disabled").len(), 1);
    let refused = stage.press("render", &[]).await;
    assert_eq!(refused.status, 409);
    let alert = &refused.texts("[role=alert]")[0];
    assert!(alert.starts_with("Your words were saved") && alert.contains("no scenes"), "{alert}");
    stage.press("add:", &[]).await;
    assert_eq!(stage.scripts().await, [""]);
}

#[both_stores]
async fn hostile_words_stay_words(test: TestStore) {
    let stage = Stage::with(test, json!([[HOSTILE, HOSTILE, 4.0]])).await;
    stage.press("save", &[("title", 0, HOSTILE), ("description", 0, HOSTILE)]).await;
    let page = stage.open().await;
    for field in ["script", "display-text", "description"] {
        assert_eq!(page.texts(&format!("[name={field}]")), [HOSTILE], "{field}");
    }
    assert_eq!((page.texts("h1"), page.texts("main script")), (vec![HOSTILE.to_owned()], vec![]));
}

#[both_stores]
async fn a_foreign_link_opens_nothing_whatever_it_asks_for(test: TestStore) {
    let stage = Stage::new(test).await;
    let other = stage.service.add(Kind::Video, json!({ "visibility": "PRIVATE" })).await;
    let tag = stage.path.rsplit_once('.').unwrap().1;
    for path in [
        format!("/videos/edit/{other}.{tag}"),
        "/videos/edit/x".to_owned(),
        "/videos/edit/%ff".to_owned(),
        format!("{}x", stage.path),
    ] {
        assert_eq!(stage.service.get(&path).await.status, 404, "{path}");
        assert_eq!(stage.service.answer(&path, &[("do", "render")]).await.status, 404, "{path}");
    }
    assert_eq!(stage.service.count("video_rendering").await, 0);
}

#[both_stores]
async fn what_was_rendered_plays_on_the_videos_page_with_captions(test: TestStore) {
    let stage = Stage::new(test).await;
    let (public, preview) =
        (stage.service.public(Kind::Video, &stage.video), stage.service.preview(Kind::Video, &stage.video));
    assert_eq!(stage.service.get(&public).await.texts("video").len(), 0);
    assert_eq!(stage.service.get(&format!("{public}/video.mp4")).await.status, 404);
    stage.service.add_film(&stage.video, FILM).await;
    for path in [&public, &preview] {
        let page = stage.service.get(path).await;
        assert_eq!(page.attributes("video source", "src"), [format!("/school{path}/video.mp4")]);
        assert_eq!(page.attributes("video track", "src"), [format!("/school{path}/captions.vtt")]);
        assert_eq!(page.attributes("[data-player]", "hidden").len(), 0, "the film plays, not the storyboard");
        assert!(page.header("content-security-policy").contains("media-src 'self'"));
        let film = stage.service.get(&format!("{path}/video.mp4")).await;
        assert_eq!((film.body.as_str(), film.header("content-type")), (FILM, "video/mp4"));
        let part = stage.service.get_with(&format!("{path}/video.mp4"), RANGE, "bytes=4-8").await;
        assert_eq!((part.status.as_u16(), part.body.as_str()), (206, "bytes"));
        assert_eq!(stage.service.get(&format!("{path}/captions.vtt")).await.body, "WEBVTT\n");
    }
    assert_eq!(stage.open().await.texts("video").len(), 1);
}

#[both_stores]
async fn the_film_of_a_private_video_is_as_private_as_its_page(test: TestStore) {
    let stage = Stage::new(test).await;
    stage.service.add_film(&stage.video, FILM).await;
    stage.service.set(Kind::Video, &stage.video, "visibility", json!("PRIVATE")).await;
    let public = stage.service.public(Kind::Video, &stage.video);
    for file in ["video.mp4", "poster.png", "captions.vtt", "transcript.txt"] {
        assert_eq!(stage.service.get(&format!("{public}/{file}")).await.status, 404, "{file}");
        assert_eq!(stage.service.get(&format!("/preview/videos/{}/forged/{file}", stage.video)).await.status, 404);
    }
    assert_eq!(stage.service.call(Method::POST, &format!("{public}/video.mp4")).await.status, 405);
}
