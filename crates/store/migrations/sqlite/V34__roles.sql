-- Members of an organization have roles: an invitation says which one it gives. Earlier invitations are for administrators.
ALTER TABLE invitation ADD COLUMN role TEXT NOT NULL DEFAULT 'ADMIN' CHECK (role IN ('REVIEWER', 'TEACHER', 'ADMIN'));
