//! The leak check: no key, explanation, note or id of the source's own quizzes reaches a learner by the wrong way.

use engine::ModuleDraft;
use serde::Serialize;

use crate::expand::Expansion;
use crate::items::Item;
use crate::text;

/// A secret where it must not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Leak {
    pub(crate) source: String,
    /// `module`, `video`, or an item's id.
    pub(crate) place: String,
    pub(crate) secret: String,
}

/// All leaks of an expansion, in its module's text, its video and its items.
pub(crate) fn leaks(expansion: &Expansion, items: &[Item]) -> Vec<Leak> {
    let secrets = &expansion.source.secrets;
    let mut leaks = Vec::new();
    let mut look = |place: &str, shown: &str, is_own: &dyn Fn(&str) -> bool| {
        let shown = folded(shown);
        let own = secrets.own.iter().filter(|own| !is_own(&own.question)).flat_map(|own| &own.texts);
        for secret in secrets.never.iter().chain(own).filter(|secret| shown.contains(&folded(secret))) {
            let leak = Leak { source: expansion.source.name.clone(), place: place.to_owned(), secret: secret.clone() };
            if !leaks.contains(&leak) {
                leaks.push(leak);
            }
        }
    };
    if let Ok(module) = &expansion.module {
        look("module", &shown(module), &|_| false);
    }
    for scene in expansion.video.iter().flat_map(|video| &video.scenes) {
        look("video", &format!("{}\n{}", scene.display_text, scene.script), &|_| false);
    }
    for item in items.iter().filter(|item| item.source == expansion.source.name) {
        let shown = [item.question.clone(), item.options.join("\n"), item.keys.join("\n"), item.explanation.clone()];
        look(&item.id, &shown.join("\n"), &|question| asks(item, question));
    }
    leaks
}

/// How many of the source's own questions that `secrets.json` lists an item asks.
pub(crate) fn own_asked(expansion: &Expansion, items: &[Item]) -> usize {
    let is_asked =
        |question: &str| items.iter().any(|item| item.source == expansion.source.name && asks(item, question));
    expansion.source.secrets.own.iter().filter(|own| is_asked(&own.question)).count()
}

fn asks(item: &Item, question: &str) -> bool {
    folded(&item.question).contains(&folded(question))
}

/// What a learner reads of a module, and the tags, which may hold ids.
fn shown(module: &ModuleDraft) -> String {
    [module.title.as_str(), &module.description, &module.content_html, &text::plain(&module.content_html)].join("\n")
}

fn folded(text: &str) -> String {
    text::squeeze(text).to_lowercase()
}
