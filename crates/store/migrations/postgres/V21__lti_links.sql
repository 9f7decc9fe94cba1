-- Links to resources of the linked organization that teachers picked (Deep Linking). A link belongs to its workspace, so that
-- it outlives the registration that it was picked for. trace_id names what the resource came from.
CREATE TABLE lti_link (
    id              TEXT NOT NULL PRIMARY KEY,
    workspace_id    TEXT NOT NULL REFERENCES workspace (id),
    registration_id TEXT REFERENCES lti_registration (id) ON DELETE SET NULL,
    session_id      TEXT NOT NULL,
    kind            TEXT NOT NULL,
    resource_id     TEXT NOT NULL,
    title           TEXT NOT NULL,
    context_id      TEXT,
    trace_id        TEXT NOT NULL,
    created_at      BIGINT NOT NULL
);

CREATE INDEX lti_link_by_trace ON lti_link (workspace_id, trace_id, created_at, id);
CREATE INDEX lti_link_by_resource ON lti_link (workspace_id, resource_id, created_at, id);

-- A launch of such a link, and its trace. A launch without a link begins a trace.
ALTER TABLE lti_launch ADD COLUMN link_id TEXT;
ALTER TABLE lti_launch ADD COLUMN trace_id TEXT;
UPDATE lti_launch SET trace_id = id;

CREATE INDEX lti_launch_by_trace ON lti_launch (workspace_id, trace_id, created_at, id);
CREATE INDEX lti_launch_by_user ON lti_launch (registration_id, user_id);

-- Tests that learners handed in. items is JSON: each item as it was, the answer to it, and its points where code gave them. The
-- points of open answers are those of their evaluations. learner_id names the learner as evaluations do; taker is that, or the
-- launch where the learner is anonymous.
CREATE TABLE submission (
    id               TEXT NOT NULL PRIMARY KEY,
    workspace_id     TEXT NOT NULL REFERENCES workspace (id),
    session_id       TEXT NOT NULL,
    attempt_id       TEXT NOT NULL,
    registration_id  TEXT NOT NULL,
    link_id          TEXT NOT NULL,
    resource_link_id TEXT NOT NULL,
    taker            TEXT NOT NULL,
    attempt_number   BIGINT NOT NULL,
    test_id          TEXT NOT NULL,
    test_version     BIGINT NOT NULL,
    title            TEXT NOT NULL,
    language         TEXT NOT NULL,
    learner_id       TEXT,
    items            TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('GRADING', 'GRADED', 'INCOMPLETE')),
    score            DOUBLE PRECISION,
    max_score        DOUBLE PRECISION NOT NULL,
    passing_score    DOUBLE PRECISION NOT NULL,
    needs_review     BIGINT NOT NULL,
    version          BIGINT NOT NULL,
    trace_id         TEXT NOT NULL,
    submitted_at     BIGINT NOT NULL,
    graded_at        BIGINT,
    UNIQUE (session_id, attempt_id),
    UNIQUE (registration_id, resource_link_id, taker, attempt_number)
);

CREATE INDEX submission_by_workspace ON submission (workspace_id, submitted_at, id);
CREATE INDEX submission_by_test ON submission (workspace_id, test_id, submitted_at, id);
CREATE INDEX submission_by_trace ON submission (workspace_id, trace_id, submitted_at, id);
CREATE INDEX submission_by_learner ON submission (workspace_id, learner_id, submitted_at, id);

-- The evaluations of a submission's open answers.
CREATE TABLE submission_evaluation (
    evaluation_id TEXT NOT NULL PRIMARY KEY REFERENCES evaluation (id),
    submission_id TEXT NOT NULL REFERENCES submission (id) ON DELETE CASCADE,
    item_id       TEXT NOT NULL,
    UNIQUE (submission_id, item_id)
);

-- Scores of submissions go to gradebooks, too: a row is named by what it is the score of.
DROP INDEX lti_sync_due;
DROP INDEX lti_sync_by_score;
ALTER TABLE lti_sync RENAME TO lti_sync_of_evaluations;
CREATE TABLE lti_sync (
    subject_id       TEXT NOT NULL PRIMARY KEY,
    subject          TEXT NOT NULL CHECK (subject IN ('evaluation', 'submission')),
    workspace_id     TEXT NOT NULL,
    session_id       TEXT NOT NULL,
    registration_id  TEXT REFERENCES lti_registration (id) ON DELETE SET NULL,
    resource_link_id TEXT,
    user_id          TEXT,
    status           TEXT NOT NULL CHECK (status IN ('waiting', 'pending', 'synced', 'failed')),
    version          BIGINT NOT NULL,
    score_given      DOUBLE PRECISION NOT NULL,
    score_maximum    DOUBLE PRECISION NOT NULL,
    comment          TEXT,
    scored_at        BIGINT NOT NULL,
    submitted_at     BIGINT NOT NULL,
    attempts         BIGINT NOT NULL,
    leases           BIGINT NOT NULL,
    next_attempt_at  BIGINT NOT NULL,
    lease_token      TEXT,
    error            TEXT,
    line_item        TEXT,
    synced_at        BIGINT,
    trace_id         TEXT,
    created_at       BIGINT NOT NULL
);

INSERT INTO lti_sync (subject_id, subject, workspace_id, session_id, registration_id, resource_link_id, user_id, status, version,
    score_given, score_maximum, comment, scored_at, submitted_at, attempts, leases, next_attempt_at, lease_token, error, synced_at,
    trace_id, created_at)
SELECT evaluation_id, 'evaluation', workspace_id, session_id, registration_id, resource_link_id, user_id, status, version,
    score_given, score_maximum, comment, scored_at, submitted_at, attempts, leases, next_attempt_at, lease_token, error, synced_at,
    session_id, created_at
FROM lti_sync_of_evaluations;
DROP TABLE lti_sync_of_evaluations;

CREATE INDEX lti_sync_due ON lti_sync (registration_id, next_attempt_at, subject_id) WHERE status = 'pending';
CREATE INDEX lti_sync_by_score ON lti_sync (registration_id, resource_link_id, user_id, scored_at);
CREATE INDEX lti_sync_by_trace ON lti_sync (workspace_id, trace_id, created_at, subject_id);
CREATE INDEX lti_sync_by_session ON lti_sync (session_id);

-- What a resource was made of.
CREATE INDEX expansion_output_by_resource ON expansion_output (resource_id) WHERE resource_id IS NOT NULL;

-- Since when a registration is a client of its token endpoint's server, and of the server that its tokens are for. Of two workspaces
-- that name one client of one platform, the later one gets no access tokens: the service signs for both with the same keys.
ALTER TABLE lti_registration ADD COLUMN client_since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE lti_registration ADD COLUMN audience_since BIGINT NOT NULL DEFAULT 0;
UPDATE lti_registration SET client_since = created_at, audience_since = created_at;
CREATE INDEX lti_registration_by_client ON lti_registration (client_id);
