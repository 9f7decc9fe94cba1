-- What a test's generation may fill besides its items: names of fields, each with a semicolon behind it.
ALTER TABLE test ADD COLUMN open_fields TEXT NOT NULL DEFAULT '';

-- A time limit is a number, not a whole one.
ALTER TABLE test ADD COLUMN time_limit REAL NOT NULL DEFAULT 0;
UPDATE test SET time_limit = time_limit_minutes;
ALTER TABLE test DROP COLUMN time_limit_minutes;
ALTER TABLE test RENAME COLUMN time_limit TO time_limit_minutes;
