//! `derive(Body)`: one field of the struct, a member of the object.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, ExprLit, Field, GenericArgument, Ident, Lit, LitStr, Meta, Path, PathArguments, Result,
    Token, Type, parenthesized,
};

/// A field with its options.
pub(crate) struct Member<'a> {
    pub(crate) field: &'a Ident,
    of: &'a Type,
    description: String,
    name: String,
    check: Option<Expr>,
    presence: Presence,
    example: Option<Expr>,
    pub(crate) rules: Vec<Rule>,
    /// Whether `apply` leaves it alone.
    pub(crate) is_apart: bool,
    /// The document says that it has to be there; a rule sees to it.
    is_shown_as_required: bool,
}

/// The meaning of an absent member, and of null.
enum Presence {
    Required,
    /// Both are `None`, or this value.
    Optional(Option<Expr>),
    /// Absent is `None`, null a fault.
    Change,
    /// Absent is `None`, and null sets `None`, or this value.
    Clearable(Option<Expr>),
    /// The members of the field's type are the object's.
    Flat,
}

/// The options of a field, as they are written.
#[derive(Default)]
struct Options {
    check: Option<Expr>,
    name: Option<String>,
    default: Option<Expr>,
    null: Option<Expr>,
    example: Option<Expr>,
    rules: Vec<Rule>,
    is_flat: bool,
    is_apart: bool,
    is_required: bool,
}

/// A function that judges members of the object.
pub(crate) struct Rule {
    function: Path,
    arguments: Punctuated<Argument, Token![,]>,
}

/// A member that a rule is about, or the context.
struct Argument {
    name: Ident,
    /// The rule judges without it where it is faulty.
    may_be_faulty: bool,
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { name: input.parse()?, may_be_faulty: input.parse::<Option<Token![?]>>()?.is_some() })
    }
}

impl<'a> Member<'a> {
    pub(crate) fn of(field: &'a Field, is_change: bool) -> Result<Self> {
        let ident = field.ident.as_ref().expect("the fields are named");
        let mut attributes = field.attrs.iter().filter(|attribute| attribute.path().is_ident("field"));
        let options: Options = attributes.next().map(Attribute::parse_args).transpose()?.unwrap_or_default();
        if let Some(second) = attributes.next() {
            return Err(Error::new_spanned(second, "a member has one #[field(…)]"));
        }
        let inner = option_of(&field.ty);
        let (presence, of) = match (is_change, inner) {
            _ if options.is_flat => (Presence::Flat, &field.ty),
            (true, None) => return Err(Error::new_spanned(&field.ty, "a member of a change is an Option")),
            (true, Some(inner)) => match (options.null, option_of(inner)) {
                (Some(null), _) => (Presence::Clearable(Some(null)), inner),
                (None, Some(innermost)) => (Presence::Clearable(None), innermost),
                (None, None) => (Presence::Change, inner),
            },
            (false, _) if options.default.is_some() => (Presence::Optional(options.default), &field.ty),
            (false, Some(inner)) => (Presence::Optional(None), inner),
            (false, None) => (Presence::Required, &field.ty),
        };
        Ok(Self {
            field: ident,
            of,
            description: description(&field.attrs),
            name: options.name.unwrap_or_else(|| camel_case(&ident.to_string())),
            check: options.check,
            presence,
            example: options.example,
            rules: options.rules,
            is_apart: options.is_apart,
            is_shown_as_required: options.is_required,
        })
    }

