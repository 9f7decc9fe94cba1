-- Who changed what, written in the transaction of the change; and what operators look for among the jobs that failed.

-- One of user_id and key_id says who. Rows are removed when they are older than the operator keeps them.
CREATE TABLE audit_entry (
    id              TEXT   NOT NULL PRIMARY KEY,
    user_id         TEXT,
    session_id      TEXT,
    key_id          TEXT,
    operation       TEXT   NOT NULL,
    organization_id TEXT,
    workspace_id    TEXT,
    resource_id     TEXT,
    request_id      TEXT,
    created_at      BIGINT NOT NULL,
    CHECK ((user_id IS NULL) <> (key_id IS NULL))
);

CREATE INDEX audit_entry_by_time ON audit_entry (created_at, id);
CREATE INDEX audit_entry_by_user ON audit_entry (user_id, created_at, id) WHERE user_id IS NOT NULL;
CREATE INDEX audit_entry_by_key ON audit_entry (key_id, created_at, id) WHERE key_id IS NOT NULL;
CREATE INDEX audit_entry_by_organization ON audit_entry (organization_id, created_at, id) WHERE organization_id IS NOT NULL;
CREATE INDEX audit_entry_by_workspace ON audit_entry (workspace_id, created_at, id) WHERE workspace_id IS NOT NULL;

CREATE INDEX job_failed ON job (run_at, id) WHERE state = 'failed';
CREATE INDEX job_failed_by_kind ON job (kind, updated_at) WHERE state = 'failed';

-- Lists go on behind a job, also where many are due at one instant.
DROP INDEX job_due;
CREATE INDEX job_due ON job (run_at, id) WHERE state = 'queued';
