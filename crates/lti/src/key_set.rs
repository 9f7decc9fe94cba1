//! The public keys of a platform (RFC 7517). Platforms sign with RS256 and name the key.

use jose::Algorithm;

pub use jose::NotAKeySet;

/// How platforms sign.
pub(crate) const ALGORITHM: Algorithm = Algorithm::RS256;

/// The keys of a platform that may sign tokens, by their ids.
#[derive(Clone, Debug, Default)]
pub struct KeySet(jose::KeySet);

impl KeySet {
    /// Reads a key set. Keys that can't verify RS256 are left out, and of several with one id all but the first.
    ///
    /// # Errors
    /// [`NotAKeySet`] when it is not JSON of that form.
    pub fn parse(text: &[u8]) -> Result<Self, NotAKeySet> {
        jose::KeySet::parse(text, &[ALGORITHM]).map(Self)
    }

    /// The key with an id.
    pub(crate) fn find(&self, id: &str) -> Option<&jose::Key> {
        self.0.find(Some(id), ALGORITHM)
    }

    /// Whether there is a key with this id.
    pub fn has(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    /// The ids of all keys.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.ids()
    }
}
