//! Every language that is taught is spoken.

use std::path::Path;

use render::{Espeak, Voice as _};

use super::programs;

const SENTENCES: [(&str, &str); 20] = [
    ("ar", "النباتات خضراء."),
    ("zh", "植物是绿色的。"),
    ("nl", "Planten zijn groen."),
    ("en", "Plants are green."),
    ("fr", "Les plantes sont vertes."),
    ("de", "Pflanzen sind grün."),
    ("hi", "पौधे हरे होते हैं।"),
    ("it", "Le piante sono verdi."),
    ("ja", "しょくぶつは みどりです。"),
    ("ko", "식물은 초록색입니다."),
    ("pl", "Rośliny są zielone."),
    ("pt", "As plantas são verdes."),
    ("ru", "Растения зелёные."),
    ("es", "Las plantas son verdes."),
    ("tr", "Bitkiler yeşildir."),
    ("uk", "Рослини зелені."),
    ("fa", "گیاهان سبز هستند."),
    ("he", "הצמחים ירוקים."),
    ("ur", "پودے سبز ہوتے ہیں۔"),
    ("x-unknown", "Plants are green."),
];

#[tokio::test]
async fn every_language_is_spoken_about_as_fast_as_it_is_estimated() {
    let folder = tempfile::tempdir().unwrap();
    let voice = Espeak::new(programs());
    for (language, sentence) in SENTENCES {
        let speech = voice.speak(sentence, language, folder.path()).await.unwrap();
        assert_eq!(speech.sample_rate, 22_050, "{language}");
        let seconds = f64::from(u32::try_from(speech.samples.len()).unwrap()) / 22_050.0;
        let estimate = language::pace::seconds(language, sentence);
        assert!((0.4 * estimate..2.5 * estimate).contains(&seconds), "{language}: {seconds} s, not {estimate} s");
        let is_heard = speech.samples.iter().any(|sample| sample.unsigned_abs() > 2_000);
        assert!(is_heard, "{language}");
    }
    assert_eq!(std::fs::read_dir(Path::new(folder.path())).unwrap().count(), 0, "a voice leaves nothing behind");
}

#[tokio::test]
async fn chinese_is_not_read_as_english() {
    let folder = tempfile::tempdir().unwrap();
    let speech = Espeak::new(programs()).speak("绿色的光", "zh", folder.path()).await.unwrap();
    // Letters and numbers of the pinyin, read in English, take twice as long.
    assert!((12_000..28_000).contains(&speech.samples.len()), "{}", speech.samples.len());
}

#[tokio::test]
async fn markup_of_the_voice_is_read_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let voice = Espeak::new(programs());
    let long = voice.speak("<break time=\"60s\"/> [[_:_:_:]] hello", "en", folder.path()).await.unwrap();
    assert!(long.samples.len() < 12 * 22_050, "no pause was made");
    let nothing = voice.speak("", "en", folder.path()).await.unwrap();
    assert!(nothing.samples.len() < 22_050);
}
