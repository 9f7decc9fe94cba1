//! `[limits]`: what requests and responses may cost.

use std::path::Path;

use edge::responses::ResponseLimits;
use edge::server::ConnectionLimits;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const MIB: usize = 1024 * 1024;
const MOST_BODY_BYTES: usize = 64 * MIB;
const MOST_CONNECTIONS: usize = 1_000_000;
/// The least that responses need to be sent at all.
const LEAST_RESPONSE_BYTES: usize = 4 * MIB;

static BODY_BYTES: Setting =
    Setting::new("limits", "body_bytes", "LECTERN_BODY_BYTES").or("1048576").shaped(Shape::Bare);
static CONNECTIONS: Setting =
    Setting::new("limits", "connections", "LECTERN_CONNECTIONS").or("16384").shaped(Shape::Bare);
static CONNECTIONS_PER_ADDRESS: Setting =
    Setting::new("limits", "connections_per_address", "LECTERN_CONNECTIONS_PER_ADDRESS")
        .or_else("a quarter of limits.connections")
        .shaped(Shape::Bare);
static RESPONSE_MEMORY_BYTES: Setting =
    Setting::new("limits", "response_memory_bytes", "LECTERN_RESPONSE_MEMORY_BYTES").or("33554432").shaped(Shape::Bare);
static RESPONSE_DISK_BYTES: Setting =
    Setting::new("limits", "response_disk_bytes", "LECTERN_RESPONSE_DISK_BYTES").or("1073741824").shaped(Shape::Bare);

/// `[limits]`
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest JSON body, in bytes.
    pub body_bytes: usize,
    /// Open connections.
    pub connections: ConnectionLimits,
    /// What responses hold in memory while their clients read them, in bytes.
    pub response_memory_bytes: usize,
    /// What larger ones hold in files of the data folder, in bytes.
    pub response_disk_bytes: usize,
}

impl Limits {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let body_bytes = reader.required(&BODY_BYTES, parse::count(1024, MOST_BODY_BYTES));
        let total = reader.required(&CONNECTIONS, parse::count(1, MOST_CONNECTIONS));
        let per_address = reader.optional(&CONNECTIONS_PER_ADDRESS, parse::count(1, MOST_CONNECTIONS));
        let memory = reader.required(&RESPONSE_MEMORY_BYTES, parse::count(LEAST_RESPONSE_BYTES, usize::MAX));
        let disk = reader.required(&RESPONSE_DISK_BYTES, parse::count(LEAST_RESPONSE_BYTES, usize::MAX));
        let usual = ConnectionLimits::of(total?);
        Some(Self {
            body_bytes: body_bytes?,
            connections: ConnectionLimits { per_address: per_address?.unwrap_or(usual.per_address), ..usual },
            response_memory_bytes: memory?,
            response_disk_bytes: disk?,
        })
    }

    /// What responses in flight may hold; their files are in the data folder.
    pub fn responses(&self, data_dir: &Path) -> ResponseLimits {
        ResponseLimits {
            memory_bytes: self.response_memory_bytes as u64,
            disk_bytes: self.response_disk_bytes as u64,
            folder: data_dir.to_owned(),
        }
    }
}
