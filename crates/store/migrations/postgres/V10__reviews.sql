-- How grades came about, what people made of them, and what later grades learn from that.

-- version counts the ends of an evaluation: 1 is what the service said, every review is one more. reviewer and reviewed_at are null
-- unless a person gave the newest. is_unpaid is 1 where a person graded what had failed: nothing was charged for it.
-- record is how the newest came about, as JSON; it may be large, so that nothing reads it but what shows it. It is the
-- last column: a read of the others does not pass through it. One statement, because the rows are checked under the table's
-- lock: once for all of the columns.
ALTER TABLE evaluation
    ADD COLUMN version BIGINT NOT NULL DEFAULT 1 CHECK (version > 0),
    ADD COLUMN graded_by TEXT
        CHECK (graded_by = 'exact' OR graded_by = 'builtin' OR graded_by = 'model' OR graded_by = 'reviewer'),
    ADD COLUMN reviewer TEXT,
    ADD COLUMN reviewed_at BIGINT,
    ADD COLUMN is_unpaid BIGINT NOT NULL DEFAULT 0 CHECK (is_unpaid IN (0, 1)),
    ADD COLUMN record TEXT;

-- What an evaluation said before it was reviewed, version by version. The newest is in evaluation.
CREATE TABLE evaluation_grade (
    evaluation_id TEXT    NOT NULL REFERENCES evaluation (id),
    version       BIGINT  NOT NULL,
    graded_by     TEXT,
    score         DOUBLE PRECISION,
    confidence    DOUBLE PRECISION,
    feedback      TEXT,
    error_code    TEXT,
    error_message TEXT,
    reviewer      TEXT,
    graded_at     BIGINT  NOT NULL,
    record        TEXT,
    PRIMARY KEY (evaluation_id, version),
    CHECK ((score IS NULL) = (error_code IS NOT NULL))
);

-- Answers that a person has graded, by what was asked: later answers to the same question are graded in their light.
-- share and criteria, a JSON array, are shares of the points from 0 to 1. Rows are never changed but for is_current, which the
-- newest review of an evaluation has: grades say by which versions they were calibrated.
CREATE TABLE reviewed_answer (
    evaluation_id TEXT    NOT NULL REFERENCES evaluation (id),
    version       BIGINT  NOT NULL,
    workspace_id  TEXT    NOT NULL,
    question_key  TEXT    NOT NULL,
    answer        TEXT    NOT NULL,
    share         DOUBLE PRECISION NOT NULL CHECK (share >= 0 AND share <= 1),
    criteria      TEXT    NOT NULL,
    feedback      TEXT    NOT NULL,
    is_current    BIGINT  NOT NULL CHECK (is_current IN (0, 1)),
    reviewed_at   BIGINT  NOT NULL,
    PRIMARY KEY (evaluation_id, version)
);

CREATE INDEX reviewed_answer_by_question ON reviewed_answer (workspace_id, question_key, reviewed_at, evaluation_id)
    WHERE is_current = 1;

-- The place that an evaluation's score has among those of a learner's concept, from 1: what of the level is this score's follows from
-- it, so that a review can take it back.
CREATE TABLE mastery_score (
    evaluation_id TEXT    NOT NULL REFERENCES evaluation (id),
    concept       TEXT    NOT NULL,
    place         BIGINT  NOT NULL CHECK (place > 0),
    PRIMARY KEY (evaluation_id, concept)
);
