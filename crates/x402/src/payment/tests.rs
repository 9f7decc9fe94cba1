//! Payments that are as they must be but for one thing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use k256::ecdsa::SigningKey;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::header::encode;
use crate::signature::digest;
use crate::vectors::{V1, V2, offer, offer_of};

const NOW: u64 = 1_764_000_000;

fn changed(header: &str, at: &str, value: Value) -> Result<Judged, Fault> {
    let mut payload = decode(header).unwrap();
    *payload.pointer_mut(at).unwrap() = value;
    let payment = Payment::read(&encode(&payload))?;
    payment.check(&offer_of(payment.version), NOW)
}

#[test]
fn the_official_clients_payments_are_taken() {
    for header in [V1, V2] {
        let payment = Payment::read(header).unwrap();
        assert_eq!(payment.check(&offer_of(payment.version), NOW), Ok(Judged::Signed));
        let unpadded = header.trim_end_matches('=');
        assert_eq!(Payment::read(unpadded).unwrap(), payment);
    }
}

#[test]
fn each_wrong_member_is_named() {
    let address = json!("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
    let cases = [
        (V1, "/x402Version", json!(3), Fault::Version),
        (V1, "/scheme", json!("upto"), Fault::Scheme),
        (V1, "/network", json!("base"), Fault::Network),
        (V1, "/network", json!("eip155:84532"), Fault::Network),
        (V1, "/payload", json!(null), Fault::Shape("payload")),
        (V1, "/payload/signature", json!("0x"), Fault::Shape("signature")),
        (V1, "/payload/signature", json!("1234"), Fault::Shape("signature")),
        (V1, "/payload/authorization/from", json!("0x12"), Fault::Shape("from")),
        (V1, "/payload/authorization/to", address.clone(), Fault::Recipient),
        (V1, "/payload/authorization/value", json!("30001"), Fault::Amount),
        (V1, "/payload/authorization/value", json!("29999"), Fault::Amount),
        (V1, "/payload/authorization/value", json!(30000), Fault::Shape("signature or authorization")),
        (V1, "/payload/authorization/value", json!("0x7530"), Fault::Shape("value")),
        (V1, "/payload/authorization/value", json!(" 30000"), Fault::Shape("value")),
        (V1, "/payload/authorization/value", json!("3e4"), Fault::Shape("value")),
        (V1, "/payload/authorization/validBefore", json!("1764000005"), Fault::Expired),
        (V1, "/payload/authorization/validAfter", json!("1764000001"), Fault::NotYetValid),
        (V1, "/payload/authorization/nonce", json!("0x01"), Fault::Shape("nonce")),
        (V2, "/accepted", json!(null), Fault::Shape("accepted")),
        (V2, "/accepted/scheme", json!("upto"), Fault::Scheme),
        (V2, "/accepted/network", json!("base-sepolia"), Fault::Network),
        (V2, "/accepted/amount", json!("10000"), Fault::Amount),
        (V2, "/accepted/asset", address.clone(), Fault::Asset),
        (V2, "/accepted/payTo", address, Fault::Recipient),
        (V2, "/resource/url", json!("https://lectern.example/other"), Fault::Resource),
    ];
    for (header, at, value, fault) in cases {
        assert_eq!(changed(header, at, value.clone()), Err(fault), "{at} {value}");
    }
}

#[test]
fn garbage_is_refused_whatever_it_is() {
    for garbage in ["", "x", "e30", "bnVsbA==", "W10=", "äöü", &STANDARD.encode("{\"x402Version\":1}")] {
        assert!(Payment::read(garbage).is_err(), "{garbage}");
    }
    assert_eq!(Payment::read(&"A".repeat(16 * 1024 + 1)), Err(Fault::TooLong));
    assert_eq!(Payment::read(&STANDARD.encode("[".repeat(10_000))), Err(Fault::Encoding));
}

#[test]
fn a_signature_for_another_chain_token_or_name_is_not_the_payers() {
    let payment = Payment::read(V1).unwrap();
    let mut offers = [offer(), offer(), offer(), offer()];
    // The word for the network stays: only the chain that is signed for differs.
    offers[0].network = Network { chain_id: 8453, ..Network::BASE_SEPOLIA };
    offers[1].token.address = Network::BASE.usdc().address;
    offers[2].token.name = "USD Coin".to_owned();
    offers[3].token.version = "1".to_owned();
    for offer in offers {
        assert!(matches!(payment.check(&offer, NOW), Ok(Judged::ByContract { .. })));
    }
}

#[test]
fn the_second_form_of_a_signature_is_none() {
    let offer = offer();
    let payment = Payment::read(V1).unwrap();
    let key = SigningKey::from_slice(
        &hex::decode("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80").unwrap(),
    );
    let digest = digest(&payment.authorization, &offer.network, &offer.token);
    let (signature, id) = key.unwrap().sign_prehash_recoverable(&digest);
    let mut same = payment.clone();
    same.signature = [&signature.to_bytes()[..], &[27 + id.to_byte()]].concat();
    assert_eq!(same.check(&offer, NOW), Ok(Judged::Signed));
    same.signature[64] -= 27;
    assert!(matches!(same.check(&offer, NOW), Ok(Judged::ByContract { .. })), "no token takes a bare recovery id");
    let high = k256::ecdsa::Signature::from_scalars(signature.r(), -signature.s()).unwrap();
    same.signature = [&high.to_bytes()[..], &[28 - id.to_byte()]].concat();
    assert!(matches!(same.check(&offer, NOW), Ok(Judged::ByContract { .. })));
}

proptest! {
    #[test]
    fn no_flipped_bit_passes_for_the_payers_payment(header in prop_oneof![Just(V1), Just(V2)], bit in any::<prop::sample::Index>()) {
        let mut bytes = STANDARD.decode(header).unwrap();
        let bit = bit.index(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let original = Payment::read(header).unwrap();
        if let Ok(payment) = Payment::read(&STANDARD.encode(bytes)) {
            let judged = payment.check(&offer_of(payment.version), NOW);
            // What is neither signed nor compared may differ: the spelling of hexadecimal digits and words for people.
            if judged == Ok(Judged::Signed) {
                prop_assert_eq!(payment.authorization, original.authorization);
            }
        }
    }

    #[test]
    fn no_header_makes_it_panic(header in "\\PC{0,200}", bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Payment::read(&header);
        let _ = Payment::read(&STANDARD.encode(bytes));
    }
}
