//! Where things are on a page.

/// A transformation of the plane: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Matrix([f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) const fn new(parts: [f64; 6]) -> Self {
        Self(parts)
    }

    pub(super) const fn shift(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// This one, and then the other.
    #[must_use]
    pub(super) fn then(self, other: Self) -> Self {
        let ([a, b, c, d, e, f], [p, q, r, s, t, u]) = (self.0, other.0);
        Self([a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u])
    }

    /// Where the origin comes to be.
    pub(super) const fn origin(self) -> (f64, f64) {
        (self.0[4], self.0[5])
    }

    /// Where a point comes to be.
    pub(super) fn apply(self, (x, y): (f64, f64)) -> (f64, f64) {
        Self::shift(x, y).then(self).origin()
    }

    /// The direction that a line of text runs in, and how much longer it becomes.
    pub(super) fn along(self) -> ((f64, f64), f64) {
        let ([a, b, ..], length) = (self.0, self.0[0].hypot(self.0[1]));
        if length > 0.0 { ((a / length, b / length), length) } else { ((1.0, 0.0), 0.0) }
    }

    /// How much taller something becomes.
    pub(super) fn height(self) -> f64 {
        self.0[2].hypot(self.0[3])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_transformation_follows_the_other() {
        let doubled = Matrix::new([2.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        assert_eq!(Matrix::shift(1.0, 2.0).then(doubled).origin(), (2.0, 4.0));
        assert_eq!(doubled.then(Matrix::shift(1.0, 2.0)).origin(), (1.0, 2.0));
        assert_eq!(doubled.apply((1.0, 2.0)), (2.0, 4.0));
        let turned = Matrix::new([0.0, 3.0, -3.0, 0.0, 0.0, 0.0]);
        assert_eq!((turned.along(), turned.height()), (((0.0, 1.0), 3.0), 3.0));
    }
}
