-- Invoices, each with its number: a series and a place in it, without gaps. A month is its first day's number of days since the
-- epoch. carries has what is left of a cent for the next invoice; resume_sequence is the entry of the ledger up to which
-- nothing belongs to a later month. Rows are never changed or removed.
CREATE TABLE invoice_series (
    series TEXT    NOT NULL PRIMARY KEY,
    last   BIGINT NOT NULL CHECK (last > 0)
);

CREATE TABLE invoice (
    number          TEXT    NOT NULL PRIMARY KEY,
    series          TEXT    NOT NULL,
    sequence        BIGINT NOT NULL CHECK (sequence > 0),
    workspace_id    TEXT    NOT NULL,
    month           BIGINT NOT NULL,
    total_cents     BIGINT NOT NULL,
    carries         TEXT    NOT NULL,
    resume_sequence BIGINT NOT NULL CHECK (resume_sequence >= 0),
    document        TEXT    NOT NULL,
    created_at      BIGINT NOT NULL,
    UNIQUE (series, sequence),
    UNIQUE (workspace_id, month)
);

CREATE TRIGGER invoice_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON invoice
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
