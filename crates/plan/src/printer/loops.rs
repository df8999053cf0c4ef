//! The lines of operators that go on for several edges or rounds.

use super::{Printer, edge_types, join};
use crate::op::Loops;
use crate::paths::{PathPattern, Ways};
use crate::plan::ColumnId;
use crate::recurse::Recurse;
use crate::repeat::{Carried, Repeat, RoundPlace, RoundTest};

impl Printer<'_> {
    pub(super) fn path(
        &self,
        path: &PathPattern,
        edges: Option<ColumnId>,
        to: Option<ColumnId>,
    ) -> String {
        let ways = match path.ways {
            Ways::Walk => "walk",
            Ways::Trail => "trail",
            Ways::Acyclic => "acyclic",
            Ways::AnyShortest => "any shortest",
            Ways::AllShortest => "all shortest",
        };
        let edges = edges.map_or(String::new(), |edges| format!("{}:", self.column(edges)));
        let (direction, types) = (path.direction, edge_types(&path.types));
        let max = path.max.map_or(String::new(), |max| max.to_string());
        let to = to.map_or("()".to_owned(), |to| self.column(to));
        let into = path.into.map_or(String::new(), |into| format!(" into {}", self.column(into)));
        let loops = if path.loops == Loops::Once { " loops once" } else { "" };
        format!(
            "PathExpand {} -{edges}{direction} {types} {}..{max} {ways}-> {to}{into}{loops}",
            self.column(path.from),
            path.min
        )
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

    pub(super) fn recurse(&self, recurse: &Recurse) -> String {
        let [to, at, from] = [recurse.to, recurse.at, recurse.from].map(|id| self.column(id));
        let depth = recurse.depth.map_or(String::new(), |depth| format!(" depth {depth}"));
        let loops = if recurse.loops { " again and again" } else { "" };
        let next = self.columns(&recurse.next);
        format!("Recurse {to} of {from} as {at} then {next}{depth}{loops}")
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
