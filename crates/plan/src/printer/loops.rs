//! The lines of operators that go on for several edges or rounds.

use super::{Printer, edge_types, join};
use crate::op::Loops;
use crate::paths::{PathMode, PathPattern, PathWeight};
use crate::plan::{ColumnId, Name};
use crate::recursive_expand::RecursiveExpand;
use crate::repeat::{Carried, Repeat, RoundPlace, RoundTest};

impl Printer<'_> {
    /// A column, or the place of one that is not read.
    pub(super) fn wanted(&self, column: Option<ColumnId>) -> String {
        column.map_or("()".to_owned(), |column| self.column(column))
    }

    pub(super) fn path(
        &self,
        path: &PathPattern,
        [edges, to, cost]: [Option<ColumnId>; 3],
    ) -> String {
        let edges = edges.map_or(String::new(), |edges| format!("{}:", self.column(edges)));
        let (direction, types) = (path.direction, edge_types(&path.types));
        let max = path.max.map_or(String::new(), |max| max.to_string());
        let to = self.wanted(to);
        let into = path.into.map_or(String::new(), |into| format!(" into {}", self.column(into)));
        let loops = if path.loops == Loops::Once { " loops once" } else { "" };
        let weight = path.weight.as_ref().map_or(String::new(), weight);
        let radius = path.radius.map_or(String::new(), |radius| format!(" radius {radius}"));
        let cost = cost.map_or(String::new(), |cost| format!(" cost {}", self.column(cost)));
        format!(
            "PathExpand {} -{edges}{direction} {types} {}..{max} {}{radius}-> {to}{into}{loops}{weight}{cost}",
            self.column(path.from),
            path.min,
            ways(path.ways)
        )
    }

    pub(super) fn path_step(
        &self,
        [before, object]: [Option<ColumnId>; 2],
        tags: &[Name],
        to: ColumnId,
    ) -> String {
        let parts = [before, object].into_iter().flatten().map(|column| self.column(column));
        let parts = parts.collect::<Vec<_>>().join(" + ");
        let tags = if tags.is_empty() { String::new() } else { format!(" as {}", tags.join(", ")) };
        format!("PathStep {} = {parts}{tags}", self.column(to))
    }

    pub(super) fn repeat(&self, repeat: &Repeat) -> String {
        let times = repeat.times.map_or(String::new(), |times| format!(" times {times}"));
        let carried = |carried: &Carried| {
            let [from, to, next] =
                [carried.from, carried.to, carried.next].map(|column| self.column(column));
            format!("{to} = {from} then {next}")
        };
        let carried = join(repeat.columns.iter().map(carried));
        let rounds = repeat.rounds;
        let rounds =
            rounds.map_or(String::new(), |rounds| format!(" rounds as {}", self.column(rounds)));
        let until = self.round_test(" until", repeat.until.as_ref());
        let emit = self.round_test(" emit", repeat.emit.as_ref());
        format!("Repeat{times} ({carried}){rounds}{until}{emit}")
    }

    pub(super) fn recurse(&self, recurse: &RecursiveExpand) -> String {
        let [to, at, from] = [recurse.to, recurse.at, recurse.from].map(|id| self.column(id));
        let depth = recurse.depth.map_or(String::new(), |depth| format!(" depth {depth}"));
        let loops = if recurse.loops { " again and again" } else { "" };
        let next = self.columns(&recurse.next);
        format!("RecursiveExpand {to} of {from} as {at} then {next}{depth}{loops}")
    }

    fn round_test(&self, word: &str, test: Option<&RoundTest>) -> String {
        let Some(RoundTest { holds, place }) = test else { return String::new() };
        let place = match place {
            RoundPlace::Before => "before",
            RoundPlace::After => "after",
        };
        format!("{word} {place} ({})", self.expr(holds))
    }
}

fn ways(ways: PathMode) -> String {
    match ways {
        PathMode::Walk => "walk".to_owned(),
        PathMode::Trail => "trail".to_owned(),
        PathMode::Acyclic => "acyclic".to_owned(),
        PathMode::AnyShortest => "any shortest".to_owned(),
        PathMode::AllShortest => "all shortest".to_owned(),
        PathMode::CheapestTrails(count) => format!("cheapest {count} trails"),
        PathMode::CheapestAcyclic(count) => format!("cheapest {count} acyclic"),
    }
}

fn weight(weight: &PathWeight) -> String {
    let bound = |bound: Option<f64>| bound.map_or(String::new(), |bound| bound.to_string());
    let range = match (weight.least, weight.most) {
        (None, None) => String::new(),
        (least, most) => format!(" {}..{}", bound(least), bound(most)),
    };
    format!(" weight {}{range}", weight.key)
}
