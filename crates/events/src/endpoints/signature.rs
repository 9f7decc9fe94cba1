//! How the surface's own signature header is keyed.

/// What keys the signature header of the surface. The Standard Webhooks signature does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, store::Words)]
pub enum SignatureVersion {
    /// The secret itself.
    #[default]
    Plain,
    /// The lower-case hex SHA-256 digest of the secret.
    Hashed,
}
