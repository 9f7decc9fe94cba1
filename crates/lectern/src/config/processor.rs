//! `[processor]`: the payment processor, whoever speaks Stripe's protocol.

use kernel::secret::SecretString;
use platform::billing::processor::ProcessorOptions;
use url::Url;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const SECTION: &str = "processor";

static BASE_URL: Setting =
    Setting::new(SECTION, "base_url", "LECTERN_PROCESSOR_BASE_URL").or_else("no payment processor");
static SECRET_KEY: Setting = Setting::new(SECTION, "secret_key", "LECTERN_PROCESSOR_SECRET_KEY")
    .shaped(Shape::Secret)
    .or_else("no payment processor");
static WEBHOOK_SECRET: Setting = Setting::new(SECTION, "webhook_secret", "LECTERN_PROCESSOR_WEBHOOK_SECRET")
    .shaped(Shape::Secret)
    .or_else("no payment processor");
static SUCCESS_URL: Setting =
    Setting::new(SECTION, "success_url", "LECTERN_PROCESSOR_SUCCESS_URL").or_else("server.base_url");
static CANCEL_URL: Setting =
    Setting::new(SECTION, "cancel_url", "LECTERN_PROCESSOR_CANCEL_URL").or_else("server.base_url");
static METER_EVENT_NAME: Setting =
    Setting::new(SECTION, "meter_event_name", "LECTERN_PROCESSOR_METER_EVENT_NAME").or("lectern_credits");

const LONGEST_SECRET: usize = 255;
const MOST_SECRETS: usize = 8;
const LONGEST_EVENT_NAME: usize = 90;
const WITHOUT_PROCESSOR: &str = "there is no processor.base_url";

/// `[processor]`
#[derive(Clone)]
pub struct Processor {
    named: Option<Named>,
    success_url: Option<Url>,
    cancel_url: Option<Url>,
    meter_event_name: String,
}

#[derive(Clone)]
struct Named {
    base_url: Url,
    secret_key: SecretString,
    webhook_secrets: Vec<SecretString>,
}

impl Processor {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let base_url = reader.optional(&BASE_URL, parse::base_url);
        let secret_key = reader.optional(&SECRET_KEY, secret);
        let webhook_secrets = reader.optional(&WEBHOOK_SECRET, secrets);
        let success_url = reader.optional(&SUCCESS_URL, parse::base_url);
        let cancel_url = reader.optional(&CANCEL_URL, parse::base_url);
        let meter_event_name = reader.required(&METER_EVENT_NAME, event_name);
        let keys = reader.pair((&BASE_URL, base_url?), (&SECRET_KEY, secret_key?))?;
        let named = reader.pair((&BASE_URL, keys), (&WEBHOOK_SECRET, webhook_secrets?))?;
        let named =
            named.map(|((base_url, secret_key), webhook_secrets)| Named { base_url, secret_key, webhook_secrets });
        if named.is_none() {
            for setting in [&SUCCESS_URL, &CANCEL_URL, &METER_EVENT_NAME] {
                reader.note_unused(setting, WITHOUT_PROCESSOR);
            }
        }
        Some(Self { named, success_url: success_url?, cancel_url: cancel_url?, meter_event_name: meter_event_name? })
    }

    /// How the processor is reached by a service at this address; `None` when there is none. `extra_ca_pem` is trusted besides
    /// the system's certificates.
    pub fn options(&self, base_url: &Url, extra_ca_pem: Option<&[u8]>) -> Option<ProcessorOptions> {
        let Named { base_url: processor, secret_key, webhook_secrets } = self.named.clone()?;
        Some(ProcessorOptions {
            base_url: processor,
            secret_key,
            webhook_secrets,
            success_url: self.success_url.clone().unwrap_or_else(|| base_url.clone()),
            cancel_url: self.cancel_url.clone().unwrap_or_else(|| base_url.clone()),
            meter_event_name: self.meter_event_name.clone(),
            extra_ca_pem: extra_ca_pem.map(<[u8]>::to_vec),
        })
    }
}

fn secret(text: &str) -> Result<SecretString, String> {
    let is_visible = |byte: u8| (0x21..=0x7e).contains(&byte);
    let is_secret = (1..=LONGEST_SECRET).contains(&text.len()) && text.bytes().all(is_visible);
    if is_secret { Ok(text.into()) } else { Err("must be 1 to 255 visible ASCII characters".to_owned()) }
}

/// Several while the processor replaces one by another.
fn secrets(text: &str) -> Result<Vec<SecretString>, String> {
    let secrets = text.split(',').map(|text| secret(text.trim())).collect::<Result<Vec<_>, _>>()?;
    if secrets.len() > MOST_SECRETS { Err(format!("must be at most {MOST_SECRETS} secrets")) } else { Ok(secrets) }
}

fn event_name(text: &str) -> Result<String, String> {
    let plain = text.replacen("{tier}", "", 1);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    let is_name = (1..=LONGEST_EVENT_NAME).contains(&text.len()) && plain.bytes().all(is_plain);
    let wrong = "must be 1 to 90 letters, digits, hyphens, dots and underscores, with {tier} in it at most once";
    if is_name { Ok(text.to_owned()) } else { Err(wrong.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_names_are_bounded() {
        assert_eq!(secrets("whsec_a, whsec_b").map(|all| all.len()), Ok(2));
        for wrong in ["", "a,", "a b", "ä", &"x".repeat(256), &["s"; 9].join(",")] {
            assert!(secrets(wrong).is_err(), "{wrong}");
        }
        assert!(event_name("lectern_{tier}_credits").is_ok());
        for wrong in ["", "a b", "{tier}{tier}", "{tiers}", &"x".repeat(91)] {
            assert!(event_name(wrong).is_err(), "{wrong}");
        }
    }
}
