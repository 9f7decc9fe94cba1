//! `[prices]`: what evaluations cost, by the dates from which prices hold.

use billing::catalog::{Catalog, Prices as TierPrices, Version};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use serde::Deserialize;

use super::reader::Reader;
use super::setting::{Setting, Shape};

/// The prices of the interface's documentation, as [`Catalog::default`].
const USUAL: &str = r#"[{"version":"1","fast":"0.01","standard":"0.03","advanced":"0.05","free_grant":"1.00"}]"#;

static VERSIONS: Setting = Setting::new("prices", "versions", "LECTERN_PRICES").or(USUAL).shaped(Shape::Tables);

/// `[prices]`
#[derive(Clone, Debug)]
pub struct Prices {
    /// The prices, by the dates from which they hold.
    pub catalog: Catalog,
}

impl Prices {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self { catalog: reader.required(&VERSIONS, catalog)? })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: String,
    effective_from: Option<String>,
    fast: Amount,
    standard: Amount,
    advanced: Amount,
    free_grant: Amount,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Amount {
    Number(serde_json::Number),
    Text(String),
}

impl Amount {
    fn read(&self, key: &str) -> Result<MicroUsd, String> {
        let text = match self {
            // Without an exponent, which a small number has as JSON.
            Self::Number(number) => number.as_f64().unwrap_or(-1.0).to_string(),
            Self::Text(text) => text.clone(),
        };
        MicroUsd::from_usd_text(&text)
            .ok_or_else(|| format!("{key} must be an amount of dollars with at most six decimals, such as 0.03"))
    }
}

fn catalog(text: &str) -> Result<Catalog, String> {
    let written: Vec<Written> = serde_json::from_str(text).map_err(|_| {
        "must be a list of tables with version, fast, standard, advanced, free_grant and, in all but the first, \
         effective_from"
            .to_owned()
    })?;
    let versions = written.iter().map(version).collect::<Result<_, _>>()?;
    Catalog::new(versions).map_err(|error| error.to_string())
}

fn version(written: &Written) -> Result<Version, String> {
    let instant = |text: &String| {
        Timestamp::parse_rfc3339(text)
            .ok_or_else(|| "effective_from must be an instant such as 2027-01-01T00:00:00Z".to_owned())
    };
    Ok(Version {
        name: written.version.clone(),
        effective_from: written.effective_from.as_ref().map(instant).transpose()?,
        prices: TierPrices {
            fast: written.fast.read("fast")?,
            standard: written.standard.read("standard")?,
            advanced: written.advanced.read("advanced")?,
        },
        free_grant: written.free_grant.read("free_grant")?,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use billing::catalog::Tier;

    use super::super::tests::{places, read};
    use super::*;

    #[test]
    fn the_usual_prices_are_those_of_the_documentation() {
        assert_eq!(catalog(USUAL), Ok(Catalog::default()));
    }

    const TWO: &str = "
        [[prices.versions]]
        version = '2026'
        fast = 0.01
        standard = '0.03'
        advanced = 0.055
        free_grant = 1
        [[prices.versions]]
        version = '2027'
        effective_from = 2027-01-01T00:00:00Z
        fast = 0.02
        standard = 0.04
        advanced = 0.06
        free_grant = 0.5";

    #[test]
    fn versions_are_tables_of_the_file_and_are_printed_so_that_they_can_be_read_again() {
        let config = read(TWO, &[]).unwrap();
        let catalog = &config.prices.catalog;
        let at = |text: &str| Timestamp::parse_rfc3339(text).unwrap();
        let before = at("2026-12-31T23:59:59.999Z");
        assert_eq!(catalog.evaluation(Tier::Advanced, before).amount.micros(), 55_000);
        let after = at("2027-01-01T00:00:00Z");
        assert_eq!(catalog.evaluation(Tier::Advanced, after).amount.micros(), 60_000);
        assert_eq!(catalog.free_grant(after).micros(), 500_000);
        let printed = config.to_toml();
        let mut faults = Vec::new();
        super::super::file::File::parse(Path::new("printed.toml"), &printed, &mut faults);
        assert!(faults.is_empty(), "{printed}");
        assert_eq!(&read(&printed, &[]).unwrap().prices.catalog, catalog, "{printed}");
    }

    #[test]
    fn a_variable_has_them_as_json() {
        let text = r#"[{"version":"a","fast":0.01,"standard":"0.03","advanced":1,"free_grant":0}]"#;
        let config = read("", &[("LECTERN_PRICES", text)]).unwrap();
        assert_eq!(config.prices.catalog.versions()[0].prices.advanced.micros(), 1_000_000);
        assert_eq!(config.to_json()["prices"]["versions"]["value"][0]["fast"], 0.01);
    }

    #[test]
    fn what_is_no_catalog_stops_the_start() {
        for (right, wrong) in [
            ("fast = 0.01", "fast = 0.0000001"),
            ("fast = 0.01", "fast = -0.01"),
            ("fast = 0.01", "fast = 'much'"),
            ("fast = 0.01", "fast = true"),
            ("fast = 0.01", "fast = 20000"),
            ("fast = 0.01", "fats = 0.01"),
            ("fast = 0.01", "fast = { usd = 1 }"),
            ("version = '2027'", "version = '2026'"),
            ("effective_from = 2027-01-01T00:00:00Z", ""),
            ("effective_from = 2027-01-01T00:00:00Z", "effective_from = 2027-01-01"),
            ("version = '2026'", "version = '2026'\neffective_from = 2026-01-01T00:00:00Z"),
        ] {
            let toml = TWO.replacen(right, wrong, 1);
            assert_ne!(toml, TWO, "{right}");
            assert_eq!(places(read(&toml, &[])), ["prices.versions in lectern.toml"], "{wrong}");
        }
        for wrong in ["[prices]\nversions = []", "[prices]\nversions = 'x'", "[prices]\nversions = ['x']"] {
            assert_eq!(places(read(wrong, &[])), ["prices.versions in lectern.toml"], "{wrong}");
        }
        assert_eq!(places(read("", &[("LECTERN_PRICES", "cheap")])), ["LECTERN_PRICES"]);
    }
}
