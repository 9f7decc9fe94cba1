//! The service's own key pairs: made when the first is needed, sealed at rest, replaced with overlap.
//!
//! A new key is announced in the key set before it signs, so that a platform which keeps the set for a while knows it by
//! then. The key before stays in the set until nothing that it signed is valid. What a key is at a moment follows from
//! the times in its row alone.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::json::JsonText;
use kernel::secret::{MasterKey, Sealer};
use kernel::time::Timestamp;
use lti::ToolKey;
use store::{Record, Store, StoreError, Tx, sql};

/// How long a key is in the key set before it signs. Platforms may keep the set for as long.
const ANNOUNCED: Duration = Duration::from_secs(24 * 3600);
/// How long a key stays in the key set after its successor signs. What it signed is valid for minutes.
const RETAINED: Duration = Duration::from_secs(24 * 3600);
/// How old the newest key grows.
const REPLACED_AFTER: Duration = Duration::from_secs(90 * 24 * 3600);

/// What private halves are sealed for.
const PURPOSE: &str = "LTI tool keys";

/// The service's key pairs.
pub struct ToolKeys {
    store: Store,
    ambient: Ambient,
    sealer: Sealer,
    /// The last that signed, with its sequence.
    opened: Mutex<Option<(u32, Arc<ToolKey>)>>,
}

#[derive(Clone, Debug, Record)]
#[record(table = "lti_tool_key")]
struct StoredKey {
    #[column(key)]
    sequence: u32,
    id: String,
    public_key: JsonText,
    sealed_private: String,
    signs_from: Timestamp,
    created_at: Timestamp,
}

impl ToolKeys {
    /// Where the keys are kept.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// The keys of a store.
    pub fn new(store: Store, ambient: Ambient, master: &MasterKey) -> Self {
        Self { store, ambient, sealer: master.sealer(PURPOSE), opened: Mutex::default() }
    }

    /// The public halves that platforms may meet, as JSON Web Keys, newest first.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub async fn published(&self) -> Result<Vec<JsonText>, StoreError> {
        let mut keys = self.stored().await?;
        if keys.is_empty() {
            self.make(None, Duration::ZERO).await?;
            keys = self.stored().await?;
        }
        Ok(keys.into_iter().map(|key| key.public_key).collect())
    }

    /// The key that signs now.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub async fn signing(&self) -> Result<Arc<ToolKey>, StoreError> {
        loop {
            let keys = self.stored().await?;
            if let Some(key) = signing(&keys, self.ambient.now()).and_then(|key| self.open(key)) {
                return Ok(key);
            }
            self.make(keys.first(), Duration::ZERO).await?;
        }
    }

    /// Makes the next key when it is time, and forgets those whose time is over.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub async fn tend(&self) -> Result<(), StoreError> {
        let (keys, now) = (self.stored().await?, self.ambient.now());
        if let Some(newest) = keys.first().filter(|newest| newest.created_at.plus(REPLACED_AFTER) <= now) {
            self.make(Some(newest), ANNOUNCED).await?;
        }
        let Some(signing) = signing(&keys, now).filter(|key| key.signs_from.plus(RETAINED) <= now) else {
            return Ok(());
        };
        let oldest = signing.sequence;
        let forget = move |tx: &mut Tx<'_>| tx.execute("DELETE FROM lti_tool_key WHERE sequence < $1", &[&oldest]);
        self.store.write("lti_tool_keys.forget", forget).await.map(|_| ())
    }

    /// All keys, newest first.
    async fn stored(&self) -> Result<Vec<StoredKey>, StoreError> {
        let read = |tx: &mut Tx<'_>| {
            sql!("SELECT {StoredKey::*} FROM lti_tool_key ORDER BY sequence DESC").query(tx, StoredKey::from_row)
        };
        self.store.read("lti_tool_keys.list", read).await
    }

    /// `None` for a key that another master key sealed.
    fn open(&self, stored: &StoredKey) -> Option<Arc<ToolKey>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((sequence, key)) = &*opened
            && (*sequence, key.id()) == (stored.sequence, &*stored.id)
        {
            return Some(key.clone());
        }
        let private = self.sealer.open(&stored.id, &stored.sealed_private).ok();
        let Some(key) = private.and_then(|private| ToolKey::from_pkcs8(&private).ok()) else {
            tracing::error!(key = stored.id, "an LTI tool key can't be opened with the secret key; it is replaced");
            return None;
        };
        let key = Arc::new(key);
        *opened = Some((stored.sequence, key.clone()));
        Some(key)
    }

    /// Makes the key after `newest`, unless another process did.
    async fn make(&self, newest: Option<&StoredKey>, announced: Duration) -> Result<(), StoreError> {
        let private =
            tokio::task::spawn_blocking(ToolKey::generate).await.expect("the operating system has randomness");
        let key = ToolKey::from_pkcs8(&private).expect("a new key can be read");
        let now = self.ambient.now();
        let stored = StoredKey {
            sequence: newest.map_or(1, |newest| newest.sequence + 1),
            id: key.id().to_owned(),
            public_key: JsonText::of(key.public()),
            sealed_private: self.sealer.seal(&self.ambient, key.id(), &private),
            signs_from: now.plus(announced),
            created_at: now,
        };
        match self.store.write("lti_tool_keys.make", move |tx| stored.insert(tx)).await {
            Err(StoreError::Unique { .. }) => Ok(()),
            made => made,
        }
    }
}

