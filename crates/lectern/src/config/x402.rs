//! `[x402]`: payments that come with requests.

use kernel::secret::SecretString;
use platform::payments::X402Options;
use url::Url;
use x402::{Address, Network, Token};

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const SECTION: &str = "x402";

static PAY_TO: Setting = Setting::new(SECTION, "pay_to", "LECTERN_X402_PAY_TO").or_else("no payments with requests");
static FACILITATOR_URL: Setting =
    Setting::new(SECTION, "facilitator_url", "LECTERN_X402_FACILITATOR_URL").or_else("no payments with requests");
static FACILITATOR_TOKEN: Setting = Setting::new(SECTION, "facilitator_token", "LECTERN_X402_FACILITATOR_TOKEN")
    .shaped(Shape::Secret)
    .or_else("the facilitator asks for none");
static NETWORK: Setting = Setting::new(SECTION, "network", "LECTERN_X402_NETWORK").or("base");
static NODE_URL: Setting =
    Setting::new(SECTION, "node_url", "LECTERN_X402_NODE_URL").shaped(Shape::Secret).or_else("the chain is not asked");
static ASSET: Setting = Setting::new(SECTION, "asset", "LECTERN_X402_ASSET").or_else("USDC of the network");
static ASSET_NAME: Setting =
    Setting::new(SECTION, "asset_name", "LECTERN_X402_ASSET_NAME").or_else("that of the network's USDC");
static ASSET_VERSION: Setting = Setting::new(SECTION, "asset_version", "LECTERN_X402_ASSET_VERSION").or("2");

/// Of so many workers one may wait for the facilitator.
const SHARE: usize = 4;
const LONGEST_NAME: usize = 64;
const WITHOUT_PAYMENTS: &str = "there is no x402.pay_to";

/// `[x402]`
#[derive(Clone)]
pub struct X402 {
    receiver: Option<(Address, Url)>,
    facilitator_token: Option<SecretString>,
    network: Network,
    node_url: Option<Url>,
    token: Token,
}

impl X402 {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let pay_to = reader.optional(&PAY_TO, address);
        let facilitator_url = reader.optional(&FACILITATOR_URL, parse::base_url);
        let facilitator_token = reader.optional(&FACILITATOR_TOKEN, secret);
        let network = reader.required(&NETWORK, |text| Network::find(text).map_err(|error| error.to_string()));
        let node_url = reader.optional(&NODE_URL, node);
        let asset = reader.optional(&ASSET, address);
        let asset_name = reader.optional(&ASSET_NAME, name);
        let asset_version = reader.required(&ASSET_VERSION, name);
        let receiver = reader.pair((&PAY_TO, pay_to?), (&FACILITATOR_URL, facilitator_url?))?;
        if receiver.is_none() {
            for setting in [&FACILITATOR_TOKEN, &NETWORK, &NODE_URL, &ASSET, &ASSET_NAME, &ASSET_VERSION] {
                reader.note_unused(setting, WITHOUT_PAYMENTS);
            }
        }
        let network = network?;
        let usdc = network.usdc();
        let token = Token {
            address: asset?.unwrap_or(usdc.address),
            name: asset_name?.unwrap_or(usdc.name),
            version: asset_version?,
        };
        Some(Self { receiver, facilitator_token: facilitator_token?, network, node_url: node_url?, token })
    }

    /// Where payments go; `None` where none are taken. `extra_ca_pem` is trusted besides the system's certificates. A quarter of the
    /// `workers` may wait for the facilitator.
    pub fn options(&self, extra_ca_pem: Option<&[u8]>, workers: usize) -> Option<X402Options> {
        let (pay_to, facilitator_url) = self.receiver.clone()?;
        Some(X402Options {
            network: self.network.clone(),
            token: self.token.clone(),
            pay_to,
            facilitator_url,
            facilitator_token: self.facilitator_token.clone(),
            node_url: self.node_url.clone(),
            extra_ca_pem: extra_ca_pem.map(<[u8]>::to_vec),
            queued_settlements: workers.div_ceil(SHARE),
        })
    }
}

fn address(text: &str) -> Result<Address, String> {
    text.parse().map_err(|error: x402::NotAnAddress| error.to_string())
}

/// Its path or query often holds the key of an account.
fn node(text: &str) -> Result<Url, String> {
    let is_http = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host() && url.fragment().is_none();
    Url::parse(text).ok().filter(is_http).ok_or_else(|| "must be an http or https URL".to_owned())
}

fn secret(text: &str) -> Result<SecretString, String> {
    let is_token = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_token { Ok(text.into()) } else { Err("must be letters, digits and signs without spaces".to_owned()) }
}

fn name(text: &str) -> Result<String, String> {
    let is_name = (1..=LONGEST_NAME).contains(&text.len()) && !text.contains(char::is_control);
    if is_name { Ok(text.to_owned()) } else { Err(format!("must be 1 to {LONGEST_NAME} bytes")) }
}
