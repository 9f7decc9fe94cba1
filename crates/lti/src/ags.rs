//! Assignment and Grade Services 2.0: the columns of a gradebook and the scores in them.

use kernel::json::{plain_number, plain_number_or_null};
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;

/// To make, change and find columns.
pub const SCOPE_LINE_ITEM: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem";
/// To find columns.
pub const SCOPE_LINE_ITEM_READONLY: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly";
/// To read what is in them.
pub const SCOPE_RESULT_READONLY: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly";
/// To post scores.
pub const SCOPE_SCORE: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/score";

/// The form of one column.
pub const LINE_ITEM_TYPE: &str = "application/vnd.ims.lis.v2.lineitem+json";
/// The form of several columns.
pub const LINE_ITEMS_TYPE: &str = "application/vnd.ims.lis.v2.lineitemcontainer+json";
/// The form of the results of a column.
pub const RESULTS_TYPE: &str = "application/vnd.ims.lis.v2.resultcontainer+json";
/// The form of a score.
pub const SCORE_TYPE: &str = "application/vnd.ims.lis.v1.score+json";

/// The gradebook as a launch offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradeService {
    /// What the tool may do, as URIs.
    #[serde(default)]
    pub scope: Vec<String>,
    /// The address of all columns of the course.
    pub lineitems: Option<Url>,
    /// The address of the one column of the link, where there is just one.
    pub lineitem: Option<Url>,
}

impl GradeService {
    /// Whether the tool may do what a scope names.
    pub fn allows(&self, scope: &str) -> bool {
        self.scope.iter().any(|own| own == scope)
    }
}

/// A column of a gradebook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LineItem {
    /// Its address; the platform gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Url>,
    /// Its title.
    pub label: String,
    /// The points of a perfect answer, more than 0. Some platforms want whole points to be written so.
    #[serde(serialize_with = "plain_number")]
    pub score_maximum: f64,
    /// The tool's name for what is graded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// The link that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_link_id: Option<String>,
    /// What tells it from others of the same resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
}

/// The address of the columns of one resource: those of all, with a filter. A query that is there stays.
pub fn line_items_of(line_items: &Url, resource_id: &str, resource_link_id: Option<&str>) -> Url {
    let mut url = line_items.clone();
    url.query_pairs_mut().append_pair("resource_id", resource_id);
    if let Some(link) = resource_link_id {
        url.query_pairs_mut().append_pair("resource_link_id", link);
    }
    url
}

/// The address that scores of a column are posted to: `/scores` at the end of its path. Its query stays.
pub fn scores_of(line_item: &Url) -> Url {
    let mut url = line_item.clone();
    url.set_path(&format!("{}/scores", line_item.path().trim_end_matches('/')));
    url
}

/// The address of a learner's results in a column: `/results` at the end of its path, with a filter. Its query stays.
pub fn results_of(line_item: &Url, user_id: &str) -> Url {
    let mut url = line_item.clone();
    url.set_path(&format!("{}/results", line_item.path().trim_end_matches('/')));
    url.query_pairs_mut().append_pair("user_id", user_id);
    url
}

/// What a column shows for one learner.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LearnerResult {
    /// The learner.
    pub user_id: String,
    /// The points; absent where there are none.
    pub result_score: Option<f64>,
    /// The points of a perfect answer; 1 where the platform does not say.
    pub result_maximum: Option<f64>,
}

impl LearnerResult {
    /// Whether the learner has this share of the points of a perfect answer.
    pub fn shows(&self, given: f64, maximum: f64) -> bool {
        let share = self.result_score.map(|score| score / self.result_maximum.unwrap_or(1.0));
        share.is_some_and(|share| (share - given / maximum).abs() < PRECISION)
    }
}

/// Platforms round points.
const PRECISION: f64 = 1e-4;

/// How far a learner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActivityProgress {
    /// Nothing was done yet.
    Initialized,
    /// The learner has begun.
    Started,
    /// The learner is at work.
    InProgress,
    /// The learner has handed in and may do so again.
    Submitted,
    /// The learner is done.
    Completed,
}

/// How far grading is. Platforms show a score when it is [`FullyGraded`](Self::FullyGraded), and some delete it otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GradingProgress {
    /// The score is final.
    FullyGraded,
    /// Grading goes on without anybody's help.
    Pending,
    /// A person has to grade.
    PendingManual,
    /// There will be no score.
    Failed,
    /// Nothing is being graded.
    NotReady,
}

