//! The sessions of the signed-in admin: where the account is in use, and how to end that.

pub mod end;
pub mod list;
pub mod revoke_others;
#[cfg(test)]
mod tests;
