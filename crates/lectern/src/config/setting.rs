//! What is known of a setting before its value is, and of its value afterwards.

/// A setting: a key of a section, and the variable that overrides it.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) section: &'static str,
    pub(super) key: &'static str,
    pub(super) variable: &'static str,
    pub(super) default: Option<&'static str>,
    pub(super) shape: Shape,
    /// What holds when there is neither a value nor a default.
    pub(super) otherwise: &'static str,
}

/// How a value is written in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    /// A number or a truth value: without quotes.
    Bare,
    List,
    /// A list of tables; in a variable the same as JSON.
    Tables,
    /// Never shown.
    Secret,
    /// A URL whose password is never shown.
    UrlWithPassword,
}

/// What a value in the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// A whole number or a truth value.
    Bare,
    /// Of texts.
    List,
    /// A list of tables with plain values.
    Tables,
    Other,
}

impl Shape {
    /// Whether a value of this shape may be of this kind.
    pub(super) fn is_written_as(self, kind: Kind) -> bool {
        match self {
            Self::Text | Self::Secret | Self::UrlWithPassword => kind == Kind::Text,
            Self::Bare => kind == Kind::Bare,
            // With commas in it, as in the variable.
            Self::List => matches!(kind, Kind::List | Kind::Text),
            Self::Tables => kind == Kind::Tables,
        }
    }

    /// What it must be, for a message.
    pub(super) const fn written(self) -> &'static str {
        match self {
            Self::Text | Self::Secret | Self::UrlWithPassword => "a text in quotes",
            Self::Bare => "a whole number or a truth value, without quotes",
            Self::List => "a list of texts",
            Self::Tables => "a list of tables",
        }
    }
}

impl Setting {
    pub(super) const fn new(section: &'static str, key: &'static str, variable: &'static str) -> Self {
        Self { section, key, variable, default: None, shape: Shape::Text, otherwise: "" }
    }

    pub(super) const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    pub(super) const fn or_else(self, otherwise: &'static str) -> Self {
        Self { otherwise, ..self }
    }

    pub(super) const fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// `section.key`
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.section, self.key)
    }
}

/// Where a value comes from; the last of these that gives one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Default,
    File,
    Environment,
}

impl Source {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File => "file",
            Self::Environment => "environment",
        }
    }
}

/// An effective value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) setting: &'static Setting,
    /// `None`: there is no value, and no default.
    pub(super) text: Option<String>,
    pub(super) source: Source,
}
