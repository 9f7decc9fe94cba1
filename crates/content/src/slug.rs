//! URL-safe names made from titles.

const LONGEST: usize = 80;

/// Lower-case ASCII letters and digits of a title, joined by hyphens; `fallback` when it has none.
pub(crate) fn slugify(title: &str, fallback: &str) -> String {
    let mut slug = String::with_capacity(title.len().min(LONGEST));
    for character in title.chars() {
        if slug.len() >= LONGEST {
            break;
        }
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { fallback.to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_url_safe_and_never_empty() {
        assert_eq!(slugify("  Cell Biology: Intro! ", "module"), "cell-biology-intro");
        assert_eq!(slugify("細胞", "module"), "module");
        assert_eq!(slugify(&"a ".repeat(100), "module").len(), 79);
    }
}
