//! The editor of resources: what its forms send, what they refuse to overwrite, and what can be undone.

use axum::Router;
use http::header::IF_MATCH;
use http::{Method, StatusCode};
use scraper::{ElementRef, Html, Selector};
use serde_json::{Value, json};

use crate::browser::{Page, open, submit};
use crate::fake::{Call, Fake, id_in};

fn address(kind: &str) -> String {
    format!("/console/organizations/{}/classrooms/{}/{kind}/x-1", id_in("organizations"), id_in("classrooms"))
}

/// The fields of the page's form, as a browser would send them.
fn fields(page: &Page) -> Vec<(String, String)> {
    let document = Html::parse_document(&page.body);
    let selector = Selector::parse("form[data-editor] :is(input, textarea, select)[name]").unwrap();
    document.select(&selector).filter_map(field).collect()
}

fn field(element: ElementRef<'_>) -> Option<(String, String)> {
    // What is in a template is no part of the form.
    let is_blank = element.ancestors().filter_map(ElementRef::wrap).any(|above| above.value().name() == "template");
    let is_off = element.attr("type") == Some("checkbox") && element.attr("checked").is_none();
    let value = match element.value().name() {
        "textarea" => element.text().collect::<String>().replace('\n', "\r\n"),
        "select" => {
            let chosen = Selector::parse("option[selected]").unwrap();
            element.select(&chosen).next()?.attr("value")?.to_owned()
        }
        _ => element.attr("value").unwrap_or_default().replace('\n', "\r\n"),
    };
    (!is_blank && !is_off).then(|| (element.attr("name").unwrap().to_owned(), value))
}

fn encoded(fields: &[(String, String)]) -> String {
    let encode = |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02X}")).collect() };
    let pairs: Vec<String> = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
    pairs.join("&")
}

fn set(fields: &mut [(String, String)], name: &str, value: &str) {
    let field = fields.iter_mut().find(|field| field.0 == name);
    value.clone_into(&mut field.unwrap_or_else(|| panic!("no field {name}")).1);
}

async fn press(console: &Router, kind: &str, fields: &[(String, String)], act: &str) -> Page {
    let all = [fields, &[("do".to_owned(), act.to_owned())]].concat();
    submit(console, &address(kind), &encoded(&all)).await
}

fn version(call: &Call) -> &str {
    call.headers[IF_MATCH].to_str().unwrap()
}

#[tokio::test]
async fn a_form_that_is_sent_as_it_was_shown_writes_nothing() {
    for kind in ["courses", "modules", "slides", "tests", "videos"] {
        let fake = Fake::default();
        let console = fake.console();
        let page = open(&console, &address(kind)).await;
        let answer = press(&console, kind, &fields(&page), "save").await;
        assert_eq!(answer.location(), format!("{}?done=nothing-changed", address(kind)), "{kind}");
        assert_eq!(fake.writes().len(), 0, "{kind}");
    }
}

#[tokio::test]
async fn a_save_sends_what_differs_for_the_version_that_was_shown() {
    let fake = Fake::default();
    let console = fake.console();
    let page = open(&console, &address("modules")).await;
    let mut form = fields(&page);
    set(&mut form, "title", "Rain");
    let answer = press(&console, "modules", &form, "save").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let writes = fake.writes();
    assert_eq!((writes[0].method.clone(), &writes[0].body), (Method::PATCH, &json!({ "title": "Rain" })));
    assert_eq!(version(&writes[0]), "\"1\"");
    assert!(writes[0].path.ends_with("/modules/x-1"));
    assert_eq!(writes[0].headers["lectern-organization"].to_str().unwrap(), id_in("organizations"));
}

#[tokio::test]
async fn a_changed_question_keeps_its_id_and_the_others_stay_as_they_are() {
    let fake = Fake::default();
    let console = fake.console();
    let page = open(&console, &address("tests")).await;
    let mut form = fields(&page);
    set(&mut form, "item-0-question", "What is a watershed?");
    press(&console, "tests", &form, "save").await;
    let body = &fake.writes()[0].body;
    let stored: Value = serde_json::from_str(include_str!("../samples/test.json")).unwrap();
    let (sent, kept) = (body["items"].as_array().unwrap(), stored["items"].as_array().unwrap());
    assert_eq!(sent.len(), kept.len());
    assert_eq!((&sent[0]["question"], &sent[0]["id"]), (&json!("What is a watershed?"), &kept[0]["id"]));
    for member in ["id", "type", "question", "correctAnswers", "explanation"] {
        assert_eq!(sent[1][member], kept[1][member], "{member}");
    }
    assert_eq!(sent[1]["score"].as_f64(), kept[1]["score"].as_f64());
}

