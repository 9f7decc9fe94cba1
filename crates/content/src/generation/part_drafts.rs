//! Another version of one part of a resource, for somebody who edits the resource.
//!
//! The caller sends the parts as they stand in its form, and gets a draft of one of them. Nothing is stored, charged or told:
//! the caller applies the draft with the change that it knows. No transaction is open while a part is drafted, and a request
//! waits a minute at most. Each kind says in its own folder, by [`HasParts`], what its parts are.

use std::sync::Arc;

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, Check, JsonBody, integer, list, text};
use edge::params::Params;
use edge::problem::Problem;
use engine::{GenerationError, Part, PartContent, PartMaterial, PartRequest, QuizItemKind, SourceModule, check_part};
use http::StatusCode;
use kernel::id::ExpansionId;
use kernel::json::JsonText;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use store::Tx;

use super::bench::Bench;
use super::credit::Credit;
use super::generated::pass;
use crate::expansions::{self, StoredSource};
use crate::modules::material;
use crate::resources::{self, Resource, Status};
use crate::{Content, ContentKey, organization_of};

/// The longest instruction, in characters.
const LONGEST_INSTRUCTION: usize = 500;
/// The highest place that a part can have.
const HIGHEST_PLACE: i64 = 10_000;
/// Drafts of an organization that wait for their turn.
const MOST_WAITING: usize = 8;
/// Drafts of an organization that wait when a link gets none any more, so that the holders of keys keep their turns.
pub(crate) const MOST_WAITING_BY_LINK: usize = 2;
/// The most earlier versions of a part that a request takes.
pub const MOST_EARLIER: usize = 20;
/// The wait that a caller is told where the generator names none.
const USUAL_WAIT: std::time::Duration = std::time::Duration::from_secs(5);

/// A kind of resource whose parts can be drafted one by one.
pub(crate) trait HasParts: Resource {
    /// The body of the request.
    type Request: Body<Context = ()> + Send + Sync + 'static;
    /// The body of the answer.
    type Answer: Serialize;
    /// The name of the operation's transactions in logs and measurements.
    const DRAFT_PART: &'static str;

    /// What the resource is about: its prompts, or its title and description.
    fn subject(&self) -> String;

    /// Where it came from, and whatever the caller stored.
    fn metadata(&self) -> &JsonText;

    /// The part that is wanted, beside all that is there.
    ///
    /// # Errors
    /// 400 where the place is that of no part.
    fn wanted(&self, request: &Self::Request) -> Result<WantedPart, Problem>;

    /// What of the resource's own text is material for the part, beside the classroom's modules.
    fn own_material(&self, _: &WantedPart) -> Option<SourceModule> {
        None
    }

    /// The answer with a draft.
    fn answer(&self, request: &Self::Request, content: PartContent, credit: DraftCredit) -> Self::Answer;
}

/// A part that is wanted, and what is there already.
pub(crate) struct WantedPart {
    pub(crate) present: Part,
    pub(crate) others: Vec<Part>,
    /// The types that a question of the resource can have.
    pub(crate) question_kinds: Vec<QuizItemKind>,
    pub(crate) instruction: String,
}

/// The maker of a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftCredit {
    /// The generator: `builtin` or `model`.
    #[schema(example = "builtin")]
    pub generator: String,
    /// The generator that gave it up before, where the operator's fall-back made it. Else absent.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_from: Option<String>,
    /// Whether there was an instruction that the generator does not follow.
    pub instruction_ignored: bool,
}

/// A request for the draft of a part.
pub(crate) type DraftPart = (State<Content>, ContentKey, Params<(String, String)>, JsonBody);

/// Drafts a part of the resource that a path's classroom and id name.
pub(crate) async fn draft<R: HasParts>(
    (State(content), key, Params(path), body): DraftPart,
) -> Result<Answer, Problem> {
    let request = content.door.accept_by_key(&key, R::DRAFT_PART, body.read::<R::Request>()).await?;
    let (links, request) = (content.links.clone(), Arc::new(request));
    let read = move |tx: &mut Tx<'_>, caller: &edge::door::KeyCaller| {
        let resource = resources::load::<R>(tx, &links, organization_of(caller)?, &path)?;
        PartDrafting::of(tx, resource, request.clone())
    };
    let drafting = content.door.read_by_key(key, R::DRAFT_PART, read).await?;
    Ok(Answer::json(StatusCode::OK, &drafting.draft(&content, MOST_WAITING).await?))
}

/// A resource of which a part is wanted, with what it was made from as far as that is stored with it.
pub(crate) struct PartDrafting<R: HasParts> {
    resource: R,
    request: Arc<R::Request>,
    wanted: WantedPart,
    source: Option<StoredSource>,
}

impl<R: HasParts> PartDrafting<R> {
    /// The drafting that a request asks for.
    ///
    /// # Errors
    /// 409 while the resource is generated, 400 where the place is that of no part.
    pub(crate) fn of(tx: &mut Tx<'_>, resource: R, request: Arc<R::Request>) -> Result<Self, Problem> {
        if matches!(resource.status(), Status::Queued | Status::Processing) {
            return Err(Problem::Conflict("The resource is still being generated."));
        }
        let wanted = resource.wanted(&request)?;
        let source = match expansion_of(resource.metadata()) {
            Some(id) => expansions::source(tx, resource.organization_id(), id)?,
            None => None,
        };
        Ok(Self { resource, request, wanted, source })
    }

