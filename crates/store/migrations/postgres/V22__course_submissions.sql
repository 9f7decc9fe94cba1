-- Tests that are parts of a linked course are handed in, too: attempts count per link and test. course is JSON: the course with
-- the points of each of its tests, as it was when the test was handed in; NULL for a linked test.
ALTER TABLE submission
    DROP CONSTRAINT submission_registration_id_resource_link_id_taker_attempt_n_key,
    ADD COLUMN course TEXT,
    ADD UNIQUE (registration_id, resource_link_id, taker, test_id, attempt_number);
