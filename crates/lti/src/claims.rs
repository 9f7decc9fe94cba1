//! The names of claims and messages.

/// The version of every LTI 1.3 message.
pub const VERSION: &str = "1.3.0";
/// The message of a learner, teacher or administrator who opens a link of the course.
pub const RESOURCE_LINK_REQUEST: &str = "LtiResourceLinkRequest";
/// The message of a teacher who picks what to link.
pub const DEEP_LINKING_REQUEST: &str = "LtiDeepLinkingRequest";
/// The answer with what was picked.
pub const DEEP_LINKING_RESPONSE: &str = "LtiDeepLinkingResponse";

/// The type of the message.
pub const MESSAGE_TYPE: &str = "https://purl.imsglobal.org/spec/lti/claim/message_type";
/// The version of LTI.
pub const LTI_VERSION: &str = "https://purl.imsglobal.org/spec/lti/claim/version";
/// The place of the platform that the tool is deployed in.
pub const DEPLOYMENT_ID: &str = "https://purl.imsglobal.org/spec/lti/claim/deployment_id";
/// Where the launch is to lead.
pub const TARGET_LINK_URI: &str = "https://purl.imsglobal.org/spec/lti/claim/target_link_uri";
/// The link that was opened.
pub const RESOURCE_LINK: &str = "https://purl.imsglobal.org/spec/lti/claim/resource_link";
/// What the user may do.
pub const ROLES: &str = "https://purl.imsglobal.org/spec/lti/claim/roles";
/// The course that the link is in.
pub const CONTEXT: &str = "https://purl.imsglobal.org/spec/lti/claim/context";
/// Texts that were given with the link or the tool.
pub const CUSTOM: &str = "https://purl.imsglobal.org/spec/lti/claim/custom";
/// How the platform shows the tool.
pub const LAUNCH_PRESENTATION: &str = "https://purl.imsglobal.org/spec/lti/claim/launch_presentation";
/// The configuration of a tool in dynamic registration.
pub const TOOL_CONFIGURATION: &str = "https://purl.imsglobal.org/spec/lti-tool-configuration";
/// The configuration of a platform in dynamic registration.
pub const PLATFORM_CONFIGURATION: &str = "https://purl.imsglobal.org/spec/lti-platform-configuration";

/// Assignment and Grade Services: their addresses and what the tool may do.
pub const AGS_ENDPOINT: &str = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
/// Names and Role Provisioning Services: the address of the roster.
pub const NRPS_SERVICE: &str = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice";

/// What a request for deep linking accepts.
pub const DEEP_LINKING_SETTINGS: &str = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings";
/// What was picked.
pub const CONTENT_ITEMS: &str = "https://purl.imsglobal.org/spec/lti-dl/claim/content_items";
/// What the platform wants to have back.
pub const DEEP_LINKING_DATA: &str = "https://purl.imsglobal.org/spec/lti-dl/claim/data";
/// A message for the teacher.
pub const DEEP_LINKING_MESSAGE: &str = "https://purl.imsglobal.org/spec/lti-dl/claim/msg";
