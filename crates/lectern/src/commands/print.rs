//! `lectern config` and `lectern openapi`: what the program knows, printed.

use super::Session;
use crate::cli::{Json, Openapi, Surface};
use crate::output;

/// Prints the effective configuration.
pub(super) fn config(session: &Session, options: &Json) -> anyhow::Result<()> {
    let config = session.config()?;
    if options.json {
        output::json(&config.to_json())?;
    } else {
        output::line(config.to_toml().trim_end())?;
    }
    Ok(())
}

/// Prints the OpenAPI document of a surface; that of the content surface is `openapi/content.json`, the reviewed one.
pub(super) fn openapi(options: &Openapi) -> anyhow::Result<()> {
    match options.surface {
        Surface::Content => output::json(&content::api::openapi())?,
        Surface::Platform => output::json(&platform::api::openapi())?,
    }
    Ok(())
}
