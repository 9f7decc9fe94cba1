-- Sessions say whether an identity provider vouched for a second factor. Passkeys.

-- method gains 'oidc_mfa' (the provider is trusted with the second factor), 'oidc_totp' (a factor of this service was shown after
-- the provider) and 'passkey'. Sessions of earlier versions by a provider count as opened without a second factor.
ALTER TABLE admin_session
    DROP CONSTRAINT admin_session_method_check,
    ADD CONSTRAINT admin_session_method_check
        CHECK (method IN ('password', 'totp', 'oidc', 'oidc_mfa', 'oidc_totp', 'passkey', 'pending'));

-- A public key of an admin's authenticator. credential is what the library keeps of it, with the counter of its last use.
CREATE TABLE passkey (
    id            TEXT   NOT NULL PRIMARY KEY,
    user_id       TEXT   NOT NULL REFERENCES admin_user (id),
    credential_id TEXT   NOT NULL UNIQUE,
    name          TEXT   NOT NULL,
    credential    TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT
);
CREATE INDEX passkey_by_user ON passkey (user_id, created_at);

-- Challenges that were answered: each counts once. A row is deleted when the challenge would have expired.
CREATE TABLE passkey_challenge (
    digest     TEXT   NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at);
