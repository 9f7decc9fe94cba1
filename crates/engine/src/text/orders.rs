//! Prompts that order something: "Create ten questions about the water cycle for grade 5".
//!
//! A prompt tells a teacher what to make and says in passing what it is about. Here the one is told
//! from the other: the topic, the number of items asked for, and sentences that teach nothing. What is
//! known of single languages is data of [`language::Orders`]; in any other language a prompt is
//! taken for a topic as it stands.

use std::ops::Deref;

use language::Orders;
use language::script::is_unspaced;
use unicode_segmentation::UnicodeSegmentation;

/// Longest order that is looked into, in words and bytes; what is longer is prose.
const MAX_WORDS: usize = 60;
const MAX_BYTES: usize = 1_000;
/// What is ordered is named in the first words, where no verb says that it is an order.
const EARLY: usize = 5;
/// Counts questions, right behind a number.
const COUNTERS: [&str; 8] = ["道", "题", "題", "問", "문항", "문제", "개", "ข้อ"];
/// Most items that an order can ask for.
const MAX_ITEMS: usize = 30;

/// The words of a language; none where it is not known.
pub(crate) fn of(tag: &str) -> Option<Words> {
    language::find_teaching(tag).map(|teaching| Words(&teaching.orders))
}

/// The words that orders of a language are made of.
#[derive(Clone, Copy)]
pub(crate) struct Words(&'static Orders);

impl Deref for Words {
    type Target = Orders;

    fn deref(&self) -> &Orders {
        self.0
    }
}

impl Words {
    /// Whether a sentence is an order itself, by the word it begins (or in some languages ends) with.
    pub(crate) fn commands(&self, sentence: &str) -> bool {
        let lower = beginning(sentence).to_lowercase();
        if self.unspaced() && self.verb_last() {
            let tail = lower.char_indices().rev().nth(9).map_or(0, |(at, _)| at);
            return holds_any(&lower[tail..], self.make);
        }
        if self.unspaced() {
            return self.make.split(' ').any(|word| lower.trim_start().starts_with(word));
        }
        let words: Vec<&str> = lower.unicode_words().take(MAX_WORDS).collect();
        let last = words.last().filter(|_| self.verb_last());
        words.first().into_iter().chain(last).any(|word| is_one_of(word, self.make))
    }

    /// What a sentence orders something about; none when it is no order.
    pub(crate) fn ordered<'t>(&self, sentence: &'t str) -> Option<&'t str> {
        let topic = self.topic(sentence)?;
        let early = || words_of(sentence).iter().take(EARLY).any(|word| is_one_of(&word.lower, self.thing));
        (self.commands(sentence) || self.unspaced() || early()).then_some(topic)
    }

    /// Whether a sentence orders how the work is to be: "Use four options in each question."
    pub(crate) fn orders_work(&self, sentence: &str) -> bool {
        // The verb may be the name of the work as well: "Test statistics" orders nothing.
        let rest = sentence.trim().split_once(' ').map_or("", |(_, rest)| rest);
        self.commands(sentence) && self.speaks_of_work(if self.unspaced() { sentence } else { rest })
    }

    /// Whether a sentence orders, addresses or speaks of learners and questions: it is no teaching.
    pub(crate) fn orders(&self, sentence: &str) -> bool {
        self.commands(sentence) || self.speaks_of_work(sentence)
    }

    /// Whether a text speaks of learners, of what is ordered or to whoever makes it.
    pub(crate) fn speaks_of_work(&self, sentence: &str) -> bool {
        let lower = beginning(sentence).to_lowercase();
        if self.unspaced() {
            return holds_any(&lower, self.thing) || holds_any(&lower, self.people);
        }
        let lists = [self.thing, self.people, self.address];
        lower.unicode_words().take(MAX_WORDS).any(|word| lists.iter().any(|list| is_one_of(word, list)))
    }

    /// Whether a label says only that topics follow.
    pub(crate) fn heads_topics(&self, label: &str) -> bool {
        let lower = beginning(label).to_lowercase();
        if self.unspaced() {
            return label.chars().count() <= 6 && holds_any(&lower, self.topic);
        }
        lower.unicode_words().count() <= 3 && lower.unicode_words().any(|word| is_one_of(word, self.topic))
    }

    /// Whether a text speaks of learners.
    pub(crate) fn names_people(&self, text: &str) -> bool {
        let lower = beginning(text).to_lowercase();
        if self.unspaced() {
            return holds_any(&lower, self.people);
        }
        lower.unicode_words().any(|word| is_one_of(word, self.people))
    }

    /// What an order is about; none when the sentence is no order, or says it in no way known here.
    pub(crate) fn topic<'t>(&self, sentence: &'t str) -> Option<&'t str> {
        let sentence = sentence.trim().trim_end_matches(['.', '!', '?', '。', '！', '？', '।', '؟', ':', '：']);
        if sentence.len() > MAX_BYTES {
            return None;
        }
        let found = if self.unspaced() { self.topic_unspaced(sentence) } else { self.topic_spaced(sentence) }?;
        let found = found.trim_matches(|character: char| !character.is_alphanumeric() && !is_bracket(character));
        let found = found.trim_start_matches(')').trim_end_matches('(').trim();
        found.chars().any(char::is_alphanumeric).then_some(found)
    }

    fn topic_spaced<'t>(&self, sentence: &'t str) -> Option<&'t str> {
        let words: Vec<Word> = words_of(sentence);
        if words.len() > MAX_WORDS {
            return None;
        }
        let thing = words.iter().position(|word| is_one_of(&word.lower, self.thing));
        let made = words.iter().take(3).position(|word| is_one_of(&word.lower, self.make));
        let start = thing.or(made)?;
        // An order of the other kind ends with its verb: "… hakkında test hazırla".
        if let Some(end) = self
            .about_after
            .split('|')
            .filter(|mark| !mark.is_empty())
            .find_map(|mark| sentence.find(mark).filter(|at| *at > 0))
        {
            return Some(&sentence[..end]);
        }
        let behind = |list: &str| {
            words[start + 1..].iter().position(|word| is_one_of(&word.lower, list)).map(|at| start + 1 + at + 1)
        };
        let from =
            behind(self.about).or_else(|| behind(self.of)).or(if thing.is_none() { Some(start + 1) } else { None })?;
        let mut topic = &words[from.min(words.len())..];
        // "on the topic of …" says no more than "on …".
        if let Some(at) = topic.iter().take(3).position(|word| is_one_of(&word.lower, self.topic)) {
            // A capital begins a name: "zum Thema „Der Erste Weltkrieg“".
            let small = |word: &Word| sentence[word.start..].starts_with(char::is_lowercase);
            let of = topic.get(at + 1).is_some_and(|word| is_one_of(&word.lower, self.of) && small(word));
            topic = &topic[at + 1 + usize::from(of)..];
        }
        let first = topic.first()?;
        let end = self.end_of_topic(topic).unwrap_or(sentence.len());
        let topic = &sentence[first.start..end.max(first.end)];
        let closes = sentence[first.start + topic.len()..].starts_with(')') && topic.contains('(');
        Some(&sentence[first.start..first.start + topic.len() + usize::from(closes)])
    }

    /// Where the topic ends because what follows says for whom or how much: "for grade 5", "with 10 items".
    fn end_of_topic(&self, topic: &[Word]) -> Option<usize> {
        (1..topic.len()).find_map(|at| {
            let limited = is_one_of(&topic[at].lower, self.limit)
                && topic[at + 1..].iter().take(4).any(|word| {
                    is_one_of(&word.lower, self.people)
                        || is_one_of(&word.lower, self.thing)
                        || word.lower.starts_with(|first: char| first.is_ascii_digit())
                });
            limited.then(|| topic[at - 1].end)
        })
    }

    fn topic_unspaced<'t>(&self, sentence: &'t str) -> Option<&'t str> {
        let made = self.make.split(' ').any(|word| sentence.contains(word)) || holds_any(sentence, self.thing);
        if !made {
            return None;
        }
        if let Some(end) =
            self.about_after.split('|').filter(|mark| !mark.is_empty()).find_map(|mark| sentence.find(mark))
        {
            let about = self.about.split(' ').filter(|mark| !mark.is_empty());
            let from = about.filter_map(|mark| Some(sentence[..end].find(mark)? + mark.len())).max().unwrap_or(0);
            return Some(&sentence[from..end]).filter(|topic| !topic.is_empty());
        }
        let from = self
            .about
            .split(' ')
            .filter(|mark| !mark.is_empty())
            .find_map(|mark| sentence.find(mark).map(|at| at + mark.len()))?;
        let rest = &sentence[from..];
        let cut = self.of.split(' ').flat_map(|of| self.thing.split(' ').map(move |thing| format!("{of}{thing}")));
        let people = || self.people.split(' ').filter(|word| !word.is_empty());
        let limits = self.limit.split(' ').filter(|limit| !limit.is_empty());
        let limits = limits.flat_map(|limit| people().map(move |people| format!("{limit}{people}")));
        let end = cut.chain(limits).filter_map(|mark| rest.find(&mark)).min().unwrap_or(rest.len());
        Some(&rest[..end])
    }

    /// How many items a text asks for: "10 questions", "5 multiple-choice items", "10道题".
    pub(crate) fn items(&self, text: &str) -> Option<usize> {
        let text = beginning(text);
        let mut at = 0;
        while let Some(start) = text[at..].find(|character: char| character.is_ascii_digit()).map(|found| at + found) {
            let digits = text[start..].bytes().take_while(u8::is_ascii_digit).count();
            at = start + digits;
            let near: String = text[at..].chars().take(40).flat_map(char::to_lowercase).collect();
            let counted = COUNTERS.iter().any(|counter| near.trim_start().starts_with(counter));
            let asked = counted
                || if self.unspaced() {
                    let close: String = near.chars().take(6).collect();
                    holds_any(&close, self.thing)
                } else {
                    near.unicode_words().take(3).any(|word| is_one_of(word, self.thing))
                };
            let tied = text[..start].ends_with(|before: char| before.is_alphanumeric() && !is_unspaced(before));
            if let Some(number) = text[start..at].parse().ok().filter(|number| asked && !tied && *number > 0) {
                return Some(MAX_ITEMS.min(number));
            }
        }
        None
    }

    /// The topic stands in front, so the verb comes at the end.
    pub(crate) fn verb_last(&self) -> bool {
        self.about.is_empty()
    }

    fn unspaced(&self) -> bool {
        self.make.starts_with(is_unspaced)
    }
}

