//! Reviews: a person's grade in the place of the grader's, one after the other.

use http::Method;

use super::evaluations::{detail, load, review_body};
use super::{FormState, Page};
use crate::api::evaluations::EvaluationPage;
use crate::fields::{Fields, Filters, query};
use crate::owner::{Ids, Owner};
use crate::problem::ApiProblem;
use crate::visit::{Operation, Visit};

/// Leads to the next answer that waits for a review.
pub(crate) async fn next(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    let asked = [("workspaceId", owner.id.as_str()), ("needsReview", "true"), ("status", "COMPLETED"), ("limit", "1")];
    let cursor = filters.given("cursor").map(|cursor| ("cursor", cursor));
    let path = format!("/v1/platform/evaluations{}", query(asked.into_iter().chain(cursor)));
    let EvaluationPage { items, next_cursor } = visit.read("listEvaluations", &path).await?;
    let Some(first) = items.first() else {
        return Ok(visit.done(&owner.page("/evaluations?needsReview=true"), "nothing-to-review"));
    };
    let further = next_cursor.as_deref().map(|cursor| ("cursor", cursor));
    let place = query([("queue", "1")].into_iter().chain(further));
    Ok(visit.redirect(&owner.page(&format!("/evaluations/{}{place}", first.id))))
}

/// Saves a review as the next version of the grade.
pub(crate) async fn save(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let id = ids.get("evaluation");
    let evaluation = load(&visit, id).await?;
    let path = format!("/v1/platform/evaluations/{id}/review");
    let body = Some(review_body(&evaluation, &fields));
    let idempotency_key = Some(fields.get("key"));
    let review = Operation {
        id: "reviewEvaluation",
        method: Method::POST,
        path: &path,
        body,
        idempotency_key,
        ..Operation::default()
    };
    match visit.act(review).await {
        Ok(()) if fields.has("queue", "1") => Ok(visit.redirect(&owner.page("/evaluations/next"))),
        Ok(()) => Ok(visit.done(&owner.page(&format!("/evaluations/{id}")), "review-saved")),
        Err(problem) => {
            let problem = by_fields(problem);
            let place = Fields::default().with("queue", fields.get("queue"));
            detail(&visit, owner, id, &place, Some(FormState::refused(fields, problem)?)).await
        }
    }
}

/// The problem with the names of the form in the place of the paths of the request: `criteria[0].score` is the field
/// `points-0`.
fn by_fields(mut problem: ApiProblem) -> ApiProblem {
    for detail in &mut problem.details {
        let criterion = detail.path.strip_prefix("criteria[").and_then(|rest| rest.split_once("]."));
        let field = criterion.and_then(|(index, member)| match member {
            "score" => Some(format!("points-{index}")),
            "feedback" => Some(format!("words-{index}")),
            _ => None,
        });
        detail.path = field.unwrap_or_else(|| std::mem::take(&mut detail.path));
    }
    problem
}
