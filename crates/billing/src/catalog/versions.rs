//! The versions of the catalog, each with the instant from which it holds.

use std::borrow::Cow;
use std::sync::Arc;

use kernel::money::MicroUsd;
use kernel::time::Timestamp;

use super::{PriceSnapshot, Tier};

/// What a new workspace may spend for free where the operator has set nothing else: USD 1.00 (platform-api, section 8).
pub const FREE_GRANT: MicroUsd = MicroUsd::from_cents(100);
/// The highest price of one evaluation, and the highest grant: USD 10,000.
pub const MAX_PRICE: MicroUsd = MicroUsd::from_cents(1_000_000);
/// Versions of a catalog.
pub const MAX_VERSIONS: usize = 100;
/// Characters of a version's name.
const MAX_NAME: usize = 40;

/// All versions of the prices. A clone shares them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalog {
    versions: Arc<[Version]>,
    /// Whether the operator has set no other: then snapshots have no version.
    is_usual: bool,
}

/// The prices from one instant on, until the next version holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Names it in snapshots: 1 to 40 letters, digits, dots, hyphens and underscores.
    pub name: String,
    /// Since when it holds. The first version has none: it holds from the beginning.
    pub effective_from: Option<Timestamp>,
    /// What evaluations cost.
    pub prices: Prices,
    /// What a new workspace may spend for free.
    pub free_grant: MicroUsd,
}

/// What one evaluation of each tier costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// Of the tier `fast`.
    pub fast: MicroUsd,
    /// Of the tier `standard`.
    pub standard: MicroUsd,
    /// Of the tier `advanced`.
    pub advanced: MicroUsd,
}

/// Why versions are no catalog. Versions are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// There are none, or too many.
    #[error("must have 1 to {MAX_VERSIONS} versions")]
    Count,
    /// The name of a version is wrong.
    #[error("the name of version {0} must be 1 to {MAX_NAME} letters, digits or signs of . _ -")]
    Name(usize),
    /// Two versions have one name.
    #[error("version {0} has the name of an earlier one")]
    RepeatedName(usize),
    /// The first version holds only from a date on: before it, nothing would have a price.
    #[error("version 1 must hold from the beginning: leave its effective_from out")]
    NotFromTheBeginning,
    /// A later version does not say since when it holds.
    #[error("version {0} needs effective_from")]
    NoDate(usize),
    /// A version does not hold later than the one before.
    #[error("effective_from of version {0} must be later than that of the version before")]
    NotLater(usize),
    /// An amount is too large.
    #[error("the amounts of version {0} must be at most 10000 dollars")]
    TooMuch(usize),
}

impl Version {
    fn check(&self, number: usize) -> Result<(), CatalogError> {
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        if !(1..=MAX_NAME).contains(&self.name.len()) || !self.name.bytes().all(is_sign) {
            return Err(CatalogError::Name(number));
        }
        let Prices { fast, standard, advanced } = self.prices;
        if [fast, standard, advanced, self.free_grant].into_iter().any(|amount| amount > MAX_PRICE) {
            return Err(CatalogError::TooMuch(number));
        }
        Ok(())
    }

    /// What one evaluation of a tier costs.
    pub const fn price(&self, tier: Tier) -> MicroUsd {
        match tier {
            Tier::Fast => self.prices.fast,
            Tier::Standard => self.prices.standard,
            Tier::Advanced => self.prices.advanced,
        }
    }
}

impl Catalog {
    /// A catalog of these versions, the earliest first.
    ///
    /// # Errors
    /// [`CatalogError`]: the first that is found.
    pub fn new(versions: Vec<Version>) -> Result<Self, CatalogError> {
        if !(1..=MAX_VERSIONS).contains(&versions.len()) {
            return Err(CatalogError::Count);
        }
        let mut since = None;
        for (index, version) in versions.iter().enumerate() {
            let number = index + 1;
            version.check(number)?;
            if versions.iter().take(index).any(|earlier| earlier.name == version.name) {
                return Err(CatalogError::RepeatedName(number));
            }
            match (index, version.effective_from) {
                (0, None) => {}
                (0, Some(_)) => return Err(CatalogError::NotFromTheBeginning),
                (_, None) => return Err(CatalogError::NoDate(number)),
                (_, from) if from <= since => return Err(CatalogError::NotLater(number)),
                (_, from) => since = from,
            }
        }
        let is_usual = *versions == *Self::default().versions;
        Ok(Self { versions: versions.into(), is_usual })
    }

