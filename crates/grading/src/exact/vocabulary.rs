//! Words that say something about an answer without being it, in the languages of the phrase tables together.
//!
//! They are folded (lower case, no diacritics), as [`super::folding`] makes them.

use std::borrow::Cow;

use super::folding;

/// Take back what stands in their clause.
const NEGATORS: [&str; 42] = [
    "not",
    "isnt",
    "no",
    "never",
    "neither",
    "nor",
    "cannot",
    "cant",
    "wasnt",
    "arent",
    "doesnt",
    "dont",
    "except",
    "nicht",
    "kein",
    "keine",
    "nie",
    "pas",
    "jamais",
    "ni",
    "nunca",
    "tampoco",
    "nao",
    "non",
    "mai",
    "niet",
    "geen",
    "не",
    "нет",
    "ни",
    "немає",
    "ні",
    "degil",
    "degildir",
    "ليس",
    "ليست",
    "لا",
    "नहीं",
    "नही",
    "不是",
    "ではない",
    "아니다",
];

/// Stand between alternatives.
const ALTERNATIVES: [&str; 17] = [
    "or", "either", "oder", "entweder", "ou", "soit", "o", "oppure", "u", "of", "lub", "albo", "или", "або", "veya",
    "أو", "या",
];

/// Begin a clause that corrects the one before.
pub(super) const TURNS: [&str; 14] =
    ["but", "rather", "instead", "sondern", "mais", "sino", "pero", "mas", "ma", "bensi", "lecz", "а", "но", "maar"];

/// Hold a sentence together; none of them is an answer.
const FUNCTION_WORDS: &str = " a an the is are was were be been being am its it this that these those he she they i we you my our \
    answer answers correct right than then final result solution value equals called named known think believe guess would should will \
    say my of in on at to for by with from as and so therefore thus hence because since then which who whom whose there here \
    one ones has have had do does did can may must also just only simply probably maybe perhaps sure definitely please thanks \
    der die das den dem des ein eine einen einem einer ist sind war waren es er sie wir ich heisst heissen lautet antwort \
    richtige losung ergebnis glaube denke und mit von im in zu zur zum fur auf aus bei als also daher wohl \
    le la les l un une des du de d est sont etait etaient c ce cette ces il elle on je nous reponse resultat solution crois \
    pense et dans en au aux pour par avec que qui donc \
    el los las lo una unos unas es son fue era eran ser del al y e respuesta resultado solucion creo pienso se llama que por con \
    o os as um uma uns umas foi do da dos das no na nos nas em resposta acho penso \
    il lo gli i uno sono era fu di della dello dei delle risposta risultato soluzione credo penso nel nella \
    het een zijn was waren van antwoord denk dat dit \
    jest sa byl byla bylo to ta ten odpowiedz mysle w z na i oraz \
    это был была было ответ думаю я в на с и есть є це відповідь \
    bu bir cevap ve dir هو هي في من إلى الجواب الإجابة و है हैं था उत्तर का की के में 是 的 答案 です は の 이다 은 는 이 가 ";

/// Put a value to what stands before them.
const COPULAS: [&str; 34] = [
    "is",
    "are",
    "was",
    "were",
    "equals",
    "equal",
    "be",
    "answer",
    "result",
    "namely",
    "ist",
    "sind",
    "war",
    "heisst",
    "lautet",
    "ergibt",
    "betragt",
    "est",
    "sont",
    "etait",
    "vaut",
    "es",
    "son",
    "fue",
    "era",
    "e",
    "sao",
    "foi",
    "sono",
    "jest",
    "это",
    "равен",
    "равно",
    "bu",
];

/// True, in words.
const TRUE: &str = " true yes correct right t y wahr ja richtig stimmt korrekt vrai oui exact juste verdadero verdadera si cierto \
    correcto verdadeiro verdadeira sim certo correto vero giusto corretto waar juist klopt prawda tak prawdziwe prawdziwy poprawnie \
    да верно правда правильно істина так правильно вірно dogru evet صحيح نعم صح सही हाँ हां सत्य 对 是 正确 對 正確 真 はい 正しい 예 네 참 맞다 ";
/// False, in words.
const FALSE: &str = " false no incorrect wrong f n untrue falsch nein unwahr inkorrekt faux non incorrecte falso falsa incorrecto nao \
    incorreto errado errada sbagliato scorretto errato onwaar onjuist nee fout falsz nieprawda nie falszywe нет неверно ложь \
    неправда неправильно ні хибно невірно yanlis hayir خطا خطأ لا गलत नहीं असत्य 错 否 不是 错误 錯 假 いいえ 正しくない 아니요 아니오 거짓 ";

/// What text that talks to whoever grades it says. Lower case, diacritics kept.
const ORDERS: [&str; 60] = [
    "ignore the above",
    "ignore the reference",
    "ignore the rubric",
    "ignore the instruction",
    "ignore the previous",
    "ignore the question",
    "ignore all",
    "ignore any",
    "ignore previous",
    "ignore your",
    "ignore everything",
    "disregard",
    "forget the above",
    "forget all",
    "forget previous",
    "mark this",
    "mark it",
    "mark my",
    "mark as",
    "mark the answer",
    "mark correct",
    "full marks",
    "full credit",
    "full score",
    "full points",
    "maximum score",
    "maximum points",
    "give me",
    "award ",
    "grade this",
    "grade it",
    "grade my",
    "score this",
    "score: ",
    "score of",
    "correct answer is now",
    "reference is now",
    "reference answer is",
    "new instruction",
    "system:",
    "system prompt",
    "assistant:",
    "dear grader",
    "as a grader",
    "the grader",
    "you are a",
    "you are now",
    "ignoriere",
    "volle punktzahl",
    "bewerte",
    "ignora ",
    "ignore tout",
    "ignorez",
    "note maximale",
    "игнорируй",
    "忽略",
    "满分",
    "無視",
    "<|system",
    "</",
];

/// The word without marks, as the lists have it.
fn unmarked(word: &str) -> Cow<'_, str> {
    if word.is_ascii() { Cow::Borrowed(word) } else { Cow::Owned(folding::words(word, "en").concat()) }
}

fn holds(list: &str, word: &str) -> bool {
    let word = &*unmarked(word);
    !word.is_empty() && list.split_ascii_whitespace().any(|one| one == word)
}

pub(super) fn is_negator(word: &str) -> bool {
    NEGATORS.contains(&&*unmarked(word))
}

pub(super) fn is_alternative(word: &str) -> bool {
    ALTERNATIVES.contains(&&*unmarked(word))
}

pub(super) fn is_function_word(word: &str) -> bool {
    holds(FUNCTION_WORDS, word)
}

pub(super) fn is_copula(word: &str) -> bool {
    COPULAS.contains(&&*unmarked(word))
}

/// What a word says of the truth.
pub(super) fn truth(word: &str) -> Option<bool> {
    if holds(TRUE, word) { Some(true) } else { holds(FALSE, word).then_some(false) }
}

/// Whether a sentence talks to whoever grades it.
pub(super) fn is_order(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    ORDERS.iter().any(|order| lower.contains(order))
}
