use std::time::Duration;

use files::FileKey;
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use grading::{Attachment, AttachmentText};
use kernel::model::Picture;

use crate::testing::{App, EVALUATIONS, Form, OUTAGE_DELAYS, Reply, Tenant, exact, open};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";
const JPEG: &[u8] = b"\xff\xd8\xff\xe0rest";
const MEBIBYTE: usize = 1 << 20;

async fn start(test: TestStore) -> (App, Tenant) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    (app, tenant)
}

async fn send(app: &App, tenant: &Tenant, form: Form) -> Reply {
    app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form.into_bytes()).send().await
}

/// Fails unless nothing at all came of what was refused.
async fn assert_nothing_is_left(app: &App) {
    assert_eq!(app.count("SELECT count(*) FROM evaluation").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM evaluation_file").await, 0);
    assert_eq!(app.kept_files(), [""; 0]);
}

fn whole(text: &str) -> AttachmentText {
    AttachmentText::Whole(text.to_owned())
}

#[both_stores]
async fn a_form_is_judged_like_the_json_that_it_stands_for(test: TestStore) {
    let (app, tenant) = start(test).await;
    let body = json!({
        "evaluationType": "rubric_short_answer", "questionText": "Describe photosynthesis.", "learnerAnswer": "Sugar, ümlaut & 7",
        "tier": "fast", "language": "de", "maxScore": 20, "rubric": { "criteria": [{ "name": "All", "maxScore": 4 }] },
        "subject": "12", "submitter": { "learnerId": "l", "learnerName": "Ada" }, "conceptTags": ["light", "air"],
        "feedbackOptions": { "tone": "neutral" }, "mode": "sync", "clientMetadata": { "a": [1, { "b": null }] },
        "idempotencyKey": "k",
    });
    let first = app.evaluate(&tenant, &body).await;
    let again = send(&app, &tenant, Form::of(&body)).await;
    assert!(again.is_replay(), "the same request in another dress: {}", again.body);
    assert_eq!(again.expect(201)["id"], first["id"]);
    let mut other = body;
    other["idempotencyKey"] = json!("other");
    let formed = send(&app, &tenant, Form::of(&other)).await.expect(201);
    assert_eq!((&formed["maxScore"], &formed["clientMetadata"]), (&json!(20), &other["clientMetadata"]));
    let seen = app.script.seen();
    assert_eq!(
        (&seen[0].question, &seen[0].answer, seen[0].max_score),
        (&seen[1].question, &seen[1].answer, seen[1].max_score)
    );
    assert_eq!((&seen[0].criteria, &seen[0].subject), (&seen[1].criteria, &seen[1].subject));
    assert_eq!(app.count("SELECT evaluations FROM mastery WHERE concept = 'air'").await, 2);
    app.finish().await;
}

#[both_stores]
async fn tags_may_be_repeated_fields_and_empty_fields_were_not_filled_in(test: TestStore) {
    let (app, tenant) = start(test).await;
    let form = Form::of(&open())
        .field("conceptTags", "light")
        .field("conceptTags", "a, b")
        .field("tier", "")
        .field("rubric", " ")
        .field("maxScore", "")
        .field("learnerExternalId", "l")
        .field("unknown", "x")
        .field("conceptTags", "");
    let evaluation = send(&app, &tenant, form).await.expect(201);
    assert_eq!((&evaluation["tier"], &evaluation["maxScore"]), (&json!("advanced"), &json!(10)));
    assert_eq!(app.count("SELECT count(*) FROM mastery WHERE concept IN ('light', 'a, b')").await, 2);
    let mut silent = exact();
    silent["learnerAnswer"] = json!("");
    assert_eq!(send(&app, &tenant, Form::of(&silent)).await.expect(201)["score"], 0);
    app.finish().await;
}

#[both_stores]
async fn tags_are_given_in_one_way_or_the_other(test: TestStore) {
    let (app, tenant) = start(test).await;
    let both = Form::of(&open()).field("conceptTags", r#"["light"]"#).field("conceptTags", "air");
    assert_eq!(send(&app, &tenant, both).await.faults(), ["conceptTags"]);
    send(&app, &tenant, Form::of(&open()).field("conceptTags", "null")).await.expect(201);
    app.finish().await;
}

#[both_stores]
async fn a_file_field_that_nobody_chose_a_file_for_is_no_file(test: TestStore) {
    let (app, tenant) = start(test).await;
    let body = json!({ "evaluationType": "rubric_short_answer", "questionText": "Why?", "learnerAnswer": "Because." });
    let unchosen = |form: Form| form.file("rubricFiles", "", "application/octet-stream", "").field("answerFiles", "");
    assert_eq!(send(&app, &tenant, unchosen(Form::of(&body))).await.faults(), ["rubric"]);
    let graded = send(&app, &tenant, unchosen(Form::of(&open()))).await.expect(201);
    assert_eq!((&graded["rubricFiles"], &graded["answerFiles"]), (&json!([]), &json!([])));
    app.finish().await;
}

#[both_stores]
async fn the_text_of_files_reaches_the_grader_with_what_they_are_to_it(test: TestStore) {
    let (app, tenant) = start(test).await;
    let body =
        json!({ "evaluationType": "rubric_short_answer", "questionText": "Why?", "learnerAnswer": "See the file." });
    let form = Form::of(&body)
        .file("rubricFiles", "rubric.md", "text/markdown", "# Rubric\nNames Rayleigh.")
        .file("answerFiles", "answer.txt", "text/plain", "Rayleigh scattering, ümlaut.")
        .file("answerFiles", "second.txt", "text/plain", "And more.");
    let evaluation = send(&app, &tenant, form).await.expect(201);
    assert_eq!(evaluation["status"], "COMPLETED");
    let seen = app.script.seen();
    let attachment = |name: &str, text: &str| Attachment {
        file_name: name.to_owned(),
        text: whole(text),
        hides_text: false,
        picture: None,
    };
    assert_eq!(
        seen[0].answer_files,
        [attachment("answer.txt", "Rayleigh scattering, ümlaut."), attachment("second.txt", "And more.")]
    );
    assert_eq!(seen[0].rubric_files.len(), 1);
    let AttachmentText::Whole(rubric) = &seen[0].rubric_files[0].text else { panic!("{:?}", seen[0].rubric_files) };
    assert!(rubric.contains("Names Rayleigh."), "{rubric}");
    let names = |field: &str| {
        evaluation[field].as_array().unwrap().iter().map(|file| file["fileName"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (names("rubricFiles"), names("answerFiles")),
        (vec![json!("rubric.md")], vec![json!("answer.txt"), json!("second.txt")])
    );
    let file = &evaluation["answerFiles"][1];
    assert_eq!((&file["mimeType"], &file["size"]), (&json!("text/plain"), &json!(9)));
    assert_eq!(app.kept_files().len(), 3);
    let path = format!("{EVALUATIONS}/{}", evaluation["id"].as_str().unwrap());
    let shown = app.get(&path).key(&tenant.key).send().await.expect(200);
    assert_eq!(
        (&shown["rubricFiles"], &shown["answerFiles"]),
        (&evaluation["rubricFiles"], &evaluation["answerFiles"])
    );
    app.finish().await;
}

#[both_stores]
async fn files_are_typed_by_their_content_and_named_without_folders(test: TestStore) {
    let (app, tenant) = start(test).await;
    let form = Form::of(&open())
        .file("answerFiles", "../../notes.txt", "text/plain", PNG)
        .file("answerFiles", "picture.png", "image/png", "only text")
        .file("answerFiles", "run.exe", "application/pdf", b"MZ\x00\x01\x02\x03");
    let evaluation = send(&app, &tenant, form).await.expect(201);
    let files: Vec<_> = evaluation["answerFiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (file["fileName"].as_str().unwrap(), file["mimeType"].as_str().unwrap()))
        .collect();
    let expected = [("notes.txt", "image/png"), ("picture.png", "text/plain"), ("run.exe", "application/octet-stream")];
    assert_eq!(files, expected);
    let texts: Vec<_> = app.script.seen()[0].answer_files.iter().map(|file| file.text.clone()).collect();
    assert!(
        matches!(&texts[..], [AttachmentText::Unread(_), AttachmentText::Whole(text), AttachmentText::Unread(_)] if text == "only text"),
        "{texts:?}"
    );
    app.finish().await;
}

#[both_stores]
async fn a_model_is_shown_pictures_and_nobody_else_is(test: TestStore) {
    let app = App::with_model(test);
    let tenant = app.tenant("riverside").await;
    let form = |mode: &str| {
        let body = json!({ "evaluationType": "open_ended", "questionText": "Why?", "learnerAnswer": "", "processingMode": mode });
        Form::of(&body).file("answerFiles", "photo.png", "image/png", PNG)
    };
    let seen = send(&app, &tenant, form("auto").file("rubricFiles", "r.jpg", "image/jpeg", JPEG)).await.expect(201);
    assert_eq!(seen["status"], "COMPLETED", "a photo is an answer to who sees");
    let submission = app.script.seen().pop().unwrap();
    let picture = |mime_type: &str, bytes: &[u8]| Some(Picture::new(mime_type, bytes.into()));
    assert_eq!(submission.answer_files[0].picture, picture("image/png", PNG));
    assert_eq!(submission.rubric_files[0].picture, picture("image/jpeg", JPEG));
    let record = app
        .get(&format!("{EVALUATIONS}/{}/record", seen["id"].as_str().unwrap()))
        .key(&tenant.key)
        .send()
        .await
        .expect(200);
    assert_eq!(
        record["submission"]["answerFiles"][0]["picture"],
        json!({ "mimeType": "image/png", "sha256": kernel::secret::sha256_hex(PNG) })
    );
    assert!(record["files"].as_array().unwrap().iter().any(|file| file["sha256"] == kernel::secret::sha256_hex(PNG)));
    let unseen = send(&app, &tenant, form("builtin")).await.expect(201);
    assert_eq!(unseen["error"]["code"], "answer_unreadable");
    assert_eq!(app.balance(&tenant).await.1, json!(95));
    app.finish().await;
}

#[both_stores]
async fn files_never_cross_between_answers_however_many_are_graded_at_once(test: TestStore) {
    let app = App::with_model(test);
    let tenant = app.tenant("riverside").await;
    let made = join_all((0..12).map(|n| {
            let (app, tenant) = (&app, &tenant);
            async move {
                let body = json!({ "evaluationType": "open_ended", "questionText": "Why?", "learnerAnswer": format!("answer {n}"), "tier": "fast" });
                let picture = [PNG, format!("picture {n}").as_bytes()].concat();
                let form = Form::of(&body).file("answerFiles", "a.txt", "text/plain", format!("file {n}"))
                    .file("answerFiles", "a.png", "image/png", picture);
                (n, send(app, tenant, form).await.expect(201))
            }
        })).await;
    for submission in app.script.seen() {
        let n = submission.answer.strip_prefix("answer ").unwrap();
        assert_eq!(submission.answer_files[0].text, whole(&format!("file {n}")));
        assert!(
            submission.answer_files[1].picture.as_ref().unwrap().bytes.ends_with(format!("picture {n}").as_bytes())
        );
    }
    for (n, evaluation) in made {
        let path = format!("{EVALUATIONS}/{}/record", evaluation["id"].as_str().unwrap());
        let record = app.get(&path).key(&tenant.key).send().await.expect(200);
        let hashes: Vec<_> = record["files"].as_array().unwrap().iter().map(|file| file["sha256"].clone()).collect();
        let picture = [PNG, format!("picture {n}").as_bytes()].concat();
        let expected =
            [format!("file {n}").into_bytes(), picture].map(|bytes| json!(kernel::secret::sha256_hex(&bytes)));
        assert_eq!(
            (hashes.as_slice(), &record["submission"]["answerFiles"][0]["text"]["whole"]),
            (&expected[..], &json!(format!("file {n}")))
        );
    }
    app.finish().await;
}

#[both_stores]
async fn no_workspace_has_all_the_turns_for_pictures(test: TestStore) {
    let app = App::with_model(test);
    let (busy, quiet) = (app.tenant("busy").await, app.tenant("quiet").await);
    let shown = &app.platform.files.shown;
    let mut held = Vec::new();
    while let Some(turn) = shown.take(busy.workspace).now_or_never() {
        held.push(turn);
        assert!(held.len() < 8, "all of them");
    }
    let form = || Form::of(&open()).file("answerFiles", "b.png", "image/png", PNG);
    let mut waiting = Box::pin(send(&app, &busy, form()));
    while shown.waiting(&busy.workspace) < 2 {
        assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        tokio::task::yield_now().await;
    }
    send(&app, &quiet, form()).await.expect(201);
    assert_eq!(app.script.seen().len(), 1, "the quiet one's");
    drop(held);
    waiting.await.expect(201);
    app.finish().await;
}

#[both_stores]
async fn bytes_that_are_not_those_that_were_sent_are_not_read(test: TestStore) {
    let app = App::with_model(test);
    let tenant = app.tenant("riverside").await;
    let mut body = open();
    body["mode"] = json!("async");
    let form = Form::of(&body).file("answerFiles", "a.txt", "text/plain", "mine").file(
        "answerFiles",
        "b.png",
        "image/png",
        PNG,
    );
    send(&app, &tenant, form).await.expect(201);
    for name in app.kept_files() {
        let key = FileKey { workspace: tenant.workspace, file: name.parse().unwrap() };
        app.platform.files.store.delete(key).await.unwrap();
        app.platform.files.store.put(key, "another's".into()).await.unwrap();
    }
    app.run_jobs().await;
    let files = app.script.seen().pop().unwrap().answer_files;
    assert!(
        files.iter().all(|file| matches!(file.text, AttachmentText::Unread(_)) && file.picture.is_none()),
        "{files:?}"
    );
    app.finish().await;
}

#[both_stores]
async fn ten_files_a_field_and_no_more(test: TestStore) {
    let (app, tenant) = start(test).await;
    for field in ["rubricFiles", "answerFiles"] {
        let form = (0..11).fold(Form::of(&open()), |form, n| form.file(field, &format!("{n}.txt"), "text/plain", "x"));
        assert_eq!(send(&app, &tenant, form).await.faults(), [field]);
    }
    assert_nothing_is_left(&app).await;
    let form = (0..20).fold(Form::of(&open()), |form, n| {
        form.file(["rubricFiles", "answerFiles"][n % 2], &format!("{n}.txt"), "text/plain", "x")
    });
    send(&app, &tenant, form).await.expect(201);
    assert_eq!(app.kept_files().len(), 20);
    app.finish().await;
}

#[both_stores]
async fn files_may_have_10_mib_each_and_forms_25_in_all(test: TestStore) {
    let (app, tenant) = start(test).await;
    let of = |lengths: &[usize]| {
        lengths.iter().fold(Form::of(&open()), |form, length| {
            form.file("answerFiles", "a.bin", "application/octet-stream", vec![0; *length])
        })
    };
    for lengths in [&[10 * MEBIBYTE + 1][..], &[11 * MEBIBYTE], &[9 * MEBIBYTE, 9 * MEBIBYTE, 9 * MEBIBYTE]] {
        send(&app, &tenant, of(lengths)).await.expect(413);
    }
    assert_nothing_is_left(&app).await;
    let evaluation = send(&app, &tenant, of(&[10 * MEBIBYTE, 3 * MEBIBYTE])).await.expect(201);
    assert_eq!(evaluation["answerFiles"][0]["size"], 10 * MEBIBYTE);
    app.finish().await;
}

#[both_stores]
async fn wrong_json_in_a_form_is_named_with_every_other_fault(test: TestStore) {
    let (app, tenant) = start(test).await;
    let form = Form::default()
        .field("evaluationType", "rubric_short_answer")
        .field("learnerAnswer", "a")
        .field("rubric", "{")
        .field("submitter", "nonsense")
        .field("maxScore", "ten")
        .field("questionText", b"\xff\xfe");
    let mut faults = send(&app, &tenant, form).await.faults();
    faults.sort_unstable();
    faults.dedup();
    assert_eq!(faults, ["maxScore", "questionText", "rubric", "submitter"]);
    for (field, value, path) in [
        ("rubric", "[]", "rubric"),
        ("rubric", r#"{"criteria":[{"name":"A"}]}"#, "rubric.criteria[0].maxScore"),
        ("submitter", r#"{"learnerId":5}"#, "submitter.learnerId"),
        ("conceptTags", "[1]", "conceptTags[0]"),
        ("clientMetadata", "5", "clientMetadata"),
        ("clientMetadata", r#"{"a":1,"a":2}"#, "clientMetadata"),
        ("maxScore", "-1", "maxScore"),
        ("tier", "gold", "tier"),
        ("subject", "a\0b", "subject"),
        ("questionText", "twice", "questionText"),
        ("idempotencyKey", "a b", "idempotencyKey"),
    ] {
        assert_eq!(
            send(&app, &tenant, Form::of(&open()).field(field, value)).await.faults(),
            [path],
            "{field}={value}"
        );
    }
    assert_nothing_is_left(&app).await;
}

#[both_stores]
async fn what_is_no_whole_form_is_400(test: TestStore) {
    let (app, tenant) = start(test).await;
    let whole = Form::of(&open()).file("answerFiles", "a.txt", "text/plain", "text").into_bytes();
    for body in
        [&b""[..], b"nonsense", &whole[..whole.len() / 2], &whole[..whole.len() - 10], b"--between-the-parts\r\n\r\n"]
    {
        app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, body.to_vec()).send().await.expect(400);
    }
    for content_type in ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=other"]
    {
        app.post(EVALUATIONS).key(&tenant.key).raw(content_type, whole.clone()).send().await.expect(400);
    }
    let many = (0..300).fold(Form::of(&open()), |form, n| form.field(&format!("f{n}"), "x"));
    send(&app, &tenant, many).await.expect(400);
    app.post(EVALUATIONS)
        .key(&tenant.key)
        .raw("multipart/mixed; boundary=between-the-parts", whole.clone())
        .send()
        .await
        .expect(415);
    app.post(EVALUATIONS).raw(Form::CONTENT_TYPE, whole).send().await.expect(401);
    assert_nothing_is_left(&app).await;
}

#[both_stores]
async fn the_same_key_with_another_file_is_a_conflict_and_leaves_no_bytes_behind(test: TestStore) {
    let (app, tenant) = start(test).await;
    let with = |text: &str| {
        let form = Form::of(&open()).file("answerFiles", "a.txt", "text/plain", text);
        app.post(EVALUATIONS).key(&tenant.key).idempotency("k").raw(Form::CONTENT_TYPE, form.into_bytes())
    };
    let first = with("one").send().await.expect(201);
    let kept = app.kept_files();
    assert_eq!(kept.len(), 1);
    let again = with("one").send().await;
    assert!(again.is_replay());
    assert_eq!(again.expect(201)["id"], first["id"]);
    let refused = with("two").send().await.expect(409);
    assert_eq!(refused["error"]["code"], "platform_conflict");
    app.post(EVALUATIONS).key(&tenant.key).idempotency("k").json(&open()).send().await.expect(409);
    assert_eq!(app.kept_files(), kept);
    app.finish().await;
}

#[both_stores]
async fn of_many_forms_with_one_key_at_once_one_is_graded_and_its_files_are_kept(test: TestStore) {
    let (app, tenant) = start(test).await;
    let form = Form::of(&open()).file("answerFiles", "a.txt", "text/plain", "one").into_bytes();
    let send = || app.post(EVALUATIONS).key(&tenant.key).idempotency("k").raw(Form::CONTENT_TYPE, form.clone()).send();
    let replies = join_all((0..6).map(|_| send())).await;
    let ids: Vec<Value> = replies.iter().map(|reply| reply.expect(201)["id"].clone()).collect();
    assert!(ids.iter().all(|id| *id == ids[0]));
    assert_eq!((app.kept_files().len(), app.script.seen().len()), (1, 1));
    app.finish().await;
}

#[both_stores]
async fn an_answer_of_which_nothing_can_be_read_fails_and_costs_nothing(test: TestStore) {
    let (app, tenant) = start(test).await;
    for kind in [exact(), open()] {
        let mut body = kind;
        body["learnerAnswer"] = json!("");
        let form = Form::of(&body).file("answerFiles", "scan.png", "image/png", PNG);
        let failed = send(&app, &tenant, form).await.expect(201);
        assert_eq!((&failed["status"], &failed["score"]), (&json!("FAILED"), &Value::Null), "{failed}");
        assert_eq!(failed["error"]["code"], "answer_unreadable");
    }
    assert!(app.script.seen().is_empty());
    assert_eq!(app.balance(&tenant).await.1, json!(100));
    app.finish().await;
}

#[both_stores]
async fn the_feedback_on_an_exact_answer_names_the_files_that_were_not_read(test: TestStore) {
    let (app, tenant) = start(test).await;
    let form = Form::of(&exact()).file("answerFiles", "scan.png", "image/png", PNG);
    let graded = send(&app, &tenant, form).await.expect(201);
    assert_eq!((&graded["status"], &graded["score"]), (&json!("COMPLETED"), &json!(10)));
    assert!(graded["feedbackSummary"].as_str().unwrap().contains("scan.png"), "{graded}");
    assert!(graded["confidence"].as_f64().unwrap() <= 0.2, "{graded}");
    app.finish().await;
}

#[both_stores]
async fn files_that_are_away_for_long_fail_the_evaluation_and_give_its_price_back(test: TestStore) {
    let (app, tenant) = start(test).await;
    let mut body = open();
    body["mode"] = json!("async");
    let form = Form::of(&body).file("answerFiles", "a.txt", "text/plain", "one");
    let id = send(&app, &tenant, form).await.expect(201)["id"].as_str().unwrap().to_owned();
    app.lose_files();
    let mut runs = 0;
    let path = format!("{EVALUATIONS}/{id}");
    let ended = loop {
        runs += app.run_jobs().await;
        let shown = app.get(&path).key(&tenant.key).send().await.expect(200);
        if shown["isTerminal"] == true {
            break shown;
        }
        app.test.clock.advance(Duration::from_secs(600));
        assert!(runs < 100, "it never ends");
    };
    assert_eq!((&ended["status"], &ended["error"]["code"]), (&json!("FAILED"), &json!("files_unavailable")));
    assert_eq!(runs, 1 + OUTAGE_DELAYS.len(), "the store may come back");
    assert_eq!(app.balance(&tenant).await.1, json!(100));
    app.finish().await;
}

#[both_stores]
async fn who_can_not_pay_leaves_no_bytes_behind(test: TestStore) {
    let (app, tenant) = start(test).await;
    for _ in 0..20 {
        app.evaluate(&tenant, &open()).await;
    }
    let form = Form::of(&open()).file("answerFiles", "a.txt", "text/plain", "one");
    send(&app, &tenant, form).await.expect(403);
    assert_eq!(app.kept_files(), [""; 0]);
    app.finish().await;
}
