//! Offsets: trees are compared without them, so that they are looked at here.

use millrace_dql::tree::{
    Argument, Filter, Item, MathKind, Offset, Root, SchemaItem, Selection, Subject,
};
use millrace_dql::{parse, parse_schema, position};

/// Whether the text goes on with some words from an offset.
fn is_at(text: &str, offset: Offset, words: &str) {
    let rest = text.get(offset.0 as usize..).unwrap_or_default();
    assert!(rest.starts_with(words), "`{words}`, and not `{rest}`");
}

#[test]
fn a_node_is_where_it_begins() {
    let text =
        "query q($a: int = 1) { # é\n v as me(func: eq( name@en , \"é\", val(x)), first:\t$a)
        @filter(has(a) and NOT uid(b, 0x1)) { x: math(é + -\n1) n as ~friend @facets } }";
    let document = parse(text).expect("it is sound");
    let [Item::Query(query)] = document.items.as_slice() else { panic!("{document:?}") };
    is_at(text, query.variables[0].name.offset, "$a: int");
    is_at(text, query.variables[0].default.as_ref().expect("it has one").offset, "1)");
    let block = &query.blocks[0];
    is_at(text, block.offset, "v as me");
    is_at(text, block.name.offset, "me(");
    let Root::Function(function) = &block.root else { panic!("{block:?}") };
    is_at(text, function.offset, "eq(");
    let Subject::Predicate(predicate) = &function.subject else { panic!("{function:?}") };
    is_at(text, predicate.offset, "name@en");
    let [Argument::Value(value), Argument::ValueOf(variable)] = function.arguments.as_slice()
    else {
        panic!("{function:?}")
    };
    is_at(text, value.offset, "\"é\"");
    is_at(text, variable.offset, "x))");
    is_at(text, block.page.first.as_ref().expect("it has one").offset, "$a)");
    let Some(Filter::And(conditions)) = block.directives.filter.as_deref() else {
        panic!("{block:?}")
    };
    let [Filter::Function(_), Filter::Not { offset, .. }] = conditions.as_slice() else {
        panic!("{conditions:?}")
    };
    is_at(text, *offset, "NOT uid");
    let Selection::Math(math) = &block.children[0].selection else { panic!("{block:?}") };
    is_at(text, math.offset, "+ -");
    let MathKind::Binary(_, _, right) = &math.kind else { panic!("{math:?}") };
    is_at(text, right.offset, "-\n1");
    assert_eq!(position(text, right.offset).line, 3);
    let Selection::Predicate(traversal) = &block.children[1].selection else { panic!("{block:?}") };
    is_at(text, traversal.predicate.offset, "~friend");
    is_at(text, traversal.directives.facets[0].offset, "facets }");
}

#[test]
fn the_data_of_a_mutation_is_where_it_was() {
    let text = "{ set { <a> <b> \"}\\\"\" . # }\n} delete{uid(v) * * .} }";
    let document = parse(text).expect("it is sound");
    let [Item::Mutation(mutation)] = document.items.as_slice() else { panic!("{document:?}") };
    for (part, word) in mutation.parts.iter().zip(["set", "delete"]) {
        is_at(text, part.offset, word);
        is_at(text, part.data.offset, &part.data.text);
    }
    assert_eq!(mutation.parts[1].data.text, "uid(v) * * .");
}

#[test]
fn a_statement_of_a_schema_is_where_it_begins() {
    let text = "a : int .\n[0x0] <b c>: [string] @index(exact) .";
    let schema = parse_schema(text).expect("it is sound");
    let Some(SchemaItem::Predicate(last)) = schema.items.last() else { panic!("{schema:?}") };
    is_at(text, last.predicate.offset, "<b c>");
    is_at(text, last.value_type.name.offset, "string]");
    is_at(text, last.directives[0].tokenizers[0].name.offset, "exact)");
}

#[test]
fn a_position_counts_lines_and_characters() {
    let at = |offset| {
        let at = position("aé\nb", Offset(offset));
        (at.line, at.column)
    };
    assert_eq!(
        [0, 1, 2, 3, 4, 5, 99].map(at),
        [(1, 1), (1, 2), (1, 2), (1, 3), (2, 1), (2, 2), (2, 2)]
    );
}
