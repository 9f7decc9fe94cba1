//! Forms: what they send to the API, and what their sender sees afterwards.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::browser::{open, submit};
use crate::fake::{Fake, id_in};

fn organization(rest: &str) -> String {
    format!("/console/organizations/{}{rest}", id_in("organizations"))
}

fn workspace(rest: &str) -> String {
    format!("/console/workspaces/{}{rest}", id_in("workspace"))
}

#[tokio::test]
async fn a_new_key_is_shown_once_and_has_no_address() {
    let fake = Fake::default();
    let page = submit(&fake.console(), &organization("/keys"), "name=Nightly&expiresAt=2027-01-31&key=k-1").await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(page.texts("#secret"), ["svc_content_secret"]);
    let write = &fake.writes()[0];
    assert_eq!(write.body, json!({ "name": "Nightly", "expiresAt": "2027-01-31T00:00:00Z" }));
    assert_eq!(write.headers["idempotency-key"], "k-1");
    let page = submit(&fake.console(), &workspace("/keys"), "name=Nightly&key=k-2").await;
    assert_eq!(page.texts("#secret"), ["svc_content_secret"]);
    let write = &fake.writes()[1];
    assert_eq!(
        (write.path.as_str(), &write.body["workspaceId"]),
        ("/v1/platform/api-keys", &json!(id_in("workspace")))
    );
}

#[tokio::test]
async fn a_new_authenticator_app_has_a_code_to_scan_also_after_a_wrong_try() {
    let fake = Fake::default();
    let offered = submit(&fake.console(), "/console/account/totp", "").await;
    assert_eq!(offered.attributes("svg.qr-code", "role"), ["img"]);
    assert_eq!(offered.attributes("input[name='address']", "value"), ["otpauth://totp/x"]);
    let fake = refusing(&json!([{ "path": "code", "message": "is wrong" }]));
    let form = "secret=JBSWY3DP&address=otpauth%3A%2F%2Ftotp%2Fx&code=000000";
    let refused = submit(&fake.console(), "/console/account/totp/confirm", form).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert_eq!(refused.attributes("svg.qr-code path.ink", "d"), offered.attributes("svg.qr-code path.ink", "d"));
}

#[tokio::test]
async fn a_refused_form_keeps_what_was_entered_and_names_the_field() {
    let details = json!([{ "path": "rateLimitPerMinute", "message": "must be from 1 to 100000" }]);
    let body =
        json!({ "statusCode": 400, "message": "The request is invalid.", "error": "Bad Request", "details": details });
    let fake = Fake { refusal: Some((400, body)), ..Fake::default() };
    let page = submit(&fake.console(), &organization("/keys"), "name=Nightly&rateLimitPerMinute=0").await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert_eq!(page.attributes("#f-name", "value"), ["Nightly"]);
    assert_eq!(page.texts("#h-rateLimitPerMinute .field-error"), ["Must be from 1 to 100000."]);
    assert_eq!(page.attributes("#f-rateLimitPerMinute", "aria-invalid"), ["true"]);
    assert_eq!(page.texts("[data-refusal] strong"), ["Check the marked fields."]);
    assert_eq!(page.texts("[data-refusal] li"), [""; 0]);
}

fn refusing(details: &Value) -> Fake {
    let body =
        json!({ "statusCode": 400, "message": "The request is invalid.", "error": "Bad Request", "details": details });
    Fake { refusal: Some((400, body)), ..Fake::default() }
}

#[tokio::test]
async fn a_refusal_lists_what_no_field_shows_by_the_words_of_the_page() {
    let details = json!([
        { "path": "rateLimitPerMinute", "message": "must be whole" },
        { "path": "rateLimitPerMinute", "message": "must be from 1 to 100000" },
        { "path": "clientNames[1]", "message": "must not be empty" },
    ]);
    let page =
        submit(&refusing(&details).console(), &organization("/keys"), "name=Nightly&rateLimitPerMinute=0.5").await;
    let rest = ["Rate limit per minute must be from 1 to 100000.", "Client names 2 must not be empty."];
    assert_eq!(page.texts("[data-refusal] li"), rest);
    let events = json!([{ "path": "events", "message": "must have at least 1 entry" }]);
    let page = submit(&refusing(&events).console(), &organization("/webhooks"), "url=https%3A%2F%2Fa.example").await;
    assert_eq!(page.texts("[data-refusal] strong"), ["The form was not accepted."]);
    assert_eq!(page.texts("[data-refusal] li"), ["Events must have at least 1 entry."]);
    let plain = Fake { refusal: Some((409, json!({ "message": "The name is taken." }))), ..Fake::default() };
    let page = submit(&plain.console(), &organization("/keys"), "name=Nightly").await;
    assert_eq!(page.texts("[data-refusal] strong"), ["The name is taken."]);
}

