//! The two APIs that events belong to. What differs between their webhooks is decided by this type.

/// The API surface of an event or an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, store::Words)]
pub enum Surface {
    /// `/v1/content`; the owner is an organization.
    Content,
    /// `/v1/platform`; the owner is a workspace.
    Platform,
}
