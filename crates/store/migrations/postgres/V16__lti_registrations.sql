-- LMS platforms that workspaces have registered. A login names its platform by issuer and client id and nothing else, so
-- the pair is one platform's for everybody. metadata is JSON.
CREATE TABLE lti_registration (
    id                     TEXT NOT NULL PRIMARY KEY,
    workspace_id           TEXT NOT NULL REFERENCES workspace (id),
    name                   TEXT NOT NULL,
    issuer                 TEXT NOT NULL,
    client_id              TEXT NOT NULL,
    authorization_endpoint TEXT NOT NULL,
    token_endpoint         TEXT NOT NULL,
    jwks_endpoint          TEXT NOT NULL,
    status                 TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
    metadata               TEXT,
    created_at             BIGINT NOT NULL,
    updated_at             BIGINT NOT NULL,
    UNIQUE (issuer, client_id)
);

CREATE INDEX lti_registration_by_workspace ON lti_registration (workspace_id, created_at, id);
