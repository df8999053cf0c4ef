//! The rows of a result as JSON, until the answer is sent: all of them, within the bytes of an answer.

use std::sync::Arc;

use millrace_db::plan::{Notice, WriteCounts};
use millrace_db::{ResultHead, Results};
use millrace_model::{
    DetachedElements, Error, ErrorKind, MemoryBudget, MemoryShare, Profile, Result, Value,
};
use millrace_wire::bolt::Notification;
use millrace_wire::neo4j_http::{
    Form, Plan, QueryReply, StatementReply, TransactionForm, query_counters, query_reply,
    statement_reply, transaction_counters, write_row,
};

use crate::neo4j::notices::notifications;

/// The column of a language with single values as rows.
const COLUMN: &str = "value";

/// The rows, and what else is known of their result.
pub(super) struct Rows {
    form: Form,
    /// The address of the interface of older versions, for the form that has addresses.
    base: String,
    head: ResultHead,
    /// Whether the head has come, so that the columns are known.
    has_head: bool,
    /// With the separators of the form between them.
    text: String,
    share: MemoryShare,
    bytes_max: u64,
    counts: Option<WriteCounts>,
    plan: Option<Plan>,
    /// The notifications.
    notifications: Vec<Notification>,
}

impl Rows {
    pub(super) fn new((form, base): (Form, String), bytes_max: u64, memory: &MemoryBudget) -> Rows {
        Rows {
            form,
            base,
            head: ResultHead::default(),
            has_head: false,
            text: String::new(),
            share: memory.share(),
            bytes_max,
            counts: None,
            plan: None,
            notifications: Vec::new(),
        }
    }

    fn columns(&self) -> Arc<[Arc<str>]> {
        match &self.head.columns {
            Some(columns) => Arc::clone(columns),
            None if self.plan.is_some() => Arc::new([]),
            None => Arc::new([Arc::from(COLUMN)]),
        }
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.counts.as_ref().map(|counts| counts.each().to_vec()).unwrap_or_default()
    }

    /// The body of an answer of the Query API.
    pub(super) fn query_reply(&self, has_counters: bool, bookmark: Option<&str>) -> String {
        query_reply(&QueryReply {
            columns: &self.columns(),
            rows: &self.text,
            counters: has_counters.then(|| query_counters(&self.counters())),
            plan: self.plan.as_ref(),
            notifications: &self.notifications,
            bookmark,
        })
    }

    /// The result of a statement of a transaction.
    pub(super) fn statement_reply(&self, has_stats: bool) -> String {
        statement_reply(
            self.transaction_form(),
            &StatementReply {
                columns: &self.columns(),
                rows: &self.text,
                stats: has_stats.then(|| transaction_counters(&self.counters())),
                plan: self.plan.as_ref(),
                is_partial: false,
            },
        )
    }

    /// Its notifications.
    pub(super) fn into_notifications(self) -> Vec<Notification> {
        self.notifications
    }

    /// The result of one that failed: the rows that it had; `None` if it failed before it had columns.
    pub(super) fn partial_reply(&self) -> Option<String> {
        let columns = self.has_head.then(|| self.columns())?;
        let reply = StatementReply {
            columns: &columns,
            rows: &self.text,
            is_partial: true,
            ..StatementReply::default()
        };
        Some(statement_reply(self.transaction_form(), &reply))
    }

    fn transaction_form(&self) -> TransactionForm {
        match self.form {
            Form::Jolt(jolt) => TransactionForm::Jolt(jolt),
            Form::Plain | Form::Typed | Form::Transaction(_) => TransactionForm::Json,
        }
    }

    fn check_size(&self) -> Result<()> {
        let bytes = self.text.len() as u64;
        if bytes <= self.bytes_max {
            return self.share.reserve(bytes);
        }
        let detail = format!("the results take more than {} bytes", self.bytes_max);
        let help = "request fewer results, or read them over Bolt, which streams them";
        Err(Error::new(ErrorKind::LimitReached, detail).with_help(help))
    }
}

impl Results for Rows {
    fn begin(&mut self, _streams: bool) {
        self.text.clear();
        self.head = ResultHead::default();
        self.has_head = false;
        (self.counts, self.plan) = (None, None);
        self.notifications.clear();
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.head = head.clone();
        self.has_head = true;
    }

    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()> {
        for (row, weight) in values.chunks(self.head.width().max(1)).zip(weights) {
            if !self.text.is_empty() {
                self.text.push_str(self.form.separator());
            }
            let start = self.text.len();
            write_row(&mut self.text, row, elements, (self.form, &self.base))?;
            let end = self.text.len();
            for _ in 1..*weight {
                self.text.push_str(self.form.separator());
                self.text.extend_from_within(start..end);
                self.check_size()?;
            }
        }
        self.check_size()
    }

    fn take_write_counts(&mut self, counts: &WriteCounts) {
        self.counts = Some(*counts);
    }

    fn take_notices(&mut self, notices: &[Notice]) {
        self.notifications = notifications(notices);
    }

    fn take_explanation(&mut self, text: &str, tree: Option<&Profile>) -> Result<()> {
        let tree = tree.cloned().unwrap_or_else(|| Profile::of_text(text));
        self.plan = Some(Plan { operators: tree, is_profile: false });
        Ok(())
    }

    fn takes_rows_beside_profile(&self) -> bool {
        true
    }

    fn take_profile(&mut self, profile: &Profile) -> Result<()> {
        self.plan = Some(Plan { operators: profile.clone(), is_profile: true });
        Ok(())
    }
}
