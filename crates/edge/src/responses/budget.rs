//! A budget of bytes: so many for all, a quarter of them for one tenant and half for one address.
//!
//! Whoever has no tenant shares a quarter with all others who have none, and one address has an eighth of that. All
//! tenants behind a proxy have one address.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;

/// Whom a response is charged to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// An organization or a workspace. All for whom it is `None` are charged as one.
    pub tenant: Option<Arc<str>>,
    /// Where the client is; `None` in a test without sockets.
    pub address: Option<Address>,
}

/// An address that one client has to itself: an IPv4 address, or the /64 network of an IPv6 address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address(IpAddr);

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        })
    }
}

/// Why bytes were not charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The process holds as much as it may.
    #[error("the responses of this process hold as much as they may")]
    Process,
    /// The tenant does.
    #[error("the responses of this tenant hold as much as they may")]
    Tenant,
    /// The address does.
    #[error("the responses to this address hold as much as they may")]
    Address,
    /// The response is larger than the share of whoever asks.
    #[error("the response is larger than one may be")]
    TooLarge,
}

/// Bytes that responses may hold.
#[derive(Clone, Debug)]
pub(super) struct Budget(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limit: u64,
    held: Mutex<HeldBytes>,
}

#[derive(Debug, Default)]
struct HeldBytes {
    total: u64,
    tenants: HashMap<Option<Arc<str>>, u64>,
    addresses: HashMap<Address, u64>,
    /// What addresses hold without a tenant.
    strangers: HashMap<Address, u64>,
}

impl Budget {
    pub(super) fn new(limit: u64) -> Self {
        Self(Arc::new(Shared { limit, held: Mutex::default() }))
    }

    /// Charges bytes to a holder until the charge is dropped.
    pub(super) fn charge(&self, holder: &Holder, bytes: u64) -> Result<Charge, Refused> {
        let mut charge = Charge { budget: self.clone(), holder: holder.clone(), bytes: 0 };
        charge.grow(bytes)?;
        Ok(charge)
    }

    /// Charges bytes to a holder although it may have no room for them: others are refused the sooner.
    pub(super) fn charge_beyond(&self, holder: &Holder, bytes: u64) -> Charge {
        let mut charge = Charge { budget: self.clone(), holder: holder.clone(), bytes: 0 };
        charge.add(&mut self.held(), bytes);
        charge
    }

    pub(super) fn total(&self) -> u64 {
        self.held().total
    }

    fn held(&self) -> MutexGuard<'_, HeldBytes> {
        // Nothing below panics halfway through a change.
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes charged to a holder. Dropping it gives them back.
#[derive(Debug)]
pub struct Charge {
    budget: Budget,
    holder: Holder,
    bytes: u64,
}

impl Charge {
    /// Charges more bytes, all of them or none.
    pub(super) fn grow(&mut self, bytes: u64) -> Result<(), Refused> {
        let limit = self.budget.0.limit;
        let (of_tenant, of_address, of_stranger) = (limit / 4, limit / 2, limit / 32);
        let budget = self.budget.clone();
        let mut held = budget.held();
        let fits = |held: u64, limit: u64| held.checked_add(bytes).is_some_and(|sum| sum <= limit);
        let of = |found: Option<&u64>| found.copied().unwrap_or(0);
        let own = if self.holder.tenant.is_some() { of_tenant } else { of_stranger };
        if !fits(self.bytes, own) {
            return Err(Refused::TooLarge);
        }
        if !fits(held.total, limit) {
            return Err(Refused::Process);
        }
        let Holder { tenant, address } = &self.holder;
        if !fits(of(held.tenants.get(tenant)), of_tenant) {
            return Err(Refused::Tenant);
        }
        if address.is_some_and(|address| !fits(of(held.addresses.get(&address)), of_address)) {
            return Err(Refused::Address);
        }
        let is_stranger = tenant.is_none();
        if is_stranger && address.is_some_and(|address| !fits(of(held.strangers.get(&address)), of_stranger)) {
            return Err(Refused::Address);
        }
        self.add(&mut held, bytes);
        Ok(())
    }

