-- What an accepted expansion costs. Each check of a foreign key is a search, and each key an index to write to. Keys can't be
-- changed, so the tables are made anew, which takes room for the expansions once more, in the log and in the file.
-- An expansion's classroom is of its organization: one key says it, where two keys left it open.
CREATE UNIQUE INDEX classroom_of_organization ON classroom (organization_id, id);

-- An output is written with its expansion, which is never deleted, and found by it alone.
CREATE TABLE expansion_output_new (
    id            TEXT   NOT NULL,
    expansion_id  TEXT   NOT NULL,
    output_type   TEXT   NOT NULL,
    position      INTEGER NOT NULL,
    status        TEXT   NOT NULL CHECK (status = 'queued' OR status = 'processing' OR status = 'completed' OR status = 'failed'),
    resource_id   TEXT,
    manifest      TEXT,
    error_code    TEXT,
    error_message TEXT,
    completed_at  INTEGER,
    PRIMARY KEY (expansion_id, output_type),
    CHECK ((manifest IS NOT NULL) = (status = 'completed')),
    CHECK ((error_code IS NOT NULL) = (status = 'failed'))
) STRICT;

INSERT INTO expansion_output_new
    (id, expansion_id, output_type, position, status, resource_id, manifest, error_code, error_message, completed_at)
SELECT id, expansion_id, output_type, position, status, resource_id, manifest, error_code, error_message, completed_at
FROM expansion_output;
DROP TABLE expansion_output;
ALTER TABLE expansion_output_new RENAME TO expansion_output;

CREATE TABLE expansion_new (
    id                   TEXT   NOT NULL PRIMARY KEY,
    organization_id      TEXT   NOT NULL,
    classroom_id         TEXT   NOT NULL,
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
    FOREIGN KEY (organization_id, classroom_id) REFERENCES classroom (organization_id, id),
    CHECK ((completed_at IS NOT NULL) = (status IN ('completed', 'failed'))),
    CHECK ((error_code IS NOT NULL) = (status = 'failed'))
) STRICT;

INSERT INTO expansion_new
    (id, organization_id, classroom_id, source_type, source_title, source_resource_id, source_resource_type, payload, status,
     error_code, error_message, created_at, updated_at, completed_at)
SELECT id, organization_id, classroom_id, source_type, source_title, source_resource_id, source_resource_type, payload, status,
       error_code, error_message, created_at, updated_at, completed_at
FROM expansion;
DROP TABLE expansion;
ALTER TABLE expansion_new RENAME TO expansion;
CREATE INDEX expansion_by_organization ON expansion (organization_id, created_at);
