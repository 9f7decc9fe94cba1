//! Drafts of single parts, for all kinds that have some.

use std::sync::Arc;
use std::time::Duration;

use engine::{Builtin, Part, PartMaterial, QuizItemKind};
use futures_util::future::join_all;
use kernel::model::ModelError;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::generation::Drafter;
use crate::testing::{App, Reply, Scripted, Step, Tenant, Wanted};

fn builtin() -> Drafter {
    Drafter::new(Arc::new(Builtin), "builtin")
}

/// The paths of the module, the video and the test that an expansion of a longer source makes, by the built-in generator.
async fn expanded(app: &App, tenant: &Tenant) -> [String; 3] {
    let job = app.expand(tenant, &tenant.long_source()).await;
    app.run_jobs_by(builtin()).await;
    let outputs = app.job(tenant, &job).await["outputs"].take();
    [(0, "modules"), (1, "videos"), (2, "tests")]
        .map(|(at, folder)| tenant.resources(&format!("{folder}/{}", outputs[at]["resourceId"].as_str().unwrap())))
}

/// The path of a deck of two slides.
async fn deck(app: &App, tenant: &Tenant) -> String {
    let slide =
        |title: &str| format!("<section class=\"slide\"><h2>{title}</h2><ul><li>{title} is one.</li></ul></section>");
    let content = slide("The cell") + &slide("Tissue");
    let made = app.make(tenant, "slides", &json!({ "title": "Life", "content": content })).await;
    tenant.resources(&format!("slides/{}", made["id"].as_str().unwrap()))
}

async fn draft(app: &App, tenant: &Tenant, path: &str, body: &Value) -> Reply {
    app.post(&format!("{path}/part-drafts")).key(&tenant.key).json(body).send().await
}

async fn read(app: &App, tenant: &Tenant, path: &str) -> Value {
    app.get(path).key(&tenant.key).send().await.expect(200)
}

/// What refused a draft: status, code, message, wait.
fn refusal(reply: &Reply) -> (u16, String, String, String) {
    let body = reply.json();
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    (reply.status.as_u16(), text("code"), text("message"), reply.header("retry-after").to_owned())
}

#[both_stores]
async fn another_item_of_a_test_is_drafted_until_the_source_gives_none_and_is_saved_as_any_change(test: TestStore) {
    let app = App::drafting_by(test, builtin());
    let tenant = app.tenant("Riverside").await;
    let [_, _, path] = expanded(&app, &tenant).await;
    let stored = read(&app, &tenant, &path).await;
    let before = app.stored().await;
    let mut asked: Vec<String> =
        stored["items"].as_array().unwrap().iter().map(|item| item["question"].as_str().unwrap().to_owned()).collect();
    let mut earlier: Vec<Value> = Vec::new();
    let ended = loop {
        let reply = draft(&app, &tenant, &path, &json!({ "place": 0, "earlierItems": earlier })).await;
        if reply.status.as_u16() != 200 {
            break refusal(&reply);
        }
        let drafted = reply.json();
        assert_eq!((&drafted["generator"], &drafted["instructionIgnored"]), (&json!("builtin"), &json!(false)));
        let question = drafted["item"]["question"].as_str().unwrap().to_owned();
        assert!(!asked.contains(&question), "{question} is asked already");
        asked.push(question);
        earlier.push(drafted["item"].clone());
        assert!(earlier.len() <= 20);
    };
    let message = "The source gives no other question.".to_owned();
    assert_eq!(ended, (409, "nothing_else".into(), message, String::new()));
    assert!(!earlier.is_empty());
    assert_eq!((app.stored().await, read(&app, &tenant, &path).await), (before, stored.clone()));
    let mut items = stored["items"].clone();
    items[0] = earlier[0].clone();
    for item in items.as_array_mut().unwrap() {
        item.as_object_mut().unwrap().remove("sequence");
    }
    app.patch(&path)
        .key(&tenant.key)
        .header("if-match", "\"1\"")
        .json(&json!({ "items": items }))
        .send()
        .await
        .expect(200);
    assert_eq!(read(&app, &tenant, &path).await["items"][0]["question"], earlier[0]["question"]);
}

