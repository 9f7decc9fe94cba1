//! Character references (`&amp;`, `&#228;`) in text that came from HTML.

/// Longest reference read, in bytes, without the ampersand.
const MAX_REFERENCE: usize = 12;

/// Replaces the references that are known; anything else stays as it is.
pub fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        match reference(rest) {
            Some((character, length)) => {
                decoded.push(character);
                rest = &rest[length..];
            }
            None => {
                decoded.push('&');
                rest = &rest[1..];
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

/// The character that `text` (which begins with `&`) refers to, and the reference's length.
fn reference(text: &str) -> Option<(char, usize)> {
    let end = text.bytes().take(MAX_REFERENCE).position(|byte| byte == b';')?;
    let name = text.get(1..end)?;
    let character = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
        None => NAMED.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((character, end + 1))
}

const NAMED: [(&str, char); 74] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("sbquo", '‚'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("bull", '•'),
    ("middot", '·'),
    ("deg", '°'),
    ("plusmn", '±'),
    ("times", '×'),
    ("divide", '÷'),
    ("minus", '−'),
    ("le", '≤'),
    ("ge", '≥'),
    ("ne", '≠'),
    ("asymp", '≈'),
    ("infin", '∞'),
    ("radic", '√'),
    ("sum", '∑'),
    ("pi", 'π'),
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("Delta", 'Δ'),
    ("lambda", 'λ'),
    ("mu", 'μ'),
    ("omega", 'ω'),
    ("Omega", 'Ω'),
    ("theta", 'θ'),
    ("sigma", 'σ'),
    ("rarr", '→'),
    ("larr", '←'),
    ("frac12", '½'),
    ("frac14", '¼'),
    ("sup2", '²'),
    ("sup3", '³'),
    ("micro", 'µ'),
    ("euro", '€'),
    ("pound", '£'),
    ("cent", '¢'),
    ("copy", '©'),
    ("reg", '®'),
    ("trade", '™'),
    ("sect", '§'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("eacute", 'é'),
    ("egrave", 'è'),
    ("agrave", 'à'),
    ("aacute", 'á'),
    ("iacute", 'í'),
    ("oacute", 'ó'),
    ("uacute", 'ú'),
    ("ntilde", 'ñ'),
    ("ccedil", 'ç'),
    ("ecirc", 'ê'),
];

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn decodes_what_is_known_and_keeps_the_rest() {
        assert_eq!(decode("a &lt; b &amp;&amp; R&D &#228;&#x1F600; &bogus; &#0xZ;"), "a < b && R&D ä😀 &bogus; &#0xZ;");
        assert_eq!(decode("&#55296;"), "&#55296;");
    }
}
