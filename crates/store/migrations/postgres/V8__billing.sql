-- What is paid and what is used: balances, the ledger behind them, reservations, usage and its rollups.
-- Money is integer millionths of a US dollar, never above 2^53 - 1, so that every amount is exact as a JSON number.

-- One row a workspace: what it can spend, and what is set aside for work that is not done. A reservation remembers where
-- it came from, so reserved money is kept apart by origin. entries counts the workspace's transfers; last_free_micros is
-- how much of the last taking came out of the free credits, which the row can't tell afterwards.
-- Half of each page stays free: every evaluation changes the row, and a change that stays in its page costs no index.
CREATE TABLE ledger_balance (
    workspace_id           TEXT   NOT NULL PRIMARY KEY,
    free_micros            BIGINT NOT NULL CHECK (free_micros >= 0),
    credit_micros          BIGINT NOT NULL CHECK (credit_micros >= 0),
    reserved_free_micros   BIGINT NOT NULL CHECK (reserved_free_micros >= 0),
    reserved_credit_micros BIGINT NOT NULL CHECK (reserved_credit_micros >= 0),
    last_free_micros       BIGINT NOT NULL CHECK (last_free_micros >= 0),
    had_credits            BIGINT NOT NULL CHECK (had_credits IN (0, 1)),
    entries                BIGINT NOT NULL CHECK (entries >= 0),
    created_at             BIGINT NOT NULL,
    CHECK (free_micros + reserved_free_micros <= 9007199254740991),
    CHECK (credit_micros + reserved_credit_micros <= 9007199254740991)
) WITH (fillfactor = 50);

-- Each row moves an amount out of one account into another, so the books balance whatever is in them. A workspace has the accounts
-- free, credits, reserved_free and reserved_credits; the others are the house's. Rows are never changed or removed,
-- and have the numbers 1 to ledger_balance.entries in the order of their commits: what is missing leaves a gap.
CREATE TABLE ledger_transfer (
    workspace_id   TEXT   NOT NULL,
    sequence       BIGINT NOT NULL CHECK (sequence > 0),
    debit_account  TEXT   NOT NULL CHECK (debit_account IN
                   ('free', 'credits', 'reserved_free', 'reserved_credits', 'grants', 'topups', 'processor', 'x402')),
    credit_account TEXT   NOT NULL CHECK (credit_account IN
                   ('free', 'credits', 'reserved_free', 'reserved_credits', 'revenue')),
    amount_micros  BIGINT NOT NULL CHECK (amount_micros > 0 AND amount_micros <= 9007199254740991),
    kind           TEXT   NOT NULL CHECK (kind IN ('grant', 'top_up', 'reserve', 'settle', 'release', 'charge')),
    subject_id     TEXT   NOT NULL,
    note           TEXT,
    created_at     BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, sequence),
    CHECK (debit_account <> credit_account)
);

-- What is set aside, or was, for one piece of work. The work's id is the key, so nothing is reserved, settled or released
-- twice. The two parts say what came from the balance; other sources pay the whole amount.
CREATE TABLE ledger_reservation (
    subject_id    TEXT   NOT NULL PRIMARY KEY,
    workspace_id  TEXT   NOT NULL,
    funding       TEXT   NOT NULL CHECK (funding IN ('balance', 'processor', 'x402')),
    amount_micros BIGINT NOT NULL CHECK (amount_micros >= 0 AND amount_micros <= 9007199254740991),
    free_micros   BIGINT NOT NULL CHECK (free_micros >= 0),
    credit_micros BIGINT NOT NULL CHECK (credit_micros >= 0),
    state         TEXT   NOT NULL CHECK (state IN ('open', 'settled', 'released')),
    created_at    BIGINT NOT NULL,
    ended_at      BIGINT,
    CHECK ((state = 'open') = (ended_at IS NULL)),
    CHECK (free_micros + credit_micros = CASE WHEN funding = 'balance' THEN amount_micros ELSE 0 END)
);

