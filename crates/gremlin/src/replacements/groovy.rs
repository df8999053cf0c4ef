//! Words, operators and closures of Groovy, and names that imports bring.

use super::{Replacement, row};

const LOOP: &str = "one statement does it for all: `g.inject(1, 2, 3)` or `g.V()` and steps behind it; or send \
                    the statement for each value from the client";
const CHOICE: &str =
    "choose within the traversal: `choose(has('age'), out(), in())` or `coalesce(out(), in())`";
const FUNCTION: &str = "write the statements themselves: scripts have no functions, and texts that differ in \
                        values only share a plan";
const IMPORT: &str =
    "leave the line out: steps, `T`, `P`, `TextP`, `Order` and their kin are there";
const ERRORS: &str =
    "let the client handle errors: a failed request is rolled back to its last commit";
const PRINT: &str = "the last statement's result is the answer: end the script with the traversal";
const MATH: &str =
    "compute with a step: `math('_ + 1')`, `sum()`; or write the result as a literal";
const COMPARE: &str = "compare with a predicate: `is(eq(1))`, `is(gt(1))`, `has('age', gt(30))`";
const LOGIC: &str =
    "join traversals by `and(…)`, `or(…)`, `not(…)`, and predicates by `gt(1).and(lt(5))`";
const TYPED: &str = "declare a variable by `x = …` or `def x = …`, without its type";
const DROP: &str = "leave it out: a script is statements, one after the other";
const CLASS: &str = "leave it out: scripts have no classes";

pub(super) static CLOSURES: &[Replacement] = &[
    row(
        "map",
        "map{ it.get().value('name') }",
        "write `map(values('name'))`: closures are not supported",
    ),
    row(
        "flatMap",
        "flatMap{ it.get().vertices(OUT) }",
        "write `flatMap(out())`: closures are not supported",
    ),
    row(
        "filter",
        "filter{ it.get().value('age') > 30 }",
        "write `filter(has('age', gt(30)))` or \
        `has('age', gt(30))`: closures are not supported",
    ),
    row(
        "sideEffect",
        "sideEffect{ it.get().property('seen', true) }",
        "write `sideEffect(property('seen', true))`: closures are not supported",
    ),
    row(
        "branch",
        "branch{ it.get().label() }.option('person', out())",
        "write `branch(label()).option('person', out())`: closures are not supported",
    ),
    row(
        "choose",
        "choose{ it.get().label() }.option('person', out())",
        "write `choose(label()).option('person', out())`: closures are not supported",
    ),
    row(
        "by",
        "order().by{ it.value('age') }",
        "write `by('age')` or `by(out().count())`: closures are not supported",
    ),
    row(
        "until",
        "repeat(out()).until{ it.loops() == 3 }",
        "write `until(loops().is(3))` or `times(3)`: closures are not supported",
    ),
    row(
        "emit",
        "repeat(out()).emit{ it.get().label() == 'person' }",
        "write `emit(hasLabel('person'))`: closures are not supported",
    ),
    row(
        "where",
        "where{ it.get().value('age') > 30 }",
        "write `where(values('age').is(gt(30)))`: closures are not supported",
    ),
    row("has", "has('age'){ it > 30 }", "write `has('age', gt(30))`: closures are not supported"),
    row("fold", "fold(0){ a, b -> a + b }", "write `fold(0, sum)`: closures are not supported"),
    row(
        "withSack",
        "withSack{ [:] }",
        "write `withSack(0)` with a value: closures are not supported",
    ),
    row("sack", "sack{ a, b -> a + b }", "write `sack(sum)`: closures are not supported"),
    row(
        "withSideEffect",
        "withSideEffect('x'){ [] }",
        "write `withSideEffect('x', [])`: closures are not supported",
    ),
    row("inject", "inject{ … }", "write `inject(1, 2)`: closures are not supported"),
];

/// The help for a closure that has no row of its own.
pub(super) const CLOSURE: &str = "write traversals in place of closures, such as \
                                  `map(values('name'))`, \
                                  `filter(has('age', gt(30)))`, `sideEffect(property('seen', true))`";

