-- What the lists with cursors are read by: newest first, a tenant's own rows only.

DROP INDEX expansion_by_organization;
CREATE INDEX expansion_by_organization ON expansion (organization_id, created_at, id);

CREATE INDEX evaluation_by_workspace ON evaluation (workspace_id, created_at, id);
DROP INDEX evaluation_by_learner;
CREATE INDEX evaluation_by_learner ON evaluation (workspace_id, learner_id, created_at, id) WHERE learner_id IS NOT NULL;
-- Nearly all evaluations are completed, and those are found without it.
CREATE INDEX evaluation_by_status ON evaluation (workspace_id, status, created_at, id) WHERE status <> 'COMPLETED';

-- The concepts that evaluations name, and the evaluations that a person should look at. Both are written, and erased, with
-- their evaluation; no foreign key is checked for what one transaction does.
CREATE TABLE evaluation_concept (
    workspace_id  TEXT    NOT NULL,
    concept       TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    evaluation_id TEXT    NOT NULL,
    PRIMARY KEY (workspace_id, concept, created_at, evaluation_id)
) STRICT, WITHOUT ROWID;

INSERT INTO evaluation_concept (workspace_id, concept, created_at, evaluation_id)
SELECT evaluation.workspace_id, tag.value, evaluation.created_at, evaluation.id
FROM evaluation, json_each(evaluation.request, '$.conceptTags') AS tag
WHERE evaluation.request <> 'null';

CREATE TABLE evaluation_to_review (
    workspace_id  TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    evaluation_id TEXT    NOT NULL,
    PRIMARY KEY (workspace_id, created_at, evaluation_id)
) STRICT, WITHOUT ROWID;
