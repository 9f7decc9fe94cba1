//! Addresses of accounts and contracts.

use std::fmt;
use std::str::FromStr;

use crate::signature::keccak;

/// The address of an account or a contract. It is compared by its bytes and written with the checksum of EIP-55.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address(pub(crate) [u8; 20]);

/// Not `0x` and 40 hexadecimal digits, or the zero address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 0x and 40 hexadecimal digits, and not the zero address")]
pub struct NotAnAddress;

impl FromStr for Address {
    type Err = NotAnAddress;

    /// The case of letters doesn't matter: wallets write checksums, programs often don't.
    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        let bytes = hex_bytes(text).ok_or(NotAnAddress)?;
        if bytes == [0; 20] { Err(NotAnAddress) } else { Ok(Self(bytes)) }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = hex::encode(self.0);
        let hash = keccak(digits.as_bytes());
        f.write_str("0x")?;
        digits.chars().enumerate().try_for_each(|(at, digit)| {
            let nibble = (hash[at / 2] >> (4 * (1 - at % 2))) & 0xf;
            write!(f, "{}", if nibble >= 8 { digit.to_ascii_uppercase() } else { digit })
        })
    }
}

/// `0x` and the digits of exactly so many bytes.
pub(crate) fn hex_bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text.strip_prefix("0x")?, &mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_the_checksum_of_eip_55() {
        for text in [
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
            "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        ] {
            assert_eq!(text.to_lowercase().parse::<Address>().unwrap().to_string(), text);
        }
        for wrong in ["", "0x", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeA"]
        {
            assert_eq!(wrong.parse::<Address>(), Err(NotAnAddress), "{wrong}");
        }
        assert_eq!(format!("0x{}", "0".repeat(40)).parse::<Address>(), Err(NotAnAddress));
    }
}
