-- Tests that are parts of a linked course are handed in, too: attempts count per link and test. course is JSON: the course with
-- the points of each of its tests, as it was when the test was handed in; NULL for a linked test. Keys can't be changed, so the
-- table is made anew, and with it the table that refers to it.
CREATE TABLE submission_new (
    id               TEXT NOT NULL PRIMARY KEY,
    workspace_id     TEXT NOT NULL REFERENCES workspace (id),
    session_id       TEXT NOT NULL,
    attempt_id       TEXT NOT NULL,
    registration_id  TEXT NOT NULL,
    link_id          TEXT NOT NULL,
    resource_link_id TEXT NOT NULL,
    taker            TEXT NOT NULL,
    attempt_number   INTEGER NOT NULL,
    test_id          TEXT NOT NULL,
    test_version     INTEGER NOT NULL,
    title            TEXT NOT NULL,
    language         TEXT NOT NULL,
    learner_id       TEXT,
    items            TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('GRADING', 'GRADED', 'INCOMPLETE')),
    score            REAL,
    max_score        REAL NOT NULL,
    passing_score    REAL NOT NULL,
    needs_review     INTEGER NOT NULL,
    version          INTEGER NOT NULL,
    trace_id         TEXT NOT NULL,
    submitted_at     INTEGER NOT NULL,
    graded_at        INTEGER,
    course           TEXT,
    UNIQUE (session_id, attempt_id),
    UNIQUE (registration_id, resource_link_id, taker, test_id, attempt_number)
) STRICT;

INSERT INTO submission_new
    (id, workspace_id, session_id, attempt_id, registration_id, link_id, resource_link_id, taker, attempt_number, test_id,
     test_version, title, language, learner_id, items, status, score, max_score, passing_score, needs_review, version, trace_id,
     submitted_at, graded_at)
SELECT id, workspace_id, session_id, attempt_id, registration_id, link_id, resource_link_id, taker, attempt_number, test_id,
       test_version, title, language, learner_id, items, status, score, max_score, passing_score, needs_review, version, trace_id,
       submitted_at, graded_at
FROM submission;

CREATE TABLE submission_evaluation_new (
    evaluation_id TEXT NOT NULL PRIMARY KEY REFERENCES evaluation (id),
    submission_id TEXT NOT NULL REFERENCES submission_new (id) ON DELETE CASCADE,
    item_id       TEXT NOT NULL,
    UNIQUE (submission_id, item_id)
) STRICT, WITHOUT ROWID;

INSERT INTO submission_evaluation_new (evaluation_id, submission_id, item_id)
SELECT evaluation_id, submission_id, item_id FROM submission_evaluation;

-- Renaming a table renames it where others refer to it.
DROP TABLE submission_evaluation;
DROP TABLE submission;
ALTER TABLE submission_new RENAME TO submission;
ALTER TABLE submission_evaluation_new RENAME TO submission_evaluation;

CREATE INDEX submission_by_workspace ON submission (workspace_id, submitted_at, id);
CREATE INDEX submission_by_test ON submission (workspace_id, test_id, submitted_at, id);
CREATE INDEX submission_by_trace ON submission (workspace_id, trace_id, submitted_at, id);
CREATE INDEX submission_by_learner ON submission (workspace_id, learner_id, submitted_at, id);
