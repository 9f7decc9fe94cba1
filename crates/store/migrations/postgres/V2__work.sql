-- Work to do and facts to tell: jobs with leases, the event outbox, webhook endpoints, deliveries.

-- A finished job's row is deleted; a failed one stays for the operator.
-- attempt counts the claims, lapses those whose worker vanished or panicked.
-- The lease token fences: whoever holds an older one can't write the outcome any more.
CREATE TABLE job (
    id          TEXT   NOT NULL PRIMARY KEY,
    kind        TEXT   NOT NULL,
    tenant      TEXT   NOT NULL,
    payload     TEXT   NOT NULL,
    state       TEXT   NOT NULL CHECK (state = 'queued' OR state = 'running' OR state = 'failed'),
    priority    BIGINT NOT NULL,
    run_at      BIGINT NOT NULL,
    attempt     BIGINT NOT NULL,
    lapses      BIGINT NOT NULL,
    lease_token TEXT,
    lease_until BIGINT,
    last_error  TEXT,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    CHECK ((state = 'running') = (lease_token IS NOT NULL)),
    CHECK ((lease_token IS NULL) = (lease_until IS NULL))
);

CREATE INDEX job_queue ON job (tenant, priority, run_at, id) WHERE state = 'queued';
CREATE INDEX job_due ON job (run_at) WHERE state = 'queued';
CREATE INDEX job_leased ON job (lease_until) WHERE state = 'running';

-- What happened, written in the transaction that made it so. body is the exact text that receivers get.
CREATE TABLE event (
    id         TEXT   NOT NULL PRIMARY KEY,
    surface    TEXT   NOT NULL CHECK (surface IN ('content', 'platform')),
    owner_id   TEXT   NOT NULL,
    type       TEXT   NOT NULL,
    subject_id TEXT   NOT NULL,
    body       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX event_by_subject ON event (subject_id, type);

CREATE TABLE webhook_endpoint (
    id            TEXT   NOT NULL PRIMARY KEY,
    surface       TEXT   NOT NULL CHECK (surface IN ('content', 'platform')),
    owner_id      TEXT   NOT NULL,
    url           TEXT   NOT NULL,
    sealed_secret TEXT   NOT NULL,
    status        TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED')),
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);

CREATE INDEX webhook_endpoint_by_owner ON webhook_endpoint (owner_id, created_at);

CREATE TABLE webhook_subscription (
    endpoint_id TEXT   NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
    event_type  TEXT   NOT NULL,
    position    BIGINT NOT NULL,
    PRIMARY KEY (endpoint_id, event_type)
);

-- One row per event and endpoint; the table is its own queue. The endpoint leads the key, so that
-- deleting an endpoint finds its deliveries.
CREATE TABLE delivery (
    event_id        TEXT   NOT NULL REFERENCES event (id),
    endpoint_id     TEXT   NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
    owner_id        TEXT   NOT NULL,
    state           TEXT   NOT NULL CHECK (state = 'pending' OR state = 'delivered' OR state = 'failed'),
    attempts        BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    lease_token     TEXT,
    created_at      BIGINT NOT NULL,
    finished_at     BIGINT,
    PRIMARY KEY (endpoint_id, event_id)
);

-- next_attempt_at of a leased delivery is the end of its lease: the same index finds what is due. It is
-- the only index on pending deliveries, so that no plan can walk over the finished ones of years.
CREATE INDEX delivery_queue ON delivery (endpoint_id, next_attempt_at, event_id) WHERE state = 'pending';

CREATE TABLE delivery_attempt (
    event_id    TEXT   NOT NULL,
    endpoint_id TEXT   NOT NULL,
    attempt     BIGINT NOT NULL,
    started_at  BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    status_code BIGINT,
    error       TEXT,
    PRIMARY KEY (endpoint_id, event_id, attempt),
    FOREIGN KEY (endpoint_id, event_id) REFERENCES delivery (endpoint_id, event_id) ON DELETE CASCADE
);
