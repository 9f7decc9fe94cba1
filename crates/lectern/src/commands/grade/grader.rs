//! Who grades the rows of a file.

use std::sync::Arc;
use std::thread;

use anyhow::Context as _;
use grading::model::Here;
use grading::{Builtin, Grader, GradingError, Judged, ModelGrader, Submission, Tier};
use models::{ModelNames, Models, Provider, Settings};
use tokio::runtime::Runtime;

use crate::assembly;
use crate::cli::GradeBy;
use crate::commands::{Session, WrongUse};

/// A grader, and how many rows it grades at once.
pub(super) struct RowGrader {
    grader: Arc<dyn Grader>,
    runtime: Runtime,
    pub(super) at_once: usize,
    /// What rows ask of it.
    pub(super) tier: Tier,
    /// The model and its provider, as the configuration names them.
    pub(super) model: Option<String>,
}

impl RowGrader {
    /// The grader that was asked for; a model is the configured one, or of those the one that is named.
    pub(super) fn open(session: &Session, by: GradeBy, model: Option<&str>) -> anyhow::Result<Self> {
        match by {
            GradeBy::Builtin => Self::builtin(),
            GradeBy::Model => {
                let options = assembly::model_options(&session.config()?);
                let settings = options
                    .with_context(|| WrongUse("no model is configured: set LECTERN_MODEL_PROVIDER".to_owned()))?
                    .settings;
                let (settings, tier) = chosen(settings, model)?;
                let at_once = settings.concurrency;
                let named = format!("{} ({})", name_of(&settings.first, tier), settings.first.name);
                let models = Models::open(settings, &session.ambient).context("the language models can't be asked")?;
                let grader = Arc::new(ModelGrader::new(Arc::new(models), Arc::new(Here)));
                Ok(Self { tier, model: Some(named), ..Self::of(grader, at_once)? })
            }
        }
    }

    /// The built-in grader.
    pub(super) fn builtin() -> anyhow::Result<Self> {
        Self::of(Arc::new(Builtin), thread::available_parallelism().map_or(1, usize::from))
    }

    fn of(grader: Arc<dyn Grader>, at_once: usize) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.context("the runtime can't be started")?;
        Ok(Self { grader, runtime, at_once, tier: Tier::Standard, model: None })
    }

    /// Grades a rubric or open answer.
    pub(super) fn grade(&self, submission: &Submission) -> Result<Judged, GradingError> {
        self.runtime.block_on(self.grader.grade(submission))
    }
}

/// The settings and the tier that a name means: a tier of the first provider and those after it, or one model of one provider.
fn chosen(settings: Settings, named: Option<&str>) -> Result<(Settings, Tier), WrongUse> {
    let tier = match named {
        None | Some("standard") => Some(Tier::Standard),
        Some("fast") => Some(Tier::Fast),
        Some("advanced") => Some(Tier::Advanced),
        Some(_) => None,
    };
    if let Some(tier) = tier {
        return Ok((settings, tier));
    }
    let name = named.unwrap_or_default();
    let provider = settings.providers().find(|provider| provider.models.distinct().contains(&name)).cloned();
    let Some(provider) = provider else {
        let mut names: Vec<&str> = settings.providers().flat_map(|provider| provider.models.distinct()).collect();
        names.dedup();
        let names = names.join(", ");
        return Err(WrongUse(format!(
            "no model {name} is configured: name fast, standard, advanced, or one of {names}"
        )));
    };
    let first = Provider { models: ModelNames::all(name), ..provider };
    Ok((Settings { first, others: Vec::new(), ..settings }, Tier::Standard))
}

fn name_of(provider: &Provider, tier: Tier) -> &str {
    match tier {
        Tier::Fast => &provider.models.fast,
        Tier::Standard => &provider.models.standard,
        Tier::Advanced => &provider.models.advanced,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use models::{Pacing, Protocol};

    use super::*;

    fn settings() -> Settings {
        let provider = |name: &str, models| Provider {
            name: name.to_owned(),
            protocol: Protocol::Chat,
            base_url: url::Url::parse("http://127.0.0.1:1").unwrap(),
            api_key: None,
            models,
        };
        Settings {
            first: provider("one", ModelNames { fast: "small".to_owned(), ..ModelNames::all("large") }),
            others: vec![provider("two", ModelNames::all("other"))],
            timeout: Duration::from_secs(1),
            retries: 0,
            concurrency: 1,
            extra_ca_pem: None,
            pacing: Pacing::default(),
        }
    }

    #[test]
    fn a_tier_is_asked_as_on_a_server_and_a_model_alone() {
        for (name, tier) in [(None, Tier::Standard), (Some("fast"), Tier::Fast), (Some("advanced"), Tier::Advanced)] {
            let (settings, found) = chosen(settings(), name).unwrap();
            assert_eq!((found, settings.others.len()), (tier, 1));
        }
        let (settings, tier) = chosen(settings(), Some("other")).unwrap();
        assert_eq!((settings.first.name.as_str(), settings.others.len(), tier), ("two", 0, Tier::Standard));
        assert_eq!(name_of(&settings.first, tier), "other");
    }

    #[test]
    fn an_unknown_name_is_told_with_those_that_there_are() {
        let error = chosen(settings(), Some("huge")).unwrap_err().to_string();
        assert!(error.contains("huge") && error.contains("small, large, other"), "{error}");
    }
}
