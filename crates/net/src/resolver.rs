//! Name resolution with a guard: a connection is made only to addresses that the policy allows.
//!
//! Each address of the answer is checked, and the connection goes to the checked addresses themselves,
//! so a name that changes its mind between check and connection gains nothing. Hosts that are addresses
//! never come here; `crate::OutboundClient` checks them in front of the call.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::{BoxFuture, Shared, WeakShared};
use futures_util::{FutureExt as _, TryFutureExt as _};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;

use crate::policy::OutboundPolicy;

/// Look-ups that may wait for a slow name server at the same time, each on a thread: more than any one
/// organization has deliveries in flight, so that its name server holds up nobody else.
const CONCURRENT_LOOKUPS: usize = 256;

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

/// Looks a name up once for all who ask for it meanwhile: many deliveries to one slow name take one thread.
/// Nothing is remembered beyond that.
pub(crate) struct SharedLookup {
    lookup: Arc<dyn Lookup>,
    under_way: Mutex<HashMap<String, WeakShared<Answer>>>,
}

type Answer = BoxFuture<'static, Result<Vec<IpAddr>, Arc<io::Error>>>;

impl SharedLookup {
    pub(crate) fn new(lookup: Arc<dyn Lookup>) -> Self {
        Self { lookup, under_way: Mutex::default() }
    }

    async fn lookup(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let answer = self.join(name).await;
        answer.map_err(|error| io::Error::new(error.kind(), error))
    }

    fn join(&self, name: &str) -> Shared<Answer> {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.retain(|_, looking| looking.upgrade().is_some_and(|looking| looking.peek().is_none()));
        if let Some(looking) = under_way.get(name).and_then(WeakShared::upgrade) {
            return looking;
        }
        let looking = self.lookup.lookup(name).map_err(Arc::new).boxed().shared();
        under_way.extend(looking.downgrade().map(|looking| (name.to_owned(), looking)));
        looking
    }
}

/// The hook that reqwest asks for addresses.
pub(crate) struct GuardedResolver {
    pub(crate) policy: Arc<OutboundPolicy>,
    pub(crate) lookup: Arc<SharedLookup>,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (policy, lookup) = (self.policy.clone(), self.lookup.clone());
        Box::pin(async move {
            let allowed: Vec<_> =
                lookup.lookup(name.as_str()).await?.into_iter().filter(|ip| policy.allows(*ip)).collect();
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

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::sync::Notify;

    use super::*;

    /// Answers when it is told to, and counts how often it was asked.
    #[derive(Default)]
    struct Held {
        asked: AtomicU32,
        release: Arc<Notify>,
    }

    impl Lookup for Held {
        fn lookup(&self, _: &str) -> Looking {
            self.asked.fetch_add(1, Ordering::SeqCst);
            let release = self.release.clone();
            Box::pin(async move {
                release.notified().await;
                Ok(vec![Ipv4Addr::new(192, 0, 2, 1).into()])
            })
        }
    }

    #[tokio::test]
    async fn a_name_is_looked_up_once_for_all_who_ask_at_the_same_time_and_again_later() {
        let held = Arc::new(Held::default());
        let shared = SharedLookup::new(held.clone());
        let all = futures_util::future::join_all((0..50).map(|_| shared.lookup("slow.example")));
        let (answers, ()) = tokio::join!(all, async { held.release.notify_one() });
        assert!(answers.into_iter().all(|answer| answer.is_ok_and(|addresses| addresses.len() == 1)));
        assert_eq!(held.asked.load(Ordering::SeqCst), 1);
        let (again, other) = (shared.lookup("slow.example"), shared.lookup("other.example"));
        let release = async {
            held.release.notify_one();
            tokio::task::yield_now().await;
            held.release.notify_one();
        };
        let (again, other, ()) = tokio::join!(again, other, release);
        assert!(again.is_ok() && other.is_ok());
        assert_eq!(held.asked.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn who_gives_up_takes_nothing_from_the_others() {
        let held = Arc::new(Held::default());
        let shared = SharedLookup::new(held.clone());
        let mut first = Box::pin(shared.lookup("slow.example"));
        let second = shared.lookup("slow.example");
        assert!((&mut first).now_or_never().is_none());
        drop(first);
        let (answer, ()) = tokio::join!(second, async { held.release.notify_one() });
        assert!(answer.is_ok());
    }
}
