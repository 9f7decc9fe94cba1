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
    version         BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    CHECK ((error_code IS NOT NULL) = (status = 'failed'))
);

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
    version         BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    CHECK ((error_code IS NOT NULL) = (status = 'failed'))
);

CREATE INDEX slide_by_classroom ON slide (organization_id, classroom_id, created_at, id);

-- version counts the changes of a resource: an editor names the one that it has seen.
-- A module of a course has its place there; the others have neither course nor place. Places are negative while
-- they move: the index holds after every single row.
ALTER TABLE module ADD COLUMN course_id TEXT REFERENCES course (id);
ALTER TABLE module ADD COLUMN sequence BIGINT CHECK ((sequence IS NULL) = (course_id IS NULL));
ALTER TABLE module ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE module ADD COLUMN error_code TEXT CHECK ((error_code IS NOT NULL) = (status = 'failed'));
ALTER TABLE module ADD COLUMN error_message TEXT;

CREATE UNIQUE INDEX module_by_course ON module (course_id, sequence) WHERE course_id IS NOT NULL;

ALTER TABLE video ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE video ADD COLUMN error_code TEXT CHECK ((error_code IS NOT NULL) = (status = 'failed'));
ALTER TABLE video ADD COLUMN error_message TEXT;

-- The prompts are null where an expansion made the test.
ALTER TABLE test ADD COLUMN topic_prompt TEXT;
ALTER TABLE test ADD COLUMN target_prompt TEXT;
ALTER TABLE test ADD COLUMN visibility TEXT NOT NULL DEFAULT 'PRIVATE' CHECK (visibility IN ('PRIVATE', 'PUBLIC'));
ALTER TABLE test ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE test ADD COLUMN error_code TEXT CHECK ((error_code IS NOT NULL) = (status = 'failed'));
ALTER TABLE test ADD COLUMN error_message TEXT;

-- How many resources of a kind a classroom has, for lists that tell their total without counting rows; and how
-- many were ever added or removed, which tells whether what is known of their order still holds. The triggers keep
-- both, whoever writes. Sum over the shards: each connection writes one of its own, so that two transactions at once
-- never write the same row, which would make one of them run again. A shard by itself may be negative.
CREATE TABLE resource_total (
    classroom_id TEXT   NOT NULL,
    kind         TEXT   NOT NULL,
    shard        TEXT   NOT NULL,
    total        BIGINT NOT NULL,
    changes      BIGINT NOT NULL,
    PRIMARY KEY (classroom_id, kind, shard)
);

INSERT INTO resource_total (classroom_id, kind, shard, total, changes)
SELECT classroom_id, 'module', substr(id, 36, 1), count(*), count(*) FROM module GROUP BY classroom_id, substr(id, 36, 1)
UNION ALL
SELECT classroom_id, 'video', substr(id, 36, 1), count(*), count(*) FROM video GROUP BY classroom_id, substr(id, 36, 1)
UNION ALL
SELECT classroom_id, 'test', substr(id, 36, 1), count(*), count(*) FROM test GROUP BY classroom_id, substr(id, 36, 1);

CREATE FUNCTION count_added_resource() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO resource_total (classroom_id, kind, shard, total, changes)
    VALUES (NEW.classroom_id, TG_ARGV[0], 'c' || pg_backend_pid() % 256, 1, 1)
    ON CONFLICT (classroom_id, kind, shard) DO UPDATE
    SET total = resource_total.total + 1, changes = resource_total.changes + 1;
    RETURN NULL;
END
$$;

CREATE FUNCTION count_removed_resource() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO resource_total (classroom_id, kind, shard, total, changes)
    VALUES (OLD.classroom_id, TG_ARGV[0], 'c' || pg_backend_pid() % 256, -1, 1)
    ON CONFLICT (classroom_id, kind, shard) DO UPDATE
    SET total = resource_total.total - 1, changes = resource_total.changes + 1;
    RETURN NULL;
END
$$;

CREATE TRIGGER module_added AFTER INSERT ON module FOR EACH ROW EXECUTE FUNCTION count_added_resource('module');
CREATE TRIGGER module_removed AFTER DELETE ON module FOR EACH ROW EXECUTE FUNCTION count_removed_resource('module');
CREATE TRIGGER course_added AFTER INSERT ON course FOR EACH ROW EXECUTE FUNCTION count_added_resource('course');
CREATE TRIGGER course_removed AFTER DELETE ON course FOR EACH ROW EXECUTE FUNCTION count_removed_resource('course');
CREATE TRIGGER video_added AFTER INSERT ON video FOR EACH ROW EXECUTE FUNCTION count_added_resource('video');
CREATE TRIGGER video_removed AFTER DELETE ON video FOR EACH ROW EXECUTE FUNCTION count_removed_resource('video');
CREATE TRIGGER slide_added AFTER INSERT ON slide FOR EACH ROW EXECUTE FUNCTION count_added_resource('slide');
CREATE TRIGGER slide_removed AFTER DELETE ON slide FOR EACH ROW EXECUTE FUNCTION count_removed_resource('slide');
CREATE TRIGGER test_added AFTER INSERT ON test FOR EACH ROW EXECUTE FUNCTION count_added_resource('test');
CREATE TRIGGER test_removed AFTER DELETE ON test FOR EACH ROW EXECUTE FUNCTION count_removed_resource('test');
