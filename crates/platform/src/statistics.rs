//! What was used, for administrators: sums that cost the same however much there is (platform-api section 4,
//! "Administrative statistics"). Whoever manages the service sees all workspaces; a key sees its own.

pub mod daily;
pub mod organizations;
mod query;
pub mod totals;

#[cfg(test)]
mod tests;
