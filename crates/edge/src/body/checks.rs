//! The rules of single values. A rule is written once: a check reads a value, and says in the API's document what it takes.

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::str::FromStr;

use kernel::id::Id;
use kernel::time::Timestamp;
use serde_json::Value;
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{Number, ToSchema};

use super::Body;
use super::fields::At;
use crate::openapi::AnyObject;

/// The schemas that others refer to by name.
pub type Components = Vec<(String, RefOr<Schema>)>;

/// A rule of a value.
pub trait Check {
    /// The type that a value is read as.
    type Value;

    /// Reads a value, or tells its place what is wrong.
    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<Self::Value>;

    /// The rule's schema for the document. Schemas that it refers to are added to `components`.
    fn schema(&self, components: &mut Components) -> RefOr<Schema>;

    /// This check, and a rule or conversion after it.
    fn then<T, F: Fn(Self::Value, &mut At<'_>) -> Option<T>>(self, rule: F) -> Then<Self, F>
    where
        Self: Sized,
    {
        Then { check: self, rule }
    }

    /// This check, and a conversion after it.
    fn map<T>(self, convert: impl Fn(Self::Value) -> T) -> impl Check<Value = T>
    where
        Self: Sized,
    {
        self.then(move |value, _| Some(convert(value)))
    }

    /// This check, and a conversion whose error is the fault.
    fn parsed<T, E: Display>(self, parse: impl Fn(Self::Value) -> Result<T, E>) -> impl Check<Value = T>
    where
        Self: Sized,
    {
        self.then(move |value, at| match parse(value) {
            Ok(parsed) => Some(parsed),
            Err(error) => at.refuse(error.to_string()),
        })
    }

    /// This check, which the document shows as a type.
    fn shown_as<S: ToSchema>(self) -> ShownAs<Self, S>
    where
        Self: Sized,
    {
        ShownAs { check: self, shown: PhantomData }
    }

    /// This check, which the document shows as another one.
    fn shown_like(self, shown: impl Check) -> impl Check<Value = Self::Value>
    where
        Self: Sized,
    {
        halves(move |value, at| self.read(value, at), move |components| shown.schema(components))
    }

    /// This check, whose schema has a name in the document.
    fn named(self, name: &'static str, description: &'static str) -> Named<Self>
    where
        Self: Sized,
    {
        Named { check: self, name, description }
    }
}

/// A type whose values need no more said than the type.
pub trait Plain: Sized {
    /// Its check.
    fn check() -> impl Check<Value = Self>;
}

/// See [`Check::then`].
pub struct Then<C, F> {
    check: C,
    rule: F,
}

impl<C: Check, T, F: Fn(C::Value, &mut At<'_>) -> Option<T>> Check for Then<C, F> {
    type Value = T;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<T> {
        (self.rule)(self.check.read(value, at)?, at)
    }

    fn schema(&self, components: &mut Components) -> RefOr<Schema> {
        self.check.schema(components)
    }
}

/// See [`Check::shown_as`].
pub struct ShownAs<C, S> {
    check: C,
    shown: PhantomData<S>,
}

impl<C: Check, S: ToSchema> Check for ShownAs<C, S> {
    type Value = C::Value;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<C::Value> {
        self.check.read(value, at)
    }

    fn schema(&self, components: &mut Components) -> RefOr<Schema> {
        named::<S>(components)
    }
}

/// See [`Check::named`].
pub struct Named<C> {
    check: C,
    name: &'static str,
    description: &'static str,
}

impl<C: Check> Check for Named<C> {
    type Value = C::Value;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<C::Value> {
        self.check.read(value, at)
    }

    fn schema(&self, components: &mut Components) -> RefOr<Schema> {
        let mut schema = self.check.schema(components);
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.description = Some(self.description.to_owned());
        }
        components.push((self.name.to_owned(), schema));
        Ref::from_schema_name(self.name).into()
    }
}

/// A text, and what the document says of it.
#[derive(Clone, Debug)]
pub struct Text {
    /// In characters.
    length: RangeInclusive<usize>,
    /// Whether a rule after this one judges the length.
    is_any: bool,
    is_label: bool,
    format: Option<&'static str>,
    pattern: Option<&'static str>,
}

/// A text that is not blank, of so many characters.
pub const fn text(length: RangeInclusive<usize>) -> Text {
    Text { length, is_any: false, is_label: false, format: None, pattern: None }
}

/// A name for a person to read in a list or a terminal: a text without control characters.
pub const fn label(length: RangeInclusive<usize>) -> Text {
    Text { length, is_any: false, is_label: true, format: None, pattern: None }
}

/// Any text, the empty one included.
pub const fn any_text() -> Text {
    Text { length: 0..=usize::MAX, is_any: true, is_label: false, format: None, pattern: None }
}

