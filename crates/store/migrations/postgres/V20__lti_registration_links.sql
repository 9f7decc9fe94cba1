-- Links by which administrators of learning platforms register them. Only a digest of a link's token is kept. Whoever holds
-- the lease talks to the platform, and nobody else does meanwhile; a link is used once a registration came of it. metadata is
-- that of the registration in the making, failure why the last attempt came to nothing; both are JSON.
CREATE TABLE lti_registration_link (
    id              TEXT NOT NULL PRIMARY KEY,
    workspace_id    TEXT NOT NULL REFERENCES workspace (id),
    name            TEXT,
    metadata        TEXT,
    token_digest    TEXT NOT NULL UNIQUE,
    expires_at      BIGINT NOT NULL,
    lease_token     TEXT,
    leased_until    BIGINT,
    failure         TEXT,
    used_at         BIGINT,
    revoked_at      BIGINT,
    registration_id TEXT REFERENCES lti_registration (id) ON DELETE SET NULL,
    created_at      BIGINT NOT NULL
);

CREATE INDEX lti_registration_link_by_workspace ON lti_registration_link (workspace_id, created_at, id);
CREATE INDEX lti_registration_link_by_registration ON lti_registration_link (registration_id);
