//! Expressions as the scenarios write them, evaluated while they are read.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use millrace_model::compare::{CompareMode, compare, equal};
use millrace_model::temporal::{self, Seconds, Span, TemporalKind, TemporalParts};
use millrace_model::{Result as Evaluated, Value};
use millrace_plan::Function;

/// Values by name.
pub(super) type Variables = BTreeMap<String, Value>;

type Result<T> = std::result::Result<T, String>;

/// A text that is consumed from the left.
pub(super) struct Reader<'t> {
    pub(super) rest: &'t str,
}

fn clock() -> Value {
    temporal::from_epoch(1_700_000_000, 123_456_789).expect("a timestamp")
}

/// Temporal values of a type are before or after each other by their instants.
fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (TemporalParts::of(left), TemporalParts::of(right)) {
        (Some(left), Some(right)) if left.kind() == right.kind() => {
            Some(left.instant_nanos().cmp(&right.instant_nanos()))
        }
        _ => compare(left, right, CompareMode::NullIsUnknown),
    }
}

fn message(value: Evaluated<Value>) -> Result<Value> {
    value.map_err(|error| error.detail)
}

impl Reader<'_> {
    /// Passes over a text and the space before it.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        if self.take(text) { Ok(()) } else { Err(format!("expected {text} at {}", self.rest)) }
    }

    /// A name, which may be empty.
    pub(super) fn word(&mut self) -> String {
        let rest = self.rest.trim_start();
        let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word.to_owned()
    }

    /// `(name:Label {key: value})`: name, label and properties, each of which may be left out.
    pub(super) fn element(&mut self, variables: &Variables) -> Result<(String, String, Value)> {
        self.expect("(")?;
        let name = self.word();
        let label = if self.take(":") { self.word() } else { String::new() };
        let has_properties = self.rest.trim_start().starts_with('{');
        let properties =
            if has_properties { self.primary(variables)? } else { Value::map(Vec::new()) };
        self.expect(")")?;
        Ok((name, label, properties))
    }

    /// A sum, or a comparison of two.
    pub(super) fn expression(&mut self, variables: &Variables) -> Result<Value> {
        let left = self.sum(variables)?;
        let Some(operator) = ["<=", ">=", "<", ">", "="].into_iter().find(|it| self.take(it))
        else {
            return Ok(left);
        };
        let right = self.sum(variables)?;
        let mode = CompareMode::NullIsUnknown;
        let order = order(&left, &right);
        let truth = match operator {
            "=" => equal(&left, &right, mode),
            "<=" => order.map(Ordering::is_le),
            ">=" => order.map(Ordering::is_ge),
            "<" => order.map(Ordering::is_lt),
            _ => order.map(Ordering::is_gt),
        };
        Ok(truth.map_or(Value::Null, Value::Bool))
    }

    fn sum(&mut self, variables: &Variables) -> Result<Value> {
        let mut left = self.product(variables)?;
        loop {
            left = if self.take("+") {
                message(temporal::plus(&left, &self.product(variables)?))?
            } else if self.take("-") {
                message(temporal::minus(&left, &self.product(variables)?))?
            } else {
                return Ok(left);
            };
        }
    }

    fn product(&mut self, variables: &Variables) -> Result<Value> {
        let mut left = self.component(variables)?;
        loop {
            left = if self.take("*") {
                message(temporal::times(&left, &self.component(variables)?))?
            } else if self.take("/") {
                message(temporal::divide(&left, &self.component(variables)?))?
            } else {
                return Ok(left);
            };
        }
    }

    fn component(&mut self, variables: &Variables) -> Result<Value> {
        let mut value = self.primary(variables)?;
        while self.take(".") {
            let name = self.word();
            value = match &value {
                Value::Map(pairs) => {
                    let found = pairs.iter().find(|(key, _)| key.as_str() == Some(&name));
                    found.map_or(Value::Null, |(_, value)| value.clone())
                }
                other => message(temporal::component(other, &name))?,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, variables: &Variables) -> Result<Value> {
        if self.take("'") {
            let (text, rest) = self.rest.split_once('\'').ok_or("a text has no end")?;
            self.rest = rest;
            return Ok(Value::from(text));
        }
        if self.take("{") {
            let mut pairs = Vec::new();
            while !self.take("}") {
                let name = Value::from(self.word().as_str());
                self.expect(":")?;
                pairs.push((name, self.expression(variables)?));
                self.take(",");
            }
            return Ok(Value::map(pairs));
        }
        if self.take("[") {
            let mut entries = Vec::new();
            while !self.take("]") {
                entries.push(self.expression(variables)?);
                self.take(",");
            }
            return Ok(Value::list(entries));
        }
        let rest = self.rest.trim_start();
        if rest.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-') {
            return self.number();
        }
        match self.word().as_str() {
            "null" => Ok(Value::Null),
            word => match variables.get(word) {
                Some(value) => Ok(value.clone()),
                None => self.call(word, variables),
            },
        }
    }

    fn number(&mut self) -> Result<Value> {
        let rest = self.rest.trim_start();
        let is_part = |letter: char| letter.is_ascii_digit() || letter == '-' || letter == '.';
        let (number, rest) = rest.split_at(rest.find(|it| !is_part(it)).unwrap_or(rest.len()));
        self.rest = rest;
        match number.parse::<i64>() {
            Ok(int) => Ok(Value::I64(int)),
            Err(_) => number.parse().map(Value::F64).map_err(|_| format!("{number} is no number")),
        }
    }

    fn call(&mut self, word: &str, variables: &Variables) -> Result<Value> {
        let member = if self.take(".") { self.word() } else { String::new() };
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.take(")") {
            arguments.push(self.expression(variables)?);
            self.take(",");
        }
        let kind = match word {
            "date" => Some(TemporalKind::Date),
            "localtime" => Some(TemporalKind::LocalTime),
            "time" => Some(TemporalKind::Time),
            "localdatetime" => Some(TemporalKind::LocalDateTime),
            "datetime" => Some(TemporalKind::DateTime),
            _ => None,
        };
        let function = match (word, member.as_str(), kind) {
            ("toString", "", _) => {
                let text = temporal::text(&arguments[0], Seconds::Always);
                return Ok(text.map_or(Value::Null, |text| Value::from(text.as_str())));
            }
            ("duration", "", _) => Function::MakeDuration,
            ("duration", "between", _) => Function::DurationBetween(Span::Parts),
            ("duration", "inMonths", _) => Function::DurationBetween(Span::Months),
            ("duration", "inDays", _) => Function::DurationBetween(Span::Days),
            ("duration", "inSeconds", _) => Function::DurationBetween(Span::Seconds),
            ("datetime", "fromepoch", _) => Function::FromEpoch,
            ("datetime", "fromepochmillis", _) => Function::FromEpochMillis,
            (_, "truncate", Some(kind)) => Function::TruncateTemporal(kind),
            (_, "", Some(kind)) if !arguments.is_empty() => Function::MakeTemporal(kind),
            (_, "" | "transaction" | "statement" | "realtime", Some(kind)) => {
                Function::ClockAs(kind)
            }
            _ => return Err(format!("there is no function {word}.{member}")),
        };
        match function {
            Function::MakeTemporal(_) | Function::TruncateTemporal(_) => arguments.push(clock()),
            Function::ClockAs(_) => arguments.insert(0, clock()),
            _ => {}
        }
        message(function.call(&arguments))
    }
}
