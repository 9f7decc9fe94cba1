//! Direct generations that a language model writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kernel::model::ModelError;

use super::*;
use crate::testing::Scripted;

/// Enough to be told, so that what is written is held against it.
const TEXT: &str = "A cell is the smallest unit of life. Every plant is made of such cells. The wall keeps a plant firm. Light \
    gives plants their energy. Animals have no walls. The nucleus holds the plan. A membrane lets water through. Many cells \
    of one kind make a tissue. Muscle moves the bones. Skin keeps bodies dry. Blood carries oxygen. Nerves lead signals. \
    Fat stores food. Bark protects a tree. Roots drink from the soil. An organ does one task. The heart pumps blood. The \
    lungs take in air. The stomach breaks down meals. The liver cleans what we eat. Kidneys make urine. The brain thinks. \
    Eyes see colours. Ears hear sounds. Hands hold tools. Feet carry the weight.";

fn body_of(kind: Kind) -> Value {
    match kind {
        Kind::Course | Kind::Video => json!({ "title": "Life", "description": TEXT, "generate": true }),
        Kind::Slide => json!({ "title": "Life", "outline": TEXT }),
        _ => json!({ "topicPrompt": TEXT }),
    }
}

#[both_stores]
async fn a_model_fills_whatever_is_asked_for(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        let path = make(&app, &tenant, kind, &body_of(kind)).await;
        let model = Scripted::good();
        app.run_jobs_by(model.drafter()).await;
        let made = read(&app, &tenant, &path).await;
        assert_eq!(made["status"], "completed", "{made}");
        assert!(parts_of(&made) > 0, "{made}");
        assert_eq!(made["metadata"]["generator"], "model");
        assert!(made["metadata"].get("ownKnowledge").is_none() && made["metadata"].get("fallbackFrom").is_none());
    }
    assert_eq!(app.count("SELECT count(*) FROM generation_part").await, 0);
    app.finish().await;
}

#[both_stores]
async fn a_topic_alone_is_written_from_the_models_knowledge_and_says_so(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Video).await;
    app.run_jobs_by(Scripted::good().drafter()).await;
    let made = read(&app, &tenant, &path).await;
    assert_eq!((&made["status"], &made["metadata"]["ownKnowledge"]), (&json!("completed"), &json!(true)));
    app.finish().await;
}

#[both_stores]
async fn parts_are_kept_from_one_try_to_the_next(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make(&app, &tenant, Kind::Test, &body_of(Kind::Test)).await;
    let away = Arc::new(AtomicBool::new(true));
    let is_away = away.clone();
    let model = Scripted::failing(move |asked| {
        (asked.name == "questions" && is_away.load(Ordering::SeqCst)).then_some(ModelError::TimedOut)
    });
    app.run_jobs_by(model.drafter()).await;
    assert_eq!(status_of(&app, &tenant, &path).await, "processing");
    assert_eq!(app.count("SELECT count(*) FROM generation_part").await, 1, "the outline");
    away.store(false, Ordering::SeqCst);
    app.test.clock.advance(Duration::from_secs(5));
    app.run_jobs_by(model.drafter()).await;
    assert_eq!(status_of(&app, &tenant, &path).await, "completed");
    assert_eq!(model.names().iter().filter(|name| **name == "quiz_outline").count(), 1);
    app.finish().await;
}

#[both_stores]
async fn the_fall_back_of_a_direct_generation_is_told_in_its_metadata(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        let path = make(&app, &tenant, kind, &body_of(kind)).await;
        let model = Scripted::failing(|_| Some(ModelError::Misconfigured));
        app.run_jobs_by(model.drafter().with_fallback(Arc::new(engine::Builtin), "builtin")).await;
        let made = read(&app, &tenant, &path).await;
        assert_eq!(made["status"], "completed", "{made}");
        let said = (&made["metadata"]["generator"], &made["metadata"]["fallbackFrom"]);
        assert_eq!(said, (&json!("builtin"), &json!("model")));
    }
    app.finish().await;
}

#[both_stores]
async fn topics_without_material_are_named_in_the_metadata(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    app.make(
        &tenant,
        "modules",
        &json!({ "title": "Cells", "content": "<p>A cell is the smallest unit of life.</p>" }),
    )
    .await;
    let drafter = || {
        let model = Scripted::failing(|_| Some(ModelError::Misconfigured));
        model.drafter().with_fallback(Arc::new(engine::Builtin), "builtin")
    };
    // A course's modules are modules of the classroom, so courses come last.
    for kind in KINDS.into_iter().rev() {
        for (topic, without) in [("Plate tectonics", json!(["Plate tectonics"])), ("Cells", Value::Null)] {
            let body = match kind {
                Kind::Course | Kind::Video => json!({ "title": topic, "generate": true }),
                Kind::Slide => json!({ "title": topic, "outline": topic }),
                _ => json!({ "topicPrompt": topic }),
            };
            let path = make(&app, &tenant, kind, &body).await;
            app.run_jobs_by(drafter()).await;
            let made = read(&app, &tenant, &path).await;
            assert_eq!(
                (&made["status"], &made["metadata"]["withoutMaterial"]),
                (&json!("completed"), &without),
                "{made}"
            );
        }
    }
    app.finish().await;
}
