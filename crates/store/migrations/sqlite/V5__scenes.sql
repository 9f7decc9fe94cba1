-- Two scenes of a video never have one place. While they move they are beyond all places: the index holds after
-- every single row.
DROP INDEX scene_by_video;
CREATE UNIQUE INDEX scene_by_video ON scene (video_id, sequence);

-- 0 where nobody said how long a video is meant to be: then it is as long as its scenes. Until now, nobody could.
UPDATE video SET target_duration_seconds = 0;
