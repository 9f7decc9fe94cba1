//! The service inside this program, composed as `lectern serve` composes it, for what no request can start.

use std::time::Duration;

use edge::keys::KeyRules;
use edge::responses::ResponseLimits;
use files::storage::StorageOptions;
use files::text::ExtractorOptions;
use ipnet::IpNet;
use kernel::ambient::Ambient;
use kernel::secret::MasterKey;
use lectern::app::{App, AppOptions};
use lectern::rendering::RenderingOptions;
use mail::templates::Templates;
use mail::{MailOptions, Way};
use metrics_exporter_prometheus::PrometheusHandle;
use net::OutboundPolicy;
use platform::billing::processor::ProcessorOptions;
use url::Url;

use crate::database::Place;

/// The defaults of the configuration.
const WORKERS: usize = 32;
const BODY_LIMIT_BYTES: usize = 1024 * 1024;
const RETRY_DELAYS: [Duration; 3] = [Duration::from_secs(5), Duration::from_secs(25), Duration::from_secs(125)];

/// The service with its metrics.
pub(super) struct Service {
    pub(super) app: App,
    pub(super) metrics: PrometheusHandle,
}

/// Opens the service on a database. Loopback receivers are allowed; everything else is the default.
pub(super) async fn open(place: &Place) -> anyhow::Result<Service> {
    open_with(place, None).await
}

/// The same, with a payment processor.
pub(super) async fn open_with(place: &Place, processor: Option<ProcessorOptions>) -> anyhow::Result<Service> {
    let metrics = start_telemetry()?;
    let ambient = Ambient::system();
    let loopback: IpNet = "127.0.0.0/8".parse()?;
    let options = AppOptions {
        store: place.options(),
        base_url: Url::parse("http://127.0.0.1:8080")?,
        has_base_url: true,
        master: MasterKey::generate(&ambient),
        outbound: OutboundPolicy { allow_networks: vec![loopback], allow_http: true, extra_ca_pem: None },
        webhook_retry_delays: RETRY_DELAYS.to_vec(),
        lti_retry_delays: Vec::new(),
        x402: None,
        outage_delays: Vec::new(),
        prices: billing::catalog::Catalog::default(),
        operator_emails: Vec::new(),
        invoice_terms: None,
        rendering: RenderingOptions {
            program: "/nowhere/lectern".into(),
            search_path: "/nowhere".into(),
            at_once: 1,
            folder: "/nowhere/renderings".into(),
            speech: None,
        },
        pages: web::PageOptions::default(),
        storage: StorageOptions::Folder(std::env::temp_dir().join("lectern-bench-files")),
        extractor: ExtractorOptions::new("lectern".into()),
        mail: MailOptions {
            from: "bench@localhost".parse()?,
            way: Way::Folder(std::env::temp_dir().join("lectern-bench-mail")),
            templates: Templates::default(),
        },
        model: None,
        requires_operator_totp: false,
        audit_retention: edge::audit::USUAL_RETENTION,
        identity_providers: Vec::new(),
        processor,
        key_rules: KeyRules { requires_verified_email: true },
        workers: WORKERS,
        body_limit_bytes: BODY_LIMIT_BYTES,
        responses: ResponseLimits::default(),
    };
    Ok(Service { app: App::open(options, ambient).await?, metrics })
}

/// The level of `lectern serve`; background work logs next to nothing, so the writer does not matter.
fn start_telemetry() -> anyhow::Result<PrometheusHandle> {
    tracing_subscriber::fmt().json().with_writer(std::io::stderr).init();
    Ok(metrics_exporter_prometheus::PrometheusBuilder::new().install_recorder()?)
}