#[tokio::test]
async fn a_refused_invitation_says_so_beside_its_form() {
    let fake = refusing(&json!([{ "path": "email", "message": "must be an e-mail address" }]));
    let page = submit(&fake.console(), &organization("/people"), "email=x&role=TEACHER").await;
    assert_eq!(page.texts("section[aria-labelledby=invite] [data-refusal] strong"), ["Check the marked fields."]);
    assert_eq!(page.texts("[data-refusal]").len(), 1);
    let fake = Fake { refusal: Some((409, json!({ "message": "Nobody else manages it." }))), ..Fake::default() };
    let page = submit(&fake.console(), &organization("/people/members/m-1/remove"), "").await;
    assert_eq!(page.texts("section[aria-labelledby=invite] [data-refusal]"), [""; 0]);
    assert_eq!(page.texts("[data-refusal] strong"), ["Nobody else manages it."]);
}

#[tokio::test]
async fn a_refused_review_marks_the_points_and_the_words_of_the_criterion() {
    let details = json!([
        { "path": "criteria[1].score", "message": "must be at most 4" },
        { "path": "criteria[0].feedback", "message": "must be at most 2000 characters" },
    ]);
    let review = workspace(&format!("/evaluations/{}/review", id_in("evaluation")));
    let form = "key=k&points-0=6&words-0=Good+light&points-1=9&words-1=";
    let page = submit(&refusing(&details).console(), &review, form).await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert_eq!(page.attributes("[aria-invalid=true]", "id"), ["f-words-0", "f-points-1"]);
    assert_eq!(page.texts("#h-points-1 .field-error"), ["Must be at most 4."]);
    assert_eq!(page.texts("textarea#f-words-0"), ["Good light"]);
    assert_eq!(page.texts("[data-refusal] li"), [""; 0]);
}

#[tokio::test]
async fn writes_lead_on_and_say_what_was_done() {
    let fake = Fake::default();
    let console = fake.console();
    let key = id_in("keys");
    for (action, form, to, done) in [
        (organization(&format!("/keys/{key}/revoke")), "", organization("/keys"), "key-revoked"),
        (organization("/page-grading"), "openAnswersPerDay=50", organization("/page-grading"), "page-grading-saved"),
        (organization("/people"), "email=ann%40b.example", organization("/people"), "invited"),
        (workspace("/credits"), "amount=500&sold=yes&key=x", workspace(""), "credits-added"),
        (workspace("/caps"), "dailyHardUsd=2.5", workspace(""), "caps-saved"),
        (workspace("/suspend"), "", workspace(""), "workspace-suspended"),
        ("/console/operations/jobs/j-1/retry".into(), "", "/console/operations/jobs".into(), "job-retried"),
        ("/console/operations/jobs/j-1/drop".into(), "", "/console/operations/jobs".into(), "job-dropped"),
        (workspace("/settings"), "name=New&rateLimitPerMinute=5", workspace("/settings"), "workspace-saved"),
    ] {
        let page = submit(&console, &action, form).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER, "{action}: {}", page.body);
        assert_eq!(page.location(), format!("{to}?done={done}"));
        let page = open(&console, page.location()).await;
        assert_eq!(page.texts("main [role=status]").len(), 1, "{done}");
    }
    let bodies: Vec<_> = fake.writes().into_iter().map(|write| write.body).collect();
    assert_eq!(bodies[1], json!({ "openAnswersPerDay": 50 }));
    assert_eq!(bodies[2], json!({ "email": "ann@b.example" }));
    assert_eq!(bodies[3], json!({ "amount": 500, "sold": true }));
    assert_eq!(bodies[4]["dailyHardUsd"], json!(2.5));
    assert_eq!(bodies[4]["monthlyHardUsd"], json!(null));
}

