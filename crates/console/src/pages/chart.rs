//! A bar chart of days, drawn on the server. The table beside it has the same figures.

use crate::format;

/// The drawing's width, in its own units.
pub(crate) const WIDTH: f64 = 960.0;
/// The drawing's height, in its own units.
pub(crate) const HEIGHT: f64 = 220.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 28.0;
const TOP: f64 = 12.0;
/// Labels below the bars.
const MOST_LABELS: usize = 8;

/// A bar with its words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bar {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) title: String,
    /// The day, below some of the bars.
    pub(crate) label: Option<String>,
}

/// A line of the scale.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) y: f64,
    pub(crate) text: String,
}

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chart {
    pub(crate) bars: Vec<Bar>,
    pub(crate) lines: Vec<Line>,
}

impl Bar {
    /// The middle of the bar.
    pub(crate) fn middle(&self) -> f64 {
        self.x + self.width / 2.0
    }
}

impl Chart {
    /// The chart of days and their values, which `write` puts into words.
    #[expect(clippy::cast_precision_loss, reason = "a chart has few bars")]
    pub(crate) fn of(values: &[(String, f64)], write: impl Fn(f64) -> String) -> Self {
        let top = nice_top(values.iter().map(|(_, value)| *value).fold(0.0, f64::max));
        let (space, floor) = ((WIDTH - LEFT) / values.len().max(1) as f64, HEIGHT - BOTTOM);
        let scale = (floor - TOP) / top;
        let every = values.len().div_ceil(MOST_LABELS).max(1);
        let bars = values.iter().enumerate().map(|(index, (day, value))| {
            let height = if *value > 0.0 { (value * scale).max(2.0) } else { 0.0 };
            let width = (space * 0.72).min(72.0);
            Bar {
                x: round(LEFT + space * index as f64 + (space - width) / 2.0),
                y: round(floor - height),
                width: round(width),
                height: round(height),
                title: format!("{}: {}", format::day(day), write(*value)),
                label: (index % every == 0).then(|| short(day)),
            }
        });
        let lines =
            [0.0, 0.5, 1.0].map(|part| Line { y: round(floor - (floor - TOP) * part), text: write(top * part) });
        Self { bars: bars.collect(), lines: lines.to_vec() }
    }
}

/// The day and month of a date: `27 Nov`.
fn short(day: &str) -> String {
    let whole = format::day(day);
    whole.rsplit_once(' ').map_or(whole.clone(), |(text, _)| text.to_owned())
}

/// The next of 1, 2, 5, 10, 20, 50… that is no smaller.
fn nice_top(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let unit = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    steps.iter().map(|step| step * unit).find(|top| *top >= value * 0.999_999).unwrap_or(10.0 * unit)
}

fn round(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fit_the_drawing_and_the_highest_is_near_the_top() {
        let days: Vec<_> = (1..=30).map(|day| (format!("2026-11-{day:02}"), f64::from(day))).collect();
        let chart = Chart::of(&days, format::decimal);
        assert_eq!(chart.bars.len(), 30);
        assert!(chart.bars.iter().all(|bar| bar.x >= LEFT && bar.x + bar.width <= WIDTH && bar.y >= TOP));
        assert_eq!(chart.lines[2].text, "50");
        assert_eq!(chart.bars[29].title, "30 Nov 2026: 30");
        assert!(chart.bars.iter().filter(|bar| bar.label.is_some()).count() <= MOST_LABELS);
    }

    #[test]
    fn a_chart_of_nothing_divides_by_nothing() {
        assert!(Chart::of(&[], format::decimal).bars.is_empty());
        let flat = Chart::of(&[("2026-11-01".to_owned(), 0.0)], format::decimal);
        assert!(flat.bars.iter().all(|bar| bar.height.abs() < f64::EPSILON));
        assert_eq!(flat.lines[2].text, "1");
    }
}
