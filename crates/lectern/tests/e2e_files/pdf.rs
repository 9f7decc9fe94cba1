//! PDFs, written by hand.

use std::fmt::Write as _;

use files::{Kind, Unread};

use super::{read, unread, whole};

/// A file of these objects, the first of which is the catalog; `trailer` is added to its trailer.
fn file(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(bytes.len());
        bytes.extend(format!("{number} 0 obj\n").into_bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let table = bytes.len();
    let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for place in places {
        let _ = writeln!(end, "{place:010} 00000 n ");
    }
    let _ = write!(end, "trailer\n<</Size {}/Root 1 0 R{trailer}>>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
    bytes.extend(end.into_bytes());
    bytes
}

fn stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("<<{entries}/Length {}>>\nstream\n", content.len());
    [head.as_bytes(), content, b"\nendstream"].concat()
}

/// One page that draws `content`, with resources, entries of its own and further objects from number 5 on.
fn page(content: &[u8], resources: &str, entries: &str, more: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<{resources}>>{entries}>>").into_bytes(),
        stream("", content),
    ];
    objects.extend_from_slice(more);
    objects
}

const HELVETICA: &str = "/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>";

fn drawn(content: &str) -> Vec<u8> {
    file(&page(content.as_bytes(), HELVETICA, "", &[]), "")
}

#[test]
fn lines_and_words_are_told_by_their_places() {
    let content = "BT /F1 12 Tf 72 700 Td (Photosynthesis) Tj 90 0 Td (needs) Tj 0 -14 Td (light \\(and) Tj ( water\\).) Tj ET\n\
        BT /F1 12 Tf 14 TL 1 0 0 1 72 600 Tm [(Caf) 20 (\\351) -400 (au) -300 (lait)] TJ T* (next) Tj (line) ' ET";
    assert_eq!(
        read(Kind::Pdf, drawn(content)),
        whole("Photosynthesis needs\nlight (and water).\nCafé au lait\nnext\nline")
    );
}

#[test]
fn widths_say_whether_a_gap_is_a_space() {
    let widths = "500 ".repeat(95);
    let font = format!(
        "/Font<</F1<</Type/Font/Subtype/TrueType/FirstChar 32/LastChar 126/Widths[{widths}]/Encoding/WinAnsiEncoding>>>>"
    );
    // Two letters of half an em each: the third stands right behind them, the fourth an em further.
    let content = b"BT /F1 10 Tf 72 700 Td (ab) Tj 10 0 Td (c) Tj 15 0 Td (d) Tj ET";
    assert_eq!(read(Kind::Pdf, file(&page(content, &font, "", &[]), "")), whole("abc d"));
}

#[test]
fn what_a_font_says_of_unicode_goes_before_its_codes() {
    let map = b"/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
        1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n3 beginbfchar\n<0001> <041F>\n<0002> <0440>\n<0003> <FB01>\nendbfchar\n\
        endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";
    let font = b"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/DW 500>>]>>";
    let more = [font.to_vec(), stream("", map)];
    let objects = page(b"BT /F1 10 Tf <000100020003> Tj ET", "/Font<</F1 5 0 R>>", "", &more);
    assert_eq!(read(Kind::Pdf, file(&objects, "")), whole("Прfi"));
    let nameless = b"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<<>>]>>".to_vec();
    let objects = page(b"BT /F1 10 Tf <000100020003> Tj ET", "/Font<</F1 5 0 R>>", "", &[nameless]);
    assert_eq!(read(Kind::Pdf, file(&objects, "")), unread(Unread::NoText));
}

#[test]
fn what_was_filled_into_a_form_is_read() {
    let drawing =
        stream(&format!("/Type/XObject/Subtype/Form/Resources<<{HELVETICA}>>"), b"BT /F1 9 Tf (My answer) Tj ET");
    let entries = "/Annots[<</Subtype/Widget/AP<</N 5 0 R>>>> <</Subtype/FreeText/Contents(A note)>> <</Subtype/Link/Contents(no)>>]";
    let objects = page(b"BT /F1 12 Tf (Name:) Tj ET", HELVETICA, entries, &[drawing]);
    assert_eq!(read(Kind::Pdf, file(&objects, "")), whole("Name:\nMy answer\nA note"));
}

