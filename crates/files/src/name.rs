//! File names, for people to see. A name never becomes part of a path.

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
