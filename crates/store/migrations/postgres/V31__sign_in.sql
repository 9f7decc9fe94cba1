-- Sessions say whether an identity provider vouched for a second factor.

-- method gains 'oidc_mfa' (the provider is trusted with the second factor) and 'oidc_totp' (a factor of this service was shown after
-- the provider). Sessions of earlier versions by a provider count as opened without a second factor.
ALTER TABLE admin_session
    DROP CONSTRAINT admin_session_method_check,
    ADD CONSTRAINT admin_session_method_check
        CHECK (method IN ('password', 'totp', 'oidc', 'oidc_mfa', 'oidc_totp', 'pending'));
