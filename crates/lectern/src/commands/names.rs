//! Names and e-mail addresses on the command line, and the organizations and workspaces that they mean.

use content::organizations::{Organization, create};
use kernel::id::WorkspaceId;
use kernel::language;
use mail::Address;
use platform::workspaces::find;
use store::{StoreError, Tx};

use super::WrongUse;
use crate::output::plain;

const MOST_CHARACTERS: usize = 200;

/// Refuses what nobody could read or find again.
pub(super) fn check(option: &str, name: &str) -> Result<(), WrongUse> {
    let is_trimmed = name.trim() == name && !name.is_empty();
    if is_trimmed && name.chars().count() <= MOST_CHARACTERS && !name.chars().any(char::is_control) {
        return Ok(());
    }
    Err(WrongUse(format!("{option} must be 1 to {MOST_CHARACTERS} characters without spaces around them")))
}

/// Refuses what our mail can't be sent to.
pub(super) fn check_email(email: &str) -> Result<(), WrongUse> {
    Address::bare(email).map(|_| ()).map_err(|_| WrongUse("--email must be an e-mail address".to_owned()))
}

/// Why a command on rows changed nothing. Somebody else's names are shown as [`plain`] does.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowError {
    /// The named thing does not exist.
    #[error("there is no {}", plain(.0))]
    Missing(String),
    /// Several things have the name.
    #[error("there are several {}", plain(.0))]
    Ambiguous(String),
    /// A thing of that name does.
    #[error("there is {} already", plain(.0))]
    Exists(String),
    /// The operation refused.
    #[error(transparent)]
    Problem(#[from] edge::problem::Problem),
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The organization that `NAME_OR_ID` means.
pub(super) fn load_organization(tx: &mut Tx<'_>, name_or_id: &str) -> Result<Organization, RowError> {
    let found = create::find(tx, name_or_id)?;
    found.ok_or_else(|| RowError::Missing(format!("organization {name_or_id}; see: lectern org list")))
}

/// The workspace that `ID_OR_SLUG` means.
pub(super) fn load_workspace(tx: &mut Tx<'_>, id_or_slug: &str) -> Result<WorkspaceId, RowError> {
    let found = find::find(tx, id_or_slug)?;
    found.ok_or_else(|| RowError::Missing(format!("workspace {id_or_slug}; see: lectern workspace list")))
}

/// Refuses what is no language tag.
pub(super) fn check_locale(locale: &str) -> Result<(), WrongUse> {
    if language::is_tag(locale) {
        return Ok(());
    }
    Err(WrongUse("--locale must be a language tag, such as en or pt-BR".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_does_not_reach_the_terminal_as_it_is() {
        let error = RowError::Missing("organization \u{202e}gnirts\u{1b}[2J".to_owned());
        assert_eq!(error.to_string(), r"there is no organization \u{202e}gnirts\u{1b}[2J");
    }

    #[test]
    fn names_addresses_and_locales_are_checked() {
        assert!(check("--name", "Школа 7").is_ok());
        for wrong in ["", " a", "a\n", &"x".repeat(201)] {
            assert!(check("--name", wrong).is_err(), "{wrong:?}");
        }
        assert!(check_email("a@b").is_ok());
        for wrong in ["a", "@b", "a@", "a b@c", "a@b@c", "A <a@b>", "a@b,c@d"] {
            assert!(check_email(wrong).is_err(), "{wrong:?}");
        }
        assert!(["en", "pt-BR", "zh-Hant-TW"].iter().all(|locale| check_locale(locale).is_ok()));
        for wrong in ["", "e", "en_US", "english", "12", "en-", "en-US-US"] {
            assert!(check_locale(wrong).is_err(), "{wrong:?}");
        }
    }
}
