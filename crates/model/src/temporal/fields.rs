//! The fields of a temporal value, from a map: numbers by name, a zone, and values to take parts of.
//!
//! Names are compared without case. A field that is null counts as not given.

use super::failures::bad;
use super::parts::{SECOND_NANOS, TemporalKind, TemporalParts, ZoneId};
use super::read::read_zone;
use crate::errors::error::{Error, Result};
use crate::values::value::Value;

/// A field that is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Year,
    Quarter,
    Month,
    Week,
    OrdinalDay,
    DayOfQuarter,
    DayOfWeek,
    Day,
    Hour,
    Minute,
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
    EpochSeconds,
    EpochMillis,
}

/// The names of numbers; some have two.
const NAMES: [(&str, Field); 18] = [
    ("year", Field::Year),
    ("quarter", Field::Quarter),
    ("month", Field::Month),
    ("week", Field::Week),
    ("ordinalDay", Field::OrdinalDay),
    ("dayOfQuarter", Field::DayOfQuarter),
    ("quarterDay", Field::DayOfQuarter),
    ("dayOfWeek", Field::DayOfWeek),
    ("weekDay", Field::DayOfWeek),
    ("day", Field::Day),
    ("hour", Field::Hour),
    ("minute", Field::Minute),
    ("second", Field::Second),
    ("millisecond", Field::Millisecond),
    ("microsecond", Field::Microsecond),
    ("nanosecond", Field::Nanosecond),
    ("epochSeconds", Field::EpochSeconds),
    ("epochMillis", Field::EpochMillis),
];

const DATE_FIELDS: [Field; 8] = [
    Field::Year,
    Field::Quarter,
    Field::Month,
    Field::Week,
    Field::OrdinalDay,
    Field::DayOfQuarter,
    Field::DayOfWeek,
    Field::Day,
];
const CLOCK_FIELDS: [Field; 6] = [
    Field::Hour,
    Field::Minute,
    Field::Second,
    Field::Millisecond,
    Field::Microsecond,
    Field::Nanosecond,
];
const EPOCH_FIELDS: [Field; 2] = [Field::EpochSeconds, Field::EpochMillis];

/// Nanoseconds in a millisecond.
pub(super) const MILLISECOND_NANOS: u64 = 1_000_000;

impl Field {
    /// The name in messages.
    pub(super) fn name(self) -> &'static str {
        NAMES.iter().find(|(_, field)| *field == self).map_or("field", |(name, _)| name)
    }
}

/// The fields of a map.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    /// The numbers, each at the place of its field.
    numbers: [Option<i64>; 16],
    /// The zone.
    pub(super) zone: Option<ZoneId>,
    /// The value that gives a day.
    pub(super) date: Option<TemporalParts>,
    /// The value that gives a time of day, and its zone.
    pub(super) time: Option<TemporalParts>,
    /// The value that gives both.
    pub(super) datetime: Option<TemporalParts>,
    /// Nanoseconds of the unit, a millisecond or microsecond, whose number stays as the value that
    /// gives the time has it; smaller fields are added to it.
    pub(super) retained_nanos: Option<u64>,
}

impl Fields {
    /// The fields of a map for a temporal value of this type. A zone alone suits every type.
    pub(super) fn of(kind: TemporalKind, pairs: &[(Value, Value)]) -> Result<Fields> {
        let mut fields = Fields::read(pairs)?;
        if fields.is_zone_only() {
            return Ok(fields);
        }
        fields.check(kind)?;
        if fields.get(Field::EpochMillis).is_some() {
            fields.retained_nanos = Some(MILLISECOND_NANOS);
        }
        Ok(fields)
    }

    /// The fields of a map that are set in a temporal value of this type: none that takes parts of another.
    pub(super) fn of_changes(kind: TemporalKind, pairs: &[(Value, Value)]) -> Result<Fields> {
        let fields = Fields::read(pairs)?;
        fields.check(kind)?;
        let epoch = fields.first_of(&EPOCH_FIELDS).is_some();
        if epoch || fields.date.is_some() || fields.time.is_some() || fields.datetime.is_some() {
            return Err(bad("fields that are set are numbers and a timezone"));
        }
        Ok(fields)
    }

    fn read(pairs: &[(Value, Value)]) -> Result<Fields> {
        let mut fields = Fields::default();
        for (name, value) in pairs {
            let Some(name) = name.as_str() else { return Err(bad("a field has a text as name")) };
            if !value.is_null() {
                fields.put(name, value)?;
            } else if !is_known(name) {
                return Err(unknown(name));
            }
        }
        Ok(fields)
    }

    fn put(&mut self, name: &str, value: &Value) -> Result<()> {
        let named = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        if let Some((name, field)) = named {
            let number = value.as_int().ok_or_else(|| {
                bad(format!("{name} expects a whole number but got a {}", value.type_name()))
            })?;
            if self.get(*field).is_some() {
                return Err(bad(format!("{name} is given twice")));
            }
            self.numbers[*field as usize] = Some(number);
            return Ok(());
        }
        let parts = || {
            TemporalParts::of(value).ok_or_else(|| {
                let found = value.type_name();
                bad(format!("{name} expects a temporal value but got a {found}"))
            })
        };
        match name.to_ascii_lowercase().as_str() {
            "timezone" => self.zone = Some(zone_of(value)?),
            "date" => self.date = Some(parts()?),
            "time" => self.time = Some(parts()?),
            "datetime" => self.datetime = Some(parts()?),
            _ => return Err(unknown(name)),
        }
        Ok(())
    }

    /// The number of a field.
    pub(super) fn get(&self, field: Field) -> Option<i64> {
        self.numbers[field as usize]
    }

