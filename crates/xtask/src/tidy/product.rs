//! Counting in product code: the length of functions, undocumented `pub` items, panics.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{
    Attribute, Block, Expr, ExprMethodCall, ExprPath, ExprTry, Field, Ident, ImplItemConst,
    ImplItemFn, ItemConst, ItemEnum, ItemFn, ItemStatic, ItemStruct, ItemTrait, ItemType,
    ItemUnion, Macro, Signature, TraitItem, TraitItemFn, Visibility,
};

use super::measure::{Length, Measures, is_documented};
use super::source::Source;

const PANICS: [&str; 4] = ["unwrap", "expect", "unwrap_err", "expect_err"];

/// Adds the counts of one file's product code.
pub(super) fn count(source: &Source, measures: &mut Measures) {
    let counts_panics = !source.is_workshop();
    Counter { path: &source.path, counts_panics, measures }.visit_file(&source.product);
}

struct Counter<'a> {
    path: &'a str,
    counts_panics: bool,
    measures: &'a mut Measures,
}

impl Counter<'_> {
    fn place(&self, span: Span, name: &str) -> String {
        format!("{}:{} {name}", self.path, span.start().line)
    }

    fn function(&mut self, signature: &Signature, body: &Block) {
        let first = signature.fn_token.span.start().line;
        let last = body.brace_token.span.close().end().line;
        let place = self.place(signature.ident.span(), &signature.ident.to_string());
        self.measures.functions.push(Length { lines: last - first + 1, place });
    }

    fn public(&mut self, visibility: &Visibility, attributes: &[Attribute], name: &Ident) {
        if matches!(visibility, Visibility::Public(_)) {
            self.item(attributes, name);
        }
    }

    fn item(&mut self, attributes: &[Attribute], name: &Ident) {
        self.measures.pub_item_count += 1;
        if !is_documented(attributes) {
            self.measures.undocumented.push(self.place(name.span(), &name.to_string()));
        }
    }

    fn panic(&mut self, name: &Ident) {
        if self.counts_panics && PANICS.iter().any(|panic| name == panic) {
            self.measures.panics.push(self.place(name.span(), &name.to_string()));
        }
    }

    /// In a macro call there are only tokens: a dot, a name, parentheses.
    fn panics_in(&mut self, tokens: TokenStream) {
        let mut after_dot = false;
        for token in tokens {
            if let (TokenTree::Ident(name), true) = (&token, after_dot) {
                self.panic(name);
            }
            after_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
            if let TokenTree::Group(group) = token {
                self.panics_in(group.stream());
            }
        }
    }
}

impl<'ast> Visit<'ast> for Counter<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.sig, &item.block);
        self.public(&item.vis, &item.attrs, &item.sig.ident);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.sig, &item.block);
        self.public(&item.vis, &item.attrs, &item.sig.ident);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast ImplItemConst) {
        self.public(&item.vis, &item.attrs, &item.ident);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.public(&item.vis, &item.attrs, &item.ident);
        if matches!(item.vis, Visibility::Public(_)) {
            for member in &item.items {
                if let TraitItem::Fn(function) = member {
                    self.item(&function.attrs, &function.sig.ident);
                }
            }
        }
        visit::visit_item_trait(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.public(&item.vis, &item.attrs, &item.ident);
        if matches!(item.vis, Visibility::Public(_)) {
            item.variants.iter().for_each(|variant| self.item(&variant.attrs, &variant.ident));
        }
        visit::visit_item_enum(self, item);
    }

    fn visit_field(&mut self, item: &'ast Field) {
        if let Some(name) = &item.ident {
            self.public(&item.vis, &item.attrs, name);
        }
        visit::visit_field(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.public(&item.vis, &item.attrs, &item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_union(&mut self, item: &'ast ItemUnion) {
        self.public(&item.vis, &item.attrs, &item.ident);
        visit::visit_item_union(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.public(&item.vis, &item.attrs, &item.ident);
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast ItemStatic) {
        self.public(&item.vis, &item.attrs, &item.ident);
        visit::visit_item_static(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        self.public(&item.vis, &item.attrs, &item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_expr_method_call(&mut self, item: &'ast ExprMethodCall) {
        self.panic(&item.method);
        visit::visit_expr_method_call(self, item);
    }

    fn visit_expr_try(&mut self, item: &'ast ExprTry) {
        // `self.expect(token)?` returns an error: a parser's own method, not the one that panics.
        if let Expr::MethodCall(call) = &*item.expr {
            visit::visit_expr_method_call(self, call);
        } else {
            visit::visit_expr_try(self, item);
        }
    }

    fn visit_expr_path(&mut self, item: &'ast ExprPath) {
        // `.map(Option::unwrap)`
        if let (Some(last), true) = (item.path.segments.last(), 1 < item.path.segments.len()) {
            self.panic(&last.ident);
        }
        visit::visit_expr_path(self, item);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.panics_in(item.tokens.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    fn measured(path: &str, text: &str) -> Measures {
        let mut measures = Measures::default();
        count(&source::parse(path, text).unwrap(), &mut measures);
        measures
    }

    #[test]
    fn functions_are_measured_from_fn_to_brace() {
        let text =
            "/// Doc.\n#[inline]\npub(crate) fn a() {\n    1;\n}\nimpl T {\n    fn b() {}\n}\n";
        let functions = measured("crates/x/src/a.rs", text).functions;
        let place = |name: &str| format!("crates/x/src/a.rs:{name}");
        assert_eq!(functions[0], Length { lines: 3, place: place("3 a") });
        assert_eq!(functions[1], Length { lines: 1, place: place("7 b") });
    }

    #[test]
    fn each_pub_item_wants_its_line() {
        let text = "
            pub struct A { pub field: u8, private: u8 }
            pub enum B { Variant }
            pub trait C { fn method(); }
            impl A { pub fn call() {} pub const LIMIT: u8 = 1; fn private() {} }
            impl D for A { fn of_a_trait() {} }
            pub fn e() {}
            /// Documented.
            pub type F = u8;
            pub(crate) fn inside() {}
            pub use g::H;
            #[cfg(test)] mod tests { pub fn i() {} }
        ";
        let measures = measured("a.rs", text);
        let names: Vec<_> =
            measures.undocumented.iter().map(|place| place.rsplit_once(' ').unwrap().1).collect();
        let expected = ["A", "field", "B", "Variant", "C", "method", "call", "LIMIT", "e"];
        assert_eq!(names, expected);
        assert_eq!(measures.pub_item_count, expected.len() + 1);
    }

    #[test]
    fn panics_are_counted_in_product_code_only() {
        let text = "
            fn a() { b.unwrap(); c.lock().expect(\"never poisoned\"); d.map(Option::unwrap); }
            fn e() { println!(\"{}\", f.unwrap()); }
            fn fine() { self.expect(Token::Comma)?; g.unwrap_or(1); }
            #[test] fn tested() { h.unwrap(); }
        ";
        assert_eq!(measured("crates/plan/src/a.rs", text).panics.len(), 4);
        assert_eq!(measured("crates/testkit/src/a.rs", text).panics.len(), 0);
    }
}
