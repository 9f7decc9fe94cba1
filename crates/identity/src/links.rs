//! Links of e-mail: the id of a row, signed. The database does not hold what the link proves.

use std::fmt::Display;

use kernel::id::Id;
use kernel::secret::{Authenticator, MasterKey};

/// Makes and checks links of one purpose. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Links {
    authenticator: Authenticator,
    address: String,
}

impl Links {
    pub(crate) fn new(master: &MasterKey, purpose: &str, address: String) -> Self {
        Self { authenticator: master.authenticator(purpose), address }
    }

    /// The link of a row.
    pub(crate) fn url(&self, id: impl Display) -> String {
        let id = id.to_string();
        format!("{}?token={id}.{}", self.address, self.authenticator.tag(&id))
    }

    /// The row that a token names; `None` for a token that this service never made.
    pub(crate) fn open<T>(&self, token: &str) -> Option<Id<T>> {
        let (id, tag) = token.split_once('.')?;
        let parsed: Id<T> = id.parse().ok()?;
        (parsed.to_string() == id && self.authenticator.vouches(id, tag)).then_some(parsed)
    }
}

#[cfg(test)]
mod tests {
    use kernel::ambient::Ambient;
    use kernel::id::{InvitationId, PasswordReset};
    use kernel::time::Timestamp;

    use super::*;

    #[test]
    fn a_token_opens_for_its_purpose_only_and_as_it_was_made() {
        let ambient = Ambient::fixed(Timestamp::from_millis(1_800_000_000_000), 1).0;
        let master = MasterKey::generate(&ambient);
        let links = |purpose| Links::new(&master, purpose, "https://x.example/y".to_owned());
        let id: InvitationId = ambient.id();
        let url = links("a").url(id);
        let token = url.strip_prefix("https://x.example/y?token=").unwrap();
        assert_eq!(links("a").open(token), Some(id));
        assert_eq!(links("b").open::<PasswordReset>(token), None);
        for wrong in [&token[..token.len() - 1], &token.to_uppercase(), &format!("{token}A"), "", "."] {
            assert_eq!(links("a").open::<PasswordReset>(wrong), None, "{wrong}");
        }
    }
}
