//! Captions that are drawn into the picture: light letters on a dark band above the progress bar.

use tiny_skia::Color;

use super::art::Art;
use super::palette::{color, with_opacity};
use super::stage::{Area, CAPTION_HEIGHT, PROGRESS_BOTTOM, Stage, Style};
use crate::fonts::Weight;
use crate::text::{Align, clean};

/// The band with a caption of one or two lines.
pub(super) fn draw(caption: &str, stage: &Stage) -> Vec<Art> {
    let unit = stage.unit;
    let height = (CAPTION_HEIGHT - 16.0) * unit;
    let width = stage.content.width - 48.0 * unit;
    let bottom = stage.height - (PROGRESS_BOTTOM + 18.0) * unit;
    let area = Area { x: (stage.width - width) / 2.0, y: bottom - height, width, height: height - 16.0 * unit };
    let text = clean(caption);
    if text.is_empty() {
        return Vec::new();
    }
    let block = stage.fit(&text, area, Style { largest: 34.0, smallest: 20.0, lines: 2, weight: Weight::Medium });
    let (inner, pad) = (block.height(), (26.0 * unit, 9.0 * unit));
    let band = Area {
        x: (stage.width - block.width()) / 2.0 - pad.0,
        y: bottom - inner - 2.0 * pad.1,
        width: block.width() + 2.0 * pad.0,
        height: inner + 2.0 * pad.1,
    };
    let dark = with_opacity(color(0x000A_0F1F), 0.88);
    let band_art = stage.rectangle(band, 14.0 * unit, dark);
    let text = stage.text(&block, area, band.y + pad.1, Align::Center, Color::WHITE);
    band_art.into_iter().chain(text).collect()
}