    /// The member's check.
    fn check(&self) -> TokenStream {
        let of = self.of;
        match &self.check {
            Some(check) => quote! { #check },
            None => quote! { <#of as ::edge::body::Plain>::check() },
        }
    }

    /// Reads the member into a variable of the field's name, and judges the rules after it.
    pub(crate) fn read(&self) -> TokenStream {
        let (field, of, name, check) = (self.field, self.of, &self.name, self.check());
        let read = match &self.presence {
            Presence::Required => quote! { __fields.required(#name, #check) },
            Presence::Optional(None) => quote! { __fields.optional(#name, #check) },
            Presence::Optional(Some(default)) => {
                let default = value(default);
                quote! { __fields.optional(#name, #check).map(|value| value.unwrap_or_else(|| #default)) }
            }
            Presence::Change => quote! { __fields.change(#name, #check) },
            Presence::Clearable(None) => quote! { __fields.clearable(#name, #check) },
            Presence::Clearable(Some(null)) => {
                let null = value(null);
                quote! {
                    __fields.clearable(#name, #check).map(|change| change.map(|value| value.unwrap_or_else(|| #null)))
                }
            }
            Presence::Flat => quote! { <#of as ::edge::body::Body>::read(__fields, &()) },
        };
        let rules = self.rules.iter().map(Rule::judge);
        quote! {
            let #field = #read;
            #(#rules)*
        }
    }

    /// Sets the field to what was read.
    pub(crate) fn set(&self) -> TokenStream {
        let field = self.field;
        quote! { #field: #field? }
    }

    /// Describes the member.
    pub(crate) fn describe(&self) -> TokenStream {
        let (of, name, description, check) = (self.of, &self.name, &self.description, self.check());
        let presence = match self.presence {
            Presence::Flat => return quote! { <#of as ::edge::body::Body>::describe(__members); },
            _ if self.is_shown_as_required => quote! { Required },
            Presence::Required => quote! { Required },
            Presence::Optional(_) | Presence::Clearable(_) => quote! { Nullable },
            Presence::Change => quote! { Optional },
        };
        let example = match &self.example {
            Some(example) => quote! { ::core::option::Option::Some(::edge::body::example(#example)) },
            None => quote! { ::core::option::Option::None },
        };
        quote! { __members.add::<#of>(#name, ::edge::body::Presence::#presence, &#check, #description, #example); }
    }
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut options = Self::default();
        while !input.is_empty() {
            let word = input.fork().parse::<Ident>().map(|word| word.to_string()).unwrap_or_default();
            match word.as_str() {
                "flatten" | "apart" | "required" => {
                    input.parse::<Ident>()?;
                    match word.as_str() {
                        "flatten" => options.is_flat = true,
                        "apart" => options.is_apart = true,
                        _ => options.is_required = true,
                    }
                }
                "default" if !input.peek2(Token![=]) => {
                    input.parse::<Ident>()?;
                    options.default = Some(syn::parse_quote! { ::core::default::Default::default() });
                }
                _ if input.peek2(Token![=]) => {
                    let word = input.parse::<Ident>()?;
                    input.parse::<Token![=]>()?;
                    match word.to_string().as_str() {
                        "name" => options.name = Some(input.parse::<LitStr>()?.value()),
                        "default" => options.default = Some(input.parse()?),
                        "null" => options.null = Some(input.parse()?),
                        "example" => options.example = Some(input.parse()?),
                        "rule" => options.rules.push(input.parse()?),
                        _ => {
                            let known = "name, default, required, null, example, rule, flatten or apart";
                            return Err(Error::new_spanned(&word, format!("wanted: {known}")));
                        }
                    }
                }
                _ => options.check = Some(input.parse()?),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

impl Parse for Rule {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let function = input.call(Path::parse_mod_style)?;
        let arguments;
        parenthesized!(arguments in input);
        Ok(Self { function, arguments: Punctuated::parse_terminated(&arguments)? })
    }
}

impl Rule {
    /// Whether it is about members.
    pub(crate) fn check(&self, members: &[Member<'_>]) -> Result<()> {
        let is_known = |name: &Ident| name == "context" || members.iter().any(|member| member.field == name);
        match self.arguments.iter().map(|argument| &argument.name).find(|name| !is_known(name)) {
            Some(unknown) => Err(Error::new_spanned(unknown, "no member has this name")),
            None => Ok(()),
        }
    }

    /// Judges the members that it names, where they are sound.
    pub(crate) fn judge(&self) -> TokenStream {
        let function = &self.function;
        let sound = self.arguments.iter().filter(|argument| argument.name != "context" && !argument.may_be_faulty);
        let members: Vec<&Ident> = sound.map(|argument| &argument.name).collect();
        let arguments = self.arguments.iter().map(|Argument { name, may_be_faulty }| match may_be_faulty {
            _ if name == "context" => quote! { __context },
            true => quote! { #name.as_ref() },
            false => quote! { #name },
        });
        quote! {
            if let (#(::core::option::Option::Some(#members),)*) = (#(&#members,)*) {
                #function(__fields.at(), #(#arguments),*);
            }
        }
    }
}

/// The text of the doc comments.
pub(crate) fn description(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A value of an option; a text is owned.
fn value(given: &Expr) -> TokenStream {
    match given {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => quote! { #text.to_owned() },
        other => quote! { #other },
    }
}

/// `T` of `Option<T>`.
fn option_of(of: &Type) -> Option<&Type> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == "Option")?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

fn camel_case(name: &str) -> String {
    let mut words = name.trim_start_matches("r#").split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut text, word| {
        let mut letters = word.chars();
        text.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        text.push_str(letters.as_str());
        text
    })
}
