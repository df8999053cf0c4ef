"""Upsert blocks, transactions over several requests, and what a request may ask besides."""

from peer.requests import Step, abort, add, alter, commit, mutate, query, remove

ALL = "{ q(func: has(name)) { uid name age nick height friend { uid } } }"
FRESH = '{ q(func: eq(name, "N"), orderasc: age) { name age code friend { name } } }'


def upserts():
    given = {
        "a value of another": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation { set { uid(v) <age> "41" . } } }',
        "nothing found creates": 'upsert { query { v as var(func: eq(name, "N")) } mutation { set { uid(v) <name> "N" . } } }',
        "nothing found, two quads": 'upsert { query { v as var(func: eq(name, "N")) } mutation { set { uid(v) <name> "N" .\n uid(v) <age> "1" . } } }',
        "several found": 'upsert { query { v as var(func: eq(age, 31)) } mutation { set { uid(v) <plain> "x" .\n uid(v) <friend> <0x2> . } } }',
        "two variables": 'upsert { query { v as var(func: eq(age, 31)) w as var(func: eq(age, 40)) } mutation { set { uid(v) <friend> uid(w) . } } }',
        "a product of variables": 'upsert { query { v as var(func: eq(age, 31)) w as var(func: type(Film)) } mutation { set { uid(v) <likes> uid(w) . } } }',
        "values are carried": "upsert { query { v as var(func: type(Person)) { a as age } } mutation { set { uid(v) <score> val(a) . } } }",
        "values are changed": "upsert { query { v as var(func: eq(age, 31)) { a as age b as math(a + 1) } } mutation { set { uid(v) <age> val(b) . } } }",
        "values of nodes that have none": "upsert { query { v as var(func: has(name)) { h as height } } mutation { set { uid(v) <age> val(h) . } } }",
        "delete of found": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation { delete { uid(v) <age> * . } } }',
        "delete of the whole node": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation { delete { uid(v) * * . } } }',
        "delete of edges": "upsert { query { v as var(func: eq(age, 31)) w as var(func: uid(1)) } mutation { delete { uid(w) <friend> uid(v) . } } }",
        "delete of nothing found": 'upsert { query { v as var(func: eq(name, "N")) } mutation { delete { uid(v) <age> * . } } }',
        "delete of values": "upsert { query { v as var(func: eq(age, 31)) { a as age } } mutation { delete { uid(v) <age> val(a) . } } }",
        "if holds": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation @if(eq(len(v), 1)) { set { uid(v) <age> "41" . } } }',
        "if does not hold": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation @if(eq(len(v), 0)) { set { uid(v) <age> "41" . } } }',
        "if with gt and not": 'upsert { query { v as var(func: eq(age, 31)) w as var(func: eq(age, 5)) } mutation @if(gt(len(v), 1) and not gt(len(w), 0)) { set { uid(v) <age> "41" . } } }',
        "if with or": 'upsert { query { v as var(func: eq(age, 31)) w as var(func: eq(age, 5)) } mutation @if(eq(len(v), 0) or eq(len(w), 0)) { set { uid(v) <age> "41" . } } }',
        "two mutations with conditions": 'upsert { query { v as var(func: eq(name, "N")) } mutation @if(eq(len(v), 0)) { set { _:n <name> "N" .\n _:n <age> "1" . } } mutation @if(gt(len(v), 0)) { set { uid(v) <age> "2" . } } }',
        "the query is answered": 'upsert { query { q(func: eq(name, "Cy")) { v as uid name age } } mutation { set { uid(v) <age> "41" . } } }',
        "a block without a variable": 'upsert { query { q(func: eq(name, "Cy")) { name } } mutation { set { <0x3> <age> "41" . } } }',
        "an unknown variable": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation { set { uid(w) <age> "41" . } } }',
        "an unused variable": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation { set { <0x3> <age> "41" . } } }',
        "an unknown variable in if": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation @if(eq(len(w), 1)) { set { uid(v) <age> "41" . } } }',
        "no query": 'upsert { mutation { set { <0x3> <age> "41" . } } }',
        "no mutation": 'upsert { query { q(func: eq(name, "Cy")) { name } } }',
        "nothing": "upsert { }",
        "a mutation before the query": 'upsert { mutation { set { uid(v) <age> "41" . } } query { v as var(func: eq(name, "Cy")) } }',
        "set and delete": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation { set { uid(v) <age> "41" . } delete { uid(v) <height> * . } } }',
        "facets": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation { set { uid(v) <friend> <0x2> (k=1) . } } }',
        "val as an edge": 'upsert { query { v as var(func: eq(name, "Cy")) { a as age } } mutation { set { uid(v) <friend> val(a) . } } }',
        "a wrong value": 'upsert { query { v as var(func: eq(name, "Cy")) } mutation { set { uid(v) <age> "x" . } } }',
        "a query that is wrong": 'upsert { query { v as var(func: eq(nope(name), "Cy")) } mutation { set { uid(v) <age> "4" . } } }',
        "an aggregate": "upsert { query { var(func: type(Person)) { a as age } x as var() { m as max(val(a)) } } mutation { set { <0x9> <age> val(m) . } } }",
        "a fragment": "upsert { query { q(func: uid(3)) { ...f } } fragment f { v as uid } mutation { set { uid(v) <age> \"41\" . } } }",
        "language": 'upsert { query { v as var(func: eq(name, "Cy")) { n as name@de } } mutation { set { uid(v) <name@fr> val(n) . } } }',
        "val of another node": 'upsert { query { v as var(func: uid(1)) { a as age } w as var(func: uid(2)) } mutation { set { uid(w) <score> val(a) . } } }',
        "val with one uid": 'upsert { query { v as var(func: uid(1)) { a as age } } mutation { set { <0x1> <score> val(a) . } } }',
        "language deleted": 'upsert { query { v as var(func: eq(name, "Cy")) { n as name@de } } mutation { delete { uid(v) <name@de> val(n) . } } }',
        "language of a predicate without": 'upsert { query { v as var(func: eq(name, "Cy")) { n as name@de } } mutation { set { uid(v) <plain@de> val(n) . } } }',
        "delete of other values": 'upsert { query { v as var(func: type(Person)) { h as age } } mutation { delete { uid(v) <score> val(h) .\n uid(v) <height> val(h) . } } }',
        "delete of values that are no numbers": 'upsert { query { v as var(func: type(Person)) { n as name } } mutation { delete { uid(v) <age> val(n) . } } }',
        "delete of edges by values": 'upsert { query { v as var(func: type(Person)) { n as age } } mutation { delete { uid(v) <friend> val(n) . } } }',
        "values that are no numbers": 'upsert { query { v as var(func: eq(age, 31)) { n as name } } mutation { set { uid(v) <age> val(n) . } } }',
        "values of other types": 'upsert { query { v as var(func: uid(3)) { a as age } } mutation { set { uid(v) <height> val(a) .\n uid(v) <plain> val(a) (k=1) .\n uid(v) <name> val(a) . } } }',
        "values as types": 'upsert { query { v as var(func: uid(3)) { n as name } } mutation { set { uid(v) <dgraph.type> val(n) . } } }',
        "val of a uid variable": 'upsert { query { v as var(func: uid(1)) } mutation { set { <0x1> <score> val(v) . } } }',
    }
    asked = [(f"upsert {name}", [mutate(text), query(ALL), query("{ q(func: uid(1, 3, 9)) { dgraph.type name@de name@fr likes { uid } friend @facets { uid } score plain } }")]) for name, text in given.items()]
    objects = {
        "json": {"query": '{ v as var(func: eq(name, "Cy")) }', "set": {"uid": "uid(v)", "age": 41}},
        "json creates": {"query": '{ v as var(func: eq(name, "N")) }', "set": {"uid": "uid(v)", "name": "N", "age": 1}},
        "json with a condition": {"query": '{ v as var(func: eq(name, "Cy")) }', "cond": "@if(eq(len(v), 1))", "set": {"uid": "uid(v)", "age": 41}},
        "json with a condition that fails": {"query": '{ v as var(func: eq(name, "Cy")) }', "cond": "@if(eq(len(v), 2))", "set": {"uid": "uid(v)", "age": 41}},
        "json of several mutations": {"query": '{ v as var(func: eq(name, "Cy")) }', "mutations": [{"cond": "@if(eq(len(v), 1))", "set": {"uid": "uid(v)", "age": 41}}, {"cond": "@if(eq(len(v), 0))", "set": {"name": "N"}}]},
        "json with val": {"query": "{ v as var(func: eq(age, 31)) { a as age } }", "set": {"uid": "uid(v)", "score": "val(a)"}},
        "json with val of a language": {"query": "{ v as var(func: uid(3)) { n as name@de } }", "set": {"uid": "uid(v)", "name@fr": "val(n)"}},
        "json delete": {"query": '{ v as var(func: eq(name, "Cy")) }', "delete": {"uid": "uid(v)", "age": None}},
        "json delete of the node": {"query": '{ v as var(func: eq(name, "Cy")) }', "delete": {"uid": "uid(v)"}},
        "json edge": {"query": '{ v as var(func: eq(name, "Cy")) w as var(func: uid(2)) }', "set": {"uid": "uid(v)", "friend": {"uid": "uid(w)"}}},
        "json with query alone": {"query": '{ q(func: eq(name, "Cy")) { uid } }'},
        "json with a wrong condition": {"query": '{ v as var(func: eq(name, "Cy")) }', "cond": "eq(len(v), 1)", "set": {"uid": "uid(v)", "age": 41}},
    }
    return asked + [(f"upsert {name}", [mutate(body), query(ALL)]) for name, body in objects.items()]


