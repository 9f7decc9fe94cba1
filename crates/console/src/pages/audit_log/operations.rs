//! The operations that the audit log enters, by which its page is filtered.

use crate::format;

/// The names of the API documents, and those of changes that people make without a session.
const OPERATIONS: [&str; 101] = [
    "acceptInvitation",
    "activateWorkspace",
    "addWorkspaceCredits",
    "cancelJob",
    "cancelRendering",
    "confirmPasskey",
    "confirmPasswordReset",
    "confirmTotp",
    "copyModuleToCourse",
    "createApiKey",
    "createBillingSession",
    "createClassroom",
    "createCourse",
    "createEvaluation",
    "createExpansion",
    "createInvitation",
    "createLtiRegistration",
    "createLtiRegistrationLink",
    "createModule",
    "createOrganization",
    "createPlatformKey",
    "createPlatformWebhook",
    "createScene",
    "createSetup",
    "createSlide",
    "createTest",
    "createUser",
    "createVideo",
    "createWebhook",
    "createWorkspace",
    "createWorkspaceFromOrganization",
    "deleteCourse",
    "deleteInvitation",
    "deleteLtiRegistration",
    "deleteModule",
    "deletePlatformWebhook",
    "deleteScene",
    "deleteSlide",
    "deleteTest",
    "deleteVideo",
    "deleteWebhook",
    "endSession",
    "endUserSessions",
    "enrollPasskey",
    "enrollTotp",
    "eraseLearner",
    "exportLesson",
    "importPackage",
    "linkWorkspace",
    "logout",
    "redeliverPlatformWebhook",
    "redeliverWebhook",
    "regradeQuestion",
    "removeMember",
    "removePasskey",
    "removePaymentMethod",
    "removeTotp",
    "removeUserSecondFactor",
    "renderVideo",
    "renewRecoveryCodes",
    "reorderScenes",
    "resendEvaluationScore",
    "resendLinkScores",
    "resendSubmissionScore",
    "resendVerification",
    "retryCourse",
    "retryExpansion",
    "retryJob",
    "retrySlide",
    "retryTest",
    "retryVideo",
    "reviewEvaluation",
    "reviewEvaluations",
    "reviewVideo",
    "revokeApiKey",
    "revokeLtiRegistrationLink",
    "revokeOtherSessions",
    "revokePlatformKey",
    "rotateApiKey",
    "rotatePlatformKey",
    "rotatePlatformWebhookSecret",
    "rotateWebhookSecret",
    "setPlatformKeyCaps",
    "setWorkspaceCaps",
    "signIn",
    "suspendWorkspace",
    "testPlatformWebhook",
    "testWebhook",
    "updateClassroom",
    "updateCourse",
    "updateLtiRegistration",
    "updateMember",
    "updateModule",
    "updateOrganization",
    "updatePageGrading",
    "updateScene",
    "updateSlide",
    "updateTest",
    "updateUser",
    "updateVideo",
    "updateWorkspace",
];

/// The operations with their words in alphabetical order, and one that the page was asked for.
pub(super) fn choices(asked: &str) -> Vec<(String, String)> {
    let unknown = Some(asked).filter(|asked| !asked.is_empty() && !OPERATIONS.contains(asked));
    let mut choices: Vec<_> =
        OPERATIONS.into_iter().chain(unknown).map(|name| (name.to_owned(), format::words(name))).collect();
    choices.sort_by(|one, other| one.1.cmp(&other.1));
    choices
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Writes of the API documents that the log never enters: they need no session, or change nothing.
    const NOT_ENTERED: [&str; 7] = [
        "draftModulePart",
        "draftScene",
        "draftSceneByLink",
        "draftSlide",
        "draftTestItem",
        "login",
        "receiveProcessorEvent",
    ];

    #[test]
    fn every_write_of_the_api_documents_can_be_chosen() {
        for document in
            [include_str!("../../../../../openapi/content.json"), include_str!("../../../../../openapi/platform.json")]
        {
            let document: Value = serde_json::from_str(document).unwrap();
            let paths = document["paths"].as_object().unwrap().values().filter_map(Value::as_object);
            let writes =
                paths.flatten().filter(|(method, _)| ["post", "put", "patch", "delete"].contains(&method.as_str()));
            for name in writes.filter_map(|(_, operation)| operation["operationId"].as_str()) {
                assert!(OPERATIONS.contains(&name) || NOT_ENTERED.contains(&name), "{name}");
            }
        }
    }

    #[test]
    fn a_choice_has_the_words_of_the_table_and_keeps_what_was_asked_for() {
        let choices = choices("fromTheFuture");
        assert!(choices.contains(&("rotateApiKey".to_owned(), "Rotate API key".to_owned())));
        assert!(choices.contains(&("fromTheFuture".to_owned(), "From the future".to_owned())));
        assert!(choices.is_sorted_by_key(|choice| &choice.1));
    }
}
