//! The operators that go on for several edges or rounds, or have a body of their own.

use std::collections::BTreeMap;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::{ColumnId, JoinKind, Op, Pipeline, Repeat, RoundPlace, RoundTest};

use super::Oracle;
use super::cell::{Cell, Row};
use super::operators::{first, groups};
use crate::limits;

impl Oracle<'_> {
    /// A subplan of a scope of its own.
    pub(super) fn run_apart(&mut self, sub: &Pipeline, rows: Vec<Row>) -> Result<Vec<Row>> {
        self.seen.push(None);
        let result = self.run(sub, rows);
        self.seen.pop();
        result
    }

    pub(super) fn dedup(
        &mut self,
        op: &Op,
        columns: &[ColumnId],
        rows: Vec<Row>,
    ) -> Result<Vec<Row>> {
        let firsts: Vec<Row> = groups(rows, columns)?.into_iter().map(first).collect();
        let Some(Some(seen)) = self.seen.last_mut() else { return Ok(firsts) };
        let seen = seen.entry(op).or_default();
        let mut fresh = Vec::new();
        for row in firsts {
            if seen.insert(row.pick(columns)?) {
                fresh.push(row);
            }
        }
        Ok(fresh)
    }

    pub(super) fn repeat(&mut self, repeat: &Repeat, rows: &[Row]) -> Result<Vec<Row>> {
        let start = rows.iter().map(|row| {
            let carried = repeat.columns.iter();
            carried.map(|carried| Ok((carried.to, row.get(carried.from)?))).collect()
        });
        let mut left: Vec<Row> = start.collect::<Result<_>>()?;
        self.seen.push(Some(BTreeMap::new()));
        let result = self.rounds(repeat, &mut left);
        self.seen.pop();
        result
    }

    fn rounds(&mut self, repeat: &Repeat, left: &mut Vec<Row>) -> Result<Vec<Row>> {
        let mut emitted = Vec::new();
        for done in 0.. {
            if repeat.times == Some(done) {
                emitted.append(left);
            } else {
                self.ask(repeat, RoundPlace::Before, done, left, &mut emitted)?;
            }
            if left.is_empty() {
                return Ok(emitted);
            }
            if limits::ORACLE_ROWS_MAX < emitted.len() + done as usize {
                let detail = "the oracle runs no more rounds";
                return Err(Error::new(ErrorKind::LimitReached, detail));
            }
            let counted = left.drain(..).map(|row| counted(repeat, &row, done)).collect();
            for row in self.run(&repeat.body, counted)? {
                let next = repeat.columns.iter();
                let next = next.map(|carried| Ok((carried.to, row.get(carried.next)?)));
                left.push(next.collect::<Result<_>>()?);
            }
            if repeat.times != Some(done + 1) {
                self.ask(repeat, RoundPlace::After, done + 1, left, &mut emitted)?;
            }
        }
        Ok(emitted)
    }

    fn ask(
        &self,
        repeat: &Repeat,
        place: RoundPlace,
        done: u64,
        left: &mut Vec<Row>,
        emitted: &mut Vec<Row>,
    ) -> Result<()> {
        let holds = |test: &Option<RoundTest>, row: &Row| match test {
            Some(test) if test.place == place => {
                self.holds(&test.holds, &counted(repeat, row, done))
            }
            Some(_) | None => Ok(false),
        };
        for row in std::mem::take(left) {
            if holds(&repeat.until, &row)? {
                emitted.push(row);
                continue;
            }
            if holds(&repeat.emit, &row)? {
                emitted.push(row.clone());
            }
            left.push(row);
        }
        Ok(())
    }

    pub(super) fn group(
        &mut self,
        keys: &[ColumnId],
        sub: &Pipeline,
        rows: Vec<Row>,
    ) -> Result<Vec<Row>> {
        let made: Vec<ColumnId> =
            sub.made_columns().into_iter().filter(|column| !keys.contains(column)).collect();
        let mut result = Vec::new();
        for group in groups(rows, keys)? {
            let key = group[0].only(keys)?;
            for row in self.run_apart(sub, group)? {
                result.push(key.extended(&row.only(&made)?));
            }
        }
        Ok(result)
    }

    pub(super) fn join(
        &mut self,
        right: &Pipeline,
        kind: JoinKind,
        on: &[(ColumnId, ColumnId)],
        rows: &[Row],
    ) -> Result<Vec<Row>> {
        let others = self.run_apart(right, vec![Row::default()])?;
        let mut result = Vec::new();
        for row in rows {
            let mut agreeing = Vec::new();
            for other in &others {
                let agrees = |(left, right): &(ColumnId, ColumnId)| {
                    let (left, right) = (row.get(*left)?, other.get(*right)?);
                    Ok(left.present().is_some() && left == right)
                };
                let agrees: Vec<bool> = on.iter().map(agrees).collect::<Result<_>>()?;
                agreeing.extend(agrees.into_iter().all(|agrees| agrees).then_some(other));
            }
            let alone = agreeing.is_empty();
            match kind {
                JoinKind::Left if alone => {
                    result.push(row.clone().filled(right.made_columns()));
                }
                JoinKind::Inner | JoinKind::Left => {
                    result.extend(agreeing.into_iter().map(|other| row.extended(other)));
                }
                JoinKind::Semi => result.extend((!alone).then(|| row.clone())),
                JoinKind::Anti => result.extend(alone.then(|| row.clone())),
            }
        }
        Ok(result)
    }
}

fn counted(repeat: &Repeat, row: &Row, done: u64) -> Row {
    row.with_wanted(repeat.rounds, Cell::Value(Value::I64(done as i64)))
}
