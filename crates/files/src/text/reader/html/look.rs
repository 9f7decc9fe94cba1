//! Whether what an element holds is seen, by its attributes and inline styles. Style sheets are not followed: of
//! them it is only known that they may have put a colour behind white text.

use html5gum::StartTag;

use super::super::style::{UNREADABLE_POINTS, is_white_hex, is_white_light};

/// Elements open at once that are told apart; what is deeper looks like the one around it.
const MOST_OPEN: usize = 256;
/// How far up the element is looked for that another one ends without saying so.
const NEAR: usize = 64;
/// Elements that hold nothing.
const VOID: &str = "area base br col embed hr img input link meta param source track wbr";
/// Beyond it, text stands outside of any page, in pixels.
const FAR_AWAY: f64 = -900.0;
/// Pixels in a point.
const PIXELS: f64 = 96.0 / 72.0;

/// How an element looks, with what it has from those around it.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    /// Nothing within can be seen.
    none: bool,
    /// Elements within may be seen again.
    invisible: bool,
    tiny: bool,
    white: bool,
    /// Something that is not white is behind it.
    backed: bool,
}

/// The elements around.
#[derive(Default)]
pub(super) struct Looks {
    open: Vec<(Box<[u8]>, Look)>,
    /// A style sheet colours backgrounds.
    has_backgrounds: bool,
}

impl Looks {
    /// Whether text here can't be seen.
    pub(super) fn is_hidden(&self) -> bool {
        self.hides(self.now())
    }

    /// Whether an element that holds nothing can't be seen.
    pub(super) fn hides_tag(&self, tag: &StartTag<()>) -> bool {
        self.hides(self.look_of(tag))
    }

    /// What a style sheet says.
    pub(super) fn style_sheet(&mut self, text: &str) {
        self.has_backgrounds |= text.contains("background");
    }

    pub(super) fn start(&mut self, tag: &StartTag<()>, is_block: bool) {
        let name = &**tag.name;
        self.has_backgrounds |= name == b"link";
        self.end_implied(name, is_block);
        let look = self.look_of(tag);
        let is_void = tag.self_closing || super::is_one_of(VOID, &String::from_utf8_lossy(name));
        if !is_void && self.open.len() < MOST_OPEN {
            self.open.push((name.into(), look));
        }
    }

    pub(super) fn end(&mut self, name: &[u8]) {
        if let Some(at) = self.open.iter().rposition(|(open, _)| **open == *name) {
            self.open.truncate(at);
        }
    }

    /// A paragraph ends where a block begins, an item where the next one does.
    fn end_implied(&mut self, name: &[u8], is_block: bool) {
        let (ended, within): (&[&[u8]], &[&[u8]]) = match name {
            b"li" => (&[b"li"], &[b"ul", b"ol"]),
            b"dt" | b"dd" => (&[b"dt", b"dd"], &[b"dl"]),
            b"td" | b"th" => (&[b"td", b"th"], &[b"table"]),
            b"tr" => (&[b"tr"], &[b"table"]),
            b"option" => (&[b"option"], &[b"select"]),
            _ if is_block => (&[b"p"], &[b"td", b"th", b"button"]),
            _ => return,
        };
        let near = self.open.iter().enumerate().rev().take(NEAR);
        let mut near = near.take_while(|(_, (open, _))| !within.contains(&&**open));
        if let Some((at, _)) = near.find(|(_, (open, _))| ended.contains(&&**open)) {
            self.open.truncate(at);
        }
    }

    fn now(&self) -> Look {
        self.open.last().map_or_else(Look::default, |(_, look)| *look)
    }

    fn hides(&self, look: Look) -> bool {
        let is_backed = look.backed || self.has_backgrounds;
        look.none || look.invisible || look.tiny || look.white && !is_backed
    }

