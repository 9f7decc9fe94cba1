//! The fixed words of a page, in the languages that the generator writes in.

/// The words of a language.
pub(super) struct Labels {
    pub(super) questions: &'static str,
    pub(super) check: &'static str,
    pub(super) right: &'static str,
    pub(super) wrong: &'static str,
    pub(super) answer: &'static str,
    pub(super) answers: &'static str,
    pub(super) several: &'static str,
}

/// The words for a language tag; English where there are none.
pub(super) fn labels(language: &str) -> &'static Labels {
    let primary = language.split('-').next().unwrap_or_default().to_lowercase();
    LABELS.iter().find(|(tag, _)| *tag == primary).map_or(&LABELS[0].1, |(_, labels)| labels)
}

/// Whether the language is written from right to left.
pub(super) fn is_right_to_left(language: &str) -> bool {
    let primary = language.split('-').next().unwrap_or_default().to_lowercase();
    matches!(primary.as_str(), "ar" | "dv" | "fa" | "he" | "ku" | "ps" | "ur" | "yi")
}

const LABELS: [(&str, Labels); 17] = [
    (
        "en",
        Labels {
            questions: "Questions",
            check: "Check the answer",
            right: "Right",
            wrong: "Not right",
            answer: "Answer:",
            answers: "Answers",
            several: "More than one answer may be right.",
        },
    ),
    (
        "ar",
        Labels {
            questions: "أسئلة",
            check: "تحقق من الإجابة",
            right: "صحيح",
            wrong: "غير صحيح",
            answer: "الإجابة:",
            answers: "الإجابات",
            several: "قد تكون أكثر من إجابة صحيحة.",
        },
    ),
    (
        "de",
        Labels {
            questions: "Fragen",
            check: "Antwort prüfen",
            right: "Richtig",
            wrong: "Nicht richtig",
            answer: "Antwort:",
            answers: "Antworten",
            several: "Mehrere Antworten können richtig sein.",
        },
    ),
    (
        "es",
        Labels {
            questions: "Preguntas",
            check: "Comprobar la respuesta",
            right: "Correcto",
            wrong: "Incorrecto",
            answer: "Respuesta:",
            answers: "Respuestas",
            several: "Puede haber más de una respuesta correcta.",
        },
    ),
    (
        "fr",
        Labels {
            questions: "Questions",
            check: "Vérifier la réponse",
            right: "Juste",
            wrong: "Pas juste",
            answer: "Réponse :",
            answers: "Réponses",
            several: "Plusieurs réponses peuvent être justes.",
        },
    ),
    (
        "hi",
        Labels {
            questions: "प्रश्न",
            check: "उत्तर जाँचें",
            right: "सही",
            wrong: "सही नहीं",
            answer: "उत्तर:",
            answers: "उत्तर",
            several: "एक से अधिक उत्तर सही हो सकते हैं।",
        },
    ),
    (
        "it",
        Labels {
            questions: "Domande",
            check: "Controlla la risposta",
            right: "Giusto",
            wrong: "Non giusto",
            answer: "Risposta:",
            answers: "Risposte",
            several: "Più di una risposta può essere giusta.",
        },
    ),
    (
        "ja",
        Labels {
            questions: "問題",
            check: "答えを確かめる",
            right: "正解",
            wrong: "不正解",
            answer: "答え：",
            answers: "答え",
            several: "正しい答えは複数あるかもしれません。",
        },
    ),
    (
        "ko",
        Labels {
            questions: "문제",
            check: "정답 확인",
            right: "정답",
            wrong: "오답",
            answer: "정답:",
            answers: "정답",
            several: "정답이 여러 개일 수 있습니다.",
        },
    ),
    (
        "nl",
        Labels {
            questions: "Vragen",
            check: "Antwoord controleren",
            right: "Goed",
            wrong: "Niet goed",
            answer: "Antwoord:",
            answers: "Antwoorden",
            several: "Er kan meer dan één antwoord goed zijn.",
        },
    ),
    (
        "pl",
        Labels {
            questions: "Pytania",
            check: "Sprawdź odpowiedź",
            right: "Dobrze",
            wrong: "Źle",
            answer: "Odpowiedź:",
            answers: "Odpowiedzi",
            several: "Poprawna może być więcej niż jedna odpowiedź.",
        },
    ),
    (
        "pt",
        Labels {
            questions: "Perguntas",
            check: "Verificar a resposta",
            right: "Certo",
            wrong: "Errado",
            answer: "Resposta:",
            answers: "Respostas",
            several: "Pode haver mais de uma resposta certa.",
        },
    ),
    (
        "ru",
        Labels {
            questions: "Вопросы",
            check: "Проверить ответ",
            right: "Верно",
            wrong: "Неверно",
            answer: "Ответ:",
            answers: "Ответы",
            several: "Верных ответов может быть несколько.",
        },
    ),
    (
        "tr",
        Labels {
            questions: "Sorular",
            check: "Yanıtı denetle",
            right: "Doğru",
            wrong: "Doğru değil",
            answer: "Yanıt:",
            answers: "Yanıtlar",
            several: "Birden fazla yanıt doğru olabilir.",
        },
    ),
    (
        "uk",
        Labels {
            questions: "Запитання",
            check: "Перевірити відповідь",
            right: "Правильно",
            wrong: "Неправильно",
            answer: "Відповідь:",
            answers: "Відповіді",
            several: "Правильних відповідей може бути кілька.",
        },
    ),
    (
        "zh",
        Labels {
            questions: "题目",
            check: "检查答案",
            right: "正确",
            wrong: "不正确",
            answer: "答案：",
            answers: "答案",
            several: "可能有多个正确答案。",
        },
    ),
    (
        "sv",
        Labels {
            questions: "Frågor",
            check: "Kontrollera svaret",
            right: "Rätt",
            wrong: "Inte rätt",
            answer: "Svar:",
            answers: "Svar",
            several: "Mer än ett svar kan vara rätt.",
        },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_in_the_language_and_else_in_english() {
        assert_eq!(labels("de-AT").right, "Richtig");
        assert_eq!(labels("xx").right, "Right");
        assert_eq!(labels("").right, "Right");
        assert!(is_right_to_left("ar-EG") && !is_right_to_left("en"));
    }
}
