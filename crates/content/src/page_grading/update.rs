//! `PATCH /v1/content/organizations/{organizationId}/page-grading`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, integer};
use edge::door::Door;
use edge::params::Params;
use edge::problem::Problem;
use edge::sessions::PresentedSession;

use super::{MOST_PER_DAY, PageGrading};

/// What to change about the grading on pages.
#[derive(Body)]
#[body(changes)]
pub struct UpdatePageGradingRequest {
    /// How many open answers to tests are graded a day: 0 to 100000. Null sets the default, 200.
    #[field(integer(0..=MOST_PER_DAY), example = 500)]
    open_answers_per_day: Option<Option<u32>>,
}

/// Sets how many open answers are graded a day on the pages of an organization's tests. Each of them costs the operator a request where
/// a language model grades. Answers beyond the budget are left to a person, and the page says so.
#[utoipa::path(
    patch, path = "/v1/content/organizations/{organizationId}/page-grading", tag = "Organizations",
    operation_id = "updatePageGrading", security(("adminSession" = [])), request_body = UpdatePageGradingRequest,
    responses((status = 200, description = "The budget and what was used of it", body = PageGrading))
)]
pub async fn update(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "page_grading.update", move |tx, admin| {
        let organization = admin.manages(tx, &organization)?;
        let request: UpdatePageGradingRequest = body.read()?;
        if let Some(per_day) = request.open_answers_per_day {
            super::set(tx, organization, per_day)?;
        }
        Ok(Answer::ok(&PageGrading::load(tx, organization)?))
    })
    .await
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn an_admin_sets_the_budget_and_null_sets_the_default(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let path = tenant.path("page-grading");
        let shown = |per_day: u32| json!({ "openAnswersPerDay": per_day, "openAnswersToday": 0 });
        assert_eq!(app.get(&path).cookie(&cookie).send().await.expect(200), shown(200));
        for (given, stands) in [(json!(0), 0), (json!(100_000), 100_000), (Value::Null, 200)] {
            let body = json!({ "openAnswersPerDay": given });
            assert_eq!(app.patch(&path).cookie(&cookie).json(&body).send().await.expect(200), shown(stands));
            assert_eq!(app.get(&path).cookie(&cookie).send().await.expect(200), shown(stands));
        }
        for wrong in [json!({}), json!({ "openAnswersPerDay": -1 }), json!({ "openAnswersPerDay": 100_001 })] {
            app.patch(&path).cookie(&cookie).json(&wrong).send().await.expect(400);
        }
        assert_eq!(app.get(&path).cookie(&cookie).send().await.expect(200), shown(200));
    }
}