#[tokio::test]
async fn a_review_goes_to_the_api_criterion_by_criterion() {
    let fake = Fake::default();
    let page = workspace(&format!("/evaluations/{}", id_in("evaluation")));
    let form = "queue=1&key=k&points-0=6&words-0=Good&points-1=3.5&strengths=One%0ATwo%0A&reviewer=Ms+Curie";
    let answer = submit(&fake.console(), &format!("{page}/review"), form).await;
    assert_eq!(answer.location(), workspace("/evaluations/next"));
    let body = &fake.writes()[0].body;
    assert_eq!(body["criteria"][0], json!({ "criterion": "Needs", "score": 6, "feedback": "Good" }));
    assert_eq!(body["criteria"][1]["score"], json!(3.5));
    assert_eq!((&body["strengths"], &body["reviewer"]), (&json!(["One", "Two"]), &json!("Ms Curie")));
    assert_eq!(body.get("score"), None);
}

#[tokio::test]
async fn the_review_queue_leads_from_one_answer_to_the_next() {
    let console = Fake::default().console();
    let page = open(&console, &workspace("/evaluations/next")).await;
    assert!(page.location().contains("?queue=1&cursor="), "{}", page.location());
    let empty = Fake { is_empty: true, ..Fake::default() }.console();
    let page = open(&empty, &workspace("/evaluations/next")).await;
    assert!(page.location().ends_with("done=nothing-to-review"), "{}", page.location());
}

#[tokio::test]
async fn the_evidence_of_a_grade_is_marked_in_the_answer() {
    let page = open(&Fake::default().console(), &workspace(&format!("/evaluations/{}", id_in("evaluation")))).await;
    assert_eq!(page.texts("main mark"), ["It needs light, water and carbon dioxide, and it makes sugar"]);
}

#[tokio::test]
async fn grading_again_is_shown_before_it_is_done() {
    let fake = Fake::default();
    let path = workspace(&format!("/questions/{}/regrade", id_in("question")));
    let page = submit(&fake.console(), &path, "key=k").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.texts("caption").iter().any(|caption| caption == "What grading again would change"));
    let answers = page.texts("section[aria-labelledby=regrade] tbody th");
    assert_eq!(answers[0], "Answer 1");
    assert!(answers[1].starts_with("The Earth comes closer to the Sun"), "{answers:?}");
    // Nothing would change, so there is nothing to apply.
    assert_eq!(page.texts("section[aria-labelledby=regrade] .button"), ["Close"]);
    let page = submit(&fake.console(), &path, "key=k&apply=yes").await;
    assert!(page.location().ends_with("?done=regraded"));
    let runs: Vec<_> = fake.writes().into_iter().map(|write| write.body["dryRun"].clone()).collect();
    assert_eq!(runs, [json!(true), json!(false)]);
}

#[tokio::test]
async fn content_is_made_in_the_name_of_the_organization() {
    let fake = Fake::default();
    let form = "classroomId=c&payload=%7B%22lessons%22%3A%5B%5D%7D&outputs=expanded_quiz&key=k";
    let page = submit(&fake.console(), &organization("/playground"), form).await;
    assert!(page.location().contains("/expansions/"), "{}", page.body);
    let write = &fake.writes()[0];
    assert_eq!(write.headers["lectern-organization"], id_in("organizations").as_str());
    let expected = json!({ "classroomId": "c", "payload": { "lessons": [] }, "requestedOutputs": ["expanded_quiz"] });
    assert_eq!(write.body, expected);
    let page = submit(&fake.console(), &organization("/playground"), "classroomId=c&payload=%7B").await;
    assert_eq!(page.texts("#h-payload .field-error"), ["Must be JSON."]);
    let delete = organization(&format!("/classrooms/{}/modules/{}/delete", id_in("classrooms"), id_in("modules")));
    submit(&fake.console(), &delete, "").await;
    let write = fake.writes().last().unwrap().clone();
    assert_eq!((write.method, write.headers.contains_key("lectern-organization")), (Method::DELETE, true));
}

