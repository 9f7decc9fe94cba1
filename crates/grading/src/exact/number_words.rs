//! Numbers in words: composed in English, single words in other languages.

/// The text with a number in words at its start written in digits; `None` where there is none.
pub(super) fn in_digits(text: &str) -> Option<String> {
    if !text.starts_with(char::is_alphabetic) {
        return None;
    }
    let lower = text.to_lowercase();
    let (sign, lower) = ["minus ", "negative ", "moins ", "menos ", "meno ", "минус "]
        .iter()
        .find_map(|word| Some(("-", lower.strip_prefix(word)?)))
        .unwrap_or(("", lower.as_str()));
    let (value, rest) = english(lower).or_else(|| other_language(lower))?;
    Some(format!("{sign}{value}{}{rest}", if rest.is_empty() { "" } else { " " }))
}

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const GROUPS: [(&str, u64); 4] =
    [("thousand", 1_000), ("million", 1_000_000), ("billion", 1_000_000_000), ("trillion", 1_000_000_000_000)];
const PARTS: [(&str, u64); 10] = [
    ("half", 2),
    ("third", 3),
    ("quarter", 4),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
];

/// The number that English words begin with, in digits, and the words behind it.
fn english(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split([' ', '-']).filter(|word| !word.is_empty()).take(40).collect();
    let (mut total, mut group) = (0_u64, None::<u64>);
    let mut used = 0;
    let mut decimals: Option<String> = None;
    while let Some(word) = words.get(used) {
        let small = SMALL.iter().zip(0_u64..).find(|(name, _)| *name == word).map(|(_, value)| value);
        let tens = TENS.iter().zip(2_u64..).find(|(name, _)| *name == word).map(|(_, value)| value * 10);
        let current = group.unwrap_or(0);
        if let Some(decimals) = &mut decimals {
            let Some(digit) = small.filter(|digit| *digit < 10) else { break };
            decimals.push_str(&digit.to_string());
        } else if let Some(value) = small {
            let fits =
                group.is_none() || current % 100 == 0 && current > 0 || value < 10 && current % 10 == 0 && current > 0;
            if !fits {
                return None;
            }
            group = Some(current + value);
        } else if let Some(value) = tens {
            if group.is_some_and(|group| group % 100 != 0 || group == 0) {
                return None;
            }
            group = Some(current + value);
        } else if *word == "a"
            && used == 0
            && matches!(words.get(1), Some(&("hundred" | "thousand" | "million" | "half" | "third" | "quarter")))
        {
            group = Some(1);
        } else if *word == "hundred" && (1..100).contains(&current) {
            group = Some(current * 100);
        } else if let Some((_, value)) = GROUPS.iter().find(|(name, _)| name == word).filter(|_| current > 0) {
            total = total.checked_add(current.checked_mul(*value)?)?;
            group = None;
        } else if *word == "and"
            && used > 0
            && words.get(used + 1).is_some_and(|next| SMALL.contains(next) || TENS.contains(next))
        {
            let continues = group.is_none() && total > 0 || current >= 100 && current % 100 == 0;
            if !continues {
                break;
            }
        } else if *word == "point" && used > 0 && words.get(used + 1).is_some_and(|next| SMALL[..10].contains(next)) {
            decimals = Some(String::new());
        } else {
            break;
        }
        used += 1;
    }
    let part = |word: &str| PARTS.iter().find(|(name, _)| word.strip_suffix('s').unwrap_or(word) == *name);
    let part = words.get(used).and_then(|word| part(word).or_else(|| (*word == "halves").then_some(&PARTS[0])));
    let group = match (group, part) {
        (None, Some((name, below))) if used == 0 && *name == "half" => {
            return Some((format!("1/{below}"), words[1..].join(" ")));
        }
        (group, _) => group.or((total > 0).then_some(0))?,
    };
    let value = total + group;
    if let Some((_, below)) = part {
        return Some((format!("{value}/{below}"), words[used + 1..].join(" ")));
    }
    let decimals = decimals.map(|digits| format!(".{digits}")).unwrap_or_default();
    Some((format!("{value}{decimals}"), words[used..].join(" ")))
}

