//! `Sample`, `Coin`, `Random`: random numbers for each single row, in the order of the rows.
//!
//! All input first: random numbers are an effect, and those of a scope must not depend on how its
//! rows came in batches. A sample is the rows with the least numbers, which any order of looking
//! would find.

use std::collections::BinaryHeap;
use std::sync::Arc;

use millrace_model::{Batch, Column, ColumnValues, Error, ErrorKind, Result};
use millrace_plan::{RandomKind, op};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::{Exprs, Operand};
use crate::limits;
use crate::pipeline::{Completing, Keep, Upstream, Whole, add};
use crate::run::{Charge, RandomStream, Run, single_rows};

pub(crate) struct Random {
    stream: u32,
    what: What,
    keep: Keep,
}

/// The use of the random numbers.
pub(crate) enum What {
    /// Which rows of a scope are kept.
    Sample(u64),
    /// Whether a row is kept.
    Coin(Exprs),
    /// A number beside each row, if it is read later.
    Number { live: bool },
}

impl Random {
    fn numbered(&self, batch: &Batch, live: bool, numbers: &mut Numbers<'_>) -> Result<Batch> {
        let rows = single_rows(batch, numbers.run)?;
        let mut column = Vec::with_capacity(rows.len);
        for _ in 0..rows.len {
            numbers.check()?;
            column.push(numbers.stream.next_share());
        }
        let mut rows = self.keep.same(rows);
        if live {
            add(&mut rows, Column::of(ColumnValues::F64(column)));
        }
        Ok(rows)
    }

    /// The rows with these weights; rows of weight 0 are removed.
    fn with_weights(&self, batch: &Batch, kept: &[u64]) -> Batch {
        let rows: Vec<u32> = (0..batch.len as u32).filter(|&row| 0 < kept[row as usize]).collect();
        let weights = || Arc::new(rows.iter().map(|&row| kept[row as usize]).collect());
        let weights = batch.weights.is_some().then(weights);
        Batch { weights, ..self.keep.take(batch, &rows) }
    }
}

/// A random stream that stops at the deadline.
struct Numbers<'d> {
    stream: RandomStream,
    run: &'d Run<'d>,
    unchecked: usize,
}

impl Numbers<'_> {
    fn check(&mut self) -> Result<()> {
        self.unchecked += 1;
        if limits::CHECK_NEIGHBOURS < self.unchecked {
            self.unchecked = 0;
            return self.run.context.guard().check();
        }
        Ok(())
    }
}

/// How much of the weight of each row is among the `count` least random numbers of its scope.
fn sampled(
    batch: &Batch,
    count: u64,
    numbers: &mut Numbers<'_>,
    charge: &mut Charge,
) -> Result<Vec<u64>> {
    let mut kept = vec![0; batch.len];
    let mut start = 0;
    while start < batch.len {
        let scope = batch.ordinal(start);
        let rows = (start..batch.len).take_while(|&row| batch.ordinal(row) == scope);
        // The greatest on top; of equal numbers the earlier row stays.
        let mut least: BinaryHeap<(u64, u64, usize)> = BinaryHeap::new();
        let mut place = 0;
        for row in rows {
            for _ in 0..batch.weight(row) {
                numbers.check()?;
                least.push((numbers.stream.next(), place, row));
                place += 1;
                if count < least.len() as u64 {
                    least.pop();
                }
            }
            charge.set((least.len() * size_of::<(u64, u64, usize)>()) as u64, numbers.run)?;
            start = row + 1;
        }
        least.into_iter().for_each(|(_, _, row)| kept[row] += 1);
    }
    charge.release(numbers.run);
    Ok(kept)
}

/// How much of the weight of each row is kept, each single row by its own random number.
fn thrown(batch: &Batch, probability: &Operand, numbers: &mut Numbers<'_>) -> Result<Vec<u64>> {
    let mut kept = vec![0; batch.len];
    for (row, kept) in kept.iter_mut().enumerate() {
        let value = probability.value(row);
        let Some(probability) = value.as_double().or(value.is_null().then_some(0.0)) else {
            let kind = value.type_name();
            let detail = format!("a probability is a number, and this is a {kind}");
            return Err(Error::new(ErrorKind::BadQuery, detail));
        };
        for _ in 0..batch.weight(row) {
            numbers.check()?;
            *kept += u64::from(numbers.stream.next_share() < probability);
        }
    }
    Ok(kept)
}

impl Whole for Random {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let Some(batch) = input.read_scopes(charge, run)? else { return Ok(Batch::default()) };
        let mut numbers = Numbers { stream: run.stream(self.stream), run, unchecked: 0 };
        let rows = match &self.what {
            What::Sample(count) => {
                let kept = sampled(&batch, *count, &mut numbers, &mut Charge::default())?;
                self.with_weights(&batch, &kept)
            }
            What::Coin(probability) => {
                let probability = probability.evaluate_one(&batch, run)?;
                let kept = thrown(&batch, &probability, &mut numbers)?;
                self.with_weights(&batch, &kept)
            }
            What::Number { live } => self.numbered(&batch, *live, &mut numbers)?,
        };
        run.leave(self.stream, &numbers.stream);
        Ok(rows)
    }
}

impl Compile for op::Random {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [live]) = place.keep_and([self.made()]);
        let what = match &self.kind {
            RandomKind::Sample { count } => What::Sample(*count),
            RandomKind::Coin { probability } => {
                What::Coin(compiler.exprs(place.layout, [probability])?)
            }
            RandomKind::Number { .. } => What::Number { live },
        };
        Ok((Box::new(Completing::new(Random { stream: self.stream, what, keep })), after))
    }
}