CREATE INDEX ledger_reservation_open ON ledger_reservation (workspace_id) WHERE state = 'open';

-- What was done for whom, and what it cost. Rows are never changed or removed.
CREATE TABLE usage (
    id                 TEXT   NOT NULL PRIMARY KEY,
    workspace_id       TEXT   NOT NULL,
    organization_id    TEXT,
    service            TEXT   NOT NULL,
    subject_id         TEXT   NOT NULL,
    credit_cost_micros BIGINT NOT NULL CHECK (credit_cost_micros >= 0),
    billable_micros    BIGINT NOT NULL CHECK (billable_micros >= 0),
    finalized_micros   BIGINT NOT NULL CHECK (finalized_micros >= 0),
    input_tokens       BIGINT NOT NULL CHECK (input_tokens >= 0),
    output_tokens      BIGINT NOT NULL CHECK (output_tokens >= 0),
    occurred_at        BIGINT NOT NULL CHECK (occurred_at >= 0)
);

-- The usage of a workspace by UTC day (days since the epoch) and service; sum over the shards. The trigger adds to a shard of
-- the connection's own, so that two transactions at once never write the same row. Maintenance moves what it finds there to
-- the shard '', and in the same transaction adds it to the two tables below.
CREATE TABLE usage_day (
    workspace_id       TEXT   NOT NULL,
    day                BIGINT NOT NULL,
    service            TEXT   NOT NULL,
    shard              TEXT   NOT NULL,
    requests           BIGINT NOT NULL,
    credit_cost_micros BIGINT NOT NULL,
    billable_micros    BIGINT NOT NULL,
    finalized_micros   BIGINT NOT NULL,
    input_tokens       BIGINT NOT NULL,
    output_tokens      BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, day, service, shard)
);

CREATE INDEX usage_day_loose ON usage_day (day) WHERE shard <> '';

-- The shards '' of all workspaces by day and service. With the other shards of usage_day: all usage.
CREATE TABLE usage_service_day (
    day                BIGINT NOT NULL,
    service            TEXT   NOT NULL,
    requests           BIGINT NOT NULL,
    credit_cost_micros BIGINT NOT NULL,
    billable_micros    BIGINT NOT NULL,
    finalized_micros   BIGINT NOT NULL,
    input_tokens       BIGINT NOT NULL,
    output_tokens      BIGINT NOT NULL,
    PRIMARY KEY (day, service)
);

-- The shards '' of all days by workspace. With the other shards of usage_day: all usage.
CREATE TABLE usage_total (
    workspace_id       TEXT   NOT NULL PRIMARY KEY,
    requests           BIGINT NOT NULL,
    credit_cost_micros BIGINT NOT NULL,
    billable_micros    BIGINT NOT NULL,
    finalized_micros   BIGINT NOT NULL,
    input_tokens       BIGINT NOT NULL,
    output_tokens      BIGINT NOT NULL
);

CREATE FUNCTION add_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO usage_day (workspace_id, day, service, shard, requests, credit_cost_micros, billable_micros,
        finalized_micros, input_tokens, output_tokens)
    SELECT workspace_id, occurred_at / 86400000, service, 'c' || pg_backend_pid() % 256, count(*),
        sum(credit_cost_micros), sum(billable_micros), sum(finalized_micros), sum(input_tokens), sum(output_tokens)
    FROM added GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, day, service, shard) DO UPDATE SET
        requests = usage_day.requests + excluded.requests,
        credit_cost_micros = usage_day.credit_cost_micros + excluded.credit_cost_micros,
        billable_micros = usage_day.billable_micros + excluded.billable_micros,
        finalized_micros = usage_day.finalized_micros + excluded.finalized_micros,
        input_tokens = usage_day.input_tokens + excluded.input_tokens,
        output_tokens = usage_day.output_tokens + excluded.output_tokens;
    RETURN NULL;
END
$$;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;

CREATE TRIGGER usage_added AFTER INSERT ON usage
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_usage();
CREATE TRIGGER usage_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON usage
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transfer_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
