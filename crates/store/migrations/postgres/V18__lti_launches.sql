-- Places of a platform that the tool is deployed in: each was in a launch.
CREATE TABLE lti_deployment (
    registration_id TEXT NOT NULL REFERENCES lti_registration (id) ON DELETE CASCADE,
    deployment_id   TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (registration_id, deployment_id)
);

-- Launches that were validated. A nonce is used once. roles, custom, grades, roster and deep_linking are JSON, as the
-- platform sent them.
CREATE TABLE lti_launch (
    id                  TEXT NOT NULL PRIMARY KEY,
    registration_id     TEXT NOT NULL REFERENCES lti_registration (id) ON DELETE CASCADE,
    workspace_id        TEXT NOT NULL,
    nonce               TEXT NOT NULL,
    message_type        TEXT NOT NULL,
    deployment_id       TEXT NOT NULL,
    target_link_uri     TEXT NOT NULL,
    user_id             TEXT,
    roles               TEXT NOT NULL,
    resource_link_id    TEXT,
    resource_link_title TEXT,
    context_id          TEXT,
    context_title       TEXT,
    custom              TEXT NOT NULL,
    locale              TEXT,
    return_url          TEXT,
    grades              TEXT,
    roster              TEXT,
    deep_linking        TEXT,
    created_at          BIGINT NOT NULL,
    UNIQUE (registration_id, nonce)
);

-- The newest logins and launches that were refused. sent is JSON.
CREATE TABLE lti_refusal (
    id              TEXT NOT NULL PRIMARY KEY,
    registration_id TEXT NOT NULL REFERENCES lti_registration (id) ON DELETE CASCADE,
    reason          TEXT NOT NULL,
    expected        TEXT,
    received        TEXT,
    sent            TEXT NOT NULL,
    created_at      BIGINT NOT NULL
);

CREATE INDEX lti_refusal_by_registration ON lti_refusal (registration_id, created_at, id);
