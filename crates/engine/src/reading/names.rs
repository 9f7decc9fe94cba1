//! What the names of members say, in the languages that course authors write them in.
//!
//! A name is only a hint; [`super::shapes`] looks at the values first. Names compare without case,
//! spaces and punctuation: `correctAnswer`, `correct_answer` and "Correct answer" are one.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::phrases::Phrases;

/// What a member may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Term,
    /// `name` or `title`: a term only next to a definition and little else.
    Title,
    Definition,
    Question,
    Options,
    Answer,
    Explanation,
    Speaker,
    Line,
    When,
    What,
    Step,
    Columns,
    Rows,
    /// Says nothing that a heading should repeat.
    Silent,
    Technical,
    Steps,
    Glossary,
}

const ROLES: [(Role, &[&str]); 18] = [
    (
        Role::Term,
        &[
            "term",
            "word",
            "concept",
            "keyword",
            "expression",
            "phrase",
            "front",
            "vocab",
            "wort",
            "begriff",
            "palabra",
            "término",
            "mot",
            "terme",
            "parola",
            "termine",
            "palavra",
            "termo",
            "woord",
            "begrip",
            "слово",
            "термин",
            "термін",
            "słowo",
            "pojęcie",
            "kelime",
            "kavram",
            "المصطلح",
            "الكلمة",
            "शब्द",
            "词",
            "词语",
            "术语",
            "詞語",
            "単語",
            "用語",
            "語",
            "단어",
            "용어",
        ],
    ),
    (
        Role::Title,
        &[
            "title",
            "name",
            "heading",
            "header",
            "topic",
            "subject",
            "label",
            "titel",
            "überschrift",
            "título",
            "titulo",
            "nombre",
            "titre",
            "nom",
            "titolo",
            "nome",
            "название",
            "назва",
            "tytuł",
            "başlık",
            "العنوان",
            "शीर्षक",
            "标题",
            "タイトル",
            "제목",
        ],
    ),
    (
        Role::Definition,
        &[
            "definition",
            "meaning",
            "translation",
            "description",
            "def",
            "gloss",
            "back",
            "bedeutung",
            "übersetzung",
            "beschreibung",
            "definición",
            "significado",
            "traducción",
            "descripción",
            "définition",
            "signification",
            "traduction",
            "définitions",
            "definizione",
            "significato",
            "traduzione",
            "definição",
            "tradução",
            "betekenis",
            "vertaling",
            "значение",
            "перевод",
            "определение",
            "значення",
            "переклад",
            "znaczenie",
            "tłumaczenie",
            "anlam",
            "التعريف",
            "المعنى",
            "अर्थ",
            "परिभाषा",
            "释义",
            "意思",
            "定义",
            "意味",
            "定義",
            "뜻",
            "정의",
        ],
    ),
    (
        Role::Question,
        &[
            "question",
            "q",
            "prompt",
            "questiontext",
            "frage",
            "pregunta",
            "domanda",
            "pergunta",
            "vraag",
            "вопрос",
            "питання",
            "pytanie",
            "soru",
            "السؤال",
            "प्रश्न",
            "问题",
            "題目",
            "質問",
            "問題",
            "질문",
        ],
    ),
    (
        Role::Options,
        &[
            "options",
            "choices",
            "alternatives",
            "antwortmöglichkeiten",
            "optionen",
            "opciones",
            "choix",
            "opzioni",
            "opções",
            "варианты",
            "варіанти",
            "seçenekler",
            "选项",
            "選択肢",
            "보기",
        ],
    ),
    (
        Role::Answer,
        &[
            "answer",
            "a",
            "answers",
            "correct",
            "correctanswer",
            "correctanswers",
            "correctindex",
            "answerindex",
            "correctoption",
            "solution",
            "antwort",
            "lösung",
            "richtig",
            "respuesta",
            "correcta",
            "réponse",
            "risposta",
            "resposta",
            "antwoord",
            "ответ",
            "відповідь",
            "odpowiedź",
            "cevap",
            "yanıt",
            "الإجابة",
            "الجواب",
            "उत्तर",
            "答案",
            "答え",
            "解答",
            "답",
            "정답",
        ],
    ),
    (
        Role::Explanation,
        &[
            "explanation",
            "rationale",
            "feedback",
            "reason",
            "why",
            "erklärung",
            "begründung",
            "explicación",
            "explication",
            "spiegazione",
            "explicação",
            "uitleg",
            "объяснение",
            "пояснення",
            "解析",
            "解説",
            "해설",
        ],
    ),
    (
        Role::Speaker,
        &[
            "speaker",
            "role",
            "character",
            "person",
            "actor",
            "who",
            "sprecher",
            "rolle",
            "personaje",
            "hablante",
            "personnage",
            "locuteur",
            "personaggio",
            "personagem",
            "spreker",
            "говорящий",
            "المتحدث",
            "说话人",
            "話者",
            "화자",
        ],
    ),
    (
        Role::Line,
        &[
            "line",
            "text",
            "says",
            "said",
            "utterance",
            "message",
            "content",
            "speech",
            "sentence",
            "satz",
            "zeile",
            "frase",
            "línea",
            "réplique",
            "texte",
            "texto",
            "testo",
            "tekst",
            "реплика",
            "текст",
        ],
    ),
    (
        Role::When,
        &[
            "date",
            "year",
            "when",
            "time",
            "period",
            "datum",
            "jahr",
            "zeit",
            "fecha",
            "año",
            "date",
            "année",
            "data",
            "anno",
            "ano",
            "jaar",
            "дата",
            "год",
            "рік",
            "rok",
            "yıl",
            "tarih",
            "السنة",
            "التاريخ",
            "वर्ष",
            "年",
            "年份",
            "日期",
            "年代",
            "연도",
            "날짜",
        ],
    ),
    (
        Role::What,
        &[
            "event",
            "what",
            "happened",
            "milestone",
            "ereignis",
            "evento",
            "acontecimiento",
            "événement",
            "avvenimento",
            "acontecimento",
            "gebeurtenis",
            "событие",
            "подія",
            "wydarzenie",
            "olay",
            "الحدث",
            "घटना",
            "事件",
            "出来事",
            "사건",
        ],
    ),
    (
        Role::Step,
        &[
            "step",
            "instruction",
            "action",
            "do",
            "schritt",
            "anweisung",
            "paso",
            "instrucción",
            "étape",
            "consigne",
            "passo",
            "passaggio",
            "stap",
            "шаг",
            "крок",
            "krok",
            "adım",
            "الخطوة",
            "चरण",
            "步骤",
            "手順",
            "단계",
        ],
    ),
    (Role::Columns, &["columns", "headers", "header", "head", "thead", "spalten", "columnas", "colonnes"]),
    (Role::Rows, &["rows", "data", "body", "tbody", "zeilen", "filas", "lignes", "entries"]),
    (
        Role::Silent,
        &[
            "content",
            "contents",
            "text",
            "body",
            "html",
            "markdown",
            "md",
            "value",
            "values",
            "data",
            "items",
            "list",
            "sections",
            "section",
            "blocks",
            "paragraphs",
            "paragraph",
            "description",
            "desc",
            "inhalt",
            "contenido",
            "texto",
            "contenu",
            "texte",
            "contenuto",
            "testo",
            "conteúdo",
            "inhoud",
            "tekst",
            "treść",
            "текст",
            "содержание",
            "вміст",
            "зміст",
            "içerik",
            "metin",
            "المحتوى",
            "النص",
            "नص",
            "सामग्री",
            "पाठ",
            "内容",
            "正文",
            "本文",
            "文章",
            "내용",
            "본문",
            "prose",
            "passage",
            "lesson",
            "table",
            "records",
            "entries",
            "rows",
            "details",
            "lecture",
            "reading",
        ],
    ),
    (
        Role::Technical,
        &[
            "id",
            "uuid",
            "guid",
            "slug",
            "url",
            "uri",
            "href",
            "link",
            "src",
            "image",
            "imageurl",
            "img",
            "icon",
            "thumbnail",
            "audio",
            "audiourl",
            "video",
            "videourl",
            "file",
            "filename",
            "path",
            "createdat",
            "updatedat",
            "created",
            "updated",
            "version",
            "lang",
            "language",
            "locale",
            "order",
            "index",
            "position",
            "tags",
            "difficulty",
            "level",
            "page",
            "pages",
            "isbn",
            "hash",
            "format",
            "author",
            "license",
            "published",
            "ispublished",
            "status",
            "color",
            "duration",
            "durationminutes",
            "minutes",
            "points",
            "weight",
            "xp",
        ],
    ),
    (
        Role::Steps,
        &[
            "steps",
            "procedure",
            "instructions",
            "method",
            "methods",
            "directions",
            "howto",
            "process",
            "algorithm",
            "recipe",
            "anleitung",
            "schritte",
            "ablauf",
            "durchführung",
            "vorgehen",
            "pasos",
            "procedimiento",
            "instrucciones",
            "étapes",
            "procédure",
            "passaggi",
            "procedimento",
            "passi",
            "passos",
            "stappen",
            "werkwijze",
            "kroki",
            "шаги",
            "кроки",
            "ход работы",
            "adımlar",
            "الخطوات",
            "خطوات",
            "चरण",
            "विधि",
            "步骤",
            "步驟",
            "手順",
            "단계",
            "절차",
        ],
    ),
    (
        Role::Glossary,
        &[
            "vocabulary",
            "glossary",
            "terms",
            "keyterms",
            "definitions",
            "words",
            "wordlist",
            "vocab",
            "flashcards",
            "concepts",
            "keyconcepts",
            "wortschatz",
            "vokabeln",
            "glossar",
            "begriffe",
            "vocabulario",
            "glosario",
            "términos",
            "palabras",
            "vocabulaire",
            "glossaire",
            "termes",
            "vocabolario",
            "glossario",
            "vocabulário",
            "woordenlijst",
            "słownictwo",
            "словарь",
            "термины",
            "словник",
            "терміни",
            "sözcükler",
            "المفردات",
            "المصطلحات",
            "शब्दावली",
            "词汇",
            "術語",
            "术语",
            "単語",
            "語彙",
            "用語",
            "어휘",
            "용어",
        ],
    ),
];

