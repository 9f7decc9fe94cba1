//! Exact fractions, as long as they fit; whoever doesn't fit goes on with floating point.

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ratio {
    above: i128,
    below: i128,
}

impl Ratio {
    pub(super) fn new(above: i128, below: i128) -> Option<Self> {
        if below == 0 || above == i128::MIN || below == i128::MIN {
            return None;
        }
        let common = divisor(above.unsigned_abs(), below.unsigned_abs());
        let common = i128::try_from(common).ok()?.max(1) * below.signum();
        Some(Self { above: above / common, below: below / common })
    }

    pub(super) fn whole(value: i128) -> Self {
        Self { above: value, below: 1 }
    }

    /// The whole number that this is.
    pub(super) fn as_whole(self) -> Option<i128> {
        (self.below == 1).then_some(self.above)
    }

    pub(super) fn is_odd_below(self) -> bool {
        self.below % 2 != 0
    }

    pub(super) fn is_odd_above(self) -> bool {
        self.above % 2 != 0
    }

    /// Whether it has a finite decimal form.
    pub(super) fn is_terminating(self) -> bool {
        let mut below = self.below;
        for prime in [2, 5] {
            while below % prime == 0 {
                below /= prime;
            }
        }
        below == 1
    }

    pub(super) fn negated(self) -> Self {
        Self { above: -self.above, below: self.below }
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let left = self.above.checked_mul(other.below)?;
        let right = other.above.checked_mul(self.below)?;
        Self::new(left.checked_add(right)?, self.below.checked_mul(other.below)?)
    }

    pub(super) fn times(self, other: Self) -> Option<Self> {
        Self::new(self.above.checked_mul(other.above)?, self.below.checked_mul(other.below)?)
    }

    pub(super) fn over(self, other: Self) -> Option<Self> {
        Self::new(self.above.checked_mul(other.below)?, self.below.checked_mul(other.above)?)
    }

    pub(super) fn power(self, exponent: i128) -> Option<Self> {
        let count = u32::try_from(exponent.unsigned_abs()).ok()?;
        let (above, below) = (self.above.checked_pow(count)?, self.below.checked_pow(count)?);
        if exponent < 0 { Self::new(below, above) } else { Self::new(above, below) }
    }
}

fn divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
