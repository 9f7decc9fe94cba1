//! Secrets of an endpoint: the current one, and those that were replaced and still sign for a while.
//!
//! All are sealed for their endpoint. Where to read next: `rotate.rs` replaces one, `deliveries/request.rs`
//! signs with them.

use kernel::ambient::Ambient;
use kernel::id::EndpointId;
use kernel::secret::{ExposeSecret, Sealer, SecretString};
use kernel::time::Timestamp;
use net::signing::EndpointSecret;

/// The most characters of a secret that an owner brings along.
pub const LONGEST_SECRET: usize = 255;
/// The most replaced secrets that sign at once. With the current one they are as many as the default schedule
/// has attempts, so that each has its turn (`deliveries/request.rs`).
pub const MOST_FORMER_SECRETS: usize = 3;

/// Why an owner's secret is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {LONGEST_SECRET} visible ASCII characters")]
pub struct UnfitSecret;

/// Checks a secret that an owner brings along. What can't be seen is easily lost on the way to a receiver's
/// configuration, so it is refused; how hard a secret is to guess is its owner's decision.
///
/// # Errors
/// When it is empty, too long, or has spaces, control characters or characters beyond ASCII.
pub fn check_secret(text: &str) -> Result<(), UnfitSecret> {
    let is_fit = (1..=LONGEST_SECRET).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_fit { Ok(()) } else { Err(UnfitSecret) }
}

/// A secret to be stored for an endpoint: the owner's own, or a new one. With it the text to be shown once.
pub(super) fn seal(
    ambient: &Ambient,
    sealer: &Sealer,
    endpoint: EndpointId,
    given: Option<SecretString>,
) -> (String, SecretString) {
    let secret = given.unwrap_or_else(|| EndpointSecret::generate(ambient).text().clone());
    let sealed = sealer.seal(ambient, &endpoint.to_string(), secret.expose_secret().as_bytes());
    (sealed, secret)
}

/// A replaced secret that signs beside its successors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormerSecret {
    pub(crate) signs_until: Timestamp,
    pub(crate) sealed: String,
}

/// Reads the column. A line that can't be read is a secret that doesn't sign any more.
pub(crate) fn read_former(column: &str) -> Vec<FormerSecret> {
    let read = |line: &str| {
        let (until, sealed) = line.split_once(' ')?;
        Some(FormerSecret { signs_until: Timestamp::from_millis(until.parse().ok()?), sealed: sealed.to_owned() })
    };
    column.lines().filter_map(read).collect()
}

pub(super) fn write_former(secrets: &[FormerSecret]) -> String {
    let lines = secrets.iter().map(|secret| format!("{} {}", secret.signs_until.as_millis(), secret.sealed));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_of_an_owner_is_visible_and_not_too_long() {
        for fit in ["s", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "p@ss,word!~", &"x".repeat(255)] {
            assert_eq!(check_secret(fit), Ok(()), "{fit:?}");
        }
        for unfit in ["", " ", "two words", "tab\t", "line\n", "nul\0", "ключ", "é", "\u{200b}", &"x".repeat(256)]
        {
            assert_eq!(check_secret(unfit), Err(UnfitSecret), "{unfit:?}");
        }
    }

    #[test]
    fn former_secrets_are_kept_in_order_and_damage_costs_its_own_line_only() {
        let secret = |millis, sealed: &str| FormerSecret {
            signs_until: Timestamp::from_millis(millis),
            sealed: sealed.to_owned(),
        };
        let secrets = [secret(1_795_000_000_000, "b+/="), secret(-1, "a")];
        assert_eq!(read_former(&write_former(&secrets)), secrets);
        assert_eq!(read_former(""), []);
        assert_eq!(read_former("soon x\n5\n\n7 y"), [secret(7, "y")]);
    }
}
