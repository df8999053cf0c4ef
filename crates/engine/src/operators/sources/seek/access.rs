//! Which access to the store an operator made in a profiled run: by an index, by a scan, or by both.

use crate::run::Run;

/// The access since the counters were set back.
#[derive(Debug, Default)]
pub(crate) struct Access {
    scanned: bool,
    /// The indexes by their owners and keys, in the order of their first use.
    indexes: Vec<String>,
}

impl Access {
    /// A scan was used.
    pub(crate) fn scan(&mut self, run: &Run<'_>) {
        self.scanned |= run.profiled;
    }

    /// An index was used; its name is made in a profiled run alone.
    pub(crate) fn index(&mut self, run: &Run<'_>, name: impl FnOnce() -> String) {
        if run.profiled {
            let name = name();
            if !self.indexes.contains(&name) {
                self.indexes.push(name);
            }
        }
    }

    /// The label of a scan with the access it made instead of the possible ones:
    /// `Index (A.iata) v, equal iata` or `Scan (A) v`. `None` where it did not run.
    pub(crate) fn of_scan(&self, label: &str) -> Option<String> {
        let (scan, keys) = label.split_once(OR_INDEX)?;
        let column = scan.rsplit_once(' ').map_or(scan, |(_, column)| column);
        let index = || format!("Index ({})", self.indexes.join(", "));
        match (self.indexes.is_empty(), self.scanned) {
            (true, false) => None,
            (true, true) => Some(scan.to_owned()),
            (false, false) => Some(format!("{} {column}, {keys}", index())),
            (false, true) => Some(format!("{} and {scan}, {keys}", index())),
        }
    }

    /// The label of a seek, followed by the access it made. `None` where it did not run.
    pub(crate) fn of_seek(&self, label: &str) -> Option<String> {
        let indexes = (!self.indexes.is_empty()).then(|| self.indexes.join(", "));
        match (indexes, self.scanned) {
            (None, false) => None,
            (None, true) => Some(format!("{label} (Scan)")),
            (Some(indexes), false) => Some(format!("{label} (Index {indexes})")),
            (Some(indexes), true) => Some(format!("{label} (Index {indexes} and Scan)")),
        }
    }
}

/// The separator in a scan's label, before the keys that an index may be asked for.
pub(crate) const OR_INDEX: &str = ", or an index: ";