    fn first_of(&self, fields: &[Field]) -> Option<Field> {
        fields.iter().copied().find(|field| self.get(*field).is_some())
    }

    /// A field of the time of day that is given.
    pub(super) fn of_clock(&self) -> Option<Field> {
        self.first_of(&CLOCK_FIELDS)
    }

    /// Whether the zone is the only field.
    pub(super) fn is_zone_only(&self) -> bool {
        self.zone.is_some() && self.without_zone()
    }

    /// Whether there is no field.
    pub(super) fn is_empty(&self) -> bool {
        self.zone.is_none() && self.without_zone()
    }

    fn without_zone(&self) -> bool {
        self.numbers.iter().all(Option::is_none)
            && self.date.is_none()
            && self.time.is_none()
            && self.datetime.is_none()
    }

    /// Whether a temporal value of this type has all fields, and they go together.
    fn check(&self, kind: TemporalKind) -> Result<()> {
        let refused = |name: &str| bad(format!("a {} has no field {name}", kind.name()));
        if self.zone.is_some() && !kind.has_zone() {
            return Err(refused("timezone"));
        }
        let of_date = self.first_of(&DATE_FIELDS);
        if let (Some(field), false) = (of_date, kind.has_date()) {
            return Err(refused(field.name()));
        }
        if let (Some(field), false) = (self.of_clock(), kind.has_clock()) {
            return Err(refused(field.name()));
        }
        let of_epoch = self.first_of(&EPOCH_FIELDS);
        if let (Some(field), true) = (of_epoch, kind != TemporalKind::DateTime) {
            return Err(refused(field.name()));
        }
        if self.date.is_some() && !kind.has_date() {
            return Err(refused("date"));
        }
        if self.time.is_some() && !kind.has_clock() {
            return Err(refused("time"));
        }
        if self.datetime.is_some() && !(kind.has_date() && kind.has_clock()) {
            return Err(refused("datetime"));
        }
        if self.datetime.is_some() && (self.date.is_some() || self.time.is_some()) {
            return Err(bad("datetime does not go together with date or time"));
        }
        self.check_epoch(of_epoch, of_date)
    }

    fn check_epoch(&self, of_epoch: Option<Field>, of_date: Option<Field>) -> Result<()> {
        let Some(epoch) = of_epoch else { return Ok(()) };
        let others = [Field::Hour, Field::Minute, Field::Second];
        let other = of_date.or_else(|| self.first_of(&others)).map(Field::name);
        let is_both = self.get(Field::EpochSeconds).and(self.get(Field::EpochMillis)).is_some();
        let both = is_both.then_some("epochMillis");
        let base = self.date.as_ref().map(|_| "date");
        let base = base.or(self.time.as_ref().map(|_| "time"));
        let base = base.or(self.datetime.as_ref().map(|_| "datetime"));
        match other.or(both).or(base) {
            Some(other) => Err(bad(format!("{} does not go together with {other}", epoch.name()))),
            None => Ok(()),
        }
    }
}

fn is_known(name: &str) -> bool {
    let others = ["timezone", "date", "time", "datetime"];
    let names = NAMES.iter().map(|(known, _)| *known).chain(others);
    names.into_iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn unknown(name: &str) -> Error {
    bad(format!("there is no field {name} of a temporal value"))
        .with_help("fields are year, month, day, week, hour, minute, second, timezone and others")
}

/// A zone as a text.
pub(super) fn zone_of(value: &Value) -> Result<ZoneId> {
    match value {
        Value::String(text) => read_zone(text),
        other => Err(bad(format!("timezone expects a text but got a {}", other.type_name()))),
    }
}

/// The part of a value that a field takes.
pub(super) fn wanted<T>(part: Option<T>, what: &str, found: &TemporalParts) -> Result<T> {
    part.ok_or_else(|| bad(format!("a {} has no {what}", found.kind().name())))
}

/// Nanoseconds within the second, of the fields that share it out; `None` if none is given. With
/// [`Fields::retained_nanos`], greater units of those before stay, unless a field names them.
pub(super) fn fraction(fields: &Fields, before: u64) -> Result<Option<u64>> {
    let given = [Field::Millisecond, Field::Microsecond, Field::Nanosecond];
    let [millis, micros, nanos] = given.map(|field| fields.get(field));
    if millis.or(micros).or(nanos).is_none() {
        return Ok(None);
    }
    let kept_unit = fields
        .retained_nanos
        .filter(|unit| millis.is_none() && (*unit == MILLISECOND_NANOS || micros.is_none()));
    let keeps_millis = kept_unit == Some(MILLISECOND_NANOS);
    let micros_max = if millis.is_some() || keeps_millis { 1_000 } else { 1_000_000 };
    let nanos_max = match (millis, micros) {
        (_, Some(_)) => 1_000,
        (Some(_), None) => MILLISECOND_NANOS,
        (None, None) => kept_unit.unwrap_or(SECOND_NANOS),
    };
    let part = |field: Field, number: Option<i64>, most: u64, unit: u64| {
        let number = u64::try_from(number.unwrap_or(0)).ok().filter(|number| *number < most);
        let outside = || bad(format!("{} is outside of 0 to {}", field.name(), most - 1));
        Ok(number.ok_or_else(outside)? * unit)
    };
    let sum = part(Field::Millisecond, millis, 1_000, MILLISECOND_NANOS)?
        + part(Field::Microsecond, micros, micros_max, 1_000)?
        + part(Field::Nanosecond, nanos, nanos_max, 1)?;
    Ok(Some(kept_unit.map_or(0, |unit| before / unit * unit) + sum))
}
