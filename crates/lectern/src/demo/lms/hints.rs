//! Texts that leave the platform and come back unaltered: who is signed in, what was opened, whose choice a tool returns.
//!
//! They are sealed, so that the platform need not remember them and nobody else can make or read one.

use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::secret::{MasterKey, Sealer};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// How long a text holds.
const LIFE: Duration = Duration::from_secs(60 * 60);

/// What a text is for. None is taken for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The hint of a login: who is signed in.
    Login,
    /// The hint of a message: what was opened.
    Message,
    /// The data of a deep linking request: who picks.
    DeepLinking,
    /// What a page tells its visitor once.
    Notice,
}

/// Seals and opens texts.
pub(super) struct Hints {
    ambient: Ambient,
    sealer: Sealer,
}

#[derive(Serialize, Deserialize)]
struct Dated<T> {
    value: T,
    until_seconds: i64,
}

impl Hints {
    pub(super) fn new(ambient: Ambient) -> Self {
        let sealer = MasterKey::generate(&ambient).sealer("hints of the demo's LMS");
        Self { ambient, sealer }
    }

    /// A text that holds a value.
    pub(super) fn seal(&self, purpose: Purpose, value: &impl Serialize) -> String {
        let until_seconds = self.ambient.now().plus(LIFE).as_seconds();
        let plain = serde_json::to_vec(&Dated { value, until_seconds }).expect("hints have a form in JSON");
        self.sealer.seal(&self.ambient, purpose.name(), &plain)
    }

    /// The value of a text; `None` when it is not ours, for another purpose, or too old.
    pub(super) fn open<T: DeserializeOwned>(&self, purpose: Purpose, sealed: &str) -> Option<T> {
        let plain = self.sealer.open(purpose.name(), sealed).ok()?;
        let dated: Dated<T> = serde_json::from_slice(&plain).ok()?;
        (self.ambient.now().as_seconds() < dated.until_seconds).then_some(dated.value)
    }
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Message => "message",
            Self::DeepLinking => "deep linking",
            Self::Notice => "notice",
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::time::Timestamp;

    use super::*;

    #[test]
    fn a_text_is_read_for_its_purpose_within_its_time_and_unaltered() {
        let (ambient, clock) = Ambient::fixed(Timestamp::from_millis(1_795_282_725_000), 7);
        let hints = Hints::new(ambient.clone());
        let sealed = hints.seal(Purpose::Login, &"ann");
        assert_eq!(hints.open::<String>(Purpose::Login, &sealed).as_deref(), Some("ann"));
        assert_eq!(hints.open::<String>(Purpose::Message, &sealed), None, "another purpose");
        assert_eq!(hints.open::<String>(Purpose::Login, &sealed[1..]), None, "another text");
        assert_eq!(Hints::new(ambient).open::<String>(Purpose::Login, &sealed), None, "another platform");
        clock.advance(LIFE);
        assert_eq!(hints.open::<String>(Purpose::Login, &sealed), None, "too old");
    }
}