#[both_stores]
async fn the_draft_of_each_kind_has_the_shape_of_its_resource(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let [module, video, quiz] = expanded(&app, &tenant).await;
    let deck = deck(&app, &tenant).await;
    let common = |place: u32| json!({ "place": place, "generator": "builtin", "instructionIgnored": true });
    let drafted = async |path: &str, body: Value| {
        let mut body = body;
        body["instruction"] = json!("Shorter, please.");
        draft(&app, &tenant, path, &body).await.expect(200)
    };
    let mut expected = common(1);
    expected["kind"] = json!("question");
    let present = json!([
        { "question": "a" },
        { "question": "b", "type": "true-false", "title": "Cells", "showFeedback": false },
    ]);
    expected["quiz"] = json!({
        "title": "Cells", "question": "What do all cells do", "type": "true-false", "options": ["True", "False"],
        "correctAnswers": ["True"], "showFeedback": false,
    });
    assert_eq!(drafted(&module, json!({ "kind": "question", "place": 1, "quizzes": present })).await, expected);
    let mut expected = common(0);
    expected["kind"] = json!("section");
    expected["section"] = json!("<section><h2>What do all cells do</h2><p>All cells divide.</p></section>\n");
    assert_eq!(drafted(&module, json!({ "kind": "section", "place": 0 })).await, expected);
    let mut expected = common(1);
    expected["slide"] =
        json!("<section class=\"slide\"><h2>What do all cells do</h2><ul><li>All cells divide.</li></ul></section>\n");
    assert_eq!(drafted(&deck, json!({ "place": 1 })).await, expected);
    let mut expected = common(0);
    expected["scene"] = json!({
        "script": "What do all cells do: all cells divide.", "displayText": "What do all cells do", "duration": 4.5,
    });
    assert_eq!(drafted(&video, json!({ "place": 0 })).await, expected);
    let mut expected = common(0);
    expected["item"] = json!({
        "question": "What do all cells do", "type": "blank", "options": [], "correctAnswers": ["Divide"],
        "explanation": "All cells divide.", "score": 1.0,
    });
    assert_eq!(drafted(&quiz, json!({ "place": 0, "items": [{ "type": "blank" }] })).await, expected);
}

