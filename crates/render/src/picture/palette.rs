//! The colours of a video: ink or paper as the ground, and one accent. Scenes vary within them, the same way each time.

use tiny_skia::Color;

use crate::layout::Layout;
use crate::storyboard::Storyboard;

/// An accent as it stands on paper and on ink.
struct Accent {
    on_paper: u32,
    on_ink: u32,
}

const ACCENTS: [Accent; 4] = [
    Accent { on_paper: 0x00E8_4F35, on_ink: 0x00FF_7A61 },
    Accent { on_paper: 0x000C_8577, on_ink: 0x0045_D6C2 },
    Accent { on_paper: 0x0050_48DC, on_ink: 0x0099_94FF },
    Accent { on_paper: 0x00C2_6A05, on_ink: 0x00FB_BF3B },
];

/// The colours of a scene.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    pub(super) ground: Color,
    /// Ground that is raised: cards of lists and tables.
    pub(super) raised: Color,
    /// Lines and large shapes that are hardly seen.
    pub(super) faint: Color,
    pub(super) text: Color,
    pub(super) muted: Color,
    pub(super) accent: Color,
    /// All accents, the video's own first.
    pub(super) accents: [Color; 4],
    /// Where shapes of the backdrop stand.
    pub(super) pattern: usize,
}

impl Palette {
    /// The colours of a scene, by the video's title, the scene's place and its layout.
    pub(super) fn of(board: &Storyboard, index: usize, layout: &Layout) -> Self {
        let seed = hash(&board.title);
        let is_ink = match layout {
            Layout::Title { .. } | Layout::Quote { .. } | Layout::Figure { .. } => true,
            Layout::Text { .. } => (seed / 4 + index).is_multiple_of(3),
            _ => false,
        };
        let first = seed % ACCENTS.len();
        let accents: [Color; 4] = std::array::from_fn(|at| {
            let accent = &ACCENTS[(first + at) % ACCENTS.len()];
            color(if is_ink { accent.on_ink } else { accent.on_paper })
        });
        let [ground, raised, faint, text, muted] = if is_ink {
            [0x0011_1A33, 0x001B_2748, 0x0024_3257, 0x00FF_FFFF, 0x00A3_AFCC]
        } else {
            [0x00FB_F7F0, 0x00FF_FFFF, 0x00EF_E7DA, 0x0016_1D33, 0x0073_6E68]
        }
        .map(color);
        Self { ground, raised, faint, text, muted, accent: accents[0], accents, pattern: seed / 16 + index }
    }

    /// An accent for the part of this number.
    pub(super) const fn accent_of(&self, part: usize) -> Color {
        self.accents[part % self.accents.len()]
    }
}

/// The colour of `0xRRGGBB`.
pub(super) fn color(rgb: u32) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Color::from_rgba8(red, green, blue, 255)
}

/// The colour, less opaque.
pub(super) fn with_opacity(mut color: Color, opacity: f32) -> Color {
    color.apply_opacity(opacity);
    color
}

/// The colour between two others.
pub(super) fn between(from: Color, to: Color, part: f32) -> Color {
    let mix = |from: f32, to: f32| (from + (to - from) * part).clamp(0.0, 1.0);
    let (red, green) = (mix(from.red(), to.red()), mix(from.green(), to.green()));
    Color::from_rgba(red, green, mix(from.blue(), to.blue()), 1.0).unwrap_or(to)
}

/// A number that a text has for ever (FNV-1a).
fn hash(text: &str) -> usize {
    let hash = text.bytes().fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash >> 4) as usize
}
