//! What a call is for. The two kinds share servers, and neither may stand in the other's way.

use kernel::model::ModelRole;

/// What a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Short, and somebody may be waiting for the grade.
    Grading,
    /// Long, and in the background.
    Content,
}

impl Work {
    pub(crate) const fn of(role: ModelRole) -> Self {
        match role {
            ModelRole::Fast | ModelRole::Standard | ModelRole::Advanced => Self::Grading,
            ModelRole::Content => Self::Content,
        }
    }

    /// For log lines and metrics.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Grading => "grading",
            Self::Content => "content",
        }
    }
}
