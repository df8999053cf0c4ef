//! No wildcard arm in a `match` on `Op` or `Expr`: with a new variant, the compiler is the checklist.
//!
//! Names are all a parser sees, so this is a heuristic: a `match` counts as one on `Op` if an arm's
//! pattern, at its top level, is a path `…::Op::Variant` (or `Self::Variant` inside `impl Op`).

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{ExprMatch, ItemImpl, Pat, Path, Type};

use super::source::Source;

const EXHAUSTIVE: [&str; 2] = ["Op", "Expr"];

/// One line for each wildcard arm in product code.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let mut breaches = Vec::new();
    for source in sources.iter().filter(|source| !source.is_workshop()) {
        let mut finder = Finder { owner: None, found: Vec::new() };
        finder.visit_file(&source.product);
        for (span, owner) in finder.found {
            let line = span.start().line;
            let path = &source.path;
            breaches.push(format!(
                "{path}:{line}: wildcard arm in a match on {owner}; list the variants"
            ));
        }
    }
    breaches
}

struct Finder {
    /// The type of the `impl` we are in.
    owner: Option<String>,
    found: Vec<(Span, String)>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let outer = self.owner.take();
        if let Type::Path(path) = &*item.self_ty {
            self.owner = path.path.segments.last().map(|segment| segment.ident.to_string());
        }
        visit::visit_item_impl(self, item);
        self.owner = outer;
    }

    fn visit_expr_match(&mut self, item: &'ast ExprMatch) {
        let mut patterns = Vec::new();
        item.arms.iter().for_each(|arm| flatten(&arm.pat, &mut patterns));
        let owner = patterns.iter().find_map(|pattern| self.exhaustive_owner(pattern));
        if let Some(owner) = owner {
            for wildcard in patterns.iter().filter(|pattern| is_wildcard(pattern)) {
                self.found.push((wildcard.span(), owner.clone()));
            }
        }
        visit::visit_expr_match(self, item);
    }
}

impl Finder {
    fn exhaustive_owner(&self, pattern: &Pat) -> Option<String> {
        let mut segments = path_of(pattern)?.segments.iter().rev().skip(1);
        let owner = match segments.next()?.ident.to_string() {
            own if own == "Self" => self.owner.clone()?,
            named => named,
        };
        EXHAUSTIVE.contains(&owner.as_str()).then_some(owner)
    }
}

/// The alternatives of a pattern, without parentheses, references and bindings.
fn flatten<'a>(pattern: &'a Pat, patterns: &mut Vec<&'a Pat>) {
    match pattern {
        Pat::Or(or) => or.cases.iter().for_each(|case| flatten(case, patterns)),
        Pat::Paren(inner) => flatten(&inner.pat, patterns),
        Pat::Reference(inner) => flatten(&inner.pat, patterns),
        // A guarded `_` still leaves the compiler to ask for the rest.
        Pat::Guard(guarded) if is_wildcard(&guarded.pat) => {}
        Pat::Guard(guarded) => flatten(&guarded.pat, patterns),
        Pat::Ident(binding) => match &binding.subpat {
            Some((_, inner)) => flatten(inner, patterns),
            None => patterns.push(pattern),
        },
        other => patterns.push(other),
    }
}

fn path_of(pattern: &Pat) -> Option<&Path> {
    match pattern {
        Pat::Path(pattern) => Some(&pattern.path),
        Pat::Struct(pattern) => Some(&pattern.path),
        Pat::TupleStruct(pattern) => Some(&pattern.path),
        _ => None,
    }
}

/// `_`, or a name that takes all the rest; a name in upper case is a constant or a variant.
fn is_wildcard(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(binding) => {
            binding.subpat.is_none() && binding.ident.to_string().starts_with(char::is_lowercase)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    fn found(text: &str) -> usize {
        let source = source::parse("crates/plan/src/a.rs", text).unwrap();
        check(&[source]).len()
    }

    #[test]
    fn wildcards_on_op_and_expr_are_breaches() {
        for text in [
            "fn f() { match op { Op::Scan { .. } => 1, _ => 2 } }",
            "fn f() { match op { plan::Op::Scan(x) => 1, Op::Seek => 3, other => 2 } }",
            "fn f() { match op { &Op::Scan | &Op::Seek => 1, _ => 2 } }",
            "fn f() { match e { whole @ Expr::Key(_) if x => 1, _ => 2 } }",
            "impl Expr { fn f(&self) { match self { Self::Key(_) => 1, _ => 2 } } }",
            "fn f() { match op { Op::Apply(e) => match e { Expr::Key => 1, _ => 0 }, Op::Scan => 2 } }",
        ] {
            assert_eq!(found(text), 1, "{text}");
        }
    }

    #[test]
    fn matches_that_the_compiler_checks_are_fine() {
        for text in [
            "fn f() { match op { Op::Scan { .. } => 1, Op::Seek => 2 } }",
            "fn f() { match value { Value::Null => 1, _ => 2 } }",
            "fn f() { match op { Op::Scan => 1, _ if quick => 2, Op::Seek => 3 } }",
            "fn f() { match pair { (Op::Scan, Op::Seek) => 1, _ => 2 } }",
            "impl Value { fn f(&self) { match self { Self::Null => 1, _ => 2 } } }",
            "#[cfg(test)] mod tests { fn f() { match op { Op::Scan => 1, _ => 2 } } }",
        ] {
            assert_eq!(found(text), 0, "{text}");
        }
    }

    #[test]
    fn a_breach_names_file_line_and_type() {
        let text = "fn f() {\n    match op {\n        Op::Scan => 1,\n        _ => 2,\n    }\n}\n";
        let source = source::parse("crates/plan/src/a.rs", text).unwrap();
        let expected = "crates/plan/src/a.rs:4: wildcard arm in a match on Op; list the variants";
        assert_eq!(check(&[source]), [expected]);
    }
}
