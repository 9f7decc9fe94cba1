//! What the processor is asked to do, one function a call.

use kernel::id::{BillingSessionId, PaymentMethodId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use serde_json::Value;

use super::{Patience, Post, Processor, ProcessorError, is_reference};
use crate::billing::payment_methods::register::{Details, Named};
use crate::billing::usage::Tier;
use crate::billing::usage::send::event_name;

/// Items of a page of the processor's lists; the most that it gives.
const PAGE: &str = "100";
/// Pages of a list that are read at most.
const MOST_PAGES: usize = 100;

/// A customer to make.
pub(in crate::billing) struct NewCustomer<'a> {
    pub(in crate::billing) workspace: WorkspaceId,
    pub(in crate::billing) name: &'a str,
    pub(in crate::billing) email: Option<&'a str>,
    /// Tells this customer from an earlier one of the workspace that was deleted.
    pub(in crate::billing) idempotency_key: String,
}

/// A page to make.
pub(in crate::billing) struct NewSession<'a> {
    pub(in crate::billing) id: BillingSessionId,
    pub(in crate::billing) workspace: WorkspaceId,
    pub(in crate::billing) customer: &'a str,
    /// What is bought; `None` to set a payment method up.
    pub(in crate::billing) amount: Option<MicroUsd>,
    pub(in crate::billing) success_url: &'a str,
    pub(in crate::billing) cancel_url: &'a str,
}

/// A page that was made.
#[derive(Clone, Debug)]
pub(in crate::billing) struct MadeSession {
    pub(in crate::billing) processor_id: String,
    pub(in crate::billing) url: String,
    pub(in crate::billing) expires_at: Timestamp,
}

/// Usage to report.
pub(in crate::billing) struct Usage<'a> {
    /// The same for each attempt, and no other usage has it.
    pub(in crate::billing) identifier: &'a str,
    /// The same for each attempt until one is refused.
    pub(in crate::billing) idempotency_key: &'a str,
    pub(in crate::billing) used_at: Timestamp,
}

/// The usage of a customer or an item within some time, as the processor knows it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::billing) struct Summary {
    pub(in crate::billing) starts_at: Timestamp,
    pub(in crate::billing) total: f64,
}

impl Processor {
    /// Makes a customer; its id.
    pub(in crate::billing) async fn create_customer(&self, new: &NewCustomer<'_>) -> Result<String, ProcessorError> {
        let mut form = vec![
            ("name".to_owned(), new.name.to_owned()),
            ("metadata[workspace]".to_owned(), new.workspace.to_string()),
        ];
        form.extend(new.email.map(|email| ("email".to_owned(), email.to_owned())));
        let post = Post {
            path: "v1/customers".to_owned(),
            form,
            idempotency_key: new.idempotency_key.clone(),
            patience: Patience::Short,
        };
        reference(&self.post(&post).await?, "id")
    }

    /// Makes a page for setting a payment method up, or for buying credits.
    pub(in crate::billing) async fn create_session(&self, new: &NewSession<'_>) -> Result<MadeSession, ProcessorError> {
        let (workspace, id) = (new.workspace.to_string(), new.id.to_string());
        let mut form = pairs(&[
            ("currency", "usd"),
            ("customer", new.customer),
            ("success_url", new.success_url),
            ("cancel_url", new.cancel_url),
            ("client_reference_id", &id),
            ("metadata[workspace]", &workspace),
            ("metadata[session]", &id),
        ]);
        match new.amount {
            None => form.extend(pairs(&[("mode", "setup"), ("setup_intent_data[metadata][workspace]", &workspace)])),
            Some(amount) => {
                let cents = (amount.micros() / 10_000).to_string();
                form.extend(pairs(&[
                    ("mode", "payment"),
                    ("line_items[0][quantity]", "1"),
                    ("line_items[0][price_data][currency]", "usd"),
                    ("line_items[0][price_data][unit_amount]", &cents),
                    ("line_items[0][price_data][product_data][name]", &format!("{cents} credits")),
                    ("metadata[credits]", &cents),
                    ("payment_intent_data[metadata][workspace]", &workspace),
                ]));
            }
        }
        let post = Post {
            path: "v1/checkout/sessions".to_owned(),
            form,
            idempotency_key: format!("session:{id}"),
            patience: Patience::Short,
        };
        let made = self.post(&post).await?;
        let url = made["url"].as_str().filter(|url| is_page(url)).ok_or(ProcessorError::Unreadable)?;
        let expires_at = seconds(&made["expires_at"]).ok_or(ProcessorError::Unreadable)?;
        Ok(MadeSession { processor_id: reference(&made, "id")?, url: url.to_owned(), expires_at })
    }

