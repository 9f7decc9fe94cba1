//! Open connections: so many at once, a part of them from one address, and none that its client forgot.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::responses::Address;

/// How many connections may be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// All together; more wait to be accepted.
    pub total: usize,
    /// Of one IPv4 address or IPv6 /64 network; more are closed at once.
    pub per_address: usize,
    /// How long a client may take to read 16 KiB of a response that waits for it.
    pub progress_deadline: Duration,
}

impl ConnectionLimits {
    /// So many connections, a quarter of them from one address, with the usual deadline.
    pub fn of(total: usize) -> Self {
        Self { total, per_address: (total / 4).max(1), progress_deadline: Duration::from_secs(30) }
    }
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self::of(16_384)
    }
}

/// Counts open connections.
#[derive(Clone)]
pub(crate) struct Connections {
    slots: Arc<Semaphore>,
    per_address: usize,
    open: Arc<Mutex<HashMap<Address, usize>>>,
}

/// Room for one more connection, whoever opens it.
pub(crate) struct Slot(#[expect(dead_code, reason = "held, not read")] OwnedSemaphorePermit);

/// An open connection. Dropping it closes the account.
pub(crate) struct OpenConnection {
    _slot: Slot,
    address: Address,
    open: Arc<Mutex<HashMap<Address, usize>>>,
}

impl Connections {
    pub(crate) fn new(limits: ConnectionLimits) -> Self {
        Self { slots: Arc::new(Semaphore::new(limits.total)), per_address: limits.per_address, open: Arc::default() }
    }

    /// Waits for room.
    pub(crate) async fn slot(&self) -> Slot {
        Slot(self.slots.clone().acquire_owned().await.expect("the semaphore is never closed"))
    }

    /// Gives a slot to a connection from an address; `None` when that has as many as it may.
    pub(crate) fn open(&self, slot: Slot, address: IpAddr) -> Option<OpenConnection> {
        let address = address.into();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let of_address = open.entry(address).or_default();
        if *of_address >= self.per_address {
            return None;
        }
        *of_address += 1;
        Some(OpenConnection { _slot: slot, address, open: self.open.clone() })
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_address) = open.get_mut(&self.address) {
            *of_address -= 1;
            if *of_address == 0 {
                open.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const ONE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const OTHER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    #[tokio::test]
    async fn no_address_takes_all_connections() {
        let connections = Connections::new(ConnectionLimits { per_address: 2, ..ConnectionLimits::of(4) });
        let mut held = Vec::new();
        for _ in 0..2 {
            held.push(connections.open(connections.slot().await, ONE).unwrap());
        }
        assert!(connections.open(connections.slot().await, ONE).is_none());
        let other = connections.open(connections.slot().await, OTHER).unwrap();
        held.pop();
        held.push(connections.open(connections.slot().await, ONE).unwrap());
        drop((held, other));
        assert!(connections.open.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn more_than_all_wait_for_one_to_close() {
        let connections = Connections::new(ConnectionLimits::of(1));
        let first = connections.open(connections.slot().await, ONE).unwrap();
        assert!(connections.slot().now_or_never().is_none());
        drop(first);
        assert!(connections.slot().now_or_never().is_some());
    }
}
