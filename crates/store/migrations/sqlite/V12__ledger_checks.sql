-- The words of the ledger are checked one by one: for a list of more than two, SQLite fills a table of its own at each insert,
-- three of them for a transfer. A check can't be changed, so the tables are made anew, which takes
-- room for the ledger once more, in the log and in the file.
CREATE TABLE ledger_transfer_new (
    workspace_id   TEXT   NOT NULL,
    sequence       INTEGER NOT NULL CHECK (sequence > 0),
    debit_account  TEXT   NOT NULL CHECK (
                   debit_account = 'free' OR debit_account = 'credits' OR
                   debit_account = 'reserved_free' OR debit_account = 'reserved_credits' OR
                   debit_account = 'grants' OR debit_account = 'topups' OR
                   debit_account = 'processor' OR debit_account = 'x402'),
    credit_account TEXT   NOT NULL CHECK (
                   credit_account = 'free' OR credit_account = 'credits' OR
                   credit_account = 'reserved_free' OR credit_account = 'reserved_credits' OR
                   credit_account = 'revenue'),
    amount_micros  INTEGER NOT NULL CHECK (amount_micros > 0 AND amount_micros <= 9007199254740991),
    kind           TEXT   NOT NULL CHECK (
                   kind = 'grant' OR kind = 'top_up' OR kind = 'reserve' OR
                   kind = 'settle' OR kind = 'release' OR kind = 'charge'),
    subject_id     TEXT   NOT NULL,
    note           TEXT,
    created_at     INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, sequence),
    CHECK (debit_account <> credit_account)
) STRICT, WITHOUT ROWID;

INSERT INTO ledger_transfer_new
    (workspace_id, sequence, debit_account, credit_account, amount_micros, kind, subject_id, note, created_at)
SELECT workspace_id, sequence, debit_account, credit_account, amount_micros, kind, subject_id, note, created_at
FROM ledger_transfer;
DROP TABLE ledger_transfer;
ALTER TABLE ledger_transfer_new RENAME TO ledger_transfer;

CREATE TRIGGER ledger_transfer_is_not_changed BEFORE UPDATE ON ledger_transfer BEGIN
    SELECT RAISE(ABORT, 'ledger_transfer is append-only');
END;

CREATE TRIGGER ledger_transfer_is_kept BEFORE DELETE ON ledger_transfer BEGIN
    SELECT RAISE(ABORT, 'ledger_transfer is append-only');
END;

CREATE TABLE ledger_reservation_new (
    subject_id    TEXT   NOT NULL PRIMARY KEY,
    workspace_id  TEXT   NOT NULL,
    funding       TEXT   NOT NULL CHECK (funding = 'balance' OR funding = 'processor' OR funding = 'x402'),
    amount_micros INTEGER NOT NULL CHECK (amount_micros >= 0 AND amount_micros <= 9007199254740991),
    free_micros   INTEGER NOT NULL CHECK (free_micros >= 0),
    credit_micros INTEGER NOT NULL CHECK (credit_micros >= 0),
    state         TEXT   NOT NULL CHECK (state = 'open' OR state = 'settled' OR state = 'released'),
    created_at    INTEGER NOT NULL,
    ended_at      INTEGER,
    CHECK ((state = 'open') = (ended_at IS NULL)),
    CHECK (free_micros + credit_micros = CASE WHEN funding = 'balance' THEN amount_micros ELSE 0 END)
) STRICT, WITHOUT ROWID;

INSERT INTO ledger_reservation_new
    (subject_id, workspace_id, funding, amount_micros, free_micros, credit_micros, state, created_at, ended_at)
SELECT subject_id, workspace_id, funding, amount_micros, free_micros, credit_micros, state, created_at, ended_at
FROM ledger_reservation;
DROP TABLE ledger_reservation;
ALTER TABLE ledger_reservation_new RENAME TO ledger_reservation;

CREATE INDEX ledger_reservation_open ON ledger_reservation (workspace_id) WHERE state = 'open';
