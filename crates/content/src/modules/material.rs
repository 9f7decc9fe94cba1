//! Which of a classroom's own modules a generator is given: those that have to do with the topic.
//!
//! Both steps are bounded, whatever a classroom holds. The newest modules are known by their titles and descriptions; of
//! those that look promising, and of the newest, the contents are read; the most relevant of these are handed over.

use std::collections::HashSet;

use engine::{Candidate, GenerationError, Relevance, SourceModule, rank_modules};
use kernel::id::{ClassroomId, ModuleId, OrganizationId};
use store::{Store, StoreError, Tx, sql};

use crate::generation::Drafter;

/// Modules whose titles are looked at, the newest.
const MOST_TITLES: i64 = 2_000;
/// Modules whose content is read for their titles' sake.
const MOST_PROMISING: usize = 48;
/// Modules whose content is read because they are new: their titles may not tell what they hold.
const MOST_RECENT: usize = 24;
/// Modules that are handed over.
const MOST_MODULES: usize = 40;
/// The most that is handed over, in bytes of content.
const MOST_BYTES: usize = 1_500_000;

/// A module of the classroom.
#[derive(Clone, Debug)]
struct Module {
    id: ModuleId,
    title: String,
    description: String,
    /// Empty until it is read.
    content: String,
}

impl Module {
    fn candidate(&self) -> Candidate<'_> {
        Candidate { title: &self.title, description: &self.description, html: &self.content }
    }
}

/// The modules of a classroom that have to do with a topic in a language, the most relevant first. The outer result is about the
/// store, the inner one about the choice. `about` names in the log what it is for.
pub(crate) async fn find(
    store: &Store,
    drafter: &Drafter,
    (organization, classroom): (OrganizationId, ClassroomId),
    (topic, language): (String, String),
    about: &str,
) -> Result<Result<Vec<SourceModule>, GenerationError>, StoreError> {
    let read = move |tx: &mut Tx<'_>| newest(tx, organization, classroom);
    let newest = store.read::<_, StoreError, _>("generation.titles", read).await?;
    if newest.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let select = {
        let (topic, language) = (topic.clone(), language.clone());
        move || Ok(promising(&topic, &language, &newest))
    };
    let promising = match drafter.compute(about, select).await {
        Ok(promising) => promising,
        Err(error) => return Ok(Err(error)),
    };
    let read = move |tx: &mut Tx<'_>| self::read(tx, organization, classroom, &promising);
    let modules = store.read::<_, StoreError, _>("generation.material", read).await?;
    Ok(drafter.compute(about, move || Ok(choose(&topic, &language, &modules))).await)
}

/// The newest modules of a classroom, without their contents.
fn newest(tx: &mut Tx<'_>, organization: OrganizationId, classroom: ClassroomId) -> Result<Vec<Module>, StoreError> {
    tx.query(
        "SELECT id, title, substr(description, 1, 1000) FROM module
         WHERE organization_id = $1 AND classroom_id = $2 AND status = 'completed'
         ORDER BY created_at DESC, id DESC LIMIT $3",
        &[&organization, &classroom, &MOST_TITLES],
        |row| Ok(Module { id: row.get(0)?, title: row.get(1)?, description: row.get(2)?, content: String::new() }),
    )
}

/// Of the newest modules those that are worth reading.
fn promising(topic: &str, language: &str, newest: &[Module]) -> Vec<ModuleId> {
    let by_title = rank(topic, language, newest).into_iter().take(MOST_PROMISING).map(|relevance| relevance.index);
    let mut seen = HashSet::new();
    let indices = by_title.chain(0..newest.len().min(MOST_RECENT));
    indices.filter(|index| seen.insert(*index)).map(|index| newest[index].id).collect()
}

