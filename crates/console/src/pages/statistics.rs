//! Statistics of the service: totals, days and workspaces.

use std::time::Duration;

use askama::Template;
use axum::response::IntoResponse as _;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use kernel::time::Timestamp;

use super::Page;
use super::chart::Chart;
use crate::api::statistics::{Day, Totals, WorkspaceTotals};
use crate::fields::{Fields, Filters};
use crate::format;
use crate::shell::{Section, Shell};
use crate::visit::{Visit, page};

const TOTALS: &str = "/v1/platform/admin/stats";
const NAMES: [&str; 3] = ["startDate", "endDate", "service"];
/// The days that are shown unless somebody asks for others.
const USUAL_DAYS: u64 = 30;
/// Days that a chart has room for. A longer time shows the days with requests alone.
const MOST_DAYS: u64 = 366;
/// Workspaces that the page lists, those with the most requests.
const MOST_WORKSPACES: usize = 50;

#[derive(Template)]
#[template(path = "statistics.html")]
struct StatisticsPage {
    shell: Shell,
    filters: Fields,
    measure: &'static str,
    csv: String,
    totals: Totals,
    chart: Chart,
    chart_title: String,
    days: Vec<Day>,
    workspaces: Vec<WorkspaceTotals>,
}

/// The filters as given, or the last thirty days.
fn with_usual_days(visit: &Visit, filters: Fields) -> Fields {
    if filters.given("startDate").is_some() || filters.given("endDate").is_some() {
        return filters;
    }
    let first = visit.now.minus(Duration::from_secs((USUAL_DAYS - 1) * 86_400)).to_string();
    let last = visit.now.to_string();
    let day = |text: &str| text.get(0..10).unwrap_or_default().to_owned();
    filters.with("startDate", &day(&first)).with("endDate", &day(&last))
}

pub(crate) async fn show(visit: Visit, Filters(filters): Filters) -> Page {
    let filters = with_usual_days(&visit, filters);
    let query = filters.query(&NAMES);
    let totals: Totals = visit.read("getStatistics", &format!("{TOTALS}{query}")).await?;
    let days: Vec<Day> = visit.read("getDailyStatistics", &format!("{TOTALS}/daily{query}")).await?;
    let path = format!("{TOTALS}/organizations");
    let mut workspaces: Vec<WorkspaceTotals> = visit.read("getOrganizationStatistics", &path).await?;
    workspaces.sort_by_key(|workspace| std::cmp::Reverse(workspace.total_requests));
    workspaces.truncate(MOST_WORKSPACES);
    let shown = with_quiet_days(&days, &filters, visit.now);
    let (measure, chart, chart_title) = chart_of(&shown, filters.get("measure"));
    let csv = format!("/console/statistics/daily.csv{query}");
    let shell = visit.shell("Statistics", Section::Statistics).await?;
    Ok(page(&StatisticsPage { shell, filters, measure, csv, totals, chart, chart_title, days, workspaces }))
}

/// The days between the filters' first and last one, the oldest first. The API leaves out days without a request, which a
/// chart shows as nothing. Days to come are left out.
fn with_quiet_days(days: &[Day], filters: &Fields, now: Timestamp) -> Vec<Day> {
    let mut all = days.to_vec();
    all.sort_by(|one, other| one.date.cmp(&other.date));
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return all };
    let today = now.to_string().get(0..10).unwrap_or_default().to_owned();
    let start = filters.given("startDate").unwrap_or(&first.date).to_owned();
    let end = filters.given("endDate").map_or(today.as_str(), |end| end.min(&today)).max(&last.date).to_owned();
    let Some(start) = Timestamp::parse_rfc3339(&format!("{start}T00:00:00Z")) else { return all };
    let dates = (0..MOST_DAYS).map(|day| start.plus(Duration::from_secs(day * 86_400)).to_string());
    let dates: Vec<String> = dates.filter_map(|time| time.get(0..10).map(str::to_owned)).collect();
    if dates.last().is_none_or(|last| *last < end) {
        return all;
    }
    let found =
        |date: String| all.iter().find(|day| day.date == date).cloned().unwrap_or(Day { date, ..Day::default() });
    dates.into_iter().take_while(|date| *date <= end).map(found).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a chart shows no more digits than a float has")]
fn chart_of(days: &[Day], measure: &str) -> (&'static str, Chart, String) {
    let values = |value: fn(&Day) -> f64| -> Vec<(String, f64)> {
        days.iter().map(|day| (day.date.clone(), value(day))).collect()
    };
    #[expect(clippy::cast_possible_truncation, reason = "a count came from a whole number")]
    let count = |value: f64| format::whole(value.round() as i64);
    match measure {
        "cost" => (
            "cost",
            Chart::of(&values(|day| day.billable_amount_usd), format::usd),
            "Billable US dollars by day".into(),
        ),
        "tokens" => {
            let chart = Chart::of(&values(|day| (day.input_tokens + day.output_tokens) as f64), count);
            ("tokens", chart, "Tokens by day".into())
        }
        _ => ("requests", Chart::of(&values(|day| day.requests as f64), count), "Requests by day".into()),
    }
}

pub(crate) async fn csv(visit: Visit, Filters(filters): Filters) -> Page {
    let path = format!("{TOTALS}/daily{}", filters.query(&NAMES));
    let days: Vec<Day> = visit.read("getDailyStatistics", &path).await?;
    let mut text =
        "date,requests,creditCost,billableAmountUsd,finalizedAmountUsd,inputTokens,outputTokens\r\n".to_owned();
    for day in days {
        // A date is digits and hyphens, so no field can be read as a formula.
        let date: String = day.date.chars().filter(|letter| letter.is_ascii_digit() || *letter == '-').collect();
        text.push_str(&format!(
            "{date},{},{},{},{},{},{}\r\n",
            day.requests,
            day.credit_cost,
            day.billable_amount_usd,
            day.finalized_amount_usd,
            day.input_tokens,
            day.output_tokens
        ));
    }
    let headers =
        [(CONTENT_TYPE, "text/csv; charset=utf-8"), (CONTENT_DISPOSITION, "attachment; filename=\"statistics.csv\"")];
    Ok((headers, text).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_without_requests_are_days_of_the_chart() {
        let now = Timestamp::parse_rfc3339("2026-11-27T20:00:00Z").unwrap();
        let day = |date: &str| Day { date: date.to_owned(), requests: 7, ..Day::default() };
        let shown = |days: &[Day], start: &str, end: &str| {
            let filters = Fields::default().with("startDate", start).with("endDate", end);
            let shown = with_quiet_days(days, &filters, now).into_iter();
            shown.map(|day| (day.date, day.requests)).collect::<Vec<_>>()
        };
        let month = shown(&[day("2026-11-24")], "2026-10-29", "2026-11-27");
        assert_eq!((month.len(), month[0].clone()), (30, ("2026-10-29".to_owned(), 0)));
        assert_eq!((&month[26], month[29].0.as_str()), (&("2026-11-24".to_owned(), 7), "2026-11-27"));
        assert_eq!(shown(&[day("2026-11-26"), day("2026-11-24")], "", "").len(), 4);
        assert_eq!(shown(&[day("2026-11-26")], "2026-11-25", "2027-03-01").len(), 3);
        assert_eq!(shown(&[day("2026-11-26")], "2001-01-01", "").len(), 1);
        assert!(shown(&[], "2026-10-29", "2026-11-27").is_empty());
    }
}
