//! `[secrets]`: the key from which every other key of the service is derived.

use kernel::secret::MasterKey;

use super::reader::Reader;
use super::setting::{Setting, Shape};

static SECRET_KEY: Setting = Setting::new("secrets", "secret_key", "LECTERN_SECRET_KEY")
    .shaped(Shape::Secret)
    .or_else("made once, secret.key in store.data_dir");

/// `[secrets]`
#[derive(Clone)]
pub struct Secrets {
    /// `None`: the key in the data folder; see [`crate::config::secret_file`].
    pub secret_key: Option<MasterKey>,
}

impl Secrets {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let secret_key = reader.optional(&SECRET_KEY, |text| MasterKey::from_hex(text).map_err(|e| e.to_string()));
        Some(Self { secret_key: secret_key? })
    }
}
