//! Statements from a file into a new folder, with a schema: all of them and their indexes are durable and visible at the
//! end.

use millrace_model::{Error, ErrorKind, Result};

use super::published::{FILE, Indexes, Published, load};
use super::within_memory;
use crate::data::Scratch;
use crate::experiments::loads;
use crate::experiments::measurement::Conditions;
use crate::measure;
use crate::process::Meter;
use crate::report::{Row, Unit};

/// The memory that a load may use.
const MEMORY_MAX: f64 = 8e9;

/// Loads in turn with the reference.
const RUNS: usize = 3;

/// With `exact` and `year`; the reference is `load.quads`.
pub(super) fn exact(conditions: &Conditions) -> Result<Row> {
    loaded(conditions, "films.load", Indexes::ExactAndYear)
}

/// With all indexes of the generated schema.
pub(super) fn all(conditions: &Conditions) -> Result<Row> {
    loaded(conditions, "films.load.indexed", Indexes::All)
}

fn loaded(conditions: &Conditions, name: &str, indexes: Indexes) -> Result<Row> {
    let films = Published { xids: false, ..Published::of(conditions.scale, indexes) };
    let files = films.files(&conditions.data)?;
    let schema = films.schema(&files)?;
    let meter = Meter::start();
    let (mut rates, mut references, mut rows) = (Vec::new(), Vec::new(), None);
    for _ in 0..conditions.seconds.map_or(RUNS, |_| 1) {
        let folder = Scratch::empty(&conditions.data, name)?;
        let loaded = load(&[&files.join(FILE)], &schema, folder.path())?;
        let found = loaded.summary.rows;
        if rows.replace(found).is_some_and(|before| before != found) {
            let detail = format!("a load of the same file has {found} rows and had {rows:?}");
            return Err(Error::new(ErrorKind::Bug, detail));
        }
        rates.push(found as f64 / loaded.seconds);
        references.push(loads::quads(conditions)?.value);
    }
    let row = Row::new(measure::median(rates), Unit::PerSecond)
        .beside(measure::median(references))
        .with("rows", rows.unwrap_or_default() as f64, Unit::Count)
        .with_figures(meter.figures());
    Ok(within_memory(row, MEMORY_MAX))
}