#[tokio::test]
async fn what_a_save_replaced_can_be_brought_back() {
    let fake = Fake::default();
    let console = fake.console();
    let page = open(&console, &address("modules")).await;
    let mut form = fields(&page);
    set(&mut form, "title", "Rain");
    let saved = press(&console, "modules", &form, "save").await;
    let undo = format!("form[action=\"{}/undo\"] input", address("modules"));
    let (names, values) = (saved.attributes(&undo, "name"), saved.attributes(&undo, "value"));
    let undo: Vec<(String, String)> = names.into_iter().zip(values).collect();
    let undone = submit(&console, &format!("{}/undo", address("modules")), &encoded(&undo)).await;
    assert!(undone.texts("main [role=status]")[0].starts_with("Undone."), "{}", undone.body);
    let write = &fake.writes()[1];
    assert_eq!((&write.body, version(write)), (&json!({ "title": "The water cycle" }), "\"2\""));
}

#[tokio::test]
async fn nothing_but_what_a_form_can_change_is_undone() {
    let fake = Fake::default();
    let members = "version=1&members=%7B%22title%22%3A%22A%22%2C%22metadata%22%3Anull%2C%22id%22%3A%22x%22%7D";
    submit(&fake.console(), &format!("{}/undo", address("modules")), members).await;
    assert_eq!(fake.writes()[0].body, json!({ "title": "A" }));
}

#[tokio::test]
async fn a_form_of_another_version_overwrites_nothing_until_it_is_sent_again() {
    let fake = Fake::default();
    let console = fake.console();
    let page = open(&console, &address("modules")).await;
    let mut form = fields(&page);
    set(&mut form, "title", "Rain");
    set(&mut form, "version", "7");
    let conflict = press(&console, "modules", &form, "save").await;
    assert_eq!(conflict.status, StatusCode::CONFLICT);
    assert!(conflict.texts("[role=alert]")[0].contains("differ from what is stored now in the title"));
    assert_eq!(conflict.attributes("#f-title", "value"), ["Rain"]);
    assert_eq!(fake.writes().len(), 0);
    press(&console, "modules", &fields(&conflict), "save").await;
    assert_eq!(version(&fake.writes()[0]), "\"1\"");
}

#[tokio::test]
async fn somebody_who_saves_between_the_look_and_the_write_is_not_overwritten() {
    let body = json!({ "statusCode": 412, "message": "It has changed.", "error": "Precondition Failed" });
    let fake = Fake { refusal: Some((412, body)), ..Fake::default() };
    let console = fake.console();
    let page = open(&console, &address("slides")).await;
    let mut form = fields(&page);
    set(&mut form, "description", "Words");
    let conflict = press(&console, "slides", &form, "save").await;
    assert_eq!(conflict.status, StatusCode::CONFLICT);
    assert!(conflict.texts("#f-description")[0].contains("Words"));
}

#[tokio::test]
async fn a_refused_question_is_named_by_its_number_and_no_word_is_lost() {
    let details = json!([{ "path": "items[1].options", "message": "must have at least 2 entries" }]);
    let body =
        json!({ "statusCode": 400, "message": "The request is invalid.", "error": "Bad Request", "details": details });
    let fake = Fake { refusal: Some((400, body)), ..Fake::default() };
    let console = fake.console();
    let page = open(&console, &address("tests")).await;
    let mut form = fields(&page);
    set(&mut form, "title", "Mine");
    let answer = press(&console, "tests", &form, "save").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_eq!(answer.texts("[role=alert] li"), ["Question 2: an option must have at least 2 entries."]);
    assert_eq!(answer.attributes("#f-title", "value"), ["Mine"]);
}

#[tokio::test]
async fn a_refused_title_is_marked_and_says_why() {
    let details = json!([{ "path": "title", "message": "must not be empty" }]);
    let fake = Fake { refusal: Some((400, json!({ "message": "No.", "details": details }))), ..Fake::default() };
    let console = fake.console();
    let mut form = fields(&open(&console, &address("slides")).await);
    set(&mut form, "title", " ");
    let answer = press(&console, "slides", &form, "save").await;
    assert_eq!(answer.attributes("form [aria-invalid=true]", "id"), ["f-title"]);
    assert_eq!(answer.texts("#h-title"), ["The title must not be empty."]);
    assert_eq!(answer.texts("[data-refusal] strong"), ["Nothing is saved yet. Check the marked fields."]);
    assert_eq!(answer.texts("[data-refusal] li"), [""; 0]);
}

