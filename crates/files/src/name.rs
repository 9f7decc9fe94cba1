//! File names, for people to see. A name never becomes part of a path.

use percent_encoding::percent_decode_str;

/// The longest name, in characters.
const MOST_CHARACTERS: usize = 120;
/// The longest ending that outlives the shortening of a long name, in characters with its dot.
const MOST_ENDING: usize = 12;
/// What a file is called that has no name.
const NAMELESS: &str = "file";

/// A name without folders, without characters that control a terminal, hide or turn the writing direction, and of a
/// bounded length. A long name keeps its ending.
pub fn for_display(name: &str) -> String {
    let own = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = own.chars().filter(|c| !is_harmful(*c)).collect();
    let plain = plain.trim();
    let shown = shortened(plain);
    if shown.chars().all(|c| c == '.') { NAMELESS.to_owned() } else { shown }
}

/// The name that a `Content-Disposition` gives as `filename*` (RFC 8187), where it does and in UTF-8. Clients that write
/// it leave letters out of `filename`, or leave that out altogether.
pub fn extended(disposition: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(disposition);
    let mut is_quoted = false;
    let mut parameters = text.split(|c: char| {
        is_quoted ^= c == '"';
        c == ';' && !is_quoted
    });
    let value = parameters.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("filename*").then_some(value.trim())
    })?;
    let (charset, rest) = value.split_once('\'')?;
    let (_, encoded) = rest.split_once('\'')?;
    let name = percent_decode_str(encoded).decode_utf8().ok()?;
    charset.eq_ignore_ascii_case("utf-8").then(|| name.into_owned())
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= MOST_CHARACTERS {
        return name.to_owned();
    }
    let ending = name.rfind('.').map_or("", |at| &name[at..]);
    let ending = if ending.chars().count() <= MOST_ENDING { ending } else { "" };
    let kept = MOST_CHARACTERS - ending.chars().count();
    let cut: String = name.chars().take(kept).chain(ending.chars()).collect();
    cut.trim_end().to_owned()
}

/// Joiners stay: scripts and pictographs need them.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn folders_control_and_direction_characters_are_dropped() {
        for (given, shown) in [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\ann\\essay.docx", "essay.docx"),
            ("a\r\nb\0.txt", "ab.txt"),
            ("photo\u{202e}gpj.exe", "photogpj.exe"),
            ("  Résumé — 漢字 👩\u{200d}🏫.md ", "Résumé — 漢字 👩\u{200d}🏫.md"),
        ] {
            assert_eq!(for_display(given), shown, "{given:?}");
        }
    }

    #[test]
    fn a_file_without_a_name_is_called_file() {
        for nameless in ["", "  ", ".", "..", "a/", "a\\..", "\u{200f}\u{feff}", "\0"] {
            assert_eq!(for_display(nameless), "file", "{nameless:?}");
        }
    }

    #[test]
    fn a_long_name_is_cut_before_its_ending() {
        let name = for_display(&format!("{}.pdf", "ü".repeat(500)));
        assert_eq!(name.chars().count(), MOST_CHARACTERS);
        assert!(name.ends_with("ü.pdf"), "{name}");
        assert_eq!(for_display(&format!("a.{}", "b".repeat(500))).chars().count(), MOST_CHARACTERS);
    }

    #[test]
    fn a_name_in_another_alphabet_is_read_where_its_parameter_is() {
        for (given, name) in [
            ("form-data; name=\"f\"; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.txt", Some("naïve €.txt")),
            ("form-data; filename=\"x.txt\"; FileName* = utf-8'de'%C3%BC.txt; name=f", Some("ü.txt")),
            ("form-data; name=\"a; filename*=UTF-8''no.txt\"", None),
            ("form-data; filename*=ISO-8859-1''%FC.txt", None),
            ("form-data; filename*=UTF-8''%FC.txt", None),
            ("form-data; filename*=UTF-8", None),
            ("form-data; filename=\"x.txt\"", None),
        ] {
            assert_eq!(extended(given.as_bytes()).as_deref(), name, "{given}");
        }
    }

    proptest! {
        #[test]
        fn every_name_is_short_plain_and_stays_as_it_is(name in "\\PC{0,20}|[./\\\\a\u{0}\u{202e}\u{feff} ]{0,300}") {
            let shown = for_display(&name);
            prop_assert!(!shown.is_empty() && shown.chars().count() <= MOST_CHARACTERS);
            prop_assert!(!shown.contains(['/', '\\']) && !shown.chars().any(is_harmful));
            prop_assert_eq!(for_display(&shown), shown);
        }
    }
}
