-- Videos as files.

-- The rendering that was asked for last. A row is deleted when the rendering is cancelled.
CREATE TABLE video_rendering (
    video_id        TEXT    NOT NULL PRIMARY KEY REFERENCES video (id) ON DELETE CASCADE,
    organization_id TEXT    NOT NULL REFERENCES organization (id),
    run_id          TEXT    NOT NULL,
    job_id          TEXT    NOT NULL,
    status          TEXT    NOT NULL CHECK (status IN ('queued', 'rendering', 'completed', 'failed')),
    resolution      TEXT    NOT NULL CHECK (resolution IN ('720p', '1080p')),
    burns_captions  INTEGER NOT NULL CHECK (burns_captions IN (0, 1)),
    scenes          INTEGER NOT NULL CHECK (scenes >= 0),
    scenes_done     INTEGER NOT NULL DEFAULT 0 CHECK (scenes_done BETWEEN 0 AND scenes),
    error_code      TEXT,
    error_message   TEXT,
    requested_at    INTEGER NOT NULL,
    ended_at        INTEGER,
    CHECK ((status = 'failed') = (error_code IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX video_rendering_by_organization ON video_rendering (organization_id, status);

-- The file that was rendered last. It stays while another is rendered.
CREATE TABLE video_file (
    video_id        TEXT    NOT NULL PRIMARY KEY REFERENCES video (id) ON DELETE CASCADE,
    organization_id TEXT    NOT NULL REFERENCES organization (id),
    file_id         TEXT    NOT NULL UNIQUE,
    poster_id       TEXT    NOT NULL UNIQUE,
    video_version   INTEGER NOT NULL,
    width           INTEGER NOT NULL CHECK (width > 0),
    height          INTEGER NOT NULL CHECK (height > 0),
    duration_ms     INTEGER NOT NULL CHECK (duration_ms > 0),
    size_bytes      INTEGER NOT NULL CHECK (size_bytes > 0),
    burns_captions  INTEGER NOT NULL CHECK (burns_captions IN (0, 1)),
    captions        TEXT    NOT NULL,
    transcript      TEXT    NOT NULL,
    chapters        TEXT    NOT NULL,
    rendered_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
