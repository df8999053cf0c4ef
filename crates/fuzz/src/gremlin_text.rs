//! The border of Gremlin as text: any text in either language is statements or an error with a place,
//! the same each time; its variables can be bound, and its literals parameterized without a change of
//! their number. A normalized query that parses like its text also fits that text with other literals.

use millrace_gremlin::bytecode::Argument;
use millrace_gremlin::parameterize::{normalize, parameterize, parse_normalized};
use millrace_gremlin::text::{Expression, Language, Script, Statement, parse};
use millrace_model::Value;
use millrace_plan::language::NormalizedQuery;

/// Texts with each form of the grammar.
const SEEDS: &[&str] = &[
    "g.withSack(1.0d, Operator.sum).V(1, x).has('name', 'marko').out('knows').values(\"age\").sum()",
    "g.V().where(__.out().not(in('a')).and(has('b'), or(id(), label()))).repeat(both()).until(loops().is(3)).emit()",
    "g.V().is(P.gt(1).and(lt(9)).negate().or(within([1, 2], {3}))).has('x', TextP.regex('a')).is(not(eq(null)))",
    "g.mergeE([(from): Merge.outV, (T.id): 1, T.label: 'x', [1]: {2}, a: [:], new: list('y')]).option(onCreate, [b: single(2)])",
    "g.withStrategies(new SubgraphStrategy(vertices: __.has('x', y)), ReadOnlyStrategy).withoutStrategies(A).V().next(3)",
    "x = 5; def y = g.V(x).next()\n// comment\ng.V(y, g.E().next())./* c */out().toList();",
    "g.inject(1b, -0x1FL, 017, 1_000, 1.5e-3f, 2m, 5G, NaN, -Infinity, 1..3, 'a'..'c', (int) 5L, (String) null)",
    "g.inject('it\\'s', \"\\u0041\\101$x\", '''a\nb''', \"\"\"c\"\"\", datetime('2018-03-22T00:35:44+01:00'), UUID())",
    "g.tx().commit()",
    "g.addV('a').property('k', 'x').property(single, 'n', -7, 'm', 1.5).V(1, 2L, 'z').has('k', P.within(\"b\", 'c'))",
    "g.V().has('x', Text.textContains('a').or(textNotRegex(y))).has('p', geoWithin(Geoshape.circle(50, y, 1.5)).and(Geo.geoDisjoint(Geoshape.box(-1, 179, 1, -179)))).property('p', Geoshape.point(1, 2)).is(textPrefix(' '))",
    "g.V().filter{it.get()}.by(Order.desc).order(local).to(new Vertex(1, 'p')).is(typeOf(GType.INT))",
    "g.addV('é').property(single, 'k', 'ü', 'm', 1).as('a').select(Pop.last, 'a').with(WithOptions.tokens)",
];

/// The texts, as bytes.
pub fn seeds() -> Vec<Vec<u8>> {
    SEEDS.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Reads the bytes as a text, in both languages.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for language in [Language::Gremlin, Language::Groovy] {
        let read = parse(&text, language);
        assert_eq!(read, parse(&text, language), "the same text twice: {text}");
        match read {
            Ok(script) => bind_and_parameterize(&script),
            Err(error) => assert!(error.position.is_some(), "{error} is nowhere: {text}"),
        }
        if let Some(normalized) = normalize(&text)
            && let Some(script) = parse_normalized(&normalized, &text, language)
        {
            say_otherwise(&normalized, &script, language);
        }
    }
}

/// Gives a normalized query other literals of the same types; the new text must normalize to it.
fn say_otherwise(normalized: &NormalizedQuery, script: &Script, language: Language) {
    let (mut text, mut literals) = (String::new(), Vec::new());
    // A normalized query has a dollar sign only before the type and the number of a literal.
    let mut parts = normalized.text.split('$');
    text.push_str(parts.next().unwrap_or_default());
    for (place, part) in parts.enumerate() {
        let (written, literal) = other(&normalized.literals[place], place);
        text.push_str(&written);
        text.push_str(part[1..].trim_start_matches(|c: char| c.is_ascii_digit()));
        literals.push(literal);
    }
    let other = NormalizedQuery { text: normalized.text.clone(), literals };
    assert_eq!(normalize(&text).as_ref(), Some(&other), "of {text}");
    let read = parse_normalized(&other, &text, language);
    assert_eq!(read.as_ref(), Some(script), "{text} differs from its normalized query");
}

/// Another literal of the same type, as it is written.
fn other(literal: &Value, place: usize) -> (String, Value) {
    match literal {
        Value::I32(_) => (format!("-{}", place + 10), Value::I32(-(place as i32) - 10)),
        Value::I64(_) => (format!("{place}L"), Value::I64(place as i64)),
        Value::F64(_) => {
            (format!("0.{place}25"), Value::F64(format!("0.{place}25").parse().expect("a number")))
        }
        _ => (format!("\"{place} ) ' # // (,\""), Value::string(&format!("{place} ) ' # // (,"))),
    }
}

fn bind_and_parameterize(script: &Script) {
    script.check_variables(&|_| true).expect("every variable is known");
    for statement in &script.statements {
        let once = parameterized(statement);
        assert_eq!(once, parameterized(statement), "the same statement twice: {statement:?}");
    }
}

/// A statement with the variables bound to numbers and lists, and the values of its parameter slots.
fn parameterized(statement: &Statement) -> (Expression, Vec<Value>) {
    let mut asked = 0;
    let mut value_of = |_: &str| {
        asked += 1;
        let number = Value::I64(asked);
        Some(Argument::Value(if asked % 3 == 0 { Value::list(vec![number]) } else { number }))
    };
    let mut bound = statement.bind(&mut value_of).expect("every variable has a value");
    assert_eq!(asked as usize, statement.variables.len(), "each is asked for once");
    let values = match &mut bound {
        Expression::Traversal(traversal) => {
            let values: Vec<Value> =
                parameterize(&mut traversal.bytecode).into_iter().map(|own| own.value).collect();
            let again = parameterize(&mut traversal.bytecode.clone());
            assert_eq!(values.len(), again.len(), "parameterized, it has as many slots");
            values
        }
        Expression::Transaction { .. } | Expression::Argument(_) => Vec::new(),
    };
    (bound, values)
}
