//! The voice that is always there: the program espeak-ng.
//!
//! The text goes in by a pipe, never as an argument, and without the signs by which espeak-ng is told phonemes. SSML is
//! read by none, as it needs an option.

use std::path::Path;

use async_trait::async_trait;

use super::speech::{Speech, Voice};
use crate::error::RenderError;
use crate::limits::{MOST_SPEECH_SECONDS, VOICE_TIME};
use crate::programs::{Program, Programs, Task};

/// What espeak-ng makes in a second, in bytes.
const BYTES_PER_SECOND: usize = 2 * 22_050;

/// espeak-ng as a voice.
///
/// A language that espeak-ng does not know is read by the American English voice. Japanese is read from kana only: espeak-ng
/// 1.51 says "Chinese letter" for each kanji, so Japanese videos need a provider's voice or a script in kana.
#[derive(Clone, Debug)]
pub struct Espeak {
    programs: Programs,
}

impl Espeak {
    /// The voice of these programs, which [`Programs::find`] found. Without espeak-ng among them, nothing can be spoken.
    #[must_use]
    pub const fn new(programs: Programs) -> Self {
        Self { programs }
    }
}

#[async_trait]
impl Voice for Espeak {
    fn name(&self, _language: &str) -> String {
        Program::Espeak.name().to_owned()
    }

    async fn speak(&self, sentence: &str, language: &str, work_dir: &Path) -> Result<Speech, RenderError> {
        let text = spoken(sentence);
        let arguments = ["-v", voice_for(language), "-b", "1", "-z", "--stdin", "--stdout"];
        let task = Task {
            program: Program::Espeak,
            arguments: arguments.map(Into::into).to_vec(),
            stdin: text.as_bytes(),
            work_dir,
            stdout_bytes: MOST_SPEECH_SECONDS * BYTES_PER_SECOND,
            time: VOICE_TIME,
        };
        let output = self.programs.run(task).await?;
        // A text without anything to say makes no file at all.
        if output.stdout.is_empty() {
            return Ok(Speech { sample_rate: 22_050, samples: Vec::new() });
        }
        let program = Program::Espeak.name();
        Speech::from_wav(&output.stdout).map_err(|error| RenderError::UnusableResult {
            program,
            reason: format!("no sound, because {error}: {}", output.last_words),
        })
    }
}

/// The text without what is not spoken: control characters and the brackets of phonemes.
fn spoken(sentence: &str) -> String {
    let plain = sentence.chars().map(|character| if character.is_control() { ' ' } else { character });
    plain.collect::<String>().replace("[[", " ").replace("]]", " ")
}

/// The languages of espeak-ng 1.51 that are called as in BCP 47.
const SAME_NAME: [&str; 73] = [
    "af", "am", "an", "ar", "as", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "eo", "es", "et",
    "eu", "fa", "fi", "ga", "gd", "gu", "he", "hi", "hr", "ht", "hu", "hy", "ia", "id", "is", "it", "ja", "ka", "kk",
    "kn", "ko", "ku", "ky", "la", "lb", "lt", "lv", "mi", "mk", "ml", "mr", "ms", "mt", "my", "nb", "ne", "nl", "or",
    "pa", "pl", "ro", "ru", "si", "sk", "sl", "sq", "sr", "sv", "sw", "ta", "te", "th", "tr", "uk",
];

/// Names that differ, for a language with a region or without; the longer tag stands first.
const OTHER_NAMES: [(&str, &str); 25] = [
    ("en-gb", "en-gb"),
    ("en", "en-us"),
    ("es-419", "es-419"),
    ("es-ar", "es-419"),
    ("es-co", "es-419"),
    ("es-mx", "es-419"),
    ("fr-be", "fr-be"),
    ("fr-ch", "fr-ch"),
    ("fr", "fr-fr"),
    ("pt-pt", "pt"),
    ("pt", "pt-br"),
    ("zh-hk", "yue"),
    // The voice `cmn` reads the pinyin of most characters as if it were English.
    ("zh", "cmn-latn-pinyin"),
    ("cmn", "cmn-latn-pinyin"),
    ("yue", "yue"),
    ("iw", "he"),
    ("in", "id"),
    ("no", "nb"),
    ("nn", "nb"),
    ("sh", "hr"),
    ("ur", "ur"),
    ("uz", "uz"),
    ("vi", "vi"),
    ("tt", "tt"),
    ("tk", "tk"),
];

/// The voice for a language: of its region, else of the language, else the American English one, which spells out what it
/// does not know.
fn voice_for(language: &str) -> &'static str {
    let tag = language.trim().to_ascii_lowercase().replace('_', "-");
    let primary = language::primary_subtag(language);
    // A script may stand between language and region.
    let region = tag.split('-').skip(1).find(|part| part.len() == 2 || part.len() == 3).unwrap_or_default();
    let regional = format!("{primary}-{region}");
    let other = |name: &str| OTHER_NAMES.iter().find(|(known, _)| *known == name).map(|(_, voice)| *voice);
    other(&regional)
        .or_else(|| other(&primary))
        .or_else(|| SAME_NAME.into_iter().find(|known| *known == primary))
        .unwrap_or("en-us")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_voices() {
        for (tag, voice) in [
            ("en", "en-us"),
            ("en-GB", "en-gb"),
            ("zh", "cmn-latn-pinyin"),
            ("zh-Hant-HK", "yue"),
            ("zh-CN", "cmn-latn-pinyin"),
            ("pt-BR", "pt-br"),
            ("pt", "pt-br"),
            ("pt_PT", "pt"),
            ("fr", "fr-fr"),
            ("es-MX", "es-419"),
            ("de-AT", "de"),
            ("uk", "uk"),
            ("ja", "ja"),
            ("tlh", "en-us"),
            ("", "en-us"),
            ("--x", "en-us"),
        ] {
            assert_eq!(voice_for(tag), voice, "{tag}");
        }
    }

    #[test]
    fn markup_of_the_program_is_not_passed_on() {
        assert_eq!(spoken("a\u{0}b [[h@l'oU]] c\n"), "a b  h@l'oU  c ");
    }
}