#[tokio::test]
async fn a_videos_review_button_leads_to_its_edit_link() {
    let fake = Fake::default();
    let list = organization(&format!("/classrooms/{}/videos", id_in("classrooms")));
    let page = open(&fake.console(), &list).await;
    let review = page.attributes("form[action$='/review']", "action");
    assert!(!review.is_empty(), "{}", page.body);
    assert_eq!(submit(&fake.console(), &review[0], "").await.location(), "/videos/edit/7.secret");
    let modules = organization(&format!("/classrooms/{}/modules", id_in("classrooms")));
    assert_eq!(open(&fake.console(), &modules).await.attributes("form[action$='/review']", "action"), [""; 0]);
}

#[tokio::test]
async fn figures_of_days_come_as_csv() {
    let page = open(&Fake::default().console(), "/console/statistics/daily.csv?startDate=2026-11-01").await;
    assert_eq!(page.header("content-disposition"), "attachment; filename=\"statistics.csv\"");
    assert!(page.body.starts_with("date,requests,"), "{}", page.body);
    assert_eq!(page.body.lines().count(), 2);
}

#[tokio::test]
async fn a_busy_service_says_what_to_do() {
    for (status, title) in [(429, "Too many requests"), (503, "The service is busy"), (409, "Not possible now")] {
        let fake = Fake { refusal: Some((status, json!({ "message": "No." }))), ..Fake::default() };
        let page = submit(&fake.console(), &workspace("/suspend"), "").await;
        assert_eq!((page.status.as_u16(), page.texts("h1")), (status, vec![title.to_owned()]));
    }
}

#[tokio::test]
async fn the_ledger_is_a_file_too_and_runs_nothing_in_a_spreadsheet() {
    let fake = Fake { is_hostile: true, ..Fake::default() };
    let file = open(&fake.console(), &workspace("/ledger.csv?kind=top_up&createdAfter=2026-11-01")).await;
    assert_eq!(file.status, StatusCode::OK);
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"ledger.csv\"");
    let lines: Vec<_> = file.body.lines().collect();
    assert_eq!(lines[0], "number,at,kind,from,to,amountUsd,balanceAfterUsd,evaluationId,reason");
    assert!(
        lines[1].starts_with("1287,2026-11-27T19:58:10.000Z,charge,credits,revenue,0.01,41.86,01a21e94"),
        "{}",
        lines[1]
    );
    let asked = fake.calls.lock().unwrap()[0].path.clone();
    assert!(asked.ends_with("/ledger?limit=100&kind=top_up&createdAfter=2026-11-01T00%3A00%3A00Z"), "{asked}");
}

#[tokio::test]
async fn a_job_is_dropped_by_the_apis_operation_and_the_list_stays_the_same() {
    let fake = Fake::default();
    let page = submit(&fake.console(), "/console/operations/jobs/j-1/drop", "key=failed").await;
    assert_eq!(page.location(), "/console/operations/jobs?state=failed&done=job-dropped");
    let write = &fake.writes()[0];
    assert_eq!((&write.method, write.path.as_str()), (&Method::DELETE, "/v1/platform/admin/jobs/j-1"));
}

#[tokio::test]
async fn health_is_told_in_words() {
    let page = open(&Fake::default().console(), "/console/operations").await;
    let cells = page.texts("td");
    assert!(cells.contains(&"3 due, the oldest waits 4 s, 2 running".to_owned()), "{cells:?}");
    assert!(cells.contains(&"Idle".to_owned()), "{cells:?}");
    let quiet = Fake { role: Some("ADMIN"), ..Fake::default() };
    assert_eq!(open(&quiet.console(), "/console/operations").await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_audit_log_is_a_file_too() {
    let fake = Fake::default();
    for path in ["/console/operations/audit-log.csv".to_owned(), organization("/audit-log.csv")] {
        let file = open(&fake.console(), &path).await;
        assert_eq!(file.header("content-type"), "text/csv; charset=utf-8", "{path}");
        assert!(file.body.starts_with("at,operation,user,"), "{path}");
        assert!(file.body.contains(",rotateApiKey,ann@riverside.example,"), "{}", file.body);
    }
}
