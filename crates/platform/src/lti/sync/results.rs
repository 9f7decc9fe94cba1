//! Reads the points that a gradebook shows, to settle whether a refused score is there already.
//!
//! Only a tool with the scope `result.readonly` may read them. Without an answer nothing is settled, which is no fault.

use lti::ags::{LearnerResult, RESULTS_TYPE, SCOPE_RESULT_READONLY, results_of};
use net::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue};
use net::{Limits, Url};

use super::claim::ClaimedSync;
use super::send::LIMITS;
use crate::Platform;
use crate::lti::tokens::bearer;

/// Results of a whole course, from platforms that ignore the filter.
const RESULTS_LIMITS: Limits = Limits { max_response_bytes: 1024 * 1024, ..LIMITS };

/// Whether the learner has the points of the score in the column, as far as the platform says.
pub(super) async fn show(platform: &Platform, sync: &ClaimedSync, line_item: &Url) -> bool {
    let (Some(user), Some(results)) = (&sync.score.user_id, read(platform, sync, line_item).await) else {
        return false;
    };
    let (given, maximum) = (sync.score.score_given, sync.score.score_maximum);
    results.iter().any(|result| result.user_id == *user && result.shows(given, maximum))
}

async fn read(platform: &Platform, sync: &ClaimedSync, line_item: &Url) -> Option<Vec<LearnerResult>> {
    sync.score.grades.as_ref().filter(|grades| grades.allows(SCOPE_RESULT_READONLY))?;
    let user = sync.score.user_id.as_deref()?;
    // A token of its own: a platform that refuses this scope does not refuse the others with it.
    let token =
        platform.lti_tokens.get(&platform.tool_keys, &sync.registration, &[SCOPE_RESULT_READONLY]).await.ok()?;
    let headers =
        HeaderMap::from_iter([(AUTHORIZATION, bearer(&token)?), (ACCEPT, HeaderValue::from_static(RESULTS_TYPE))]);
    let answer = platform.outbound.get(&results_of(line_item, user), headers, RESULTS_LIMITS).await.ok()?;
    if !answer.status.is_success() {
        return None;
    }
    serde_json::from_slice(&answer.body).ok()
}
