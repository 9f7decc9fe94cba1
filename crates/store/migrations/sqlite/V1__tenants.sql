-- Who owns what and who may act: organizations, classrooms, admins, sessions, API keys; and what the
-- door needs to keep its promises: rate windows and idempotency rows.
-- Times are milliseconds since the Unix epoch, UTC. Identifiers are lower-case UUID text. JSON is text,
-- because key order is part of a customer's payload.

CREATE TABLE organization (
    id          TEXT   NOT NULL PRIMARY KEY,
    name        TEXT   NOT NULL,
    slug        TEXT   NOT NULL UNIQUE,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE classroom (
    id              TEXT   NOT NULL PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    name            TEXT   NOT NULL,
    slug            TEXT   NOT NULL,
    locale          TEXT   NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    UNIQUE (organization_id, slug)
) STRICT, WITHOUT ROWID;

CREATE TABLE admin_user (
    id            TEXT   NOT NULL PRIMARY KEY,
    email         TEXT   NOT NULL UNIQUE,
    password_hash TEXT   NOT NULL,
    is_operator   INTEGER NOT NULL CHECK (is_operator IN (0, 1)),
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE membership (
    user_id         TEXT   NOT NULL REFERENCES admin_user (id),
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    role            TEXT   NOT NULL,
    created_at      INTEGER NOT NULL,
    PRIMARY KEY (user_id, organization_id)
) STRICT, WITHOUT ROWID;

-- Only the SHA-256 of the cookie's token is kept.
CREATE TABLE admin_session (
    token_hash TEXT   NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL REFERENCES admin_user (id),
    timezone   TEXT   NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX admin_session_by_expiry ON admin_session (expires_at);

-- Keys of both surfaces; owner_id is the organization (content) or the workspace (platform).
-- A key is revoked when revoked_at is set and expired when expires_at has passed; otherwise active.
CREATE TABLE api_key (
    id                    TEXT   NOT NULL PRIMARY KEY,
    surface               TEXT   NOT NULL CHECK (surface IN ('content', 'platform')),
    owner_id              TEXT   NOT NULL,
    name                  TEXT   NOT NULL,
    prefix                TEXT   NOT NULL,
    token_hash            TEXT   NOT NULL UNIQUE,
    rate_limit_per_minute INTEGER NOT NULL CHECK (rate_limit_per_minute > 0),
    created_at            INTEGER NOT NULL,
    last_used_at          INTEGER,
    expires_at            INTEGER,
    revoked_at            INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_by_owner ON api_key (owner_id, created_at);

-- How much of the current rate window of a key the running processes have leased.
CREATE TABLE rate_window (
    subject    TEXT   NOT NULL PRIMARY KEY,
    started_at INTEGER NOT NULL,
    leased     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The answer that a repeated create gets. expires_at NULL: kept as long as what it created. An answer is longer
-- than what fits beside a key, so the table has a rowid.
CREATE TABLE idempotency (
    scope        TEXT   NOT NULL,
    route        TEXT   NOT NULL,
    key          TEXT   NOT NULL,
    request_hash TEXT   NOT NULL,
    status       INTEGER NOT NULL,
    body         TEXT   NOT NULL,
    is_sealed    INTEGER NOT NULL CHECK (is_sealed IN (0, 1)),
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    PRIMARY KEY (scope, route, key)
) STRICT;

CREATE INDEX idempotency_by_expiry ON idempotency (expires_at) WHERE expires_at IS NOT NULL;
