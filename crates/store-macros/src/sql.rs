//! `sql!`: what stands in braces becomes `$n` and a parameter, the columns of a record, or a constant's text.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Expr, LitStr, Path, Result};

pub(crate) fn expand(text: &LitStr) -> Result<TokenStream> {
    let literal = text.value();
    let mut rest = literal.as_str();
    let (mut pieces, mut expressions) = (Vec::new(), Vec::<(&str, Expr)>::new());
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, behind) = after.split_once('}').ok_or_else(|| Error::new(text.span(), "a brace is not closed"))?;
        pieces.push(quote! { #before });
        let path = |path| LitStr::new(path, text.span()).parse::<Path>();
        pieces.push(match (inside.strip_suffix("::*"), inside.strip_prefix("const ")) {
            (Some(record), _) => {
                let record = path(record)?;
                quote! { <#record as ::store::Record>::COLUMNS }
            }
            (None, Some(constant)) => {
                let constant = path(constant)?;
                quote! { #constant }
            }
            (None, None) => {
                let number = parameter(inside, text, &mut expressions)?;
                let placeholder = format!("${number}");
                quote! { #placeholder }
            }
        });
        rest = behind;
    }
    pieces.push(quote! { #rest });
    let parameters = expressions.iter().map(|(_, expression)| expression);
    Ok(quote! {
        ::store::Statement {
            sql: ::store::join!(#(#pieces),*),
            parameters: &[#(&#parameters as &dyn ::store::ToColumn),*],
        }
    })
}

/// The number of the parameter that has this expression.
fn parameter<'t>(inside: &'t str, text: &LitStr, expressions: &mut Vec<(&'t str, Expr)>) -> Result<usize> {
    if let Some(known) = expressions.iter().position(|(expression, _)| *expression == inside) {
        return Ok(known + 1);
    }
    expressions.push((inside, LitStr::new(inside, text.span()).parse()?));
    Ok(expressions.len())
}
