-- All five kinds of resources, with what concurrent editors and exact lists need.

CREATE TABLE course (
    id              TEXT   NOT NULL PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    classroom_id    TEXT   NOT NULL REFERENCES classroom (id),
    title           TEXT   NOT NULL,
    slug            TEXT   NOT NULL,
    description     TEXT   NOT NULL,
    level           TEXT,
    visibility      TEXT   NOT NULL CHECK (visibility IN ('PRIVATE', 'PUBLIC')),
    status          TEXT   NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
    language        TEXT   NOT NULL,
    metadata        TEXT   NOT NULL,
    chat_session_id TEXT,
    error_code      TEXT,
    error_message   TEXT,
    version         INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    CHECK ((error_code IS NOT NULL) = (status = 'failed'))
) STRICT;

CREATE INDEX course_by_classroom ON course (organization_id, classroom_id, created_at, id);

CREATE TABLE slide (
    id              TEXT   NOT NULL PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    classroom_id    TEXT   NOT NULL REFERENCES classroom (id),
    title           TEXT   NOT NULL,
    slug            TEXT   NOT NULL,
    description     TEXT   NOT NULL,
    outline         TEXT,
    content         TEXT   NOT NULL,
    visibility      TEXT   NOT NULL CHECK (visibility IN ('PRIVATE', 'PUBLIC')),
    status          TEXT   NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
    language        TEXT   NOT NULL,
    metadata        TEXT   NOT NULL,
    error_code      TEXT,
    error_message   TEXT,
    version         INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    CHECK ((error_code IS NOT NULL) = (status = 'failed'))
) STRICT;

CREATE INDEX slide_by_classroom ON slide (organization_id, classroom_id, created_at, id);

-- version counts the changes of a resource: an editor names the one that it has seen.
-- A module of a course has its place there; the others have neither course nor place. Places are negative while
-- they move: the index holds after every single row.
ALTER TABLE module ADD COLUMN course_id TEXT REFERENCES course (id);
ALTER TABLE module ADD COLUMN sequence INTEGER CHECK ((sequence IS NULL) = (course_id IS NULL));
ALTER TABLE module ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE module ADD COLUMN error_code TEXT CHECK ((error_code IS NOT NULL) = (status = 'failed'));
ALTER TABLE module ADD COLUMN error_message TEXT;

CREATE UNIQUE INDEX module_by_course ON module (course_id, sequence) WHERE course_id IS NOT NULL;

ALTER TABLE video ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE video ADD COLUMN error_code TEXT CHECK ((error_code IS NOT NULL) = (status = 'failed'));
ALTER TABLE video ADD COLUMN error_message TEXT;

-- The prompts are null where an expansion made the test.
ALTER TABLE test ADD COLUMN topic_prompt TEXT;
ALTER TABLE test ADD COLUMN target_prompt TEXT;
ALTER TABLE test ADD COLUMN visibility TEXT NOT NULL DEFAULT 'PRIVATE' CHECK (visibility IN ('PRIVATE', 'PUBLIC'));
ALTER TABLE test ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE test ADD COLUMN error_code TEXT CHECK ((error_code IS NOT NULL) = (status = 'failed'));
ALTER TABLE test ADD COLUMN error_message TEXT;

-- How many resources of a kind a classroom has, for lists that tell their total without counting rows; and how
-- many were ever added or removed, which tells whether what is known of their order still holds. The triggers keep
-- both, whoever writes. Sum over the shards, of which a database with many writers makes more use.
CREATE TABLE resource_total (
    classroom_id TEXT   NOT NULL,
    kind         TEXT   NOT NULL,
    shard        TEXT   NOT NULL,
    total        INTEGER NOT NULL,
    changes      INTEGER NOT NULL,
    PRIMARY KEY (classroom_id, kind, shard)
) STRICT, WITHOUT ROWID;

INSERT INTO resource_total (classroom_id, kind, shard, total, changes)
SELECT classroom_id, 'module', substr(id, 36, 1), count(*), count(*) FROM module GROUP BY classroom_id, substr(id, 36, 1)
UNION ALL
SELECT classroom_id, 'video', substr(id, 36, 1), count(*), count(*) FROM video GROUP BY classroom_id, substr(id, 36, 1)
UNION ALL
SELECT classroom_id, 'test', substr(id, 36, 1), count(*), count(*) FROM test GROUP BY classroom_id, substr(id, 36, 1);

CREATE TRIGGER module_added AFTER INSERT ON module BEGIN
    INSERT INTO resource_total (classroom_id, kind, shard, total, changes)
    VALUES (new.classroom_id, 'module', substr(new.id, 36, 1), 1, 1)
    ON CONFLICT (classroom_id, kind, shard) DO UPDATE SET total = total + 1, changes = changes + 1;
END;

CREATE TRIGGER module_removed AFTER DELETE ON module BEGIN
    UPDATE resource_total SET total = total - 1, changes = changes + 1
    WHERE classroom_id = old.classroom_id AND kind = 'module' AND shard = substr(old.id, 36, 1);
END;

CREATE TRIGGER course_added AFTER INSERT ON course BEGIN
    INSERT INTO resource_total (classroom_id, kind, shard, total, changes)
    VALUES (new.classroom_id, 'course', substr(new.id, 36, 1), 1, 1)
    ON CONFLICT (classroom_id, kind, shard) DO UPDATE SET total = total + 1, changes = changes + 1;
END;

CREATE TRIGGER course_removed AFTER DELETE ON course BEGIN
    UPDATE resource_total SET total = total - 1, changes = changes + 1
    WHERE classroom_id = old.classroom_id AND kind = 'course' AND shard = substr(old.id, 36, 1);
END;

CREATE TRIGGER video_added AFTER INSERT ON video BEGIN
    INSERT INTO resource_total (classroom_id, kind, shard, total, changes)
    VALUES (new.classroom_id, 'video', substr(new.id, 36, 1), 1, 1)
    ON CONFLICT (classroom_id, kind, shard) DO UPDATE SET total = total + 1, changes = changes + 1;
END;

CREATE TRIGGER video_removed AFTER DELETE ON video BEGIN
    UPDATE resource_total SET total = total - 1, changes = changes + 1
    WHERE classroom_id = old.classroom_id AND kind = 'video' AND shard = substr(old.id, 36, 1);
END;

CREATE TRIGGER slide_added AFTER INSERT ON slide BEGIN
    INSERT INTO resource_total (classroom_id, kind, shard, total, changes)
    VALUES (new.classroom_id, 'slide', substr(new.id, 36, 1), 1, 1)
    ON CONFLICT (classroom_id, kind, shard) DO UPDATE SET total = total + 1, changes = changes + 1;
END;

CREATE TRIGGER slide_removed AFTER DELETE ON slide BEGIN
    UPDATE resource_total SET total = total - 1, changes = changes + 1
    WHERE classroom_id = old.classroom_id AND kind = 'slide' AND shard = substr(old.id, 36, 1);
END;

CREATE TRIGGER test_added AFTER INSERT ON test BEGIN
    INSERT INTO resource_total (classroom_id, kind, shard, total, changes)
    VALUES (new.classroom_id, 'test', substr(new.id, 36, 1), 1, 1)
    ON CONFLICT (classroom_id, kind, shard) DO UPDATE SET total = total + 1, changes = changes + 1;
END;

CREATE TRIGGER test_removed AFTER DELETE ON test BEGIN
    UPDATE resource_total SET total = total - 1, changes = changes + 1
    WHERE classroom_id = old.classroom_id AND kind = 'test' AND shard = substr(old.id, 36, 1);
END;
