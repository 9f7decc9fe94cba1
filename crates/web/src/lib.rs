//! The pages of the service: what learners and reviewers open in a browser.
