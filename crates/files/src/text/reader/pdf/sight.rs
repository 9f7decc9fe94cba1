//! Whether a string that a page draws is seen: by how it is painted, where, and on what.
//!
//! What is painted over later, clipped or drawn by patterns is not followed.

use lopdf::{Dictionary, Document, Object};

use super::super::style::{UNREADABLE_POINTS, is_white_light};
use super::matrix::Matrix;
use super::number;

/// Painted areas that are told apart; what is painted further widens the last one.
const MOST_AREAS: usize = 64;
/// What is looked at of a page's pictures.
const MOST_PICTURES: usize = 200;
/// The least width and height of a scanned page, in pixels.
const SCAN_PIXELS: i64 = 500;
/// Text that is drawn without painting it, and text that only clips.
const UNPAINTED: [i64; 2] = [3, 7];

/// A rectangle that holds some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    low: (f64, f64),
    high: (f64, f64),
}

impl Area {
    const NOTHING: Self = Self { low: (f64::INFINITY, f64::INFINITY), high: (f64::NEG_INFINITY, f64::NEG_INFINITY) };

    fn with(self, (x, y): (f64, f64)) -> Self {
        let (low, high) = (self.low, self.high);
        Self { low: (low.0.min(x), low.1.min(y)), high: (high.0.max(x), high.1.max(y)) }
    }

    fn of(points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        points.into_iter().fold(Self::NOTHING, Self::with)
    }

    fn meets(&self, other: &Self) -> bool {
        self.low.0 <= other.high.0
            && other.low.0 <= self.high.0
            && self.low.1 <= other.high.1
            && other.low.1 <= self.high.1
    }
}

/// What a page looks like so far.
#[derive(Default)]
pub(super) struct Sight {
    /// Where text can be seen; nobody knows of what is drawn elsewhere than on a page.
    page: Option<Area>,
    /// The page is a picture of text, and the text in it is what was recognized there.
    is_scan: bool,
    /// Where something that is not white was painted.
    painted: Vec<Area>,
    /// The path that is to be painted.
    path: Option<Area>,
}

/// How something is painted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paint {
    is_white: bool,
    /// What sets a colour without saying of what kind sets one of this kind.
    space: Space,
    is_unpainted: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Space {
    /// Parts of light.
    #[default]
    Light,
    /// Parts of ink.
    Ink,
    Other,
}

impl Sight {
    /// A page whose pictures are among these resources.
    pub(super) fn of_page(document: &Document, page: &Dictionary, resources: Option<&Dictionary>) -> Self {
        let limits = inherited(document, page, b"CropBox").or_else(|| inherited(document, page, b"MediaBox"));
        let corners = limits.and_then(|limits| {
            let parts: Vec<f64> = limits.iter().filter_map(|part| number(document.dereference(part).ok()?.1)).collect();
            <[f64; 4]>::try_from(parts).ok()
        });
        let page = corners.map(|[left, low, right, high]| Area::of([(left, low), (right, high)]));
        Self { page, is_scan: resources.is_some_and(|own| is_scan(document, own)), ..Self::default() }
    }

    /// Whether a string between two places can't be seen.
    pub(super) fn hides(&self, paint: Paint, from: (f64, f64), to: (f64, f64), height: Option<f64>) -> bool {
        let line = Area::of([from, to]);
        paint.is_unpainted && !self.is_scan
            || height.is_some_and(|height| height <= UNREADABLE_POINTS)
            || self.page.is_some_and(|page| !page.meets(&line))
            || paint.is_white && !self.painted.iter().any(|area| area.meets(&line))
    }

    /// Follows an operation that makes or paints a path.
    pub(super) fn operate(&mut self, operator: &str, operands: &[Object], paint: Paint, place: Matrix) {
        let given: Vec<f64> = operands.iter().take(6).filter_map(number).collect();
        match (operator, given.as_slice()) {
            ("re", [x, y, width, height]) => {
                let corners = [(*x, *y), (x + width, *y), (*x, y + height), (x + width, y + height)];
                corners.into_iter().for_each(|corner| self.reach(place.apply(corner)));
            }
            ("m" | "l" | "c" | "v" | "y", points) => {
                points.chunks_exact(2).for_each(|point| self.reach(place.apply((point[0], point[1]))));
            }
            ("f" | "F" | "f*" | "b" | "b*" | "B" | "B*", _) => {
                if let Some(path) = self.path.take().filter(|_| !paint.is_white) {
                    self.paint(path);
                }
            }
            ("n" | "s" | "S", _) => self.path = None,
            // A shading fills all that it may.
            ("sh", _) => self.paint(self.page.unwrap_or(Area::NOTHING)),
            _ => {}
        }
    }

