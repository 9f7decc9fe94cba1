-- Key pairs of the service as an LTI tool. The sequence makes one of two that are made at once. public_key is a JSON Web Key.
CREATE TABLE lti_tool_key (
    sequence       BIGINT NOT NULL PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    public_key     TEXT NOT NULL,
    sealed_private TEXT NOT NULL,
    signs_from     BIGINT NOT NULL,
    created_at     BIGINT NOT NULL
);