def transactions():
    one = "{ q(func: uid(0x50)) { name age } }"
    name = lambda text: f'<0x50> <name> "{text}" .\n'
    unknown = lambda path, body, **parameters: Step(path, body, "application/json", "", parameters)
    return [
        ("own writes are seen", [add(name("N"), "a"), query(one, transaction="a"), query(one), commit("a"), query(one)]),
        ("own index entries are seen", [add(name("N"), "a"), query('{ q(func: eq(name, "N")) { uid } r(func: anyofterms(name, "n")) { uid } }', transaction="a"), commit("a")]),
        ("own deletions are seen", [remove("<0x1> <name> * .\n", "a"), query("{ q(func: uid(1)) { uid name } }", transaction="a"), query('{ q(func: eq(name, "Ann Lee")) { uid } }', transaction="a"), abort("a"), query("{ q(func: uid(1)) { name } }")]),
        ("aborted writes are gone", [add(name("N"), "a"), abort("a"), query(one)]),
        ("a snapshot does not move", [query(one, transaction="a"), add(name("N")), query(one, transaction="a"), commit("a"), query(one)]),
        ("two writers of one value conflict", [add(name("A"), "a"), add(name("B"), "b"), commit("a"), commit("b"), query(one)]),
        ("two writers of two predicates do not", [add(name("A"), "a"), add('<0x50> <age> "1" .\n', "b"), commit("a"), commit("b"), query(one)]),
        ("two writers of one indexed value do not", [add('<0x50> <name> "S" .\n', "a"), add('<0x51> <name> "S" .\n', "b"), commit("a"), commit("b"), query('{ q(func: eq(name, "S")) { uid } }')]),
        ("two writers of one value of an upsert predicate conflict", [add('<0x50> <code> "S" .\n', "a"), add('<0x51> <code> "S" .\n', "b"), commit("a"), commit("b"), query('{ q(func: eq(code, "S")) { uid } }')]),
        ("two writers of two edges do not", [add("<0x50> <friend> <0x2> .\n", "a"), add("<0x50> <friend> <0x3> .\n", "b"), commit("a"), commit("b"), query("{ q(func: uid(0x50)) { friend { uid } } }")]),
        ("two writers of one edge conflict", [add("<0x50> <friend> <0x2> .\n", "a"), add("<0x50> <friend> <0x2> .\n", "b"), commit("a"), commit("b")]),
        ("two writers of a single edge conflict", [add("<0x50> <boss> <0x2> .\n", "a"), add("<0x50> <boss> <0x3> .\n", "b"), commit("a"), commit("b"), query("{ q(func: uid(0x50)) { boss { uid } } }")]),
        ("two writers of two values of a list", [add('<0x50> <nick> "x" .\n', "a"), add('<0x50> <nick> "y" .\n', "b"), commit("a"), commit("b"), query("{ q(func: uid(0x50)) { nick } }")]),
        ("a writer and a deletion conflict", [add('<0x1> <age> "1" .\n', "a"), remove("<0x1> <age> * .\n", "b"), commit("a"), commit("b"), query("{ q(func: uid(1)) { age } }")]),
        ("a reader and a writer do not", [query("{ q(func: uid(1)) { age } }", transaction="a"), add('<0x2> <age> "1" .\n', "a"), add('<0x1> <age> "1" .\n'), commit("a"), query("{ q(func: uid(1, 2)) { age } }")]),
        ("a writer after another's commit conflicts", [query(one, transaction="a"), add(name("B")), add(name("A"), "a"), commit("a"), query(one)]),
        ("a commit twice", [add(name("N"), "a"), commit("a"), commit("a"), query(one)]),
        ("an abort twice", [add(name("N"), "a"), abort("a"), abort("a"), query(one)]),
        ("an abort after a commit", [add(name("N"), "a"), commit("a"), abort("a"), query(one)]),
        ("a commit after an abort", [add(name("N"), "a"), abort("a"), commit("a"), query(one)]),
        ("a commit of a reader", [query(one, transaction="a"), commit("a")]),
        ("a query after a commit", [add(name("N"), "a"), commit("a"), query(one, transaction="a")]),
        ("a write after a commit", [add(name("N"), "a"), commit("a"), add(name("M"), "a"), query(one)]),
        ("a write after an abort", [add(name("N"), "a"), abort("a"), add(name("M"), "a"), commit("a"), query(one)]),
        ("a wrong mutation in a transaction", [add(name("N"), "a"), add('<0x50> <age> "x" .\n', "a"), commit("a"), query(one)]),
        ("a wrong text in a transaction", [add(name("N"), "a"), add("<0x50> <age> .\n", "a"), commit("a"), query(one)]),
        ("a wrong query in a transaction", [add(name("N"), "a"), query("{ q(func: nope(1)) { uid } }", transaction="a"), commit("a"), query(one)]),
        ("an upsert in a transaction", [add(name("N"), "a"), mutate('upsert { query { v as var(func: eq(name, "N")) } mutation { set { uid(v) <age> "1" . } } }', "a"), query(one, transaction="a"), commit("a"), query(one)]),
        ("a blank node in a transaction", [add('_:a <name> "N" .\n', "a"), query("{ q(func: uid(<:a>)) { name } }", transaction="a"), add('<<:a>> <age> "7" .\n', "a"), commit("a"), query(FRESH)]),
        ("a schema change ends a writer", [add(name("N"), "a"), alter("other: string ."), commit("a"), query(one)]),
        ("a schema change of its predicate ends a writer", [add('<0x50> <plain> "N" .\n', "a"), alter("plain: string @index(exact) ."), commit("a"), query("{ q(func: uid(0x50)) { plain } }")]),
        ("a commit without a number", [unknown("/commit", '{"keys": [], "preds": []}')]),
        ("a commit of a number with letters", [unknown("/commit", '{"keys": []}', startTs="x")]),
        ("a commit of no JSON", [unknown("/commit", "x", startTs="5")]),
        ("a query of a number with letters", [query(one, startTs="x")]),
        ("a read-only query", [query(one, ro="true"), query(one, be="true", ro="true")]),
        ("a best-effort query that writes", [query(one, be="true")]),
    ]


