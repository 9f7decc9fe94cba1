//! The check of the payment processor: one real call, which changes nothing.

use kernel::ambient::Ambient;
use platform::billing::processor::{Processor, ProcessorError};

use super::Finding;
use super::checks::plain;
use crate::assembly;
use crate::config::Config;

const CHECK: &str = "payment processor";

/// Whether the processor takes the key and has the meters; nothing where none is configured.
pub(super) async fn check(config: &Config, ambient: &Ambient) -> Option<Finding> {
    let options = assembly::processor_options(config, config.server.listen)?;
    let host = options.base_url.host_str().unwrap_or_default().to_owned();
    let processor = match Processor::new(options, ambient.clone(), 1) {
        Ok(processor) => processor,
        Err(error) => return Some(Finding::wrong(CHECK, plain(&error))),
    };
    Some(match processor.missing_meters().await {
        Ok(missing) if missing.is_empty() => Finding::fine(CHECK, format!("{host} takes the key and has the meter")),
        Ok(missing) => Finding::warning(
            CHECK,
            format!(
                "{host} takes the key and has no active meter for {}: make one, or bill by subscription items",
                missing.join(", ")
            ),
        ),
        Err(ProcessorError::Refused { status: 401 | 403, .. }) => {
            Finding::wrong(CHECK, format!("{host} does not take the key of LECTERN_PROCESSOR_SECRET_KEY"))
        }
        Err(error) => Finding::wrong(CHECK, plain(&error)),
    })
}
