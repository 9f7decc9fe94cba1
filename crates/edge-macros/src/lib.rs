//! The macro of `edge::body`; use it from there.

mod body;
mod member;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct an `edge::body::Body`: its fields are the members of a JSON object in a request. From the one list come
/// the reading, which notes every fault with its path, and the schema in the API's document. Doc comments are the
/// descriptions there.
///
/// A member has the field's name in camel case. Its type says whether it may be absent:
///
/// | type | meaning |
/// |---|---|
/// | `T` | required; with `default`, absent or null is that |
/// | `Option<T>` | absent or null is `None`. In a change, absent is `None`, and null is a fault unless `null` says what it sets |
/// | `Option<Option<T>>` | of a change: null is `Some(None)` |
///
/// `#[field(…)]` begins with the member's check, such as `text(1..=200)`; without one, it is that of the type. Then:
///
/// | option | meaning |
/// |---|---|
/// | `name = "type"` | the member has another name |
/// | `default`, `default = value` | the value where the member is absent or null |
/// | `required` | with `default`: the document says that the member has to be there, and a rule refuses the default |
/// | `null = value` | of a change: the value that null sets |
/// | `example = value` | in the document |
/// | `rule = path(member, other)` | a rule about sound members of the object, judged after this one is read: a function of the object's `At` and of a reference to each. `context` stands for the context; a faulty `other?` is `None` instead of an end of the judgement |
/// | `flatten` | the type is a `Body` whose members are members of this object |
/// | `apart` | of a change: `apply` leaves it to the caller |
///
/// `#[body(…)]` of the struct:
///
/// | option | meaning |
/// |---|---|
/// | `changes` | it is a change, which has at least one member |
/// | `changes = Module` | the same; `apply` sets the fields of the same names of a `Module` |
/// | `may_be_empty` | a change without members is none, and no fault |
/// | `context = Type` | the rules know more than the object |
/// | `rule = path(member, other)` | a rule that is judged after all members are read |
///
/// ```
/// use edge::body::{At, Body, JsonBody, integer, text};
///
/// /// A door to build.
/// #[derive(Body)]
/// struct BuildDoor {
///     /// The name on it.
///     #[field(text(1..=5), example = "Exit")]
///     name: String,
///     /// In centimetres.
///     #[field(integer(1..=300), rule = is_high_enough(height))]
///     height: u32,
///     is_open: Option<bool>,
/// }
///
/// fn is_high_enough(at: &mut At<'_>, height: &u32) {
///     if *height < 180 {
///         at.member("height").refuse::<()>("must not hit heads");
///     }
/// }
///
/// let read = |body| JsonBody::of(body).read::<BuildDoor>();
/// let door = read(serde_json::json!({ "name": "Exit", "height": 200 })).unwrap();
/// assert_eq!((door.name.as_str(), door.height, door.is_open), ("Exit", 200, None));
/// assert!(read(serde_json::json!({ "name": "", "height": 100 })).is_err());
///
/// let schema = serde_json::to_value(<BuildDoor as utoipa::PartialSchema>::schema()).unwrap();
/// assert_eq!(schema["required"], serde_json::json!(["name", "height"]));
/// assert_eq!(schema["properties"]["isOpen"]["type"], serde_json::json!(["boolean", "null"]));
/// ```
///
/// What can't be read does not compile: fields without names, an option that nobody knows, a member of a change that is
/// no `Option`, and a rule about what is no member.
///
/// ```compile_fail
/// #[derive(edge::body::Body)]
/// struct BuildDoor(bool);
/// ```
///
/// ```compile_fail
/// #[derive(edge::body::Body)]
/// struct BuildDoor {
///     #[field(exmaple = true)]
///     is_open: bool,
/// }
/// ```
///
/// ```compile_fail
/// #[derive(edge::body::Body)]
/// struct BuildDoor {
///     #[field(edge::body::text(1..=5))]
///     #[field(example = "Exit")]
///     sign: String,
/// }
/// ```
///
/// ```compile_fail
/// #[derive(edge::body::Body)]
/// #[body(changes)]
/// struct ChangeDoor {
///     is_open: bool,
/// }
/// ```
///
/// ```compile_fail
/// #[derive(edge::body::Body)]
/// struct BuildDoor {
///     #[field(rule = is_wide_enough(width))]
///     is_open: bool,
/// }
///
/// fn is_wide_enough(at: &mut edge::body::At<'_>, width: &bool) {}
/// ```
#[proc_macro_derive(Body, attributes(body, field))]
pub fn body(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    body::derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
