//! What makes text invisible to people who read a document, however the document's format says it.

/// Text of this height or less is not read by anyone, in points.
pub(super) const UNREADABLE_POINTS: f64 = 1.0;
/// The least of each of red, green and blue in what looks white.
const WHITE: u8 = 250;

/// Whether a colour of six or three hexadecimal digits looks white.
pub(super) fn is_white_hex(digits: &str) -> bool {
    let bright = |digits: &str| u8::from_str_radix(digits, 16).is_ok_and(|part| part >= WHITE);
    match digits.len() {
        3 => digits.eq_ignore_ascii_case("fff"),
        6 if digits.is_ascii() => (0..3).all(|part| bright(&digits[2 * part..2 * part + 2])),
        _ => false,
    }
}

/// Whether parts of light from 0 to 1 look white together.
pub(super) fn is_white_light(parts: impl IntoIterator<Item = f64>) -> bool {
    parts.into_iter().all(|part| part >= f64::from(WHITE) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_white_is_white() {
        for white in ["fff", "FFFFFF", "fefefe", "fafafa"] {
            assert!(is_white_hex(white), "{white}");
        }
        for other in ["", "ff", "000", "eee", "f0f0f0", "ffff00", "auto", "ééé", "ffffffff"] {
            assert!(!is_white_hex(other), "{other}");
        }
        assert!(is_white_light([1.0, 1.0, 0.99]) && !is_white_light([1.0, 1.0, 0.5]));
    }
}
