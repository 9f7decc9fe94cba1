//! The networks that payments are made on, and the token that is paid with.

use crate::{Address, Version};

/// A token that takes `transferWithAuthorization` (EIP-3009). Its unit is a millionth of a US dollar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its contract.
    pub address: Address,
    /// The name in its EIP-712 domain.
    pub name: String,
    /// The version in its EIP-712 domain.
    pub version: String,
}

/// A network, by both of its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The name in version 1, such as `base`.
    pub name: &'static str,
    /// The chain's id (EIP-155).
    pub chain_id: u64,
}

/// A name of no network that this library knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be base or base-sepolia")]
pub struct NotANetwork;

impl Network {
    /// Base, where money is real.
    pub const BASE: Self = Self { name: "base", chain_id: 8453 };
    /// Its test network.
    pub const BASE_SEPOLIA: Self = Self { name: "base-sepolia", chain_id: 84532 };

    /// Finds a network by its name in version 1 or version 2.
    ///
    /// # Errors
    /// [`NotANetwork`].
    pub fn find(name: &str) -> Result<Self, NotANetwork> {
        [Self::BASE, Self::BASE_SEPOLIA]
            .into_iter()
            .find(|network| network.name == name || network.caip2() == name)
            .ok_or(NotANetwork)
    }

    /// The name in version 2 (CAIP-2), such as `eip155:8453`.
    pub fn caip2(&self) -> String {
        format!("eip155:{}", self.chain_id)
    }

    /// Its name in a version.
    pub fn name_in(&self, version: Version) -> String {
        match version {
            Version::V1 => self.name.to_owned(),
            Version::V2 => self.caip2(),
        }
    }

    /// Circle's USDC there.
    pub fn usdc(&self) -> Token {
        let (address, name) = match self.chain_id {
            8453 => ("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USD Coin"),
            _ => ("0x036CbD53842c5426634e7929541eC2318f3dCF7e", "USDC"),
        };
        let address = address.parse().expect("an address");
        Token { address, name: name.to_owned(), version: "2".to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_found_by_both_of_its_names() {
        for name in ["base", "eip155:8453"] {
            assert_eq!(Network::find(name), Ok(Network::BASE));
        }
        for name in ["base-sepolia", "eip155:84532"] {
            assert_eq!(Network::find(name), Ok(Network::BASE_SEPOLIA));
        }
        for name in ["", "Base", "ethereum", "eip155:1"] {
            assert_eq!(Network::find(name), Err(NotANetwork), "{name}");
        }
        assert_eq!(Network::BASE.usdc().address.to_string(), "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    }
}
