//! The records of a result that wait for PULL, as the bytes of their messages.
//!
//! Equal rows are held once with their number.

use std::collections::VecDeque;

use millrace_db::plan::{Notice, WriteCounts};
use millrace_db::{ResultHead, Results};
use millrace_model::{
    Batch, DetachedElements, Error, ErrorKind, MemoryBudget, MemoryShare, Profile, Result, Value,
};
use millrace_wire::bolt::chunks::write_chunked;
use millrace_wire::bolt::packstream::Form;
use millrace_wire::bolt::{Notification, write_plain_record, write_record};

use crate::neo4j::notices::notifications;

/// What a record takes besides its bytes, about.
const RECORD_BYTES: u64 = 16;

/// Records, and what else is known of their result.
pub(super) struct Records {
    pub(super) form: Form,
    /// Whether there was any record.
    pub(super) had_record: bool,
    pub(super) head: ResultHead,
    bytes: Vec<u8>,
    /// How many of the bytes have left.
    used: usize,
    /// Where each record ends, and the number of rows that it stands for.
    ends: VecDeque<(usize, u64)>,
    share: MemoryShare,
    /// Bytes that may be held of a result that does not stream.
    bytes_max: u64,
    streams: bool,
    pub(super) counts: Option<WriteCounts>,
    pub(super) profile: Option<Profile>,
    /// The operators of a query that was explained.
    pub(super) plan: Option<Profile>,
    /// The notifications, if the client wants them.
    pub(super) notifications: Vec<Notification>,
    pub(super) wants_notifications: bool,
}

impl Records {
    pub(super) fn new(form: Form, bytes_max: u64, memory: &MemoryBudget) -> Records {
        Records {
            form,
            had_record: false,
            head: ResultHead::default(),
            bytes: Vec::new(),
            used: 0,
            ends: VecDeque::new(),
            share: memory.share(),
            bytes_max,
            streams: false,
            counts: None,
            profile: None,
            plan: None,
            notifications: Vec::new(),
            wants_notifications: true,
        }
    }

    /// Whether no record waits.
    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes that wait.
    pub(super) fn waiting_bytes(&self) -> usize {
        self.bytes.len() - self.used
    }

    /// From now on all of it is held, within the bytes of an answer.
    pub(super) fn hold(&mut self) {
        self.streams = false;
    }

    /// Moves records behind the bytes of an answer, until `left` of them have left or the answer is long.
    pub(super) fn write(&mut self, out: &mut Vec<u8>, left: &mut u64, bytes_max: usize) {
        while 0 < *left
            && out.len() < bytes_max
            && let Some((end, weight)) = self.ends.front_mut()
        {
            out.extend_from_slice(&self.bytes[self.used..*end]);
            *left -= 1;
            *weight -= 1;
            if *weight == 0 {
                self.used = *end;
                self.ends.pop_front();
            }
        }
        self.compact();
    }

    /// Passes over as many records.
    pub(super) fn discard(&mut self, left: &mut u64) {
        while 0 < *left
            && let Some((end, weight)) = self.ends.front_mut()
        {
            let passed = (*weight).min(*left);
            *left -= passed;
            *weight -= passed;
            if *weight == 0 {
                self.used = *end;
                self.ends.pop_front();
            }
        }
        self.compact();
    }

    fn compact(&mut self) {
        if self.ends.is_empty() {
            self.bytes = Vec::new();
            self.used = 0;
        } else if self.bytes.len() / 2 < self.used {
            self.bytes.drain(..self.used);
            self.ends.iter_mut().for_each(|(end, _)| *end -= self.used);
            self.used = 0;
        }
        // To hold less never fails.
        let _less = self.reserve();
    }

    fn reserve(&self) -> Result<()> {
        self.share.reserve(self.bytes.len() as u64 + self.ends.len() as u64 * RECORD_BYTES)
    }

    fn check_size(&self) -> Result<()> {
        if self.streams || self.waiting_bytes() as u64 <= self.bytes_max {
            return self.reserve();
        }
        let detail = format!(
            "the results take more than {} bytes and are held until the client reads them",
            self.bytes_max
        );
        let help = "request fewer results, or read them in a query that does not write";
        Err(Error::new(ErrorKind::LimitReached, detail).with_help(help))
    }
}

impl Results for Records {
    fn begin(&mut self, streams: bool) {
        self.bytes.clear();
        self.used = 0;
        self.ends.clear();
        self.had_record = false;
        self.head = ResultHead::default();
        (self.counts, self.profile, self.plan) = (None, None, None);
        self.notifications.clear();
        self.streams = streams;
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.head = head.clone();
    }

    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()> {
        let form = self.form;
        for (row, weight) in values.chunks(self.head.width().max(1)).zip(weights) {
            let write = |bytes: &mut Vec<u8>| write_record(bytes, row, elements, form);
            write_chunked(&mut self.bytes, write)?;
            self.ends.push_back((self.bytes.len(), *weight));
        }
        self.had_record |= !weights.is_empty();
        self.check_size()
    }

    fn takes_columns(&self) -> bool {
        true
    }

    fn take_columns(&mut self, columns: &Batch, rows: &[u32], weights: &[u64]) -> Result<()> {
        let form = self.form;
        for (row, weight) in rows.iter().zip(weights) {
            let row = (&columns.columns[..], *row as usize);
            write_chunked(&mut self.bytes, |bytes: &mut Vec<u8>| {
                write_plain_record(bytes, row, form)
            })?;
            self.ends.push_back((self.bytes.len(), *weight));
        }
        self.had_record |= !weights.is_empty();
        self.check_size()
    }

    fn take_write_counts(&mut self, counts: &WriteCounts) {
        self.counts = Some(*counts);
    }

    fn take_notices(&mut self, notices: &[Notice]) {
        if self.wants_notifications {
            self.notifications = notifications(notices);
        }
    }

    fn take_explanation(&mut self, text: &str, tree: Option<&Profile>) -> Result<()> {
        self.plan = Some(tree.cloned().unwrap_or_else(|| Profile::of_text(text)));
        Ok(())
    }

    fn takes_rows_beside_profile(&self) -> bool {
        true
    }

    fn take_profile(&mut self, profile: &Profile) -> Result<()> {
        self.profile = Some(profile.clone());
        Ok(())
    }
}
