use std::sync::Arc;
use std::time::Duration;

use edge::problem::Problem;
use files::RenderingKey;
use serde_json::json;
use testkit::{TestStore, both_stores};

use super::request::{MOST_SCENES, Settings, cancel, request};
use super::{RenderStatus, Renderings, Resolution};
use crate::resources::find_by_id;
use crate::testing::{App, Pause, RenderStep, Tenant};
use crate::videos::Video;

const SETTINGS: Settings = Settings { resolution: Resolution::Hd, burns_captions: false };

/// A video of an organization.
struct TestVideo<'a> {
    app: &'a App,
    tenant: Tenant,
    id: kernel::id::VideoId,
}

impl<'a> TestVideo<'a> {
    async fn new(app: &'a App, name: &'static str) -> Self {
        let tenant = app.tenant(name).await;
        let scenes = json!([
            { "script": "One.", "displayText": "1", "duration": 2 }, { "script": "Two." }, { "script": "Three." },
        ]);
        let made = app.make(&tenant, "videos", &json!({ "title": "Cells", "scenes": scenes })).await;
        Self { app, tenant, id: made["id"].as_str().unwrap().parse().unwrap() }
    }

    fn path(&self) -> String {
        self.tenant.resources(&format!("videos/{}", self.id))
    }

    async fn act<T: Send + 'static>(
        &self,
        act: impl Fn(&mut store::Tx<'_>, &Video) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        let (id, links) = (self.id, self.app.context().links);
        let write = move |tx: &mut store::Tx<'_>| {
            let video = find_by_id::<Video>(tx, &links, id)?.expect("the video is there");
            act(tx, &video)
        };
        self.app.test.store.write("test", write).await
    }

    async fn ask(&self) {
        self.act(|tx, video| request(tx, video, SETTINGS)).await.unwrap();
    }

    /// Has the video rendered; the names of its objects.
    async fn render(&self) -> Vec<RenderingKey> {
        self.ask().await;
        self.app.run_jobs().await;
        self.own().await
    }

    async fn cancel(&self) {
        self.act(|tx, video| Ok(cancel(tx, video)?)).await.unwrap();
    }

    async fn renderings(&self) -> Renderings {
        let id = self.id;
        self.app.read(move |tx| Renderings::load(tx, id)).await
    }

    async fn status(&self) -> RenderStatus {
        self.renderings().await.status()
    }

    /// How many renderings have scenes on the disk.
    fn scene_folders(&self) -> usize {
        std::fs::read_dir(self.app.folder.path().join("scenes")).map_or(0, Iterator::count)
    }

    /// The names of all objects in the store.
    async fn kept(&self) -> Vec<RenderingKey> {
        use futures_util::TryStreamExt as _;
        let listed: Vec<_> = self.app.files().list_renderings().try_collect().await.unwrap();
        let mut keys: Vec<_> = listed.into_iter().map(|stored| stored.key).collect();
        keys.sort();
        keys
    }

    /// The names of the objects that the video has.
    async fn own(&self) -> Vec<RenderingKey> {
        let file = self.renderings().await.file.expect("there is a file");
        let mut keys = vec![file.key(), file.poster_key()];
        keys.sort();
        keys
    }
}

#[both_stores]
async fn a_rendered_video_has_its_file_in_the_store(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    assert_eq!(video.status().await, RenderStatus::Idle);
    video.ask().await;
    assert_eq!(video.status().await, RenderStatus::Queued);
    app.run_jobs().await;
    let Renderings { rendering: Some(rendering), file: Some(file) } = video.renderings().await else { panic!() };
    assert_eq!((rendering.status, rendering.scenes, rendering.scenes_done), (RenderStatus::Completed, 3, 3));
    assert_eq!(app.files().get(file.key()).await.unwrap(), "One.\nTwo.\nThree.");
    assert_eq!((file.video_version, file.duration_ms, file.size_bytes), (1, 4_000, 16));
    assert_eq!(file.chapters[0].title, "Cells");
    assert_eq!(video.kept().await, video.own().await);
    let board = &app.renderer.assembled()[0];
    assert_eq!((board.language.as_str(), board.aspect_ratio.as_str(), board.scenes[0].seconds), ("en", "16:9", 2.0));
    assert_eq!(video.scene_folders(), 0, "scenes of a whole video are not kept");
    app.finish().await;
}

