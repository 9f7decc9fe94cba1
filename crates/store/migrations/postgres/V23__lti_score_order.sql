-- Scores of one learner and link get times that rise. scored_at is the time of their last score. A transaction that gives
-- out a time changes the row, so that two of them never give out the same one.
CREATE TABLE lti_gradebook_cell (
    registration_id  TEXT NOT NULL REFERENCES lti_registration (id) ON DELETE CASCADE,
    resource_link_id TEXT NOT NULL,
    user_id          TEXT NOT NULL,
    scored_at        BIGINT NOT NULL,
    PRIMARY KEY (registration_id, resource_link_id, user_id)
);

INSERT INTO lti_gradebook_cell (registration_id, resource_link_id, user_id, scored_at)
SELECT registration_id, resource_link_id, user_id, max(scored_at) FROM lti_sync
WHERE registration_id IS NOT NULL AND resource_link_id IS NOT NULL AND user_id IS NOT NULL
GROUP BY registration_id, resource_link_id, user_id;

-- A score may be superseded: a newer score of the learner took its place. unanswered counts the attempts that may have reached
-- the platform although it gave no answer to them. A check can't be changed everywhere, so the table is made anew.
DROP INDEX lti_sync_due;
DROP INDEX lti_sync_by_score;
DROP INDEX lti_sync_by_trace;
DROP INDEX lti_sync_by_session;
ALTER TABLE lti_sync RENAME TO lti_sync_before;
CREATE TABLE lti_sync (
    subject_id       TEXT NOT NULL PRIMARY KEY,
    subject          TEXT NOT NULL CHECK (subject IN ('evaluation', 'submission')),
    workspace_id     TEXT NOT NULL,
    session_id       TEXT NOT NULL,
    registration_id  TEXT REFERENCES lti_registration (id) ON DELETE SET NULL,
    resource_link_id TEXT,
    user_id          TEXT,
    status           TEXT NOT NULL CHECK (status IN ('waiting', 'pending', 'synced', 'failed', 'superseded')),
    version          BIGINT NOT NULL,
    score_given      DOUBLE PRECISION NOT NULL,
    score_maximum    DOUBLE PRECISION NOT NULL,
    comment          TEXT,
    scored_at        BIGINT NOT NULL,
    submitted_at     BIGINT NOT NULL,
    attempts         BIGINT NOT NULL,
    leases           BIGINT NOT NULL,
    unanswered       BIGINT NOT NULL,
    next_attempt_at  BIGINT NOT NULL,
    lease_token      TEXT,
    error            TEXT,
    line_item        TEXT,
    synced_at        BIGINT,
    trace_id         TEXT,
    created_at       BIGINT NOT NULL
);

INSERT INTO lti_sync (subject_id, subject, workspace_id, session_id, registration_id, resource_link_id, user_id, status, version,
    score_given, score_maximum, comment, scored_at, submitted_at, attempts, leases, unanswered, next_attempt_at, lease_token,
    error, line_item, synced_at, trace_id, created_at)
SELECT subject_id, subject, workspace_id, session_id, registration_id, resource_link_id, user_id, status, version,
    score_given, score_maximum, comment, scored_at, submitted_at, attempts, leases, attempts, next_attempt_at, lease_token,
    error, line_item, synced_at, trace_id, created_at
FROM lti_sync_before;
DROP TABLE lti_sync_before;

CREATE INDEX lti_sync_due ON lti_sync (registration_id, next_attempt_at, subject_id) WHERE status = 'pending';
CREATE INDEX lti_sync_by_score ON lti_sync (registration_id, resource_link_id, user_id, scored_at);
CREATE INDEX lti_sync_by_trace ON lti_sync (workspace_id, trace_id, created_at, subject_id);
CREATE INDEX lti_sync_by_session ON lti_sync (session_id);
