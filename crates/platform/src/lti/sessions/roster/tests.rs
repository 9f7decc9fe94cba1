use futures_util::future::join_all;
use http::StatusCode;
use lti::{claims, nrps};
use serde_json::{Value, json};
use testkit::lms::RosterFailure;
use testkit::{TestStore, both_stores};

use super::{MOST_WAITING, ROSTERS_EACH};
use crate::lti::tests::Stage;
use crate::testing::{Reply, SESSIONS};

/// The launch of a course with a roster.
struct Course {
    stage: Stage,
    session: String,
}

impl Course {
    async fn new(test: TestStore) -> Self {
        Self::with(test, |_| ()).await
    }

    async fn with(test: TestStore, change: impl FnOnce(&mut Value)) -> Self {
        let stage = Stage::new(test).await;
        let login = stage.login().await;
        let mut claims = stage.claims(&login);
        claims[claims::NRPS_SERVICE] = stage.lms.roster_service();
        change(&mut claims);
        let session = stage.launch(&login, &claims).await.unwrap().session.id.to_string();
        Self { stage, session }
    }

    async fn ask(&self, query: &str) -> Reply {
        let path = format!("{SESSIONS}/{}/roster{query}", self.session);
        self.stage.app.get(&path).key(&self.stage.tenant.key).send().await
    }

    async fn user_ids(&self, query: &str) -> Vec<String> {
        let roster = self.ask(query).await.expect(200);
        let items = roster["items"].as_array().unwrap();
        assert_eq!(roster["total"], items.len());
        items.iter().map(|member| member["userId"].as_str().unwrap().to_owned()).collect()
    }

    /// What stands against the roster: a part of the sentence.
    async fn assert_fault(&self, status: u16, part: &str) {
        let reply = self.ask("").await;
        let error = reply.expect(status)["error"].clone();
        let code = if status == 409 { "platform_conflict" } else { "platform_internal_error" };
        assert_eq!(error["code"], code, "{part}");
        assert!(error["message"].as_str().unwrap().contains(part), "{part}: {error}");
        assert_eq!(reply.headers.contains_key("retry-after"), status == 503, "{part}");
    }
}

fn members(count: usize) -> Vec<Value> {
    (0..count).map(|n| json!({ "user_id": format!("u-{n}"), "roles": ["Learner"] })).collect()
}

#[both_stores]
async fn a_roster_is_read_from_the_platform_with_nulls_for_what_it_does_not_tell(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.enrol(&[
        json!({
            "user_id": "learner-7", "status": "Inactive", "name": "Ann Lee", "given_name": "Ann", "family_name": "Lee",
            "email": "ann@example.com", "roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
            "picture": "https://lms.example/ann.png",
        }),
        json!({ "user_id": "teacher-1", "roles": ["Instructor"] }),
    ]);
    let before = course.stage.app.stored().await;
    let roster = course.ask("").await.expect(200);
    let expected = json!({
        "items": [
            {
                "userId": "learner-7", "roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
                "status": "Inactive", "name": "Ann Lee", "givenName": "Ann", "familyName": "Lee",
                "email": "ann@example.com",
            },
            {
                "userId": "teacher-1", "roles": ["Instructor"], "status": "Active", "name": null, "givenName": null,
                "familyName": null, "email": null,
            },
        ],
        "total": 2,
    });
    assert_eq!(roster, expected);
    let asked = course.stage.lms.roster_requests().remove(0);
    assert_eq!((&*asked.accept, &*asked.query), (nrps::MEMBERSHIPS_TYPE, ""));
    let mut after = course.stage.app.stored().await;
    after.retain(|(name, _)| name != "lti_tool_key");
    assert_eq!(after, before.into_iter().filter(|(name, _)| name != "lti_tool_key").collect::<Vec<_>>());
    let other = course.stage.app.tenant("hillside").await;
    let path = format!("{SESSIONS}/{}/roster", course.session);
    course.stage.app.get(&path).key(&other.key).send().await.expect(404);
}

#[both_stores]
async fn all_pages_are_read_with_one_token(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.enrol(&members(25));
    course.stage.lms.page_roster(10);
    let expected: Vec<_> = (0..25).map(|n| format!("u-{n}")).collect();
    assert_eq!(course.user_ids("").await, expected);
    assert_eq!(course.user_ids("").await, expected);
    assert_eq!((course.stage.lms.given_tokens(), course.stage.lms.roster_requests().len()), (1, 6));
}

#[both_stores]
async fn the_roster_of_the_link_is_asked_for_where_it_is_wanted(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.enrol(&members(3));
    course.stage.lms.restrict_link("link-1", &["u-1"]);
    assert_eq!(course.user_ids("?resourceLinkOnly=true").await, ["u-1"]);
    assert_eq!(course.user_ids("?resourceLinkOnly=false").await.len(), 3);
    assert_eq!(course.ask("?resourceLinkOnly=yes&limit=3").await.faults(), ["resourceLinkOnly", "limit"]);
}

#[both_stores]
async fn a_launch_without_a_roster_or_a_link_says_what_to_do(test: TestStore) {
    let course = Course::with(test, |claims| {
        claims.as_object_mut().unwrap().shift_remove(claims::NRPS_SERVICE);
    })
    .await;
    course.assert_fault(409, "Give this tool Names and Role Provisioning Services").await;
    assert_eq!(course.stage.lms.given_tokens(), 0);
}

