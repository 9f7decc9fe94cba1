//! `GET /v1/platform/learners/{learnerId}/mastery`: how well a learner masters each concept, from the evaluations that
//! named it in `conceptTags`.
//!
//! The level follows the scores: it is their mean at first, and from the fourth on each new score counts for 30 %, so
//! that what a learner could do a year ago fades. Its confidence says how much there is to go by.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::WorkspaceId;
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Record, StoreError, Tx, sql};

use super::learner_param;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::evaluations::EvaluationRow;
use crate::named::NamedInQuery;
use kernel::json::plain_number;

/// So many scores count alike.
const MEAN_OF: i64 = 3;
/// What a later one counts.
const FADING: f64 = 0.3;

/// What a learner masters.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mastery {
    /// The learner, by the id that evaluations gave.
    learner_id: String,
    /// Every concept that an evaluation of the learner named, by its name.
    concepts: Vec<ConceptMastery>,
}

/// How well a learner masters a concept.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConceptMastery {
    /// The concept, as `conceptTags` had it.
    #[schema(example = "photosynthesis")]
    concept: String,
    /// From 0 to 1.
    #[serde(serialize_with = "plain_number")]
    #[schema(example = 0.82)]
    mastery: f64,
    /// From 0 to 1: grows with the number of evaluations.
    #[serde(serialize_with = "plain_number")]
    #[schema(example = 0.75)]
    confidence: f64,
    /// Evaluations that named the concept.
    #[schema(example = 3)]
    evaluations: i64,
    /// The newest score, from 0 to 100.
    #[serde(serialize_with = "plain_number")]
    #[schema(example = 90)]
    last_normalized_score: f64,
    /// When the newest evaluation ended.
    last_evaluated_at: Timestamp,
}

/// What a learner masters, concept by concept.
#[utoipa::path(
    get, path = "/v1/platform/learners/{learnerId}/mastery", tag = "Learners", operation_id = "getMastery",
    params(
        ("workspaceId" = Option<String>, Query, description = "For whom an operator, or a key with `platform:admin`, asks"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses((status = 200, description = "The concepts; none for a learner who was never evaluated on one", body = Mastery))
)]
pub async fn mastery(
    State(platform): State<Platform>,
    credential: Credential,
    Params(learner_id): Params<String>,
    named: NamedInQuery,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "learners.mastery", move |tx, caller| {
        let workspace = caller.workspace(tx, named.alone()?)?;
        let concepts = list(tx, workspace, learner_param(&learner_id)?)?;
        Ok(Answer::ok(&Mastery { learner_id: learner_id.clone(), concepts }))
    })
    .await
}

/// A learner's level in a concept.
#[derive(Record)]
#[record(table = "mastery")]
struct Level {
    concept: String,
    level: f64,
    evaluations: i64,
    last_score: f64,
    updated_at: Timestamp,
}

impl From<Level> for ConceptMastery {
    fn from(level: Level) -> Self {
        Self {
            concept: level.concept,
            mastery: thousandths(level.level),
            confidence: thousandths(confidence(level.evaluations)),
            evaluations: level.evaluations,
            last_normalized_score: thousandths(level.last_score * 100.0),
            last_evaluated_at: level.updated_at,
        }
    }
}

fn list(tx: &mut Tx<'_>, workspace: WorkspaceId, learner_id: &str) -> Result<Vec<ConceptMastery>, StoreError> {
    let found = sql!("SELECT {Level::*} FROM mastery WHERE workspace_id = {workspace} AND learner_id = {learner_id}");
    let mut concepts = found.query(tx, |row| Level::from_row(row).map(ConceptMastery::from))?;
    // Not by the database, whose order of names is its operator's choice.
    concepts.sort_by(|one, other| one.concept.cmp(&other.concept));
    Ok(concepts)
}

/// A half after one evaluation, nine tenths after nine.
#[expect(clippy::cast_precision_loss, reason = "nobody is evaluated that often")]
fn confidence(evaluations: i64) -> f64 {
    let evaluations = evaluations as f64;
    evaluations / (evaluations + 1.0)
}

fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Lets the learner's mastery follow a graded evaluation.
pub(crate) fn follow(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<(), StoreError> {
    let (Some(learner_id), Some(score), Some(asked)) = (&row.learner_id, row.score, &row.asked) else { return Ok(()) };
    let (level, now) = ((score / row.max_score).clamp(0.0, 1.0), tx.now());
    for concept in &asked.concept_tags {
        tx.execute_later(
            "INSERT INTO mastery (workspace_id, learner_id, concept, level, evaluations, last_score, updated_at)
             VALUES ($1, $2, $3, $4, 1, $4, $5)
             ON CONFLICT (workspace_id, learner_id, concept) DO UPDATE SET
                level = mastery.level + (excluded.level - mastery.level)
                    * CASE WHEN mastery.evaluations < 3 THEN 1.0 / (mastery.evaluations + 1) ELSE 0.3 END,
                evaluations = mastery.evaluations + 1,
                last_score = excluded.last_score,
                updated_at = excluded.updated_at",
            &[&row.workspace, learner_id, concept, &level, &now],
        )?;
        tx.execute_later(
            "INSERT INTO mastery_score (evaluation_id, concept, place)
             SELECT CAST($1 AS TEXT), concept, evaluations FROM mastery
             WHERE workspace_id = $2 AND learner_id = $3 AND concept = $4",
            &[&row.id, &row.workspace, learner_id, concept],
        )?;
    }
    Ok(())
}

/// Lets the learner's mastery follow another score of an evaluation: what of the level was the former one's is the new one's.
/// What had no score before is followed as a new evaluation. One that was graded before places were kept stays as it counted.
pub(crate) fn revise(tx: &mut Tx<'_>, row: &EvaluationRow, former: Option<f64>) -> Result<(), StoreError> {
    let Some(former) = former else { return follow(tx, row) };
    let (Some(learner_id), Some(score)) = (&row.learner_id, row.score) else { return Ok(()) };
    let (level, change) = ((score / row.max_score).clamp(0.0, 1.0), (score - former) / row.max_score);
    let places = tx.query(
        "SELECT concept, place FROM mastery_score WHERE evaluation_id = $1 ORDER BY concept",
        &[&row.id],
        |row| Ok((row.get::<String>(0)?, row.get::<i64>(1)?)),
    )?;
    for (concept, place) in &places {
        let scores: Option<i64> = tx.find(
            "UPDATE mastery SET last_score = CASE WHEN evaluations = $4 THEN $5 ELSE last_score END
             WHERE workspace_id = $1 AND learner_id = $2 AND concept = $3 RETURNING evaluations",
            &[&row.workspace, learner_id, concept, place, &level],
            |row| row.get(0),
        )?;
        let Some(scores) = scores else { continue };
        tx.execute_later(
            "UPDATE mastery SET level = CASE WHEN level + $4 < 0 THEN 0 WHEN level + $4 > 1 THEN 1 ELSE level + $4 END
             WHERE workspace_id = $1 AND learner_id = $2 AND concept = $3",
            &[&row.workspace, learner_id, concept, &(change * weight(*place, scores))],
        )?;
    }
    Ok(())
}

/// Erases what a learner masters, and the places of these evaluations in it.
pub(super) fn erase(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    learner_id: &str,
    evaluations: &[String],
) -> Result<(), StoreError> {
    tx.query_each(
        evaluations,
        |id| sql!("DELETE FROM mastery_score WHERE evaluation_id = {*id} RETURNING evaluation_id"),
        |_| Ok(()),
    )?;
    tx.execute_later("DELETE FROM mastery WHERE workspace_id = $1 AND learner_id = $2", &[&workspace, &learner_id])
}

/// What of a level is the score's at this place, of so many scores.
fn weight(place: i64, scores: i64) -> f64 {
    let later = (place + 1..=scores.min(MEAN_OF)).map(|place| 1.0 - share(place)).product::<f64>();
    let much_later = scores - place.max(MEAN_OF).min(scores);
    share(place) * later * (1.0 - FADING).powi(i32::try_from(much_later).unwrap_or(i32::MAX))
}

/// What of a level is the newest score's at this place, as the statement of [`follow`] has it.
#[expect(clippy::cast_precision_loss, reason = "only the first places are converted")]
fn share(place: i64) -> f64 {
    if place <= MEAN_OF { 1.0 / place as f64 } else { FADING }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, open};

    fn about(concepts: &[&str]) -> Value {
        let mut body = open();
        body["learnerExternalId"] = json!("l");
        body["conceptTags"] = json!(concepts);
        body["tier"] = json!("fast");
        body
    }

    const PATH: &str = "/v1/platform/learners/l/mastery";

    #[test]
    fn the_weights_of_all_scores_are_those_that_following_them_one_by_one_gives() {
        for scores in 1..=9_i64 {
            let weights: Vec<f64> = (1..=scores).map(|place| super::weight(place, scores)).collect();
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{weights:?}");
            let followed = |place: i64| {
                (1..=scores).fold(0.0, |level, at| {
                    level + (f64::from(u8::from(at == place)) - level) * if at <= 3 { 1.0 / at as f64 } else { 0.3 }
                })
            };
            for (place, weight) in (1..).zip(weights) {
                assert!((weight - followed(place)).abs() < 1e-12, "{place} of {scores}");
            }
        }
    }

    #[both_stores]
    async fn the_level_is_the_mean_at_first_and_then_new_scores_count_for_30_percent(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        for (share, level, confidence) in
            [(1.0, 1.0, 0.5), (0.0, 0.5, 0.667), (0.5, 0.5, 0.75), (1.0, 0.65, 0.8), (0.0, 0.455, 0.833)]
        {
            app.script.grade(share);
            app.evaluate(&tenant, &about(&["light"])).await;
            let mastery = app.get(PATH).key(&tenant.key).send().await.expect(200);
            let concept = &mastery["concepts"][0];
            assert_eq!((concept["mastery"].as_f64(), concept["confidence"].as_f64()), (Some(level), Some(confidence)));
            assert_eq!(concept["lastNormalizedScore"].as_f64(), Some(share * 100.0));
        }
    }

    #[both_stores]
    async fn concepts_are_in_the_order_of_their_names_and_failures_teach_nothing(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        app.evaluate(&tenant, &about(&["b", "a", "Z", "ä"])).await;
        app.script.fail("model_nonsense", false);
        app.evaluate(&tenant, &about(&["never"])).await;
        let mut nobody = about(&["nobody's"]);
        nobody["learnerExternalId"] = Value::Null;
        app.evaluate(&tenant, &nobody).await;
        let mastery = app.get(PATH).key(&tenant.key).send().await.expect(200);
        let names: Vec<_> = mastery["concepts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|concept| concept["concept"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["Z", "a", "b", "ä"]);
    }

    #[both_stores]
    async fn a_workspace_sees_its_own_learners_and_an_operator_names_one(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        let operator = app.operator("o@example.com").await;
        app.evaluate(&tenant, &about(&["light"])).await;
        let named = format!("{PATH}?organizationId={}", tenant.workspace);
        assert_eq!(app.get(PATH).key(&other.key).send().await.expect(200), json!({ "learnerId": "l", "concepts": [] }));
        app.get(&named).key(&other.key).send().await.expect(404);
        app.get(PATH).cookie(&operator).send().await.expect(400);
        let seen = app.get(&named).cookie(&operator).send().await.expect(200);
        assert_eq!(seen, app.get(&named).key(&tenant.key).send().await.expect(200));
        assert_eq!(seen["concepts"].as_array().unwrap().len(), 1);
        let unknown = format!("{PATH}?workspaceId=0192aee1-5a3b-7c2d-8e4f-123456789abc");
        app.get(&unknown).cookie(&operator).send().await.expect(404);
    }
}