/// The roles of each known name, as bits.
static BY_NAME: LazyLock<HashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut by_name = HashMap::new();
    for (role, names) in &ROLES {
        for name in *names {
            *by_name.entry(*name).or_default() |= 1 << *role as u32;
        }
    }
    by_name
});

/// Whether a name can play a role. A name may have several.
pub(crate) fn has_role(name: &str, role: Role) -> bool {
    BY_NAME.get(fold(name).as_str()).is_some_and(|roles| roles & (1 << role as u32) != 0)
}

/// The name without case and separators. Long names are prose, so only their beginning counts.
pub(super) fn fold(name: &str) -> String {
    name.chars()
        .take(40)
        .filter(|character| character.is_alphanumeric() || !character.is_ascii())
        .flat_map(char::to_lowercase)
        .collect()
}

/// A label for readers: the phrase table's word for a usual name, else the name itself, with
/// `camelCase`, `snake_case` and `kebab-case` taken apart.
pub(crate) fn label(name: &str, phrases: &Phrases) -> String {
    let usual = match fold(name).as_str() {
        "steps" | "procedure" | "instructions" => phrases.steps,
        "vocabulary" | "glossary" | "wordlist" | "vocab" => phrases.vocabulary,
        "terms" | "keyterms" | "keyconcepts" => phrases.key_terms,
        "questions" | "quiz" | "exercises" => phrases.questions,
        "dialogue" | "dialog" | "conversation" => phrases.dialogue,
        "timeline" | "events" | "chronology" => phrases.timeline,
        "examples" => phrases.examples,
        "materials" => phrases.materials,
        "answer" | "solution" => phrases.answer,
        "objectives" | "learningobjectives" | "goals" => phrases.objectives,
        _ => "",
    };
    let own = [
        phrases.steps,
        phrases.vocabulary,
        phrases.key_terms,
        phrases.questions,
        phrases.dialogue,
        phrases.timeline,
        phrases.examples,
        phrases.materials,
        phrases.objectives,
    ];
    let plain = unaccented(&fold(name));
    let found = own.into_iter().find(|own| unaccented(&fold(own)) == plain).unwrap_or(usual);
    if found.is_empty() { humanise(name) } else { found.to_owned() }
}

