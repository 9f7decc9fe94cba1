//! The scenes of a video: numbered from 1 without gaps, whoever edits them at once.
//!
//! The database lets no two scenes of a video have one place, not even while they move: those that move go beyond all
//! places first. Whatever changes scenes here expects that the video's row was written before, by [`touch`] or by
//! `update`: that is what two editors at once are told apart by.

pub mod create;
pub mod delete;
pub(super) mod fields;
pub mod reorder;
#[cfg(test)]
mod tests;
pub mod update;

use std::collections::HashMap;

use edge::problem::Problem;
use kernel::id::{OrganizationId, SceneId, VideoId};
use store::{Group as _, StoreError, Tx, sql};

use super::{Scene, Video};
use crate::resources::Status;

/// The most scenes that a caller can give a video. A generated one may have more.
pub const MOST_SCENES: usize = 2_000;
/// The most that all scenes of a video may say and show together once one of them is edited, in characters.
const LONGEST_TEXTS: usize = 1_000_000;

/// Adds their scenes to some videos, in playing order, and how long those take.
pub(super) fn complete(tx: &mut Tx<'_>, videos: &mut [Video]) -> Result<(), StoreError> {
    let rows = tx.query_each(
        &*videos,
        |video| {
            sql!(
                "SELECT video_id, id, sequence, script, display_text, duration_seconds FROM scene
                 WHERE video_id = {video.id} ORDER BY sequence"
            )
        },
        |row| Ok((row.get::<VideoId>(0)?, Scene::read_at(row, 1)?)),
    )?;
    let mut scenes: HashMap<VideoId, Vec<Scene>> = HashMap::new();
    for (video, scene) in rows {
        scenes.entry(video).or_default().push(scene);
    }
    for video in videos {
        video.scenes = scenes.remove(&video.id).unwrap_or_default();
        video.target_duration_seconds = video
            .wanted_duration_seconds
            .0
            .unwrap_or_else(|| length_of(video.scenes.iter().map(|scene| scene.duration)));
    }
    Ok(())
}

/// Tells some videos how long their scenes take, without reading what is said in them.
pub(super) fn complete_lengths(tx: &mut Tx<'_>, videos: &mut [Video]) -> Result<(), StoreError> {
    let rows = tx.query_each(
        &*videos,
        |video| sql!("SELECT video_id, duration_seconds FROM scene WHERE video_id = {video.id} ORDER BY sequence"),
        |row| Ok((row.get::<VideoId>(0)?, row.get::<f64>(1)?)),
    )?;
    let mut durations: HashMap<VideoId, Vec<f64>> = HashMap::new();
    for (video, duration) in rows {
        durations.entry(video).or_default().push(duration);
    }
    for video in videos {
        let own = durations.remove(&video.id).unwrap_or_default();
        video.target_duration_seconds = video.wanted_duration_seconds.0.unwrap_or_else(|| length_of(own));
    }
    Ok(())
}

/// How long scenes take together, in whole seconds.
#[expect(clippy::cast_possible_truncation, reason = "a few thousand durations of at most an hour")]
fn length_of(durations: impl IntoIterator<Item = f64>) -> i64 {
    durations.into_iter().sum::<f64>().round() as i64
}

/// Whether somebody may edit single scenes: not while they are made.
pub(super) fn check_editable(video: &Video) -> Result<(), Problem> {
    match video.status {
        Status::Queued | Status::Processing => Err(Problem::Conflict("The video is still being generated.")),
        Status::Completed | Status::Failed => Ok(()),
    }
}

/// Whether a video's texts have room for an edited scene: pages of videos are read whole. What shortens a scene has.
fn check_length(video: &Video, edited: &Scene) -> Result<(), Problem> {
    let all = length_of_texts(&video.scenes);
    let before = video.scenes.iter().find(|scene| scene.id == edited.id).map_or(0, length_of_text);
    check_growth(all, all - before + length_of_text(edited))
}

