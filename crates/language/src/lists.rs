//! Lists within a sentence.

use crate::primary_subtag;

/// What stands between the items of a list.
#[derive(Clone, Copy, Debug)]
pub struct Lists {
    tag: &'static str,
    /// Between items.
    pub comma: &'static str,
    /// In front of the last item.
    pub and: &'static str,
}

const ALL: [Lists; 16] = [
    Lists { tag: "en", comma: ", ", and: " and " },
    Lists { tag: "de", comma: ", ", and: " und " },
    Lists { tag: "es", comma: ", ", and: " y " },
    Lists { tag: "fr", comma: ", ", and: " et " },
    Lists { tag: "pt", comma: ", ", and: " e " },
    Lists { tag: "it", comma: ", ", and: " e " },
    Lists { tag: "nl", comma: ", ", and: " en " },
    Lists { tag: "pl", comma: ", ", and: " i " },
    Lists { tag: "ru", comma: ", ", and: " и " },
    Lists { tag: "uk", comma: ", ", and: " і " },
    Lists { tag: "tr", comma: ", ", and: " ve " },
    Lists { tag: "ar", comma: "، ", and: " و" },
    Lists { tag: "hi", comma: ", ", and: " और " },
    Lists { tag: "zh", comma: "、", and: "和" },
    Lists { tag: "ja", comma: "、", and: "と" },
    Lists { tag: "ko", comma: ", ", and: " 및 " },
];

/// The lists of a language; those of English where it is not known.
#[must_use]
pub fn of(tag: &str) -> &'static Lists {
    let primary = primary_subtag(tag);
    ALL.iter().find(|lists| lists.tag == primary).unwrap_or(&ALL[0])
}

/// Joins items as a language does: "a, b and c".
#[must_use]
pub fn join<S: AsRef<str>>(tag: &str, items: &[S]) -> String {
    let Lists { comma, and, .. } = of(tag);
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{}{and}{}", first.join(comma), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_joined_as_the_language_does() {
        for (tag, joined) in [("en", "a, b and c"), ("de-AT", "a, b und c"), ("ja", "a、bとc"), ("sw", "a, b and c")]
        {
            assert_eq!(join(tag, &["a", "b", "c"]), joined);
        }
        assert_eq!((join::<&str>("en", &[]), join("en", &["a"])), (String::new(), "a".to_owned()));
    }
}
