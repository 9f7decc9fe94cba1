-- Scores of evaluations on their way to gradebooks. Each row is its own queue, and says what every attempt will send: it is
-- decided when the evaluation ends. registration_id is NULL where the launch is unknown, or the registration was deleted.
CREATE TABLE lti_sync (
    evaluation_id    TEXT NOT NULL PRIMARY KEY REFERENCES evaluation (id),
    workspace_id     TEXT NOT NULL,
    session_id       TEXT NOT NULL,
    registration_id  TEXT REFERENCES lti_registration (id) ON DELETE SET NULL,
    resource_link_id TEXT,
    user_id          TEXT,
    status           TEXT NOT NULL CHECK (status IN ('waiting', 'pending', 'synced', 'failed')),
    version          INTEGER NOT NULL,
    score_given      REAL NOT NULL,
    score_maximum    REAL NOT NULL,
    comment          TEXT,
    scored_at        INTEGER NOT NULL,
    submitted_at     INTEGER NOT NULL,
    attempts         INTEGER NOT NULL,
    leases           INTEGER NOT NULL,
    next_attempt_at  INTEGER NOT NULL,
    lease_token      TEXT,
    error            TEXT,
    synced_at        INTEGER,
    created_at       INTEGER NOT NULL
) STRICT;

CREATE INDEX lti_sync_due ON lti_sync (registration_id, next_attempt_at, evaluation_id) WHERE status = 'pending';
CREATE INDEX lti_sync_by_score ON lti_sync (registration_id, resource_link_id, user_id, scored_at);

-- Columns of gradebooks that were found or made, by the address of their course's columns and the resource that they are
-- for. Whoever holds the lease looks for the column or makes it, and nobody else does meanwhile.
CREATE TABLE lti_line_item (
    registration_id TEXT NOT NULL REFERENCES lti_registration (id) ON DELETE CASCADE,
    line_items      TEXT NOT NULL,
    resource_id     TEXT NOT NULL,
    url             TEXT,
    leased_until    INTEGER NOT NULL,
    PRIMARY KEY (registration_id, line_items, resource_id)
) STRICT, WITHOUT ROWID;