#[test]
fn a_scan_has_no_text() {
    let picture = stream("/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray", b"x");
    let objects = page(b"q 100 0 0 100 0 0 cm /Im Do Q", "/XObject<</Im 5 0 R>>", "", &[picture]);
    assert_eq!(read(Kind::Pdf, file(&objects, "")), unread(Unread::NoText));
}

#[test]
fn a_file_with_a_password_is_encrypted() {
    let zeros = "00".repeat(32);
    let dictionary = format!("<</Filter/Standard/V 1/R 2/O<{zeros}>/U<{zeros}>/P -4>>").into_bytes();
    let objects = page(b"garbled", HELVETICA, "", &[dictionary]);
    let id = format!("/Encrypt 5 0 R/ID[<{zeros}><{zeros}>]");
    assert_eq!(read(Kind::Pdf, file(&objects, &id)), unread(Unread::Encrypted));
    let unknown = page(b"garbled", HELVETICA, "", &[b"<</Filter/Foreign/V 9>>".to_vec()]);
    assert_eq!(read(Kind::Pdf, file(&unknown, &id)), unread(Unread::Encrypted));
}

#[test]
fn a_file_that_was_cut_off_is_damaged() {
    let whole = drawn("BT /F1 12 Tf (Photosynthesis) Tj ET");
    let content = whole.windows(4).position(|window| window == b"4 0 ").unwrap();
    for length in [12, 100, content, content + 40] {
        assert_eq!(read(Kind::Pdf, whole[..length].to_vec()), unread(Unread::Damaged), "{length}");
    }
}

#[test]
fn ten_mebibytes_of_garbage_with_a_header_are_damaged() {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut state = 1_u32;
    bytes.extend(
        std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        })
        .take((10 << 20) - 9),
    );
    assert_eq!(read(Kind::Pdf, bytes), unread(Unread::Damaged));
}

#[test]
fn deep_nesting_brings_nothing_down() {
    let deep = "[".repeat(1 << 20).into_bytes();
    let objects = page(b"BT /F1 12 Tf (x) Tj ET", HELVETICA, "/Deep 5 0 R", &[deep]);
    let found = read(Kind::Pdf, file(&objects, ""));
    assert!([whole("x"), unread(Unread::Damaged)].contains(&found), "{found:?}");
}

#[test]
fn a_form_that_draws_itself_is_too_large() {
    let form = stream("/Type/XObject/Subtype/Form/Resources<</XObject<</Fm 5 0 R>>>>", b"/Fm Do /Fm Do");
    let objects = page(b"/Fm Do", "/XObject<</Fm 5 0 R>>", "", &[form]);
    assert_eq!(read(Kind::Pdf, file(&objects, "")), unread(Unread::TooLarge));
}

#[test]
fn forms_that_multiply_come_to_an_end() {
    let form = |next: usize| {
        stream(
            &format!("/Type/XObject/Subtype/Form/Resources<</XObject<</Fm {next} 0 R>>>>"),
            "/Fm Do ".repeat(20).as_bytes(),
        )
    };
    let forms: Vec<_> = (6..15).map(form).chain([stream("/Type/XObject/Subtype/Form", b"")]).collect();
    let objects = page(b"/Fm Do", "/XObject<</Fm 5 0 R>>", "", &forms);
    let found = read(Kind::Pdf, file(&objects, ""));
    assert!([unread(Unread::TooLarge), unread(Unread::TookTooLong)].contains(&found), "{found:?}");
}

#[test]
fn a_tree_of_pages_without_an_end_comes_to_one() {
    let objects =
        [b"<</Type/Catalog/Pages 2 0 R>>".to_vec(), b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2/Parent 2 0 R>>".to_vec()];
    assert_eq!(read(Kind::Pdf, file(&objects, "")), unread(Unread::Damaged));
}

#[test]
fn a_stream_that_expands_too_much_is_too_large() {
    // A run of 128 spaces in two bytes.
    let bomb = [129, b' '].repeat(1 << 20);
    let mut objects = page(b"", HELVETICA, "", &[]);
    objects[3] = stream("/Filter/RunLengthDecode", &bomb);
    assert_eq!(read(Kind::Pdf, file(&objects, "")), unread(Unread::TooLarge));
}
