//! Why a payment is refused before anybody else is asked.

/// What is wrong with a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The header is longer than a payment is.
    #[error("The payment header is longer than 16384 bytes.")]
    TooLong,
    /// There are two payment headers.
    #[error("The request has more than one payment header.")]
    SentTwice,
    /// The header is not the base64 of JSON.
    #[error("The payment header is not the base64 form of a JSON object.")]
    Encoding,
    /// A member is missing or has another shape.
    #[error("The payment's {0} is missing or malformed.")]
    Shape(&'static str),
    /// Neither version 1 nor version 2.
    #[error("The payment's x402Version must be 1 or 2.")]
    Version,
    /// Another scheme than `exact`.
    #[error("The payment's scheme must be exact.")]
    Scheme,
    /// Another network.
    #[error("The payment is for another network.")]
    Network,
    /// Another token.
    #[error("The payment is for another asset.")]
    Asset,
    /// Another resource.
    #[error("The payment is for another resource.")]
    Resource,
    /// Another receiver.
    #[error("The payment is for another receiver.")]
    Recipient,
    /// More or less than the price.
    #[error("The payment's value must be exactly the price.")]
    Amount,
    /// Its time is over, or nearly so.
    #[error("The payment has expired or is about to.")]
    Expired,
    /// Its time has not come.
    #[error("The payment is not valid yet.")]
    NotYetValid,
    /// Somebody else signed it, or something else.
    #[error("The payment's signature is not one of its sender for this network and asset.")]
    Signature,
    /// Only a node can judge the signature of a contract wallet, and none is configured.
    #[error("The payment is signed by a contract wallet, which this service can't verify.")]
    ContractWallet,
}

impl Fault {
    /// The word of the protocol for it, as facilitators use it.
    pub fn reason(self) -> &'static str {
        match self {
            Self::TooLong | Self::SentTwice | Self::Encoding | Self::Shape(_) => "invalid_payload",
            Self::Version => "invalid_x402_version",
            Self::Scheme => "unsupported_scheme",
            Self::Network => "invalid_network",
            Self::Asset | Self::Resource => "invalid_payment_requirements",
            Self::Recipient => "invalid_exact_evm_payload_recipient_mismatch",
            Self::Amount => "invalid_exact_evm_payload_authorization_value_mismatch",
            Self::Expired => "invalid_exact_evm_payload_authorization_valid_before",
            Self::NotYetValid => "invalid_exact_evm_payload_authorization_valid_after",
            Self::Signature | Self::ContractWallet => "invalid_exact_evm_payload_signature",
        }
    }
}