    /// Takes a payment method from its customer.
    pub(in crate::billing) async fn detach(
        &self,
        id: PaymentMethodId,
        processor_id: &str,
    ) -> Result<(), ProcessorError> {
        let post = Post {
            path: format!("v1/payment_methods/{}/detach", segment(processor_id)?),
            form: Vec::new(),
            idempotency_key: format!("detach:{id}"),
            patience: Patience::Once,
        };
        self.post(&post).await.map(drop)
    }

    /// What a payment method looks like.
    pub(in crate::billing) async fn payment_method(&self, processor_id: &str) -> Result<Details, ProcessorError> {
        let path = format!("v1/payment_methods/{}", segment(processor_id)?);
        Ok(details_of(&self.get(&path, &[]).await?))
    }

    /// The payment method that a setup made, with its looks.
    pub(in crate::billing) async fn set_up(&self, setup_intent_id: &str) -> Result<Named, ProcessorError> {
        let path = format!("v1/setup_intents/{}", segment(setup_intent_id)?);
        let intent = self.get(&path, &[("expand[]", "payment_method")]).await?;
        let method = &intent["payment_method"];
        let processor_id = method.as_str().or_else(|| method["id"].as_str()).filter(|id| is_reference(id));
        Ok(Named {
            processor_id: Some(processor_id.ok_or(ProcessorError::Unreadable)?.to_owned()),
            setup_intent_id: Some(setup_intent_id.to_owned()),
            details: method.is_object().then(|| details_of(method)),
        })
    }

    /// Reports the worth of usage of a customer, in credits. Usage that the processor has already is reported.
    pub(in crate::billing) async fn report_to_meter(
        &self,
        event_name: &str,
        customer: &str,
        amount: MicroUsd,
        usage: &Usage<'_>,
    ) -> Result<(), ProcessorError> {
        let post = Post {
            path: "v1/billing/meter_events".to_owned(),
            form: pairs(&[
                ("event_name", event_name),
                ("payload[stripe_customer_id]", customer),
                ("payload[value]", &amount.to_credits_number().to_string()),
                ("identifier", usage.identifier),
                ("timestamp", &usage.used_at.as_seconds().to_string()),
            ]),
            idempotency_key: usage.idempotency_key.to_owned(),
            patience: Patience::Once,
        };
        match self.post(&post).await {
            Err(error) if error.is_duplicate() => Ok(()),
            answer => answer.map(drop),
        }
    }

    /// Reports the number of pieces of work to an item of a subscription.
    pub(in crate::billing) async fn report_to_item(
        &self,
        item: &str,
        quantity: u64,
        usage: &Usage<'_>,
    ) -> Result<(), ProcessorError> {
        let post = Post {
            path: format!("v1/subscription_items/{}/usage_records", segment(item)?),
            form: pairs(&[
                ("quantity", &quantity.to_string()),
                ("timestamp", &usage.used_at.as_seconds().to_string()),
                ("action", "increment"),
            ]),
            idempotency_key: usage.idempotency_key.to_owned(),
            patience: Patience::Once,
        };
        self.post(&post).await.map(drop)
    }

    /// The id of the meter that counts an event; `None` when there is none.
    pub(in crate::billing) async fn find_meter(&self, event_name: &str) -> Result<Option<String>, ProcessorError> {
        let meters = self.list("v1/billing/meters", &[("status", "active")]).await?;
        let meter = meters.iter().find(|meter| meter["event_name"] == event_name);
        meter.map(|meter| reference(meter, "id")).transpose()
    }

    /// The meters' events that the processor has no active meter for.
    ///
    /// # Errors
    /// When the processor can't be asked, or refuses the key.
    pub async fn missing_meters(&self) -> Result<Vec<String>, ProcessorError> {
        let mut names: Vec<_> = Tier::ALL.iter().map(|tier| event_name(self, tier.as_str())).collect();
        names.dedup();
        let mut missing = Vec::new();
        for name in names {
            if self.find_meter(&name).await?.is_none() {
                missing.push(name);
            }
        }
        Ok(missing)
    }

