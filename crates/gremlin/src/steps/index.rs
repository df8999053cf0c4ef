//! `index()`: the entries of collections with their places, as lists of two or as a map by place.

use millrace_bytecode::{Argument, Instruction};
use millrace_model::{Result, Value};
use millrace_plan::functions::Pairing;
use millrace_plan::{Expr, Function};

use super::texts::each;
use crate::steps::Step;
use crate::translate::{Call, Traversal, integer, wrong};

pub(super) const STEP: Step = Step::new("index", translate).arguments(0, 0).modulators(&["with"]);

/// The option that chooses between lists and maps as results.
const INDEXER: &str = "~tinkerpop.index.indexer";

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let mut as_map = false;
    for with in call.modulated("with") {
        as_map = wants_map(with)?;
    }
    each(traversal, call, &|value| {
        let entries = Expr::call(Function::Unfold, vec![value]);
        if !as_map {
            return Expr::call(Function::Enumerate(Pairing::EntryFirst), vec![entries]);
        }
        let pairs = Expr::call(Function::Enumerate(Pairing::PlaceFirst), vec![entries]);
        Expr::call(Function::MapOfPairs, vec![pairs])
    })
}

fn wants_map(with: &Instruction) -> Result<bool> {
    match with.arguments.as_slice() {
        [Argument::Value(Value::String(key)), form] if &**key == INDEXER => {
            match integer(with, form)? {
                0 => Ok(false),
                1 => Ok(true),
                _ => Err(wrong(with, "takes WithOptions.list or WithOptions.map")),
            }
        }
        _ => Err(wrong(with, "knows no option of index() but WithOptions.indexer")),
    }
}
