//! Puts ids and instants where they stand. A derive refers to every type by its name, and a client would get a type for each.

use utoipa::openapi::schema::{ArrayItems, Schema, SchemaType, Type};
use utoipa::openapi::{OpenApi, RefOr};

/// The types that are texts of a format, by their names.
const SCALARS: [&str; 2] = ["Uuid", "DateTime"];

/// Replaces each reference to a scalar by the scalar.
pub fn inline_scalars(document: &mut OpenApi) {
    let schemas = &mut document.components.get_or_insert_default().schemas;
    let scalars: Vec<_> = SCALARS.iter().filter_map(|name| Some((*name, schemas.remove(*name)?))).collect();
    let find = |reference: &str| {
        let name = reference.rsplit('/').next()?;
        scalars.iter().find(|(scalar, _)| *scalar == name).map(|(_, schema)| schema.clone())
    };
    for schema in schemas.values_mut() {
        inline(schema, &find);
    }
}

fn inline(schema: &mut RefOr<Schema>, find: &impl Fn(&str) -> Option<RefOr<Schema>>) {
    match schema {
        RefOr::Ref(reference) => {
            let Some(RefOr::T(Schema::Object(mut scalar))) = find(&reference.ref_location) else { return };
            scalar.description = Some(std::mem::take(&mut reference.description)).filter(|text| !text.is_empty());
            *schema = Schema::Object(scalar).into();
        }
        RefOr::T(Schema::Object(object)) => object.properties.values_mut().for_each(|member| inline(member, find)),
        RefOr::T(Schema::Array(array)) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                inline(items, find);
            }
        }
        RefOr::T(Schema::OneOf(choice)) => {
            choice.items.iter_mut().for_each(|item| inline(item, find));
            // A scalar or null is one type.
            if let [RefOr::T(Schema::Object(one)), RefOr::T(Schema::Object(other))] = choice.items.as_mut_slice() {
                let null = SchemaType::Type(Type::Null);
                let (scalar, is_nullable) =
                    if one.schema_type == null { (other, true) } else { (one, other.schema_type == null) };
                if is_nullable && let SchemaType::Type(of) = &scalar.schema_type {
                    scalar.schema_type = SchemaType::Array(vec![of.clone(), Type::Null]);
                    *schema = Schema::Object(scalar.clone()).into();
                }
            }
        }
        RefOr::T(Schema::AllOf(all)) => all.items.iter_mut().for_each(|item| inline(item, find)),
        RefOr::T(_) => {}
    }
}
