//! `DELETE /v1/platform/learners/{learnerId}`: everything that a workspace knows of a learner goes.
//!
//! The evaluations stay as what was paid for: their ids, types, prices and times. Question, answer, files, score and
//! feedback go, those of earlier versions too, and so do the records of how they came about, what later grades learned from
//! them, the learner's id, the digest of what was asked, the LTI launches that they name, and the scores in the events that were
//! told: who has one delivered again reads `null` there, as in the evaluation.
//!
//! What the store of the files can't delete at once has no row that names it any more, so nobody can fetch it, and
//! `maintenance::orphans` deletes it another night.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use http::StatusCode;
use kernel::id::{FileId, WorkspaceId};
use store::{StoreError, Tx};

use super::{learner_param, mastery};
use crate::callers::{self, Credential};
use crate::evaluations::files::drop_all;
use crate::lti::sync;
use crate::named::NamedInQuery;
use crate::{Platform, evaluations, submissions};

/// Erases a learner: answers, files, grades, feedback and mastery, and the scores in the events of webhooks, which may be
/// delivered again. Repeated, or of a learner nobody knows, it changes nothing and answers alike.
#[utoipa::path(
    delete, path = "/v1/platform/learners/{learnerId}", tag = "Learners", operation_id = "eraseLearner",
    params(
        ("workspaceId" = Option<String>, Query, description = "For whom an operator, or a key with `platform:admin`, asks"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses((status = 204, description = "Nothing is left that anybody could ask for. Bytes of files that could not be \
        deleted at once are deleted within two days."))
)]
pub async fn erase(
    State(platform): State<Platform>,
    credential: Credential,
    Params(learner_id): Params<String>,
    named: NamedInQuery,
) -> Result<Answer, Problem> {
    let forgotten = callers::write(&platform.door, credential, "learners.erase", move |tx, caller| {
        let workspace = caller.workspace(tx, named.optional()?)?;
        Ok((workspace, forget(tx, workspace, learner_param(&learner_id)?)?))
    });
    let (workspace, files) = forgotten.await?;
    drop_all(&platform.files, workspace, files).await;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}

/// What is being graded meanwhile ends without a grade and without a charge; see `evaluations::work`. The files whose
/// bytes are to go.
fn forget(tx: &mut Tx<'_>, workspace: WorkspaceId, learner_id: &str) -> Result<Vec<FileId>, StoreError> {
    let (evaluations, files) = evaluations::erase::erase(tx, workspace, learner_id)?;
    mastery::erase(tx, workspace, learner_id, &evaluations)?;
    events::forget_fields(tx, &evaluations, &["score", "normalizedScore"])?;
    events::forget_fields(tx, &evaluations, &sync::LEARNERS_FIELDS)?;
    let submissions = submissions::erase::erase(tx, workspace, learner_id)?;
    events::forget_fields(tx, &submissions, &sync::LEARNERS_FIELDS)?;
    Ok(files)
}

#[cfg(test)]
mod tests {
    use files::FileKey;
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::maintenance::orphans::{AGE as ORPHAN_AGE, sweep};
    use crate::testing::{App, EVALUATIONS, Form, Tenant, open};

    fn by(learner: &str) -> Value {
        let mut body = open();
        body["submitter"] = json!({ "learnerId": learner, "learnerName": "Ada" });
        body["conceptTags"] = json!(["light"]);
        body["clientMetadata"] = json!({ "name": "Ada" });
        body["idempotencyKey"] = json!(learner.replace(" ", "-"));
        body
    }