#[both_stores]
async fn the_form_of_the_caller_counts_and_what_is_stored_where_it_sends_none(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let [module, video, quiz] = expanded(&app, &tenant).await;
    let deck = deck(&app, &tenant).await;
    let sent = json!({
        "place": 1, "instruction": "About walls.",
        "items": [{ "question": "One?" }, { "question": "", "type": "blank" }, { "question": "Three?", "correctAnswers": ["3"] }],
        "earlierItems": [{ "question": "Two?" }],
    });
    draft(&app, &tenant, &quiz, &sent).await.expect(200);
    let asked = app.script.parts().pop().unwrap();
    let question = |part: &Part| match part {
        Part::Question(asked) => asked.question.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!((question(&asked.present), asked.instruction.as_str()), (String::new(), "About walls."));
    assert_eq!(asked.others.iter().map(question).collect::<Vec<_>>(), ["One?", "Three?", "Two?"]);
    assert_eq!(asked.question_kinds.len(), 5);
    let own = json!({ "quizzes": [{ "question": "Alive?", "type": "true-false", "correctAnswers": ["True"] }] });
    app.patch(&module).key(&tenant.key).json(&own).send().await.expect(200);
    for (path, body, list) in [
        (&quiz, json!({ "place": 0 }), "items"),
        (&module, json!({ "kind": "question", "place": 0 }), "quizzes"),
        (&video, json!({ "place": 0 }), "scenes"),
    ] {
        let stored = read(&app, &tenant, path).await[list].as_array().unwrap().len();
        draft(&app, &tenant, path, &body).await.expect(200);
        assert_eq!(app.script.parts().pop().unwrap().others.len() + 1, stored, "{list}");
        let mut further = body.clone();
        further["place"] = json!(stored);
        draft(&app, &tenant, path, &further).await.expect(200);
        let asked = app.script.parts().pop().unwrap();
        assert_eq!(asked.others.len(), stored, "{list}: a further part");
    }
    draft(&app, &tenant, &module, &json!({ "kind": "question", "place": 0 })).await.expect(200);
    let kinds = app.script.parts().pop().unwrap().question_kinds;
    assert_eq!(kinds, [QuizItemKind::Select, QuizItemKind::Blank, QuizItemKind::TrueFalse]);
    draft(&app, &tenant, &deck, &json!({ "place": 1 })).await.expect(200);
    let asked = app.script.parts().pop().unwrap();
    let Part::Slide(present) = &asked.present else { panic!("{asked:?}") };
    assert!(present.contains("<h2>Tissue</h2>") && asked.others.len() == 1, "{asked:?}");
}

#[both_stores]
async fn the_source_of_the_expansion_is_the_material_and_modules_are_where_there_is_none(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let [module, _, quiz] = expanded(&app, &tenant).await;
    let material = async |path: &str, body: Value| {
        draft(&app, &tenant, path, &body).await.expect(200);
        app.script.parts().pop().unwrap().material
    };
    let PartMaterial::Level(level) = material(&quiz, json!({ "place": 0 })).await else { panic!("the source is kept") };
    assert_eq!((level.lessons.len(), level.lessons[1].title.as_deref()), (2, Some("Tissue")));
    // What names an expansion of somebody else, or of nobody, has no source.
    let foreign = app.expand(&other, &other.long_source()).await;
    for id in [json!(foreign), json!("nonsense"), json!(7)] {
        let path = &quiz;
        app.patch(path).key(&tenant.key).json(&json!({ "metadata": { "expansionId": id } })).send().await.expect(200);
        let PartMaterial::Modules(modules) = material(path, json!({ "place": 0 })).await else { panic!("{id}") };
        assert!(modules.iter().all(|found| module.ends_with(&found.id)), "{id}");
    }
    app.run_jobs().await;
    // A module's own text is material for its questions, and not for its sections.
    app.patch(&module).key(&tenant.key).json(&json!({ "metadata": null })).send().await.expect(200);
    let own = |found: PartMaterial| match found {
        PartMaterial::Modules(modules) => modules.iter().filter(|found| module.ends_with(&found.id)).count(),
        PartMaterial::Level(_) => panic!("nothing names the source"),
    };
    assert_eq!(own(material(&module, json!({ "kind": "question", "place": 0 })).await), 1);
    assert_eq!(own(material(&module, json!({ "kind": "section", "place": 0 })).await), 0);
}

#[both_stores]
async fn every_wrong_field_is_named_and_a_place_is_that_of_a_part_or_of_the_next_one(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let [module, video, quiz] = expanded(&app, &tenant).await;
    let deck = deck(&app, &tenant).await;
    let long = "x".repeat(501);
    for (path, body, expected) in [
        (&quiz, json!({}), &["place"][..]),
        (
            &quiz,
            json!({ "place": -1, "items": 7, "earlierItems": {}, "instruction": long }),
            &["place", "items", "earlierItems", "instruction"],
        ),
        (
            &quiz,
            json!({ "place": 0, "items": [{ "type": "essay", "question": 1, "correctAnswers": [""] }] }),
            &["items[0].question", "items[0].type", "items[0].correctAnswers[0]"],
        ),
        (&quiz, json!({ "place": 0, "earlierItems": vec![json!({}); 21] }), &["earlierItems"]),
        (&quiz, json!({ "place": 3, "items": [{}, {}] }), &["place"]),
        (&module, json!({ "place": 0 }), &["kind"]),
        (
            &module,
            json!({ "kind": "slide", "place": 0, "quizzes": [{ "type": "submission" }], "sections": [1] }),
            &["kind", "quizzes[0].type", "sections[0]"],
        ),
        (&module, json!({ "kind": "section", "place": 2, "sections": ["<p>a</p>"] }), &["place"]),
        (&deck, json!({ "place": 3 }), &["place"]),
        (&video, json!({ "place": 0, "scenes": [{ "script": 1 }] }), &["scenes[0].script"]),
    ] {
        assert_eq!(draft(&app, &tenant, path, &body).await.faults(), expected, "{body}");
    }
    draft(&app, &tenant, &quiz, &json!({ "place": 0, "instruction": "x".repeat(500) })).await.expect(200);
    draft(&app, &tenant, &quiz, &json!({ "place": 0, "items": [] })).await.expect(200);
    assert_eq!(app.script.parts().len(), 2, "what is refused is not drafted");
}

#[both_stores]
async fn what_is_not_there_or_not_whole_has_no_parts(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let [_, _, quiz] = expanded(&app, &tenant).await;
    let body = json!({ "place": 0 });
    app.post(&format!("{quiz}/part-drafts")).key(&other.key).json(&body).send().await.expect(404);
    draft(&app, &tenant, &tenant.resources("tests/7"), &body).await.expect(404);
    let queued = app.make(&tenant, "tests", &json!({ "topicPrompt": "Cells" })).await;
    let queued = tenant.resources(&format!("tests/{}", queued["id"].as_str().unwrap()));
    let refused = draft(&app, &tenant, &queued, &body).await;
    assert_eq!(refused.expect(409)["message"], "The resource is still being generated.");
    assert!(app.script.parts().is_empty());
}

#[both_stores]
async fn the_generators_failures_keep_their_codes_and_say_whether_to_wait(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let [_, _, quiz] = expanded(&app, &tenant).await;
    for (step, status, code, wait) in [
        (Step::Fail("nothing_else"), 409, "nothing_else", ""),
        (Step::Fail("model_declined"), 409, "model_declined", ""),
        (Step::Defer("model_unavailable"), 503, "model_unavailable", "5"),
        (Step::DeferFor(Duration::from_secs(9)), 503, "model_busy", "9"),
        (Step::Panic, 409, "generation_crashed", ""),
        // A draft that the gate refuses is none, whoever made it.
        (Step::SucceedAs(" "), 409, "draft_invalid", ""),
    ] {
        app.script.then(Wanted::Part, [step]);
        let (found, told, message, after) = refusal(&draft(&app, &tenant, &quiz, &json!({ "place": 0 })).await);
        assert_eq!((found, told.as_str(), after.as_str()), (status, code, wait));
        assert!(!message.is_empty());
    }
}

#[both_stores]
async fn a_draft_that_takes_too_long_is_given_up(test: TestStore) {
    let script = Arc::<crate::testing::Script>::default();
    let pause = script.pause(Wanted::Part);
    let drafter = Drafter::waiting(script.clone(), "model").waiting_for_parts(Duration::ZERO);
    let app = App::drafting_by(test, drafter);
    let tenant = app.tenant("Riverside").await;
    let deck = deck(&app, &tenant).await;
    let reply = draft(&app, &tenant, &deck, &json!({ "place": 0 })).await;
    let message = "The draft took longer than 0 seconds.".to_owned();
    assert_eq!(refusal(&reply), (503, "generation_timeout".into(), message, "5".into()));
    pause.end();
}

#[both_stores]
async fn of_an_organizations_drafts_two_are_made_at_a_time_and_eight_wait(test: TestStore) {
    let script = Arc::<crate::testing::Script>::default();
    let drafter = Drafter::new(script.clone(), "builtin");
    let app = App::drafting_by(test, drafter.clone());
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Hillside").await);
    let (deck, elsewhere) = (deck(&app, &tenant).await, deck(&app, &other).await);
    let (turns, organization) = (&drafter.part_turns, tenant.organization);
    let held = (turns.take(organization).await, turns.take(organization).await);
    let body = json!({ "place": 0 });
    let waiting = join_all((0..8).map(|_| draft(&app, &tenant, &deck, &body)));
    let meanwhile = async {
        while turns.waiting(&organization) < 8 {
            tokio::task::yield_now().await;
        }
        let refused = draft(&app, &tenant, &deck, &body).await;
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "5"));
        draft(&app, &other, &elsewhere, &body).await.expect(200);
        drop(held);
    };
    let (drafted, ()) = tokio::join!(waiting, meanwhile);
    assert_eq!(drafted.iter().filter(|reply| reply.status.as_u16() == 200).count(), 8);
}

