//! What the processor remembers.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::{Call, error};

/// Usage by meter.
#[derive(Clone, Debug, PartialEq)]
pub struct MeterEvent {
    /// The meter's event.
    pub event_name: String,
    /// The customer.
    pub customer: String,
    /// Credits.
    pub value: f64,
    /// Unlike any other.
    pub identifier: String,
    /// In seconds.
    pub timestamp: i64,
}

/// Usage by subscription item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageRecord {
    /// The item.
    pub item: String,
    /// Pieces of work.
    pub quantity: u64,
    /// In seconds.
    pub timestamp: i64,
}

/// Everything that it remembers.
#[derive(Default)]
pub(super) struct Books {
    pub(super) meter_events: Vec<MeterEvent>,
    pub(super) usage_records: Vec<UsageRecord>,
    identifiers: HashSet<String>,
    answers: HashMap<String, (Call, u16, Value)>,
    /// The customer of each payment method; none where it was detached.
    methods: HashMap<String, Option<String>>,
    setups: HashMap<String, String>,
    deleted: HashSet<String>,
    made: usize,
}

impl Books {
    /// Acts, unless it has for the same idempotency key: then the answer is the same, and other parameters are an error.
    pub(super) fn once(&mut self, call: &Call) -> (u16, Value) {
        let Some(key) = &call.idempotency_key else { return self.act(call) };
        if let Some((earlier, status, body)) = self.answers.get(key) {
            let is_same = (&earlier.operation, &earlier.form) == (&call.operation, &call.form);
            let other = || (400, error("idempotency_error", None, "the key came with other parameters"));
            return if is_same { (*status, body.clone()) } else { other() };
        }
        let (status, body) = self.act(call);
        self.answers.insert(key.clone(), (call.clone(), status, body.clone()));
        (status, body)
    }

    pub(super) fn attach(&mut self, method: &str, customer: &str) {
        self.methods.insert(method.to_owned(), Some(customer.to_owned()));
    }

    pub(super) fn set_up(&mut self, setup_intent: &str, method: &str) {
        self.setups.insert(setup_intent.to_owned(), method.to_owned());
    }

    pub(super) fn delete_customer(&mut self, customer: &str) {
        self.deleted.insert(customer.to_owned());
    }

    pub(super) fn attached(&self) -> Vec<(String, String)> {
        let attached = self.methods.iter().filter_map(|(method, customer)| Some((customer.clone()?, method.clone())));
        let mut attached: Vec<_> = attached.collect();
        attached.sort();
        attached
    }

    /// The next number of something.
    pub(super) fn number(&mut self) -> usize {
        self.made += 1;
        self.made
    }

    pub(super) fn method(&self, id: &str) -> (u16, Value) {
        let Some(customer) = self.methods.get(id) else { return missing("payment_method") };
        let card = json!({ "brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2030 });
        (200, json!({ "id": id, "object": "payment_method", "type": "card", "card": card, "customer": customer }))
    }

    pub(super) fn detach(&mut self, id: &str) -> (u16, Value) {
        match self.methods.get_mut(id) {
            None => missing("payment_method"),
            Some(None) => {
                let why = "The payment method you provided is not attached to a customer so detachment is impossible.";
                (400, error("invalid_request_error", None, why))
            }
            Some(customer) => {
                *customer = None;
                self.method(id)
            }
        }
    }

    pub(super) fn setup(&self, id: &str) -> (u16, Value) {
        let Some(method) = self.setups.get(id) else { return missing("setup_intent") };
        (200, json!({ "id": id, "object": "setup_intent", "payment_method": self.method(method).1 }))
    }

    /// Takes usage by meter, unless it has it.
    pub(super) fn take_meter_event(&mut self, call: &Call) -> (u16, Value) {
        let (Ok(value), Ok(timestamp)) = (call.get("payload[value]").parse(), call.get("timestamp").parse()) else {
            return (400, error("invalid_request_error", None, "no number"));
        };
        let event = MeterEvent {
            event_name: call.get("event_name").to_owned(),
            customer: call.get("payload[stripe_customer_id]").to_owned(),
            value,
            identifier: call.get("identifier").to_owned(),
            timestamp,
        };
        if self.deleted.contains(&event.customer) {
            return missing("customer");
        }
        if !self.identifiers.insert(event.identifier.clone()) {
            let message = format!("An event already exists with identifier {}.", event.identifier);
            return (400, error("invalid_request_error", None, &message));
        }
        self.meter_events.push(event);
        (200, json!({ "object": "billing.meter_event" }))
    }

    /// Takes usage by item.
    pub(super) fn take_usage_record(&mut self, item: &str, call: &Call) -> (u16, Value) {
        let (Ok(quantity), Ok(timestamp)) = (call.get("quantity").parse(), call.get("timestamp").parse()) else {
            return (400, error("invalid_request_error", None, "no number"));
        };
        if call.get("action") != "increment" {
            return (400, error("invalid_request_error", None, "action must be increment"));
        }
        self.usage_records.push(UsageRecord { item: item.to_owned(), quantity, timestamp });
        (200, json!({ "id": "mbur_1", "object": "usage_record" }))
    }
}

pub(super) fn missing(what: &str) -> (u16, Value) {
    (404, error("invalid_request_error", Some("resource_missing"), &format!("No such {what}")))
}