    /// The versions, the earliest first.
    pub fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// The version that holds at an instant.
    pub fn at(&self, now: Timestamp) -> &Version {
        let holds = |version: &&Version| version.effective_from.is_none_or(|from| from <= now);
        self.versions.iter().rfind(holds).expect("the first version holds from the beginning")
    }

    /// What one evaluation of a tier costs at an instant.
    pub fn evaluation(&self, tier: Tier, now: Timestamp) -> PriceSnapshot {
        let version = self.at(now);
        let catalog_key = match tier {
            Tier::Fast => "evaluation.fast",
            Tier::Standard => "evaluation.standard",
            Tier::Advanced => "evaluation.advanced",
        };
        PriceSnapshot {
            category: Cow::Borrowed("evaluation"),
            catalog_key: Cow::Borrowed(catalog_key),
            tier,
            amount: version.price(tier),
            unit: Cow::Borrowed("evaluation"),
            currency: Cow::Borrowed("USD"),
            source: Cow::Borrowed("catalog"),
            catalog_version: (!self.is_usual).then(|| Cow::Owned(version.name.clone())),
        }
    }

    /// What a workspace that is made at an instant may spend for free.
    pub fn free_grant(&self, now: Timestamp) -> MicroUsd {
        self.at(now).free_grant
    }
}

/// The prices of the interface's documentation (platform-api, section 8).
impl Default for Catalog {
    fn default() -> Self {
        let [fast, standard, advanced] = [1, 3, 5].map(MicroUsd::from_cents);
        let prices = Prices { fast, standard, advanced };
        let version = Version { name: "1".to_owned(), effective_from: None, prices, free_grant: FREE_GRANT };
        Self { versions: [version].into(), is_usual: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(name: &str, from: Option<i64>, cents: u32) -> Version {
        let [fast, standard, advanced] = [cents, cents + 1, cents + 2].map(MicroUsd::from_cents);
        Version {
            name: name.to_owned(),
            effective_from: from.map(Timestamp::from_millis),
            prices: Prices { fast, standard, advanced },
            free_grant: MicroUsd::from_cents(cents * 10),
        }
    }

    #[test]
    fn a_version_holds_from_its_instant_until_the_next() {
        let versions = vec![version("a", None, 1), version("b", Some(100), 5), version("c", Some(200), 9)];
        let catalog = Catalog::new(versions).unwrap();
        for (now, name, cents) in
            [(-5, "a", 1), (99, "a", 1), (100, "b", 5), (199, "b", 5), (200, "c", 9), (900, "c", 9)]
        {
            let price = catalog.evaluation(Tier::Fast, Timestamp::from_millis(now));
            assert_eq!(price.amount, MicroUsd::from_cents(cents), "{now}");
            assert_eq!(price.catalog_version.as_deref(), Some(name), "{now}");
            assert_eq!(catalog.free_grant(Timestamp::from_millis(now)), MicroUsd::from_cents(cents * 10), "{now}");
        }
        assert_eq!(catalog.evaluation(Tier::Advanced, Timestamp::from_millis(0)).amount, MicroUsd::from_cents(3));
    }

    #[test]
    fn versions_that_leave_a_time_without_a_price_or_with_two_are_refused() {
        let one = || version("a", None, 1);
        let mut dear = version("b", Some(1), 1);
        dear.prices.advanced = MicroUsd::from_cents(1_000_001);
        let refused = [
            (vec![], CatalogError::Count),
            (vec![version("a", Some(1), 1)], CatalogError::NotFromTheBeginning),
            (vec![one(), version("b", None, 1)], CatalogError::NoDate(2)),
            (vec![one(), version("b", Some(5), 1), version("c", Some(5), 1)], CatalogError::NotLater(3)),
            (vec![one(), version("b", Some(5), 1), version("c", Some(4), 1)], CatalogError::NotLater(3)),
            (vec![one(), version("a", Some(5), 1)], CatalogError::RepeatedName(2)),
            (vec![version("", None, 1)], CatalogError::Name(1)),
            (vec![version("a b", None, 1)], CatalogError::Name(1)),
            (vec![version(&"a".repeat(41), None, 1)], CatalogError::Name(1)),
            (vec![one(), dear], CatalogError::TooMuch(2)),
        ];
        for (versions, error) in refused {
            assert_eq!(Catalog::new(versions), Err(error));
        }
    }
}