struct Word {
    start: usize,
    end: usize,
    lower: String,
}

fn words_of(sentence: &str) -> Vec<Word> {
    sentence
        .unicode_word_indices()
        .take(MAX_WORDS + 1)
        .map(|(start, text)| Word { start, end: start + text.len(), lower: text.to_lowercase() })
        .collect()
}

/// Whether a word is in a list; a listed word that ends in `*` stands for all that begin like it.
fn is_one_of(word: &str, list: &str) -> bool {
    list.split(' ').filter(|listed| !listed.is_empty()).any(|listed| match listed.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => word == listed,
    })
}

fn holds_any(text: &str, list: &str) -> bool {
    list.split(' ').any(|word| !word.is_empty() && text.contains(word))
}

/// A bracket that may belong to a topic; quotation marks do not.
fn is_bracket(character: char) -> bool {
    matches!(character, '(' | ')' | '[' | ']')
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(language: &str, sentence: &str) -> Option<String> {
        of(language).and_then(|words| words.topic(sentence)).map(str::to_owned)
    }

    #[test]
    fn an_order_says_what_it_is_about() {
        let cases = [
            ("en", "Create a quiz about the water cycle for grade 5 students.", "the water cycle"),
            ("en", "Please write 10 multiple-choice questions on cell division with 4 options each", "cell division"),
            ("en", "Test knowledge of fractions", "fractions"),
            ("en", "Explain photosynthesis!", "photosynthesis"),
            ("en", "I need a test on the causes of World War I", "the causes of World War I"),
            ("de", "Erstelle einen Test über die Französische Revolution für Klasse 8", "die Französische Revolution"),
            ("de", "Bitte 5 Fragen zu Brüchen", "Brüchen"),
            ("de", "Ich brauche einen Test zum Thema Bruchrechnung", "Bruchrechnung"),
            ("es", "Crea un test sobre el tema de la célula", "la célula"),
            ("es", "Crea un cuestionario sobre la célula para alumnos de primaria", "la célula"),
            ("fr", "Crée un quiz sur la photosynthèse pour des élèves de 5e", "la photosynthèse"),
            ("pt", "Cria um teste sobre o ciclo da água", "o ciclo da água"),
            ("it", "Crea un quiz sulla fotosintesi", "fotosintesi"),
            ("nl", "Maak een toets over de Gouden Eeuw", "de Gouden Eeuw"),
            ("pl", "Przygotuj test o fotosyntezie dla uczniów klasy 5", "fotosyntezie"),
            ("ru", "Создай тест о фотосинтезе для учеников 6 класса", "фотосинтезе"),
            ("uk", "Створи тест про фотосинтез", "фотосинтез"),
            ("en", "A test on the Civil War (1861-1865) for students", "the Civil War (1861-1865)"),
            ("de", "Erstelle 5 Fragen zum Thema „Der Erste Weltkrieg“ für Klasse 9", "Der Erste Weltkrieg"),
            ("uk", "Склади тест на тему «Будова клітини»", "Будова клітини"),
            ("ar", "اكتب 5 أسئلة عن النظام الشمسي لطلاب الصف السادس", "النظام الشمسي"),
            ("zh", "生成一份以太阳系为主题的测验", "太阳系"),
            ("tr", "Fotosentez hakkında bir test hazırla", "Fotosentez"),
            ("ar", "أنشئ اختبارًا عن الخلية", "الخلية"),
            ("hi", "प्रकाश संश्लेषण के बारे में 10 प्रश्न बनाइए", "प्रकाश संश्लेषण"),
            ("zh", "请出一份关于光合作用的测验", "光合作用"),
            ("ja", "光合成についてのテストを作ってください", "光合成"),
            ("ko", "광합성에 대한 시험을 만들어 주세요", "광합성"),
            ("th", "สร้างแบบทดสอบเกี่ยวกับระบบสุริยะสำหรับนักเรียนชั้น ป.5", "ระบบสุริยะ"),
            ("th", "ช่วยออกข้อสอบ 10 ข้อ เรื่องการสังเคราะห์ด้วยแสง", "การสังเคราะห์ด้วยแสง"),
        ];
        for (language, sentence, expected) in cases {
            assert_eq!(topic(language, sentence).as_deref(), Some(expected), "{sentence}");
            assert!(of(language).unwrap().orders(sentence), "{sentence}");
        }
    }

    #[test]
    fn teaching_is_no_order() {
        for (language, sentence) in [
            ("en", "Photosynthesis is the process by which plants make sugar."),
            ("en", "The water cycle"),
            ("de", "Die Zelle ist die kleinste Einheit des Lebens."),
            ("zh", "光合作用是植物利用光能制造养分的过程。"),
            ("ja", "光合成とは、植物が養分を作るはたらきである。"),
            ("ru", "Клетка — это основа жизни."),
            ("zh", "植物在光下生成养分。"),
            ("th", "พืชสร้างอาหารด้วยการสังเคราะห์ด้วยแสง"),
            ("th", "การสังเคราะห์ด้วยแสง หมายถึง กระบวนการที่พืชใช้แสงสร้างอาหาร"),
        ] {
            assert_eq!(topic(language, sentence), None, "{sentence}");
            assert!(!of(language).unwrap().orders(sentence), "{sentence}");
        }
    }

    #[test]
    fn items_are_counted_where_a_number_asks_for_them() {
        let items = |language: &str, text: &str| of(language).unwrap().items(text);
        assert_eq!(items("en", "In 1914 … write 12 multiple-choice questions"), Some(12));
        assert_eq!(items("en", "500 questions"), Some(30));
        assert_eq!(items("en", "World War 2 and 3 causes"), None);
        assert_eq!(items("de", "Bitte 5 Fragen"), Some(5));
        assert_eq!(items("zh", "请生成5道关于太阳系的选择题"), Some(5));
        assert_eq!(items("ja", "クイズを5問作成してください"), Some(5));
        assert_eq!(items("ko", "문제 5개를 만들어 주세요"), Some(5));
        assert_eq!(items("th", "สร้างแบบทดสอบ 10 ข้อเกี่ยวกับระบบสุริยะ"), Some(10));
    }
}
