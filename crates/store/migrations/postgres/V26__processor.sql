-- The payment processor: what its customers can pay with, what they bought, the events it sent, and the usage it was told.

-- What is kept of a workspace beside its processor. turns counts changes: whoever changes the workspace's rows below begins with this
-- row, so that two of them take turns. collected_to is the last ledger sequence whose usage is in usage_report.
CREATE TABLE processor_account (
    workspace_id TEXT    NOT NULL PRIMARY KEY REFERENCES workspace (id),
    turns        BIGINT NOT NULL CHECK (turns >= 0),
    collected_to BIGINT NOT NULL CHECK (collected_to >= 0)
);

-- processor_id is null until the processor has named the method of a setup that it reported as complete. as_of is the time of the
-- newest event that changed the status, described_at that of the newest one with details: events come in any order.
CREATE TABLE payment_method (
    id              TEXT    NOT NULL PRIMARY KEY,
    workspace_id    TEXT    NOT NULL REFERENCES workspace (id),
    customer_id     TEXT    NOT NULL,
    processor_id    TEXT,
    setup_intent_id TEXT,
    kind            TEXT,
    brand           TEXT,
    last4           TEXT,
    exp_month       BIGINT,
    exp_year        BIGINT,
    status          TEXT    NOT NULL CHECK (status = 'active' OR status = 'detaching' OR status = 'removed'),
    as_of           BIGINT NOT NULL,
    described_at    BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    removed_at      BIGINT,
    CHECK ((removed_at IS NOT NULL) = (status = 'removed')),
    CHECK (processor_id IS NOT NULL OR setup_intent_id IS NOT NULL)
);

CREATE UNIQUE INDEX payment_method_by_processor_id ON payment_method (processor_id, workspace_id) WHERE processor_id IS NOT NULL;
CREATE UNIQUE INDEX payment_method_by_setup_intent ON payment_method (setup_intent_id, workspace_id) WHERE setup_intent_id IS NOT NULL;
CREATE INDEX payment_method_by_workspace ON payment_method (workspace_id, created_at, id);
CREATE INDEX payment_method_by_customer ON payment_method (customer_id);
CREATE INDEX payment_method_active ON payment_method (workspace_id) WHERE status = 'active';

-- A visit to the processor's page. The row is written before the processor is asked, so that a payment always finds what was bought.
CREATE TABLE billing_session (
    id            TEXT    NOT NULL PRIMARY KEY,
    workspace_id  TEXT    NOT NULL REFERENCES workspace (id),
    mode          TEXT    NOT NULL CHECK (mode = 'setup' OR mode = 'payment'),
    amount_micros BIGINT NOT NULL CHECK (amount_micros >= 0 AND amount_micros <= 9007199254740991),
    state         TEXT    NOT NULL CHECK (state = 'open' OR state = 'pending' OR state = 'completed' OR state = 'failed'),
    customer_id   TEXT,
    processor_id  TEXT,
    url           TEXT,
    expires_at    BIGINT,
    top_up_id     TEXT,
    created_at    BIGINT NOT NULL,
    ended_at      BIGINT,
    CHECK ((mode = 'payment') = (amount_micros > 0)),
    CHECK (top_up_id IS NULL OR (mode = 'payment' AND state = 'completed')),
    CHECK ((ended_at IS NOT NULL) = (state = 'completed' OR state = 'failed'))
);

CREATE UNIQUE INDEX billing_session_by_processor_id ON billing_session (processor_id) WHERE processor_id IS NOT NULL;
CREATE INDEX billing_session_by_workspace ON billing_session (workspace_id, created_at);

-- Every event of the processor that was acknowledged; a repeated one is found here and has no further effect.
CREATE TABLE processor_event (
    id           TEXT    NOT NULL PRIMARY KEY,
    type         TEXT    NOT NULL,
    outcome      TEXT    NOT NULL CHECK (outcome = 'applied' OR outcome = 'ignored'),
    workspace_id TEXT,
    created_at   BIGINT NOT NULL,
    received_at  BIGINT NOT NULL
);

CREATE INDEX processor_event_by_workspace ON processor_event (workspace_id, type) WHERE workspace_id IS NOT NULL;
CREATE INDEX processor_event_by_age ON processor_event (received_at);

-- Payments that the processor could not collect.
CREATE TABLE payment_failure (
    id           TEXT    NOT NULL PRIMARY KEY,
    workspace_id TEXT    NOT NULL REFERENCES workspace (id),
    event_id     TEXT    NOT NULL,
    invoice_id   TEXT,
    amount_minor BIGINT,
    currency     TEXT,
    attempts     BIGINT,
    next_attempt_at BIGINT,
    failed_at    BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    UNIQUE (workspace_id, event_id)
);

CREATE INDEX payment_failure_by_workspace ON payment_failure (workspace_id, created_at, id);

-- The sum of some of a workspace's ledger transfers, which are of one tier and one hour: what the processor is told at once. Its content
-- never changes. target_kind and target_id are fixed before it is sent, and taken back only when the processor has refused it.
-- refusals counts those: each is followed by another idempotency key, because the processor gives an old one its old answer.
-- first_unanswered_at is the time of the first attempt whose outcome nobody knows.
CREATE TABLE usage_report (
    id             TEXT    NOT NULL PRIMARY KEY,
    workspace_id   TEXT    NOT NULL REFERENCES workspace (id),
    tier           TEXT    NOT NULL CHECK (tier = 'fast' OR tier = 'standard' OR tier = 'advanced' OR tier = 'other'),
    first_sequence BIGINT NOT NULL CHECK (first_sequence > 0),
    last_sequence  BIGINT NOT NULL,
    quantity       BIGINT NOT NULL CHECK (quantity > 0),
    amount_micros  BIGINT NOT NULL CHECK (amount_micros > 0 AND amount_micros <= 9007199254740991),
    used_at        BIGINT NOT NULL,
    state          TEXT    NOT NULL CHECK (state = 'due' OR state = 'sent' OR state = 'uncertain'),
    target_kind    TEXT    CHECK (target_kind = 'meter' OR target_kind = 'item'),
    target_id      TEXT,
    attempts       BIGINT NOT NULL CHECK (attempts >= 0),
    refusals       BIGINT NOT NULL CHECK (refusals >= 0),
    next_attempt_at BIGINT NOT NULL,
    lease_token    TEXT,
    first_unanswered_at BIGINT,
    last_error     TEXT,
    created_at     BIGINT NOT NULL,
    sent_at        BIGINT,
    UNIQUE (workspace_id, tier, first_sequence),
    CHECK (last_sequence >= first_sequence),
    CHECK ((target_kind IS NULL) = (target_id IS NULL)),
    CHECK ((sent_at IS NOT NULL) = (state = 'sent')),
    CHECK (state = 'due' OR target_id IS NOT NULL)
);

CREATE INDEX usage_report_due ON usage_report (next_attempt_at, id) WHERE state = 'due';
CREATE INDEX usage_report_by_use ON usage_report (used_at);

-- Where usage for the processor is found.
CREATE INDEX ledger_transfer_by_processor ON ledger_transfer (workspace_id, sequence) WHERE debit_account = 'processor';
CREATE INDEX workspace_by_processor_customer ON workspace (processor_customer_id) WHERE processor_customer_id IS NOT NULL;
