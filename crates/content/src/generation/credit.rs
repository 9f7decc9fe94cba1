//! Who made a draft and what its readers should know of it: said in manifests and in the metadata of resources.

use engine::{Citation, Remark};
use kernel::json::JsonText;
use serde_json::{Map, Value, json};

/// The most places left out that metadata lists; how many there were is said beside them.
const MOST_PLACES: usize = 100;

/// Who made a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Credit {
    /// The generator's name: `builtin`, `model`.
    mode: &'static str,
    /// Who gave it up before, where the operator's fall-back made it.
    fallback_from: Option<&'static str>,
    remarks: Vec<Remark>,
}

impl Credit {
    /// Made by the generator that was asked.
    pub(crate) fn of(mode: &'static str, remarks: Vec<Remark>) -> Self {
        Self { mode, fallback_from: None, remarks }
    }

    /// Made by the fall-back, with its own remarks.
    pub(crate) fn instead_of(first: &'static str, mode: &'static str, remarks: Vec<Remark>) -> Self {
        Self { mode, fallback_from: Some(first), remarks }
    }

    /// The generator's name.
    pub(crate) fn mode(&self) -> &'static str {
        self.mode
    }

    /// The generator that gave it up before, if one did.
    pub(crate) fn fallback_from(&self) -> Option<&'static str> {
        self.fallback_from
    }

    /// What a manifest's `raw` says: `mode` where its kind has it, and `fallbackFrom` where it was one.
    pub(crate) fn sign_manifest(&self, raw: &mut Value, has_mode: bool) {
        if has_mode || self.fallback_from.is_some() {
            raw["mode"] = json!(self.mode);
        }
        if let Some(first) = self.fallback_from {
            raw["fallbackFrom"] = json!(first);
        }
    }

    /// The metadata of a resource with who made it and, of each part, the places that it was made of. What the caller
    /// stores by the same names is the caller's.
    pub(crate) fn sign_resource(&self, metadata: &JsonText, citations: Option<&[Citation]>) -> JsonText {
        let Ok(mut signed) = serde_json::from_str::<Map<String, Value>>(metadata.as_str()) else {
            return metadata.clone();
        };
        self.sign(&mut signed);
        if let Some(citations) = citations {
            signed.entry("sources").or_insert_with(|| json!(citations));
        }
        JsonText::of(&signed)
    }

    /// What the metadata of a resource says. What the caller stores by the same names is the caller's.
    pub(crate) fn sign(&self, metadata: &mut Map<String, Value>) {
        let mut say = |name: &str, value: Value| {
            metadata.entry(name).or_insert(value);
        };
        say("generator", json!(self.mode));
        if let Some(first) = self.fallback_from {
            say("fallbackFrom", json!(first));
        }
        for remark in &self.remarks {
            match remark {
                Remark::LeftOut(places) => {
                    let listed = &places[..places.len().min(MOST_PLACES)];
                    say("leftOut", json!({ "count": places.len(), "pointers": listed }));
                }
                Remark::OwnKnowledge => say("ownKnowledge", json!(true)),
                Remark::WithoutMaterial(topics) => say("withoutMaterial", json!(topics)),
                Remark::Dropped(count) => say("dropped", json!(count)),
                Remark::WithoutQuestions(modules) => say("withoutQuestions", json!(modules)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_says_who_made_it_and_what_was_left_out() {
        let places: Vec<String> = (0..120).map(|at| format!("/lessons/{at}")).collect();
        let without = Remark::WithoutQuestions(vec!["Tissue".to_owned()]);
        let remarks = vec![Remark::LeftOut(places), Remark::OwnKnowledge, Remark::Dropped(2), without];
        let mut metadata = Map::new();
        Credit::of("model", remarks).sign(&mut metadata);
        assert_eq!((&metadata["generator"], &metadata["dropped"]), (&json!("model"), &json!(2)));
        assert_eq!((&metadata["ownKnowledge"], &metadata["leftOut"]["count"]), (&json!(true), &json!(120)));
        assert_eq!(metadata["leftOut"]["pointers"].as_array().unwrap().len(), MOST_PLACES);
        assert_eq!(metadata["withoutQuestions"], json!(["Tissue"]));
        assert!(!metadata.contains_key("fallbackFrom"));
    }

    #[test]
    fn a_fall_back_is_never_silent_and_never_takes_a_callers_words() {
        let credit = Credit::instead_of("model", "builtin", Vec::new());
        let mut metadata = Map::from_iter([("generator".to_owned(), json!("mine"))]);
        credit.sign(&mut metadata);
        assert_eq!(json!(metadata), json!({ "generator": "mine", "fallbackFrom": "model" }));
        let mut raw = json!({ "title": "Cells" });
        credit.sign_manifest(&mut raw, false);
        assert_eq!(raw, json!({ "title": "Cells", "mode": "builtin", "fallbackFrom": "model" }));
        let mut raw = json!({});
        Credit::of("model", Vec::new()).sign_manifest(&mut raw, false);
        assert_eq!(raw, json!({}));
    }
}