    /// A picture, which fills the unit square.
    pub(super) fn picture(&mut self, place: Matrix) {
        let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
        self.paint(Area::of(corners.map(|corner| place.apply(corner))));
    }

    fn reach(&mut self, point: (f64, f64)) {
        self.path = Some(self.path.unwrap_or(Area::NOTHING).with(point));
    }

    fn paint(&mut self, area: Area) {
        let is_full = self.painted.len() >= MOST_AREAS;
        match self.painted.last_mut() {
            Some(last) if is_full => *last = last.with(area.low).with(area.high),
            _ => self.painted.push(area),
        }
    }
}

impl Paint {
    /// Follows an operation that sets how text and areas are painted.
    pub(super) fn operate(&mut self, operator: &str, operands: &[Object], parts_of_named: impl Fn() -> Option<usize>) {
        let given = || operands.iter().take(4).filter_map(number);
        match operator {
            "Tr" => {
                let mode = operands.first().and_then(|mode| mode.as_i64().ok());
                self.is_unpainted = mode.is_some_and(|mode| UNPAINTED.contains(&mode));
            }
            "g" | "rg" => (self.space, self.is_white) = (Space::Light, is_white_light(given())),
            "k" => (self.space, self.is_white) = (Space::Ink, is_white_light(given().map(|ink| 1.0 - ink))),
            // A space begins with black.
            "cs" => {
                self.is_white = false;
                self.space = match operands.first().and_then(|name| name.as_name().ok()) {
                    Some(b"DeviceGray" | b"DeviceRGB" | b"CalGray" | b"CalRGB") => Space::Light,
                    Some(b"DeviceCMYK") => Space::Ink,
                    _ => match parts_of_named() {
                        Some(1 | 3) => Space::Light,
                        Some(4) => Space::Ink,
                        _ => Space::Other,
                    },
                };
            }
            "sc" | "scn" => {
                self.is_white = match self.space {
                    Space::Light => given().next().is_some() && is_white_light(given()),
                    Space::Ink => given().next().is_some() && is_white_light(given().map(|ink| 1.0 - ink)),
                    Space::Other => false,
                };
            }
            _ => {}
        }
    }
}

/// How many parts a colour has in a space that is based on light or ink; `None` for spaces of another kind.
pub(super) fn parts_of_space(document: &Document, space: &Object) -> Option<usize> {
    if let Ok(name) = space.as_name() {
        return match name {
            b"DeviceGray" => Some(1),
            b"DeviceRGB" => Some(3),
            b"DeviceCMYK" => Some(4),
            _ => None,
        };
    }
    let parts = space.as_array().ok()?;
    match parts.first()?.as_name().ok()? {
        b"CalGray" => Some(1),
        b"CalRGB" => Some(3),
        b"ICCBased" => {
            let profile = document.dereference(parts.get(1)?).ok()?.1.as_stream().ok()?;
            usize::try_from(profile.dict.get_deref(b"N", document).and_then(Object::as_i64).ok()?).ok()
        }
        _ => None,
    }
}

/// What a page says, or the nearest node above it.
fn inherited<'d>(document: &'d Document, page: &'d Dictionary, key: &[u8]) -> Option<&'d Vec<Object>> {
    super::nodes_above(document, page).find_map(|node| node.get_deref(key, document).and_then(Object::as_array).ok())
}

/// Whether a page's pictures have one that may be a scan.
fn is_scan(document: &Document, resources: &Dictionary) -> bool {
    let Ok(all) = resources.get_deref(b"XObject", document).and_then(Object::as_dict) else { return false };
    all.iter().take(MOST_PICTURES).any(|(_, object)| {
        let Some(picture) = document.dereference(object).ok().and_then(|(_, object)| object.as_stream().ok()) else {
            return false;
        };
        let has = |key: &[u8]| {
            let pixels = picture.dict.get_deref(key, document).and_then(Object::as_i64);
            pixels.is_ok_and(|pixels| pixels >= SCAN_PIXELS)
        };
        has(b"Width") && has(b"Height")
    })
}
