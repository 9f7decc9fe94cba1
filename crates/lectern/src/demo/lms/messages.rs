//! What the platform says of a person who opens a link, or picks links.

use std::time::Duration;

use lti::{ags, claims, deep_linking};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::hints::Purpose;
use super::school::{Link, Person, Role};
use super::{CLIENT_ID, COURSE, DEPLOYMENT, NAME, Shared};

/// How long an ID token holds.
const LIFE: Duration = Duration::from_secs(5 * 60);
const TOOL_PLATFORM: &str = "https://purl.imsglobal.org/spec/lti/claim/tool_platform";

/// What a person is about to do in the tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Errand {
    /// To open the link with this id.
    Open(String),
    /// To pick links.
    Pick,
}

/// Parameters of a login that the platform begins, for the tool's login address.
pub(super) fn login(lms: &Shared, person: &Person, errand: &Errand, target: &str) -> Vec<(&'static str, String)> {
    vec![
        ("iss", lms.url.clone()),
        ("client_id", CLIENT_ID.to_owned()),
        ("lti_deployment_id", DEPLOYMENT.to_owned()),
        ("target_link_uri", target.to_owned()),
        ("login_hint", lms.hints.seal(Purpose::Login, &person.id)),
        ("lti_message_hint", lms.hints.seal(Purpose::Message, errand)),
    ]
}

/// The ID token for an errand; `None` when the person may not go on it.
pub(super) fn id_token(lms: &Shared, person: &Person, errand: &Errand, nonce: &str) -> Option<String> {
    let mut token = who(lms, person, nonce);
    match errand {
        Errand::Open(id) => {
            let school = lms.school();
            add_link(lms, &mut token, school.link(id)?);
            let mut columns = school.columns_of(id);
            // With several columns the tool has to say which.
            if let (Some(column), None) = (columns.next(), columns.next()) {
                token[claims::AGS_ENDPOINT]["lineitem"] = json!(column.item.id);
            }
        }
        Errand::Pick if person.role == Role::Teacher => add_settings(lms, &mut token, person),
        Errand::Pick => return None,
    }
    Some(lms.key.sign(&token))
}

fn who(lms: &Shared, person: &Person, nonce: &str) -> Value {
    let now = lms.ambient.now();
    let (given, family) = person.names();
    json!({
        "iss": lms.url,
        "aud": CLIENT_ID,
        "sub": person.subject,
        "iat": now.as_seconds(),
        "exp": now.plus(LIFE).as_seconds(),
        "nonce": nonce,
        "name": person.name,
        "given_name": given,
        "family_name": family,
        claims::LTI_VERSION: claims::VERSION,
        claims::DEPLOYMENT_ID: DEPLOYMENT,
        claims::ROLES: [role_uri(person.role)],
        claims::CONTEXT: course(),
        claims::NRPS_SERVICE: { "context_memberships_url": lms.memberships(), "service_versions": ["2.0"] },
        claims::LAUNCH_PRESENTATION: {
            "locale": "en", "document_target": "iframe", "return_url": format!("{}/as/{}/course", lms.url, person.id),
        },
        TOOL_PLATFORM: { "guid": lms.url, "name": NAME, "product_family_code": "lectern-demo-lms" },
    })
}

/// The course, as messages name it.
pub(super) fn course() -> Value {
    json!({ "id": "course-1", "label": "BIO-7B", "title": COURSE })
}

/// The role, as messages name it.
pub(super) const fn role_uri(role: Role) -> &'static str {
    match role {
        Role::Teacher => "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor",
        Role::Student => "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner",
    }
}

fn add_link(lms: &Shared, token: &mut Value, link: &Link) {
    token[claims::MESSAGE_TYPE] = json!(claims::RESOURCE_LINK_REQUEST);
    token[claims::TARGET_LINK_URI] = json!(link.url);
    token[claims::RESOURCE_LINK] = json!({ "id": link.id, "title": link.title, "description": link.text });
    if !link.custom.is_empty() {
        token[claims::CUSTOM] = json!(link.custom);
    }
    token[claims::AGS_ENDPOINT] = json!({
        "scope": [ags::SCOPE_LINE_ITEM, ags::SCOPE_LINE_ITEM_READONLY, ags::SCOPE_SCORE],
        "lineitems": format!("{}/lineitems", lms.url),
    });
}

fn add_settings(lms: &Shared, token: &mut Value, person: &Person) {
    token[claims::MESSAGE_TYPE] = json!(claims::DEEP_LINKING_REQUEST);
    token[claims::TARGET_LINK_URI] = json!(lms.tool.launch_url());
    token[claims::DEEP_LINKING_SETTINGS] = json!({
        "deep_link_return_url": format!("{}/deep-links", lms.url),
        "accept_types": [deep_linking::LTI_RESOURCE_LINK],
        "accept_presentation_document_targets": ["iframe", "window"],
        "accept_multiple": true,
        "accept_lineitem": true,
        "data": lms.hints.seal(Purpose::DeepLinking, &person.id),
    });
}
