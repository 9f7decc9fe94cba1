//! Name resolution with a guard: a connection is made only to addresses that the policy allows.
//!
//! Each address of the answer is checked, and the connection goes to the checked addresses themselves,
//! so a name that changes its mind between check and connection gains nothing. Hosts that are addresses
//! never come here; `crate::OutboundClient` checks them in front of the call.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;

use crate::policy::OutboundPolicy;

/// Look-ups that may wait for a slow name server at the same time, each on a thread.
const CONCURRENT_LOOKUPS: usize = 64;

/// The addresses of a name, some time later.
pub type Looking = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Where names are looked up. The system's resolver, unless a test brings its own.
pub trait Lookup: Send + Sync + 'static {
    /// All addresses of `name`, public or not.
    fn lookup(&self, name: &str) -> Looking;
}

/// The operating system's resolver.
pub(crate) struct SystemLookup {
    permits: Arc<Semaphore>,
}

impl SystemLookup {
    pub(crate) fn new() -> Self {
        Self { permits: Arc::new(Semaphore::new(CONCURRENT_LOOKUPS)) }
    }
}

impl Lookup for SystemLookup {
    fn lookup(&self, name: &str) -> Looking {
        let (permits, name) = (self.permits.clone(), name.to_owned());
        Box::pin(async move {
            let permit = permits.acquire_owned().await.map_err(io::Error::other)?;
            // The permit stays with the thread: a caller that gave up does not free a thread that still waits.
            let looking = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                (name.as_str(), 0).to_socket_addrs().map(|found| found.map(|addr| addr.ip()).collect())
            });
            looking.await.map_err(io::Error::other)?
        })
    }
}

/// The hook that reqwest asks for addresses.
pub(crate) struct GuardedResolver {
    pub(crate) policy: Arc<OutboundPolicy>,
    pub(crate) lookup: Arc<dyn Lookup>,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (policy, looking) = (self.policy.clone(), self.lookup.lookup(name.as_str()));
        Box::pin(async move {
            let allowed: Vec<_> = looking.await?.into_iter().filter(|ip| policy.allows(*ip)).collect();
            if allowed.is_empty() {
                return Err(NoAllowedAddress.into());
            }
            let addresses = allowed.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// The name resolves, but to nothing that may be reached.
#[derive(Debug)]
pub(crate) struct NoAllowedAddress;

impl fmt::Display for NoAllowedAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name resolves to no address that may be reached")
    }
}

impl std::error::Error for NoAllowedAddress {}
