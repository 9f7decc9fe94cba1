-- Videos as files.

-- The rendering that was asked for last. A row is deleted when the rendering is cancelled.
CREATE TABLE video_rendering (
    video_id        TEXT   NOT NULL PRIMARY KEY REFERENCES video (id) ON DELETE CASCADE,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    run_id          TEXT   NOT NULL,
    job_id          TEXT   NOT NULL,
    status          TEXT   NOT NULL CHECK (status IN ('queued', 'rendering', 'completed', 'failed')),
    resolution      TEXT   NOT NULL CHECK (resolution IN ('720p', '1080p')),
    burns_captions  BIGINT NOT NULL CHECK (burns_captions IN (0, 1)),
    scenes          BIGINT NOT NULL CHECK (scenes >= 0),
    scenes_done     BIGINT NOT NULL DEFAULT 0 CHECK (scenes_done BETWEEN 0 AND scenes),
    error_code      TEXT,
    error_message   TEXT,
    requested_at    BIGINT NOT NULL,
    ended_at        BIGINT,
    CHECK ((status = 'failed') = (error_code IS NOT NULL))
);
CREATE INDEX video_rendering_by_organization ON video_rendering (organization_id, status);

-- The file that was rendered last. It stays while another is rendered.
CREATE TABLE video_file (
    video_id        TEXT   NOT NULL PRIMARY KEY REFERENCES video (id) ON DELETE CASCADE,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    file_id         TEXT   NOT NULL UNIQUE,
    poster_id       TEXT   NOT NULL UNIQUE,
    video_version   BIGINT NOT NULL,
    width           BIGINT NOT NULL CHECK (width > 0),
    height          BIGINT NOT NULL CHECK (height > 0),
    duration_ms     BIGINT NOT NULL CHECK (duration_ms > 0),
    size_bytes      BIGINT NOT NULL CHECK (size_bytes > 0),
    burns_captions  BIGINT NOT NULL CHECK (burns_captions IN (0, 1)),
    captions        TEXT   NOT NULL,
    transcript      TEXT   NOT NULL,
    chapters        TEXT   NOT NULL,
    rendered_at     BIGINT NOT NULL
);
