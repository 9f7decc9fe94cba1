-- The questions that learners' answers are evaluated for. question_key is a digest of type, question, reference and rubric: within
-- a workspace, evaluations of one key have one question. The texts are those of the first evaluation.
CREATE TABLE question (
    id               TEXT    NOT NULL PRIMARY KEY,
    workspace_id     TEXT    NOT NULL REFERENCES workspace (id),
    question_key     TEXT    NOT NULL,
    evaluation_type  TEXT    NOT NULL
        CHECK (evaluation_type = 'open_ended' OR evaluation_type = 'rubric_short_answer' OR evaluation_type = 'exact'),
    question_text    TEXT    NOT NULL,
    reference_answer TEXT,
    criteria         TEXT    NOT NULL,
    language         TEXT    NOT NULL,
    max_score        DOUBLE PRECISION NOT NULL CHECK (max_score > 0),
    created_at       BIGINT  NOT NULL,
    UNIQUE (workspace_id, question_key)
);

CREATE INDEX question_by_workspace ON question (workspace_id, created_at, id);

-- Null for evaluations of earlier versions until maintenance has found their question, and for those of erased learners. No
-- foreign key: the question is found or added by the transaction that names it.
-- From here on, reviewed_at is when the newest version was given that is not the first, be it by a person or by grading again.
ALTER TABLE evaluation ADD COLUMN question_id TEXT;
CREATE INDEX evaluation_by_question ON evaluation (question_id, created_at, id) WHERE question_id IS NOT NULL;
-- What maintenance still has to look at: in the end, nothing.
CREATE INDEX evaluation_without_question ON evaluation (id) WHERE question_id IS NULL AND erased_at IS NULL;

ALTER TABLE evaluation_to_review ADD COLUMN question_id TEXT;
CREATE INDEX evaluation_to_review_by_question ON evaluation_to_review (question_id, created_at, evaluation_id)
    WHERE question_id IS NOT NULL;