impl Text {
    /// The document says how long the text is. A rule after this one judges that.
    #[must_use]
    pub const fn length(self, length: RangeInclusive<usize>) -> Self {
        Self { length, ..self }
    }

    /// The document names the text's format. A rule after this one judges it.
    #[must_use]
    pub const fn format(self, format: &'static str) -> Self {
        Self { format: Some(format), ..self }
    }

    /// The document has a regular expression for the text. A rule after this one judges it.
    #[must_use]
    pub const fn pattern(self, pattern: &'static str) -> Self {
        Self { pattern: Some(pattern), ..self }
    }
}

impl Check for Text {
    type Value = String;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<String> {
        let Value::String(text) = value else { return at.refuse("must be a string") };
        let (least, most) = (*self.length.start(), *self.length.end());
        let count = || text.chars().count();
        if self.is_any {
            Some(text.clone())
        } else if least > 0 && text.trim().is_empty() {
            at.refuse("must not be empty")
        } else if count() < least {
            at.refuse(format!("must have at least {least} characters"))
        } else if count() > most {
            at.refuse(format!("must have at most {most} characters"))
        } else if self.is_label && text.chars().any(char::is_control) {
            at.refuse("must not have control characters")
        } else {
            Some(text.clone())
        }
    }

    fn schema(&self, _: &mut Components) -> RefOr<Schema> {
        let (least, most) = (*self.length.start(), *self.length.end());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(least).filter(|least| *least > 0))
            .max_length(Some(most).filter(|most| *most < usize::MAX))
            .format(self.format.map(|format| SchemaFormat::Custom(format.to_owned())))
            .pattern(self.pattern)
            .into()
    }
}

/// An identifier.
pub fn id<T: FromStr>() -> impl Check<Value = T> {
    let text = any_text().format("uuid");
    text.parsed(|text| text.parse().map_err(|_| "must be a UUID"))
}

impl<T> Plain for Id<T> {
    fn check() -> impl Check<Value = Self> {
        id()
    }
}

/// An instant in RFC 3339.
impl Plain for Timestamp {
    fn check() -> impl Check<Value = Self> {
        let text = any_text().format("date-time");
        text.parsed(|text| Self::parse_rfc3339(&text).ok_or("must be a date and time in RFC 3339"))
    }
}

/// A type of whole numbers.
pub trait Whole: Copy + PartialOrd + Display + TryFrom<i64> {
    /// Its format in the document.
    const FORMAT: KnownFormat;

    /// As a limit in the document.
    fn limit(self) -> Number;
}

macro_rules! whole {
    ($($whole:ty: $format:ident),*) => {$(
        impl Whole for $whole {
            const FORMAT: KnownFormat = KnownFormat::$format;

            fn limit(self) -> Number {
                self.into()
            }
        }
    )*};
}

whole!(u32: Int32, i64: Int64, u64: Int64);

/// A check that is made of its two halves.
struct Halves<R, S> {
    read: R,
    schema: S,
}

impl<T, R, S> Check for Halves<R, S>
where
    R: Fn(&Value, &mut At<'_>) -> Option<T>,
    S: Fn(&mut Components) -> RefOr<Schema>,
{
    type Value = T;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<T> {
        (self.read)(value, at)
    }

    fn schema(&self, components: &mut Components) -> RefOr<Schema> {
        (self.schema)(components)
    }
}

/// A check of how a value is read, and of what the document says of it.
fn halves<T>(
    read: impl Fn(&Value, &mut At<'_>) -> Option<T>,
    schema: impl Fn(&mut Components) -> RefOr<Schema>,
) -> impl Check<Value = T> {
    Halves { read, schema }
}

/// A whole number within a range. `3.0` is one.
pub fn integer<T: Whole>(range: RangeInclusive<T>) -> impl Check<Value = T> {
    let (least, most) = range.into_inner();
    let read = move |value: &Value, at: &mut At<'_>| {
        let Value::Number(number) = value else { return at.refuse("must be an integer") };
        #[expect(clippy::cast_possible_truncation, reason = "the fraction is zero, and the range check follows")]
        let whole = number.as_i64().or_else(|| number.as_f64().filter(|f| f.fract() == 0.0).map(|f| f as i64));
        let Some(whole) = whole else { return at.refuse("must be an integer") };
        let within = T::try_from(whole).ok().filter(|whole| *whole >= least && *whole <= most);
        within.or_else(|| at.refuse(format!("must be from {least} to {most}")))
    };
    halves(read, move |_| {
        let format = Some(SchemaFormat::KnownFormat(T::FORMAT));
        let integer = ObjectBuilder::new().schema_type(Type::Integer).format(format);
        integer.minimum(Some(least.limit())).maximum(Some(most.limit())).into()
    })
}

/// A number within a range.
pub fn number(range: RangeInclusive<f64>) -> impl Check<Value = f64> {
    let (least, most) = range.into_inner();
    let read = move |value: &Value, at: &mut At<'_>| match value.as_f64() {
        None => at.refuse("must be a number"),
        Some(number) if number >= least && number <= most => Some(number),
        Some(_) => at.refuse(format!("must be from {least} to {most}")),
    };
    halves(read, move |_| double().minimum(Some(least)).maximum(Some(most)).into())
}

