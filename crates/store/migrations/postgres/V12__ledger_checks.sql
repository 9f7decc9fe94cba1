-- Nothing to do: only SQLite's checks of the ledger cost anything.
SELECT 1;