#[tokio::test]
async fn without_script_entries_move_come_and_go_before_anything_is_saved() {
    let fake = Fake::default();
    let console = fake.console();
    let page = open(&console, &address("tests")).await;
    let keys = |page: &Page| -> Vec<String> {
        fields(page).into_iter().filter(|(name, _)| name == "item").map(|(_, key)| key).collect()
    };
    let before = keys(&page);
    let page = press(&console, "tests", &fields(&page), "down:item:0").await;
    assert_eq!(keys(&page)[..2], [before[1].clone(), before[0].clone()]);
    let page = press(&console, "tests", &fields(&page), "remove:item:0").await;
    let page = press(&console, "tests", &fields(&page), "add:item").await;
    assert_eq!(page.texts("main [role=status]")[0], "The form below is changed and not saved yet.");
    assert_eq!(keys(&page).last().unwrap(), "n1");
    assert_eq!(keys(&page).len(), before.len());
    assert!(!keys(&page).contains(&"0".to_owned()));
    assert_eq!(fake.writes().len(), 0);
}

#[tokio::test]
async fn sections_that_change_places_stay_inside_what_holds_them() {
    let fake = Fake::default();
    let console = fake.console();
    let page = open(&console, &address("modules")).await;
    let page = press(&console, "modules", &fields(&page), "up:part:1").await;
    press(&console, "modules", &fields(&page), "save").await;
    let content = fake.writes()[0].body["content"].as_str().unwrap().to_owned();
    assert!(content.starts_with("<article lang=\"en\" dir=\"ltr\">\n<section id=\"lesson-1\""), "{content}");
    assert!(content.ends_with("</article>"), "{content}");
}

#[tokio::test]
async fn a_part_is_shown_in_a_frame_that_runs_and_sends_nothing() {
    let page = open(&Fake::default().console(), &address("modules")).await;
    let sandboxes = page.attributes("iframe", "sandbox");
    assert!(!sandboxes.is_empty() && sandboxes.iter().all(|sandbox| sandbox == "allow-same-origin"), "{sandboxes:?}");
    assert!(page.attributes("iframe", "src").is_empty());
    assert!(page.header("content-security-policy").starts_with("default-src 'none'; script-src 'self';"));
}