/// Seals the private halves that `old` opens with `new`, where the master key is replaced; how many.
///
/// # Errors
/// Any [`StoreError`].
pub fn reseal(tx: &mut Tx<'_>, ambient: &Ambient, old: &MasterKey, new: &MasterKey) -> Result<u64, StoreError> {
    let (old, new) = (old.sealer(PURPOSE), new.sealer(PURPOSE));
    let stored = sql!("SELECT {StoredKey::*} FROM lti_tool_key ORDER BY sequence").query(tx, StoredKey::from_row)?;
    let mut resealed = 0;
    for StoredKey { sequence, id, sealed_private, .. } in stored {
        let Ok(private) = old.open(&id, &sealed_private) else { continue };
        let sealed = new.seal(ambient, &id, &private);
        resealed +=
            sql!("UPDATE lti_tool_key SET sealed_private = {sealed} WHERE sequence = {sequence}").execute(tx)?;
    }
    Ok(resealed)
}

/// The key of these, newest first, that signs at an instant.
fn signing(keys: &[StoredKey], now: Timestamp) -> Option<&StoredKey> {
    keys.iter().find(|key| key.signs_from <= now)
}

#[cfg(test)]
mod tests {
    use testkit::{TestStore, both_stores};

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    fn keys(test: &TestStore, master: &str) -> ToolKeys {
        let master = MasterKey::from_hex(&master.repeat(32)).unwrap();
        ToolKeys::new(test.store.clone(), test.ambient.clone(), &master)
    }

    /// The ids in the key set, newest first.
    async fn published(keys: &ToolKeys) -> Vec<String> {
        let keys = keys.published().await.unwrap();
        let id = |key: JsonText| serde_json::to_value(&key).unwrap()["kid"].as_str().unwrap().to_owned();
        keys.into_iter().map(id).collect()
    }

    async fn signing_id(keys: &ToolKeys) -> String {
        keys.signing().await.unwrap().id().to_owned()
    }

    #[both_stores]
    async fn the_first_key_signs_at_once_and_of_several_processes_one_makes_it(test: TestStore) {
        let (one, other) = (keys(&test, "11"), keys(&test, "11"));
        let (of_one, of_other, set) = tokio::join!(signing_id(&one), signing_id(&other), published(&one));
        assert_eq!(of_one, of_other);
        assert_eq!(set, [of_one]);
    }

    #[both_stores]
    async fn a_key_signs_on_under_a_new_master_key_whose_old_one_is_at_hand(test: TestStore) {
        let key = signing_id(&keys(&test, "11")).await;
        let ambient = test.ambient.clone();
        let master = |digits: &str| MasterKey::from_hex(&digits.repeat(32)).unwrap();
        let (old, new) = (master("11"), master("22"));
        let resealed = test.store.write("test", move |tx| reseal(tx, &ambient, &old, &new)).await.unwrap();
        assert_eq!((resealed, signing_id(&keys(&test, "22")).await), (1, key.clone()));
        assert_ne!(signing_id(&keys(&test, "33")).await, key, "an unreadable key is replaced");
    }

    #[both_stores]
    async fn a_new_key_is_announced_before_it_signs_and_the_old_one_stays_after(test: TestStore) {
        let keys = keys(&test, "11");
        let old = signing_id(&keys).await;
        test.clock.advance(REPLACED_AFTER - Duration::from_secs(1));
        keys.tend().await.unwrap();
        assert_eq!(published(&keys).await, [&*old], "too early");
        test.clock.advance(Duration::from_secs(1));
        keys.tend().await.unwrap();
        keys.tend().await.unwrap();
        let both = published(&keys).await;
        assert_eq!((both.len(), &both[1]), (2, &old));
        assert_eq!(signing_id(&keys).await, old);
        test.clock.advance(DAY);
        assert_eq!(signing_id(&keys).await, both[0]);
        keys.tend().await.unwrap();
        assert_eq!(published(&keys).await, both);
        test.clock.advance(DAY);
        keys.tend().await.unwrap();
        assert_eq!(published(&keys).await, both[..1]);
    }

    #[both_stores]
    async fn a_key_of_a_lost_master_key_is_replaced_when_it_has_to_sign(test: TestStore) {
        let old = signing_id(&keys(&test, "11")).await;
        let keys = keys(&test, "22");
        let new = signing_id(&keys).await;
        assert_ne!(new, old);
        assert_eq!(signing_id(&keys).await, new);
        assert_eq!(published(&keys).await, [new, old]);
    }

    #[both_stores]
    async fn the_private_half_is_sealed_at_rest(test: TestStore) {
        let keys = keys(&test, "11");
        signing_id(&keys).await;
        let stored = keys.stored().await.unwrap().remove(0);
        let private = keys.sealer.open(&stored.id, &stored.sealed_private).unwrap();
        assert_eq!(ToolKey::from_pkcs8(&private).unwrap().id(), stored.id);
        assert!(!format!("{stored:?}").contains("PRIVATE"));
        let members = serde_json::to_value(&stored.public_key).unwrap();
        assert!(["d", "p", "q", "dp", "dq", "qi"].iter().all(|secret| members.get(secret).is_none()));
    }
}