def variables():
    text = "query q($a: string, $n: int = 2) { q(func: eq(name, $a)) { name friend(first: $n) { uid } } }"
    typed = "query q($x: %s) { q(func: ge(%s, $x)) { uid } }"
    given = [
        (text, {"$a": "Ann Lee"}),
        (text, {"$a": "Ann Lee", "$n": "1"}),
        (text, {"$a": "Ann Lee", "$n": "x"}),
        (text, {"$n": "1"}),
        (text, {}),
        (text, {"a": "Ann Lee"}),
        (text, {"$a": "Ann Lee", "$other": "1"}),
        ("query q($a: string = \"Cy\") { q(func: eq(name, $a)) { name } }", {}),
        ("query q($a: string!) { q(func: eq(name, $a)) { name } }", {}),
        ("query q($a: string!) { q(func: eq(name, $a)) { name } }", {"$a": "Cy"}),
        ("query q($a: string) { q(func: uid(1)) { name } }", {"$a": "Cy"}),
        ("query q() { q(func: eq(name, $a)) { name } }", {"$a": "Cy"}),
        ("{ q(func: eq(name, $a)) { name } }", {"$a": "Cy"}),
        ("query q($a: thing) { q(func: eq(name, $a)) { name } }", {"$a": "Cy"}),
        ("query q($a: string, $a: string) { q(func: eq(name, $a)) { name } }", {"$a": "Cy"}),
        (typed % ("int", "age"), {"$x": "31"}),
        (typed % ("int", "age"), {"$x": "x"}),
        (typed % ("int", "age"), {"$x": "31.5"}),
        (typed % ("float", "height"), {"$x": "1.8"}),
        (typed % ("float", "height"), {"$x": "x"}),
        (typed % ("string", "born"), {"$x": "2000"}),
        ("query q($x: bool) { q(func: eq(alive, $x)) { uid } }", {"$x": "true"}),
        ("query q($x: bool) { q(func: eq(alive, $x)) { uid } }", {"$x": "2"}),
        ("query q($x: string) { q(func: uid($x)) { uid } }", {"$x": "0x1"}),
        ("query q($x: string) { q(func: uid($x)) { uid } }", {"$x": "[0x1, 0x2]"}),
        ("query q($x: string) { q(func: uid($x)) { uid } }", {"$x": "0x1, 0x2"}),
        ("query q($x: string) { q(func: uid($x)) { uid } }", {"$x": "z"}),
        ("query q($x: string) { q(func: eq(name, $x)) { uid } }", {"$x": "[\"Cy\", \"Berlin\"]"}),
        ("query q($x: string, $y: string) { q(func: eq(name, [$x, $y])) { uid } }", {"$x": "Cy", "$y": "Berlin"}),
        ("query q($x: string) { q(func: regexp(name, $x)) { uid } }", {"$x": "/Lee/i"}),
        ("query q($x: string) { q(func: allofterms(name, $x)) { uid } }", {"$x": "lee ann"}),
        ("query q($x: int) { q(func: match(name, \"Bo Smth\", $x)) { uid } }", {"$x": "3"}),
        ("query q($f: int, $o: int, $u: string) { q(func: has(age), first: $f, offset: $o, after: $u) { uid } }", {"$f": "2", "$o": "1", "$u": "0x1"}),
        ("query q($x: string) { q(func: type($x)) { uid } }", {"$x": "Film"}),
        ("query q($x: string) { q(func: has($x)) { uid } }", {"$x": "age"}),
        ("query q($x: int) { q(func: uid(1)) @recurse(depth: $x) { uid friend } }", {"$x": "2"}),
        ("query q($x: string, $y: string) { p as shortest(from: $x, to: $y) { road } q(func: uid(p)) { uid } }", {"$x": "0x40", "$y": "0x43"}),
        ("query q($x: string) { q(func: has(name)) @filter(uid_in(friend, $x)) { uid } }", {"$x": "0x3"}),
        ("query q($x: int) { q(func: uid(1)) { a as age b: math(a + $x) } }", {"$x": "3"}),
        ("query q($x: string) { q(func: has(secret)) { checkpwd(secret, $x) } }", {"$x": "hunter22"}),
        ("query q($x: int) { q(func: uid(1)) { friend @facets(gt(weight, $x)) { uid } } }", {"$x": "1"}),
        ("query q($x: string) { q(func: has(age), orderasc: $x) { uid } }", {"$x": "age"}),
    ]
    return [(f"{text} {values}", [query(text, values)]) for text, values in given]


