//! Texts with places for values, such as `{title}`.

/// Korean particles that follow a consonant or a vowel, as templates have them.
const PARTICLES: [(&str, &str, &str); 4] =
    [("을(를)", "을", "를"), ("은(는)", "은", "는"), ("이(가)", "이", "가"), ("과(와)", "과", "와")];

/// Puts values in a template's braces, in one pass: a value that holds braces stays as it is. A Korean particle behind a value gets the form
/// that the value's last syllable wants.
#[must_use]
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len() + 64);
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}').map(|at| open + at) else { break };
        filled.push_str(&rest[..open]);
        let name = &rest[open + 1..close];
        if let Some((_, value)) = values.iter().find(|(key, _)| *key == name) {
            filled.push_str(value);
        }
        rest = &rest[close + 1..];
        rest = push_particle(&mut filled, rest);
    }
    filled.push_str(rest);
    filled
}

/// Adds the particle that the rest of a template begins with, and answers what is left. A word that ends with no syllable keeps both forms.
fn push_particle<'t>(filled: &mut String, rest: &'t str) -> &'t str {
    let behind = rest.trim_start_matches(['”', '’', '"']);
    let Some((both, consonant, vowel)) = PARTICLES.iter().find(|(both, ..)| behind.starts_with(both)) else {
        return rest;
    };
    let last = filled.trim_end_matches(|sign: char| !sign.is_alphanumeric()).chars().next_back();
    let Some(syllable @ '가'..='힣') = last else { return rest };
    // Of the 28 endings of a syllable the first is none.
    let ends_with_vowel = (u32::from(syllable) - u32::from('가')).is_multiple_of(28);
    filled.push_str(&rest[..rest.len() - behind.len()]);
    filled.push_str(if ends_with_vowel { vowel } else { consonant });
    &behind[both.len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_braces_is_not_filled_again() {
        assert_eq!(fill("{a} {b}", &[("a", "{b}"), ("b", "x")]), "{b} x");
    }

    #[test]
    fn a_korean_particle_follows_its_word() {
        for (term, expected) in
            [("조례", "“조례”를 설명"), ("주민 소환", "“주민 소환”을 설명"), ("DNA", "“DNA”을(를) 설명")]
        {
            assert_eq!(fill("“{term}”을(를) 설명", &[("term", term)]), expected);
        }
    }
}
