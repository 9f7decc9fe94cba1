-- What an accepted expansion costs. Each check of a foreign key is a query of its own, and each key an index to write to.
-- An expansion's classroom is of its organization: one key says it, where two keys left it open.
-- Before anything is changed, and in the order in which a create takes them.
LOCK TABLE classroom, expansion, organization, expansion_output IN ACCESS EXCLUSIVE MODE;

CREATE UNIQUE INDEX classroom_of_organization ON classroom (organization_id, id);

ALTER TABLE expansion
    DROP CONSTRAINT expansion_organization_id_fkey,
    DROP CONSTRAINT expansion_classroom_id_fkey,
    ADD FOREIGN KEY (organization_id, classroom_id) REFERENCES classroom (organization_id, id);

-- An output is written with its expansion, which is never deleted, and found by it alone.
ALTER TABLE expansion_output
    DROP CONSTRAINT expansion_output_pkey,
    DROP CONSTRAINT expansion_output_expansion_id_output_type_key,
    DROP CONSTRAINT expansion_output_expansion_id_fkey,
    ADD PRIMARY KEY (expansion_id, output_type);
