//! The fonts that are shipped: for every language that the service teaches, and for formulas.
//!
//! A font is unpacked when a text first needs it, and then kept for the life of the process. Fonts that no text needs take
//! no memory. `fonts/build.py` makes the files.

use std::io::{Cursor, Read as _};
use std::sync::OnceLock;

use language::script::{is_han, is_kana};
use rustybuzz::Face;

/// A family of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    /// Latin, Greek, Cyrillic and Devanagari.
    Sans,
    Arabic,
    Hebrew,
    Thai,
    Chinese,
    Japanese,
    Korean,
    Math,
}

/// How thick letters are. Families with one weight are thickened by drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Weight {
    Medium,
    Bold,
}

/// A font file with its name.
struct File {
    name: &'static str,
    zip: &'static [u8],
    face: OnceLock<Face<'static>>,
}

macro_rules! file {
    ($name:literal) => {
        File { name: $name, zip: include_bytes!(concat!("../fonts/", $name, ".zip")), face: OnceLock::new() }
    };
}

static FILES: [File; 12] = [
    file!("NotoSans-Medium"),
    file!("NotoSans-Bold"),
    file!("NotoSansArabic-Medium"),
    file!("NotoSansArabic-Bold"),
    file!("NotoSansHebrew-Medium"),
    file!("NotoSansHebrew-Bold"),
    file!("NotoSansThai-Medium"),
    file!("NotoSansThai-Bold"),
    file!("NotoSansSC-Medium"),
    file!("NotoSansJP-Medium"),
    file!("NotoSansKR-Medium"),
    file!("NotoSansMath-Regular"),
];

impl File {
    fn face(&'static self) -> &'static Face<'static> {
        self.face.get_or_init(|| {
            let bytes: &'static [u8] = Vec::leak(self.unpacked().expect("the shipped fonts are whole"));
            Face::from_slice(bytes, 0).expect("the shipped fonts are fonts")
        })
    }

