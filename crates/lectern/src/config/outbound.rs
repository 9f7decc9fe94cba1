//! `[outbound]`: what webhooks and other calls of the service may reach.

use net::OutboundPolicy;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const SECTION: &str = "outbound";

static ALLOW_NETWORKS: Setting =
    Setting::new(SECTION, "allow_networks", "LECTERN_OUTBOUND_ALLOW_NETWORKS").or("none").shaped(Shape::List);
static ALLOW_HTTP: Setting =
    Setting::new(SECTION, "allow_http", "LECTERN_OUTBOUND_ALLOW_HTTP").or("false").shaped(Shape::Bare);
static EXTRA_CA_FILE: Setting = Setting::new(SECTION, "extra_ca_file", "LECTERN_OUTBOUND_EXTRA_CA_FILE")
    .or_else("the system's trusted roots alone");

/// `[outbound]`
#[derive(Clone, Debug)]
pub struct Outbound {
    /// What the guarded client is made with.
    pub policy: OutboundPolicy,
}

impl Outbound {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let allow_networks = reader.required(&ALLOW_NETWORKS, parse::networks);
        let allow_http = reader.required(&ALLOW_HTTP, parse::flag);
        let extra_ca = reader.optional(&EXTRA_CA_FILE, parse::certificates);
        let policy = OutboundPolicy {
            allow_networks: allow_networks?,
            allow_http: allow_http?,
            extra_ca_pem: extra_ca?.map(|(_, pem)| pem),
        };
        Some(Self { policy })
    }
}