#[both_stores]
async fn another_file_takes_the_place_of_the_one_before(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    let before = video.render().await;
    video.ask().await;
    assert_eq!((video.status().await, video.own().await), (RenderStatus::Queued, before.clone()), "it stays meanwhile");
    app.run_jobs().await;
    let after = video.own().await;
    assert!(after.iter().all(|key| !before.contains(key)));
    let mut kept = [before, after].concat();
    kept.sort();
    assert_eq!(video.kept().await, kept, "who plays the one before plays it to its end");
    app.finish().await;
}

#[both_stores]
async fn a_rendering_that_failed_in_passing_goes_on_behind_its_last_scene(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    video.ask().await;
    app.renderer.next([None, Some(RenderStep::Fail("program_failed", true))]);
    app.run_jobs().await;
    assert_eq!((video.status().await, app.renderer.rendered()), (RenderStatus::Rendering, vec!["One.".to_owned()]));
    app.test.clock.advance(Duration::from_secs(10));
    app.run_jobs().await;
    assert_eq!(video.status().await, RenderStatus::Completed);
    assert_eq!(app.renderer.rendered(), ["One.", "Two.", "Three."]);
    app.finish().await;
}

#[both_stores]
async fn a_passing_failure_is_final_the_third_time_and_any_other_at_once(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    for (steps, runs) in [(vec![true, true, true], 3), (vec![false], 1)] {
        video.ask().await;
        app.renderer.next(steps.into_iter().map(|is_passing| Some(RenderStep::Fail("program_failed", is_passing))));
        for run in 0..runs {
            assert_ne!(video.status().await, RenderStatus::Failed, "before run {run}");
            app.run_jobs().await;
            app.test.clock.advance(Duration::from_secs(600));
        }
        let rendering = video.renderings().await.rendering.unwrap();
        assert_eq!(rendering.status, RenderStatus::Failed);
        assert_eq!(rendering.error.unwrap().code, "program_failed");
        assert_eq!(video.scene_folders(), 0);
    }
    app.finish().await;
}

#[both_stores]
async fn a_renderer_that_takes_its_worker_down_is_given_up(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    video.ask().await;
    app.renderer.next(std::iter::repeat_n(Some(RenderStep::Panic), 100));
    for _ in 0..100 {
        app.run_jobs().await;
        app.test.clock.advance(Duration::from_secs(3600));
        if video.status().await == RenderStatus::Failed {
            break;
        }
    }
    assert_eq!(video.renderings().await.rendering.unwrap().error.unwrap().code, "rendering_crashed");
}

#[both_stores]
async fn a_cancelled_rendering_ends_within_seconds_and_leaves_nothing(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    video.ask().await;
    let pause = Arc::<Pause>::default();
    app.renderer.next([None, Some(RenderStep::Wait(pause.clone()))]);
    tokio::join!(app.run_jobs(), async {
        pause.reached().await;
        assert_eq!(video.renderings().await.rendering.unwrap().scenes_done, 1);
        video.cancel().await;
    });
    assert_eq!((video.status().await, video.kept().await), (RenderStatus::Idle, Vec::new()));
    assert_eq!(video.scene_folders(), 0);
    app.finish().await;
}

#[both_stores]
async fn a_rendering_that_is_cancelled_after_a_file_leaves_the_file(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    let before = video.render().await;
    video.ask().await;
    video.cancel().await;
    app.run_jobs().await;
    assert_eq!((video.status().await, video.own().await), (RenderStatus::Completed, before.clone()));
    assert_eq!(video.kept().await, before);
    app.finish().await;
}

