//! `derive(Record)`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::{Data, DeriveInput, Error, Field, Fields, Ident, LitStr, Result, Type, parenthesized};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let (table, mut members) = (table(input)?, members(input)?);
    match table {
        Some(_) => members.iter().try_for_each(Member::check_is_named)?,
        None => {
            members.iter().try_for_each(Member::check_is_read)?;
            members.iter_mut().for_each(|member| member.is_named = false);
        }
    }
    let group = group(&input.ident, &members);
    let record = table.map(|table| record(&input.ident, &table, &members)).transpose()?;
    Ok(quote! { #group #record })
}

/// A field that has columns, or none where it is skipped.
struct Member<'a> {
    field: &'a Ident,
    of: &'a Type,
    columns: Vec<String>,
    /// These are the columns' names; those of a group are its record's to tell.
    is_named: bool,
    /// The SQL that a summary reads instead.
    short: Option<String>,
    form: Form,
    /// Rows are read without it.
    is_unread: bool,
    /// `insert` sets it to the time of the transaction.
    is_now: bool,
    change: Change,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// One column holds the value.
    Plain,
    /// One column holds it as JSON text.
    Json,
    /// It has several columns, whose names the record tells.
    Group,
    /// It has several columns, in a group.
    Nested,
    /// It has none.
    None,
}

/// An update's effect on a column.
#[derive(PartialEq)]
enum Change {
    Set,
    /// Finds the row by it.
    Key,
    Leave,
    /// Sets it to this SQL.
    To(String),
    /// Sets it to the time of the transaction.
    Now,
}

fn table(input: &DeriveInput) -> Result<Option<String>> {
    let mut table = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("record")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("table") {
                return Err(meta.error("wanted: table = \"…\""));
            }
            table = Some(text(&meta)?);
            Ok(())
        })?;
    }
    Ok(table)
}

fn members(input: &DeriveInput) -> Result<Vec<Member<'_>>> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => fields.named.iter().map(Member::of).collect(),
            _ => Err(Error::new_spanned(&input.ident, "a record has named fields")),
        },
        _ => Err(Error::new_spanned(&input.ident, "a record is a struct")),
    }
}

