-- Sessions say whether an identity provider vouched for a second factor.

-- method gains 'oidc_mfa' (the provider is trusted with the second factor) and 'oidc_totp' (a factor of this service was shown after
-- the provider). Sessions of earlier versions by a provider count as opened without a second factor.
CREATE TABLE admin_session_new (
    token_hash TEXT    NOT NULL PRIMARY KEY,
    user_id    TEXT    NOT NULL REFERENCES admin_user (id),
    timezone   TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    id         TEXT,
    method     TEXT    NOT NULL DEFAULT 'password'
        CHECK (method IN ('password', 'totp', 'oidc', 'oidc_mfa', 'oidc_totp', 'pending'))
) STRICT, WITHOUT ROWID;
INSERT INTO admin_session_new (token_hash, user_id, timezone, created_at, expires_at, id, method)
SELECT token_hash, user_id, timezone, created_at, expires_at, id, method FROM admin_session;
DROP TABLE admin_session;
ALTER TABLE admin_session_new RENAME TO admin_session;
CREATE INDEX admin_session_by_expiry ON admin_session (expires_at);
CREATE UNIQUE INDEX admin_session_by_id ON admin_session (id);
CREATE INDEX admin_session_by_user ON admin_session (user_id);
