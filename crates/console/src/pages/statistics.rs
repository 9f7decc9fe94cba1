//! Statistics of the service: totals, days and workspaces.

use std::time::Duration;

use askama::Template;
use axum::response::IntoResponse as _;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

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
    let (measure, chart, chart_title) = chart_of(&days, filters.get("measure"));
    let csv = format!("/console/statistics/daily.csv{query}");
    let shell = visit.shell("Statistics", Section::Statistics).await?;
    Ok(page(&StatisticsPage { shell, filters, measure, csv, totals, chart, chart_title, days, workspaces }))
}

#[expect(clippy::cast_precision_loss, reason = "a chart shows no more digits than a float has")]
fn chart_of(days: &[Day], measure: &str) -> (&'static str, Chart, String) {
    let values = |value: fn(&Day) -> f64| -> Vec<(String, f64)> {
        // The oldest first, whatever the order of the answer.
        let mut values: Vec<_> = days.iter().map(|day| (day.date.clone(), value(day))).collect();
        values.sort_by(|one, other| one.0.cmp(&other.0));
        values
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