impl<'a> Member<'a> {
    fn of(field: &'a Field) -> Result<Self> {
        let name = field.ident.as_ref().expect("the fields are named");
        let mut member = Self {
            field: name,
            of: &field.ty,
            columns: vec![name.to_string()],
            is_named: true,
            short: None,
            form: Form::Plain,
            is_unread: false,
            is_now: false,
            change: Change::Set,
        };
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("column")) {
            attribute.parse_nested_meta(|meta| member.note(&meta))?;
        }
        Ok(member)
    }

    fn note(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let option = meta.path.get_ident().map(Ident::to_string).unwrap_or_default();
        match option.as_str() {
            "name" => self.columns = vec![text(meta)?],
            "json" => self.form = Form::Json,
            "columns" => {
                let names;
                parenthesized!(names in meta.input);
                let names = names.parse_terminated(|names| names.parse::<LitStr>(), syn::Token![,])?;
                (self.form, self.columns) = (Form::Group, names.iter().map(LitStr::value).collect());
            }
            "unread" => self.is_unread = true,
            "group" => (self.form, self.columns) = (Form::Nested, Vec::new()),
            "skip" => (self.form, self.columns) = (Form::None, Vec::new()),
            "long" => self.short = Some(text(meta)?),
            "key" => self.change = Change::Key,
            "fixed" => self.change = Change::Leave,
            "update" => self.change = Change::To(text(meta)?),
            "now" => {
                self.is_now = true;
                if self.change != Change::Leave {
                    self.change = Change::Now;
                }
            }
            _ => {
                let known = "name, json, columns, group, unread, skip, long, key, fixed, update or now";
                return Err(meta.error(format!("wanted: {known}")));
            }
        }
        Ok(())
    }

    /// The columns of a row that is read.
    fn read_columns(&self) -> &[String] {
        if self.is_unread { &[] } else { &self.columns }
    }

    fn check_is_named(&self) -> Result<()> {
        match self.form {
            Form::Nested => Err(Error::new_spanned(self.field, "a record names the columns of a group: columns(…)")),
            _ => Ok(()),
        }
    }

    fn check_is_read(&self) -> Result<()> {
        match self.is_unread {
            true => Err(Error::new_spanned(self.field, "a group is written as it is read: unread is for tables")),
            false => Ok(()),
        }
    }

    /// Reads the field from the columns after `from` and so many others.
    fn read(&self, others: &TokenStream) -> TokenStream {
        let (field, of) = (self.field, self.of);
        let column = || match &self.columns[0] {
            name if self.is_named => quote! { row.get_named(from + #others, #name)? },
            _ => quote! { row.get(from + #others)? },
        };
        let value = match self.form {
            _ if self.is_unread => quote! { ::core::default::Default::default() },
            Form::Plain => column(),
            Form::Json => {
                let column = column();
                quote! {{
                    let ::store::Json(value): ::store::Json<#of> = #column;
                    value
                }}
            }
            Form::Group => {
                let count = self.columns.len();
                quote! {{
                    const { ::core::assert!(<#of as ::store::Group>::COUNT == #count, "so many columns has the type") };
                    ::store::Group::read_at(row, from + #others)?
                }}
            }
            Form::Nested => quote! { ::store::Group::read_at(row, from + #others)? },
            Form::None => quote! { ::core::default::Default::default() },
        };
        quote! { #field: #value }
    }

    /// Adds the field's values to `values`.
    fn write(&self) -> TokenStream {
        let field = self.field;
        match self.form {
            Form::Plain => quote! { values.push(::store::Value::Of(&self.#field)); },
            Form::Json => quote! { values.push(::store::Value::json(&self.#field)?); },
            Form::Group | Form::Nested => quote! { ::store::Group::write(&self.#field, values)?; },
            Form::None => TokenStream::new(),
        }
    }
}

fn group(name: &Ident, members: &[Member<'_>]) -> TokenStream {
    let count = count(members);
    let read = members.iter().enumerate().map(|(at, member)| member.read(&self::count(&members[..at])));
    let write = members.iter().map(Member::write);
    quote! {
        impl ::store::Group for #name {
            const COUNT: usize = #count;

            fn read_at(row: &::store::Row<'_>, from: usize) -> ::core::result::Result<Self, ::store::StoreError> {
                ::core::result::Result::Ok(Self { #(#read),* })
            }

            fn write<'a>(
                &'a self,
                values: &mut ::std::vec::Vec<::store::Value<'a>>,
            ) -> ::core::result::Result<(), ::store::StoreError> {
                #(#write)*
                ::core::result::Result::Ok(())
            }
        }
    }
}

fn record(name: &Ident, table: &str, members: &[Member<'_>]) -> Result<TokenStream> {
    let read = members.iter().flat_map(Member::read_columns).map(String::as_str).collect::<Vec<_>>().join(", ");
    let summary = members.iter().flat_map(|member| match &member.short {
        Some(short) => vec![format!("{short} AS {}", member.columns[0])],
        None => member.read_columns().to_vec(),
    });
    let summary = summary.collect::<Vec<_>>().join(", ");
    let columns = members.iter().flat_map(|member| member.columns.iter().map(move |column| (column, member.is_now)));
    let (written, is_now): (Vec<&str>, Vec<bool>) = columns.map(|(column, is_now)| (column.as_str(), is_now)).unzip();
    let now = is_now.iter().enumerate().filter(|(_, is_now)| **is_now).map(|(place, _)| place);
    let placeholders = (1..=written.len()).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ");
    let insert = format!("INSERT INTO {table} ({}) VALUES ({placeholders})", written.join(", "));
    let update = update(name, table, members)?;
    Ok(quote! {
        impl ::store::Record for #name {
            const TABLE: &'static str = #table;
            const COLUMNS: &'static str = #read;
            const SUMMARY_COLUMNS: &'static str = #summary;
            const INSERT: &'static str = #insert;
            const NOW: &'static [usize] = &[#(#now),*];
        }

        #update
    })
}

/// The change of a row by its key; nothing for a record without one.
fn update(name: &Ident, table: &str, members: &[Member<'_>]) -> Result<TokenStream> {
    let keys: Vec<_> = members.iter().filter(|member| member.change == Change::Key).collect();
    if let Some(wrong) = keys.iter().find(|key| key.columns.len() != 1) {
        return Err(Error::new_spanned(wrong.field, "a key is one column"));
    }
    if keys.is_empty() {
        return match members.iter().find(|member| !matches!(member.change, Change::Set)) {
            Some(_) => Err(Error::new_spanned(name, "an update needs a key")),
            None => Ok(TokenStream::new()),
        };
    }
    let (mut sets, mut number) = (Vec::new(), keys.len());
    let mut changed: Vec<_> = keys.iter().map(|key| key.write()).collect();
    for member in members {
        match &member.change {
            Change::Set => {
                for column in &member.columns {
                    number += 1;
                    sets.push(format!("{column} = ${number}"));
                }
                changed.push(member.write());
            }
            Change::Now => {
                number += 1;
                sets.push(format!("{} = ${number}", member.columns[0]));
                changed.push(quote! { values.push(::store::Value::Of(now)); });
            }
            Change::To(sql) => sets.push(format!("{} = {sql}", member.columns[0])),
            Change::Key | Change::Leave => {}
        }
    }
    let found = keys.iter().enumerate().map(|(at, key)| format!("{} = ${}", key.columns[0], at + 1));
    let found = found.collect::<Vec<_>>().join(" AND ");
    let update = format!("UPDATE {table} SET {} WHERE {found}", sets.join(", "));
    Ok(quote! {
        impl ::store::KeyedRecord for #name {
            const UPDATE: &'static str = #update;

            fn write_changed<'a>(
                &'a self,
                now: &'a dyn ::store::ToColumn,
                values: &mut ::std::vec::Vec<::store::Value<'a>>,
            ) -> ::core::result::Result<(), ::store::StoreError> {
                #(#changed)*
                ::core::result::Result::Ok(())
            }
        }
    })
}

/// The number of their columns, as a sum that the compiler adds up.
fn count(members: &[Member<'_>]) -> TokenStream {
    let named: usize = members.iter().map(|member| member.read_columns().len()).sum();
    let nested = members.iter().filter(|member| member.form == Form::Nested).map(|member| member.of);
    quote! { #named #(+ <#nested as ::store::Group>::COUNT)* }
}

fn text(meta: &ParseNestedMeta<'_>) -> Result<String> {
    Ok(meta.value()?.parse::<LitStr>()?.value())
}
