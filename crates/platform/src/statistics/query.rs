//! The query of the statistics: days, both included, and a service.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use billing::usage::statistics::{Filter, Scope};
use edge::problem::Problem;
use edge::query::{Query, text, timestamp};
use http::request::Parts;
use kernel::time::{Day, Timestamp};

use crate::callers::Caller;

/// No service has a longer name; a longer text finds nothing.
const LONGEST_SERVICE: usize = 10_000;

/// The query of the statistics; the verdict on it waits until the caller is known.
#[derive(Clone, Debug)]
pub struct StatisticsQuery(Query);

impl StatisticsQuery {
    /// What the caller may see of what the query asks for.
    ///
    /// # Errors
    /// As [`scope`], then 400 naming every wrong or unknown parameter.
    pub(super) fn filter(&self, caller: &Caller) -> Result<Filter, Problem> {
        let scope = scope(caller)?;
        self.0.read(|parameters| {
            let from = parameters.optional("startDate", day_of);
            let until = parameters.optional("endDate", day_of);
            let service = parameters.optional("service", text(0..=LONGEST_SERVICE));
            let service = service?.filter(|service| !service.is_empty());
            Some(Filter { scope, from: from?, until: until?, service })
        })
    }
}

/// A day, or of an instant its day in UTC: clients send what their date pickers give, some without an offset, some with a plus
/// sign that the query's rules make a space.
fn day_of(value: &str) -> Result<Day, String> {
    let instant = |text: &str| timestamp(text).ok().map(Timestamp::day);
    let day = Day::parse(value).or_else(|| instant(value)).or_else(|| instant(&format!("{value}Z")));
    day.ok_or_else(|| "must be a date such as 2026-11-21".to_owned())
}

/// Whose usage a caller sees.
///
/// # Errors
/// 403 for a member of organizations, to whom no statistics are open.
pub(super) fn scope(caller: &Caller) -> Result<Scope, Problem> {
    match caller {
        Caller::Key { workspace, is_service_admin: false, .. } => Ok(Scope::Workspace(*workspace)),
        Caller::Key { .. } | Caller::Operator(..) | Caller::Member { .. } => {
            caller.manages_the_service().map(|()| Scope::All)
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for StatisticsQuery {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Query::from_request_parts(parts, state).await.map(Self)
    }
}

#[cfg(test)]
mod tests {
    use edge::audit::AuditNote;

    use super::*;

    fn query(text: &str) -> StatisticsQuery {
        StatisticsQuery(format!("/?{text}").parse::<http::Uri>().unwrap().into())
    }

    fn filter(text: &str) -> Result<Filter, Problem> {
        let (ambient, _) = kernel::ambient::Ambient::fixed(Timestamp::from_millis(0), 1);
        query(text).filter(&Caller::Operator(ambient.id(), AuditNote::default()))
    }

    fn days(text: &str) -> Option<(Option<String>, Option<String>)> {
        let Filter { from, until, .. } = filter(text).ok()?;
        Some((from.map(|day| day.to_string()), until.map(|day| day.to_string())))
    }

    #[test]
    fn a_day_is_given_by_itself_or_by_an_instant_of_it_in_utc() {
        for (given, day) in [
            ("2026-11-01", "2026-11-01"),
            ("2026-11-01T23:00:00Z", "2026-11-01"),
            ("2026-11-01T23:00:00-05:00", "2026-11-02"),
            ("2026-11-01T01:00:00%2B02:00", "2026-10-31"),
            ("2026-11-01T01:00:00+02:00", "2026-10-31"),
            ("2026-11-01T23:00:00", "2026-11-01"),
        ] {
            let day = Some(day.to_owned());
            assert_eq!(days(&format!("startDate={given}")), Some((day.clone(), None)), "{given}");
            assert_eq!(days(&format!("endDate={given}")), Some((None, day)), "{given}");
        }
    }

    #[test]
    fn what_only_begins_like_a_day_is_none() {
        for wrong in ["2026-11-01Tjunk", "2026-11-01T", "2026-11-01T25:00:00Z", "2026-11-31", "2026-11-01+", "%00", ""]
        {
            assert_eq!(days(&format!("startDate={wrong}")), None, "{wrong}");
        }
    }
}
