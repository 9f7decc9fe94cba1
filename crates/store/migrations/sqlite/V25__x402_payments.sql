-- Payments that came with requests (x402). A row stays for ever: it is the tombstone that keeps its authorization from
-- being used again. maybe_sent says that the facilitator was asked to settle it and that the answer may be missing; graded
-- is the grade that waits for the money. credited_at says that the amount went to the workspace's credits, because the
-- money came and there was no grade for it.
CREATE TABLE x402_payment (
    evaluation_id    TEXT    NOT NULL PRIMARY KEY,
    workspace_id     TEXT    NOT NULL,
    version          INTEGER NOT NULL CHECK (version IN (1, 2)),
    chain_id         INTEGER NOT NULL,
    asset            TEXT    NOT NULL,
    payer            TEXT    NOT NULL,
    nonce            TEXT    NOT NULL,
    valid_before     INTEGER NOT NULL,
    amount_micros    INTEGER NOT NULL CHECK (amount_micros >= 0),
    route            TEXT    NOT NULL,
    body_digest      TEXT    NOT NULL,
    payload          TEXT    NOT NULL,
    requirements     TEXT    NOT NULL,
    state            TEXT    NOT NULL CHECK (state IN ('open', 'settled', 'refused', 'released', 'unresolved')),
    maybe_sent       INTEGER NOT NULL CHECK (maybe_sent IN (0, 1)),
    graded           TEXT,
    reason           TEXT,
    transaction_hash TEXT,
    receipt          TEXT,
    created_at       INTEGER NOT NULL,
    ended_at         INTEGER,
    credited_at      INTEGER,
    UNIQUE (chain_id, asset, payer, nonce),
    CHECK ((state = 'open') = (ended_at IS NULL)),
    CHECK ((state = 'settled') = (transaction_hash IS NOT NULL)),
    CHECK (credited_at IS NULL OR state = 'settled')
) STRICT, WITHOUT ROWID;

CREATE INDEX x402_payment_unresolved ON x402_payment (created_at) WHERE state = 'unresolved';