#[both_stores]
async fn the_same_request_twice_is_one_rendering_and_another_replaces_it(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    video.ask().await;
    video.ask().await;
    assert_eq!(app.count("SELECT count(*) FROM job").await, 1);
    let larger = Settings { resolution: Resolution::FullHd, burns_captions: true };
    video.act(move |tx, video| request(tx, video, larger)).await.unwrap();
    app.run_jobs().await;
    let assembled = app.renderer.assembled();
    assert_eq!(assembled.len(), 1);
    assert_eq!((assembled[0].resolution, assembled[0].burns_captions), (Resolution::FullHd, true));
    assert!(video.renderings().await.file.unwrap().burns_captions);
    app.finish().await;
}

#[both_stores]
async fn a_video_that_is_deleted_while_it_is_rendered_leaves_no_file(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    video.ask().await;
    let pause = Arc::<Pause>::default();
    app.renderer.next([None, None, None, Some(RenderStep::Wait(pause.clone()))]);
    tokio::join!(app.run_jobs(), async {
        pause.reached().await;
        app.delete(&video.path()).key(&video.tenant.key).send().await;
        pause.end();
    });
    assert_eq!(video.kept().await, []);
    assert_eq!(app.count("SELECT count(*) FROM video_rendering").await, 0);
    app.finish().await;
}

#[both_stores]
async fn a_video_without_scenes_or_in_the_making_or_too_long_is_refused(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let hour = json!([{ "script": "a", "duration": 3600 }, { "script": "b", "duration": 1 }]);
    let many = vec![json!({ "duration": 1 }); MOST_SCENES + 1];
    for body in [
        json!({ "title": "Empty" }),
        json!({ "title": "Queued", "generate": true }),
        json!({ "title": "Long", "scenes": hour }),
        json!({ "title": "Many", "scenes": many }),
    ] {
        let made = app.make(&tenant, "videos", &body).await;
        let video = TestVideo { app: &app, tenant: tenant.clone(), id: made["id"].as_str().unwrap().parse().unwrap() };
        let refused = video.act(|tx, video| request(tx, video, SETTINGS)).await.unwrap_err();
        assert!(matches!(refused, Problem::Conflict(_)), "{body}");
        assert_eq!(video.status().await, RenderStatus::Idle);
    }
}

#[both_stores]
async fn an_organization_has_so_many_renderings_under_way_at_most(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    let mut refused = 0;
    for _ in 0..55 {
        let made = app.make(&video.tenant, "videos", &json!({ "title": "Cells", "scenes": [{}] })).await;
        let id = made["id"].as_str().unwrap().parse().unwrap();
        let other = TestVideo { app: &app, tenant: video.tenant.clone(), id };
        match other.act(|tx, video| request(tx, video, SETTINGS)).await {
            Ok(_) => {}
            Err(Problem::TooManyRequests { .. }) => refused += 1,
            Err(problem) => panic!("{problem}"),
        }
    }
    assert_eq!(refused, 5);
}

#[both_stores]
async fn whoever_asks_and_cancels_again_and_again_fills_no_queue(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    for n in 0..10 {
        let settings = Settings { burns_captions: n % 2 == 0, ..SETTINGS };
        video.act(move |tx, video| request(tx, video, settings)).await.unwrap();
        if n % 3 == 0 {
            video.cancel().await;
        }
        assert!(app.count("SELECT count(*) FROM job").await <= 1);
    }
    video.cancel().await;
    assert_eq!(app.count("SELECT count(*) FROM job").await, 0);
}

#[both_stores]
async fn a_video_that_grew_too_long_while_it_waited_is_not_rendered(test: TestStore) {
    let app = App::new(test);
    let video = TestVideo::new(&app, "Riverside").await;
    video.ask().await;
    let scenes = json!({ "scenes": [{ "duration": 3600 }, { "duration": 3600 }] });
    app.patch(&video.path()).key(&video.tenant.key).json(&scenes).send().await.expect(200);
    app.run_jobs().await;
    assert_eq!(video.renderings().await.rendering.unwrap().error.unwrap().code, "video_not_renderable");
    assert!(app.renderer.rendered().is_empty());
    app.finish().await;
}
