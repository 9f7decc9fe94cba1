-- What the platform's webhooks add: two ways of signing, secrets that were replaced but sign for a while, and
-- deliveries that are made once more.

-- former_secrets holds a line "signs-until-in-ms sealed-secret" for each, newest first. A column and no table,
-- so that claiming deliveries asks for nothing more.
ALTER TABLE webhook_endpoint
    ADD COLUMN signature_version TEXT NOT NULL DEFAULT 'plain' CHECK (signature_version IN ('plain', 'hashed'));
ALTER TABLE webhook_endpoint ADD COLUMN former_secrets TEXT NOT NULL DEFAULT '';

-- The attempts before the delivery was asked for once more: its schedule counts from there.
ALTER TABLE delivery ADD COLUMN attempts_before INTEGER NOT NULL DEFAULT 0 CHECK (attempts_before >= 0);

-- What the operator looks for. Nothing but a failure writes to it.
CREATE INDEX delivery_failed ON delivery (finished_at, endpoint_id, event_id) WHERE state = 'failed';
