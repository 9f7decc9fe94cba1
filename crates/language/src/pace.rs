//! How long a text takes to speak.
//!
//! A text is counted for what takes time: syllables, letters, words, numbers and pauses. A language has a few seconds for
//! each, which were fitted to the speech synthesiser espeak-ng at its default speed; `bench/speech` says how.
//! No text is analysed beyond its characters, so an estimate takes time linear in the text.

use crate::script::{is_han, is_kana, is_thai};

/// Seconds that each sound of a text takes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// A syllable; in scripts that write consonants, a letter; in kana, a mora.
    pub syllable: f64,
    /// A Chinese character.
    pub ideograph: f64,
    /// A letter of an alphabet, beyond its syllable.
    pub letter: f64,
    /// A word, beyond its syllables.
    pub word: f64,
    /// A word of a number that is written in digits.
    pub digit: f64,
    /// The pause within a sentence.
    pub clause: f64,
    /// The pause behind a sentence.
    pub sentence: f64,
}

impl Pace {
    /// Stands in for a language that nobody has measured.
    pub const UNKNOWN: Self =
        Self { syllable: 0.06, ideograph: 0.25, letter: 0.045, word: 0.02, digit: 0.25, clause: 0.25, sentence: 0.4 };

    /// The seconds that the sounds take together.
    #[must_use]
    pub fn seconds(&self, sounds: &Sounds) -> f64 {
        self.coefficients().iter().zip(sounds.counts()).map(|(seconds, count)| seconds * count).sum()
    }

    /// The seconds in the order of [`Sounds::counts`].
    #[must_use]
    pub fn coefficients(&self) -> [f64; 7] {
        [self.syllable, self.ideograph, self.letter, self.word, self.digit, self.clause, self.sentence]
    }
}

/// What takes time when a text is spoken, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sounds {
    syllables: usize,
    ideographs: usize,
    letters: usize,
    words: usize,
    digits: usize,
    clauses: usize,
    sentences: usize,
}

impl Sounds {
    /// Counts the sounds of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut sounds = Self::default();
        let characters: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < characters.len() {
            let from = at;
            let same =
                |kind: fn(char) -> bool| characters[from..].iter().take_while(|character| kind(**character)).count();
            if characters[at].is_numeric() {
                at += same(char::is_numeric);
                sounds.number(&characters[from..at]);
            } else if is_written_by_syllables(characters[at]) {
                sounds.syllable_sign(characters[at]);
                at += 1;
            } else if characters[at].is_alphabetic() {
                at += same(is_of_word);
                sounds.word(&characters[from..at]);
            } else {
                sounds.mark(characters[at], characters.get(at + 1).copied());
                at += 1;
            }
        }
        sounds
    }

    /// The counts in the order of [`Pace::coefficients`].
    #[expect(clippy::cast_precision_loss, reason = "a text has fewer sounds than a float has places")]
    #[must_use]
    pub fn counts(&self) -> [f64; 7] {
        [self.syllables, self.ideographs, self.letters, self.words, self.digits, self.clauses, self.sentences]
            .map(|count| count as f64)
    }

    /// 1492 is said in six words: one thousand four hundred ninety two.
    fn number(&mut self, digits: &[char]) {
        let length = digits.len();
        let silent = |digit: &char| digit.to_digit(10) == Some(0);
        if length > 9 || digits.iter().all(silent) {
            self.digits += length;
            return;
        }
        for (at, digit) in digits.iter().enumerate().filter(|(_, digit)| !silent(digit)) {
            self.digits += 1 + usize::from((length - 1 - at) % 3 == 2 && digit.is_numeric());
        }
        self.digits += usize::from(length > 3) + usize::from(length > 6);
    }

    fn syllable_sign(&mut self, sign: char) {
        if is_han(sign) {
            self.ideographs += 1;
        } else if !matches!(sign, 'ゃ' | 'ゅ' | 'ょ' | 'ャ' | 'ュ' | 'ョ' | 'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ')
        {
            self.syllables += 1;
        }
    }

    fn word(&mut self, word: &[char]) {
        self.words += 1;
        let first = word[0];
        let capitals = word.iter().filter(|letter| letter.is_uppercase()).count();
        self.syllables += match first {
            '\u{AC00}'..='\u{D7A3}' => word.len(),
            '\u{0590}'..='\u{06FF}' | '\u{0E00}'..='\u{0E7F}' => {
                word.iter().filter(|letter| letter.is_alphabetic()).count()
            }
            '\u{0900}'..='\u{097F}' => aksharas(word),
            // "DNA" is said letter by letter.
            _ if (2..=5).contains(&word.len()) && capitals == word.len() => {
                self.letters += 2 * word.len();
                word.len()
            }
            _ => {
                let groups = vowel_groups(word);
                // A consonant by itself is said by its name.
                self.letters += word.iter().filter(|letter| letter.is_alphabetic()).count()
                    + usize::from(word.len() == 1 && groups == 0);
                groups.max(1)
            }
        };
    }

    fn mark(&mut self, mark: char, next: Option<char>) {
        let within = next.is_some_and(char::is_alphanumeric);
        match mark {
            '。' | '！' | '？' | '।' | '۔' | '؟' => self.sentences += 1,
            '，' | '、' | '；' | '：' | '،' | '؛' | '—' | '–' | '(' | ')' => self.clauses += 1,
            '.' | ',' if within && next.is_some_and(char::is_numeric) => self.digits += 1,
            '.' | '!' | '?' | '…' if !within => self.sentences += 1,
            ',' | ';' | ':' if !within => self.clauses += 1,
            _ => {}
        }
    }
}

/// How long a text takes to speak in the language of a tag, in seconds.
#[must_use]
pub fn seconds(tag: &str, text: &str) -> f64 {
    crate::find(tag).map_or(&Pace::UNKNOWN, |language| &language.speech.pace).seconds(&Sounds::of(text))
}

fn is_written_by_syllables(character: char) -> bool {
    is_han(character) || is_kana(character)
}

fn is_of_word(character: char) -> bool {
    let is_mark = is_mark_of_devanagari(character) || is_thai(character) && !character.is_numeric();
    (character.is_alphabetic() || is_mark || matches!(character, '\'' | '’' | '\u{200C}'))
        && !is_written_by_syllables(character)
}

fn is_mark_of_devanagari(character: char) -> bool {
    matches!(character, '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094D}')
}

/// Letters that carry a vowel: a virama takes one away, and the last of a word is silent.
fn aksharas(word: &[char]) -> usize {
    let carriers = word.iter().filter(|letter| matches!(letter, '\u{0904}'..='\u{0939}')).count();
    let joined = word.iter().filter(|letter| **letter == '\u{094D}').count();
    let count = carriers.saturating_sub(joined);
    let silent_end = word.last().is_some_and(|letter| matches!(letter, '\u{0915}'..='\u{0939}'));
    (count - usize::from(silent_end && count > 1)).max(1)
}

fn vowel_groups(word: &[char]) -> usize {
    let is_vowel = |letter: char| {
        let lower = letter.to_lowercase().next().unwrap_or(letter);
        "aeiouyáàâäãåāæéèêëēęěíìîïīıóòôöõøōőœúùûüūůűýÿąаеёиоуыэюяєіїαεηιουω".contains(lower)
    };
    let mut groups = 0;
    let mut inside = false;
    for letter in word {
        let vowel = is_vowel(*letter);
        groups += usize::from(vowel && !inside);
        inside = vowel;
    }
    groups
}
