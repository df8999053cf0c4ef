//! `count()`: how many objects.

use millrace_model::Result;
use millrace_plan::Fold;

use crate::steps::{Fact, Step};
use crate::translate::{Call, Kind, Traversal};

pub(super) const STEP: Step = Step::new("count", translate).facts(&[Fact::Waits, Fact::SeesAll]);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let local = call.is_local()?;
    let column = if local {
        traversal.for_entries(at, |_, _| Ok(Fold::Count))?
    } else {
        let count = traversal.plan.aggregate(&[], "count", Fold::Count);
        traversal.reduced(count, Kind::Scalar);
        return Ok(());
    };
    traversal.moved(column, Kind::Scalar);
    Ok(())
}
