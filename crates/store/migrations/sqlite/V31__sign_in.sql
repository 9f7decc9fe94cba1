-- Sessions say whether an identity provider vouched for a second factor. Passkeys.

-- method gains 'oidc_mfa' (the provider is trusted with the second factor), 'oidc_totp' (a factor of this service was shown after
-- the provider) and 'passkey'. Sessions of earlier versions by a provider count as opened without a second factor.
CREATE TABLE admin_session_new (
    token_hash TEXT    NOT NULL PRIMARY KEY,
    user_id    TEXT    NOT NULL REFERENCES admin_user (id),
    timezone   TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    id         TEXT,
    method     TEXT    NOT NULL DEFAULT 'password'
        CHECK (method IN ('password', 'totp', 'oidc', 'oidc_mfa', 'oidc_totp', 'passkey', 'pending'))
) STRICT, WITHOUT ROWID;
INSERT INTO admin_session_new (token_hash, user_id, timezone, created_at, expires_at, id, method)
SELECT token_hash, user_id, timezone, created_at, expires_at, id, method FROM admin_session;
DROP TABLE admin_session;
ALTER TABLE admin_session_new RENAME TO admin_session;
CREATE INDEX admin_session_by_expiry ON admin_session (expires_at);
CREATE UNIQUE INDEX admin_session_by_id ON admin_session (id);
CREATE INDEX admin_session_by_user ON admin_session (user_id);

-- A public key of an admin's authenticator. credential is what the library keeps of it, with the counter of its last use.
CREATE TABLE passkey (
    id            TEXT    NOT NULL PRIMARY KEY,
    user_id       TEXT    NOT NULL REFERENCES admin_user (id),
    credential_id TEXT    NOT NULL UNIQUE,
    name          TEXT    NOT NULL,
    credential    TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    last_used_at  INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_by_user ON passkey (user_id, created_at);

-- Challenges that were answered: each counts once. A row is deleted when the challenge would have expired.
CREATE TABLE passkey_challenge (
    digest     TEXT    NOT NULL PRIMARY KEY,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at);
