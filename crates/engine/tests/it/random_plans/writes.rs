//! Random writes.

use millrace_plan::op::{self, WriteRules};
use millrace_plan::{Arithmetic, Claimed, ColumnId, Expr, Label, Name, Op, Properties, Template};
use millrace_testkit::Rng;
use millrace_testkit::named::CHOSEN_ID_MIN;

use super::expressions::{Kind, Sight};
use super::generate::Generator;
use super::graph::{LABELS, TYPES};

/// Chosen ids from here on are slots.
const NEAR: i64 = CHOSEN_ID_MIN as i64;
/// Chosen ids from here on are external ids.
const FAR: i64 = 1 << 40;
/// So few that some are chosen twice.
const CHOICES: u64 = 3;

/// An id that is chosen now and then.
pub(super) fn any_chosen(rng: &mut Rng) -> i64 {
    rng.below(CHOICES) as i64 + if rng.chance(0.5) { NEAR } else { FAR }
}

impl Generator<'_> {
    fn write_rules(&mut self) -> WriteRules {
        WriteRules { passes_deleted: self.rng.chance(0.5), counts_nulls: self.rng.chance(0.5) }
    }

    pub(super) fn write(&mut self, sight: &mut Sight) -> Option<Op> {
        match self.rng.below(12) {
            10 if self.rng.chance(0.5) => {
                let [edge_type, source, target] = [0; 3].map(|_| sight.any(self.rng));
                Some(Op::Claim(op::Claim { of: Claimed::Edge { edge_type, source, target } }))
            }
            10 => {
                let (labels, keys) =
                    (vec![Name::from(*self.rng.pick(&LABELS))], vec![Name::from("i")]);
                Some(Op::Claim(op::Claim::vertex(labels, keys, vec![sight.any(self.rng)])))
            }
            11 => self.set_labels(sight),
            0..=2 => self.create(sight),
            3 | 4 => self.merge(sight),
            5..=7 => {
                let element = sight.element(self.rng)?;
                let properties = self.properties(sight, true);
                let replace = self.rng.chance(0.2);
                let rules = self.write_rules();
                Some(Op::Set(op::Set { element, properties, replace, rules }))
            }
            8 => {
                let element = sight.element(self.rng)?;
                let keys = vec![Name::from("i"), Name::from("s")];
                let keys = self.rng.chance(0.7).then_some(keys);
                let rules = self.write_rules();
                Some(Op::Remove(op::Remove { element, keys, rules }))
            }
            _ => {
                let element = Expr::Column(sight.element(self.rng)?);
                // Without their edges vertices may only go if they have none: an error else.
                let detach = self.rng.chance(0.9);
                Some(Op::Delete(op::Delete { element, detach }))
            }
        }
    }

    fn set_labels(&mut self, sight: &Sight) -> Option<Op> {
        let vertex = sight.column(self.rng, &[Kind::Vertex])?;
        let mut names = vec!["A", "B", "C"];
        let mut some = |rng: &mut Rng| -> Vec<Label> {
            let count = rng.below(3) as usize;
            let taken = (0..count).filter_map(|_| {
                let place = rng.below(names.len().max(1) as u64) as usize;
                (place < names.len()).then(|| names.remove(place).into())
            });
            taken.collect()
        };
        let (add, remove) = (some(self.rng), some(self.rng));
        let claims = self.rng.chance(0.5);
        Some(Op::SetLabels(op::SetLabels { vertex, add, remove, claims }))
    }

    fn properties(&mut self, sight: &Sight, with_map: bool) -> Properties {
        let mut keyed = Vec::new();
        if self.rng.chance(0.7) {
            keyed.push((Name::from("i"), sight.int(self.rng)));
        }
        if self.rng.chance(0.5) {
            keyed.push((Name::from("new"), sight.any(self.rng)));
        }
        let map = (with_map && self.rng.chance(0.2))
            .then(|| Expr::Map(vec![(Name::from("s"), sight.any(self.rng))]));
        Properties { keyed, map }
    }

    fn template(
        &mut self,
        sight: &Sight,
        properties: Properties,
        ends: Option<(ColumnId, ColumnId)>,
    ) -> Template {
        match ends {
            Some((source, target)) => {
                let edge_type = {
                    let name = *self.rng.pick(&TYPES);
                    self.label(sight, name)
                };
                Template::Edge { edge_type, source, target, properties, must_have_ends: None }
            }
            None => {
                let labels: Vec<&str> =
                    LABELS.into_iter().filter(|_| self.rng.chance(0.5)).collect();
                let labels = labels.into_iter().map(|label| self.label(sight, label)).collect();
                Template::Vertex { labels, properties }
            }
        }
    }

    /// A label that the plan knows, or that is worked out for each row.
    fn label(&mut self, sight: &Sight, name: &str) -> Label {
        if self.rng.chance(0.7) {
            return name.into();
        }
        let other = Expr::literal(*self.rng.pick(&LABELS));
        let holds = Expr::IsNull(Box::new(sight.any(self.rng)));
        let branches = vec![(holds, Expr::literal(name))];
        Label::Of(Expr::Case { branches, otherwise: Some(Box::new(other)) })
    }

    fn ends(&mut self, sight: &Sight) -> Option<(ColumnId, ColumnId)> {
        let source = sight.column(self.rng, &[Kind::Vertex])?;
        let target = sight.column(self.rng, &[Kind::Vertex])?;
        self.rng.chance(0.5).then_some((source, target))
    }

    fn create(&mut self, sight: &mut Sight) -> Option<Op> {
        let ends = self.ends(sight);
        let properties = self.properties(sight, true);
        let template = self.template(sight, properties, ends);
        let chooses = ends.is_none() && self.rng.chance(0.5);
        let id = chooses.then(|| self.chosen(sight));
        let to = self.column("made");
        sight.columns.push((to, if ends.is_some() { Kind::Edge } else { Kind::Vertex }));
        Some(Op::Create(op::Create { template, id, to }))
    }

    /// Vertices of one kind one after the other, of which the last goes on.
    pub(super) fn creates_alike(&mut self, sight: &mut Sight) -> Vec<Op> {
        let label = *self.rng.pick(&LABELS);
        let mut ops = Vec::new();
        for _ in 0..2 + self.rng.below(3) {
            let mut keyed = Vec::new();
            for key in ["i", "n"] {
                keyed.push((Name::from(key), Expr::literal(self.rng.below(5) as i64)));
            }
            let properties = Properties { keyed, map: None };
            let template = Template::Vertex { labels: vec![label.into()], properties };
            let to = self.column("made");
            ops.push(Op::Create(op::Create { template, id: None, to }));
        }
        if let Some(Op::Create(op::Create { to, .. })) = ops.last() {
            sight.columns.push((*to, Kind::Vertex));
        }
        ops
    }

    /// An id to choose: free or in use, of each row the same or another. Where some rows may choose
    /// none, none chooses an external id: the slots of both would be given in another order.
    fn chosen(&mut self, sight: &Sight) -> Expr {
        let from = |first: i64, number: Expr| Expr::Arithmetic {
            operation: Arithmetic::Add,
            left: Box::new(Expr::literal(first)),
            right: Box::new(number),
        };
        match self.rng.below(8) {
            // The first vertex is there, unless it was deleted.
            0 => Expr::literal(1),
            1..=3 => Expr::literal(any_chosen(self.rng)),
            4 | 5 => from(NEAR, sight.int(self.rng)),
            _ => {
                let number = sight.int(self.rng);
                let is_null = Expr::IsNull(Box::new(number.clone()));
                Expr::Case {
                    branches: vec![(is_null, Expr::literal(FAR + CHOICES as i64))],
                    otherwise: Some(Box::new(from(FAR, number))),
                }
            }
        }
    }

    /// A map of one or two keys, not of every row the same.
    fn criteria(&mut self, sight: &Sight) -> Expr {
        let one = |rng: &mut Rng| {
            let key = *rng.pick(&["i", "new", "n"]);
            Expr::Map(vec![(Name::from(key), Expr::literal(rng.below(3) as i64))])
        };
        let (condition, first, other) = (sight.truth(self.rng, 0), one(self.rng), one(self.rng));
        Expr::Case { branches: vec![(condition, first)], otherwise: Some(Box::new(other)) }
    }

    /// Matched on keys that its options may write.
    fn merge(&mut self, sight: &mut Sight) -> Option<Op> {
        let value = Expr::literal(self.rng.below(3) as i64);
        let mut properties = Properties { keyed: vec![(Name::from("n"), value)], map: None };
        if self.rng.chance(0.3) {
            properties.map = Some(self.criteria(sight));
        }
        let template = self.template(sight, properties, None);
        let to = self.column("merged");
        sight.columns.push((to, Kind::Vertex));
        let option = |generator: &mut Self| {
            let value = match generator.rng.below(4) {
                3 => Expr::Arithmetic {
                    operation: Arithmetic::Add,
                    left: Box::new(Expr::Case {
                        branches: vec![(
                            Expr::IsNull(Box::new(Expr::property(to, "met"))),
                            Expr::literal(0),
                        )],
                        otherwise: Some(Box::new(Expr::property(to, "met"))),
                    }),
                    right: Box::new(Expr::literal(1)),
                },
                0 => Expr::property(to, if generator.rng.chance(0.5) { "n" } else { "i" }),
                1 => sight.int(generator.rng),
                _ => Expr::literal(generator.rng.below(3) as i64),
            };
            let key = if generator.rng.chance(0.5) { "i" } else { "met" };
            Properties { keyed: vec![(Name::from(key), value)], map: None }
        };
        let (on_create, on_match) = (option(self), option(self));
        let created = self.rng.chance(0.5).then(|| self.column("created"));
        sight.columns.extend(created.map(|created| (created, Kind::Any)));
        sight.rows *= 2;
        Some(Op::Merge(op::Merge { template, on_create, on_match, to, created }))
    }
}
