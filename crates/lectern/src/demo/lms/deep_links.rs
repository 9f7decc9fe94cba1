//! `POST /deep-links`: what a teacher picked in the tool becomes links of the course (Deep Linking 2.0).

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use lti::{claims, deep_linking};
use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use super::form::Fields;
use super::hints::Purpose;
use super::school::{NewColumn, NewLink};
use super::tool::{Expected, NotBelieved, Tool};
use super::{DEPLOYMENT, Shared, pages};

/// Links of one answer.
const MOST_ITEMS: usize = 50;
/// The longest text of a link, in bytes.
const LONGEST_TEXT: usize = 2000;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/deep-links", post(take))
}

/// Why nothing is added.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Refused {
    #[error("The form has no JWT.")]
    NoToken,
    #[error("The tool's answer is not believed: {0}.")]
    NotBelieved(#[from] NotBelieved),
    #[error("The tool's answer is for another deployment, or no deep linking response of LTI 1.3.0.")]
    Message,
    #[error("The tool's answer belongs to no choice that this platform asked for.")]
    Data,
    #[error("The tool's answer has no list of at most {MOST_ITEMS} content items.")]
    Items,
    #[error("Item {0} of the tool's answer is no link to the tool, or one of its texts or its line item is wrong.")]
    Item(usize),
    #[error("Nothing was added: {0}.")]
    NotKept(#[from] super::school::NotKept),
}

async fn take(State(lms): State<Arc<Shared>>, body: Bytes) -> Response {
    match added(&lms, &Fields::read(&body)).await {
        Ok(Added { teacher, count, message }) => {
            let count = match count {
                0 => "Nothing was added.".to_owned(),
                1 => "1 link was added.".to_owned(),
                count => format!("{count} links were added."),
            };
            let notice = message.map_or(count.clone(), |message| format!("{count} Lectern says: {message}"));
            pages::picked(&lms, &teacher, &notice)
        }
        Err(refused) => pages::refused(&lms, &refused.to_string()),
    }
}

struct Added {
    /// The person who picked.
    teacher: String,
    count: usize,
    /// What the tool has to say to the person.
    message: Option<String>,
}

async fn added(lms: &Shared, form: &Fields) -> Result<Added, Refused> {
    let token = form.get("JWT").ok_or(Refused::NoToken)?;
    let expected = Expected { audience: &lms.url, id_claim: "nonce", now: lms.ambient.now() };
    let mut answer = lms.tool.verify(token, expected).await?;
    let text = |name: &str| answer.get(name).and_then(Value::as_str);
    let is_answer = text(claims::MESSAGE_TYPE) == Some(claims::DEEP_LINKING_RESPONSE)
        && text(claims::LTI_VERSION) == Some(claims::VERSION)
        && text(claims::DEPLOYMENT_ID) == Some(DEPLOYMENT);
    if !is_answer {
        return Err(Refused::Message);
    }
    let data = text(claims::DEEP_LINKING_DATA).ok_or(Refused::Data)?;
    let teacher = lms.hints.open::<String>(Purpose::DeepLinking, data).ok_or(Refused::Data)?;
    let message = text(claims::DEEP_LINKING_MESSAGE).or_else(|| text(ERROR_MESSAGE));
    let message = message.filter(|message| message.len() <= LONGEST_TEXT).map(str::to_owned);
    // The claim may be absent where nothing was picked.
    let items = match answer.remove(claims::CONTENT_ITEMS) {
        None => Vec::new(),
        Some(Value::Array(items)) if items.len() <= MOST_ITEMS => items,
        Some(_) => return Err(Refused::Items),
    };
    let links = items.into_iter().enumerate();
    let links = links.map(|(index, item)| link(&lms.tool, item).ok_or(Refused::Item(index + 1)));
    let links = links.collect::<Result<Vec<_>, _>>()?;
    let count = links.len();
    lms.school().add_links(links)?;
    Ok(Added { teacher, count, message })
}

/// What the tool says where it could not do what the teacher wanted.
const ERROR_MESSAGE: &str = "https://purl.imsglobal.org/spec/lti-dl/claim/errormsg";

/// A content item, as a tool gives it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    r#type: String,
    title: Option<String>,
    text: Option<String>,
    url: Option<Url>,
    #[serde(default)]
    custom: Map<String, Value>,
    line_item: Option<ItemColumn>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ItemColumn {
    label: Option<String>,
    score_maximum: f64,
    resource_id: Option<String>,
    tag: Option<String>,
}

/// The link of a content item. A link without an address leads where the tool's launches go.
fn link(tool: &Tool, item: Value) -> Option<NewLink> {
    let item: Item = serde_json::from_value(item).ok()?;
    let url = item.url.or_else(|| Url::parse(&tool.launch_url()).ok()).filter(|url| tool.owns(url))?;
    let title = item.title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
    let title = title.unwrap_or_else(|| "Lectern".to_owned());
    let column = item.line_item.map(|column| NewColumn {
        label: column.label.filter(|label| !label.trim().is_empty()).unwrap_or_else(|| title.clone()),
        score_maximum: column.score_maximum,
        resource_id: column.resource_id,
        tag: column.tag,
    });
    let is_short = |text: &str| text.len() <= LONGEST_TEXT;
    let is_right = item.r#type == deep_linking::LTI_RESOURCE_LINK
        && is_short(&title)
        && item.text.as_deref().is_none_or(is_short)
        && is_short(url.as_str())
        && item.custom.values().all(|value| value.as_str().is_some_and(is_short))
        && column.as_ref().is_none_or(|column| {
            let texts = [Some(&column.label), column.resource_id.as_ref(), column.tag.as_ref()];
            column.score_maximum.is_finite()
                && column.score_maximum > 0.0
                && texts.into_iter().flatten().all(|text| is_short(text))
        });
    is_right.then_some(NewLink { title, text: item.text, url, custom: item.custom, column })
}
