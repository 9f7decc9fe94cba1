-- Parts of drafts that a language model has written, so that no later try of a job asks for them again. They go with
-- their job, or as soon as the output that they belong to has ended.
CREATE TABLE generation_part (
    job_id     TEXT    NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    -- Which draft of the job: the type of an expansion's output, or the kind of a resource.
    output     TEXT    NOT NULL,
    -- Its name and a digest of what was asked: what is asked for otherwise is another part.
    part       TEXT    NOT NULL,
    made       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (job_id, output, part)
) STRICT, WITHOUT ROWID;
