use proptest::prelude::*;

use super::*;

fn terms(rates: &[(&str, u32)], is_tax_included: bool) -> Terms {
    Terms {
        seller: Seller {
            name: "Lectern GmbH".to_owned(),
            address: vec!["Hauptstraße 1".to_owned(), "10115 Berlin".to_owned()],
            tax_ids: vec!["DE123456789".to_owned()],
        },
        taxes: rates.iter().map(|(name, rate)| Tax { name: (*name).to_owned(), rate: *rate }).collect(),
        is_tax_included,
        series: "INV".to_owned(),
    }
}

fn draft(name: &str, micros: [i64; 5], carries: Carries) -> Draft {
    let mut figures = Figures::default();
    for (kind, micros) in Kind::ALL.into_iter().zip(micros) {
        figures.add(kind, Sum { micros, count: u64::from(micros > 0) });
    }
    Draft {
        workspace_id: "018f4a3c-7b1d-7c3e-9a52-3f1d2b4c5d6e".parse().unwrap(),
        month: "2026-01".to_owned(),
        issued_at: "2026-02-01T01:00:00.000Z".to_owned(),
        buyer: Buyer { name: name.to_owned(), email: Some("office@school.example".to_owned()) },
        figures,
        carries,
    }
}

fn example(name: &str) -> Invoice {
    let micros = [100_000_000, 1_230_000, 50_000, 7_010_000, 1_000_000];
    terms(&[("VAT", 19_000)], false).invoice("INV-000001".to_owned(), draft(name, micros, Carries::default())).0
}

#[test]
fn taxes_are_rounded_to_the_cent_halves_away_from_zero() {
    let with = |rates: &[(&str, u32)], is_included, cents: i64| {
        let draft = draft("x", [cents * 10_000, 0, 0, 0, 0], Carries::default());
        let (invoice, _) = terms(rates, is_included).invoice("1".to_owned(), draft);
        (invoice.net.0, invoice.taxes.iter().map(|tax| tax.amount.0).collect::<Vec<_>>(), invoice.total.0)
    };
    assert_eq!(with(&[], false, 1000), (1000, vec![], 1000));
    assert_eq!(with(&[("VAT", 19_000)], false, 1000), (1000, vec![190], 1190));
    assert_eq!(with(&[("VAT", 19_000)], true, 1190), (1000, vec![190], 1190));
    assert_eq!(with(&[("A", 50_000)], false, 1), (1, vec![1], 2), "half a cent is a cent");
    assert_eq!(with(&[("State", 8_875), ("City", 4_500)], false, 1000), (1000, vec![89, 45], 1134));
    assert_eq!(with(&[("A", 10_000), ("B", 10_000)], true, 100), (83, vec![8, 9], 100), "the last is the rest");
}

#[test]
fn percents_are_written_as_people_write_them() {
    let percent = |rate| Tax { name: String::new(), rate }.line(Cents(0)).percent;
    assert_eq!([19_000, 8_875, 500, 0].map(percent), ["19", "8.875", "0.5", "0"]);
}

#[test]
fn an_invoice_is_read_as_it_was_written() {
    let invoice = example("Riverside School");
    let text = serde_json::to_string(&invoice).unwrap();
    assert_eq!(serde_json::from_str::<Invoice>(&text).unwrap(), invoice);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["sales"][1], serde_json::json!({ "kind": "processor_metered", "count": 1, "amountUsd": 1.23 }));
    assert_eq!((&json["netUsd"], &json["totalUsd"]), (&serde_json::json!(101.28), &serde_json::json!(120.52)));
}

