//! Text that a page draws and nobody sees.

use lopdf::{Stream, dictionary};

use super::super::super::outcome::{Extracted, FileText};
use super::*;

const RED_BOX: &str = "1 0 0 rg 0 600 500 200 re f";

/// One page of A4 that draws `content`; it may have a picture of some width and height.
fn drawn(content: &str, picture: i64) -> Extracted {
    let mut document = Document::with_version("1.7");
    let font = document.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding",
    });
    let look = dictionary! { "Type" => "XObject", "Subtype" => "Image", "Width" => picture, "Height" => picture };
    let picture = document.add_object(Stream::new(look, b"x".to_vec()));
    let profile = document.add_object(Stream::new(dictionary! { "N" => 3 }, Vec::new()));
    let content = document.add_object(Stream::new(dictionary! {}, content.as_bytes().to_vec()));
    let pages = document.new_object_id();
    let page = document.add_object(dictionary! {
        "Type" => "Page", "Parent" => pages, "Contents" => content,
        "Resources" => dictionary! {
            "Font" => dictionary! { "F" => font },
            "XObject" => dictionary! { "Im" => picture },
            "ColorSpace" => dictionary! {
                "Rgb" => vec!["ICCBased".into(), profile.into()],
                "Spot" => vec!["Separation".into(), "Gold".into()],
            },
        },
    });
    let box_of_page = vec![0.into(), 0.into(), 595.into(), 842.into()];
    let tree = dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1, "MediaBox" => box_of_page };
    document.objects.insert(pages, tree.into());
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    document.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    let mut sink = Sink::new(10_000);
    read(&bytes, &mut sink).unwrap();
    sink.finish()
}

#[test]
fn what_is_painted_unseen_is_left_out_and_said() {
    for hidden in [
        "BT 3 Tr /F 12 Tf 72 700 Td (b) Tj ET",
        "BT 1 g /F 12 Tf 72 700 Td (b) Tj ET",
        "1 1 1 rg BT /F 12 Tf 72 700 Td (b) Tj ET",
        "0 0 0 0 k BT /F 12 Tf 72 700 Td (b) Tj ET",
        "/DeviceRGB cs 1 1 1 sc BT /F 12 Tf 72 700 Td (b) Tj ET",
        "/Rgb cs 1 1 1 scn BT /F 12 Tf 72 700 Td (b) Tj ET",
        "BT /F 12 Tf 72 900 Td (b) Tj ET",
        "BT /F 12 Tf -300 700 Td (b) Tj ET",
        "BT /F 0.5 Tf 72 700 Td (b) Tj ET",
        "0.01 0 0 0.01 0 0 cm BT /F 12 Tf 7200 70000 Td (b) Tj ET",
        "1 0 0 rg 0 0 50 50 re f 1 g BT /F 12 Tf 72 700 Td (b) Tj ET",
    ] {
        let found = drawn(&format!("q BT /F 12 Tf 72 720 Td (a) Tj ET Q q {hidden} Q"), 9);
        assert_eq!((found.text, found.hides_text), (FileText::Whole("a".to_owned()), true), "{hidden}");
    }
}

#[test]
fn what_is_painted_to_be_seen_stays() {
    for shown in [
        "BT 2 Tr /F 12 Tf 72 700 Td (b) Tj ET",
        "0.5 g BT /F 12 Tf 72 700 Td (b) Tj ET",
        &format!("{RED_BOX} 1 g BT /F 12 Tf 72 700 Td (b) Tj ET"),
        "q 500 0 0 200 0 600 cm /Im Do Q 1 g BT /F 12 Tf 72 700 Td (b) Tj ET",
        "/Spot cs 1 scn BT /F 12 Tf 72 700 Td (b) Tj ET",
        "q 1 g Q BT /F 12 Tf 72 700 Td (b) Tj ET",
        "BT /F 1 Tf 12 0 0 12 72 700 Tm (b) Tj ET",
    ] {
        let found = drawn(&format!("q {shown} Q"), 9);
        assert_eq!((found.text, found.hides_text), (FileText::Whole("b".to_owned()), false), "{shown}");
    }
}

#[test]
fn what_was_recognized_in_a_scan_is_its_text() {
    let scan = "BT 3 Tr /F 12 Tf 72 700 Td (b) Tj ET q 595 0 0 842 0 0 cm /Im Do Q";
    assert_eq!(drawn(scan, 1_200), FileText::Whole("b".to_owned()).into());
    assert!(drawn(scan, 100).hides_text);
}
