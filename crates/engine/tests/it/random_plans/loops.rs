//! Random operators that go on for several edges or rounds, or have a body of their own.

use millrace_model::{Direction, ErrorKind};
use millrace_plan::{Carried, ColumnId, JoinKind, Loops, Op, Repeat, RoundPlace, RoundTest, op};

use super::expressions::{Kind, Sight};
use super::generate::{Generator, ROWS_MAX};

pub(super) const DIRECTIONS: [Direction; 3] = [Direction::Out, Direction::In, Direction::Both];

impl Generator<'_> {
    /// A few rounds at most, unless a `Dedup` ends them; sometimes a round reads the columns that it
    /// carries of the rows before, sometimes nothing.
    pub(super) fn repeat(&mut self, sight: &mut Sight, depth: u32) -> Option<Op> {
        let start = sight.column(self.rng, &[Kind::Vertex])?;
        if ROWS_MAX < sight.rows * 4 {
            return None;
        }
        let kept = self.some_columns(sight, 0.3);
        let from: Vec<(ColumnId, Kind)> = [(start, Kind::Vertex)].into_iter().chain(kept).collect();
        let carried: Vec<(ColumnId, Kind)> =
            from.iter().map(|(_, kind)| (self.column("r"), *kind)).collect();
        let rounds = self.rng.chance(0.3).then(|| self.column("rounds"));
        let mut inside = Sight { columns: carried.clone(), rows: 8, ..sight.clone() };
        inside.columns.extend(rounds.map(|rounds| (rounds, Kind::Int)));
        let tested = inside.clone();
        let mut body = self.pipeline(&mut inside, depth + 1, 4);
        let dedups = self.rng.chance(0.3);
        if dedups && let Some(vertex) = inside.column(self.rng, &[Kind::Vertex]) {
            body.ops.push(Op::Dedup(op::Dedup { columns: vec![vertex] }));
        }
        let next: Option<Vec<ColumnId>> = carried
            .iter()
            .map(|(to, kind)| {
                let same = inside.columns.contains(&(*to, *kind)) && self.rng.chance(0.5);
                if same { Some(*to) } else { inside.column(self.rng, &[*kind]) }
            })
            .collect();
        // A body that drops a carried column and has none of its kind to go on with becomes empty.
        let next = next.unwrap_or_else(|| {
            body.ops.clear();
            carried.iter().map(|(to, _)| *to).collect()
        });
        let columns: Vec<Carried> = from
            .iter()
            .zip(&carried)
            .zip(next)
            .map(|(((from, _), (to, _)), next)| Carried { from: *from, to: *to, next })
            .collect();
        let until = self.rng.chance(0.4).then(|| self.round_test(&tested));
        let emit = self.rng.chance(0.4).then(|| self.round_test(&tested));
        sight.columns = carried;
        sight.rows *= 4;
        let times = Some(self.rng.below(4));
        Some(Op::Repeat(Repeat { columns, body, until, emit, times, rounds }))
    }

    fn round_test(&mut self, sight: &Sight) -> RoundTest {
        let place = *self.rng.pick(&[RoundPlace::Before, RoundPlace::After]);
        RoundTest { holds: sight.truth(self.rng, 1), place }
    }

    pub(super) fn expand_into(&mut self, sight: &mut Sight) -> Option<Op> {
        let from = sight.column(self.rng, &[Kind::Vertex])?;
        let into = sight.column(self.rng, &[Kind::Vertex])?;
        let types = self.rng.chance(0.3).then(|| self.types());
        let direction = *self.rng.pick(&DIRECTIONS);
        let loops = *self.rng.pick(&[Loops::Once, Loops::Twice]);
        let edge = self.rng.chance(0.5).then(|| self.column("e"));
        sight.columns.extend(edge.map(|edge| (edge, Kind::Edge)));
        Some(Op::ExpandInto(op::ExpandInto { from, into, types, direction, edge, loops }))
    }

    /// On columns of one kind, so that some rows agree.
    pub(super) fn join(&mut self, sight: &mut Sight, depth: u32) -> Option<Op> {
        let mut own = Sight { columns: Vec::new(), rows: 4, ..sight.clone() };
        let writes = std::mem::replace(&mut self.writes, false);
        let right = self.pipeline(&mut own, depth + 1, 4);
        self.writes = writes;
        if right.has_effect() || ROWS_MAX < sight.rows * own.rows {
            return None;
        }
        let mut on = Vec::new();
        for kind in [Kind::Vertex, Kind::Edge, Kind::Int, Kind::Number, Kind::Any] {
            let left = sight.column(self.rng, &[kind]);
            let pair = left.zip(own.column(self.rng, &[kind]));
            on.extend(pair.filter(|_| self.rng.chance(0.3)));
        }
        let kinds = [JoinKind::Inner, JoinKind::Left, JoinKind::Semi, JoinKind::Anti];
        let kind = *self.rng.pick(&kinds);
        if matches!(kind, JoinKind::Inner | JoinKind::Left) {
            sight.columns.extend(own.columns);
            sight.rows *= own.rows;
        }
        Some(Op::Join(op::Join { right, kind, on }))
    }

    pub(super) fn group(&mut self, sight: &mut Sight, depth: u32) -> Option<Op> {
        let keys = self.some_columns(sight, 0.3);
        let mut own = sight.clone();
        let writes = std::mem::replace(&mut self.writes, false);
        let sub = self.pipeline(&mut own, depth + 1, 4);
        self.writes = writes;
        if !sub.only_random() {
            return None;
        }
        let keys_only: Vec<ColumnId> = keys.iter().map(|(column, _)| *column).collect();
        let made = sub.made_columns();
        // The columns that a barrier inside merged on are left too, until a plan is settled without it.
        let outer: Vec<ColumnId> = sight.columns.iter().map(|(column, _)| *column).collect();
        let is_left = |(column, _): &(ColumnId, Kind)| {
            keys_only.contains(column) || made.contains(column) && !outer.contains(column)
        };
        let in_sight = keys.into_iter().chain(own.columns).filter(is_left);
        sight.columns = Vec::new();
        for column in in_sight {
            if !sight.columns.contains(&column) {
                sight.columns.push(column);
            }
        }
        sight.rows = own.rows;
        Some(Op::Group(op::Group { keys: keys_only, sub }))
    }

    /// Seldom, as it hides everything else a plan does; where there is most often no row.
    pub(super) fn fail(&mut self, sight: &mut Sight) -> Option<Op> {
        let kind = *self.rng.pick(&[ErrorKind::Failed, ErrorKind::BadQuery]);
        self.rng.chance(0.1).then(|| Op::Fail(op::Fail { message: sight.any(self.rng), kind }))
    }
}
