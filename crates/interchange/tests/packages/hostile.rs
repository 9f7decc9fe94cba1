//! Uploads that are meant to do harm: each is refused by name, at once, with a sentence for the customer.

use interchange::limits::{MAX_DOCUMENT_BYTES, MAX_FILES, MAX_ITEMS, MAX_PACKAGE_BYTES};
use interchange::{ImportError, TestFormat, export_course, export_test, import};
use proptest::prelude::*;
use testkit::assert_linear;

use crate::archives::{bytes, patched, replaced, with_link, zip};
use crate::contents;

const MANIFEST: &str = "imsmanifest.xml";

/// A manifest with one item.
fn manifest(href: &str) -> String {
    format!(
        "<manifest xmlns='http://www.imsglobal.org/xsd/imscp_v1p1' identifier='m'><organizations/><resources>\
         <resource identifier='r' type='imsqti_item_xmlv2p1' href='{href}'><file href='{href}'/></resource>\
         </resources></manifest>"
    )
}

/// A package whose one item is this.
fn package(item: &str) -> Vec<u8> {
    zip(&[(MANIFEST, &manifest("i.xml")), ("i.xml", item)])
}

#[track_caller]
fn assert_refused(upload: &[u8], code: &str) {
    let error = import(upload).expect_err("it is refused");
    assert_eq!(error.code(), code, "{error}");
    let sentence = error.to_string();
    assert!(sentence.ends_with('.') && sentence.len() < 400 && !sentence.contains(char::is_control), "{sentence:?}");
}

