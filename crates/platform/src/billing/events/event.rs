//! An event as the processor sends it.

use edge::problem::Problem;
use kernel::time::Timestamp;
use serde_json::Value;

use crate::billing::processor::calls::seconds;
use crate::billing::processor::is_reference;

const LONGEST_KIND: usize = 100;

/// An event whose signature is right.
#[derive(Clone, Debug)]
pub(in crate::billing) struct Event {
    /// Its id; the same each time that it is sent.
    pub(in crate::billing) id: String,
    /// What happened, such as `setup_intent.succeeded`.
    pub(in crate::billing) kind: String,
    /// When it happened, to the second.
    pub(in crate::billing) created_at: Timestamp,
    /// Whether it is about real money.
    pub(in crate::billing) is_live: Option<bool>,
    /// Whether it is of an account that is connected to the operator's.
    pub(in crate::billing) is_of_another_account: bool,
    /// What it happened to, as it is afterwards.
    pub(in crate::billing) object: Value,
    /// The members that changed, as they were before.
    pub(in crate::billing) before: Value,
}

impl Event {
    /// Reads a body. An event without a time happened now.
    ///
    /// # Errors
    /// 400 for what is no event.
    pub(in crate::billing) fn read(body: &[u8], now: Timestamp) -> Result<Self, Problem> {
        let event: Value =
            serde_json::from_slice(body).map_err(|_| Problem::MalformedJson("it can't be read".to_owned()))?;
        let wrong = |path: &str| Problem::field(path, "is not what an event of a payment processor has there");
        let text = |path: &str| event[path].as_str().ok_or_else(|| wrong(path));
        let id = Some(text("id")?).filter(|id| is_reference(id)).ok_or_else(|| wrong("id"))?;
        let is_kind =
            |kind: &&str| (1..=LONGEST_KIND).contains(&kind.len()) && kind.bytes().all(|byte| byte.is_ascii_graphic());
        let kind = Some(text("type")?).filter(is_kind).ok_or_else(|| wrong("type"))?;
        let object = event["data"]["object"].clone();
        if !object.is_object() {
            return Err(wrong("data.object"));
        }
        let created = &event["created"];
        let created_at = if created.is_null() { Some(now) } else { seconds(created) };
        Ok(Self {
            id: id.to_owned(),
            kind: kind.to_owned(),
            created_at: created_at.ok_or_else(|| wrong("created"))?,
            is_live: event["livemode"].as_bool(),
            is_of_another_account: event.get("account").is_some_and(|account| !account.is_null()),
            object,
            before: event["data"]["previous_attributes"].clone(),
        })
    }

    /// The id that a member of the object holds, be it the id alone or the whole thing.
    pub(in crate::billing) fn reference(&self, member: &str) -> Option<String> {
        reference(&self.object[member])
    }
}

/// The id of something, be it the id alone or the whole thing.
pub(super) fn reference(value: &Value) -> Option<String> {
    let id = value.as_str().or_else(|| value["id"].as_str())?;
    is_reference(id).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(body: &[u8]) -> Result<Event, Problem> {
        Event::read(body, Timestamp::from_millis(7000))
    }

    #[test]
    fn what_is_no_event_is_refused_by_its_member() {
        let good = json!({ "id": "evt_1", "type": "x.y", "created": 1, "data": { "object": {} } });
        assert!(read(good.to_string().as_bytes()).is_ok());
        let timeless = json!({ "id": "evt_1", "type": "x.y", "data": { "object": {} } });
        assert_eq!(read(timeless.to_string().as_bytes()).unwrap().created_at.as_seconds(), 7);
        for (path, wrong) in [
            ("id", json!(null)),
            ("id", json!("")),
            ("id", json!("a b")),
            ("id", json!(["evt_1"])),
            ("type", json!("")),
            ("type", json!("x".repeat(101))),
            ("created", json!(-1)),
            ("created", json!("1")),
            ("created", json!(1e300)),
            ("data", json!(null)),
            ("data", json!([])),
            ("data", json!({ "object": "x" })),
        ] {
            let mut event = good.clone();
            event[path] = wrong;
            assert!(read(event.to_string().as_bytes()).is_err(), "{event}");
        }
        for text in ["", "[]", "null", "7", "{", "\"x\"", &"[".repeat(100_000)] {
            assert!(read(text.as_bytes()).is_err());
        }
    }
}
