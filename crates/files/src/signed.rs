//! Links to files: they expire, and only this service can make them.
//!
//! A link says which file and until when; the signature vouches for both and for the workspace that the file belongs
//! to, so that a file which changed hands has no links left. Nothing is stored. The route that answers them finds the
//! file by the id in its path, and its workspace with it, and asks [`FileLinks::check`].

use std::time::Duration;

use kernel::secret::{Authenticator, MasterKey};
use kernel::time::Timestamp;
use url::Url;

use crate::storage::FileKey;

/// The path of a file's link, without the id.
pub const PATH: &str = "/v1/platform/files/";
/// How long a link holds that an answer of the API shows.
pub const LIFETIME: Duration = Duration::from_secs(60 * 60);

const PURPOSE: &str = "file links";

/// Makes and checks links. Cheap to clone.
#[derive(Clone)]
pub struct FileLinks {
    authenticator: Authenticator,
    base_url: Url,
}

/// A link that is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkRefused {
    /// It was never made by this service.
    #[error("the link is not valid")]
    Invalid,
    /// It was, and its time is over.
    #[error("the link has expired")]
    Expired,
}

impl FileLinks {
    /// Links below the public address of the service.
    pub fn new(master: &MasterKey, base_url: &Url) -> Self {
        Self { authenticator: master.authenticator(PURPOSE), base_url: base_url.clone() }
    }

    /// The link of a file that holds until `expires`, to the second.
    pub fn url(&self, file: FileKey, expires: Timestamp) -> Url {
        let expires = expires.as_seconds();
        let signature = self.authenticator.tag(&statement(file, expires));
        let mut url = self.base_url.clone();
        url.set_path(&format!("{}{PATH}{}", self.base_url.path().trim_end_matches('/'), file.file));
        url.set_query(Some(&format!("expires={expires}&signature={signature}")));
        url
    }

    /// Judges the two parameters of a link to this file. The signature is looked at first, and in constant time: of a
    /// link that was never made nobody learns when it would have expired.
    ///
    /// # Errors
    /// When the link is not to be followed.
    pub fn check(&self, file: FileKey, expires: &str, signature: &str, now: Timestamp) -> Result<(), LinkRefused> {
        let seconds: i64 = expires.parse().map_err(|_| LinkRefused::Invalid)?;
        let is_as_written = seconds.to_string() == expires;
        if !is_as_written || !self.authenticator.vouches(&statement(file, seconds), signature) {
            return Err(LinkRefused::Invalid);
        }
        if now.as_seconds() < seconds { Ok(()) } else { Err(LinkRefused::Expired) }
    }
}

/// What is signed. Ids have one length, so no two statements read alike.
fn statement(file: FileKey, expires_seconds: i64) -> String {
    format!("{file} {expires_seconds}")
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use kernel::ambient::Ambient;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_500);

    fn master(seed: u64) -> MasterKey {
        MasterKey::generate(&Ambient::fixed(NOW, seed).0)
    }

    fn links() -> FileLinks {
        FileLinks::new(&master(1), &Url::parse("https://lectern.example/sub/").unwrap())
    }

    fn key(workspace: u128, file: u128) -> FileKey {
        FileKey { workspace: Uuid::from_u128(workspace).into(), file: Uuid::from_u128(file).into() }
    }

    fn parameters(url: &Url) -> (String, String) {
        let all: HashMap<_, _> = url.query_pairs().into_owned().collect();
        (all["expires"].clone(), all["signature"].clone())
    }

    #[test]
    fn a_link_is_below_the_public_address_and_names_the_file_only() {
        let url = links().url(key(1, 2), NOW.plus(LIFETIME));
        let start = "https://lectern.example/sub/v1/platform/files/00000000-0000-0000-0000-000000000002?expires=1800003600&signature=";
        assert!(url.as_str().starts_with(start), "{url}");
        assert!(!url.as_str().contains(&key(1, 2).workspace.to_string()));
    }

    #[test]
    fn a_link_holds_until_its_second_and_not_in_it() {
        let (links, key) = (links(), key(1, 2));
        let (expires, signature) = parameters(&links.url(key, NOW.plus(Duration::from_secs(60))));
        let at = |seconds| links.check(key, &expires, &signature, NOW.plus(Duration::from_secs(seconds)));
        assert_eq!((at(0), at(59), at(60)), (Ok(()), Ok(()), Err(LinkRefused::Expired)));
    }

    #[test]
    fn a_forged_link_is_not_said_to_have_expired() {
        let refused = links().check(key(1, 2), "1", &"A".repeat(43), NOW);
        assert_eq!(refused, Err(LinkRefused::Invalid));
    }

    #[test]
    fn another_key_makes_no_links_for_this_one() {
        let other = FileLinks::new(&master(2), &Url::parse("https://lectern.example/").unwrap());
        let (expires, signature) = parameters(&other.url(key(1, 2), NOW.plus(LIFETIME)));
        assert_eq!(links().check(key(1, 2), &expires, &signature, NOW), Err(LinkRefused::Invalid));
    }

    proptest! {
        #[test]
        fn a_link_is_good_for_its_own_file_workspace_and_expiry_alone(
            own in (0..4_u128, 0..4_u128, -3..3_i64), asked in (0..4_u128, 0..4_u128, -3..3_i64),
        ) {
            let expiry = |offset: i64| Timestamp::from_millis(NOW.as_millis() + 5_000 + offset * 1_000);
            let (_, signature) = parameters(&links().url(key(own.0, own.1), expiry(own.2)));
            let expires = expiry(asked.2).as_seconds().to_string();
            let checked = links().check(key(asked.0, asked.1), &expires, &signature, NOW);
            prop_assert_eq!(checked.is_ok(), own == asked);
        }

        #[test]
        fn no_other_spelling_of_a_link_is_good(spelling in "[+0 ]{0,2}1800003600[ .0]{0,2}", cut in 0..50_usize, added in "[A-Za-z0-9_=-]{0,2}") {
            let key = key(1, 2);
            let (expires, signature) = parameters(&links().url(key, NOW.plus(LIFETIME)));
            let other = format!("{}{added}", &signature[..cut.min(signature.len())]);
            prop_assert_eq!(links().check(key, &spelling, &signature, NOW).is_ok(), spelling == expires);
            prop_assert_eq!(links().check(key, &expires, &other, NOW).is_ok(), other == signature);
        }

        #[test]
        fn no_parameters_make_it_panic(expires in "\\PC{0,20}|[0-9-]{0,25}", signature in "\\PC{0,60}") {
            prop_assert!(links().check(key(1, 2), &expires, &signature, NOW).is_err());
        }
    }
}
