//! The members of an organization, for those who manage it. Somebody becomes a member by an invitation.

pub mod list;
pub mod remove;
#[cfg(test)]
mod tests;
