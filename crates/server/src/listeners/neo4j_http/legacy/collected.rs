//! The rows of a result as values, within the bytes of an answer.

use std::sync::Arc;

use millrace_db::plan::WriteCounts;
use millrace_db::{ResultHead, Results};
use millrace_model::{
    DetachedElements, Error, ErrorKind, MemoryBudget, MemoryShare, Profile, Result, Value,
};
use millrace_wire::neo4j_http::legacy::StatementRows;

/// Rows so far.
pub(super) struct Collected {
    rows: StatementRows,
    width: usize,
    bytes: u64,
    bytes_max: u64,
    share: MemoryShare,
}

impl Collected {
    pub(super) fn new(bytes_max: u64, memory: &MemoryBudget) -> Collected {
        let rows = StatementRows::default();
        Collected { rows, width: 1, bytes: 0, bytes_max, share: memory.share() }
    }

    pub(super) fn into_rows(self) -> StatementRows {
        self.rows
    }

    fn charge(&mut self, values: &[Value]) -> Result<()> {
        let bytes: usize = values.iter().map(Value::byte_size).sum();
        self.bytes = self.bytes.saturating_add(bytes as u64);
        if self.bytes <= self.bytes_max {
            return self.share.reserve(self.bytes);
        }
        let detail = format!("the results take more than {} bytes", self.bytes_max);
        let help = "request fewer results, or read them over Bolt, which streams them";
        Err(Error::new(ErrorKind::LimitReached, detail).with_help(help))
    }
}

impl Results for Collected {
    fn begin(&mut self, _streams: bool) {
        self.rows = StatementRows::default();
        (self.width, self.bytes) = (1, 0);
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.width = head.width();
        self.rows.columns = head.columns.as_ref().map(|own| own.to_vec()).unwrap_or_default();
    }

    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()> {
        for (row, weight) in values.chunks(self.width.max(1)).zip(weights) {
            for repeated in 0..*weight {
                // Equal rows are few, or so many that they do not fit.
                if 0 < repeated {
                    self.charge(row)?;
                }
                self.rows.values.extend_from_slice(row);
            }
        }
        self.charge(values)?;
        let all = &mut self.rows.elements;
        let of_vertices = elements.vertices.iter().map(|(id, own)| (*id, Arc::clone(own)));
        all.vertices.extend(of_vertices);
        all.labels.extend(elements.labels.iter().map(|(id, own)| (*id, Arc::clone(own))));
        all.edges.extend(elements.edges.iter().map(|(id, own)| (*id, Arc::clone(own))));
        let of_properties = elements.properties.iter();
        all.properties.extend(of_properties.map(|(id, own)| (id.clone(), Arc::clone(own))));
        Ok(())
    }

    fn take_write_counts(&mut self, counts: &WriteCounts) {
        self.rows.counts = counts.each().to_vec();
    }

    fn take_explanation(&mut self, text: &str, _tree: Option<&Profile>) -> Result<()> {
        self.take_head(&ResultHead { only_reads: true, ..ResultHead::default() });
        self.take(&[Value::from(text)], &[1], &DetachedElements::default())
    }

    fn take_profile(&mut self, _profile: &Profile) -> Result<()> {
        let error = Error::new(ErrorKind::Unsupported, "PROFILE by this interface");
        Err(error.with_help("send the query to /db/NAME/tx/commit"))
    }
}