    fn look_of(&self, tag: &StartTag<()>) -> Look {
        let mut look = self.now();
        let attribute = |name: &[u8]| tag.attributes.get(name).map(|given| String::from_utf8_lossy(&given.value));
        look.none |= attribute(b"hidden").is_some();
        if let Some(colour) = attribute(b"color") {
            look.white = is_white(&colour.trim().to_ascii_lowercase());
        }
        if let Some(colour) = attribute(b"bgcolor") {
            look.set("background", &colour.trim().to_ascii_lowercase());
        }
        look.backed |= attribute(b"background").is_some();
        for declaration in attribute(b"style").unwrap_or_default().to_ascii_lowercase().split(';') {
            if let Some((property, value)) = declaration.split_once(':') {
                look.set(property.trim(), value.replace("!important", "").trim());
            }
        }
        look
    }
}

impl Look {
    fn set(&mut self, property: &str, value: &str) {
        match property {
            "display" => self.none |= value == "none",
            "visibility" => self.invisible = matches!(value, "hidden" | "collapse"),
            "opacity" => self.none |= value.parse().is_ok_and(|part: f64| part <= 0.02),
            "font-size" => self.tiny = is_tiny(value).unwrap_or(self.tiny),
            "color" if value != "inherit" => self.white = is_white(value),
            "background" | "background-color" | "background-image" => {
                let first = value.split_ascii_whitespace().next().unwrap_or("none");
                let is_nothing = matches!(first, "none" | "inherit" | "initial" | "unset") || is_white(value);
                self.backed = if is_nothing { self.backed && !is_opaque_white(value) } else { true };
            }
            "left" | "right" | "top" | "text-indent" | "margin-left" | "margin-top" => {
                self.none |= pixels(value).is_some_and(|pixels| pixels < FAR_AWAY);
            }
            _ => {}
        }
    }
}

/// Whether text of this size can't be read; `None` where that is left to the element around.
fn is_tiny(value: &str) -> Option<bool> {
    if let Some(part) = value.strip_suffix('%').and_then(|part| part.parse::<f64>().ok()) {
        return (part <= 5.0).then_some(true);
    }
    let root = value.strip_suffix("rem").and_then(|part| part.parse::<f64>().ok());
    if let Some(part) = value.strip_suffix("em").and_then(|part| part.parse::<f64>().ok()) {
        return (part <= 0.05).then_some(true);
    }
    if let Some(part) = root {
        return Some(part <= 0.05);
    }
    match pixels(value) {
        Some(pixels) => Some(pixels <= UNREADABLE_POINTS * PIXELS),
        None => matches!(value, "small" | "medium" | "large" | "x-large" | "x-small" | "initial").then_some(false),
    }
}

/// A length that does not depend on what is around.
fn pixels(value: &str) -> Option<f64> {
    let unit = value.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(value.len());
    let number: f64 = value[..unit].trim().parse().ok()?;
    match &value[unit..] {
        "px" => Some(number),
        "pt" => Some(number * PIXELS),
        "em" | "rem" => Some(number * 16.0),
        "" if number == 0.0 || number < FAR_AWAY => Some(number),
        _ => None,
    }
}

fn is_opaque_white(value: &str) -> bool {
    value != "transparent" && is_white(value)
}

/// White, or a colour that lets everything through.
fn is_white(value: &str) -> bool {
    if let Some(digits) = value.strip_prefix('#') {
        return is_white_hex(digits);
    }
    let parts = value.strip_prefix("rgba(").or_else(|| value.strip_prefix("rgb("));
    let Some(parts) = parts.and_then(|parts| parts.strip_suffix(')')) else {
        return matches!(value, "white" | "transparent" | "snow" | "ghostwhite");
    };
    let parts: Vec<f64> = parts
        .split([',', ' ', '/'])
        .filter(|part| !part.is_empty())
        .filter_map(|part| match part.strip_suffix('%') {
            Some(part) => part.parse::<f64>().ok().map(|part| part / 100.0 * 255.0),
            None => part.parse().ok(),
        })
        .collect();
    parts.len() >= 3 && is_white_light(parts[..3].iter().map(|part| part / 255.0)) || parts.get(3) == Some(&0.0)
}
