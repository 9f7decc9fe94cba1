//! Values on the wire. The tables know text, BIGINT and DOUBLE PRECISION; expressions over them also
//! give INTEGER (`1`), BOOLEAN (`a = b`) and NUMERIC (`sum` of BIGINT), which are read as their like.

use std::error::Error;

use bytes::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use super::error::unexpected;
use crate::{Column, Parameter, StoreError};

type AnyError = Box<dyn Error + Sync + Send>;

/// The value at `index`.
pub(crate) fn column(row: &tokio_postgres::Row, index: usize) -> Result<Column<'_>, StoreError> {
    row.try_get::<_, Wire<'_>>(index).map(|wire| wire.0).map_err(unexpected)
}

struct Wire<'a>(Column<'a>);

impl<'a> FromSql<'a> for Wire<'a> {
    fn from_sql(of: &Type, raw: &'a [u8]) -> Result<Self, AnyError> {
        let column = match *of {
            Type::INT8 => Column::Integer(i64::from_sql(of, raw)?),
            Type::INT4 => Column::Integer(i32::from_sql(of, raw)?.into()),
            Type::INT2 => Column::Integer(i16::from_sql(of, raw)?.into()),
            Type::BOOL => Column::Integer(bool::from_sql(of, raw)?.into()),
            Type::FLOAT8 => Column::Real(f64::from_sql(of, raw)?),
            Type::FLOAT4 => Column::Real(f32::from_sql(of, raw)?.into()),
            Type::NUMERIC => numeric(raw)?,
            Type::TEXT => Column::Text(std::str::from_utf8(raw)?),
            _ => Column::Text(<&str>::from_sql(of, raw)?),
        };
        Ok(Self(column))
    }

    fn from_sql_null(_: &Type) -> Result<Self, AnyError> {
        Ok(Self(Column::Null))
    }

    fn accepts(of: &Type) -> bool {
        matches!(*of, Type::INT8 | Type::INT4 | Type::INT2 | Type::BOOL | Type::FLOAT8 | Type::FLOAT4 | Type::NUMERIC)
            || <&str as FromSql<'_>>::accepts(of)
    }
}

/// A NUMERIC: a whole number when it is one and fits, else the nearest real number.
fn numeric(raw: &[u8]) -> Result<Column<'static>, AnyError> {
    const NEGATIVE: u16 = 0x4000;
    let words: Vec<u16> = raw.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    let [_, weight, sign, _, digits @ ..] = words.as_slice() else {
        return Err("a NUMERIC is cut off".into());
    };
    if *sign != 0 && *sign != NEGATIVE {
        return Err("NaN and infinity are not numbers here".into());
    }
    // Digits are base 10,000; the first counts 10,000 to the power of `weight`.
    let weight = i32::from(weight.cast_signed());
    let mut whole: Option<i128> = Some(0);
    let mut real = 0.0_f64;
    for (position, digit) in (0_i32..).zip(digits) {
        let exponent = weight - position;
        real += f64::from(*digit) * 10_000_f64.powi(exponent);
        let place = u32::try_from(exponent).ok().and_then(|exponent| 10_000_i128.checked_pow(exponent));
        let part = place.and_then(|place| place.checked_mul((*digit).into()));
        whole = whole.zip(part).and_then(|(whole, part)| whole.checked_add(part));
    }
    let (factor, real) = if *sign == NEGATIVE { (-1, -real) } else { (1, real) };
    let whole = whole.and_then(|whole| i64::try_from(whole * factor).ok());
    Ok(whole.map_or(Column::Real(real), Column::Integer))
}

/// Whether a value can be sent as this type.
pub(super) fn fits(parameter: &Parameter<'_>, of: &Type) -> bool {
    match (parameter, of) {
        (Parameter::Null, _) | (Parameter::Integer(_), &(Type::INT8 | Type::FLOAT8)) => true,
        (Parameter::Integer(integer), &Type::INT4) => i32::try_from(*integer).is_ok(),
        (Parameter::Integer(integer), &Type::INT2) => i16::try_from(*integer).is_ok(),
        (Parameter::Real(_), of) => *of == Type::FLOAT8,
        (Parameter::Text(_) | Parameter::Id(_), of) => <&str as ToSql>::accepts(of),
        _ => false,
    }
}

