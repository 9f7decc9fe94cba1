//! Asks for a new password: the variable first, else the terminal, without echo and twice.

use std::io::{self, IsTerminal as _};

use anyhow::Context as _;
use kernel::secret::{ExposeSecret as _, SecretString};

use super::WrongUse;
use crate::config::Environment;
use crate::output;

const FEWEST_CHARACTERS: usize = 8;
/// What sign-in accepts, in bytes.
const MOST_BYTES: usize = 1024;

/// A new password that is good enough.
pub(super) fn new_password(environment: &Environment, email: &str) -> anyhow::Result<SecretString> {
    if let Some(given) = environment.admin_password() {
        let text = given.to_str().ok_or_else(|| WrongUse("LECTERN_ADMIN_PASSWORD is not valid UTF-8".to_owned()))?;
        check(text).map_err(|wrong| WrongUse(format!("LECTERN_ADMIN_PASSWORD {wrong}")))?;
        return Ok(text.into());
    }
    if !io::stdin().is_terminal() {
        let wrong = "a password is needed: set LECTERN_ADMIN_PASSWORD, or run this on a terminal";
        return Err(WrongUse(wrong.to_owned()).into());
    }
    ask(email)
}

fn ask(email: &str) -> anyhow::Result<SecretString> {
    loop {
        let first = prompt(&format!("Password for {email} (at least {FEWEST_CHARACTERS} characters): "))?;
        if let Err(wrong) = check(first.expose_secret()) {
            output::note(format!("The password {wrong}."));
            continue;
        }
        if prompt("The same again: ")?.expose_secret() == first.expose_secret() {
            return Ok(first);
        }
        output::note("The two differ.");
    }
}

fn prompt(question: &str) -> anyhow::Result<SecretString> {
    Ok(rpassword::prompt_password(question).context("the password can't be read from the terminal")?.into())
}

fn check(password: &str) -> Result<(), String> {
    if password.chars().count() < FEWEST_CHARACTERS {
        return Err(format!("must have at least {FEWEST_CHARACTERS} characters"));
    }
    if password.len() > MOST_BYTES {
        return Err(format!("must be at most {MOST_BYTES} bytes long"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_eight_characters_of_any_script() {
        assert!(check("1234567").is_err());
        assert!(check("12345678").is_ok());
        assert!(check("пароль12").is_ok());
        assert!(check(&"x".repeat(1025)).is_err());
    }
}
