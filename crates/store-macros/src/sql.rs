//! `sql!`: what stands in braces becomes `$n` and a parameter, the columns of a record, or a constant's text.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, LitStr, Path, Result};

/// The texts of a statement, one after the other.
pub(crate) struct Texts(Vec<LitStr>);

impl Parse for Texts {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut texts = vec![input.parse()?];
        while !input.is_empty() {
            texts.push(input.parse()?);
        }
        Ok(Self(texts))
    }
}

pub(crate) fn expand(Texts(texts): &Texts) -> Result<TokenStream> {
    let (mut pieces, mut expressions) = (Vec::new(), Vec::<(String, Expr)>::new());
    for text in texts {
        let literal = text.value();
        let mut rest = literal.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (inside, behind) =
                after.split_once('}').ok_or_else(|| Error::new(text.span(), "a brace is not closed"))?;
            pieces.push(quote! { #before });
            pieces.push(piece(inside, text, &mut expressions)?);
            rest = behind;
        }
        pieces.push(quote! { #rest });
    }
    let parameters = expressions.iter().map(|(_, expression)| expression);
    Ok(quote! {
        ::store::Statement {
            sql: ::store::join!(#(#pieces),*),
            parameters: [#(&#parameters as &dyn ::store::ToColumn),*],
        }
    })
}

/// The SQL of what stands in braces.
fn piece(inside: &str, text: &LitStr, expressions: &mut Vec<(String, Expr)>) -> Result<TokenStream> {
    let path = |path| LitStr::new(path, span(text)).parse::<Path>();
    if let Some(record) = inside.strip_suffix("::*") {
        let record = path(record)?;
        return Ok(quote! { <#record as ::store::Record>::COLUMNS });
    }
    if let Some(constant) = inside.strip_prefix("const ") {
        let constant = path(constant)?;
        return Ok(quote! { #constant });
    }
    let placeholder = format!("${}", parameter(inside, text, expressions)?);
    Ok(quote! { #placeholder })
}

/// The number of the parameter that has this expression.
fn parameter(inside: &str, text: &LitStr, expressions: &mut Vec<(String, Expr)>) -> Result<usize> {
    if let Some(known) = expressions.iter().position(|(expression, _)| expression == inside) {
        return Ok(known + 1);
    }
    expressions.push((inside.to_owned(), LitStr::new(inside, span(text)).parse()?));
    Ok(expressions.len())
}

/// The place of a text, with the names that the statement sees.
fn span(text: &LitStr) -> Span {
    text.span().resolved_at(Span::call_site())
}