#[test]
fn what_is_no_package_is_refused() {
    for upload in
        [&b""[..], b"PK", b"%PDF-1.7", b"\x7fELF", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", b"<svg/>", b"{}"]
    {
        assert_refused(upload, "not-a-package");
    }
    assert_refused(&zip(&[("a.txt", "x")]), "no-manifest");
    assert_refused(&zip(&[(MANIFEST, "<x/>")]), "no-manifest");
    assert_refused(&vec![b'x'; MAX_PACKAGE_BYTES + 1], "package-too-large");
}

#[test]
fn a_truncated_package_is_refused() {
    let whole = package("<assessmentItem/>");
    for length in [10, whole.len() / 2, whole.len() - 1] {
        assert_refused(&whole[..length], "damaged");
    }
}

#[test]
fn a_package_that_expands_too_much_is_refused() {
    let zeros = vec![0; 2 << 20];
    assert_refused(&bytes([(MANIFEST, &zeros[..])]), "ratio");
    let small = bytes([(MANIFEST, &b"x"[..])]);
    let claims = |archive: &[u8], size: u32| patched(archive, Some(22), 24, &size.to_le_bytes());
    assert_refused(&claims(&small, 21 << 20), "file-too-large");
    // Each below the size from which the ratio counts.
    let names: Vec<String> = (0..110).map(|n| format!("{n}.bin")).collect();
    let many = bytes(names.iter().map(|name| (name.as_str(), &b"x"[..])));
    assert_refused(&claims(&many, 1_000_000), "expands-too-much");
}

#[test]
fn a_size_that_the_archive_lies_about_does_not_matter() {
    let item = format!("<assessmentItem>{}</assessmentItem>", " ".repeat(2 * MAX_DOCUMENT_BYTES));
    let honest = package(&item);
    assert_refused(&honest, "ratio");
    // The uncompressed size: 1000 bytes.
    let lying = patched(&honest, Some(22), 24, &1000_u32.to_le_bytes());
    let error = import(&lying).unwrap_err();
    assert!(["damaged", "nothing", "malformed"].contains(&error.code()), "{error}");
}

#[test]
fn too_many_files_are_refused_before_they_are_looked_at() {
    let names: Vec<String> = (0..=MAX_FILES).map(|n| n.to_string()).collect();
    assert_refused(&bytes(names.iter().map(|name| (name.as_str(), &b""[..]))), "too-many-files");
    let records = [&b"PK\x03\x04"[..], &b"PK\x01\x02".repeat(20_001)].concat();
    assert_refused(&records, "too-many-files");
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    let long = "a/".repeat(40) + "b";
    for path in ["../evil.xml", "/etc/passwd", "a/../../b", "C:/x", "a\\b", "..\\x", "a//b", "./a", &long, "a\u{1}b"] {
        assert_refused(&zip(&[(path, "x"), (MANIFEST, "<manifest/>")]), "unsafe-path");
    }
}

#[test]
fn links_and_devices_are_refused() {
    assert_refused(&with_link("passwd", "/etc/passwd"), "special-file");
    let archive = zip(&[(MANIFEST, "<manifest/>")]);
    // Made on Unix; a named pipe.
    let archive = patched(&patched(&archive, None, 5, &[3]), None, 40, &0o010_644_u16.to_le_bytes());
    assert_refused(&archive, "special-file");
}

#[test]
fn the_same_path_twice_is_refused() {
    let archive = zip(&[("a.xml", "<a/>"), ("b.xml", "<b/>"), (MANIFEST, "<manifest/>")]);
    assert_refused(&replaced(&archive, b"b.xml", b"a.xml"), "duplicate-file");
}

#[test]
fn files_that_share_bytes_are_refused() {
    let archive = zip(&[("a.xml", "<a/>"), ("b.xml", "<a/>"), (MANIFEST, "<manifest/>")]);
    // Every record says that its file is at the beginning.
    assert_refused(&patched(&archive, None, 42, &[0; 4]), "overlapping");
}

#[test]
fn encrypted_and_oddly_compressed_files_are_refused() {
    let archive = zip(&[(MANIFEST, "<manifest/>")]);
    assert_refused(&patched(&archive, Some(6), 8, &[1]), "encrypted");
    assert_refused(&patched(&archive, Some(8), 10, &[12, 0]), "compression");
}

#[test]
fn a_wrong_checksum_is_damage() {
    let archive = zip(&[(MANIFEST, "<manifest/>")]);
    assert_refused(&patched(&archive, Some(14), 16, &[1, 2, 3, 4]), "damaged");
}

#[test]
fn document_types_are_refused_in_every_file() {
    let doctype = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>";
    assert_refused(&zip(&[(MANIFEST, &format!("{doctype}<manifest/>"))]), "document-type");
    assert_refused(&package(&format!("{doctype}<assessmentItem>&b;</assessmentItem>")), "document-type");
    let external = "<!DOCTYPE assessmentItem SYSTEM 'https://evil.example/x.dtd'><assessmentItem/>";
    assert_refused(&package(external), "document-type");
    let questestinterop = "<!DOCTYPE questestinterop SYSTEM 'ims_qtiasiv1p2p1.dtd'><questestinterop/>";
    let cartridge = manifest("i.xml").replace("imsqti_item_xmlv2p1", "imsqti_xmlv1p2/imscc_xmlv1p1/assessment");
    assert_refused(&zip(&[(MANIFEST, &cartridge), ("i.xml", questestinterop)]), "document-type");
}

#[test]
fn xml_that_exhausts_a_reader_is_refused() {
    assert_refused(&package(&"<a>".repeat(100_000)), "too-deep");
    assert_refused(&package(&format!("<a b='{}'/>", "ab".repeat(100_000))), "too-complex");
    let attributes: String = (0..10_000).map(|n| format!(" a{n}='x'")).collect();
    assert_refused(&package(&format!("<a{attributes}/>")), "too-complex");
    let resources = "<resource identifier='r' type='webcontent'/>".repeat(20_001);
    let manifest = format!("<manifest><organizations/><resources>{resources}</resources></manifest>");
    assert_refused(&zip(&[(MANIFEST, &manifest)]), "too-complex");
}

#[test]
fn wrong_characters_in_the_manifest_are_refused() {
    assert_refused(&bytes([(MANIFEST, &b"<manifest>\xff\xfe</manifest>"[..])]), "encoding");
    assert_refused(&zip(&[(MANIFEST, "<?xml version='1.0' encoding='shift_jis'?><manifest/>")]), "encoding");
    assert_refused(&zip(&[(MANIFEST, "<manifest>\0</manifest>")]), "nul");
    assert_refused(&zip(&[(MANIFEST, "<manifest>")]), "malformed");
}

#[test]
fn one_broken_file_is_left_out_and_reported() {
    for broken in [&b"<assessmentItem>"[..], b"\xff", b"<a>\0</a>", b"<a>&nbsp;</a>"] {
        let upload = bytes([(MANIFEST, manifest("i.xml").as_bytes()), ("i.xml", broken)]);
        let Err(ImportError::Nothing { report }) = import(&upload) else { panic!("nothing is left") };
        assert_eq!(report.findings[0].file, "i.xml", "{report:?}");
    }
}

#[test]
fn references_out_of_the_package_are_refused() {
    for href in ["../../etc/passwd", "/etc/passwd", "C:\\x", "file:///etc/passwd", "%2e%2e/x", "a%00b"] {
        assert_refused(&zip(&[(MANIFEST, &manifest(href))]), "points-outside");
    }
    let test = "<assessmentTest identifier='t' title='T'><testPart><assessmentSection>\
        <assessmentItemRef identifier='i' href='../../../secret.xml'/></assessmentSection></testPart></assessmentTest>";
    let manifest = manifest("t.xml").replace("imsqti_item", "imsqti_test");
    assert_refused(&zip(&[(MANIFEST, &manifest), ("t.xml", test)]), "points-outside");
}

#[test]
fn a_file_that_is_referred_to_again_and_again_is_not_read_forever() {
    // Refused each time, but only after it was expanded.
    let too_large: String = (0..MAX_DOCUMENT_BYTES / 5).map(|n| n.to_string()).collect();
    let references: String =
        (0..5000).map(|n| format!("<assessmentItemRef identifier='i{n}' href='i.xml'/>")).collect();
    let test = format!(
        "<assessmentTest identifier='t' title='T'><testPart><assessmentSection>{references}</assessmentSection></testPart></assessmentTest>"
    );
    let manifest = manifest("t.xml").replace("imsqti_item", "imsqti_test");
    let upload = zip(&[(MANIFEST, &manifest), ("t.xml", &test), ("i.xml", &too_large)]);
    assert_refused(&upload, "expands-too-much");
}

#[test]
fn dependencies_that_are_named_again_and_again_are_looked_at_once() {
    let upload = |n: usize| {
        let dependencies = "<dependency identifierref='x'/>".repeat(n);
        let files: String = (0..n).map(|at| format!("<file href='{at}'/>")).collect();
        let manifest = format!(
            "<manifest><organizations/><resources>\
             <resource identifier='r' type='imsqti_xmlv1p2' href='i.xml'>{dependencies}</resource>\
             <resource identifier='x' type='webcontent'>{files}</resource></resources></manifest>"
        );
        zip(&[(MANIFEST, &manifest), ("i.xml", "<questestinterop/>")])
    };
    assert_linear("the same dependency", 1_000, upload, |upload| drop(import(upload)));
    let upload = |n: usize| {
        let resource = |at: usize| {
            format!(
                "<resource identifier='r{at}' type='imsqti_xmlv1p2' href='i.xml'><dependency identifierref='x'/></resource>"
            )
        };
        let resources: String = (0..n).map(resource).collect();
        let files: String = (0..n).map(|at| format!("<file href='{at}'/>")).collect();
        let manifest = format!(
            "<manifest><organizations/><resources>{resources}\
             <resource identifier='x' type='webcontent'>{files}</resource></resources></manifest>"
        );
        zip(&[(MANIFEST, &manifest), ("i.xml", "<questestinterop/>")])
    };
    assert_linear("a dependency of many", 750, upload, |upload| drop(import(upload)));
}

/// A package of a QTI test with these parts, and a file of a section.
fn with_section(parts: &str, section: &str) -> Vec<u8> {
    let test = format!("<assessmentTest identifier='t' title='T'><testPart>{parts}</testPart></assessmentTest>");
    let section = format!("<assessmentSection identifier='s'>{section}</assessmentSection>");
    let manifest = manifest("t.xml").replace("imsqti_item", "imsqti_test");
    zip(&[(MANIFEST, &manifest), ("t.xml", &test), ("s.xml", &section)])
}

#[test]
fn more_references_than_a_package_may_have_questions_are_refused() {
    let missing = "<assessmentItemRef identifier='i' href='missing.xml'/>";
    let upload = |references| with_section("<assessmentSectionRef href='s.xml'/>", &missing.repeat(references));
    assert_refused(&upload(MAX_ITEMS), "nothing");
    assert_refused(&upload(MAX_ITEMS + 1), "too-many-items");
}

#[test]
fn a_section_is_read_once_however_often_it_is_referred_to() {
    let references = "<assessmentSectionRef href='s.xml'/>".repeat(50_000);
    // Large enough that reading it each time is refused; it refers to itself, too.
    let section = format!("{references}<assessmentItemRef identifier='i' href='missing.xml'/>");
    let Err(ImportError::Nothing { report }) = import(&with_section(&references, &section)) else {
        panic!("nothing is left")
    };
    assert!(report.findings.iter().any(|finding| finding.message.contains("more than once")), "{report:?}");
}

#[test]
fn many_gaps_take_linear_time() {
    let upload = |n: usize| {
        let declaration =
            |at| format!("<responseDeclaration identifier='r{at}' cardinality='single' baseType='string'/>");
        let gap = |at| format!("<textEntryInteraction responseIdentifier='r{at}'/>");
        let all = |one: &dyn Fn(usize) -> String| (0..n).map(one).collect::<String>();
        let item = format!(
            "<assessmentItem identifier='i'>{}<itemBody><p>{}</p></itemBody></assessmentItem>",
            all(&declaration),
            all(&gap)
        );
        package(&item)
    };
    assert_linear("gaps", 1_500, upload, |upload| drop(import(upload)));
}

#[test]
fn too_many_questions_are_refused() {
    let item =
        "<item ident='i'><presentation><response_str ident='r'><render_fib/></response_str></presentation></item>";
    let assessment = format!("<questestinterop>{}</questestinterop>", item.repeat(MAX_ITEMS + 1));
    let manifest = manifest("i.xml").replace("imsqti_item_xmlv2p1", "imsqti_xmlv1p2");
    assert_refused(&zip(&[(MANIFEST, &manifest), ("i.xml", &assessment)]), "too-many-items");
}

#[test]
fn a_page_that_exhausts_a_reader_is_read_in_time() {
    for html in ["<div>".repeat(20_000), "<b id=a><p>".repeat(8_000), "<table>".repeat(20_000), "<!--".repeat(100_000)]
    {
        let page = format!("<!doctype html>{html}x");
        let imported = import(page.as_bytes()).unwrap();
        assert!(imported.modules[0].html.len() < 4 * page.len());
    }
}

#[test]
fn nothing_that_acts_comes_in_with_a_page() {
    let page = "<!doctype html><title>T</title><script>alert(1)</script><p onclick=x()>a</p><img src=x onerror=x()>\
        <a href='javascript:x()'>b</a><svg><script>x()</script></svg><iframe srcdoc='<p>'></iframe><form action=x><input></form>\
        <a href='data:text/html,x'>c</a><style>p{background:url(https://e.example/)}</style><math><mtext><p>d</math>";
    let imported = import(page.as_bytes()).unwrap();
    let html = &imported.modules[0].html;
    for sign in [
        "<script",
        "onclick",
        "onerror",
        "javascript:",
        "<svg",
        "<iframe",
        "<form",
        "<input",
        "data:",
        "<style",
        "url(",
    ] {
        assert!(!html.contains(sign), "{sign}: {html}");
    }
    assert!(!imported.report.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_change_of_a_byte_makes_an_import_panic(
        course in contents::course(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let mut upload = export_course(&course).bytes;
        for (place, value) in changes {
            let place = place.index(upload.len());
            upload[place] = value;
        }
        let _ = import(&upload);
    }

    #[test]
    fn no_change_of_the_xml_makes_an_import_panic(
        test in contents::test(1..=2),
        from in "[a-z]{3,12}|\"[a-z]|<[a-z]", to in "[<>&\"'/a-z ]{0,6}",
    ) {
        let files = crate::checker::unpack(&export_test(&test, TestFormat::Qti21).bytes);
        let changed: Vec<(String, String)> = files.into_iter().map(|(path, text)| (path, text.replace(&from, &to))).collect();
        let _ = import(&zip(&changed.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>()));
    }
}
