//! The two APIs that events belong to. What differs between their webhooks is decided by this type.

use store::{Column, FromColumn, Parameter, StoreError, ToColumn};

/// The API surface of an event or an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Surface {
    /// `/v1/content`; the owner is an organization.
    Content,
    /// `/v1/platform`; the owner is a workspace.
    Platform,
}

impl Surface {
    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Platform => "platform",
        }
    }
}

impl ToColumn for Surface {
    fn to_column(&self) -> Parameter<'_> {
        Parameter::Text(self.as_str())
    }
}

impl FromColumn for Surface {
    fn from_column(column: Column<'_>) -> Result<Self, StoreError> {
        match column {
            Column::Text("content") => Ok(Self::Content),
            Column::Text("platform") => Ok(Self::Platform),
            _ => Err(StoreError::Unexpected("no surface of this name".into())),
        }
    }
}
