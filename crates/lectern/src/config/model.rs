//! `[model]`: who generates.

use super::reader::Reader;
use super::setting::Setting;

static PROVIDER: Setting = Setting::new("model", "provider", "LECTERN_MODEL_PROVIDER").or("builtin");

/// Refuses every provider but the built-in one: content that a model should have made must not come from it unnoticed.
pub(super) fn check(reader: &mut Reader<'_>) -> Option<()> {
    reader.required(&PROVIDER, |text| match text {
        "builtin" => Ok(()),
        _ => Err("must be builtin: this version has no other model provider".to_owned()),
    })
}
