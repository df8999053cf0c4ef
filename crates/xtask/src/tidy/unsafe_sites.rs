//! Where unsafe code is: blocks, functions, implementations, traits, foreign modules.
//!
//! Tests are included: their unsafe code can fail as badly.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{ExprUnsafe, File, ItemForeignMod, ItemImpl, ItemTrait, Macro, Safety, Signature};

/// The line of each site.
pub(super) fn lines(file: &File) -> Vec<usize> {
    let mut finder = Finder { lines: Vec::new() };
    finder.visit_file(file);
    finder.lines
}

struct Finder {
    lines: Vec<usize>,
}

impl Finder {
    fn found(&mut self, span: Span) {
        self.lines.push(span.start().line);
    }

    fn find_in_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.find_in_tokens(group.stream()),
                TokenTree::Ident(word) if word == "unsafe" => self.found(word.span()),
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_expr_unsafe(&mut self, item: &'ast ExprUnsafe) {
        self.found(item.unsafe_token.span);
        visit::visit_expr_unsafe(self, item);
    }

    fn visit_signature(&mut self, item: &'ast Signature) {
        if let Safety::Unsafe(token) = &item.safety {
            self.found(token.span);
        }
        visit::visit_signature(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        item.unsafety.iter().for_each(|token| self.found(token.span));
        visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        item.unsafety.iter().for_each(|token| self.found(token.span));
        visit::visit_item_trait(self, item);
    }

    fn visit_item_foreign_mod(&mut self, item: &'ast ItemForeignMod) {
        item.unsafety.iter().for_each(|token| self.found(token.span));
        visit::visit_item_foreign_mod(self, item);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.find_in_tokens(item.tokens.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_found() {
        let text = "\
unsafe fn a() {}
fn b() { unsafe { a() } }
unsafe impl Send for X {}
unsafe trait T { unsafe fn m(); }
unsafe extern \"C\" {}
fn c() { assert!(unsafe { d() }); }
fn fine() { let unsafe_code = 1; }
";
        assert_eq!(lines(&syn::parse_file(text).unwrap()), [1, 2, 3, 4, 4, 5, 6]);
    }
}
