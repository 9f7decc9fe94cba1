//! `derive(Body)`: the struct with its options.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Path, Result, Type};

use crate::member::{Member, Rule, description};

/// The options of a struct.
#[derive(Default)]
struct Options {
    is_change: bool,
    /// The struct that the change applies to.
    changed: Option<Path>,
    may_be_empty: bool,
    context: Option<Type>,
    rules: Vec<Rule>,
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let options = Options::of(input)?;
    let members = members(input, options.is_change)?;
    for rule in options.rules.iter().chain(members.iter().flat_map(|member| &member.rules)) {
        rule.check(&members)?;
    }
    let name = &input.ident;
    let context = options.context.as_ref().map_or_else(|| quote! { () }, |context| quote! { #context });
    let has_to_change = options.is_change && !options.may_be_empty;
    let reading = members.iter().map(Member::read);
    let rules = options.rules.iter().map(Rule::judge);
    let set = members.iter().map(Member::set);
    let description = description(&input.attrs);
    let describing = members.iter().map(Member::describe);
    let plain = options.context.is_none().then(|| {
        quote! {
            impl ::edge::body::Plain for #name {
                fn check() -> impl ::edge::body::Check<Value = Self> {
                    ::edge::body::nested::<Self>()
                }
            }
        }
    });
    let apply = options.changed.as_ref().map(|changed| apply(name, changed, &members));
    Ok(quote! {
        impl ::edge::body::Body for #name {
            type Context = #context;
            const HAS_TO_CHANGE: bool = #has_to_change;
            const DESCRIPTION: &'static str = #description;

            fn read(
                __fields: &mut ::edge::body::Fields<'_>,
                __context: &#context,
            ) -> ::core::option::Option<Self> {
                #(#reading)*
                #(#rules)*
                ::core::option::Option::Some(Self { #(#set),* })
            }

            fn describe(__members: &mut ::edge::body::Members) {
                #(#describing)*
            }
        }

        #plain
        #apply

        impl ::utoipa::PartialSchema for #name {
            fn schema() -> ::utoipa::openapi::RefOr<::utoipa::openapi::schema::Schema> {
                ::edge::body::schema_of::<Self>(&mut ::std::vec::Vec::new())
            }
        }

        impl ::utoipa::ToSchema for #name {
            fn schemas(
                components: &mut ::std::vec::Vec<(
                    ::std::string::String,
                    ::utoipa::openapi::RefOr<::utoipa::openapi::schema::Schema>,
                )>,
            ) {
                ::edge::body::schema_of::<Self>(components);
            }
        }
    })
}

fn apply(name: &syn::Ident, changed: &Path, members: &[Member<'_>]) -> TokenStream {
    let set = members.iter().filter(|member| !member.is_apart).map(|member| {
        let field = member.field;
        quote! {
            if let ::core::option::Option::Some(value) = &self.#field {
                ::core::clone::Clone::clone_from(&mut changed.#field, value);
            }
        }
    });
    quote! {
        impl #name {
            fn apply(&self, changed: &mut #changed) {
                #(#set)*
            }
        }
    }
}

impl Options {
    fn of(input: &DeriveInput) -> Result<Self> {
        let mut options = Self::default();
        for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("body")) {
            attribute.parse_nested_meta(|meta| {
                match meta.path.get_ident().map(ToString::to_string).as_deref() {
                    Some("changes") => {
                        options.is_change = true;
                        if meta.input.peek(syn::Token![=]) {
                            options.changed = Some(meta.value()?.parse()?);
                        }
                    }
                    Some("may_be_empty") => options.may_be_empty = true,
                    Some("context") => options.context = Some(meta.value()?.parse()?),
                    Some("rule") => options.rules.push(meta.value()?.parse()?),
                    _ => return Err(meta.error("wanted: changes, may_be_empty, context or rule")),
                }
                Ok(())
            })?;
        }
        Ok(options)
    }
}

fn members(input: &DeriveInput, is_change: bool) -> Result<Vec<Member<'_>>> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => fields.named.iter().map(|field| Member::of(field, is_change)).collect(),
            _ => Err(Error::new_spanned(&input.ident, "a body has named fields")),
        },
        _ => Err(Error::new_spanned(&input.ident, "a body is a struct")),
    }
}
