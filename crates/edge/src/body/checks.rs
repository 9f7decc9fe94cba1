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

use super::fields::At;
use super::{Body, schema_of};
use crate::openapi::AnyObject;

/// The schemas that others refer to by name.
pub type Components = Vec<(String, RefOr<Schema>)>;

/// What a value has to be.
pub trait Check {
    /// What it is read as.
    type Value;

    /// Reads a value, or tells its place what is wrong.
    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<Self::Value>;

    /// The same for the document. What it refers to is added to `components`.
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
        components.push((S::name().into_owned(), S::schema()));
        S::schemas(components);
        Ref::from_schema_name(S::name()).into()
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

/// See [`integer`].
pub struct Integer<T>(RangeInclusive<T>);

/// A whole number within a range. `3.0` is one.
pub const fn integer<T: Whole>(range: RangeInclusive<T>) -> Integer<T> {
    Integer(range)
}

impl<T: Whole> Check for Integer<T> {
    type Value = T;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<T> {
        let Value::Number(number) = value else { return at.refuse("must be an integer") };
        #[expect(clippy::cast_possible_truncation, reason = "the fraction is zero, and the range check follows")]
        let whole = number.as_i64().or_else(|| number.as_f64().filter(|f| f.fract() == 0.0).map(|f| f as i64));
        let Some(whole) = whole else { return at.refuse("must be an integer") };
        let within = T::try_from(whole).ok().filter(|whole| self.0.contains(whole));
        within.or_else(|| at.refuse(format!("must be from {} to {}", self.0.start(), self.0.end())))
    }

    fn schema(&self, _: &mut Components) -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(T::FORMAT)))
            .minimum(Some(self.0.start().limit()))
            .maximum(Some(self.0.end().limit()))
            .into()
    }
}

/// A number, and whether it may be the lowest one.
pub struct Numeric {
    range: RangeInclusive<f64>,
    is_above: bool,
}

/// A number within a range.
pub const fn number(range: RangeInclusive<f64>) -> Numeric {
    Numeric { range, is_above: false }
}

/// A number above 0.
pub const fn positive(most: f64) -> Numeric {
    Numeric { range: 0.0..=most, is_above: true }
}

impl Check for Numeric {
    type Value = f64;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<f64> {
        let Some(number) = value.as_f64() else { return at.refuse("must be a number") };
        let (least, most) = (self.range.start(), self.range.end());
        if self.is_above {
            let is_within = number > *least && number <= *most;
            is_within.then_some(number).or_else(|| at.refuse(format!("must be more than {least} and at most {most}")))
        } else {
            let is_within = self.range.contains(&number);
            is_within.then_some(number).or_else(|| at.refuse(format!("must be from {least} to {most}")))
        }
    }

    fn schema(&self, _: &mut Components) -> RefOr<Schema> {
        let number = ObjectBuilder::new()
            .schema_type(Type::Number)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Double)))
            .maximum(Some(*self.range.end()));
        let least = Some(*self.range.start());
        if self.is_above { number.exclusive_minimum(least).into() } else { number.minimum(least).into() }
    }
}

/// `true` or `false`.
struct Boolean;

impl Check for Boolean {
    type Value = bool;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<bool> {
        value.as_bool().or_else(|| at.refuse("must be true or false"))
    }

    fn schema(&self, _: &mut Components) -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Boolean).into()
    }
}

impl Plain for bool {
    fn check() -> impl Check<Value = Self> {
        Boolean
    }
}

/// See [`one_of`].
pub struct OneOf<T: 'static>(&'static [(&'static str, T)]);

/// One of some words, each beside its meaning.
pub const fn one_of<T: Copy>(words: &'static [(&'static str, T)]) -> OneOf<T> {
    OneOf(words)
}

impl<T: Copy> Check for OneOf<T> {
    type Value = T;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<T> {
        let Value::String(text) = value else { return at.refuse("must be a string") };
        let known = self.0.iter().find(|(word, _)| word == text).map(|(_, meaning)| *meaning);
        known.or_else(|| {
            let list: Vec<_> = self.0.iter().map(|(word, _)| *word).collect();
            at.refuse(format!("must be one of {}", list.join(", ")))
        })
    }

    fn schema(&self, _: &mut Components) -> RefOr<Schema> {
        crate::openapi::words(self.0, "").into()
    }
}

/// See [`object`].
pub struct Object {
    longest_bytes: usize,
}

/// An object of at most so many bytes as JSON text; its keys keep their order.
pub const fn object(longest_bytes: usize) -> Object {
    Object { longest_bytes }
}

impl Check for Object {
    type Value = Value;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<Value> {
        if !value.is_object() {
            return at.refuse("must be an object");
        }
        if value.to_string().len() > self.longest_bytes {
            return at.refuse(format!("must have at most {} bytes", self.longest_bytes));
        }
        Some(value.clone())
    }

    fn schema(&self, components: &mut Components) -> RefOr<Schema> {
        ShownAs::<_, AnyObject> { check: object(0), shown: PhantomData }.schema(components)
    }
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
        let schema = schema_of::<B>(components);
        components.push((B::name().into_owned(), schema));
        Ref::from_schema_name(B::name()).into()
    }
}

/// See [`judged`].
pub struct Judged<F>(F);

/// A value that a function reads. The document shows it as any object.
pub const fn judged<T, F: Fn(&Value, &mut At<'_>) -> Option<T>>(read: F) -> Judged<F> {
    Judged(read)
}

impl<T, F: Fn(&Value, &mut At<'_>) -> Option<T>> Check for Judged<F> {
    type Value = T;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<T> {
        (self.0)(value, at)
    }

    fn schema(&self, components: &mut Components) -> RefOr<Schema> {
        object(0).schema(components)
    }
}
