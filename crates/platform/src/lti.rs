//! LTI 1.3: learning platforms (an LMS each) that workspaces register, and what they launch here (platform-api section 4).
//! The protocol itself is in the crate `lti`.

pub mod registrations;