    fn add(&mut self, held: &mut HeldBytes, bytes: u64) {
        held.total += bytes;
        let Holder { tenant, address } = &self.holder;
        *held.tenants.entry(tenant.clone()).or_default() += bytes;
        if let Some(address) = *address {
            *held.addresses.entry(address).or_default() += bytes;
            if tenant.is_none() {
                *held.strangers.entry(address).or_default() += bytes;
            }
        }
        self.bytes += bytes;
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        let mut held = self.budget.held();
        held.total -= self.bytes;
        give_back(&mut held.tenants, &self.holder.tenant, self.bytes);
        if let Some(address) = &self.holder.address {
            give_back(&mut held.addresses, address, self.bytes);
            if self.holder.tenant.is_none() {
                give_back(&mut held.strangers, address, self.bytes);
            }
        }
    }
}

fn give_back<K: Hash + Eq>(held: &mut HashMap<K, u64>, key: &K, bytes: u64) {
    if let Some(of_key) = held.get_mut(key) {
        *of_key -= bytes;
        if *of_key == 0 {
            held.remove(key);
        }
    }
}

/// Bytes whose memory stays charged until the last part of them is let go, wherever that has been passed on to.
pub(super) fn charged(bytes: impl AsRef<[u8]> + Send + 'static, charge: Charge) -> Bytes {
    struct Charged<T> {
        bytes: T,
        _charge: Charge,
    }
    impl<T: AsRef<[u8]>> AsRef<[u8]> for Charged<T> {
        fn as_ref(&self) -> &[u8] {
            self.bytes.as_ref()
        }
    }
    Bytes::from_owner(Charged { bytes, _charge: charge })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn holder(tenant: Option<&str>, address: &str) -> Holder {
        Holder { tenant: tenant.map(Arc::from), address: Some(address.parse::<IpAddr>().unwrap().into()) }
    }

    #[test]
    fn a_tenant_holds_a_quarter_of_the_budget_and_an_address_half_at_most() {
        let budget = Budget::new(100);
        let held = ["a", "b"].map(|tenant| budget.charge(&holder(Some(tenant), "192.0.2.1"), 25).unwrap());
        assert_eq!(budget.charge(&holder(Some("a"), "192.0.2.2"), 1).unwrap_err(), Refused::Tenant);
        assert_eq!(budget.charge(&holder(Some("c"), "192.0.2.1"), 1).unwrap_err(), Refused::Address);
        let others = ["c", "d"].map(|tenant| budget.charge(&holder(Some(tenant), "192.0.2.2"), 25).unwrap());
        assert_eq!(budget.charge(&holder(Some("e"), "192.0.2.3"), 1).unwrap_err(), Refused::Process);
        drop(held);
        assert!(budget.charge(&holder(Some("e"), "192.0.2.3"), 25).is_ok());
        drop(others);
    }

    #[test]
    fn a_response_that_is_larger_than_its_share_is_told_from_one_that_has_to_wait() {
        let budget = Budget::new(100);
        assert_eq!(budget.charge(&holder(Some("a"), "192.0.2.1"), 26).unwrap_err(), Refused::TooLarge);
        let mut growing = budget.charge(&holder(Some("a"), "192.0.2.1"), 20).unwrap();
        assert_eq!(growing.grow(6).unwrap_err(), Refused::TooLarge);
        assert_eq!(budget.charge(&holder(Some("a"), "192.0.2.1"), 6).unwrap_err(), Refused::Tenant);
    }

    #[test]
    fn all_without_a_tenant_share_the_part_of_one() {
        let budget = Budget::new(320);
        let stranger = |n: usize| holder(None, &format!("192.0.2.{n}"));
        let held: Vec<_> = (0..8).map(|n| budget.charge(&stranger(n), 10).unwrap()).collect();
        assert_eq!(budget.charge(&stranger(8), 1).unwrap_err(), Refused::Tenant);
        assert!(budget.charge(&holder(Some("a"), "192.0.2.1"), 80).is_ok());
        drop(held);
        let _one = budget.charge(&stranger(1), 10).unwrap();
        assert_eq!(budget.charge(&stranger(1), 1).unwrap_err(), Refused::Address, "an eighth of that");
        assert!(budget.charge(&stranger(2), 1).is_ok());
    }

    #[test]
    fn what_is_charged_beyond_the_budget_is_given_back_too() {
        let budget = Budget::new(100);
        let beyond = budget.charge_beyond(&holder(Some("a"), "192.0.2.1"), 1000);
        assert_eq!(budget.charge(&holder(Some("b"), "192.0.2.2"), 1).unwrap_err(), Refused::Process);
        drop(beyond);
        assert_eq!(budget.total(), 0);
        assert!(budget.charge(&holder(Some("a"), "192.0.2.1"), 25).is_ok());
    }

    #[test]
    fn the_addresses_of_one_ipv6_network_are_one_client() {
        let same =
            ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"].map(|text| Address::from(text.parse::<IpAddr>().unwrap()));
        assert_eq!(same[0], same[1]);
        let other: IpAddr = "2001:db8:1:3::1".parse().unwrap();
        assert_ne!(same[0], other.into());
        let mapped: IpAddr = "::ffff:192.0.2.1".parse().unwrap();
        assert_eq!(Address::from(mapped), "192.0.2.1".parse::<IpAddr>().unwrap().into());
    }

    #[test]
    fn memory_stays_charged_until_its_last_part_is_let_go() {
        let budget = Budget::new(100);
        let charge = budget.charge(&holder(Some("a"), "192.0.2.1"), 10).unwrap();
        let bytes = charged(vec![7; 10], charge);
        let part = bytes.slice(3..5);
        drop(bytes);
        assert_eq!(budget.total(), 10);
        drop(part);
        assert_eq!(budget.total(), 0);
    }

    proptest! {
        #[test]
        fn no_share_is_ever_exceeded_and_everything_is_given_back(
            steps in prop::collection::vec((0..3_usize, 0..3_usize, 0..70_u64, any::<bool>()), 0..60),
        ) {
            let budget = Budget::new(100);
            let mut held: Vec<(usize, usize, Charge)> = Vec::new();
            for (tenant, address, bytes, gives_back) in steps {
                if gives_back && !held.is_empty() {
                    held.swap_remove(usize::try_from(bytes).unwrap() % held.len());
                    continue;
                }
                let sum = |which: &dyn Fn(&(usize, usize, Charge)) -> bool| -> u64 {
                    held.iter().filter(|one| which(one)).map(|(_, _, charge)| charge.bytes).sum()
                };
                let fits = sum(&|_| true) + bytes <= 100
                    && sum(&|one| one.0 == tenant) + bytes <= 25
                    && sum(&|one| one.1 == address) + bytes <= 50;
                let holder = holder(Some(&format!("t{tenant}")), &format!("192.0.2.{address}"));
                match budget.charge(&holder, bytes) {
                    Ok(charge) => {
                        prop_assert!(fits);
                        held.push((tenant, address, charge));
                    }
                    Err(_) => prop_assert!(!fits),
                }
            }
            held.clear();
            let left = budget.held();
            prop_assert_eq!(left.total, 0);
            prop_assert!(left.tenants.is_empty() && left.addresses.is_empty() && left.strangers.is_empty());
        }
    }
}
