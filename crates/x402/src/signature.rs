//! What a payer signs (EIP-712) and who signed it.

use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use sha3::{Digest as _, Keccak256};

use crate::{Address, Authorization, Network, Token};

const DOMAIN_TYPE: &[u8] = b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
const TRANSFER_TYPE: &[u8] = b"TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";

/// Who signed.
pub(crate) enum Verdict {
    /// The payer's own key.
    Payer,
    /// Another key or none, as far as can be told from the signature alone.
    Other {
        /// What was to be signed.
        digest: [u8; 32],
    },
}

pub(crate) fn keccak(bytes: &[u8]) -> [u8; 32] {
    Keccak256::digest(bytes).into()
}

pub(crate) fn judge(authorization: &Authorization, signature: &[u8], network: &Network, token: &Token) -> Verdict {
    let digest = digest(authorization, network, token);
    match recover(signature, &digest) {
        Some(signer) if signer == authorization.from => Verdict::Payer,
        _ => Verdict::Other { digest },
    }
}

/// The digest that is signed: of the token's domain on this chain, and of the authorization.
pub(crate) fn digest(authorization: &Authorization, network: &Network, token: &Token) -> [u8; 32] {
    let domain = domain(network, token);
    let Authorization { from, to, value, valid_after, valid_before, nonce } = *authorization;
    let transfer = keccak(
        &[
            keccak(TRANSFER_TYPE),
            address(from),
            address(to),
            number(value),
            number(valid_after),
            number(valid_before),
            nonce,
        ]
        .concat(),
    );
    keccak(&[&[0x19, 0x01][..], &domain, &transfer].concat())
}

/// The domain of a token on a chain.
pub(crate) fn domain(network: &Network, token: &Token) -> [u8; 32] {
    let words = [
        keccak(DOMAIN_TYPE),
        keccak(token.name.as_bytes()),
        keccak(token.version.as_bytes()),
        number(network.chain_id),
        address(token.address),
    ];
    keccak(&words.concat())
}

/// The account whose key signed; `None` for what a token's contract takes for no signature: another length, another
/// recovery id, or the second of the two signatures that every signature has.
fn recover(signature: &[u8], digest: &[u8; 32]) -> Option<Address> {
    let (&v, rs) = signature.split_last().filter(|(_, rs)| rs.len() == 64)?;
    let recovery = RecoveryId::from_byte(v.checked_sub(27)?).filter(|id| !id.is_x_reduced())?;
    let signature = Signature::from_slice(rs).ok()?;
    if signature.normalize_s() != signature {
        return None;
    }
    let key = VerifyingKey::recover_from_prehash(digest, &signature, recovery).ok()?;
    let point = key.to_sec1_point(false);
    let hash = keccak(&point.as_bytes()[1..]);
    hash[12..].try_into().ok().map(Address)
}

/// As a word of 32 bytes.
pub(crate) fn number(value: u64) -> [u8; 32] {
    let mut word = [0; 32];
    word[24..].copy_from_slice(&value.to_be_bytes());
    word
}

/// As a word of 32 bytes.
pub(crate) fn address(address: Address) -> [u8; 32] {
    let mut word = [0; 32];
    word[12..].copy_from_slice(&address.0);
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Payment;
    use crate::vectors::{DIGEST_V1, DIGEST_V2, V1, V2, offer};

    #[test]
    fn the_digest_is_the_one_that_wallets_sign() {
        let offer = offer();
        for (header, expected) in [(V1, DIGEST_V1), (V2, DIGEST_V2)] {
            let payment = Payment::read(header).unwrap();
            assert_eq!(hex::encode(digest(&payment.authorization, &offer.network, &offer.token)), expected);
        }
    }
}
