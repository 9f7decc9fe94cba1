//! An authenticator in software (WebAuthn, ES256): what a browser's `navigator.credentials` would give for a service's options.
//!
//! It has one passkey, asks its owner each time, and says what it is told to say wrongly. It trusts every service.

use aws_lc_rs::encoding::AsDer as _;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

/// An authenticator with a browser around it.
pub struct Authenticator {
    origin: String,
    key: EcdsaKeyPair,
    credential_id: [u8; 32],
    /// Whose passkey it is, once it is registered.
    user_handle: Option<String>,
    counter: u32,
    /// Whether the owner shows a finger, a face or a PIN.
    pub verifies_user: bool,
}

impl Authenticator {
    /// A new authenticator in a browser at a page of this origin.
    pub fn at(origin: &str) -> Self {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap();
        let credential_id = Sha256::digest(key.public_key().as_der().unwrap().as_ref()).into();
        Self { origin: origin.to_owned(), key, credential_id, user_handle: None, counter: 0, verifies_user: true }
    }

    /// Answers the options of a registration.
    pub fn register(&mut self, options: &Value) -> Value {
        self.user_handle = Some(options["user"]["id"].as_str().unwrap().to_owned());
        let credential = [&[0; 16][..], &[0, 32], &self.credential_id, &self.cose_key()].concat();
        let relying_party = options["rp"]["id"].as_str().unwrap();
        let data = [self.data(relying_party, HAS_CREDENTIAL), credential].concat();
        let length = u16::try_from(data.len()).unwrap().to_be_bytes();
        // A map of fmt: "none", attStmt: {} and authData, in CBOR.
        let attestation = [b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59", &length[..], &data].concat();
        self.answer(json!({
            "attestationObject": encode(&attestation),
            "clientDataJSON": encode(&self.client_data("webauthn.create", options)),
        }))
    }

    /// Answers the options of a sign-in.
    pub fn sign_in(&mut self, options: &Value) -> Value {
        self.counter += 1;
        let data = self.data(options["rpId"].as_str().unwrap(), 0);
        let client_data = self.client_data("webauthn.get", options);
        let signed = [&data[..], &Sha256::digest(&client_data)].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        self.answer(json!({
            "authenticatorData": encode(&data),
            "clientDataJSON": encode(&client_data),
            "signature": encode(signature.as_ref()),
            "userHandle": self.user_handle,
        }))
    }

    fn answer(&self, response: Value) -> Value {
        let id = encode(&self.credential_id);
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {} })
    }

    /// The authenticator data up to the counter.
    fn data(&self, relying_party: &str, flags: u8) -> Vec<u8> {
        let verified = if self.verifies_user { USER_VERIFIED } else { 0 };
        let flags = [USER_PRESENT | verified | flags];
        [&Sha256::digest(relying_party)[..], &flags, &self.counter.to_be_bytes()].concat()
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let data = json!({
            "type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false,
        });
        data.to_string().into_bytes()
    }

    /// The public key in COSE: key type EC2, algorithm ES256, curve P-256 and the point.
    fn cose_key(&self) -> Vec<u8> {
        let point = self.key.public_key().as_ref();
        let (x, y) = point[1..].split_at(32);
        [b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20", x, b"\x22\x58\x20", y].concat()
    }
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
