//! `PathExpand`: each row, once for every way. Which search finds the ways follows from the order that they have.
//!
//! | | order | memory |
//! |---|---|---|
//! | `depth_first` | a way before those that go on from it | grows with the length of a way |
//! | `by_length` | shorter ones first | holds all ways of a row |

use millrace_model::Result;
use millrace_plan::op::Demand;
use millrace_plan::{PathMode, PathOrder, PathPattern, op};

use super::approach::Approach;
use super::bidirectional::{Bidirectional, reversed};
use super::bounds::{PathBounds, PathWanted};
use super::by_length::ByLength;
use super::depth_first::{DepthFirst, Search};
use super::edges::PathEdges;
use super::found::FoundWays;
use super::tree::Tree;
use super::way_test::WayTest;
use crate::compile::{Compile, Compiler, Place, Placed};

impl Compile for op::PathExpand {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (layout, path) = (place.layout, &self.path);
        let columns =
            [self.edges, self.vertices, self.whole, self.alternatives, self.to, self.cost];
        let (keep, after, wanted) = place.keep_and(columns);
        let [edges, vertices, whole, alternatives, to, cost] = wanted;
        let from = compiler.slot(layout, path.from)?;
        let into = path.into.map(|into| compiler.slot(layout, into)).transpose()?;
        let found = FoundWays::new(PathWanted { edges, vertices, whole, alternatives, to, cost });
        let compiled = |path: &PathPattern| PathEdges::compile(path, compiler, layout);
        let (walked, bounds, size) = (compiled(path)?, PathBounds::of(path), place.size);
        if is_depth_first(path, place.demand) {
            let approach = Approach::of(path, bounds.max, compiled)?;
            let search = Search::new(walked, approach, bounds);
            let (one_is_enough, input) = (place.one_is_enough, None);
            let operator =
                DepthFirst { from, into, keep, size, one_is_enough, found, search, input };
            return Ok((Box::new(operator), after));
        }
        let bidirectional = Bidirectional::of(path, || compiled(&reversed(path)))?;
        let accept = path.accept.as_ref().map(|test| {
            WayTest::compile((&test.holds, [test.whole, test.edges]), compiler, layout)
        });
        let (accept, edges) = (accept.transpose()?, walked);
        let (tree, input) = (Tree::default(), None);
        let operator = ByLength {
            from,
            into,
            edges,
            bidirectional,
            bounds,
            accept,
            keep,
            size,
            found,
            tree,
            input,
        };
        Ok((Box::new(operator), after))
    }
}

/// Whether the ways are searched depth first: where they have that order, or none is demanded.
fn is_depth_first(path: &PathPattern, demand: Demand) -> bool {
    let is_any = path.order == PathOrder::DepthFirst || demand == Demand::Free;
    is_any && matches!(path.ways, PathMode::Walk | PathMode::Trail | PathMode::Acyclic)
}
