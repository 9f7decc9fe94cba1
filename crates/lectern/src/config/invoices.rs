//! `[invoices]`: who sells, and which taxes sales have. Without a seller no invoices are made.

use ::invoices::{Seller, Tax, Terms};
use serde::Deserialize;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const SECTION: &str = "invoices";
const WITHOUT: &str = "no invoices are made without LECTERN_INVOICE_SELLER";
/// Characters of a line.
const LONGEST: usize = 200;
/// Lines of a list.
const MOST: usize = 10;

static SELLER: Setting = Setting::new(SECTION, "seller_name", "LECTERN_INVOICE_SELLER").or_else("no invoices are made");
static ADDRESS: Setting =
    Setting::new(SECTION, "seller_address", "LECTERN_INVOICE_ADDRESS").or("none").shaped(Shape::List);
static TAX_IDS: Setting =
    Setting::new(SECTION, "seller_tax_ids", "LECTERN_INVOICE_TAX_IDS").or("none").shaped(Shape::List);
static TAXES: Setting =
    Setting::new(SECTION, "taxes", "LECTERN_INVOICE_TAXES").shaped(Shape::Tables).or_else("no taxes");
static INCLUDED: Setting =
    Setting::new(SECTION, "taxes_included", "LECTERN_INVOICE_TAXES_INCLUDED").or("true").shaped(Shape::Bare);
static SERIES: Setting = Setting::new(SECTION, "series", "LECTERN_INVOICE_SERIES").or("INV");

/// `[invoices]`
#[derive(Clone, Debug)]
pub struct Invoices {
    /// What invoices say besides their amounts; `None` where none are made.
    pub terms: Option<Terms>,
}

impl Invoices {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let seller = reader.optional(&SELLER, line);
        let address = reader.required(&ADDRESS, lines);
        let tax_ids = reader.required(&TAX_IDS, lines);
        let taxes = reader.optional(&TAXES, taxes);
        let included = reader.required(&INCLUDED, parse::flag);
        let series = reader.required(&SERIES, series);
        let (seller, address, tax_ids) = (seller?, address?, tax_ids?);
        let (taxes, is_tax_included, series) = (taxes?.unwrap_or_default(), included?, series?);
        let Some(name) = seller else {
            for setting in [&ADDRESS, &TAX_IDS, &TAXES, &INCLUDED, &SERIES] {
                reader.note_unused(setting, WITHOUT);
            }
            return Some(Self { terms: None });
        };
        let seller = Seller { name, address, tax_ids };
        Some(Self { terms: Some(Terms { seller, taxes, is_tax_included, series }) })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    percent: Percent,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Percent {
    Number(serde_json::Number),
    Text(String),
}

fn taxes(text: &str) -> Result<Vec<Tax>, String> {
    let written: Vec<Written> =
        serde_json::from_str(text).map_err(|_| "must be a list of tables with name and percent".to_owned())?;
    if written.len() > MOST {
        return Err(format!("must be at most {MOST} taxes"));
    }
    let tax = |Written { name, percent }: Written| {
        let percent = match percent {
            Percent::Number(number) => number.as_f64().unwrap_or(-1.0).to_string(),
            Percent::Text(text) => text,
        };
        let rate =
            rate(&percent).ok_or("percent must be from 0 to 100 with at most three decimals, such as 19 or 8.875")?;
        Ok(Tax { name: line(&name)?, rate })
    };
    written.into_iter().map(tax).collect()
}

/// Thousandths of a percent.
fn rate(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || whole.len() > 3 || decimals.len() > 3 {
        return None;
    }
    let rate = whole.parse::<u32>().ok()? * 1000 + format!("{decimals:0<3}").parse::<u32>().ok()?;
    (rate <= 100_000).then_some(rate)
}

fn lines(text: &str) -> Result<Vec<String>, String> {
    let lines = parse::list(text).map(line).collect::<Result<Vec<_>, _>>()?;
    if lines.len() <= MOST { Ok(lines) } else { Err(format!("must be at most {MOST} lines")) }
}

fn line(text: &str) -> Result<String, String> {
    let is_line = (1..=LONGEST).contains(&text.chars().count()) && !text.contains(char::is_control);
    if is_line { Ok(text.to_owned()) } else { Err(format!("must be 1 to {LONGEST} characters on one line")) }
}

fn series(text: &str) -> Result<String, String> {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let is_series = (1..=20).contains(&text.len()) && text.bytes().all(is_sign);
    if is_series {
        Ok(text.to_owned())
    } else {
        Err("must be 1 to 20 letters, digits, hyphens or underscores".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{places, read};

    #[test]
    fn the_operator_says_who_sells_and_which_taxes_there_are() {
        assert!(read("", &[]).unwrap().invoices.terms.is_none());
        let toml = "
            [invoices]
            seller_name = 'Lectern GmbH'
            seller_address = ['Hauptstraße 1', '10115 Berlin']
            series = 'L2026'
            taxes_included = false
            taxes = [{ name = 'State', percent = 8.875 }, { name = 'City', percent = 4 }]";
        let config = read(toml, &[]).unwrap();
        let terms = config.invoices.terms.clone().unwrap();
        assert_eq!(terms.taxes.iter().map(|tax| tax.rate).collect::<Vec<_>>(), [8_875, 4_000]);
        assert_eq!((terms.seller.address.len(), terms.is_tax_included, &*terms.series), (2, false, "L2026"));
        assert_eq!(read(&config.to_toml(), &[]).unwrap().invoices.terms, Some(terms));
    }

    #[test]
    fn what_no_invoice_can_say_stops_the_start() {
        for (key, wrong) in [
            ("taxes", "taxes = [{ name = 'VAT', percent = 101 }]"),
            ("taxes", "taxes = [{ name = 'VAT', percent = 0.0001 }]"),
            ("taxes", "taxes = [{ name = '', percent = 1 }]"),
            ("taxes", "taxes = [{ percent = 1 }]"),
            ("series", "series = 'a b'"),
            ("taxes_included", "taxes_included = 'maybe'"),
            ("seller_tax_ids", "seller_tax_ids = ['']"),
        ] {
            let toml = format!("[invoices]\nseller_name = 'x'\n{wrong}");
            assert_eq!(places(read(&toml, &[])), [format!("invoices.{key} in lectern.toml")], "{wrong}");
        }
        let unused = read("[invoices]\nseries = 'A'", &[]).unwrap();
        assert_eq!(unused.without_effect().len(), 1);
    }
}
