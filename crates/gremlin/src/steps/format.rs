//! `format(text)`: a text with `%{name}` replaced by the value of the name, `%{_}` by that of a `by`.
//!
//! A name is a property of the element the traverser is at, else the value that `select` finds under it. Where
//! one has no value, there is no result. `%%{name}` stands for itself.

use millrace_model::{Result, Value};
use millrace_plan::{Expr, Function, Name};

use crate::steps::{Fact, Step};
use crate::translate::{At, By, Call, Kind, Traversal, elements, text_or_null};

pub(super) const STEP: Step = Step::new("format", translate)
    .arguments(1, 1)
    .modulators(&["by"])
    .facts(&[Fact::AsksTraverser]);

/// A part of the text.
#[derive(Debug, PartialEq)]
enum Part<'t> {
    /// As it stands.
    Plain(&'t str),
    /// The value of the next `by`.
    By,
    /// The value of a name.
    Named(&'t str),
}

fn translate(traversal: &mut Traversal<'_>, call: &Call<'_>) -> Result<()> {
    let at = traversal.at(call)?;
    let Value::String(text) = text_or_null(call.instruction, &call.arguments()[0])? else {
        return Err(call.wrong("takes a text that is not null"));
    };
    let bys = By::all(&call.modulators)?;
    let mut turns = bys.iter().cycle();
    let mut shown = Vec::new();
    for part in parts(&text) {
        let found = match part {
            Part::Plain(plain) => {
                shown.push(Expr::literal(plain));
                continue;
            }
            Part::By => traversal.by_column(turns.next().unwrap_or(&By::Identity), at)?,
            Part::Named(name) => named(traversal, call, at, &Name::from(name))?,
        };
        let found = Expr::Column(found.column);
        traversal.plan.filter(Expr::IsNull(Box::new(found.clone())).negate());
        shown.push(Expr::call(Function::Display, vec![found]));
    }
    let whole = Expr::call(Function::Concat, shown);
    traversal.moved_to("format", whole, Kind::Scalar);
    Ok(())
}

fn named(traversal: &mut Traversal<'_>, call: &Call<'_>, at: At, name: &Name) -> Result<At> {
    let found = super::select::tag(traversal, call, name)?;
    if !matches!(at.kind, Kind::Vertex | Kind::Edge | Kind::Any) {
        return Ok(found);
    }
    let own = elements::property(at, name);
    let absent = Expr::IsNull(Box::new(own.clone()));
    let expr = Expr::Case {
        branches: vec![(absent, Expr::Column(found.column))],
        otherwise: Some(Box::new(own)),
    };
    Ok(At::new(traversal.project(name, expr), Kind::Any))
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut plain, mut from) = (0, 0);
    while let Some(start) = text[from..].find("%{").map(|place| from + place) {
        let name = &text[start + 2..];
        let end = name.find(['}', '\n']).filter(|&end| name.as_bytes()[end] == b'}');
        let (Some(end), false) = (end, text[..start].ends_with('%')) else {
            from = start + 2;
            continue;
        };
        if plain < start {
            parts.push(Part::Plain(&text[plain..start]));
        }
        parts.push(if &name[..end] == "_" { Part::By } else { Part::Named(&name[..end]) });
        plain = start + 2 + end + 1;
        from = plain;
    }
    if plain < text.len() {
        parts.push(Part::Plain(&text[plain..]));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_between_braces_behind_one_percent_sign() {
        use Part::{By, Named, Plain};
        assert_eq!(parts("%{a} is %{_}!"), [Named("a"), Plain(" is "), By, Plain("!")]);
        assert_eq!(parts("%{a}%{b}"), [Named("a"), Named("b")]);
        assert_eq!(parts("100%% %%{a} %{"), [Plain("100%% %%{a} %{")]);
        assert_eq!(parts("%%{a}%{b}"), [Plain("%%{a}"), Named("b")]);
        assert_eq!(parts("%{a\nb}"), [Plain("%{a\nb}")]);
        assert_eq!(parts("é%{ü}ß"), [Plain("é"), Named("ü"), Plain("ß")]);
        assert_eq!(parts(""), []);
    }
}
