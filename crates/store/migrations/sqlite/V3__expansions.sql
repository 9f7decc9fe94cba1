-- Expansions and the classroom content they make. Every query carries the organization.

CREATE TABLE expansion (
    id                   TEXT   NOT NULL PRIMARY KEY,
    organization_id      TEXT   NOT NULL REFERENCES organization (id),
    classroom_id         TEXT   NOT NULL REFERENCES classroom (id),
    source_type          TEXT   NOT NULL,
    source_title         TEXT   NOT NULL,
    source_resource_id   TEXT,
    source_resource_type TEXT,
    payload              TEXT   NOT NULL,
    status               TEXT   NOT NULL CHECK (status = 'queued' OR status = 'processing' OR status = 'completed' OR status = 'failed'),
    error_code           TEXT,
    error_message        TEXT,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL,
    completed_at         INTEGER,
    CHECK ((completed_at IS NOT NULL) = (status IN ('completed', 'failed'))),
    CHECK ((error_code IS NOT NULL) = (status = 'failed'))
) STRICT;

CREATE INDEX expansion_by_organization ON expansion (organization_id, created_at);

CREATE TABLE expansion_output (
    id            TEXT   NOT NULL PRIMARY KEY,
    expansion_id  TEXT   NOT NULL REFERENCES expansion (id),
    output_type   TEXT   NOT NULL,
    position      INTEGER NOT NULL,
    status        TEXT   NOT NULL CHECK (status = 'queued' OR status = 'processing' OR status = 'completed' OR status = 'failed'),
    resource_id   TEXT,
    manifest      TEXT,
    error_code    TEXT,
    error_message TEXT,
    completed_at  INTEGER,
    UNIQUE (expansion_id, output_type),
    CHECK ((manifest IS NOT NULL) = (status = 'completed')),
    CHECK ((error_code IS NOT NULL) = (status = 'failed'))
) STRICT;

CREATE TABLE module (
    id              TEXT   NOT NULL PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    classroom_id    TEXT   NOT NULL REFERENCES classroom (id),
    title           TEXT   NOT NULL,
    slug            TEXT   NOT NULL,
    description     TEXT   NOT NULL,
    type            TEXT   NOT NULL,
    status          TEXT   NOT NULL,
    language        TEXT   NOT NULL,
    is_public       INTEGER NOT NULL CHECK (is_public IN (0, 1)),
    content         TEXT   NOT NULL,
    quizzes         TEXT   NOT NULL,
    metadata        TEXT   NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX module_by_classroom ON module (organization_id, classroom_id, created_at, id);

CREATE TABLE video (
    id                      TEXT   NOT NULL PRIMARY KEY,
    organization_id         TEXT   NOT NULL REFERENCES organization (id),
    classroom_id            TEXT   NOT NULL REFERENCES classroom (id),
    title                   TEXT   NOT NULL,
    slug                    TEXT   NOT NULL,
    description             TEXT   NOT NULL,
    status                  TEXT   NOT NULL,
    visibility              TEXT   NOT NULL,
    language                TEXT   NOT NULL,
    aspect_ratio            TEXT   NOT NULL,
    target_duration_seconds INTEGER NOT NULL,
    metadata                TEXT   NOT NULL,
    created_at              INTEGER NOT NULL,
    updated_at              INTEGER NOT NULL
) STRICT;

CREATE INDEX video_by_classroom ON video (organization_id, classroom_id, created_at, id);

CREATE TABLE scene (
    id               TEXT   NOT NULL PRIMARY KEY,
    video_id         TEXT   NOT NULL REFERENCES video (id) ON DELETE CASCADE,
    sequence         INTEGER NOT NULL CHECK (sequence > 0),
    script           TEXT   NOT NULL,
    display_text     TEXT   NOT NULL,
    duration_seconds REAL NOT NULL CHECK (duration_seconds > 0)
) STRICT;

CREATE INDEX scene_by_video ON scene (video_id, sequence);

CREATE TABLE test (
    id                 TEXT   NOT NULL PRIMARY KEY,
    organization_id    TEXT   NOT NULL REFERENCES organization (id),
    classroom_id       TEXT   NOT NULL REFERENCES classroom (id),
    name               TEXT   NOT NULL,
    slug               TEXT   NOT NULL,
    description        TEXT   NOT NULL,
    status             TEXT   NOT NULL,
    subject            TEXT   NOT NULL,
    language           TEXT   NOT NULL,
    level              TEXT   NOT NULL,
    time_limit_minutes INTEGER NOT NULL,
    passing_value_type TEXT   NOT NULL,
    passing_value      REAL NOT NULL,
    items              TEXT   NOT NULL,
    metadata           TEXT   NOT NULL,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL
) STRICT;

CREATE INDEX test_by_classroom ON test (organization_id, classroom_id, created_at, id);
