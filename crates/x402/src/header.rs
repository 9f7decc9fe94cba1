//! The headers of the protocol, and their coding.

use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use base64::{alphabet, engine::DecodePaddingMode};
use serde_json::Value;

use crate::Fault;

/// The headers that a payment may come in: of version 2, and of version 1.
pub const HEADERS: [&str; 2] = ["payment-signature", "x-payment"];
/// The longest header with a payment, in bytes.
pub(crate) const LONGEST: usize = 16 * 1024;

/// Some clients leave the padding out.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Networks have names, and a 402 has a body.
    V1,
    /// Networks have CAIP-2 names, and a 402 has a header.
    V2,
}

impl Version {
    /// Its number on the wire.
    pub const fn number(self) -> u8 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }

    /// The header of an answer that has the receipt of a payment.
    pub const fn receipt_header(self) -> &'static str {
        match self {
            Self::V1 => "x-payment-response",
            Self::V2 => "payment-response",
        }
    }

    pub(crate) fn read(number: &Value) -> Option<Self> {
        match number.as_u64()? {
            1 => Some(Self::V1),
            2 => Some(Self::V2),
            _ => None,
        }
    }
}

/// A JSON value as the text of a header.
pub fn encode(value: &Value) -> String {
    STANDARD.encode(value.to_string())
}

/// The JSON object in a header.
///
/// # Errors
/// [`Fault::TooLong`] and [`Fault::Encoding`].
pub fn decode(header: &str) -> Result<Value, Fault> {
    let header = header.trim();
    if header.len() > LONGEST {
        return Err(Fault::TooLong);
    }
    let bytes = LENIENT.decode(header).map_err(|_| Fault::Encoding)?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|_| Fault::Encoding)?;
    if value.is_object() { Ok(value) } else { Err(Fault::Encoding) }
}
