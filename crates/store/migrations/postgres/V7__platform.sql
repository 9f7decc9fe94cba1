-- The platform surface: workspaces, what their keys may do, evaluations with their files, and what learners master.

CREATE TABLE workspace (
    id                                      TEXT    NOT NULL PRIMARY KEY,
    name                                    TEXT    NOT NULL,
    slug                                    TEXT    NOT NULL UNIQUE,
    email                                   TEXT,
    email_verified_at                       BIGINT,
    verification_sent_at                    BIGINT,
    status                                  TEXT    NOT NULL CHECK (status IN ('ACTIVE', 'SUSPENDED')),
    rate_limit_per_minute                   BIGINT NOT NULL CHECK (rate_limit_per_minute > 0),
    plan_code                               TEXT,
    billing_mode                            TEXT    NOT NULL CHECK (billing_mode IN ('internal_invoice', 'processor_metered')),
    processor_customer_id                   TEXT,
    processor_subscription_id               TEXT,
    processor_subscription_item_id_fast     TEXT,
    processor_subscription_item_id_standard TEXT,
    processor_subscription_item_id_advanced TEXT,
    organization_id                         TEXT REFERENCES organization (id),
    created_at                              BIGINT NOT NULL,
    updated_at                              BIGINT NOT NULL
);

CREATE INDEX workspace_by_organization ON workspace (organization_id) WHERE organization_id IS NOT NULL;

-- The scope platform:admin, which only an operator can give.
ALTER TABLE api_key ADD COLUMN is_service_admin BIGINT NOT NULL DEFAULT 0 CHECK (is_service_admin IN (0, 1));

-- request is what was asked, feedback what was said to it, both JSON; a learner's erasure empties both. files counts the rows of evaluation_file. The price is
-- the snapshot of the request's time.
CREATE TABLE evaluation (
    id              TEXT    NOT NULL PRIMARY KEY,
    workspace_id    TEXT    NOT NULL REFERENCES workspace (id),
    evaluation_type TEXT    NOT NULL,
    mode            TEXT    NOT NULL CHECK (mode IN ('sync', 'async')),
    tier            TEXT    NOT NULL,
    status          TEXT    NOT NULL CHECK (status = 'PENDING' OR status = 'PROCESSING' OR status = 'COMPLETED' OR status = 'FAILED'),
    idempotency_key TEXT,
    request_hash    TEXT    NOT NULL,
    request         TEXT    NOT NULL,
    price           TEXT    NOT NULL,
    amount_micros   BIGINT NOT NULL CHECK (amount_micros >= 0),
    learner_id      TEXT,
    max_score       DOUBLE PRECISION    NOT NULL,
    files           BIGINT NOT NULL CHECK (files >= 0),
    score           DOUBLE PRECISION,
    confidence      DOUBLE PRECISION,
    feedback        TEXT,
    error_code      TEXT,
    error_message   TEXT,
    created_at      BIGINT NOT NULL,
    completed_at    BIGINT,
    erased_at       BIGINT,
    CHECK ((completed_at IS NOT NULL) = (status IN ('COMPLETED', 'FAILED'))),
    CHECK ((error_code IS NOT NULL) = (status = 'FAILED')),
    CHECK (erased_at IS NOT NULL OR (score IS NOT NULL) = (status = 'COMPLETED'))
);

CREATE UNIQUE INDEX evaluation_by_idempotency_key ON evaluation (workspace_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE INDEX evaluation_by_learner ON evaluation (workspace_id, learner_id) WHERE learner_id IS NOT NULL;

-- The bytes are in the file store under the workspace's and the file's id.
CREATE TABLE evaluation_file (
    id            TEXT    NOT NULL PRIMARY KEY,
    workspace_id  TEXT    NOT NULL,
    evaluation_id TEXT    NOT NULL REFERENCES evaluation (id),
    role          TEXT    NOT NULL CHECK (role IN ('rubric', 'answer')),
    position      BIGINT NOT NULL,
    file_name     TEXT    NOT NULL,
    mime_type     TEXT    NOT NULL,
    size_bytes    BIGINT NOT NULL,
    sha256        TEXT    NOT NULL,
    created_at    BIGINT NOT NULL,
    UNIQUE (evaluation_id, role, position)
);

-- level is from 0 to 1: the mean of the first scores, and then ever more of the newest.
CREATE TABLE mastery (
    workspace_id TEXT    NOT NULL,
    learner_id   TEXT    NOT NULL,
    concept      TEXT    NOT NULL,
    level        DOUBLE PRECISION    NOT NULL CHECK (level >= 0 AND level <= 1),
    evaluations  BIGINT NOT NULL CHECK (evaluations > 0),
    last_score   DOUBLE PRECISION    NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, learner_id, concept)
);
