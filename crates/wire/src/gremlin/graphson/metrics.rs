//! The measurements of a traversal and its steps: maps with types of their own.
//!
//! Times are milliseconds here, nanoseconds in GraphBinary.

use std::sync::Arc;

use millrace_model::{Result, Value};

use super::super::datum::{Datum, Metrics, TraversalMetrics};
use super::json::{Json, bad};
use super::read::datum;
use super::write::Writer;

/// Nanoseconds of a millisecond, in which the format says how long a step took.
const MILLISECOND_NANOS: f64 = 1e6;

/// The entries of a map, whatever form it has.
fn entries(json: &Json) -> Result<Vec<(Datum, Datum)>> {
    match datum(json)? {
        Datum::Map(pairs) => Ok(pairs),
        Datum::Value(Value::Map(pairs)) => {
            let datum = |value: &Value| Datum::Value(value.clone());
            Ok(pairs.iter().map(|(key, value)| (datum(key), datum(value))).collect())
        }
        other => Err(bad(format!("expected a map, and found a {}", other.type_name()))),
    }
}

fn named(json: &Json) -> Result<Vec<(Arc<str>, Datum)>> {
    let named = |(key, datum): (Datum, Datum)| match key.value() {
        Some(Value::String(key)) => Ok((key, datum)),
        _ => Err(bad("a name is a string")),
    };
    entries(json)?.into_iter().map(named).collect()
}

fn nanos(datum: Datum) -> Result<i64> {
    let millis = datum.value().and_then(|value| value.as_double());
    let millis = millis.ok_or_else(|| bad("`dur` is a number of milliseconds"))?;
    Ok((millis * MILLISECOND_NANOS).round() as i64)
}

fn steps(datum: Datum) -> Result<Vec<Metrics>> {
    let steps = match datum {
        Datum::List(data) => data,
        Datum::Value(Value::List(values)) if values.is_empty() => Vec::new(),
        other => return Err(bad(format!("`metrics` is a list, and no {}", other.type_name()))),
    };
    let step = |datum| match datum {
        Datum::Metrics(metrics) => Ok(*metrics),
        other => Err(bad(format!("expected metrics, and found a {}", other.type_name()))),
    };
    steps.into_iter().map(step).collect()
}

fn map_of(datum: Datum) -> Result<Vec<(Value, Value)>> {
    match datum {
        Datum::Value(Value::Map(pairs)) => Ok(pairs.to_vec()),
        other => Err(bad(format!("expected a map of values, and found a {}", other.type_name()))),
    }
}

pub(super) fn metrics(json: &Json) -> Result<Metrics> {
    let mut metrics = Metrics::default();
    for (key, datum) in named(json)? {
        let text = |datum: Datum| match datum.value() {
            Some(Value::String(text)) => Ok(text),
            _ => Err(bad("the name of a step is a string")),
        };
        match &*key {
            "id" => metrics.id = text(datum)?,
            "name" => metrics.name = text(datum)?,
            "dur" => metrics.nanos = nanos(datum)?,
            "counts" => {
                let count = |(key, count): (Value, Value)| match (key, count.as_int()) {
                    (Value::String(key), Some(count)) => Ok((key, count)),
                    _ => Err(bad("counts of a step are integers by name")),
                };
                metrics.counts = map_of(datum)?.into_iter().map(count).collect::<Result<_>>()?;
            }
            "annotations" => metrics.annotations = map_of(datum)?,
            "metrics" => metrics.nested = steps(datum)?,
            _ => {}
        }
    }
    Ok(metrics)
}

pub(super) fn traversal_metrics(json: &Json) -> Result<Datum> {
    let mut metrics = TraversalMetrics::default();
    for (key, datum) in named(json)? {
        match &*key {
            "dur" => metrics.nanos = nanos(datum)?,
            "metrics" => metrics.operators = steps(datum)?,
            _ => {}
        }
    }
    Ok(Datum::TraversalMetrics(Box::new(metrics)))
}

impl Writer {
    pub(super) fn metrics(&mut self, metrics: &Metrics) -> Result<()> {
        let counts = metrics.counts.iter();
        let counts = counts.map(|(key, count)| (Value::String(key.clone()), Value::I64(*count)));
        let mut entries = vec![
            ("dur", millis(metrics.nanos)),
            ("counts", Datum::Value(Value::map(counts.collect()))),
            ("name", Datum::Value(Value::String(metrics.name.clone()))),
            ("annotations", Datum::Value(Value::map(metrics.annotations.clone()))),
            ("id", Datum::Value(Value::String(metrics.id.clone()))),
        ];
        if !metrics.nested.is_empty() {
            entries.push(("metrics", all(&metrics.nested)));
        }
        self.entries("g:Metrics", entries)
    }

    pub(super) fn traversal_metrics(&mut self, metrics: &TraversalMetrics) -> Result<()> {
        let entries = vec![("dur", millis(metrics.nanos)), ("metrics", all(&metrics.operators))];
        self.entries("g:TraversalMetrics", entries)
    }

    fn entries(&mut self, name: &str, entries: Vec<(&str, Datum)>) -> Result<()> {
        let named = |(key, datum)| (Datum::Value(Value::from(key)), datum);
        self.begin(name);
        self.datum(&Datum::Map(entries.into_iter().map(named).collect()))?;
        self.end();
        Ok(())
    }
}

fn millis(nanos: i64) -> Datum {
    Datum::Value(Value::F64(nanos as f64 / MILLISECOND_NANOS))
}

fn all(metrics: &[Metrics]) -> Datum {
    Datum::List(metrics.iter().cloned().map(|metrics| Datum::Metrics(Box::new(metrics))).collect())
}
