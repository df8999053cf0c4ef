//! The cheapest ways where only so many of them may wait: round by round, as the operator's fields say.

use std::collections::BTreeSet;

use millrace_model::{Result, Value, VertexId};
use millrace_plan::PathPattern;

use super::Oracle;
use super::cell::{Cell, Row};
use super::paths::{Taken, Way, is_long_enough, may_be_longer, within_bounds};

/// A way that waits, with the number of each edge among those that its step could walk: list order.
struct Open {
    way: Way,
    numbers: Vec<usize>,
}

impl Oracle<'_> {
    pub(super) fn best_first(
        &self,
        (path, most): (&PathPattern, u64),
        start: VertexId,
        into: Option<&Cell>,
        row: &Row,
    ) -> Result<Vec<Way>> {
        let near = self.near(path, start, row)?;
        let is_end = |end: &Value| into.is_none_or(|into| *into == Cell::Value(end.clone()));
        let mut waiting = vec![Open { way: Way::start(start), numbers: Vec::new() }];
        let (mut found, mut taken, mut made) = (Vec::new(), Taken::default(), 0);
        let mut gone_from: BTreeSet<Value> = BTreeSet::new();
        while !waiting.is_empty() {
            let mut going_on = Vec::new();
            for open in first_in_order(&mut waiting) {
                let length = open.way.edges.len() as u64;
                if is_long_enough(path, length)
                    && is_end(&open.way.end())
                    && self.is_asked_for(path, &open.way, row)?
                    && taken.takes(path.ways, &open.way)
                {
                    found.push(open.way.clone());
                }
                let is_first = gone_from.insert(open.way.end()) || !path.goes_on_once();
                going_on.extend((is_first && may_be_longer(path, length)).then_some(open));
            }
            for open in going_on {
                let longer = self.longer((path, near.as_ref()), &open.way, row)?;
                for (number, way) in longer.into_iter().enumerate() {
                    let end = way.end();
                    let in_vain = path.goes_on_once()
                        && gone_from.contains(&end)
                        && (!is_end(&end) || taken.has(&end));
                    if !in_vain && path.most.is_none_or(|most| way.cost <= most) {
                        let numbers = open.numbers.iter().copied().chain([number]).collect();
                        waiting.push(Open { way, numbers });
                        made += 1;
                    }
                }
            }
            within_bounds(made)?;
            // Stable: of one cost and length those that were made first stay first.
            waiting.sort_by(|left, right| left.way.order(&right.way));
            waiting.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        }
        Ok(found)
    }
}

/// Takes the ways of the least cost and length, in list order.
fn first_in_order(waiting: &mut Vec<Open>) -> Vec<Open> {
    // They are sorted by cost and length.
    let count = waiting.iter().take_while(|open| open.way.order(&waiting[0].way).is_eq()).count();
    let mut first: Vec<Open> = waiting.drain(..count).collect();
    first.sort_by(|left, right| left.numbers.cmp(&right.numbers));
    first
}
