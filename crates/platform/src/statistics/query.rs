//! The query of the statistics: days, both included, and a service.

use axum::extract::FromRequestParts;
use billing::usage::statistics::{Filter, Scope};
use edge::problem::{Detail, Problem};
use http::request::Parts;
use kernel::time::{Day, Timestamp};
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
                "service" if value.contains('\0') => {
                    details.push(detail(&name, "must not have the character NUL"));
                    continue;
                }
                "service" => {
                    asked.service = Some(value.into_owned()).filter(|service| !service.is_empty());
                    continue;
                }
                _ => continue,
            };
            *day = day_of(&value);
            if day.is_none() {
                details.push(detail(&name, "must be a date such as 2026-11-21"));
            }
        }
        if details.is_empty() { Self(Ok(asked)) } else { Self(Err(Problem::Invalid(details))) }
    }
}

/// A day, or of an instant its day in UTC: clients send what their date pickers give, some without an offset, some with a plus
/// sign that the query's rules make a space.
fn day_of(value: &str) -> Option<Day> {
    let instant = |text: &str| Timestamp::parse_rfc3339(text).map(Timestamp::day);
    Day::parse(value).or_else(|| instant(&value.replace(' ', "+"))).or_else(|| instant(&format!("{value}Z")))
}

fn detail(parameter: &str, message: &str) -> Detail {
    Detail { path: parameter.to_owned(), message: message.to_owned() }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn days(query: &str) -> Option<(Option<String>, Option<String>)> {
        let Asked { from, until, .. } = StatisticsQuery::of(query).0.ok()?;
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
        for wrong in ["2026-11-01Tjunk", "2026-11-01T", "2026-11-01T25:00:00Z", "2026-11-31", "2026-11-01 ", "%00", ""]
        {
            assert_eq!(days(&format!("startDate={wrong}")), None, "{wrong}");
        }
    }
}
