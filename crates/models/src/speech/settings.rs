//! What an operator decides about speech.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use kernel::secret::SecretString;
use net::Url;

use crate::settings::{Pacing, with_version};

/// Who speaks, and how patiently the server is asked.
#[derive(Clone, Debug)]
pub struct SpeechSettings {
    /// As the operator wrote it; see [`SpeechSettings::base`].
    pub base_url: Url,
    /// Goes to this server only. Local servers need none.
    pub api_key: Option<SecretString>,
    /// The server's name for what speaks.
    pub model: String,
    /// Whose voice is heard.
    pub voices: SpeechVoices,
    /// Of one try, from the first byte sent to the last one received.
    pub timeout: Duration,
    /// Further tries after the first one, where another may help.
    pub retries: u32,
    /// Calls at once, at least 1; others wait.
    pub concurrency: usize,
    /// Certificates trusted besides the system's.
    pub extra_ca_pem: Option<Vec<u8>>,
    /// How long it is waited between tries.
    pub pacing: Pacing,
}

impl SpeechSettings {
    /// The address below which the protocol's paths are: with its version, where that was left out.
    #[must_use]
    pub fn base(&self) -> Url {
        with_version(&self.base_url)
    }
}

/// The server's names of voices, by language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeechVoices {
    usual: String,
    by_language: BTreeMap<String, String>,
}

impl SpeechVoices {
    /// A voice for all languages but those of these BCP 47 tags, which have voices of their own.
    pub fn new(usual: impl Into<String>, by_language: impl IntoIterator<Item = (String, String)>) -> Self {
        let by_language = by_language.into_iter().map(|(language, voice)| (normal(&language), voice));
        Self { usual: usual.into(), by_language: by_language.collect() }
    }

    /// The voice of a language: of its whole tag, else of language and region, else of the tag's begin down to the language
    /// alone, else the usual one.
    #[must_use]
    pub fn of(&self, language: &str) -> &str {
        let tag = normal(language);
        let shorter = std::iter::successors(Some(tag.as_str()), |tag| tag.rsplit_once('-').map(|(begin, _)| begin));
        // A script may stand between language and region.
        let region = tag.split('-').skip(1).find(|part| part.len() == 2 || part.len() == 3).unwrap_or_default();
        let regional = format!("{}-{region}", language::primary_subtag(language));
        let find = |tag: &str| self.by_language.get(tag);
        let voice = find(&tag).or_else(|| find(&regional)).or_else(|| shorter.skip(1).find_map(find));
        voice.unwrap_or(&self.usual)
    }

    /// Each voice once.
    #[must_use]
    pub fn distinct(&self) -> Vec<&str> {
        let others: BTreeSet<&str> = self.by_language.values().map(String::as_str).collect();
        let others = others.into_iter().filter(|voice| *voice != self.usual);
        std::iter::once(self.usual.as_str()).chain(others).collect()
    }
}

/// A tag as tags are compared.
fn normal(tag: &str) -> String {
    tag.trim().to_ascii_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn voices(by_language: &[(&str, &str)]) -> SpeechVoices {
        let owned = by_language.iter().map(|(language, voice)| ((*language).to_owned(), (*voice).to_owned()));
        SpeechVoices::new("alloy", owned)
    }

    #[test]
    fn a_language_has_the_voice_of_its_region_else_its_own_else_the_usual_one() {
        let voices =
            voices(&[("pt-BR", "dora"), ("pt", "ines"), ("zh", "xiao"), ("zh-HK", "wing"), ("zh-Hant", "mei")]);
        for (tag, voice) in [
            ("pt-BR", "dora"),
            ("PT_br", "dora"),
            ("pt-PT", "ines"),
            ("pt", "ines"),
            ("zh-CN", "xiao"),
            ("zh-Hans-CN", "xiao"),
            ("zh-Hant-HK", "wing"),
            ("zh-Hant-TW", "mei"),
            ("en-GB", "alloy"),
            ("p", "alloy"),
            ("", "alloy"),
            ("-", "alloy"),
        ] {
            assert_eq!(voices.of(tag), voice, "{tag}");
        }
        assert_eq!(voices.distinct(), ["alloy", "dora", "ines", "mei", "wing", "xiao"]);
    }

    #[test]
    fn each_voice_is_listed_once() {
        assert_eq!(voices(&[("de", "nova"), ("fr", "nova"), ("en", "alloy")]).distinct(), ["alloy", "nova"]);
    }
}
