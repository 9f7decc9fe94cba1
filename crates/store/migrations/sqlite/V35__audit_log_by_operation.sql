-- The changes by one operation, however rare it is among all others.
CREATE INDEX audit_entry_by_operation ON audit_entry (operation, created_at, id);
