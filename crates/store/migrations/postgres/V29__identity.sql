-- Sign-in beside the password: sessions that people can list, second factors, resets, identity providers, invitations.

-- id names a session to its owner; unlike the token's hash it is no secret. method is how the session was opened: 'pending'
-- sessions wait for a second factor.
ALTER TABLE admin_session ADD COLUMN id TEXT;
ALTER TABLE admin_session ADD COLUMN method TEXT NOT NULL DEFAULT 'password'
    CHECK (method IN ('password', 'totp', 'oidc', 'pending'));
UPDATE admin_session SET id = gen_random_uuid()::text;
CREATE UNIQUE INDEX admin_session_by_id ON admin_session (id);
CREATE INDEX admin_session_by_user ON admin_session (user_id);

-- The shared secret of an authenticator app, sealed. It counts once confirmed_at is set; last_step is the newest time step
-- whose code was used.
CREATE TABLE second_factor (
    user_id       TEXT   NOT NULL PRIMARY KEY REFERENCES admin_user (id),
    sealed_secret TEXT   NOT NULL,
    last_step     BIGINT NOT NULL,
    confirmed_at  BIGINT,
    created_at    BIGINT NOT NULL
);

-- A row is deleted when its code is used.
CREATE TABLE recovery_code (
    user_id TEXT NOT NULL REFERENCES admin_user (id),
    digest  TEXT NOT NULL,
    PRIMARY KEY (user_id, digest)
);

-- A row is deleted when it is used.
CREATE TABLE password_reset (
    id         TEXT   NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL UNIQUE REFERENCES admin_user (id),
    expires_at BIGINT NOT NULL
);

-- An account at an identity provider. An admin has one at each provider.
CREATE TABLE oidc_identity (
    issuer     TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    user_id    TEXT   NOT NULL REFERENCES admin_user (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject),
    UNIQUE (issuer, user_id)
);

CREATE TABLE invitation (
    id              TEXT   NOT NULL PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organization (id),
    email           TEXT   NOT NULL,
    invited_by      TEXT   NOT NULL REFERENCES admin_user (id),
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL,
    accepted_at     BIGINT,
    UNIQUE (organization_id, email)
);

CREATE INDEX invitation_by_email ON invitation (email);
