//! The signature of an event: `Stripe-Signature: t=1492774577,v1=5257a8…,v1=…`.

use edge::problem::Problem;
use http::HeaderValue;
use http::header::GetAll;
use kernel::secret::{ExposeSecret as _, SecretString};
use kernel::time::Timestamp;
use net::signing::{is_signature, timestamped_signature};

/// How far the signature's time may be from this machine's, in seconds.
const TOLERANCE_SECONDS: u64 = 300;
const LONGEST_HEADER: usize = 4096;
/// The processor sends one for each secret that is valid.
const MOST_SIGNATURES: usize = 16;

const NAME: &str = "Stripe-Signature";

/// A signature whose time is right.
#[derive(Debug)]
pub(super) struct Presented {
    /// As it was written: what is signed.
    time: String,
    signatures: Vec<String>,
}

impl Presented {
    /// Reads the header and judges its time.
    ///
    /// # Errors
    /// 400 for what is no signature, and for one that is too old or of the future.
    pub(super) fn read(header: GetAll<'_, HeaderValue>, now: Timestamp) -> Result<Self, Problem> {
        let mut values = header.iter();
        let (Some(value), None) = (values.next(), values.next()) else {
            return Err(Problem::field(NAME, "is required, once"));
        };
        let wrong = || Problem::field(NAME, "must be t=, a time in seconds, and v1=, a signature");
        let text = value.to_str().ok().filter(|text| text.len() <= LONGEST_HEADER).ok_or_else(wrong)?;
        let (mut time, mut signatures) = (None, Vec::new());
        for part in text.split(',') {
            match part.trim().split_once('=') {
                Some(("t", one)) if time.is_none() => time = Some(one),
                Some(("t", _)) => return Err(wrong()),
                Some(("v1", one)) => signatures.push(one.to_owned()),
                // Schemes of other days.
                _ => {}
            }
        }
        let time =
            time.filter(|time| !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit())).ok_or_else(wrong)?;
        let seconds: i64 = time.parse().map_err(|_| wrong())?;
        if signatures.is_empty() || signatures.len() > MOST_SIGNATURES {
            return Err(wrong());
        }
        if now.as_seconds().abs_diff(seconds) > TOLERANCE_SECONDS {
            return Err(Problem::field(NAME, "has a time more than 300 seconds from this service's"));
        }
        Ok(Self { time: time.to_owned(), signatures })
    }

    /// Whether one of the secrets has signed the body. Every pair is compared, however early one fits.
    ///
    /// # Errors
    /// 400 when none has.
    pub(super) fn judge(&self, secrets: &[SecretString], body: &[u8]) -> Result<(), Problem> {
        let mut is_signed = false;
        for secret in secrets {
            let expected = timestamped_signature(secret.expose_secret().as_bytes(), &self.time, body);
            for given in &self.signatures {
                is_signed |= is_signature(&expected, given);
            }
        }
        if is_signed { Ok(()) } else { Err(Problem::field(NAME, "does not sign this body")) }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    const NOW: i64 = 1_790_000_000;
    const BODY: &[u8] = br#"{"id":"evt_1"}"#;

    fn verdict(header: &str, body: &[u8]) -> Result<(), Problem> {
        let headers: HeaderMap = [(http::header::COOKIE, HeaderValue::from_str(header).unwrap())].into_iter().collect();
        let secrets = ["whsec_old", "whsec_new"].map(SecretString::from);
        Presented::read(headers.get_all("cookie"), Timestamp::from_millis(NOW * 1000 + 999))?.judge(&secrets, body)
    }

    fn signed(secret: &str, time: i64) -> String {
        timestamped_signature(secret.as_bytes(), &time.to_string(), BODY)
    }

    #[test]
    fn any_secret_may_have_made_any_of_the_signatures() {
        for secret in ["whsec_old", "whsec_new"] {
            let good = signed(secret, NOW);
            assert!(verdict(&format!("t={NOW},v1={good}"), BODY).is_ok());
            assert!(verdict(&format!("t={NOW}, v0=x, v1=00, v1={good}, v2=y"), BODY).is_ok());
        }
        let other = signed("whsec_other", NOW);
        assert!(verdict(&format!("t={NOW},v1={other}"), BODY).is_err());
    }

    #[test]
    fn three_hundred_seconds_are_tolerated_both_ways_and_not_one_more() {
        let verdict = |time: i64| verdict(&format!("t={time},v1={}", signed("whsec_new", time)), BODY);
        assert!([-300, -1, 0, 1, 300].iter().all(|off| verdict(NOW + off).is_ok()));
        assert!([-301, 301, -NOW, i64::MAX - NOW].iter().all(|off| verdict(NOW + off).is_err()));
    }

    #[test]
    fn what_is_cut_changed_or_missing_is_refused() {
        let good = signed("whsec_new", NOW);
        let many = vec![format!("v1={good}"); 17].join(",");
        for header in [
            "",
            "t=",
            "v1=",
            &format!("t={NOW}"),
            &format!("t={NOW},v1="),
            &format!("v1={good}"),
            &format!("t={NOW},v0={good}"),
            &format!("t={NOW},v1={}", &good[..63]),
            &format!("t={NOW},v1={}", good.to_uppercase()),
            &format!("t={NOW},v1={good}0"),
            &format!("t=+{NOW},v1={good}"),
            &format!("t={NOW}.0,v1={good}"),
            &format!("t={NOW},t={NOW},v1={good}"),
            &format!("t={},v1={good}", NOW - 1),
            &format!("t={NOW},{many}"),
            &format!("t={NOW},v1={good},x={}", "x".repeat(4096)),
        ] {
            assert!(verdict(header, BODY).is_err(), "{header}");
        }
        let header = format!("t={NOW},v1={good}");
        for body in [&BODY[1..], b"", br#"{"id":"evt_2"}"#, b"{\"id\": \"evt_1\"}"] {
            assert!(verdict(&header, body).is_err());
        }
    }
}