/// Reads modules with their contents. What was removed meanwhile is not among them.
fn read(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    classroom: ClassroomId,
    ids: &[ModuleId],
) -> Result<Vec<Module>, StoreError> {
    tx.query_each(ids, |id| {
        sql!(
            "SELECT id, title, substr(description, 1, 1000), substr(content, 1, 100000) FROM module
             WHERE id = {*id} AND organization_id = {organization} AND classroom_id = {classroom} AND status = 'completed'"
        )
    }, |row| {
        Ok(Module { id: row.get(0)?, title: row.get(1)?, description: row.get(2)?, content: row.get(3)? })
    })
}

/// The modules to hand over, the most relevant first. Of copies with the same title and content one is enough.
fn choose(topic: &str, language: &str, modules: &[Module]) -> Vec<SourceModule> {
    let mut seen = HashSet::new();
    let mut bytes = 0;
    let ranked = rank(topic, language, modules).into_iter().map(|relevance| &modules[relevance.index]);
    let told = ranked.filter(|module| !module.content.trim().is_empty());
    let different = told.filter(|module| seen.insert((module.title.as_str(), module.content.as_str())));
    let chosen = different.take(MOST_MODULES).take_while(|module| {
        bytes += module.content.len();
        bytes <= MOST_BYTES
    });
    chosen
        .map(|module| SourceModule {
            id: module.id.to_string(),
            title: module.title.clone(),
            html: module.content.clone(),
        })
        .collect()
}

fn rank(topic: &str, language: &str, modules: &[Module]) -> Vec<Relevance> {
    let candidates: Vec<Candidate<'_>> = modules.iter().map(Module::candidate).collect();
    rank_modules(topic, language, &candidates)
}

#[cfg(test)]
mod tests {

    use super::*;

    fn module(n: u128, title: &str, content: &str) -> Module {
        let id = ModuleId::from(uuid::Uuid::from_u128(n));
        Module { id, title: title.into(), description: String::new(), content: content.into() }
    }

    #[test]
    fn what_has_nothing_to_do_with_the_topic_is_not_handed_over() {
        let modules =
            [module(1, "The French Revolution", "<p>Paris.</p>"), module(2, "Photosynthesis", "<p>Light.</p>")];
        let chosen = choose("Photosynthesis in plants", "en", &modules);
        assert_eq!(chosen.iter().map(|module| module.title.as_str()).collect::<Vec<_>>(), ["Photosynthesis"]);
        assert!(choose("Volcanoes", "en", &modules).is_empty());
    }

    #[test]
    fn of_copies_one_is_handed_over_and_of_empty_modules_none() {
        let modules = [
            module(1, "Photosynthesis", "<p>Light.</p>"),
            module(2, "Photosynthesis", "<p>Light.</p>"),
            module(3, "Photosynthesis", " "),
        ];
        assert_eq!(choose("Photosynthesis", "en", &modules).len(), 1);
    }

    #[test]
    fn what_is_handed_over_is_bounded_in_number_and_bytes() {
        let many: Vec<_> = (0..100).map(|n| module(n, "Photosynthesis", &format!("<p>Light {n}.</p>"))).collect();
        assert_eq!(choose("Photosynthesis", "en", &many).len(), MOST_MODULES);
        let long: Vec<_> =
            (0..100).map(|n| module(n, "Photosynthesis", &format!("<p>{n} {}</p>", "x".repeat(99_000)))).collect();
        let chosen = choose("Photosynthesis", "en", &long);
        assert!(chosen.iter().map(|module| module.html.len()).sum::<usize>() <= MOST_BYTES);
        assert_eq!(chosen.len(), 15);
    }

    #[test]
    fn modules_are_read_for_their_titles_or_because_they_are_new() {
        let mut newest: Vec<_> = (0..1_000).map(|n| module(n, &format!("Volcano {n}"), "")).collect();
        newest.push(module(1_000, "Photosynthesis", ""));
        let ids = promising("Photosynthesis", "en", &newest);
        assert_eq!((ids.len(), ids[0]), (1 + MOST_RECENT, newest[1_000].id));
        assert_eq!(promising("Volcano", "en", &newest).len(), MOST_PROMISING, "the newest are among them");
    }
}