/// Words of other languages that are a number by themselves.
const WORDS: &[(&str, u32)] = &[
    ("null", 0),
    ("eins", 1),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("fünf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("neun", 9),
    ("zehn", 10),
    ("elf", 11),
    ("zwölf", 12),
    ("zwanzig", 20),
    ("dreißig", 30),
    ("hundert", 100),
    ("einhundert", 100),
    ("tausend", 1_000),
    ("eintausend", 1_000),
    ("zéro", 0),
    ("deux", 2),
    ("trois", 3),
    ("quatre", 4),
    ("cinq", 5),
    ("sept", 7),
    ("huit", 8),
    ("neuf", 9),
    ("dix", 10),
    ("onze", 11),
    ("douze", 12),
    ("vingt", 20),
    ("trente", 30),
    ("cent", 100),
    ("mille", 1_000),
    ("cero", 0),
    ("uno", 1),
    ("dos", 2),
    ("tres", 3),
    ("cuatro", 4),
    ("cinco", 5),
    ("seis", 6),
    ("siete", 7),
    ("ocho", 8),
    ("nueve", 9),
    ("diez", 10),
    ("once", 11),
    ("doce", 12),
    ("veinte", 20),
    ("treinta", 30),
    ("cien", 100),
    ("ciento", 100),
    ("mil", 1_000),
    ("um", 1),
    ("dois", 2),
    ("três", 3),
    ("quatro", 4),
    ("sete", 7),
    ("oito", 8),
    ("nove", 9),
    ("dez", 10),
    ("doze", 12),
    ("vinte", 20),
    ("trinta", 30),
    ("cem", 100),
    ("due", 2),
    ("tre", 3),
    ("quattro", 4),
    ("cinque", 5),
    ("sei", 6),
    ("sette", 7),
    ("otto", 8),
    ("dieci", 10),
    ("undici", 11),
    ("dodici", 12),
    ("venti", 20),
    ("trenta", 30),
    ("cento", 100),
    ("nul", 0),
    ("een", 1),
    ("twee", 2),
    ("drie", 3),
    ("vijf", 5),
    ("zes", 6),
    ("zeven", 7),
    ("negen", 9),
    ("tien", 10),
    ("twaalf", 12),
    ("twintig", 20),
    ("honderd", 100),
    ("duizend", 1_000),
    ("ноль", 0),
    ("один", 1),
    ("два", 2),
    ("три", 3),
    ("четыре", 4),
    ("пять", 5),
    ("шесть", 6),
    ("семь", 7),
    ("восемь", 8),
    ("девять", 9),
    ("десять", 10),
    ("двенадцать", 12),
    ("двадцать", 20),
    ("сто", 100),
    ("тысяча", 1_000),
    ("zero", 0),
    ("jeden", 1),
    ("dwa", 2),
    ("trzy", 3),
    ("cztery", 4),
    ("pięć", 5),
    ("sześć", 6),
    ("siedem", 7),
    ("osiem", 8),
    ("dziewięć", 9),
    ("dziesięć", 10),
    ("dwanaście", 12),
    ("dwadzieścia", 20),
    ("sto", 100),
    ("tysiąc", 1_000),
    ("bir", 1),
    ("iki", 2),
    ("üç", 3),
    ("dört", 4),
    ("beş", 5),
    ("altı", 6),
    ("yedi", 7),
    ("sekiz", 8),
    ("dokuz", 9),
    ("on", 10),
    ("yirmi", 20),
    ("yüz", 100),
    ("bin", 1_000),
    ("一", 1),
    ("二", 2),
    ("三", 3),
    ("四", 4),
    ("五", 5),
    ("六", 6),
    ("七", 7),
    ("八", 8),
    ("九", 9),
    ("十", 10),
    ("百", 100),
    ("千", 1_000),
];

fn other_language(text: &str) -> Option<(String, String)> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (_, value) = WORDS.iter().find(|(known, _)| *known == word)?;
    Some((value.to_string(), rest.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_numbers_compose() {
        for (words, digits) in [
            ("one thousand", "1000"),
            ("forty-two", "42"),
            ("Three hundred and five", "305"),
            ("two million three hundred thousand and one", "2300001"),
            ("twelve kilometers", "12 kilometers"),
            ("minus seven", "-7"),
            ("three point one four", "3.14"),
            ("two thirds", "2/3"),
            ("one half", "1/2"),
            ("half", "1/2"),
            ("a hundred", "100"),
            ("zwölf", "12"),
            ("quatre mètres", "4 mètres"),
        ] {
            assert_eq!(in_digits(words).as_deref(), Some(digits), "{words}");
        }
        for words in ["Paris", "one two", "twenty thirty", "hundred", "and", ""] {
            assert_eq!(in_digits(words), None, "{words}");
        }
    }
}
