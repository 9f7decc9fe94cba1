//! Deep Linking 2.0: a teacher picks what to link, and the tool posts the choice back.

use std::time::Duration;

use kernel::json::plain_number;
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use url::Url;

use crate::claims;
use crate::tool_key::ToolKey;

/// The one type of content item that this tool gives.
pub const LTI_RESOURCE_LINK: &str = "ltiResourceLink";
/// How long an answer holds: the browser posts it at once.
const ANSWER_LIFE: Duration = Duration::from_secs(5 * 60);

/// What a request for deep linking accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Where the browser posts the answer.
    pub deep_link_return_url: Url,
    /// The types of items that the platform takes.
    pub accept_types: Vec<String>,
    /// Whether it takes several at once.
    #[serde(default)]
    pub accept_multiple: Option<bool>,
    /// Whether it makes a column of the gradebook for an item that asks for one; absent means that it does not say.
    #[serde(default, rename = "accept_lineitem")]
    pub accept_line_item: Option<bool>,
    /// What the platform wants to have back unaltered.
    #[serde(default)]
    pub data: Option<Value>,
}

impl Settings {
    /// Whether it takes links to what the tool has.
    pub fn accepts_links(&self) -> bool {
        self.accept_types.iter().any(|kind| kind == LTI_RESOURCE_LINK)
    }

    /// Whether it takes several items at once. Who does not say takes them.
    pub fn accepts_several(&self) -> bool {
        self.accept_multiple != Some(false)
    }

    /// Whether it makes columns of the gradebook. Who does not say makes them.
    pub fn accepts_line_items(&self) -> bool {
        self.accept_line_item != Some(false)
    }
}

/// A link that a teacher picked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename = "ltiResourceLink", rename_all = "camelCase")]
pub struct Link {
    /// Its title.
    pub title: String,
    /// A sentence about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where its launches are to lead.
    pub url: Url,
    /// Texts that its launches bring along.
    pub custom: Map<String, Value>,
    /// The column of the gradebook that it wants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_item: Option<LinkLineItem>,
}

/// A column of the gradebook that a link wants.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkLineItem {
    /// Its title.
    pub label: String,
    /// The points of a perfect answer, more than 0.
    #[serde(serialize_with = "plain_number")]
    pub score_maximum: f64,
    /// The tool's name for what is graded.
    pub resource_id: String,
}

/// An answer to a request for deep linking.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// The client id of the registration.
    pub client_id: &'a str,
    /// The issuer of the registration.
    pub issuer: &'a str,
    /// The deployment of the request.
    pub deployment_id: &'a str,
    /// What the request accepts.
    pub settings: &'a Settings,
    /// What was picked; nothing means that the teacher went back.
    pub links: &'a [Link],
    /// What the teacher is told, in plain text.
    pub message: Option<&'a str>,
    /// A text that no other answer has.
    pub nonce: &'a str,
    /// Now.
    pub now: Timestamp,
}

impl Response<'_> {
    /// The token to post as `JWT` to the return URL.
    pub fn sign(&self, key: &ToolKey) -> String {
        let mut token = json!({
            "iss": self.client_id,
            // Some platforms (Blackboard) want the tool as the subject, too.
            "sub": self.client_id,
            "aud": self.issuer,
            "iat": self.now.as_seconds(),
            "exp": self.now.plus(ANSWER_LIFE).as_seconds(),
            "nonce": self.nonce,
            claims::MESSAGE_TYPE: claims::DEEP_LINKING_RESPONSE,
            claims::LTI_VERSION: claims::VERSION,
            claims::DEPLOYMENT_ID: self.deployment_id,
            claims::CONTENT_ITEMS: self.links,
        });
        if let Some(data) = &self.settings.data {
            token[claims::DEEP_LINKING_DATA] = data.clone();
        }
        if let Some(message) = self.message {
            token[claims::DEEP_LINKING_MESSAGE] = message.into();
        }
        key.sign(&token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(more: &Value) -> Settings {
        let mut settings =
            json!({ "deep_link_return_url": "https://lms.example/dl", "accept_types": ["ltiResourceLink"] });
        settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(settings).unwrap()
    }

    fn response(settings: &Settings, links: &[Link], message: Option<&str>) -> Value {
        let key = ToolKey::from_pkcs8(&ToolKey::generate()).unwrap();
        let token = Response {
            client_id: "tool-1",
            issuer: "https://lms.example",
            deployment_id: "d-1",
            settings,
            links,
            message,
            nonce: "n-1",
            now: Timestamp::from_millis(1_795_282_725_000),
        }
        .sign(&key);
        Value::Object(crate::tool_key::tests::open(&token, &key))
    }

    #[test]
    fn an_answer_is_from_the_tool_to_the_platform_and_gives_its_data_back() {
        let link = Link {
            title: "Cells".to_owned(),
            text: None,
            url: Url::parse("https://tool.example/x").unwrap(),
            custom: Map::from_iter([("resource".to_owned(), "7".into())]),
            line_item: Some(LinkLineItem {
                label: "Cells".to_owned(),
                score_maximum: 10.0,
                resource_id: "7".to_owned(),
            }),
        };
        let data = json!({ "csrf": "x" });
        let answer = response(&settings(&json!({ "data": data })), &[link], Some("1 link was added."));
        let expected = json!({
            "iss": "tool-1", "sub": "tool-1", "aud": "https://lms.example", "iat": 1_795_282_725, "exp": 1_795_283_025, "nonce": "n-1",
            claims::MESSAGE_TYPE: "LtiDeepLinkingResponse", claims::LTI_VERSION: "1.3.0", claims::DEPLOYMENT_ID: "d-1",
            claims::CONTENT_ITEMS: [{
                "type": "ltiResourceLink", "title": "Cells", "url": "https://tool.example/x", "custom": { "resource": "7" },
                "lineItem": { "label": "Cells", "scoreMaximum": 10, "resourceId": "7" },
            }],
            claims::DEEP_LINKING_DATA: data, claims::DEEP_LINKING_MESSAGE: "1 link was added.",
        });
        assert_eq!(answer, expected);
    }

    #[test]
    fn who_picks_nothing_answers_with_nothing() {
        let answer = response(&settings(&json!({})), &[], None);
        assert_eq!(answer[claims::CONTENT_ITEMS], json!([]));
        assert!(answer.get(claims::DEEP_LINKING_DATA).is_none() && answer.get(claims::DEEP_LINKING_MESSAGE).is_none());
    }

    #[test]
    fn a_platform_that_does_not_say_takes_several_links_and_line_items() {
        let silent = settings(&json!({}));
        assert!(silent.accepts_links() && silent.accepts_several() && silent.accepts_line_items());
        let strict = settings(&json!({ "accept_types": ["html"], "accept_multiple": false, "accept_lineitem": false }));
        assert!(!strict.accepts_links() && !strict.accepts_several() && !strict.accepts_line_items());
    }
}
