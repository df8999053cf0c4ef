//! Random operators that stand alone: neither sources nor bodies.

use millrace_plan::Op;

use super::expressions::{Kind, Sight};
use super::generate::Generator;

impl Generator<'_> {
    pub(super) fn further(&mut self, sight: &mut Sight) -> Option<Op> {
        Some(self.fold_rows(sight))
    }

    fn fold_rows(&mut self, sight: &mut Sight) -> Op {
        let columns = sight.columns.iter().filter(|_| self.rng.chance(0.5));
        let columns = columns.map(|(column, _)| *column).collect();
        let to = self.column("bag");
        sight.columns = vec![(to, Kind::Opaque)];
        sight.rows = 1;
        Op::Fold { columns, to }
    }
}
