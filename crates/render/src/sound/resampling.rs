//! Sound at another rate, by a windowed sinc filter.

use std::f32::consts::PI;

use crate::limits::SAMPLE_RATE;

/// Half the length of the filter, in samples of the lower rate.
const REACH: usize = 16;
/// The part of the band that is kept.
const BAND: f32 = 0.95;
/// The rates that are taken, in samples a second.
pub(super) const RATES: std::ops::RangeInclusive<u32> = 8_000..=192_000;

/// The samples at [`SAMPLE_RATE`]; `None` when their rate is none of a voice.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "indices of speech that lasts some minutes"
)]
pub(super) fn resample(samples: &[i16], rate: u32) -> Option<Vec<i16>> {
    if !RATES.contains(&rate) {
        return None;
    }
    if rate == SAMPLE_RATE {
        return Some(samples.to_vec());
    }
    let divisor = common_divisor(rate, SAMPLE_RATE);
    // Every `phases` samples out, the filter stands at the same place between `step` samples in.
    let (step, phases) = ((rate / divisor) as usize, (SAMPLE_RATE / divisor) as usize);
    let scale = (SAMPLE_RATE as f32 / rate as f32).min(1.0) * BAND;
    let reach = (REACH as f32 / scale).ceil() as usize;
    let filters: Vec<Vec<f32>> = (0..phases).map(|phase| filter(phase as f32 / phases as f32, reach, scale)).collect();
    let count = samples.len() * phases / step;
    let sample_at =
        |index: isize| usize::try_from(index).ok().and_then(|index| samples.get(index)).copied().unwrap_or(0);
    let out = (0..count).map(|index| {
        // Where the filter of output `index` stands in the input: the whole part and the phase.
        let place = index * step;
        let (whole, phase) = (place / phases, place % phases);
        let first = whole as isize - reach as isize + 1;
        let taps = &filters[phase];
        let sum: f32 = match usize::try_from(first).ok().and_then(|first| samples.get(first..first + taps.len())) {
            Some(window) => window.iter().zip(taps).map(|(sample, tap)| f32::from(*sample) * tap).sum(),
            None => (first..).zip(taps).map(|(at, tap)| f32::from(sample_at(at)) * tap).sum(),
        };
        sum.round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
    });
    Some(out.collect())
}

/// The taps for a place between two samples; they add up to one.
#[expect(clippy::cast_precision_loss, reason = "a filter has few taps")]
fn filter(place: f32, reach: usize, scale: f32) -> Vec<f32> {
    let taps = (0..2 * reach).map(|index| {
        let distance = index as f32 - (reach as f32 - 1.0) - place;
        let window = 0.5 + 0.5 * (PI * distance / reach as f32).cos();
        sinc(distance * scale) * window
    });
    let taps: Vec<f32> = taps.collect();
    let sum: f32 = taps.iter().sum();
    taps.into_iter().map(|tap| tap / sum).collect()
}

fn sinc(x: f32) -> f32 {
    if x.abs() < 1e-6 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

const fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a test's tone")]
    fn tone(hertz: f32, rate: u32) -> Vec<i16> {
        (0..rate).map(|at| ((2.0 * PI * hertz * at as f32 / rate as f32).sin() * 10_000.0) as i16).collect()
    }

    fn loudness(samples: &[i16]) -> f64 {
        let squares: f64 = samples.iter().map(|sample| f64::from(*sample).powi(2)).sum();
        (squares / f64::from(u32::try_from(samples.len()).unwrap())).sqrt()
    }

    #[test]
    fn tones_keep_their_length_loudness_and_shape() {
        for rate in [16_000, 22_050, 24_000, 44_100, 48_000, 96_000] {
            let out = resample(&tone(440.0, rate), rate).unwrap();
            assert_eq!(out.len(), 48_000, "{rate}");
            let expected = tone(440.0, SAMPLE_RATE);
            let errors: Vec<i16> = out.iter().zip(&expected).skip(100).take(47_000).map(|(a, b)| a - b).collect();
            assert!(loudness(&errors) < 0.01 * loudness(&expected), "{rate}: {}", loudness(&errors));
        }
    }

    #[test]
    fn what_the_lower_rate_can_not_hold_is_left_out() {
        let out = resample(&tone(40_000.0, 96_000), 96_000).unwrap();
        assert!(loudness(&out[100..47_900]) < 100.0);
    }

    #[test]
    fn rates_of_no_voice_are_refused() {
        assert!(resample(&[0; 10], 0).is_none() && resample(&[0; 10], 1_000_000).is_none());
        assert_eq!(resample(&[], 22_050).unwrap(), [0_i16; 0]);
    }
}