#[tokio::test]
async fn only_kinds_that_can_be_generated_again_are() {
    let fake = Fake::default();
    let answer = submit(&fake.console(), &format!("{}/retry", address("tests")), "").await;
    assert_eq!(answer.location(), format!("{}?done=resource-retried", address("tests")));
    assert!(fake.writes()[0].path.ends_with("/tests/x-1/retry"));
    let answer = submit(&fake.console(), &format!("{}/retry", address("modules")), "").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn another_version_of_a_question_takes_its_place_in_the_form_and_nothing_is_saved() {
    let fake = Fake::default();
    let console = fake.console();
    let page = open(&console, &address("tests")).await;
    let mut form = fields(&page);
    set(&mut form, "title", "Typed and not saved");
    set(&mut form, "item-0-question", "Typed question?");
    set(&mut form, "item-0-score", "7");
    set(&mut form, "item-1-instruction", "About snow.");
    let page = press(&console, "tests", &form, "redraft:item:1").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    let calls = fake.writes();
    let [call] = &calls[..] else { panic!("{calls:?}") };
    assert!(call.method == Method::POST && call.path.ends_with("/tests/x-1/part-drafts"), "{call:?}");
    assert_eq!((&call.body["place"], &call.body["instruction"]), (&json!(1), &json!("About snow.")));
    assert_eq!(call.body["items"][0]["question"], "Typed question?");
    assert_eq!((&call.body["earlierItems"], &call.body["items"][0]["score"]), (&json!([]), &Value::Null));
    assert_eq!(call.headers["lectern-organization"].to_str().unwrap(), id_in("organizations"));
    let shown = fields(&page);
    let value = |name: &str| shown.iter().find(|field| field.0 == name).unwrap().1.trim().to_owned();
    assert_eq!((value("title"), value("item-0-question")), ("Typed and not saved".into(), "Typed question?".into()));
    assert_eq!(value("item-1-question"), "What is drafted 0?");
    let stored: Value = serde_json::from_str(include_str!("../samples/test.json")).unwrap();
    let own = &stored["items"][1];
    assert_eq!(value("item-1-id"), own["id"].as_str().unwrap());
    assert_eq!(value("item-1-score").parse::<f64>().unwrap(), own["score"].as_f64().unwrap(), "the points stay");
    assert_eq!(page.attributes("[name=item-1-right][checked]", "value"), ["1"]);
    let told = page.texts("#item-1-entry .versions [role=status]");
    let ignored = "The built-in generator ignores the instruction.";
    assert_eq!(told, [format!("This version is not saved yet. {ignored}")]);
    assert!(page.texts("#item-0-entry .versions [role]").is_empty());
    assert_eq!(page.texts("main [role=status]")[0], "The form below is changed and not saved yet.");
}

#[tokio::test]
async fn earlier_versions_do_not_come_again_and_can_be_brought_back_one_by_one() {
    for (kind, entry, name) in [
        ("tests", "item:0", "item-0-question"),
        ("modules", "item:0", "item-0-question"),
        ("modules", "part:0", "part-0"),
        ("slides", "part:0", "part-0"),
    ] {
        let fake = Fake::default();
        let console = fake.console();
        let mut page = open(&console, &address(kind)).await;
        let value = |page: &Page| fields(page).into_iter().find(|field| field.0 == name).unwrap().1;
        let first = value(&page);
        for before in 0..2 {
            page = press(&console, kind, &fields(&page), &format!("redraft:{entry}")).await;
            assert!(value(&page).contains(&format!("rafted {before}")), "{kind} {entry}: {}", value(&page));
        }
        let body = &fake.writes()[1].body;
        let members = ["earlierItems", "earlierQuizzes", "earlierSections", "earlierSlides"];
        let sent: Vec<&Value> = members.iter().map(|member| &body[*member]).filter(|sent| !sent.is_null()).collect();
        assert!(sent.len() == 1 && sent[0].as_array().unwrap().len() == 1, "{kind} {entry}: {body}");
        page = press(&console, kind, &fields(&page), &format!("back:{entry}")).await;
        assert!(value(&page).contains("rafted 0"), "{kind} {entry}");
        // What was put back counts as shown, too: the next draft is told of it.
        let next = press(&console, kind, &fields(&page), &format!("redraft:{entry}")).await;
        assert!(value(&next).contains("rafted 2"), "{kind} {entry}: {}", value(&next));
        page = press(&console, kind, &fields(&page), &format!("back:{entry}")).await;
        assert_eq!(value(&page).trim(), first.trim(), "{kind} {entry}");
        assert!(page.texts(".versions [role=status]").is_empty(), "{kind} {entry}");
        let saved = press(&console, kind, &fields(&page), "save").await;
        assert_eq!(saved.location(), format!("{}?done=nothing-changed", address(kind)), "{kind} {entry}");
    }
}

#[tokio::test]
async fn another_version_is_saved_as_any_change() {
    let fake = Fake::default();
    let console = fake.console();
    let page = open(&console, &address("modules")).await;
    let page = press(&console, "modules", &fields(&page), "redraft:part:1").await;
    let body = fake.writes()[0].body.clone();
    assert_eq!((&body["kind"], &body["place"]), (&json!("section"), &json!(1)));
    press(&console, "modules", &fields(&page), "save").await;
    let write = &fake.writes()[1];
    assert_eq!((write.method.clone(), version(write)), (Method::PATCH, "\"1\""));
    let content = write.body["content"].as_str().unwrap();
    assert!(content.contains("<section><h2>Drafted 0</h2></section>\n"), "{content}");
    assert_eq!(write.body.as_object().unwrap().len(), 1, "nothing else is sent");
}

#[tokio::test]
async fn why_there_is_no_other_version_is_told_at_the_part_and_no_word_is_lost() {
    for (status, code) in [(409, "nothing_else"), (503, "model_busy")] {
        let message = "The source gives no other question.";
        let body = json!({ "statusCode": status, "message": message, "error": "Conflict", "code": code });
        let fake = Fake { refusal: Some((status, body)), ..Fake::default() };
        let console = fake.console();
        let page = open(&console, &address("tests")).await;
        let mut form = fields(&page);
        set(&mut form, "title", "Mine");
        let answer = press(&console, "tests", &form, "redraft:item:0").await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.texts("#item-0-entry [role=alert]"), [message]);
        assert_eq!(answer.attributes("#f-title", "value"), ["Mine"]);
        assert_eq!(
            fields(&answer).iter().find(|field| field.0 == "item-0-question"),
            form.iter().find(|field| field.0 == "item-0-question")
        );
    }
}