def parameters():
    one = "{ q(func: uid(1)) { name friend { name } } }"
    rdf = [
        "{ q(func: uid(1)) { name age height alive born } }",
        "{ q(func: uid(1, 2)) { name friend { name } } }",
        "{ q(func: uid(1)) { n: name nick friend { uid } } }",
        "{ q(func: uid(1)) { name@de name@fr } }",
        "{ q(func: uid(1)) { friend @facets { name } } }",
        "{ q(func: uid(1)) { count(friend) } }",
        "{ q(func: type(Person)) { count(uid) } }",
        "{ q(func: uid(1)) @normalize { n: name } }",
        "{ q(func: type(Person)) @groupby(age) { count(uid) } }",
        "{ q(func: uid(1)) { a as age } r(func: uid(1)) { val(a) } }",
        "{ q(func: eq(name, \"none\")) { name } }",
        "{ q(func: uid(5)) { name } }",
        "{ q(func: uid(1)) @recurse(depth: 2) { name friend } }",
        "{ q(func: uid(0x40)) @recurse(depth: 4) { name road @filter(not eq(name, \"Oslo\")) } }",
        "{ q(func: uid(0x40, 0x42)) @recurse { uid n: name r: road } }",
        "{ q(func: uid(1)) @recurse(depth: 3) { name nick age friend boss } }",
        "{ q(func: uid(1)) @recurse(depth: 3) @normalize { n: name friend boss } }",
        "{ q(func: uid(1)) @recurse(depth: 3) { n: name friend @facets } }",
        "{ q(func: uid(1)) { home } }",
        "schema(pred: [name]) {}",
    ]
    return [
        ("debug", [query(one, debug="true"), query("{ q(func: uid(1)) { friend { age } } }", debug="true"), query("{ q(func: type(Person)) { count(uid) } }", debug="true"), query("{ q(func: uid(9)) { age } }", debug="true")]),
        ("debug with a letter", [query(one, debug="x")]),
        ("a time limit", [query(one, timeout="5s"), query(one, timeout="x"), query(one, timeout="5")]),
        ("a format", [query(one, respFormat="json"), query(one, respFormat="xml"), query(one, respFormat="")]),
        ("a kind of body", [Step("/query", one, "text/plain"), Step("/query", one, "application/graphql+-"), Step("/query", "{}", "application/json"), Step("/query", "[]", "application/json"), Step("/query", "x", "application/json"), Step("/query", "")]),
        ("a kind of a mutation", [Step("/mutate", '{ set { <0x50> <name> "N" . } }', "text/plain", "", {"commitNow": "true"}), Step("/mutate", '{ set { <0x50> <name> "N" . } }', "application/rdf", "", {"commitNow": "x"})]),
        ("a query at mutate", [mutate(one)]),
        ("a mutation at query", [query('{ set { <0x50> <name> "N" . } }')]),
    ] + [("rdf " + text, [query(text, respFormat="rdf")]) for text in rdf]


def cases():
    return upserts() + transactions() + variables() + parameters()
