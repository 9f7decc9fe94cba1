-- What a workspace or one of its keys may spend in a UTC day and a UTC month, and what it has spent. A column *_at is the take
-- that crossed the cap in the period, 0 while none has: so each crossing is noticed once. A month is its first day's number
-- of days since the epoch.
CREATE TABLE spending_cap (
    subject_id          TEXT    NOT NULL PRIMARY KEY,
    workspace_id        TEXT    NOT NULL,
    daily_soft_micros   BIGINT CHECK (daily_soft_micros >= 0),
    daily_hard_micros   BIGINT CHECK (daily_hard_micros >= 0),
    monthly_soft_micros BIGINT CHECK (monthly_soft_micros >= 0),
    monthly_hard_micros BIGINT CHECK (monthly_hard_micros >= 0),
    takes               BIGINT NOT NULL CHECK (takes >= 0),
    day                 BIGINT NOT NULL,
    day_micros          BIGINT NOT NULL CHECK (day_micros >= 0),
    day_soft_at         BIGINT NOT NULL,
    day_hard_at         BIGINT NOT NULL,
    month               BIGINT NOT NULL,
    month_micros        BIGINT NOT NULL CHECK (month_micros >= 0),
    month_soft_at       BIGINT NOT NULL,
    month_hard_at       BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL
);

CREATE INDEX spending_cap_by_workspace ON spending_cap (workspace_id);

-- is_capped is 1 while the workspace or one of its keys has caps: without, nothing asks for them. low_micros is the balance below which
-- the workspace is warned, null for the usual one. low_entry is the entry that fell below it, 0 while the balance is above.
ALTER TABLE ledger_balance ADD COLUMN is_capped BIGINT NOT NULL DEFAULT 0 CHECK (is_capped IN (0, 1));
ALTER TABLE ledger_balance ADD COLUMN low_micros BIGINT CHECK (low_micros >= 0);
ALTER TABLE ledger_balance ADD COLUMN low_entry BIGINT NOT NULL DEFAULT 0;
UPDATE ledger_balance SET low_entry = entries WHERE had_credits = 1 AND free_micros + credit_micros < 5000000;

-- The key whose caps count the reservation, if any do.
ALTER TABLE ledger_reservation ADD COLUMN key_id TEXT;

-- Which warnings of a key's end were given: 14, 3 and 1 days before.
CREATE TABLE key_notice (
    key_id     TEXT    NOT NULL,
    days       BIGINT NOT NULL CHECK (days > 0),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (key_id, days)
);

CREATE INDEX api_key_by_expiry ON api_key (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;
