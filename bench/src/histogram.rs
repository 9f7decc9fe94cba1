//! Latencies in logarithmic buckets, at most 0.01 % wide: what is added to half a second is told to a few hundredths of a
//! millisecond.

use std::time::Duration;

/// Buckets of one power of two.
const PER_OCTAVE: usize = 16 * 1024;
/// Powers of two of nanoseconds above the linear part: up to 73 minutes.
const OCTAVES: usize = 32;

/// Counts of durations; merging and recording cost nothing worth mentioning.
#[derive(Clone, Debug)]
pub(crate) struct Histogram {
    counts: Vec<u64>,
    total: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; PER_OCTAVE * (OCTAVES + 1)], total: 0 }
    }
}

impl Histogram {
    /// Counts one duration.
    pub(crate) fn record(&mut self, duration: Duration) {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        let index = bucket(nanos).min(self.counts.len() - 1);
        self.counts[index] += 1;
        self.total += 1;
    }

    /// Adds another's counts.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.total += other.total;
    }

    /// How many durations were counted.
    pub(crate) fn count(&self) -> u64 {
        self.total
    }

    /// The duration that `part` (0 to 1) of the counted ones do not exceed; zero when there is none.
    pub(crate) fn quantile(&self, part: f64) -> Duration {
        let wanted = ((self.total as f64 * part).ceil() as u64).max(1);
        let mut seen = 0;
        for (index, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return Duration::from_nanos(upper_end(index));
            }
        }
        Duration::ZERO
    }
}

fn bucket(nanos: u64) -> usize {
    let octave = (u64::BITS - nanos.leading_zeros()).saturating_sub(PER_OCTAVE.ilog2() + 1) as usize;
    if octave == 0 {
        return usize::try_from(nanos).unwrap_or(usize::MAX);
    }
    // The leading bit of the shifted value is the bucket's own octave: it adds PER_OCTAVE.
    octave * PER_OCTAVE + usize::try_from(nanos >> octave).unwrap_or(usize::MAX)
}

fn upper_end(index: usize) -> u64 {
    let octave = (index / PER_OCTAVE).saturating_sub(1);
    let within = (index - octave * PER_OCTAVE) as u64;
    ((within + 1) << octave) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_contiguous_and_narrow() {
        let mut last = 0;
        for nanos in (0..200_000).chain((0..50_000).map(|step| 200_000 + step * 99_701)) {
            let index = bucket(nanos);
            assert!(index >= last, "{nanos}");
            last = index;
            assert!(upper_end(index) >= nanos, "{nanos}");
            assert!(upper_end(index) - nanos <= nanos / 10_000 + 1, "{nanos} {}", upper_end(index));
        }
    }

    #[test]
    fn quantiles_come_from_the_counts() {
        let mut histogram = Histogram::default();
        for micros in 1..=100 {
            histogram.record(Duration::from_micros(micros));
        }
        let near = |part, micros: f64| (histogram.quantile(part).as_secs_f64() * 1e6 / micros - 1.0).abs() < 0.002;
        assert!(near(0.5, 50.0));
        assert!(near(0.99, 99.0));
        assert_eq!(Histogram::default().quantile(0.5), Duration::ZERO);
    }
}
