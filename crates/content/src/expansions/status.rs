//! `GET /v1/content/integrations/expansions/{jobId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};

use super::load;
use super::view::ExpansionJob;
use crate::{Content, ContentKey};

/// How a job and its outputs stand.
#[utoipa::path(
    get, path = "/v1/content/integrations/expansions/{jobId}", tag = "Expansions",
    operation_id = "getExpansion", security(("contentKey" = [])),
    responses(
        (status = 200, description = "The job as it stands", body = ExpansionJob),
        (status = 404, description = "There is no such job", body = ContentErrorBody),
    )
)]
pub async fn status(
    State(content): State<Content>,
    key: ContentKey,
    Params(job): Params<String>,
) -> Result<Answer, Problem> {
    let links = content.links.clone();
    let door = &content.door;
    door.read_by_key(key, "expansions.status", move |tx, caller| {
        let expansion = load(tx, caller, &job)?;
        Ok(Answer::ok(&ExpansionJob::of(&expansion, &links)))
    })
    .await
}

#[cfg(test)]
mod tests {
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, EXPANSIONS};

    #[both_stores]
    async fn the_status_is_what_the_create_answered(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let created = app.post(EXPANSIONS).key(&tenant.key).json(&tenant.source()).send().await.expect(202);
        assert_eq!(app.job(&tenant, created["id"].as_str().unwrap()).await, created);
    }

    #[both_stores]
    async fn unknown_malformed_and_other_organizations_jobs_are_not_found(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
        let id = app.expand(&tenant, &tenant.source()).await;
        let unknown = app.test.ambient.id::<kernel::id::ExpansionId>().to_string();
        for (key, id) in [(&other.key, id.as_str()), (&tenant.key, &unknown), (&tenant.key, "7"), (&tenant.key, "%00")]
        {
            app.get(&format!("{EXPANSIONS}/{id}")).key(key).send().await.expect(404);
            app.get(&format!("{EXPANSIONS}/{id}/result")).key(key).send().await.expect(404);
        }
    }
}
