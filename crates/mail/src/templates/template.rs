//! What can be written to people: each message with its values.

use kernel::time::Timestamp;
use language::Email;

/// A message, by what it is about. Amounts come with their unit, such as `12.50 USD` or `40 credits`.
#[derive(Clone, Debug)]
pub enum Template {
    /// The link that verifies a workspace's address.
    AddressVerification {
        /// The workspace's name.
        workspace: String,
        /// Where to click.
        link: String,
        /// How long the link works.
        expires: Timestamp,
    },
    /// The link to choose a new password with.
    PasswordReset {
        /// Where to click.
        link: String,
        /// How long the link works.
        expires: Timestamp,
    },
    /// An invitation to an organization.
    Invitation {
        /// The organization's name.
        organization: String,
        /// The address of the admin who invites.
        inviter: String,
        /// Where to click.
        link: String,
        /// How long the link works.
        expires: Timestamp,
    },
    /// A workspace's balance is low.
    LowBalance {
        /// The workspace's name.
        workspace: String,
        /// What is left.
        balance: String,
        /// The amount that it fell below.
        threshold: String,
    },
    /// A workspace or key spent so much that somebody wants to know; it may go on.
    SoftCapReached(CapReached),
    /// A workspace or key spent as much as it may.
    HardCapReached(CapReached),
    /// A payment failed.
    PaymentFailed {
        /// The workspace's name.
        workspace: String,
        /// What should have been paid.
        amount: String,
    },
    /// A key ends soon.
    KeyExpiring {
        /// The name of the key's workspace.
        workspace: String,
        /// The key's name.
        key: String,
        /// When it ends.
        expires: Timestamp,
    },
}

/// A cap that was reached.
#[derive(Clone, Debug)]
pub struct CapReached {
    /// The name of the workspace or key.
    pub name: String,
    /// What was spent in the period.
    pub spent: String,
    /// The cap.
    pub cap: String,
    /// What the cap counts.
    pub period: Period,
}

/// What a cap counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// The spending of a day.
    Day,
    /// The spending of a month.
    Month,
}

impl Template {
    /// The name that files have.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::AddressVerification { .. } => "address_verification",
            Self::PasswordReset { .. } => "password_reset",
            Self::Invitation { .. } => "invitation",
            Self::LowBalance { .. } => "low_balance",
            Self::SoftCapReached(_) => "soft_cap_reached",
            Self::HardCapReached(_) => "hard_cap_reached",
            Self::PaymentFailed { .. } => "payment_failed",
            Self::KeyExpiring { .. } => "key_expiring",
        }
    }

    /// The values by the names that templates call them.
    pub(super) fn values(&self, texts: &Email) -> Vec<(&'static str, String)> {
        let linked = |link: &String, expires: &Timestamp| [("link", link.clone()), ("expires", minute(*expires))];
        match self {
            Self::AddressVerification { workspace, link, expires } => {
                [("workspace", workspace.clone())].into_iter().chain(linked(link, expires)).collect()
            }
            Self::PasswordReset { link, expires } => linked(link, expires).into(),
            Self::Invitation { organization, inviter, link, expires } => {
                let names = [("organization", organization.clone()), ("inviter", inviter.clone())];
                names.into_iter().chain(linked(link, expires)).collect()
            }
            Self::LowBalance { workspace, balance, threshold } => {
                vec![("workspace", workspace.clone()), ("balance", balance.clone()), ("threshold", threshold.clone())]
            }
            Self::SoftCapReached(cap) | Self::HardCapReached(cap) => cap.values(texts).into(),
            Self::PaymentFailed { workspace, amount } => {
                vec![("workspace", workspace.clone()), ("amount", amount.clone())]
            }
            Self::KeyExpiring { workspace, key, expires } => {
                vec![("workspace", workspace.clone()), ("key", key.clone()), ("expires", minute(*expires))]
            }
        }
    }

    /// Every template once, with values as they look. Files are judged by them.
    pub(super) fn samples() -> [Self; 8] {
        let expires = Timestamp::from_millis(1_800_000_000_000);
        let link = |path: &str| format!("https://lectern.example/{path}?token=0192aee1-5a3b.1800000000.c2lnbmF0dXJl");
        let cap = |period| CapReached {
            name: "Riverside School".to_owned(),
            spent: "80.00 credits".to_owned(),
            cap: "80.00 credits".to_owned(),
            period,
        };
        let workspace = || "Riverside School".to_owned();
        [
            Self::AddressVerification { workspace: workspace(), link: link("verify"), expires },
            Self::PasswordReset { link: link("reset"), expires },
            Self::Invitation {
                organization: workspace(),
                inviter: "ann@example.com".to_owned(),
                link: link("invitation"),
                expires,
            },
            Self::LowBalance {
                workspace: workspace(),
                balance: "4.20 credits".to_owned(),
                threshold: "5.00 credits".to_owned(),
            },
            Self::SoftCapReached(cap(Period::Day)),
            Self::HardCapReached(cap(Period::Month)),
            Self::PaymentFailed { workspace: workspace(), amount: "12.50 USD".to_owned() },
            Self::KeyExpiring { workspace: workspace(), key: "Grading, production".to_owned(), expires },
        ]
    }
}

impl CapReached {
    fn values(&self, texts: &Email) -> [(&'static str, String); 4] {
        let period = match self.period {
            Period::Day => texts.per_day,
            Period::Month => texts.per_month,
        };
        [
            ("name", self.name.clone()),
            ("spent", self.spent.clone()),
            ("cap", self.cap.clone()),
            ("period", period.to_owned()),
        ]
    }
}

/// An instant to the minute, which people in every country read alike.
fn minute(at: Timestamp) -> String {
    let written = at.to_string();
    match (written.get(..10), written.get(11..16)) {
        (Some(date), Some(time)) => format!("{date} {time} UTC"),
        _ => written,
    }
}
