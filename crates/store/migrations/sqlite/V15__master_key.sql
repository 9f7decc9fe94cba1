-- Which master key the database was made with: a keyed digest that only the holder of the key can make, and that
-- says nothing about the key. A process whose key makes another one does not start.
CREATE TABLE master_key (
    id          TEXT NOT NULL PRIMARY KEY CHECK (id = 'current'),
    check_value TEXT NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT;
