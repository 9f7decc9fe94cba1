//! Links that verify an address. Only this service can make them, and each holds for one workspace, one address and a
//! time.

use std::time::Duration;

use kernel::id::WorkspaceId;
use kernel::secret::{Authenticator, MasterKey};
use kernel::time::Timestamp;

use super::PATH;

/// How long a link holds.
pub(super) const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

const PURPOSE: &str = "e-mail verification";

/// Makes and checks links. Cheap to clone.
#[derive(Clone)]
pub struct Links {
    authenticator: Authenticator,
    base_url: String,
}

/// What a link says. It does not say the address: who finds the link learns nothing of its owner.
pub(super) struct Token {
    pub(super) workspace: WorkspaceId,
    expires_seconds: i64,
    signature: String,
}

/// A link that verifies nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkRefused {
    /// It was not made for this address.
    Invalid,
    /// It was, and its time is over.
    Expired,
}

impl Links {
    /// Links below the public address of the service, which has no slash at its end.
    pub fn new(master: &MasterKey, base_url: &str) -> Self {
        Self { authenticator: master.authenticator(PURPOSE), base_url: base_url.to_owned() }
    }

    /// The link that verifies this address of a workspace until `expires`, to the second.
    pub(super) fn url(&self, workspace: WorkspaceId, email: &str, expires: Timestamp) -> String {
        let expires = expires.as_seconds();
        let signature = self.authenticator.tag(&statement(workspace, expires, email));
        format!("{}{PATH}?token={workspace}.{expires}.{signature}", self.base_url)
    }

    /// Judges a token, given the address that its workspace has now. Of a token that was never made nobody learns when it
    /// would have expired.
    pub(super) fn check(&self, token: &Token, email: &str, now: Timestamp) -> Result<(), LinkRefused> {
        let statement = statement(token.workspace, token.expires_seconds, email);
        if !self.authenticator.vouches(&statement, &token.signature) {
            return Err(LinkRefused::Invalid);
        }
        if now.as_seconds() < token.expires_seconds { Ok(()) } else { Err(LinkRefused::Expired) }
    }
}

impl Token {
    /// `None` for what [`Links`] never wrote.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (workspace, rest) = text.split_once('.')?;
        let (expires, signature) = rest.split_once('.')?;
        let expires_seconds: i64 = expires.parse().ok()?;
        let token = Self { workspace: workspace.parse().ok()?, expires_seconds, signature: signature.to_owned() };
        (token.workspace.to_string() == workspace && expires_seconds.to_string() == expires).then_some(token)
    }
}

/// What is signed. An id and a number hold no space, so no two statements read alike.
fn statement(workspace: WorkspaceId, expires_seconds: i64, email: &str) -> String {
    format!("{workspace} {expires_seconds} {email}")
}

#[cfg(test)]
mod tests {
    use kernel::ambient::Ambient;
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_500);

    fn links(seed: u64) -> Links {
        Links::new(&MasterKey::generate(&Ambient::fixed(NOW, seed).0), "https://lectern.example/sub")
    }

    fn workspace(seed: u64) -> WorkspaceId {
        WorkspaceId::from(Ambient::fixed(NOW, seed).0.id::<WorkspaceId>().uuid())
    }

    fn made() -> String {
        links(1).url(workspace(2), "ann@example.com", NOW.plus(LIFETIME))
    }

    fn check(token: &str, email: &str, now: Timestamp) -> Result<(), LinkRefused> {
        links(1).check(&Token::read(token).ok_or(LinkRefused::Invalid)?, email, now)
    }

    #[test]
    fn a_link_holds_for_its_address_until_its_end() {
        let url = made();
        let token = url.strip_prefix("https://lectern.example/sub/v1/platform/agent/verify-email?token=").unwrap();
        assert!(!url.contains("ann"));
        assert_eq!(check(token, "ann@example.com", NOW), Ok(()));
        assert_eq!(check(token, "bob@example.com", NOW), Err(LinkRefused::Invalid));
        assert_eq!(check(token, "ann@example.com", NOW.plus(LIFETIME)), Err(LinkRefused::Expired));
        assert_eq!(check(token, "bob@example.com", NOW.plus(LIFETIME)), Err(LinkRefused::Invalid));
        let foreign = links(7).url(workspace(2), "ann@example.com", NOW.plus(LIFETIME));
        assert_eq!(check(foreign.split_once('=').unwrap().1, "ann@example.com", NOW), Err(LinkRefused::Invalid));
    }

    proptest! {
        #[test]
        fn no_other_token_verifies_anything(at in 0..100_usize, byte in "[0-9a-zA-Z._-]") {
            let url = made();
            let token = url.split_once('=').unwrap().1;
            let mut changed = token.to_owned();
            let at = at % token.len();
            changed.replace_range(at..=at, &byte);
            prop_assume!(changed != token);
            prop_assert_eq!(check(&changed, "ann@example.com", NOW), Err(LinkRefused::Invalid));
            prop_assert_eq!(check(&token[..at], "ann@example.com", NOW), Err(LinkRefused::Invalid));
        }
    }
}