/// Keys are often written without the accents that the word has.
fn unaccented(text: &str) -> String {
    const ACCENTS: [(&str, char); 8] = [
        ("áàâãäå", 'a'),
        ("éèêë", 'e'),
        ("íìîï", 'i'),
        ("óòôõö", 'o'),
        ("úùûü", 'u'),
        ("ç", 'c'),
        ("ñ", 'n'),
        ("ş", 's'),
    ];
    text.chars()
        .map(|character| {
            ACCENTS.iter().find(|(accented, _)| accented.contains(character)).map_or(character, |(_, plain)| *plain)
        })
        .collect()
}

/// "learningGoals" is "Learning goals", "pH" stays "pH", "HTTPServer" is "HTTP server".
pub(crate) fn humanise(name: &str) -> String {
    let name = super::inline::squeeze(name);
    let identifier = !name.contains(' ') && name.is_ascii() && name.len() <= 60 && name.len() > 2;
    if !identifier {
        return capitalise(&name);
    }
    let mut words: Vec<String> = Vec::new();
    let characters: Vec<char> = name.chars().collect();
    for (at, character) in characters.iter().enumerate() {
        let after_lower = at > 0 && characters[at - 1].is_ascii_lowercase();
        let before_lower = at > 0
            && characters[at - 1].is_ascii_uppercase()
            && characters.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let starts = character.is_ascii_uppercase() && (after_lower || before_lower);
        match character {
            '_' | '-' | '.' if !words.is_empty() => words.push(String::new()),
            _ if starts || words.is_empty() => words.push(character.to_string()),
            _ => {
                if let Some(word) = words.last_mut() {
                    word.push(*character);
                }
            }
        }
    }
    words.retain(|word| !word.is_empty());
    for word in &mut words {
        let vowels = word.bytes().any(|byte| b"aeiouyAEIOUY".contains(&byte));
        if !vowels && (3..=5).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            word.make_ascii_uppercase();
        }
    }
    for word in words.iter_mut().skip(1) {
        let acronym = word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        if !acronym {
            *word = word.to_lowercase();
        }
    }
    capitalise(&words.join(" "))
}

/// The first letter upper case, unless the word is written like "pH".
pub(crate) fn capitalise(text: &str) -> String {
    let mut characters = text.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(first), second) if !second.is_some_and(char::is_uppercase) => {
            first.to_uppercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_labels() {
        for (name, label) in [
            ("learningGoals", "Learning goals"),
            ("atomic_number", "Atomic number"),
            ("pH", "pH"),
            ("HTTPServer", "HTTP server"),
            ("größe", "Größe"),
            ("Already fine", "Already fine"),
        ] {
            assert_eq!(humanise(name), label);
        }
    }

    #[test]
    fn roles_ignore_case_and_separators() {
        assert!(has_role("Correct_Answer", Role::Answer));
        assert!(has_role("BEDEUTUNG", Role::Definition));
        assert!(!has_role("colour", Role::Term));
    }
}
