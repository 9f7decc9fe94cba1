//! Addresses of e-mail.

use std::fmt;
use std::str::FromStr;

use lettre::message::Mailbox;

/// The longest address, in bytes (RFC 5321, 4.5.3.1.3).
const MOST_BYTES: usize = 254;

/// An address that mail can be sent to or from, perhaps with a name. It fits a header: there is no line end in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(pub(crate) Mailbox);

/// The text is no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an e-mail address, such as lectern@example.com or Lectern <lectern@example.com>")]
pub struct NotAnAddress;

impl Address {
    /// Reads an address alone, as forms ask for it: `office@example.com`, without a name or brackets.
    ///
    /// # Errors
    /// [`NotAnAddress`], also of an address with a name.
    pub fn bare(text: &str) -> Result<Self, NotAnAddress> {
        let address: Self = text.parse()?;
        if address.0.name.is_none() && address.0.email.to_string() == text { Ok(address) } else { Err(NotAnAddress) }
    }
}

impl FromStr for Address {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        // Checked before it is parsed: folded lines are valid in a header, and nobody's address.
        if text.chars().any(char::is_control) {
            return Err(NotAnAddress);
        }
        let mailbox: Mailbox = text.parse().map_err(|_| NotAnAddress)?;
        let is_short = mailbox.email.to_string().len() <= MOST_BYTES;
        if is_short { Ok(Self(mailbox)) } else { Err(NotAnAddress) }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_address_may_have_a_name() {
        for good in ["a@example.com", "A. Teacher <a.b+c@school.example>", "\"Doe, Jane\" <jane@example.com>"] {
            assert!(good.parse::<Address>().is_ok(), "{good}");
        }
        let long = format!("{}@example.com", "a".repeat(260));
        for bad in ["", "a", "@example.com", "a@", "a b@example.com", "a@example.com, b@example.com", &long] {
            assert_eq!(bad.parse::<Address>(), Err(NotAnAddress), "{bad}");
        }
    }

    #[test]
    fn an_address_alone_has_no_name_and_no_brackets() {
        for good in ["a@example.com", "a.b+c@school.example", "a@b"] {
            assert_eq!(Address::bare(good).map(|address| address.to_string()), Ok(good.to_owned()));
        }
        for bad in ["A <a@example.com>", "<a@example.com>", " a@example.com", "a@example.com ", "a..b@", "a@@b"] {
            assert_eq!(Address::bare(bad), Err(NotAnAddress), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_address_has_a_line_end(start in "[a-zA-Z \"<]{0,6}", end in "[\\r\\n\\t\u{0}\u{85}]{1,2}(Bcc: )?", rest in "[a-z@.<> ]{0,12}") {
            let text = format!("{start}{end}{rest}@example.com>");
            prop_assert_eq!(text.parse::<Address>(), Err(NotAnAddress));
        }
    }
}
