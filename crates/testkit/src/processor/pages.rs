//! What the processor does for each call.

use serde_json::{Value, json};

use super::books::{Books, missing};
use super::{Call, METER, error};

const METER_ID: &str = "mtr_1";
const DAY_SECONDS: i64 = 24 * 3600;
/// 2100: a page lives as long as any test.
const EXPIRES_AT: i64 = 4_102_444_800;

impl Books {
    pub(super) fn act(&mut self, call: &Call) -> (u16, Value) {
        let (method, path) = call.operation.split_once(' ').unwrap();
        let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match (method, segments.as_slice()) {
            ("POST", ["v1", "customers"]) => {
                let id = format!("cus_{}", self.number());
                (200, json!({ "id": id, "object": "customer", "name": call.get("name") }))
            }
            ("POST", ["v1", "checkout", "sessions"]) => self.session(call),
            ("GET", ["v1", "payment_methods", id]) => self.method(id),
            ("POST", ["v1", "payment_methods", id, "detach"]) => self.detach(id),
            ("GET", ["v1", "setup_intents", id]) => self.setup(id),
            ("POST", ["v1", "billing", "meter_events"]) => self.take_meter_event(call),
            ("POST", ["v1", "subscription_items", item, "usage_records"]) => self.take_usage_record(item, call),
            ("GET", ["v1", "billing", "meters"]) => {
                (200, list(&[json!({ "id": METER_ID, "object": "billing.meter", "event_name": METER })]))
            }
            ("GET", ["v1", "billing", "meters", METER_ID, "event_summaries"]) => self.by_day(call),
            ("GET", ["v1", "subscription_items", item, "usage_record_summaries"]) => self.by_period(item),
            _ => missing("route"),
        }
    }

    fn session(&mut self, call: &Call) -> (u16, Value) {
        let is_setup = call.get("mode") == "setup";
        let cents: u64 = call.get("line_items[0][price_data][unit_amount]").parse().unwrap_or(0);
        if call.get("customer").is_empty() || call.get("success_url").is_empty() || (!is_setup && cents == 0) {
            return (400, error("invalid_request_error", Some("parameter_missing"), "something is missing"));
        }
        let id = format!("cs_test_{}", self.number());
        let url = format!("https://checkout.processor.example/c/pay/{id}");
        let session = json!({
            "id": id, "object": "checkout.session", "mode": call.get("mode"), "url": url, "expires_at": EXPIRES_AT,
            "customer": call.get("customer"), "client_reference_id": call.get("client_reference_id"),
        });
        (200, session)
    }

    fn by_day(&self, call: &Call) -> (u16, Value) {
        let time = |name: &str| call.get(name).parse::<i64>().unwrap();
        let (from, to, customer) = (time("start_time"), time("end_time"), call.get("customer"));
        if from % DAY_SECONDS != 0 || to % DAY_SECONDS != 0 {
            return (400, error("invalid_request_error", None, "times must be those of whole days"));
        }
        let mut days = std::collections::BTreeMap::<i64, f64>::new();
        let events = self.meter_events.iter().filter(|event| event.customer == customer);
        for event in events.filter(|event| (from..to).contains(&event.timestamp)) {
            *days.entry(event.timestamp.div_euclid(DAY_SECONDS) * DAY_SECONDS).or_default() += event.value;
        }
        let summary = |(start, total): (&i64, &f64)| {
            json!({ "id": format!("mtrusg_{start}"), "start_time": start, "end_time": start + DAY_SECONDS,
                "aggregated_value": total, "meter": METER_ID })
        };
        (200, list(&days.iter().map(summary).collect::<Vec<_>>()))
    }

    fn by_period(&self, item: &str) -> (u16, Value) {
        let records = self.usage_records.iter().filter(|record| record.item == item);
        let total: u64 = records.map(|record| record.quantity).sum();
        let period = json!({ "start": null, "end": null });
        (200, list(&[json!({ "id": "sis_1", "subscription_item": item, "total_usage": total, "period": period })]))
    }
}

fn list(items: &[Value]) -> Value {
    json!({ "object": "list", "data": items, "has_more": false })
}
