//! Which columns hold paths.
//!
//! Rows with a path hardly ever repeat, and to find out that they do costs as much as the paths are
//! long: a rule that gains only by equal rows leaves such rows alone.

use crate::base::ColumnSet;
use crate::plan::Plan;

/// The columns made as paths, and those that carry them through a repeat.
pub fn path_columns(plan: &Plan) -> ColumnSet {
    let mut paths = ColumnSet::new();
    loop {
        let before = paths.len();
        let pipelines = plan.lets.iter().map(|binding| &binding.pipeline).chain([&plan.root]);
        pipelines.for_each(|pipeline| {
            pipeline.visit_ops(&mut |op| {
                paths.extend(op.path_column());
                let carried = op.repeat().into_iter().flat_map(|repeat| &repeat.columns);
                let of_paths = carried
                    .filter(|carried| {
                        paths.contains(&carried.from) || paths.contains(&carried.next)
                    })
                    .map(|carried| carried.to)
                    .collect::<Vec<_>>();
                paths.extend(of_paths);
            });
        });
        if paths.len() == before {
            return paths;
        }
    }
}
