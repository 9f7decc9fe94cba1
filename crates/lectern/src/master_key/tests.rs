use std::ffi::OsString;
use std::path::Path;

use events::endpoints::{NewEndpoint, Registration, SignatureVersion, create};
use kernel::secret::ExposeSecret as _;
use store::{Database, StoreError, Tx};
use testkit::{TestStore, both_stores};

use super::*;
use crate::config::Environment;

const ONE: &str = "1111111111111111111111111111111111111111111111111111111111111111";
const OTHER: &str = "2222222222222222222222222222222222222222222222222222222222222222";

/// A data folder of its own, on the test's database where that is a server's.
struct Place {
    folder: tempfile::TempDir,
    database_url: Option<String>,
    ambient: Ambient,
}

impl Place {
    fn new(test: &TestStore) -> Self {
        let database_url = match &test.options.database {
            Database::Postgres { url, .. } => Some(url.expose_secret().to_owned()),
            Database::Sqlite { .. } => None,
        };
        Self { folder: tempfile::tempdir().unwrap(), database_url, ambient: test.ambient.clone() }
    }

    fn config(&self, key: Option<&str>) -> Config {
        let data_dir = self.folder.path().as_os_str().to_owned();
        let mut variables = vec![("LECTERN_DATA_DIR".to_owned(), data_dir)];
        variables.extend(self.database_url.iter().map(|url| ("LECTERN_DATABASE_URL".to_owned(), OsString::from(url))));
        variables.extend(key.map(|key| ("LECTERN_SECRET_KEY".to_owned(), OsString::from(key))));
        Config::load(None, &Environment::of(variables)).unwrap()
    }

    fn file(&self) -> std::path::PathBuf {
        secret_file::path(self.folder.path())
    }

    /// Opens with a configured key, or the folder's; the key or what is wrong.
    async fn open(&self, key: Option<&str>) -> Result<String, String> {
        match open_store(&self.config(key), &self.ambient).await {
            Ok((store, master)) => {
                store.close().await;
                Ok(master.to_hex().to_string())
            }
            Err(error) => Err(format!("{error:#}")),
        }
    }

    /// Makes the database one of a version without check values, with a webhook secret of each of these keys.
    async fn downgrade(&self, keys: &[&str]) {
        let (store, _) = open_store(&self.config(Some(ONE)), &self.ambient).await.unwrap();
        let new: Vec<NewEndpoint> = keys.iter().map(|key| endpoint(&self.ambient, key)).collect();
        let write = move |tx: &mut Tx<'_>| {
            tx.execute("DELETE FROM master_key", &[])?;
            new.iter().try_for_each(|new| create(tx, new).map(|_| ()).map_err(|_| StoreError::Check))
        };
        store.write("test", write).await.unwrap();
        store.close().await;
    }

    async fn is_recorded(&self) -> bool {
        let store = assembly::open_store(&self.config(None), &self.ambient).await.unwrap();
        let known = store.read("test", Stored::read).await.unwrap();
        store.close().await;
        known.is_recorded()
    }
}