    /// Drafts the part, unless so many drafts of the organization wait already. No transaction is open meanwhile.
    ///
    /// # Errors
    /// 409 with the generator's code where there is no such part, 503 where another try may help, 429 where too many of the
    /// organization wait already.
    pub(crate) async fn draft(self, content: &Content, most_waiting: usize) -> Result<R::Answer, Problem> {
        let (wait, turns, organization) =
            (content.drafter.part_wait, &content.drafter.part_turns, self.resource.organization_id());
        if turns.waiting(&organization) >= most_waiting {
            let message = "Too many drafts of parts are being made for the organization.";
            return Err(Problem::TooManyRequests { message, retry_after: USUAL_WAIT });
        }
        let drafting = async {
            let _turn = turns.take(organization).await;
            self.have_drafted(content).await
        };
        let drafting = tokio::time::timeout(wait, drafting).await;
        drafting.unwrap_or_else(|_| {
            let message = format!("The draft took longer than {} seconds.", wait.as_secs());
            Err(Problem::NotGenerated { code: "generation_timeout", message, retry_after: Some(USUAL_WAIT) })
        })
    }

    async fn have_drafted(mut self, content: &Content) -> Result<R::Answer, Problem> {
        let about = format!("part of {} {}", R::KIND.as_str(), self.resource.id());
        let material = self.material(content, &about).await?;
        let Self { resource, request, wanted, .. } = self;
        let WantedPart { present, others, question_kinds, instruction } = wanted;
        let (topic, language) = (resource.subject(), resource.language().to_owned());
        let wanted = PartRequest { topic, language, material, question_kinds, present, others, instruction };
        let wanted = Arc::new(wanted);
        let bench = Bench::without_job(resource.organization_id().to_string());
        let drafting = content.drafter.draft(&about, &bench, true, move |generator, bench| {
            let wanted = wanted.clone();
            Box::pin(async move {
                let draft = generator.part(&wanted, bench).await?;
                pass(bench, || check_part(&draft, &wanted))?;
                Ok(draft)
            })
        });
        let (draft, credit) = drafting.await.map_err(refusal)?;
        let credit = DraftCredit::of(&credit, draft.ignores_instruction);
        Ok(resource.answer(&request, draft.content, credit))
    }

    /// The source of the resource's expansion; else what the resource says itself, and the classroom's modules that have to do
    /// with it.
    async fn material(&mut self, content: &Content, about: &str) -> Result<PartMaterial, Problem> {
        let drafter = &content.drafter;
        if let Some(source) = self.source.take() {
            let level = drafter.compute(about, move || Ok(source.level())).await.map_err(refusal)?;
            if let Some(level) = level {
                return Ok(PartMaterial::Level(level));
            }
        }
        let resource = &self.resource;
        let place = (resource.organization_id(), resource.classroom_id());
        let topic = (resource.subject(), resource.language().to_owned());
        let mut modules = material::find(&content.door.store, drafter, place, topic, about).await?.map_err(refusal)?;
        let id = resource.id().to_string();
        modules.retain(|module| module.id != id);
        modules.splice(0..0, resource.own_material(&self.wanted));
        Ok(PartMaterial::Modules(modules))
    }
}

impl DraftCredit {
    fn of(credit: &Credit, instruction_ignored: bool) -> Self {
        Self {
            generator: credit.mode().to_owned(),
            fallback_from: credit.fallback_from().map(str::to_owned),
            instruction_ignored,
        }
    }
}

/// The part at a place of a list, and the others with the earlier versions; a place behind the last one is that of a new part,
/// which is `blank`.
///
/// # Errors
/// 400 for any other place.
pub(crate) fn take_out(
    place: i64,
    parts: Vec<Part>,
    earlier: impl IntoIterator<Item = Part>,
    blank: Part,
) -> Result<(Part, Vec<Part>), Problem> {
    let mut others = parts;
    let place = usize::try_from(place).unwrap_or(usize::MAX);
    let present = match place.cmp(&others.len()) {
        std::cmp::Ordering::Less => others.remove(place),
        std::cmp::Ordering::Equal => blank,
        std::cmp::Ordering::Greater => {
            return Err(Problem::field("place", "must be the place of a part, or of the next one"));
        }
    };
    others.extend(earlier);
    Ok((present, others))
}

/// The parts that a resource stores as JSON; none where they can't be read.
pub(crate) fn stored<T: DeserializeOwned>(parts: &JsonText) -> Vec<T> {
    serde_json::from_str(parts.as_str()).unwrap_or_default()
}

/// The sections or slides of a stored content.
pub(crate) fn divided(content: &str) -> Vec<String> {
    markup::Division::of(content).parts.into_iter().map(str::to_owned).collect()
}

/// The place of a part.
pub(crate) fn place() -> impl Check<Value = i64> {
    integer(0..=HIGHEST_PLACE)
}

/// What the person wants of the new version.
pub(crate) fn instruction() -> impl Check<Value = String> {
    text(0..=LONGEST_INSTRUCTION)
}

/// Earlier versions of a part.
pub(crate) fn earlier<T>(version: impl Check<Value = T>) -> impl Check<Value = Vec<T>> {
    list(0..=MOST_EARLIER, version)
}

fn expansion_of(metadata: &JsonText) -> Option<ExpansionId> {
    let members: Map<String, Value> = serde_json::from_str(metadata.as_str()).ok()?;
    members.get("expansionId")?.as_str()?.parse().ok()
}

/// What a caller is told of a generator's failure.
fn refusal(error: GenerationError) -> Problem {
    let retry_after = error.retryable.then(|| error.retry_after.unwrap_or(USUAL_WAIT));
    Problem::NotGenerated { code: error.code, message: error.message, retry_after }
}

#[cfg(test)]
mod tests;
