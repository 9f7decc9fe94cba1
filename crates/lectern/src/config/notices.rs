//! `[notices]`: who is told besides workspaces.

use mail::Address;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

/// More are a list for a mail server to keep.
const MOST: usize = 20;

static OPERATOR_EMAILS: Setting =
    Setting::new("notices", "operator_emails", "LECTERN_OPERATOR_EMAILS").or("none").shaped(Shape::List);

/// `[notices]`
#[derive(Clone, Debug)]
pub struct Notices {
    /// The operators' addresses.
    pub operator_emails: Vec<String>,
}

impl Notices {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self { operator_emails: reader.required(&OPERATOR_EMAILS, addresses)? })
    }
}

fn addresses(text: &str) -> Result<Vec<String>, String> {
    let address = |item: &str| Address::bare(item).map(|address| address.to_string());
    let addresses = parse::list(text).map(address).collect::<Result<Vec<_>, _>>();
    let addresses = addresses.map_err(|_| "must be e-mail addresses without names".to_owned())?;
    if addresses.len() <= MOST { Ok(addresses) } else { Err(format!("must be at most {MOST} addresses")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_named_by_their_addresses_alone() {
        assert_eq!(addresses("none"), Ok(Vec::new()));
        assert_eq!(addresses("a@x.example, b@x.example").map(|list| list.len()), Ok(2));
        for wrong in ["a", "A <a@x.example>", "a@x.example,,b@x.example", &["a@x.example"; 21].join(",")] {
            assert!(addresses(wrong).is_err(), "{wrong}");
        }
    }
}