/// [`check_length`] for all scenes at once.
pub(super) fn check_all_lengths(video: &Video, edited: &[Scene]) -> Result<(), Problem> {
    check_growth(length_of_texts(&video.scenes), length_of_texts(edited))
}

fn check_growth(before: usize, after: usize) -> Result<(), Problem> {
    if after > before && after > LONGEST_TEXTS {
        return Err(Problem::Conflict("The video's scenes have as much text as a video can have."));
    }
    Ok(())
}

fn length_of_texts(scenes: &[Scene]) -> usize {
    scenes.iter().map(length_of_text).sum()
}

/// In characters.
fn length_of_text(scene: &Scene) -> usize {
    scene.script.chars().count() + scene.display_text.chars().count()
}

/// The scene of a video that a path names.
fn scene_of<'a>(video: &'a Video, id: &str) -> Result<&'a Scene, Problem> {
    let found = id.parse::<SceneId>().ok().and_then(|id| video.scenes.iter().find(|scene| scene.id == id));
    found.ok_or(Problem::NotFound("Scene"))
}

/// Notes that the scenes of a video change. Whose generation failed is whole once somebody edits its scenes by hand:
/// another try would overwrite them.
fn touch(tx: &mut Tx<'_>, organization: OrganizationId, video: VideoId) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "UPDATE video SET version = version + 1, updated_at = $3, status = 'completed', error_code = NULL,
            error_message = NULL
         WHERE id = $1 AND organization_id = $2",
        &[&video, &organization, &now],
    )
}

/// Stores scenes at their places, which are free.
pub(crate) fn insert(tx: &mut Tx<'_>, video: VideoId, scenes: &[Scene]) -> Result<(), StoreError> {
    scenes.iter().try_for_each(|scene| {
        sql!(
            "INSERT INTO scene (id, video_id, sequence, script, display_text, duration_seconds)
             VALUES ({scene.id}, {video}, {scene.sequence}, {scene.script}, {scene.display_text}, {scene.duration})"
        )
        .execute_later(tx)
    })
}

/// Stores these scenes instead of all that a video has.
pub(crate) fn replace(tx: &mut Tx<'_>, video: VideoId, scenes: &[Scene]) -> Result<(), StoreError> {
    tx.execute_later("DELETE FROM scene WHERE video_id = $1", &[&video])?;
    insert(tx, video, scenes)
}

/// Moves the scenes from this place on up by one.
fn make_room(tx: &mut Tx<'_>, video: VideoId, sequence: i64) -> Result<(), StoreError> {
    tx.execute_later(
        "UPDATE scene SET sequence = sequence + 1000001 WHERE video_id = $1 AND sequence >= $2",
        &[&video, &sequence],
    )?;
    settle_places(tx, video)
}

/// Moves the scenes behind this place down by one.
fn close_gap(tx: &mut Tx<'_>, video: VideoId, sequence: i64) -> Result<(), StoreError> {
    tx.execute_later(
        "UPDATE scene SET sequence = sequence + 999999 WHERE video_id = $1 AND sequence > $2",
        &[&video, &sequence],
    )?;
    settle_places(tx, video)
}

/// Puts the scenes of a video in this order, which names each of them once.
fn arrange(tx: &mut Tx<'_>, video: &Video, order: &[SceneId]) -> Result<(), StoreError> {
    let places: HashMap<SceneId, i64> = video.scenes.iter().map(|scene| (scene.id, scene.sequence)).collect();
    for (sequence, id) in (1_i64..).zip(order) {
        if places.get(id) != Some(&sequence) {
            tx.execute_later(
                "UPDATE scene SET sequence = $3 + 1000000 WHERE id = $1 AND video_id = $2",
                &[id, &video.id, &sequence],
            )?;
        }
    }
    settle_places(tx, video.id)
}

/// Brings the scenes back that moved to a place beyond the first million, which no scene has for long.
fn settle_places(tx: &mut Tx<'_>, video: VideoId) -> Result<(), StoreError> {
    tx.execute_later(
        "UPDATE scene SET sequence = sequence - 1000000 WHERE video_id = $1 AND sequence > 1000000",
        &[&video],
    )
}