#[test]
fn a_spreadsheet_computes_nothing_of_a_name() {
    for name in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =cmd|' /C calc'!A0", "\r=1"] {
        let csv = csv::write(&example(name));
        let cells: Vec<_> = csv.lines().flat_map(|line| line.split(',')).collect();
        assert!(
            cells.iter().all(|cell| !cell.trim_start_matches(['"', ' ']).starts_with(['=', '+', '-', '@'])),
            "{csv}"
        );
    }
    let csv = csv::write(&example("A \"B\", Inc."));
    assert!(csv.starts_with("number,month,workspaceId,seller,buyer,item,count,amountUsd\r\n"));
    assert!(csv.contains(",\"A \"\"B\"\", Inc.\",credits_bought,1,100.00\r\n"), "{csv}");
    assert!(csv.ends_with(",total,,120.52\r\n"), "{csv}");
}

#[test]
fn a_name_is_no_markup_on_the_page() {
    let page = page::write(&example("<script>alert(1)</script>\"&'"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;&#39;"));
    assert!(!page.contains("<script"));
    for text in ["Invoice INV-000001", "2026-01", "Lectern GmbH", "DE123456789", "VAT 19 %", "120.52", "7.01"] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn a_pdf_has_the_texts_of_latin_cyrillic_and_greek_names() {
    for name in ["Riverside School", "Школа № 5 «Ёлка»", "Ελληνικό Σχολείο", "Žluťoučký kůň Łódź"]
    {
        let pdf = pdf::write(&example(name)).unwrap();
        assert!(pdf.starts_with(b"%PDF-"));
        let read = lopdf::Document::load_mem(&pdf).unwrap();
        let text = read.extract_text(&[1]).unwrap();
        for part in [name, "Invoice INV-000001", "120.52", "Hauptstraße 1"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}

#[test]
fn a_pdf_with_letters_that_its_font_lacks_names_the_page_to_print() {
    for (name, has_boxes) in
        [("Riverside", false), ("Школа", false), ("מדרסה", false), ("学校", true), ("विद्यालय", true), ("โรงเรียน", true)]
    {
        let pdf = pdf::write(&example(name)).unwrap();
        let text = lopdf::Document::load_mem(&pdf).unwrap().extract_text(&[1]).unwrap();
        assert_eq!(text.contains("/invoices/INV-000001.html"), has_boxes, "{name}");
    }
}

#[test]
fn a_pdf_takes_any_name_and_as_many_pages_as_it_needs() {
    for name in ["", "\u{202e}x\u{0}\n", "学校", "שלום", "مدرسة", &"a".repeat(5000), &"b ".repeat(20_000)] {
        let pdf = pdf::write(&example(name)).unwrap();
        let pages = lopdf::Document::load_mem(&pdf).unwrap().get_pages().len();
        assert_eq!(pages > 1, name.len() > 4_000, "{pages}");
    }
}

proptest! {
    /// However a sum is spread over months, their invoices add up to it, to the cent.
    #[test]
    fn invoices_add_up_to_the_cent(months in prop::collection::vec(prop::array::uniform5(0_i64..3_000_000), 1..24)) {
        let terms = terms(&[("VAT", 19_000), ("City", 1_250)], true);
        let mut carries = Carries::default();
        let mut sums = [0; 5];
        for micros in &months {
            let (invoice, left) = terms.invoice("1".to_owned(), draft("x", *micros, carries));
            carries = left;
            prop_assert_eq!(invoice.net.0 + invoice.taxes.iter().map(|tax| tax.amount.0).sum::<i64>(), invoice.total.0);
            prop_assert_eq!(invoice.sales.iter().map(|line| line.amount.0).sum::<i64>(), invoice.total.0);
            for (kind, sum) in Kind::ALL.into_iter().zip(&mut sums) {
                let lines = invoice.sales.iter().chain(&invoice.used);
                *sum += lines.filter(|line| line.kind == kind).map(|line| line.amount.0).sum::<i64>();
            }
        }
        for (index, sum) in sums.into_iter().enumerate() {
            prop_assert_eq!(sum, months.iter().map(|micros| micros[index]).sum::<i64>() / 10_000);
        }
    }
}
