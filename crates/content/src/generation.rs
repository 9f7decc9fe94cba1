//! Generation of a resource that was asked for directly: a test from its prompts, a slide from its outline, a
//! course or a video from its title and description.
//!
//! A create stores the resource with the status `queued`, calls [`enqueue`] in the same transaction and answers.
//! What is generated fills what the caller left open; what the caller wrote, at once or meanwhile, stands.
//!
//! The job is in [`work`]. What a kind is generated from, and how its draft is stored, each kind says in its own folder by
//! [`generated::Generated`]; nothing here knows a kind's table. [`crate::modules::material`] chooses among the classroom's
//! modules, and [`announce`] tells linked workspaces. [`announce`], [`attempts`], `bench`, `credit` and [`Drafter`] are shared
//! with expansions. [`retry`] is the operation for what failed, and `part_drafts` what the operations that draft one part have in
//! common.

pub(crate) mod announce;
pub(crate) mod attempts;
pub(crate) mod bench;
pub(crate) mod credit;
mod drafter;
pub(crate) mod generated;
pub(crate) mod part_drafts;
pub(crate) mod parts;
pub mod retry;
#[cfg(test)]
mod testing;
pub mod work;

use kernel::ambient::Ambient;
use kernel::id::OrganizationId;
use store::{Store, StoreError, Tx, jobs};

pub use announce::LinkedWorkspaces;
pub use drafter::Drafter;
use generated::Generated;
pub use part_drafts::DraftCredit;
use work::GenerateResource;

use crate::links::Links;
use crate::resources::fields;

/// The store, the drafter and the links that the jobs of generation use.
#[derive(Clone)]
pub struct Generation {
    /// Where the rows live.
    pub store: Store,
    /// Time and randomness.
    pub ambient: Ambient,
    /// Makes the drafts.
    pub drafter: Drafter,
    /// Where people look at what was made.
    pub links: Links,
    /// Finds whom the platform surface tells.
    pub linked_workspaces: LinkedWorkspaces,
}

/// Queues the generation of a resource that the caller's transaction stores with the status `queued`.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn enqueue<R: Generated>(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    id: R::Id,
) -> Result<(), StoreError> {
    let job = GenerateResource { organization_id: organization, kind: R::KIND, resource_id: id.to_string() };
    jobs::enqueue(tx, organization, &job).map(drop)
}

/// What a test is called until it is generated, when its caller gave it no name: its prompt's first line, shortened.
/// Its generation gives it a name of its own.
pub fn working_name(prompt: &str) -> String {
    let line = prompt.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("Test");
    let words = line.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let words = words.collect::<Vec<_>>().join(" ");
    if words.chars().count() <= fields::LONGEST_TITLE {
        return words;
    }
    let kept: String = words.chars().take(fields::LONGEST_TITLE - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_name_is_the_prompts_first_line_and_no_longer_than_a_title() {
        assert_eq!(working_name("\n  Photosynthesis \t in\u{7} plants\nTen questions."), "Photosynthesis in plants");
        assert_eq!(working_name(" \n"), "Test");
        let long = working_name(&"äö ".repeat(400));
        assert_eq!((long.chars().count(), long.ends_with('…')), (255, true));
    }
}
