//! Languages as MP4 files name them: by three letters of ISO 639-2.

/// Two letters and three.
const CODES: [(&str, &str); 47] = [
    ("ar", "ara"),
    ("bg", "bul"),
    ("bn", "ben"),
    ("ca", "cat"),
    ("cs", "ces"),
    ("da", "dan"),
    ("de", "deu"),
    ("el", "ell"),
    ("en", "eng"),
    ("es", "spa"),
    ("et", "est"),
    ("eu", "eus"),
    ("fa", "fas"),
    ("fi", "fin"),
    ("fr", "fra"),
    ("gl", "glg"),
    ("he", "heb"),
    ("hi", "hin"),
    ("hr", "hrv"),
    ("hu", "hun"),
    ("id", "ind"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("ko", "kor"),
    ("lt", "lit"),
    ("lv", "lav"),
    ("mr", "mar"),
    ("ms", "msa"),
    ("nb", "nob"),
    ("ne", "nep"),
    ("nl", "nld"),
    ("no", "nor"),
    ("pl", "pol"),
    ("pt", "por"),
    ("ro", "ron"),
    ("ru", "rus"),
    ("sk", "slk"),
    ("sl", "slv"),
    ("sr", "srp"),
    ("sv", "swe"),
    ("sw", "swa"),
    ("ta", "tam"),
    ("th", "tha"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("ur", "urd"),
    ("vi", "vie"),
];

/// The three letters of a BCP 47 tag; `und` where they are not known.
pub(super) fn three_letters(tag: &str) -> String {
    let primary = language::primary_subtag(tag);
    if primary == "zh" {
        return "zho".to_owned();
    }
    let known = CODES.iter().find(|(two, _)| *two == primary).map(|(_, three)| (*three).to_owned());
    let is_three = primary.len() == 3 && primary.bytes().all(|byte| byte.is_ascii_lowercase());
    known.unwrap_or_else(|| if is_three { primary } else { "und".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_three_letters() {
        assert_eq!(
            ["de-AT", "zh-Hant", "PT_br", "yue", "x", "en=1", ""].map(three_letters),
            ["deu", "zho", "por", "yue", "und", "und", "und"]
        );
    }
}
