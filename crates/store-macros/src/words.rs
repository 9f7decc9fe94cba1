//! `derive(Words)`.

use heck::{ToShoutySnakeCase as _, ToSnakeCase as _};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, Fields, LitStr, Result, Variant};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "only an enum has words"));
    };
    let style = serde_name(&input.attrs, "rename_all")?;
    let words = data.variants.iter().map(|variant| word(variant, style.as_ref())).collect::<Result<Vec<_>>>()?;
    let (name, visibility, count) = (&input.ident, &input.vis, words.len());
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    Ok(quote! {
        impl #name {
            /// All of them, in the order in which they are declared.
            #visibility const ALL: [Self; #count] = [#(Self::#variants),*];

            /// Every word with its meaning.
            #visibility const WORDS: &'static [(&'static str, Self)] = &[#((#words, Self::#variants)),*];

            /// The word in the database and on the wire.
            #visibility const fn as_str(self) -> &'static str {
                match self {
                    #(Self::#variants => #words,)*
                }
            }

            /// The meaning of a word.
            #visibility fn from_word(word: &str) -> Option<Self> {
                match word {
                    #(#words => Some(Self::#variants),)*
                    _ => None,
                }
            }
        }

        impl ::store::ToColumn for #name {
            fn to_column(&self) -> ::store::Parameter<'_> {
                ::store::Parameter::Text(self.as_str())
            }
        }

        impl ::store::FromColumn for #name {
            fn from_column(column: ::store::Column<'_>) -> ::core::result::Result<Self, ::store::StoreError> {
                ::store::column_word(column, Self::from_word)
            }
        }
    })
}

/// The word of a variant: its own, or its name in the style of the enum.
fn word(variant: &Variant, style: Option<&LitStr>) -> Result<String> {
    let Fields::Unit = variant.fields else {
        return Err(Error::new_spanned(variant, "a variant with fields has no word"));
    };
    if let Some(own) = variant.attrs.iter().find(|attribute| attribute.path().is_ident("word")) {
        return Ok(own.parse_args::<LitStr>()?.value());
    }
    if let Some(own) = serde_name(&variant.attrs, "rename")? {
        return Ok(own.value());
    }
    let name = variant.ident.to_string();
    if name.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_uppercase)) {
        return Err(Error::new_spanned(
            &variant.ident,
            "styles differ in what an acronym becomes: give it a #[serde(rename)]",
        ));
    }
    match style.map(LitStr::value).as_deref() {
        None | Some("snake_case") => Ok(name.to_snake_case()),
        Some("SCREAMING_SNAKE_CASE") => Ok(name.to_shouty_snake_case()),
        Some("lowercase") => Ok(name.to_lowercase()),
        Some("UPPERCASE") => Ok(name.to_uppercase()),
        Some(_) => Err(Error::new_spanned(style, "no style of words")),
    }
}

/// The value of a setting of serde's, so that the wire and the database say the same.
fn serde_name(attributes: &[Attribute], setting: &str) -> Result<Option<LitStr>> {
    let mut name = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        attribute.parse_nested_meta(|meta| {
            let value = meta.value()?.parse()?;
            if meta.path.is_ident(setting) {
                name = Some(value);
            }
            Ok(())
        })?;
    }
    Ok(name)
}
