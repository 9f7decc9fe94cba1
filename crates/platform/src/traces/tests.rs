use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::submissions::CourseTests;
use crate::submissions::hand_in::AnsweredTest;
use crate::submissions::tests::{Course, open};
use crate::testing::TRACED_TEST;

impl Course {
    async fn trace(&self, id: &str) -> Value {
        let path = format!("/v1/platform/traces/{id}");
        self.stage.app.get(&path).key(&self.stage.tenant.key).send().await.expect(200)
    }

    /// A workspace that is linked to an organization, so that content is part of its traces.
    async fn linked(test: TestStore) -> Self {
        let course = Self::new(test).await;
        let organization = course.stage.app.organization("riverside").await;
        let path = format!("/v1/platform/workspaces/{}/link", course.stage.tenant.workspace);
        let operator = course.stage.app.operator("o@example.com").await;
        let body = json!({ "organizationId": organization });
        course.stage.app.post(&path).cookie(&operator).json(&body).send().await.expect(200);
        course
    }
}

fn ids(list: &Value, member: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| one[member].as_str().unwrap().to_owned()).collect()
}

#[both_stores]
async fn any_id_of_a_trace_leads_to_all_of_it(test: TestStore) {
    let course = Course::linked(test).await;
    let made = course.hand_in(open("a")).await.unwrap();
    course.stage.app.run_jobs().await;
    course.synced().await;
    let (submission, evaluation) = (made["id"].as_str().unwrap(), made["items"][1]["evaluationId"].as_str().unwrap());
    let (link, session) = (course.link.to_string(), course.session.id.to_string());
    for id in ["expansion-1", TRACED_TEST, &link, &session, submission, evaluation] {
        let trace = course.trace(id).await;
        assert_eq!(trace["traceId"], "expansion-1", "{id}");
        assert_eq!(trace["source"]["expansionId"], "expansion-1", "{id}");
        assert_eq!(ids(&trace["resources"], "id"), [TRACED_TEST], "{id}");
        assert_eq!(ids(&trace["links"], "id"), [&*link], "{id}");
        assert!(ids(&trace["launches"], "sessionId").contains(&session), "{id}: {trace}");
        assert_eq!(ids(&trace["submissions"], "id"), [submission], "{id}");
        assert_eq!(ids(&trace["evaluations"], "id"), [evaluation], "{id}");
        assert_eq!(trace["evaluations"][0]["ledger"]["state"], "settled", "{id}");
        assert_eq!(trace["evaluations"][0]["ledger"]["amountUsd"], 0.05, "{id}");
        assert_eq!(ids(&trace["scores"], "submissionId"), [submission], "{id}");
        assert_eq!(trace["scores"][0]["sync"]["status"], "synced", "{id}");
        assert!(trace["scores"][0]["lineItem"].as_str().unwrap().ends_with("/lineitems/1"), "{id}");
        assert_eq!(trace["isCut"], false, "{id}");
    }
}

#[both_stores]
async fn the_id_of_a_course_leads_to_its_tests_that_were_handed_in(test: TestStore) {
    let course = Course::linked(test).await;
    // The link leads to a resource of an expansion, which is the course here.
    let tests = CourseTests { course_id: TRACED_TEST.to_owned(), tests: Vec::new() };
    let part_id = "0192aee1-5a3b-7c2d-8e4f-123456789abd".to_owned();
    let part = AnsweredTest { test_id: part_id, course: Some(tests), ..open("a") };
    let made = course.hand_in(part).await.unwrap();
    let submission = made["id"].as_str().unwrap();
    for id in [TRACED_TEST, submission, &course.link.to_string(), &course.session.id.to_string()] {
        let trace = course.trace(id).await;
        assert_eq!(ids(&trace["submissions"], "id"), [submission], "{id}");
        assert_eq!(trace["evaluations"].as_array().unwrap().len(), 1, "{id}");
    }
}

#[both_stores]
async fn an_answer_of_a_launch_without_a_link_begins_at_the_launch(test: TestStore) {
    let course = Course::new(test).await;
    let session = course.stage.launch_well().await.session.id.to_string();
    let mut body = crate::testing::exact();
    body["clientMetadata"] = json!({ "ltiLaunchSessionId": session });
    let evaluation = course.stage.app.evaluate(&course.stage.tenant, &body).await;
    course.synced().await;
    let id = evaluation["id"].as_str().unwrap();
    for trace in [course.trace(id).await, course.trace(&session).await] {
        assert_eq!((&trace["traceId"], &trace["source"]), (&json!(session), &Value::Null));
        assert_eq!(
            (ids(&trace["evaluations"], "id"), ids(&trace["scores"], "evaluationId")),
            (vec![id.to_owned()], vec![id.to_owned()])
        );
        assert_eq!(trace["scores"][0]["sync"]["status"], "synced");
        assert!(ids(&trace["links"], "id").is_empty());
    }
    // An answer that no launch asked for is its own beginning.
    let alone = course.stage.app.evaluate(&course.stage.tenant, &crate::testing::exact()).await;
    assert_eq!(course.trace(alone["id"].as_str().unwrap()).await["traceId"], alone["id"]);
}

#[both_stores]
async fn a_trace_is_found_by_its_workspace_and_by_operators_only(test: TestStore) {
    let course = Course::linked(test).await;
    let made = course.hand_in(open("a")).await.unwrap();
    let app = &course.stage.app;
    let (other, operator) = (app.tenant("hillside").await, app.operator("p@example.com").await);
    for id in [made["id"].as_str().unwrap(), &course.link.to_string(), "expansion-1", "nobody"] {
        app.get(&format!("/v1/platform/traces/{id}")).key(&other.key).send().await.expect(404);
    }
    let path = format!("/v1/platform/traces/{}", made["id"].as_str().unwrap());
    assert_eq!(app.get(&path).cookie(&operator).send().await.expect(200)["traceId"], "expansion-1");
    app.get("/v1/platform/traces/expansion-1").cookie(&operator).send().await.expect(400);
    let named = format!("/v1/platform/traces/expansion-1?workspaceId={}", course.stage.tenant.workspace);
    app.get(&named).cookie(&operator).send().await.expect(200);
}