    fn unpacked(&self) -> zip::result::ZipResult<Vec<u8>> {
        let mut archive = zip::ZipArchive::new(Cursor::new(self.zip))?;
        let mut member = archive.by_name(&format!("{}.ttf", self.name))?;
        let mut bytes = Vec::with_capacity(usize::try_from(member.size()).unwrap_or_default());
        member.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Family {
    /// The font of this family, unpacked.
    pub(crate) fn face(self, weight: Weight) -> &'static Face<'static> {
        let bold = usize::from(weight == Weight::Bold);
        let index = match self {
            Self::Sans => bold,
            Self::Arabic => 2 + bold,
            Self::Hebrew => 4 + bold,
            Self::Thai => 6 + bold,
            Self::Chinese => 8,
            Self::Japanese => 9,
            Self::Korean => 10,
            Self::Math => 11,
        };
        FILES[index].face()
    }

    /// The units of this family's font in an em.
    pub(crate) fn em(self, weight: Weight) -> f32 {
        f32::from(rustybuzz::ttf_parser::Face::units_per_em(self.face(weight)).max(1))
    }

    /// Whether its bold letters are its only ones, drawn thicker.
    pub(crate) const fn has_one_weight(self) -> bool {
        matches!(self, Self::Chinese | Self::Japanese | Self::Korean | Self::Math)
    }

    /// The family with a glyph for a character; `None` where none has one.
    pub(crate) fn of(character: char, language: &str) -> Option<Self> {
        let has = |family: &Self| family.face(Weight::Medium).glyph_index(character).is_some();
        candidates(character, language).iter().copied().find(has)
    }
}

/// The families that may have a character, in the order of preference.
fn candidates(character: char, language: &str) -> &'static [Family] {
    use Family::{Arabic, Chinese, Hebrew, Japanese, Korean, Math, Sans, Thai};
    let primary = language::primary_subtag(language);
    let is_wide = is_han(character)
        || is_kana(character)
        || matches!(character, '\u{3000}'..='\u{33FF}' | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FFEF}')
        // Chinese and Japanese write these as wide as their letters.
        || (matches!(primary.as_str(), "zh" | "ja") && matches!(character, '‘' | '’' | '“' | '”' | '…' | '—' | '·'));
    match character {
        '\u{0590}'..='\u{05FF}' | '\u{FB1D}'..='\u{FB4F}' => &[Hebrew],
        '\u{0600}'..='\u{06FF}' | '\u{0750}'..='\u{077F}' | '\u{08A0}'..='\u{08FF}' => &[Arabic],
        '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}' => &[Arabic],
        '\u{0E00}'..='\u{0E7F}' => &[Thai],
        '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{AC00}'..='\u{D7A3}' => &[Korean],
        _ if is_wide => match primary.as_str() {
            "ja" => &[Japanese, Chinese, Korean, Sans],
            "ko" => &[Korean, Japanese, Chinese, Sans],
            _ => &[Chinese, Japanese, Korean, Sans],
        },
        _ => &[Sans, Math],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: [(&str, &str); 22] = [
        ("ar", "تصنع النباتات الخضراء غذاءها بنفسها؛ أليس كذلك؟ ٪٣٧"),
        ("zh", "植物通过光合作用制造养分，释放氧气。“为什么？”——因为需要能量……"),
        ("zh-Hant", "植物透過光合作用製造養分，釋放氧氣。為什麼？"),
        ("nl", "Hoe één reünie coëfficiënten beïnvloedt – ‘zo’."),
        ("en", "“Photosynthesis” makes food — that’s 37% of it; isn’t it? → ✓ ≤ ∞ ½ ² ₂ ° € £ $"),
        ("fr", "Où naît l’œuf ? « Ça dépend », répond-elle à Noël, là-bas."),
        ("de", "Größe „Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung“ ẞ"),
        ("hi", "पौधे प्रकाश संश्लेषण से अपना भोजन स्वयं बनाते हैं। क्या? ₹ १२३"),
        ("it", "Perché l’energia è così importante? È già là!"),
        ("ja", "植物は「光合成」で養分をつくります。なぜでしょうか？カタカナー、々〆"),
        ("ko", "식물은 광합성으로 양분을 만듭니다. 왜 그럴까요? 漢字 뷁"),
        ("pl", "Zażółć gęślą jaźń – „dlaczego” rośliny są zielone?"),
        ("pt", "Ação, coração e água: não é fácil explicá-los às crianças."),
        ("ru", "Почему растения зелёные? «Потому что»… объём № 5"),
        ("es", "¿Por qué son verdes las plantas? ¡Según el niño, así es!"),
        ("tr", "Işığın hızı İstanbul’da da aynıdır: ğüşöç."),
        ("uk", "Чому ґрунт їсть п’ять єдиних зернин? «Ось так»."),
        ("fa", "گیاهان چگونه غذا می‌سازند؟ ۱۲۳ پژوهش"),
        ("he", "מדוע הצמחים ירוקים? „כך” — שָׁלוֹם"),
        ("ur", "پودے اپنی خوراک خود بناتے ہیں۔ ٹھیک ہے؟ ڈڑںے"),
        ("sv", "Varför är växter gröna? Åäö é."),
        ("th", "พืชสร้างอาหารเองด้วยการสังเคราะห์แสง ๑๒๓"),
    ];

    #[test]
    fn every_letter_of_every_language_has_a_glyph() {
        for (language, sample) in SAMPLES {
            for character in sample.chars().filter(|character| !matches!(character, ' ' | '\u{200C}')) {
                assert!(Family::of(character, language).is_some(), "{language}: {character:?}");
            }
            for weight in [Weight::Medium, Weight::Bold] {
                let line = crate::text::shape(sample, language, weight);
                assert!(line.glyphs.iter().all(|glyph| glyph.id.0 != 0), "{language} has a .notdef");
            }
        }
    }

    #[test]
    fn chinese_characters_are_drawn_as_in_the_language() {
        assert_eq!(Family::of('直', "ja"), Some(Family::Japanese));
        assert_eq!(Family::of('直', "zh-CN"), Some(Family::Chinese));
        assert_eq!(Family::of('直', "ko"), Some(Family::Korean));
        assert_eq!(Family::of('養', "en"), Some(Family::Chinese));
        assert_eq!(Family::of('“', "zh"), Some(Family::Chinese));
        assert_eq!(Family::of('“', "en"), Some(Family::Sans));
        assert_eq!(Family::of('∑', "en"), Some(Family::Math));
        assert_eq!(Family::of('\u{E000}', "en"), None);
    }
}
