//! A facilitator on a thread of this program. It verifies and settles every payment at once, looks at nothing but the nonce, and
//! counts what it was asked for.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::ensure;
use testkit::x402::PAYER;

use crate::receiver;

/// Stands before the nonce of a payment.
const BEFORE_NONCE: &str = r#""nonce":""#;

/// The facilitator. Its thread lives as long as the process.
pub(crate) struct Facilitator {
    pub(crate) address: SocketAddr,
    asked: Arc<Mutex<Asked>>,
}

/// The calls so far.
#[derive(Default)]
struct Asked {
    verified: usize,
    settled: usize,
    /// The nonces of settled payments.
    nonces: HashSet<String>,
}

impl Facilitator {
    /// Starts a facilitator.
    pub(crate) fn start() -> anyhow::Result<Self> {
        let asked = Arc::<Mutex<Asked>>::default();
        let noted = asked.clone();
        let answering = move |head: &[u8], body: &[u8]| {
            let json = noted.lock().unwrap_or_else(PoisonError::into_inner).answer(head, body);
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{json}", json.len())
                .into_bytes()
        };
        let address = receiver::start_answering(Duration::ZERO, Arc::new(answering))?;
        Ok(Self { address, asked })
    }

    /// Makes sure that it has verified and settled so many payments, each once.
    pub(crate) fn check(&self, payments: usize) -> anyhow::Result<()> {
        let Asked { verified, settled, nonces } = &*self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = [*verified, *settled, nonces.len()];
        ensure!(counts == [payments; 3], "verified, settled, and different: {counts:?} instead of {payments} each");
        Ok(())
    }
}

impl Asked {
    fn answer(&mut self, head: &[u8], body: &[u8]) -> String {
        if !head.starts_with(b"POST /settle ") {
            self.verified += 1;
            return format!(r#"{{"isValid":true,"payer":"{PAYER}"}}"#);
        }
        self.settled += 1;
        let body = std::str::from_utf8(body).unwrap_or_default();
        let nonce = body.split_once(BEFORE_NONCE).and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default();
        self.nonces.insert(nonce.to_owned());
        // As long as the hash of a transaction, and no other payment has it.
        format!(r#"{{"success":true,"transaction":"{nonce}","network":"base-sepolia","payer":"{PAYER}"}}"#)
    }
}