fn endpoint(ambient: &Ambient, key: &str) -> NewEndpoint {
    let sealer = MasterKey::from_hex(key).unwrap().sealer(events::WEBHOOK_SECRETS);
    let registration = Registration {
        surface: events::Surface::Content,
        owner_id: "owner".to_owned(),
        url: "https://receiver.example/hook".to_owned(),
        events: Vec::new(),
        secret: None,
        signature_version: SignatureVersion::Plain,
    };
    NewEndpoint::new(ambient, &sealer, registration).0
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[both_stores]
async fn a_new_database_gets_a_key_and_keeps_it(test: TestStore) {
    let place = Place::new(&test);
    let made = place.open(None).await.unwrap();
    assert_eq!(place.open(None).await.unwrap(), made);
    assert_eq!(place.open(Some(&made)).await.unwrap(), made, "the same key may be configured instead");
}

#[both_stores]
async fn a_lost_key_file_stops_the_start_and_is_not_replaced(test: TestStore) {
    let place = Place::new(&test);
    place.open(None).await.unwrap();
    std::fs::remove_file(place.file()).unwrap();
    let said = place.open(None).await.unwrap_err();
    for part in ["is missing", &shown(&place.file()), "Restore", "LECTERN_SECRET_KEY", "webhook secrets"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!place.file().exists());
}

#[both_stores]
async fn a_wrong_key_stops_the_start_and_stays(test: TestStore) {
    let place = Place::new(&test);
    let made = place.open(None).await.unwrap();
    std::fs::write(place.file(), OTHER).unwrap();
    let said = place.open(None).await.unwrap_err();
    assert!(said.starts_with(&format!("{} is not the master key", shown(&place.file()))), "{said}");
    assert_eq!(std::fs::read_to_string(place.file()).unwrap(), OTHER);
    let said = place.open(Some(ONE)).await.unwrap_err();
    assert!(said.contains("LECTERN_SECRET_KEY") && said.contains("Set LECTERN_SECRET_KEY"), "{said}");
    std::fs::write(place.file(), &made).unwrap();
    let said = place.open(Some(ONE)).await.unwrap_err();
    assert!(said.contains(&format!("but {} is. Remove the setting", shown(&place.file()))), "{said}");
    assert!(!said.contains(ONE) && !said.contains(&made), "{said}");
    assert_eq!(place.open(None).await.unwrap(), made);
}

#[both_stores]
async fn of_two_keys_at_the_first_start_exactly_one_wins(test: TestStore) {
    let place = Place::new(&test);
    // Migrated before, so that both race for the key alone.
    assembly::open_store(&place.config(None), &place.ambient).await.unwrap().close().await;
    let (one, other) = tokio::join!(place.open(Some(ONE)), place.open(Some(OTHER)));
    assert_ne!(one.is_ok(), other.is_ok(), "{one:?} {other:?}");
    let (winner, loser) = if one.is_ok() { (ONE, OTHER) } else { (OTHER, ONE) };
    assert_eq!(place.open(Some(winner)).await.unwrap(), winner);
    assert!(place.open(Some(loser)).await.is_err());
}

#[both_stores]
async fn of_two_keys_that_find_no_check_value_only_one_is_recorded(test: TestStore) {
    let keys = [ONE, OTHER].map(|key| MasterKey::from_hex(key).unwrap());
    let record = |key: &MasterKey| {
        let value = stored::check_value(key);
        test.store.write("test", move |tx| stored::record(tx, &value))
    };
    let (one, other) = tokio::join!(record(&keys[0]), record(&keys[1]));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one, other);
    assert_eq!(keys.iter().filter(|key| stored::is_check_value_of(&one, key)).count(), 1);
}

#[both_stores]
async fn a_database_without_check_value_is_compared_with_its_webhook_secrets(test: TestStore) {
    let place = Place::new(&test);
    place.downgrade(&[ONE]).await;
    assert!(place.open(None).await.unwrap_err().contains("is missing"));
    assert!(!place.file().exists());
    assert!(place.open(Some(OTHER)).await.unwrap_err().contains("is not the master key"));
    assert!(!place.is_recorded().await, "a key that does not fit is not recorded");
    assert_eq!(place.open(Some(ONE)).await.unwrap(), ONE);
    assert!(place.is_recorded().await);
    assert!(place.open(Some(OTHER)).await.is_err());
}

#[both_stores]
async fn a_database_without_check_value_and_secrets_takes_the_key_that_is_there(test: TestStore) {
    let place = Place::new(&test);
    place.downgrade(&[]).await;
    assert_eq!(place.open(Some(OTHER)).await.unwrap(), OTHER);
    assert!(place.open(Some(ONE)).await.is_err());
}

#[both_stores]
async fn a_key_that_opens_some_of_the_webhook_secrets_is_the_one_in_use(test: TestStore) {
    let place = Place::new(&test);
    place.downgrade(&[ONE, OTHER]).await;
    assert_eq!(place.open(Some(OTHER)).await.unwrap(), OTHER);
}

#[both_stores]
async fn a_damaged_key_file_is_refused_before_the_database_is_touched(test: TestStore) {
    let place = Place::new(&test);
    std::fs::write(place.file(), "damaged").unwrap();
    let said = place.open(None).await.unwrap_err();
    assert!(said.contains("is damaged") && said.contains("Restore it"), "{said}");
    assert!(!place.config(None).store.database_file().exists());
}