#[both_stores]
async fn a_launch_for_deep_linking_has_the_roster_of_its_course_alone(test: TestStore) {
    let course = Course::with(test, |claims| {
        claims[claims::MESSAGE_TYPE] = json!(claims::DEEP_LINKING_REQUEST);
        claims[claims::DEEP_LINKING_SETTINGS] = json!({
            "deep_link_return_url": "https://lms.example/return", "accept_types": ["ltiResourceLink"],
            "accept_presentation_document_targets": ["iframe"],
        });
    })
    .await;
    course.stage.lms.enrol(&members(2));
    assert_eq!(course.user_ids("").await.len(), 2);
    let error = course.ask("?resourceLinkOnly=true").await.expect(409)["error"].clone();
    assert!(error["message"].as_str().unwrap().contains("opened no link"), "{error}");
}

#[both_stores]
async fn an_inactive_registration_reads_no_rosters(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.change(&json!({ "status": "inactive" })).await;
    course.assert_fault(409, "inactive").await;
    assert_eq!(course.stage.lms.given_tokens(), 0);
}

#[both_stores]
async fn a_token_that_was_taken_back_is_replaced_once(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.enrol(&members(2));
    assert_eq!(course.user_ids("").await.len(), 2);
    course.stage.lms.revoke_tokens();
    assert_eq!(course.user_ids("").await.len(), 2);
    assert_eq!(course.stage.lms.given_tokens(), 2);
    course.stage.lms.fail_roster(Some(RosterFailure::Status(StatusCode::UNAUTHORIZED)));
    course.assert_fault(409, "does not take the access token").await;
    assert_eq!(course.stage.lms.given_tokens(), 3, "it is tried once more, not for ever");
}

#[both_stores]
async fn a_platform_that_grants_less_or_refuses_is_told_apart_from_one_that_fails(test: TestStore) {
    let course = Course::new(test).await;
    let lms = &course.stage.lms;
    lms.answer_token_requests(&[StatusCode::BAD_GATEWAY]);
    course.assert_fault(503, "fails").await;
    lms.answer_token_requests(&[StatusCode::BAD_REQUEST]);
    course.assert_fault(409, "gives no access token").await;
    lms.grant(lti::ags::SCOPE_SCORE);
    course.assert_fault(409, "does not grant the scope").await;
    assert!(lms.roster_requests().is_empty(), "a token that allows no roster is not shown");
}

#[both_stores]
async fn what_a_platform_may_answer_instead_of_a_roster_is_told_and_bounded(test: TestStore) {
    let course = Course::new(test).await;
    let lms = &course.stage.lms;
    lms.enrol(&members(3));
    for (failure, status, part) in [
        (RosterFailure::Status(StatusCode::FORBIDDEN), 409, "refuses the roster"),
        (RosterFailure::Status(StatusCode::NOT_FOUND), 409, "refuses the roster"),
        (RosterFailure::Status(StatusCode::FOUND), 409, "refuses the roster"),
        (RosterFailure::Status(StatusCode::SERVICE_UNAVAILABLE), 503, "fails"),
        (RosterFailure::Status(StatusCode::TOO_MANY_REQUESTS), 503, "fails"),
        (RosterFailure::Body("<html>".to_owned()), 409, "is no roster"),
        (RosterFailure::Body(r#"{"members":[{"name":"Ann"}]}"#.to_owned()), 409, "is no roster"),
        (RosterFailure::Body("x".repeat(9 * 1024 * 1024)), 409, "8 MiB"),
        (RosterFailure::NextPage("https://elsewhere.example/p2".to_owned()), 409, "another server"),
        (RosterFailure::EndlessPages, 409, "200 pages"),
    ] {
        lms.fail_roster(Some(failure));
        course.assert_fault(status, part).await;
    }
    lms.fail_roster(None);
    assert_eq!(course.user_ids("").await.len(), 3);
    lms.enrol(&members(10_001));
    course.assert_fault(409, "10,000 members").await;
}

#[both_stores]
async fn of_one_workspace_a_few_rosters_are_read_at_a_time_and_a_few_wait(test: TestStore) {
    let course = Course::new(test).await;
    let (rosters, workspace) = (&course.stage.app.platform.rosters, course.stage.tenant.workspace);
    let mut turns = Vec::new();
    for _ in 0..ROSTERS_EACH {
        turns.push(rosters.take(workspace).await);
    }
    let waiting = join_all((0..MOST_WAITING).map(|_| course.ask("")));
    let one_more = async {
        while rosters.waiting(&workspace) < MOST_WAITING {
            tokio::task::yield_now().await;
        }
        let reply = course.ask("").await;
        assert_eq!(reply.expect(429)["error"]["code"], "platform_rate_limit_exceeded");
        drop(turns);
    };
    let (waited, ()) = tokio::join!(waiting, one_more);
    assert!(waited.iter().all(|reply| reply.status == StatusCode::OK));
    assert_eq!(course.stage.lms.given_tokens(), 1, "all of them share a token");
}

#[both_stores]
async fn an_address_that_may_not_be_called_is_not(test: TestStore) {
    let course = Course::with(test, |claims| {
        claims[claims::NRPS_SERVICE]["context_memberships_url"] = json!("http://169.254.169.254/latest");
    })
    .await;
    course.assert_fault(409, "may not be called").await;
}
