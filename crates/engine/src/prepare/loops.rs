//! Operators with a body of their own beside `Apply` and `Union`, to stages.

use millrace_model::Result;
use millrace_plan::analysis::live_in_rounds;
use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, JoinKind, Op, Pipeline as Subplan, Repeat as Rounded, RoundTest};

use super::compiler::{Compiled, Compiler, Goal, Place, Placed, Purpose, bug};
use super::layout::{keep, live_in};
use crate::expressions::slot_of;
use crate::names::EdgeTypes;
use crate::operators::{
    ApplyResult, Completing, Group, Join, Keep, PathBounds, PathExpand, Repeat, Rounds, Test, Walk,
    Wanted,
};

impl Compiler<'_> {
    /// A `PathExpand`, `Join`, `Group` or `Repeat`.
    pub(super) fn looping(&self, op: &Op, place: &Place<'_>) -> Result<Placed> {
        if let Op::PathExpand { path, edges, to } = op {
            let (keep, after, [edge, to]) = place.keep_and([*edges, *to]);
            let types = EdgeTypes::new(path.types.as_deref());
            let walk = Walk::new(types, path.direction, path.loops);
            let from = self.slot(place.layout, path.from)?;
            let into = path.into.map(|into| self.slot(place.layout, into)).transpose()?;
            let bounds = PathBounds { ways: path.ways, min: path.min, max: path.max };
            let wanted = Wanted { edge, to };
            let path = PathExpand::new((from, into), walk, bounds, wanted, keep);
            return Ok((Box::new(path), after));
        }
        if let Op::Join { right, kind, on } = op {
            return self.join(right, *kind, on, place);
        }
        if let Op::Group { keys, sub } = op {
            return self.group(keys, sub, place);
        }
        match op.repeat() {
            Some(repeat) => self.repeat(repeat, place),
            None => Err(bug("an operator without a body was compiled as one that has one")),
        }
    }

    fn join(
        &self,
        right: &Subplan,
        kind: JoinKind,
        on: &[(ColumnId, ColumnId)],
        place: &Place<'_>,
    ) -> Result<Placed> {
        let (left_keys, right_keys): (Vec<ColumnId>, Vec<ColumnId>) = on.iter().copied().unzip();
        let made = right.made_columns().into_iter();
        let wanted: ColumnSet = match kind {
            JoinKind::Inner | JoinKind::Left => {
                made.filter(|column| place.live.contains(column)).collect()
            }
            JoinKind::Semi | JoinKind::Anti => ColumnSet::new(),
        };
        let live = &wanted | &right_keys.iter().copied().collect();
        let goal = Goal {
            live: &live,
            order: &place.inside[0],
            purpose: Purpose::Collected,
            in_round: false,
        };
        let Compiled { pipeline, layout } = self.pipeline(&right.ops, Vec::new(), &goal)?;
        let (keep, mut after) = place.keep();
        let slots: Vec<usize> =
            (0..layout.len()).filter(|&slot| wanted.contains(&layout[slot])).collect();
        after.extend(slots.iter().map(|&slot| layout[slot]));
        let result = match kind {
            JoinKind::Inner => ApplyResult::Flat { optional: false, slots },
            JoinKind::Left => ApplyResult::Flat { optional: true, slots },
            JoinKind::Semi => ApplyResult::Exists { wanted: true },
            JoinKind::Anti => ApplyResult::Exists { wanted: false },
        };
        let on = (self.slots(place.layout, &left_keys)?, self.slots(&layout, &right_keys)?);
        let join = Join::new((pipeline, layout.len()), on, keep, result);
        Ok((Box::new(join), after))
    }

    fn group(&self, keys: &[ColumnId], sub: &Subplan, place: &Place<'_>) -> Result<Placed> {
        let made = sub.made_columns().into_iter();
        let live: ColumnSet =
            made.filter(|column| place.live.contains(column) && !keys.contains(column)).collect();
        let (enter, layout) = keep(place.layout, &live_in(&sub.ops, &live));
        let goal = Goal {
            live: &live,
            order: &place.inside[0],
            purpose: Purpose::Collected,
            in_round: false,
        };
        let Compiled { pipeline, layout } = self.pipeline(&sub.ops, layout, &goal)?;
        let live_keys = place.live & &keys.iter().copied().collect();
        let (kept, mut after) = keep(place.layout, &live_keys);
        let slots: Vec<usize> =
            (0..layout.len()).filter(|&slot| live.contains(&layout[slot])).collect();
        after.extend(slots.iter().map(|&slot| layout[slot]));
        let result = ApplyResult::Flat { optional: false, slots };
        let keys = self.slots(place.layout, keys)?;
        let group = Group::new(keys, (pipeline, layout.len()), (enter, kept), result);
        Ok((Box::new(Completing::new(group)), after))
    }

    fn repeat(&self, repeat: &Rounded, place: &Place<'_>) -> Result<Placed> {
        // A body need not keep what nobody reads.
        let read = live_in_rounds(repeat, place.live);
        let columns = || repeat.columns.iter().filter(|carried| read.contains(&carried.to));
        let start: Vec<ColumnId> = columns().map(|carried| carried.from).collect();
        let next: Vec<ColumnId> = columns().map(|carried| carried.next).collect();
        let carried: Vec<ColumnId> = columns().map(|carried| carried.to).collect();
        let mut layout = carried.clone();
        layout.extend(repeat.rounds);
        let live: ColumnSet = next.iter().copied().collect();
        let goal = Goal {
            live: &live,
            order: &place.inside[0],
            purpose: Purpose::Collected,
            in_round: true,
        };
        let test = |test: &Option<RoundTest>| -> Result<Option<Test>> {
            let Some(RoundTest { holds, place }) = test else { return Ok(None) };
            Ok(Some(Test { holds: self.exprs(&layout, [holds])?, place: *place }))
        };
        let rounds = Rounds {
            start: Keep(self.slots(place.layout, &start)?),
            next: Keep::default(),
            counter: repeat.rounds.is_some(),
            until: test(&repeat.until)?,
            emit: test(&repeat.emit)?,
            times: repeat.times,
            to_the_end: repeat.body.has_effect(),
        };
        let Compiled { pipeline, layout } =
            self.pipeline(&repeat.body.ops, layout.clone(), &goal)?;
        let next = next.iter().map(|&column| slot_of(self.plan, &layout, column));
        let rounds = Rounds { next: Keep(next.collect::<Result<_>>()?), ..rounds };
        let (keep, after) = keep(&carried, place.live);
        Ok((Box::new(Repeat::new(pipeline, rounds, keep)), after))
    }
}