impl ToSql for Parameter<'_> {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> Result<IsNull, AnyError> {
        match (self, of) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Integer(integer), &Type::INT8) => integer.to_sql(of, out),
            (Self::Integer(integer), &Type::INT4) => i32::try_from(*integer)?.to_sql(of, out),
            (Self::Integer(integer), &Type::INT2) => i16::try_from(*integer)?.to_sql(of, out),
            #[expect(clippy::cast_precision_loss, reason = "scores are far below 2^53")]
            (Self::Integer(integer), &Type::FLOAT8) => (*integer as f64).to_sql(of, out),
            (Self::Real(real), &Type::FLOAT8) => real.to_sql(of, out),
            // What nearly all columns are; the driver compares the type's name first.
            (Self::Text(_) | Self::Id(_), &Type::TEXT) => {
                out.extend_from_slice(self.text().expect("it is text").as_bytes());
                Ok(IsNull::No)
            }
            (Self::Text(_) | Self::Id(_), _) if <&str as ToSql>::accepts(of) => {
                self.text().expect("it is text").to_sql(of, out)
            }
            _ => Err(format!("{self:?} does not fit {of}").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// A parameter of a statement that is sent later.
#[derive(Debug, PartialEq)]
pub(super) enum OwnedParameter {
    Copied(Parameter<'static>),
    Text(String),
}

impl OwnedParameter {
    pub(super) fn new(parameter: Parameter<'_>) -> Self {
        match parameter {
            Parameter::Null => Self::Copied(Parameter::Null),
            Parameter::Integer(integer) => Self::Copied(Parameter::Integer(integer)),
            Parameter::Real(real) => Self::Copied(Parameter::Real(real)),
            Parameter::Id(text) => Self::Copied(Parameter::Id(text)),
            Parameter::Text(text) => Self::Text(text.to_owned()),
        }
    }

    pub(super) fn borrow(&self) -> Parameter<'_> {
        match self {
            Self::Copied(parameter) => *parameter,
            Self::Text(text) => Parameter::Text(text),
        }
    }
}

/// What is sent for one `$n` of a statement.
#[derive(Debug)]
pub(super) enum Argument<'a> {
    One(Parameter<'a>),
    /// An array: of a statement that does for several lists of parameters what another does for one.
    OfEach(Vec<Parameter<'a>>),
}

impl<'a> Argument<'a> {
    /// The arguments for these lists of parameters, which are equally long.
    pub(super) fn of(lists: &[&'a [OwnedParameter]]) -> Vec<Self> {
        match lists {
            [] => Vec::new(),
            [list] => list.iter().map(|parameter| Self::One(parameter.borrow())).collect(),
            [first, ..] => (0..first.len())
                .map(|number| Self::OfEach(lists.iter().map(|list| list[number].borrow()).collect()))
                .collect(),
        }
    }
}

impl ToSql for Argument<'_> {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> Result<IsNull, AnyError> {
        match self {
            Self::One(parameter) => parameter.to_sql(of, out),
            Self::OfEach(parameters) => parameters.to_sql(of, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(weight: i16, sign: u16, digits: &[u16]) -> Vec<u8> {
        let count = u16::try_from(digits.len()).expect("few digits");
        let words = [count, weight.cast_unsigned(), sign, 0].into_iter().chain(digits.iter().copied());
        words.flat_map(u16::to_be_bytes).collect()
    }

    #[test]
    fn reads_sums_as_integers_and_averages_as_reals() {
        let read = |weight, sign, digits: &[u16]| numeric(&wire(weight, sign, digits)).expect("a number");
        assert!(matches!(read(0, 0, &[]), Column::Integer(0)));
        assert!(matches!(read(1, 0, &[12, 3456]), Column::Integer(123_456)));
        assert!(matches!(read(2, 0x4000, &[5]), Column::Integer(-500_000_000)));
        assert!(matches!(read(0, 0, &[1, 5000]), Column::Real(real) if (real - 1.5).abs() < 1e-9));
        assert!(matches!(read(9, 0, &[1]), Column::Real(real) if real > 1e35));
        assert!(numeric(&wire(0, 0xC000, &[])).is_err());
    }
}