/// A score for one learner in one column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Score {
    /// The points, from 0; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "plain_number_or_null")]
    pub score_given: Option<f64>,
    /// The points of a perfect answer, more than 0; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "plain_number_or_null")]
    pub score_maximum: Option<f64>,
    /// How far the learner is.
    pub activity_progress: ActivityProgress,
    /// How far grading is.
    pub grading_progress: GradingProgress,
    /// The learner, as the platform's launch named them.
    pub user_id: String,
    /// When the score was given. A platform ignores what is not later than the score that it has; of one score it is always
    /// the same.
    pub timestamp: Timestamp,
    /// A remark for the learner, in plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// When the learner handed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submission: Option<Submission>,
}

/// What a learner handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// When.
    pub submitted_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_query_of_a_line_item_stays_when_scores_is_appended() {
        for (item, scores) in [
            ("https://lms.example/li/7", "https://lms.example/li/7/scores"),
            ("https://lms.example/li/7/", "https://lms.example/li/7/scores"),
            (
                "https://lms.example/li/7/lineitem?type_id=3&x=%2F",
                "https://lms.example/li/7/lineitem/scores?type_id=3&x=%2F",
            ),
        ] {
            assert_eq!(scores_of(&Url::parse(item).unwrap()).as_str(), scores);
        }
    }

    #[test]
    fn results_are_asked_for_by_learner_and_compared_by_share() {
        let item = Url::parse("https://lms.example/li/7/lineitem?type_id=3").unwrap();
        let expected = "https://lms.example/li/7/lineitem/results?type_id=3&user_id=a%26b";
        assert_eq!(results_of(&item, "a&b").as_str(), expected);
        let result = |json| serde_json::from_value::<LearnerResult>(json).unwrap();
        assert!(result(json!({ "userId": "a", "resultScore": 0.5 })).shows(5.0, 10.0));
        assert!(result(json!({ "userId": "a", "resultScore": 33.33, "resultMaximum": 100 })).shows(1.0, 3.0));
        assert!(!result(json!({ "userId": "a", "resultScore": 6, "resultMaximum": 10 })).shows(5.0, 10.0));
        assert!(!result(json!({ "userId": "a" })).shows(0.0, 10.0), "no points are not 0 points");
        assert!(!result(json!({ "userId": "a", "resultScore": 0, "resultMaximum": 0 })).shows(0.0, 10.0));
    }

    #[test]
    fn line_items_are_asked_for_by_resource_beside_the_query_that_is_there() {
        let all = Url::parse("https://lms.example/items?c=1").unwrap();
        let url = line_items_of(&all, "a&b", Some("l 1"));
        assert_eq!(url.as_str(), "https://lms.example/items?c=1&resource_id=a%26b&resource_link_id=l+1");
    }

    #[test]
    fn a_score_has_a_time_with_fraction_and_zone() {
        let score = Score {
            score_given: Some(7.5),
            score_maximum: Some(10.0),
            activity_progress: ActivityProgress::Completed,
            grading_progress: GradingProgress::FullyGraded,
            user_id: "u-1".to_owned(),
            timestamp: Timestamp::from_millis(1_795_282_725_000),
            comment: None,
            submission: Some(Submission { submitted_at: Timestamp::from_millis(1_795_282_000_007) }),
        };
        let expected = json!({
            "scoreGiven": 7.5, "scoreMaximum": 10, "activityProgress": "Completed", "gradingProgress": "FullyGraded",
            "userId": "u-1", "timestamp": "2026-11-21T17:38:45.000Z",
            "submission": { "submittedAt": "2026-11-21T17:26:40.007Z" },
        });
        assert_eq!(serde_json::to_value(&score).unwrap(), expected);
    }

    #[test]
    fn a_new_line_item_says_only_what_is_known_of_it() {
        let item = LineItem {
            id: None,
            label: "Cells".to_owned(),
            score_maximum: 10.0,
            resource_id: Some("r".to_owned()),
            resource_link_id: None,
            tag: None,
        };
        assert_eq!(
            serde_json::to_value(&item).unwrap(),
            json!({ "label": "Cells", "scoreMaximum": 10, "resourceId": "r" })
        );
    }
}