pub(super) static WORDS: &[Replacement] = &[
    row("closure", "a closure, { … }", CLOSURE),
    row("for", "for (i in 1..3) { … }", LOOP),
    row("while", "while (x) { … }", LOOP),
    row("do", "do { … } while (x)", LOOP),
    row("if", "if (g.V().hasNext()) { … }", CHOICE),
    row("else", "if (x) { … } else { … }", CHOICE),
    row(
        "switch",
        "switch (x) { … }",
        "choose within the traversal: `choose(label()).option('person', out())`",
    ),
    row(
        "case",
        "case 1: …",
        "choose within the traversal: `choose(label()).option('person', out())`",
    ),
    row(
        "default",
        "default: …",
        "choose within the traversal: `option(none, identity())` takes all others",
    ),
    row("break", "break", LOOP),
    row("continue", "continue", LOOP),
    row("def", "def f(x) { … }", FUNCTION),
    row("return", "return x", "leave the word out: the last statement's result is the answer"),
    row("try", "try { … } catch (e) { … }", ERRORS),
    row("catch", "try { … } catch (e) { … }", ERRORS),
    row("finally", "try { … } finally { … }", ERRORS),
    row("throw", "throw new Exception()", "write the step `fail('why')`"),
    row("throws", "throws Exception", ERRORS),
    row(
        "assert",
        "assert x == 1",
        "compare in the client, or end with `fail('why')` where the condition does not hold",
    ),
    row("import", "import static org.apache.tinkerpop…", IMPORT),
    row("package", "package x", IMPORT),
    row("println", "println x", PRINT),
    row("print", "print x", PRINT),
    row("int", "int x = 5", TYPED),
    row("long", "long x = 5", TYPED),
    row("double", "double x = 5.0", TYPED),
    row("float", "float x = 5.0", TYPED),
    row("boolean", "boolean x = true", TYPED),
    row("String", "String x = 'a'", TYPED),
    row("List", "List x = [1, 2]", TYPED),
    row("Map", "Map x = [a: 1]", TYPED),
    row("Set", "Set x = {1, 2}", TYPED),
    row("Object", "Object x = 1", TYPED),
    row("Vertex", "Vertex v = g.V(1).next()", TYPED),
    row("Edge", "Edge e = g.E(7).next()", TYPED),
    row("final", "final x = 5", TYPED),
    row(
        "as",
        "x as Vertex",
        "write `{1, 2}` or `[1, 2] as Set` for a set, `[1, 2]` for a list, `(long) 1` or `1 as long` for a number of a type",
    ),
    row("in", "x in list", "write `is(within(1, 2))`"),
    row("instanceof", "x instanceof Vertex", "write `is(typeOf(GType.VERTEX))`"),
    row("this", "this", CLASS),
    row("super", "super", CLASS),
    row("class", "class A { … }", CLASS),
    row("interface", "interface A { … }", CLASS),
    row("enum", "enum A { … }", CLASS),
    row("trait", "trait A { … }", CLASS),
    row("abstract", "abstract class A { … }", CLASS),
    row("extends", "class A extends B { … }", CLASS),
    row("implements", "class A implements B { … }", CLASS),
    row("private", "private x = 1", DROP),
    row("protected", "protected x = 1", DROP),
    row("public", "public x = 1", DROP),
    row("static", "static x = 1", DROP),
    row("transient", "transient x = 1", DROP),
    row("volatile", "volatile x = 1", DROP),
    row("synchronized", "synchronized (x) { … }", "leave it out: transactions are isolated"),
    row("native", "native f()", FUNCTION),
    row("void", "void f() { … }", FUNCTION),
    row("const", "const x = 1", TYPED),
    row("goto", "goto x", LOOP),
    row(
        "new",
        "new X()",
        "Java's classes cannot be used: write literals, such as `[1, 2]`, `[a: 1]`, \
        `datetime('2026-01-01T00:00:00Z')`",
    ),
    row("it", "{ it.get() }", CLOSURE),
    row("decr", "order().by('age', decr)", "write `desc`, as TinkerPop has since 3.5"),
    row("incr", "order().by('age', incr)", "write `asc`, as TinkerPop has since 3.5"),
    row(
        "graph",
        "traversal().withEmbedded(graph)",
        "a traversal begins with `g`, which is there already",
    ),
    row("MULTI", "multiplicity(MULTI)", "leave it out: edges have no multiplicity"),
    row("SIMPLE", "multiplicity(SIMPLE)", "leave it out: edges have no multiplicity"),
    row("MANY2ONE", "multiplicity(MANY2ONE)", "leave it out: edges have no multiplicity"),
    row("ONE2MANY", "multiplicity(ONE2MANY)", "leave it out: edges have no multiplicity"),
    row("ONE2ONE", "multiplicity(ONE2ONE)", "leave it out: edges have no multiplicity"),
    row("SINGLE", "cardinality(SINGLE)", "write `single`, as the first argument of `property`"),
    row("LIST", "cardinality(LIST)", "write `list`, as the first argument of `property`"),
    row("SET", "cardinality(SET)", "write `set`, as the first argument of `property`"),
];

pub(super) static OPERATORS: &[Replacement] = &[
    row(
        "+",
        "1 + 2, 'a' + 'b'",
        "compute with a step: `math('_ + 1')`, `concat('b')`; or write the result as a literal",
    ),
    row("-", "1 - 2", MATH),
    row("*", "2 * 3", MATH),
    row("**", "2 ** 3", "compute with a step: `math('_ ^ 3')`; or write the result as a literal"),
    row("/", "6 / 3", MATH),
    row("%", "7 % 3", MATH),
    row("++", "i++", MATH),
    row("--", "i--", MATH),
    row("+=", "x += 1", MATH),
    row("-=", "x -= 1", MATH),
    row("==", "x == 1", COMPARE),
    row("!=", "x != 1", COMPARE),
    row("<", "x < 1", COMPARE),
    row(">", "x > 1", COMPARE),
    row("<=", "x <= 1", COMPARE),
    row(">=", "x >= 1", COMPARE),
    row("<=>", "a <=> b", "write `order().by('age')`"),
    row("=~", "x =~ /a.*/", "write `is(TextP.regex('a.*'))`"),
    row("==~", "x ==~ /a.*/", "write `is(TextP.regex('^a.*$'))`"),
    row("&&", "a && b", LOGIC),
    row("!", "!a", LOGIC),
    row("&", "a & b", LOGIC),
    row("?", "a ? b : c", CHOICE),
    row("?:", "a ?: b", "write `coalesce(values('a'), constant('b'))`"),
    row("?.", "a?.b()", "leave the `?` out: a step without input has no output"),
    row("*.", "list*.name", "write `values('name')` before the traversal ends"),
    row("<<", "list << x", "write the whole list where it is used: `['a', 'b']`"),
    row("->", "{ x -> … }", CLOSURE),
    row("@", "@annotation", DROP),
];
