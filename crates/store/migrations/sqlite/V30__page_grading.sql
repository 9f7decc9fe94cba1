-- How many open answers are graded on an organization's pages. per_day is the budget of a UTC day, null for the usual one; answers were
-- counted on day.
CREATE TABLE page_grading (
    organization_id TEXT   NOT NULL PRIMARY KEY REFERENCES organization (id),
    per_day         INTEGER CHECK (per_day >= 0),
    day             INTEGER NOT NULL,
    answers         INTEGER NOT NULL CHECK (answers >= 0)
) STRICT, WITHOUT ROWID;
