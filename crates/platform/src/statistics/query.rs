//! The query of the statistics: days, both included, and a service.

use axum::extract::FromRequestParts;
use billing::usage::statistics::{Filter, Scope};
use edge::problem::{Detail, Problem};
use http::request::Parts;
use kernel::time::Day;
use url::form_urlencoded;

use crate::callers::Caller;

/// What a query asks for; the verdict on it waits until the caller is known.
#[derive(Clone, Debug)]
pub struct StatisticsQuery(Result<Asked, Problem>);

#[derive(Clone, Debug, Default)]
struct Asked {
    from: Option<Day>,
    until: Option<Day>,
    service: Option<String>,
}

impl StatisticsQuery {
    /// What the caller may see of what the query asks for.
    ///
    /// # Errors
    /// 400 naming every wrong parameter.
    pub(super) fn filter(&self, caller: &Caller) -> Result<Filter, Problem> {
        let Asked { from, until, service } = self.0.clone()?;
        Ok(Filter { scope: scope(caller), from, until, service })
    }

    fn of(query: &str) -> Self {
        let (mut asked, mut details) = (Asked::default(), Vec::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let day = match &*name {
                "startDate" => &mut asked.from,
                "endDate" => &mut asked.until,
                "service" => {
                    asked.service = Some(value.into_owned()).filter(|service| !service.is_empty());
                    continue;
                }
                _ => continue,
            };
            // Of an instant, its day: clients send what their date pickers give.
            let date = value.get(..10).filter(|_| value.len() == 10 || value.as_bytes()[10] == b'T');
            *day = date.and_then(Day::parse);
            if day.is_none() {
                let message = "must be a date such as 2026-11-21".to_owned();
                details.push(Detail { path: name.into_owned(), message });
            }
        }
        if details.is_empty() { Self(Ok(asked)) } else { Self(Err(Problem::Invalid(details))) }
    }
}

/// Whose usage a caller sees.
pub(super) fn scope(caller: &Caller) -> Scope {
    match caller {
        Caller::Key { workspace, is_service_admin: false, .. } => Scope::Workspace(*workspace),
        Caller::Key { .. } | Caller::Operator(_) => Scope::All,
    }
}

impl<S: Send + Sync> FromRequestParts<S> for StatisticsQuery {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        Ok(Self::of(parts.uri.query().unwrap_or_default()))
    }
}
