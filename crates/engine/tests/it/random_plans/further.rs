//! Random operators that are neither sources nor walk edges nor write.

use millrace_model::Value;
use millrace_plan::{
    Call, ColumnId, Expr, Intersect, IntersectArm, Language, Languages, LetId, Lookup, Loops, Name,
    Op, Pipeline, Random, RandomKind, RecursiveExpand, SideFold, UnionPick, op,
};

use super::expressions::{Kind, Sight};
use super::generate::{DEPTH_MAX, Generator, ROWS_MAX};
use super::loops::DIRECTIONS;

impl Generator<'_> {
    pub(super) fn side_effect(&mut self, sight: &mut Sight) -> Option<Op> {
        let vertex = sight.column(self.rng, &[Kind::Vertex])?;
        let name = Name::from(format!("s{}", self.rng.below(2)));
        if !sight.side_effects.contains(&name) {
            sight.side_effects.push(name.clone());
        }
        let fold = *self.rng.pick(&[SideFold::Set, SideFold::List, SideFold::Bag]);
        Some(Op::SideEffect(op::SideEffect { name, value: Expr::Column(vertex), fold }))
    }

    /// Some columns of a `Let`, now and then none.
    pub(super) fn let_ref(&mut self, name: LetId, to: ColumnId, sight: &mut Sight) -> Op {
        let kept = self.let_columns[name.0 as usize].clone();
        let mut columns = Vec::new();
        for (number, (from, kind)) in kept.into_iter().enumerate() {
            let into = if number == 0 { to } else { self.column("kept") };
            if self.rng.chance(0.8) {
                columns.push((from, into));
                sight.columns.push((into, kind));
            }
        }
        sight.rows *= 5;
        Op::LetRef(op::LetRef { name, columns })
    }

    pub(super) fn further(&mut self, sight: &mut Sight, depth: u32) -> Option<Op> {
        match self.rng.below(9) {
            7 | 8 => self.recurse(sight, depth),
            4 | 5 => Some(self.lookup(sight)),
            6 => self.call(sight),
            0 => Some(self.fold_rows(sight)),
            1 | 2 => Some(self.random(sight)),
            _ => self.intersect(sight),
        }
    }

    pub(super) fn unwind_values(&mut self, sight: &mut Sight) -> Op {
        let property = sight.any(self.rng);
        let to = self.column("e");
        let ordinal = self.rng.chance(0.5).then(|| self.column("at"));
        sight.columns.push((to, Kind::Any));
        sight.columns.extend(ordinal.map(|at| (at, Kind::Int)));
        sight.rows *= 2;
        Op::UnwindValues(op::UnwindValues { property, to, ordinal })
    }

    /// Properties, at times of some keys, at times in some languages.
    pub(super) fn fields(&mut self, element: ColumnId, to: ColumnId) -> Op {
        let names = *self.rng.pick(&[&["i", "s"], &["t", "s@en"]]);
        let keys = self.rng.chance(0.3).then(|| names.map(Name::from).to_vec());
        let languages = match self.rng.below(6) {
            0 => Some(Languages::Untagged),
            1 => Some(Languages::All),
            2 | 3 => {
                let tags = ["en", "fr-CA", "ja"].map(|tag| Language::Tag(tag.into()));
                let all = tags.into_iter().chain([Language::Any]);
                let mut wanted: Vec<_> = all.filter(|_| self.rng.chance(0.4)).collect();
                self.rng.shuffle(&mut wanted);
                (!wanted.is_empty()).then_some(Languages::First(wanted))
            }
            _ => None,
        };
        Op::Fields(op::Fields { element, keys, languages, to })
    }

    fn random(&mut self, sight: &mut Sight) -> Op {
        let kind = match self.rng.below(3) {
            0 => RandomKind::Sample { count: self.rng.below(6) },
            1 => {
                let share = Expr::literal(*self.rng.pick(&[0.0, 0.5, 0.9, 1.0]));
                let may_be_null = self.rng.chance(0.2);
                RandomKind::Coin {
                    probability: if may_be_null { sight.numeric(self.rng) } else { share },
                }
            }
            _ => {
                let to = self.column("random");
                sight.columns.push((to, Kind::Number));
                RandomKind::Number { to }
            }
        };
        // A number that no other has.
        let stream = self.column("stream").0;
        Op::Random(Random { stream, kind })
    }

    fn intersect(&mut self, sight: &mut Sight) -> Option<Op> {
        if ROWS_MAX < sight.rows * 3 {
            return None;
        }
        let arms = (0..self.rng.range(1..4)).map(|_| {
            let from = sight.column(self.rng, &[Kind::Vertex])?;
            let types = self.rng.chance(0.2).then(|| self.types());
            let direction = *self.rng.pick(&DIRECTIONS);
            let loops = *self.rng.pick(&[Loops::Once, Loops::Twice]);
            Some(IntersectArm { from, types, direction, loops })
        });
        let arms = arms.collect::<Option<_>>()?;
        let to = self.column("both");
        sight.columns.push((to, Kind::Vertex));
        sight.rows *= 3;
        Some(Op::Intersect(Intersect { arms, to }))
    }

    /// Of a name that may be collected, with or without a map and a tag.
    fn lookup(&mut self, sight: &mut Sight) -> Op {
        let name = Name::from(format!("s{}", self.rng.below(2)));
        let map = self.rng.chance(0.5).then(|| sight.column(self.rng, &[Kind::Any])).flatten();
        let tag = self.rng.chance(0.5).then(|| sight.column(self.rng, &[Kind::Int])).flatten();
        let to = self.column("found");
        // The collected values may be elements, and their ids are unspecified.
        sight.columns.push((to, Kind::Opaque));
        let counted = self.rng.chance(0.3);
        Op::Lookup(Lookup { name, map, tag, counted, to })
    }

    /// Which names there are may differ on the way where names are made.
    fn call(&mut self, sight: &mut Sight) -> Option<Op> {
        if sight.writes || ROWS_MAX < sight.rows * 3 {
            return None;
        }
        let choices = [("db.labels", "label"), ("db.relationshipTypes", "relationshipType")];
        let (procedure, name) = *self.rng.pick(&choices);
        if self.rng.chance(0.3) {
            let (procedure, arguments) = (Name::from("db.awaitIndexes"), vec![sight.int(self.rng)]);
            return Some(Op::Call(Call {
                procedure,
                arguments,
                yields: Vec::new(),
                writes: false,
            }));
        }
        let to = self.column("name");
        sight.columns.push((to, Kind::Any));
        sight.rows *= 3;
        let yields = vec![(Name::from(name), to)];
        let (procedure, arguments) = (Name::from(procedure), Vec::new());
        Some(Op::Call(Call { procedure, arguments, yields, writes: false }))
    }

    fn recurse(&mut self, sight: &mut Sight, depth: u32) -> Option<Op> {
        let from = sight.column(self.rng, &[Kind::Vertex])?;
        let at = self.column("at");
        let writes = std::mem::replace(&mut self.writes, false);
        let (mut steps, mut next, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.rng.range(1..3) {
            let columns = vec![(at, Kind::Vertex)];
            let mut own = Sight { columns, rows: 10, ..sight.clone() };
            let mut step = Pipeline::default();
            step.ops.extend(self.expand(&mut own));
            step.ops.extend(self.pipeline(&mut own, depth.max(DEPTH_MAX - 1) + 1, 3).ops);
            if let (false, Some(end)) = (step.has_effect(), own.column(self.rng, &[Kind::Vertex])) {
                steps.push(step);
                next.push(end);
                edges.push(own.column(self.rng, &[Kind::Edge]).filter(|_| self.rng.chance(0.7)));
            }
        }
        self.writes = writes;
        let (to, loops) = (self.column("tree"), self.rng.chance(0.2));
        // With loops the result grows by each round.
        let depth = if loops { Some(2) } else { self.rng.chance(0.5).then(|| self.rng.below(4)) };
        sight.columns.push((to, Kind::Opaque));
        let recurse = RecursiveExpand { from, at, steps, next, edges, depth, loops, to };
        Some(Op::RecursiveExpand(recurse))
    }

    fn fold_rows(&mut self, sight: &mut Sight) -> Op {
        let columns = sight.columns.iter().filter(|_| self.rng.chance(0.5));
        let columns = columns.map(|(column, _)| *column).collect();
        let to = self.column("bag");
        sight.columns = vec![(to, Kind::Opaque)];
        sight.rows = 1;
        Op::Fold(op::Fold { columns, to })
    }

    pub(super) fn union(&mut self, sight: &mut Sight, depth: u32) -> Op {
        let count = self.rng.range(1..4) as usize;
        let to = self.column("union");
        let mut branches = Vec::new();
        let mut common: Option<Vec<(ColumnId, Kind)>> = None;
        let mut rows = 0;
        for _ in 0..count {
            let mut own = sight.clone();
            // Whether this branch sees the values that a sibling adds meanwhile is unspecified.
            let mut branch = self.pipeline(&mut own, depth + 1, 4);
            let vertex = own.column(self.rng, &[Kind::Vertex]);
            let expr = vertex.map_or(Expr::Literal(Value::Null), Expr::Column);
            branch.ops.push(Op::Project(op::Project { columns: vec![(to, expr)] }));
            own.columns.push((to, Kind::Vertex));
            branches.push(branch);
            rows += own.rows;
            common = Some(match common {
                None => own.columns,
                Some(common) => {
                    common.into_iter().filter(|column| own.columns.contains(column)).collect()
                }
            });
        }
        let pick = match self.rng.below(2) {
            0 => UnionPick::All,
            _ => UnionPick::First(branches.iter().map(|_| sight.truth(self.rng, 0)).collect()),
        };
        sight.columns = common.unwrap_or_default();
        sight.rows = rows;
        Op::Union(op::Union { branches, pick })
    }
}
