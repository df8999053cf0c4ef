//! `reverse()`: texts and lists, last first; anything else as it is.

use millrace_model::Result;
use millrace_plan::{Expr, Function};

use super::texts::each;
use crate::steps::Step;
use crate::translate::{Call, Traversal, elements::is_of_type};

pub(super) const STEP: Step = Step::new("reverse", translate).arguments(0, 0);

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    each(traversal, call, &|value| {
        let list = ["list", "set", "path"].map(|word| is_of_type(&value, word));
        let entries = Expr::call(Function::Unfold, vec![value.clone()]);
        Expr::Case {
            branches: vec![
                (is_of_type(&value, "string"), Expr::call(Function::Reverse, vec![value.clone()])),
                (Expr::Or(list.to_vec()), Expr::call(Function::Reverse, vec![entries])),
            ],
            otherwise: Some(Box::new(value)),
        }
    })
}