/// A number above 0.
pub fn positive(most: f64) -> impl Check<Value = f64> {
    let read = move |value: &Value, at: &mut At<'_>| match value.as_f64() {
        None => at.refuse("must be a number"),
        Some(number) if number > 0.0 && number <= most => Some(number),
        Some(_) => at.refuse(format!("must be more than 0 and at most {most}")),
    };
    halves(read, move |_| double().exclusive_minimum(Some(0.0)).maximum(Some(most)).into())
}

fn double() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Number).format(Some(SchemaFormat::KnownFormat(KnownFormat::Double)))
}

/// `true` or `false`.
impl Plain for bool {
    fn check() -> impl Check<Value = Self> {
        let read = |value: &Value, at: &mut At<'_>| value.as_bool().or_else(|| at.refuse("must be true or false"));
        halves(read, |_| ObjectBuilder::new().schema_type(Type::Boolean).into())
    }
}

/// One of some words, each beside its meaning.
pub fn one_of<T: Copy>(words: &'static [(&'static str, T)]) -> impl Check<Value = T> {
    let read = move |value: &Value, at: &mut At<'_>| {
        let Value::String(text) = value else { return at.refuse("must be a string") };
        let known = words.iter().find(|(word, _)| word == text).map(|(_, meaning)| *meaning);
        known.or_else(|| {
            let list: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            at.refuse(format!("must be one of {}", list.join(", ")))
        })
    };
    halves(read, move |_| crate::openapi::words(words, "").into())
}

/// An object of at most so many bytes as JSON text; its keys keep their order.
pub fn object(longest_bytes: usize) -> impl Check<Value = Value> {
    judged(move |value, at| {
        if !value.is_object() {
            return at.refuse("must be an object");
        }
        if value.to_string().len() > longest_bytes {
            return at.refuse(format!("must have at most {longest_bytes} bytes"));
        }
        Some(value.clone())
    })
}

/// A value that a function reads. The document shows it as any object.
pub fn judged<T>(read: impl Fn(&Value, &mut At<'_>) -> Option<T>) -> impl Check<Value = T> {
    halves(read, named::<AnyObject>)
}

/// A reference to a type of the document.
fn named<S: ToSchema>(components: &mut Components) -> RefOr<Schema> {
    components.push((S::name().into_owned(), S::schema()));
    S::schemas(components);
    Ref::from_schema_name(S::name()).into()
}

/// See [`list`].
pub struct List<C> {
    length: RangeInclusive<usize>,
    check: C,
}

/// An array of so many items, each of which passes a check; all faults are noted.
pub const fn list<C: Check>(length: RangeInclusive<usize>, check: C) -> List<C> {
    List { length, check }
}

impl<C: Check> Check for List<C> {
    type Value = Vec<C::Value>;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<Vec<C::Value>> {
        let Value::Array(items) = value else { return at.refuse("must be an array") };
        if items.len() < *self.length.start() {
            return at.refuse(format!("must have at least {} item(s)", self.length.start()));
        }
        if items.len() > *self.length.end() {
            return at.refuse(format!("must have at most {} items", self.length.end()));
        }
        let items = items.iter().enumerate();
        let read: Vec<_> = items.map(|(index, item)| self.check.read(item, &mut at.item(index))).collect();
        read.into_iter().collect()
    }

    fn schema(&self, components: &mut Components) -> RefOr<Schema> {
        ArrayBuilder::new()
            .items(self.check.schema(components))
            .min_items(Some(*self.length.start()).filter(|least| *least > 0))
            .max_items(Some(*self.length.end()))
            .into()
    }
}

/// See [`nested`].
pub struct Nested<B>(PhantomData<B>);

/// An object that is a body of its own.
pub const fn nested<B: Body<Context = ()>>() -> Nested<B> {
    Nested(PhantomData)
}

impl<B: Body<Context = ()> + ToSchema> Check for Nested<B> {
    type Value = B;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<B> {
        B::read(&mut at.object(value)?, &())
    }

    fn schema(&self, components: &mut Components) -> RefOr<Schema> {
        named::<B>(components)
    }
}