    async fn answer(app: &App, tenant: &Tenant, learner: &str) -> Value {
        let form = Form::of(&by(learner)).file("answerFiles", "Ada.txt", "text/plain", "I am Ada.").into_bytes();
        app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form).send().await.expect(201)
    }

    #[both_stores]
    async fn everything_of_the_learner_goes_and_what_was_paid_for_stays(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let made = answer(&app, &tenant, "l 1").await;
        let link = made["answerFiles"][0]["url"].as_str().unwrap().replace("https://lectern.example", "");
        assert_eq!(app.kept_files().len(), 1);
        app.delete("/v1/platform/learners/l%201").key(&tenant.key).send().await.expect(204);
        assert_eq!(app.kept_files(), [""; 0], "the bytes are gone");
        app.get(&link).send().await.expect(404);
        let path = format!("{EVALUATIONS}/{}", made["id"].as_str().unwrap());
        let reply = app.get(&path).key(&tenant.key).send().await;
        let left = reply.expect(200);
        for name in ["id", "status", "evaluationType", "tier", "priceSnapshot", "createdAt", "completedAt", "maxScore"]
        {
            assert_eq!(left[name], made[name], "{name}");
        }
        for name in [
            "score",
            "normalizedScore",
            "confidence",
            "feedbackSummary",
            "nextStep",
            "clientMetadata",
            "idempotencyKey",
        ] {
            assert_eq!(left[name], Value::Null, "{name}");
        }
        for name in ["strengths", "mistakes", "suggestions", "answerFiles"] {
            assert_eq!(left[name], json!([]), "{name}");
        }
        assert!(!reply.body.contains("Ada"), "{}", reply.body);
        assert_eq!(app.count("SELECT count(*) FROM mastery").await, 0);
        assert_eq!(app.count("SELECT count(*) FROM evaluation_file").await, 0);
        assert_eq!(app.balance(&tenant).await.1, json!(95), "nothing is paid back");
        app.finish().await;
    }

    #[both_stores]
    async fn no_digest_of_the_answer_and_no_score_of_an_event_is_left(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let (erased, kept) = (answer(&app, &tenant, "l").await, answer(&app, &tenant, "m").await);
        let body_of = async |evaluation: &Value| {
            let id = evaluation["id"].as_str().unwrap().to_owned();
            let body = app.read(move |tx| {
                tx.find("SELECT body FROM event WHERE subject_id = $1", &[&id], |row| row.get::<String>(0))
            });
            body.await.unwrap()
        };
        let (told, untouched) = (body_of(&erased).await, body_of(&kept).await);
        assert!(told.contains("\"score\":5,"), "{told}");
        app.delete("/v1/platform/learners/l").key(&tenant.key).send().await.expect(204);
        let expected = told.replace("\"score\":5,", "\"score\":null,");
        let expected = expected.replace("\"normalizedScore\":50", "\"normalizedScore\":null");
        assert_eq!((body_of(&erased).await, body_of(&kept).await), (expected, untouched));
        assert_eq!(app.count("SELECT count(*) FROM evaluation WHERE request_hash = ''").await, 1);
        app.finish().await;
    }

    #[both_stores]
    async fn bytes_that_were_not_deleted_at_once_are_fetched_by_nobody_and_swept(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let made = answer(&app, &tenant, "l").await;
        let link = made["answerFiles"][0]["url"].as_str().unwrap().replace("https://lectern.example", "");
        let name = app.kept_files().remove(0);
        app.delete("/v1/platform/learners/l").key(&tenant.key).send().await.expect(204);
        let key = FileKey { workspace: tenant.workspace, file: name.parse().unwrap() };
        app.platform.files.store.put(key, "I am Ada.".into()).await.unwrap();
        app.get(&link).send().await.expect(404);
        app.age_files(&tenant, ORPHAN_AGE);
        sweep(&app.platform).await.unwrap();
        assert_eq!(app.kept_files(), [""; 0]);
    }

    #[both_stores]
    async fn another_learner_and_the_same_id_of_another_workspace_stay(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        answer(&app, &tenant, "l").await;
        let kept = [(&tenant, answer(&app, &tenant, "m").await), (&other, answer(&app, &other, "l").await)];
        app.delete("/v1/platform/learners/l").key(&tenant.key).send().await.expect(204);
        for (tenant, made) in kept {
            let path = format!("{EVALUATIONS}/{}", made["id"].as_str().unwrap());
            assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200), made);
        }
        assert_eq!((app.kept_files().len(), app.count("SELECT count(*) FROM mastery").await), (2, 2));
        app.finish().await;
    }

    #[both_stores]
    async fn an_operator_names_the_workspace_and_a_key_no_other_one(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        let operator = app.operator("o@example.com").await;
        answer(&app, &tenant, "l").await;
        let named = format!("/v1/platform/learners/l?workspaceId={}", tenant.workspace);
        app.delete("/v1/platform/learners/l").cookie(&operator).send().await.expect(400);
        app.delete(&named).key(&other.key).send().await.expect(404);
        app.delete("/v1/platform/learners/l?workspaceId=7").key(&tenant.key).send().await.expect(400);
        assert_eq!(app.kept_files().len(), 1);
        app.delete(&named).cookie(&operator).send().await.expect(204);
        assert_eq!(app.kept_files().len(), 0);
    }

    #[both_stores]
    async fn a_learner_nobody_knows_is_erased_already(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        for id in ["nobody", "%F0%9F%98%80", "a%2Fb", "'%20OR%201=1", &"x".repeat(2000)] {
            app.delete(&format!("/v1/platform/learners/{id}")).key(&tenant.key).send().await.expect(204);
        }
    }

    #[both_stores]
    async fn an_erased_answer_that_is_sent_again_is_a_new_one(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let first = app.evaluate(&tenant, &by("l")).await;
        app.delete("/v1/platform/learners/l").key(&tenant.key).send().await.expect(204);
        let again = app.evaluate(&tenant, &by("l")).await;
        assert_ne!(again["id"], first["id"]);
        assert_eq!(again["idempotentReplay"], false);
    }

    #[both_stores]
    async fn who_is_erased_while_being_graded_gets_no_grade_and_pays_nothing(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        app.script.hold();
        let graded = answer(&app, &tenant, "l");
        let erased = async {
            while app.script.seen().is_empty() {
                tokio::task::yield_now().await;
            }
            app.delete("/v1/platform/learners/l").key(&tenant.key).send().await.expect(204);
            app.script.let_go(1);
        };
        let (made, ()) = futures_util::future::join(graded, erased).await;
        assert_eq!(
            (&made["status"], &made["score"], &made["answerFiles"]),
            (&json!("FAILED"), &Value::Null, &json!([]))
        );
        assert_eq!(app.balance(&tenant).await.1, json!(100));
        assert_eq!((app.kept_files().len(), app.count("SELECT count(*) FROM mastery").await), (0, 0));
        app.finish().await;
    }
}
