//! What a workspace does for itself with its own key, below `/v1/platform/agent`.

pub mod verify_email;