    /// A customer's usage by day, from the first day on and before the last.
    pub(in crate::billing) async fn meter_summaries(
        &self,
        meter: &str,
        customer: &str,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<Summary>, ProcessorError> {
        let path = format!("v1/billing/meters/{}/event_summaries", segment(meter)?);
        let (from, to) = (from.as_seconds().to_string(), to.as_seconds().to_string());
        let query =
            [("customer", customer), ("start_time", &from), ("end_time", &to), ("value_grouping_window", "day")];
        let listed = self.list(&path, &query).await?;
        let read = |one: &Value| {
            Some(Summary { starts_at: seconds(&one["start_time"])?, total: one["aggregated_value"].as_f64()? })
        };
        listed.iter().map(|one| read(one).ok_or(ProcessorError::Unreadable)).collect()
    }

    /// The usage of a subscription's item by billing period; a period's end is absent while it goes on.
    pub(in crate::billing) async fn item_summaries(
        &self,
        item: &str,
    ) -> Result<Vec<(Option<Timestamp>, Summary)>, ProcessorError> {
        let path = format!("v1/subscription_items/{}/usage_record_summaries", segment(item)?);
        let listed = self.list(&path, &[]).await?;
        let read = |one: &Value| {
            let starts_at = seconds(&one["period"]["start"]).unwrap_or(Timestamp::from_millis(0));
            let total = one["total_usage"].as_f64()?;
            Some((seconds(&one["period"]["end"]), Summary { starts_at, total }))
        };
        listed.iter().map(|one| read(one).ok_or(ProcessorError::Unreadable)).collect()
    }

    /// All items of a list.
    async fn list(&self, path: &str, query: &[(&str, &str)]) -> Result<Vec<Value>, ProcessorError> {
        let mut all: Vec<Value> = Vec::new();
        for _ in 0..MOST_PAGES {
            let mut asked = query.to_vec();
            asked.push(("limit", PAGE));
            let last = all.last().and_then(|item| item["id"].as_str()).map(str::to_owned);
            asked.extend(last.as_deref().map(|last| ("starting_after", last)));
            let page = self.get(path, &asked).await?;
            let items = page["data"].as_array().ok_or(ProcessorError::Unreadable)?;
            let is_last = page["has_more"] != true || items.is_empty();
            all.extend(items.iter().cloned());
            if is_last {
                return Ok(all);
            }
        }
        Err(ProcessorError::Unreadable)
    }
}

/// What a payment method of the processor looks like.
pub(in crate::billing) fn details_of(method: &Value) -> Details {
    let kind = method["type"].as_str().filter(|kind| is_reference(kind));
    let looks = kind.map_or(&Value::Null, |kind| &method[kind]);
    let text = |name: &str| {
        let text = looks[name].as_str()?;
        Some(text.chars().filter(|character| !character.is_control()).take(40).collect::<String>())
    };
    let number = |name: &str| looks[name].as_u64().and_then(|number| u32::try_from(number).ok());
    Details {
        kind: kind.map(str::to_owned),
        brand: text("brand").or_else(|| text("bank_name")),
        last4: text("last4"),
        exp_month: number("exp_month").filter(|month| (1..=12).contains(month)),
        exp_year: number("exp_year").filter(|year| (1970..=9999).contains(year)),
    }
}

/// A time of the processor.
pub(in crate::billing) fn seconds(value: &Value) -> Option<Timestamp> {
    /// The end of the year 9999.
    const LAST: i64 = 253_402_300_799;
    let seconds = value.as_i64().filter(|seconds| (0..=LAST).contains(seconds))?;
    Some(Timestamp::from_millis(seconds * 1000))
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn segment(id: &str) -> Result<&str, ProcessorError> {
    if is_reference(id) { Ok(id) } else { Err(ProcessorError::Reference) }
}

fn reference(object: &Value, name: &str) -> Result<String, ProcessorError> {
    let id = object[name].as_str().filter(|id| is_reference(id));
    id.map(str::to_owned).ok_or(ProcessorError::Unreadable)
}

/// Whether a browser can be sent there.
fn is_page(text: &str) -> bool {
    text.len() <= 4096 && url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}
