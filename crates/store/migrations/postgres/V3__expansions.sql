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
    created_at           BIGINT NOT NULL,
    updated_at           BIGINT NOT NULL,
    completed_at         BIGINT,
    CHECK ((completed_at IS NOT NULL) = (status IN ('completed', 'failed'))),
    CHECK ((error_code IS NOT NULL) = (status = 'failed'))
);

CREATE INDEX expansion_by_organization ON expansion (organization_id, created_at);

CREATE TABLE expansion_output (
    id            TEXT   NOT NULL PRIMARY KEY,
    expansion_id  TEXT   NOT NULL REFERENCES expansion (id),
    output_type   TEXT   NOT NULL,
    position      BIGINT NOT NULL,
    status        TEXT   NOT NULL CHECK (status = 'queued' OR status = 'processing' OR status = 'completed' OR status = 'failed'),
    resource_id   TEXT,
    manifest      TEXT,
    error_code    TEXT,
    error_message TEXT,
    completed_at  BIGINT,
    UNIQUE (expansion_id, output_type),
    CHECK ((manifest IS NOT NULL) = (status = 'completed')),
    CHECK ((error_code IS NOT NULL) = (status = 'failed'))
);

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
    is_public       BIGINT NOT NULL CHECK (is_public IN (0, 1)),
    content         TEXT   NOT NULL,
    quizzes         TEXT   NOT NULL,
    metadata        TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);

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
    target_duration_seconds BIGINT NOT NULL,
    metadata                TEXT   NOT NULL,
    created_at              BIGINT NOT NULL,
    updated_at              BIGINT NOT NULL
);

CREATE INDEX video_by_classroom ON video (organization_id, classroom_id, created_at, id);

CREATE TABLE scene (
    id               TEXT   NOT NULL PRIMARY KEY,
    video_id         TEXT   NOT NULL REFERENCES video (id) ON DELETE CASCADE,
    sequence         BIGINT NOT NULL CHECK (sequence > 0),
    script           TEXT   NOT NULL,
    display_text     TEXT   NOT NULL,
    duration_seconds DOUBLE PRECISION NOT NULL CHECK (duration_seconds > 0)
);

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
    time_limit_minutes BIGINT NOT NULL,
    passing_value_type TEXT   NOT NULL,
    passing_value      DOUBLE PRECISION NOT NULL,
    items              TEXT   NOT NULL,
    metadata           TEXT   NOT NULL,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL
);

CREATE INDEX test_by_classroom ON test (organization_id, classroom_id, created_at, id);