#[both_stores]
async fn no_transaction_is_open_while_a_part_is_drafted(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let deck = deck(&app, &tenant).await;
    let pause = app.script.pause(Wanted::Part);
    let body = json!({ "place": 0 });
    let waiting = draft(&app, &tenant, &deck, &body);
    let meanwhile = async {
        pause.reached().await;
        app.patch(&deck).key(&tenant.key).json(&json!({ "title": "Changed" })).send().await.expect(200);
        pause.end();
    };
    let (reply, ()) = tokio::join!(waiting, meanwhile);
    reply.expect(200);
    assert_eq!(read(&app, &tenant, &deck).await["version"], 2);
}

#[both_stores]
async fn a_session_that_asks_for_drafts_leaves_no_entry_in_the_audit_log(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let cookie = app.admin_of("a@example.com", &[&tenant]).await;
    let deck = deck(&app, &tenant).await;
    let organization = tenant.organization.to_string();
    let acting = ("lectern-organization", organization.as_str());
    let before = app.count("SELECT count(*) FROM audit_entry").await;
    let draft = app.post(&format!("{deck}/part-drafts")).json(&json!({ "place": 0 }));
    draft.cookie(&cookie).header(acting.0, acting.1).send().await.expect(200);
    assert_eq!(app.count("SELECT count(*) FROM audit_entry").await, before);
    let change = app.patch(&deck).json(&json!({ "title": "Changed" }));
    change.cookie(&cookie).header(acting.0, acting.1).send().await.expect(200);
    assert_eq!(app.count("SELECT count(*) FROM audit_entry").await, before + 1, "a change leaves one");
}

#[both_stores]
async fn a_model_drafts_for_the_organization_with_the_instruction_and_a_fall_back_is_told(test: TestStore) {
    let model = Scripted::good();
    let app = App::drafting_by(test, model.drafter());
    let tenant = app.tenant("Riverside").await;
    let [_, _, quiz] = expanded(&app, &tenant).await;
    let body = json!({ "place": 0, "items": [{ "question": "Old?" }], "instruction": "About walls." });
    let drafted = draft(&app, &tenant, &quiz, &body).await.expect(200);
    assert_eq!((&drafted["generator"], &drafted["instructionIgnored"]), (&json!("model"), &json!(false)));
    assert_eq!(model.names(), ["questions"]);
    assert_eq!(model.tenants(), [tenant.organization.to_string()]);
    let test = app.test;
    let failing = Scripted::failing(|_| Some(ModelError::Declined));
    let app = App::drafting_by(test, failing.drafter().with_fallback(Arc::new(Builtin), "builtin"));
    let drafted = draft(&app, &tenant, &quiz, &body).await.expect(200);
    let told = (&drafted["generator"], &drafted["fallbackFrom"], &drafted["instructionIgnored"]);
    assert_eq!(told, (&json!("builtin"), &json!("model"), &json!(true)));
}
