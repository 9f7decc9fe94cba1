//! What is behind a card: quiet shapes, the video's title, and how far the video has come.

use tiny_skia::Color;

use super::art::Art;
use super::palette::{Palette, with_opacity};
use super::stage::{Area, PROGRESS_BOTTOM, Stage, Style};
use crate::fonts::Weight;
use crate::layout::Layout;
use crate::storyboard::Storyboard;
use crate::text::{Align, clean};

/// Scenes that have a part of the progress bar each; more share one bar.
const MOST_PARTS: usize = 24;

/// All shapes of a scene's backdrop.
pub(super) fn draw(board: &Storyboard, index: usize, layout: &Layout, stage: &Stage, palette: &Palette) -> Vec<Art> {
    let mut art = match layout {
        Layout::Title { .. } => title_shapes(stage, palette),
        _ => quiet_shapes(stage, palette),
    };
    if !matches!(layout, Layout::Title { .. }) {
        art.extend(eyebrow(board, index, layout, stage, palette));
    }
    art.extend(progress(index, board.scenes.len(), stage, palette));
    art
}

/// Discs and rings at the end of the lines, where a title leaves room.
fn title_shapes(stage: &Stage, palette: &Palette) -> Vec<Art> {
    let (width, height, short) = (stage.width, stage.height, stage.width.min(stage.height));
    let x = |x: f32| stage.left(x, 0.0);
    let accent = |part| palette.accent_of(part);
    let shapes = match palette.pattern % 3 {
        0 => [
            Art::disc(x(width - 0.04 * short), 0.10 * height, 0.46 * short, palette.raised),
            Art::disc(x(width - 0.10 * short), height - 0.20 * short, 0.17 * short, accent(0)),
            Art::disc(x(width - 0.36 * short), height - 0.13 * short, 0.045 * short, accent(3)),
        ],
        1 => [
            Art::disc(x(width + 0.02 * short), height - 0.02 * short, 0.50 * short, palette.raised),
            Art::ring(x(width - 0.20 * short), 0.24 * short, 0.13 * short, 0.055 * short, 1.0, true, accent(0)),
            Art::disc(x(width - 0.40 * short), 0.12 * short, 0.035 * short, accent(1)),
        ],
        _ => [
            Art::ring(x(width - 0.02 * short), 0.5 * height, 0.42 * short, 0.16 * short, 1.0, true, palette.raised),
            Art::disc(x(width - 0.02 * short), 0.5 * height, 0.20 * short, accent(0)),
            Art::disc(x(width - 0.42 * short), 0.16 * height, 0.03 * short, accent(2)),
        ],
    };
    shapes.into_iter().flatten().collect()
}

/// One or two shapes that are hardly seen.
fn quiet_shapes(stage: &Stage, palette: &Palette) -> Vec<Art> {
    let (width, height, short) = (stage.width, stage.height, stage.width.min(stage.height));
    let x = |x: f32| stage.left(x, 0.0);
    let tint = with_opacity(palette.accent_of(palette.pattern), 0.10);
    let faint = with_opacity(palette.faint, 0.6);
    let shapes = match palette.pattern % 4 {
        0 => [
            Art::disc(x(width), height, 0.34 * short, faint),
            Art::disc(x(width - 0.31 * short), height - 0.03 * short, 0.05 * short, tint),
        ],
        1 => [Art::disc(x(width - 0.02 * short), 0.0, 0.36 * short, faint), None],
        2 => [Art::ring(x(width), height - 0.05 * short, 0.27 * short, 0.09 * short, 1.0, true, faint), None],
        _ => [Art::ring(x(width - 0.05 * short), 0.02 * short, 0.24 * short, 0.08 * short, 1.0, true, tint), None],
    };
    shapes.into_iter().flatten().collect()
}

/// The scene's title, else the video's, small above the card, with the number of the scene at the other side.
fn eyebrow(board: &Storyboard, index: usize, layout: &Layout, stage: &Stage, palette: &Palette) -> Vec<Art> {
    let unit = stage.unit;
    let title = board.scenes.get(index).and_then(|scene| scene.title.as_deref()).unwrap_or_default();
    // Where the scene's title is the heading of a list, it is not shown twice.
    let is_heading = matches!(layout, Layout::List { heading: None, .. });
    let title =
        Some(clean(title)).filter(|title| !title.is_empty() && !is_heading).unwrap_or_else(|| clean(&board.title));
    let mark = Area { x: stage.content.x, y: 51.0 * unit, width: 14.0 * unit, height: 14.0 * unit };
    let area = Area {
        x: mark.x + 28.0 * unit,
        y: 40.0 * unit,
        width: 0.8 * stage.content.width - 40.0 * unit,
        height: 40.0 * unit,
    };
    let style = Style { largest: 24.0, smallest: 22.0, lines: 1, weight: Weight::Medium };
    let mut art: Vec<Art> = stage.rectangle(mark, 4.0 * unit, palette.accent).into_iter().collect();
    art.extend(middle(stage, &title, area, style, palette.muted));
    let number = format!("{} / {}", index + 1, board.scenes.len());
    let block = stage.fit(&number, area, style);
    let place = Area { x: stage.content.x + stage.content.width - block.width(), width: block.width(), ..area };
    art.extend(middle(stage, &number, place, style, palette.muted));
    art
}

/// One line in the middle of the height of an area.
fn middle(stage: &Stage, text: &str, area: Area, style: Style, color: Color) -> Vec<Art> {
    let room = Area { width: area.width * 1.01, ..area };
    let block = stage.fit(text, room, style);
    stage.text(&block, area, area.y + (area.height - block.height()) / 2.0 - 1.5 * stage.unit, Align::Start, color)
}

/// The bar below: a part for each scene, up to the one that is seen.
#[expect(clippy::cast_precision_loss, reason = "a video has few scenes")]
fn progress(index: usize, scenes: usize, stage: &Stage, palette: &Palette) -> Vec<Art> {
    let unit = stage.unit;
    let (height, y) = (6.0 * unit, stage.height - PROGRESS_BOTTOM * unit);
    let parts = if scenes > MOST_PARTS { 1 } else { scenes.max(1) };
    let gap = 8.0 * unit;
    let width = (stage.content.width - gap * (parts - 1) as f32) / parts as f32;
    let part = |at: usize| Area { x: stage.content.x + (width + gap) * at as f32, y, width, height };
    let mut art: Vec<Art> = (0..parts).filter_map(|at| stage.rectangle(part(at), height, palette.faint)).collect();
    if parts == scenes {
        art.extend((0..=index).filter_map(|at| stage.rectangle(part(at), height, palette.accent)));
    } else {
        let done = Area { width: width * (index + 1) as f32 / scenes as f32, ..part(0) };
        art.extend(stage.rectangle(done, height, palette.accent));
    }
    art
}