#[tokio::test]
async fn a_part_that_is_not_in_the_form_and_a_kind_without_parts_ask_for_nothing() {
    let fake = Fake::default();
    let console = fake.console();
    for (kind, act) in [
        ("tests", "redraft:item:99"),
        ("tests", "redraft:part:0"),
        ("courses", "redraft:item:0"),
        ("videos", "back:part:0"),
    ] {
        let page = open(&console, &address(kind)).await;
        assert_eq!(press(&console, kind, &fields(&page), act).await.status, StatusCode::OK, "{kind} {act}");
    }
    assert_eq!(fake.writes().len(), 0);
}

#[tokio::test]
async fn hostile_texts_of_a_draft_are_shown_as_text() {
    let fake = Fake { is_hostile: true, ..Fake::default() };
    let console = fake.console();
    let page = open(&console, &address("tests")).await;
    let mut form = fields(&page);
    form.push(("item-0-earlier".to_owned(), "{\"question\":\"<script>alert(1)</script>\"}".to_owned()));
    form.push(("item-1-earlier".to_owned(), "no JSON".to_owned()));
    let answer = press(&console, "tests", &form, "back:item:0").await;
    assert!(!answer.body.contains("<script>alert(1)"), "{}", answer.body);
    let answer = press(&console, "tests", &form, "back:item:1").await;
    let question = |form: &[(String, String)]| form.iter().find(|field| field.0 == "item-1-question").cloned();
    assert_eq!(question(&fields(&answer)), question(&form), "what can't be read is left out");
    for (kind, act) in [("tests", "redraft:item:0"), ("modules", "redraft:part:0"), ("slides", "redraft:part:0")] {
        let mut form = fields(&open(&console, &address(kind)).await);
        if let Some(part) = form.iter_mut().find(|field| field.0 == "part-0") {
            part.1 = "<section><h2>Present</h2></section>".to_owned();
        }
        let answer = press(&console, kind, &form, act).await;
        assert_eq!(answer.status, StatusCode::OK);
        let hostile = ["<script>alert(1)", "</textarea><script", "<img src=x onerror"];
        assert!(hostile.iter().all(|text| !answer.body.contains(text)), "{kind}: {}", answer.body);
        assert_eq!(answer.texts(".versions [role=status]").len(), 1, "{kind}");
    }
}

#[tokio::test]
async fn a_version_is_restored_whatever_the_points_are() {
    let console = Fake::default().console();
    let page = open(&console, &address("tests")).await;
    let mut form = fields(&page);
    set(&mut form, "item-0-score", "2,5");
    let question = |page: &Page, name: &str| fields(page).into_iter().find(|field| field.0 == name).unwrap().1;
    let first = form.iter().find(|field| field.0 == "item-0-question").unwrap().1.clone();
    let page = press(&console, "tests", &form, "redraft:item:0").await;
    assert_ne!(question(&page, "item-0-question"), first);
    let page = press(&console, "tests", &fields(&page), "back:item:0").await;
    assert_eq!((question(&page, "item-0-question"), question(&page, "item-0-score")), (first, "2,5".to_owned()));
}

#[tokio::test]
async fn a_refused_draft_leaves_the_form_as_it_was() {
    for status in [400, 403, 404, 429, 500] {
        let body = json!({ "statusCode": status, "message": "No.", "error": "Error" });
        let console = Fake { refusal: Some((status, body)), ..Fake::default() }.console();
        let page = open(&console, &address("tests")).await;
        let mut form = fields(&page);
        set(&mut form, "title", "Typed and not saved");
        let answer = press(&console, "tests", &form, "redraft:item:0").await;
        assert_eq!(answer.attributes("#f-title", "value"), ["Typed and not saved"], "{status}");
        assert_eq!(answer.texts("#item-0-entry .versions [role=alert]").len(), 1, "{status}");
    }
}

#[tokio::test]
async fn markdown_is_one_part_and_has_no_other_version() {
    let fake = Fake::default();
    let console = fake.console();
    let page = open(&console, &address("modules")).await;
    let mut form = fields(&page);
    set(&mut form, "part-0", "# Cells\n\nA cell is small.\n\n# Plants\n\nPlants are green.");
    let answer = press(&console, "modules", &form, "redraft:part:0").await;
    assert!(answer.attributes("#part-0-entry .versions", "class").is_empty(), "{}", answer.body);
    assert_eq!(fake.writes().len(), 0);
}
