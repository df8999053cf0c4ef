"""Vectors: their indexes, what is near, and math over them.

Not asked: what ends Dgraph's process, which is `eq` of an indexed vector at a root, and `@count` or a list in place of an index
of vectors; what it answers at random, which are the nearest after vectors were changed or deleted, and the order of groups.
"""

from peer.requests import add, alter, commit, mutate, query, remove

QUERIES = r"""
{ q(func: similar_to(euclid, 3, "[1, 0]")) { uid euclid } }
{ q(func: similar_to(angle, 3, "[1, 0.1]")) { uid angle } }
{ q(func: similar_to(dotted, 3, "[1, 0.1]")) { uid dotted } }
{ q(func: similar_to(euclid, 1, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid, 3, "[1 0]")) { uid } }
{ q(func: similar_to(euclid, "3", "[1, 0]")) { uid } }
{ q(func: SIMILAR_TO(euclid, 3, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid, 3, 0x3)) { uid } }
{ q(func: similar_to(euclid, 3, "0x3")) { uid } }
{ q(func: similar_to(euclid, 3, 3)) { uid } }
{ q(func: similar_to(euclid, 3, 0x20)) { uid } }
{ q(func: similar_to(euclid, 3, 0xfff)) { uid } }
{ q(func: similar_to(euclid, 3, uid(0x3))) { uid } }
{ q(func: similar_to(euclid, 3, [1, 0])) { uid } }
{ q(func: similar_to(euclid, 100, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid, 2147483647, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid, 0, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid, 0, "[1, 0]", ef: 5)) { uid } }
{ q(func: similar_to(euclid, -1, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid, -1, "[1, 0]", ef: 5)) { uid } }
{ q(func: similar_to(euclid, 99999999999, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid, 1.5, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid, x, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid, 3, "[1, 0, 0]")) { uid } }
{ q(func: similar_to(angle, 3, "[1]")) { uid } }
{ q(func: similar_to(dotted, 3, "[1]")) { uid } }
{ q(func: similar_to(euclid, 3, "[]")) { uid } }
{ q(func: similar_to(euclid, 3, "")) { uid } }
{ q(func: similar_to(euclid, 3, "abc")) { uid } }
{ q(func: similar_to(euclid, 3, "[1, x]")) { uid } }
{ q(func: similar_to(euclid, 3, "[1e39, 0]")) { uid } }
{ q(func: similar_to(euclid, 3, "[NaN, 0]")) { uid } }
{ q(func: similar_to(angle, 3, "[0, 0]")) { uid } }
{ q(func: similar_to(euclid, 3)) { uid } }
{ q(func: similar_to(euclid)) { uid } }
{ q(func: similar_to(euclid, 3, "[1, 0]", 5)) { uid } }
{ q(func: similar_to(euclid, 3, "[1, 0]", ef: 20)) { uid } }
{ q(func: similar_to(euclid, 3, "[1, 0]", ef: "20")) { uid } }
{ q(func: similar_to(euclid, 3, "[1, 0]", ef: 0)) { uid } }
{ q(func: similar_to(euclid, 3, "[1, 0]", ef: -1)) { uid } }
{ q(func: similar_to(euclid, 3, "[1, 0]", ef: 1.5)) { uid } }
{ q(func: similar_to(euclid, 3, "[1, 0]", ef: 5, ef: 6)) { uid } }
{ q(func: similar_to(euclid, 3, "[1, 0]", foo: 5)) { uid } }
{ q(func: similar_to(euclid, 3, "[1, 0]", EF: 20, Distance_Threshold: 1)) { uid } }
{ q(func: similar_to(euclid, 9, "[1, 0]", distance_threshold: 1)) { uid } }
{ q(func: similar_to(euclid, 9, "[1, 0]", distance_threshold: "1")) { uid } }
{ q(func: similar_to(euclid, 9, "[1, 0]", distance_threshold: 0)) { uid } }
{ q(func: similar_to(euclid, 9, "[1, 0]", distance_threshold: -0.5)) { uid } }
{ q(func: similar_to(euclid, 9, "[1, 0]", distance_threshold: x)) { uid } }
{ q(func: similar_to(euclid, 9, 0x3, distance_threshold: 3, ef: 20)) { uid } }
{ q(func: similar_to(angle, 9, "[1, 0]", distance_threshold: 0.3)) { uid } }
{ q(func: similar_to(angle, 9, "[1, 0]", distance_threshold: 2)) { uid } }
{ q(func: similar_to(angle, 9, 0x3, distance_threshold: 0.1, ef: 20)) { uid } }
{ q(func: similar_to(dotted, 9, "[1, 0]", distance_threshold: 0.1)) { uid } }
{ q(func: similar_to(bare, 3, "[1, 0]")) { uid } }
{ q(func: similar_to(name, 3, "[1, 0]")) { uid } }
{ q(func: similar_to(nothing, 3, "[1, 0]")) { uid } }
{ q(func: similar_to(~euclid, 3, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid@en, 3, "[1, 0]")) { uid } }
{ q(func: similar_to(euclid, 4, "[1, 0]"), first: 2) { uid } }
{ q(func: similar_to(euclid, 4, "[1, 0]"), offset: 1) { uid } }
{ q(func: similar_to(euclid, 4, "[1, 0]"), orderdesc: age, first: 2) { uid age } }
{ q(func: similar_to(euclid, 4, "[1, 0]")) @filter(not uid(0x1)) { uid } }
{ q(func: similar_to(euclid, 4, "[1, 0]")) { count(uid) } }
{ q(func: has(age)) @filter(similar_to(euclid, 3, "[1, 0]")) { uid } }
{ q(func: has(age)) @filter(not similar_to(euclid, 3, "[1, 0]")) { uid } }
{ q(func: uid(0x3)) @filter(similar_to(euclid, 2, "[1, 0]")) { uid } }
{ q(func: has(age)) @filter(similar_to(euclid, 3, "[1, 0]") or eq(age, 31)) { uid } }
{ q(func: has(age)) @filter(similar_to(euclid, 3, "[1, 0]") and similar_to(angle, 3, "[1, 0.1]")) { uid } }
{ q(func: has(age)) @filter(similar_to(bare, 3, "[1, 0]")) { uid } }
{ q(func: has(age)) @filter(similar_to(nothing, 3, "[1, 0]")) { uid } }
{ q(func: uid(1)) { friend @filter(similar_to(euclid, 4, "[1, 0]")) { uid } } }
{ var(func: uid(3)) { v as euclid } q(func: similar_to(euclid, 2, val(v))) { uid } }
{ var(func: uid(0x20)) { v as euclid } q(func: similar_to(euclid, 2, val(v))) { uid } }
{ var(func: has(euclid)) { v as euclid } q(func: similar_to(euclid, 2, val(v))) { uid } }
{ var(func: uid(3)) { v as name } q(func: similar_to(euclid, 2, val(v))) { uid } }
{ x as var(func: uid(3)) q(func: similar_to(euclid, 2, uid(x))) { uid } }
{ x as var(func: similar_to(euclid, 2, "[1, 0]")) q(func: uid(x)) { uid friend { uid } } }
{ q(func: has(bare)) { uid bare } }
{ q(func: uid(1)) @normalize { b: bare n: age } }
{ q(func: has(bare)) @cascade { uid bare age } }
{ q(func: has(bare), orderasc: bare) { uid } }
{ q(func: has(age)) @filter(has(bare)) { uid } }
{ q(func: has(age)) @filter(eq(bare, "abc")) { uid } }
{ q(func: has(age)) @filter(eq(bare, "[0.5, 0.25]")) { uid } }
{ q(func: has(age)) @filter(lt(bare, "[1, 2]")) { uid } }
{ q(func: has(age)) @filter(anyofterms(bare, "1")) { uid } }
{ q(func: has(age)) @filter(near(bare, [1, 2], 3)) { uid } }
{ q(func: eq(bare, "[0.5, 0.25]")) { uid } }
{ var(func: uid(1, 2, 3, 4)) { v as euclid } q() { sum(val(v)) } }
{ var(func: uid(1, 2, 3, 4)) { v as euclid } q() { avg(val(v)) } }
{ var(func: has(euclid)) { v as euclid } q(func: uid(v), orderasc: val(v)) { uid } }
{ var(func: has(euclid)) { v as euclid w as math(v + v) } q(func: uid(w), orderasc: val(w)) { uid } }
{ q(func: has(euclid)) { v as euclid val(v) w: val(v) } }
{ var(func: has(euclid)) { v as euclid w as math(v * 2) } q(func: uid(v)) { uid val(v) val(w) } }
{ var(func: has(bare)) { v as bare w as euclid x as math(v dot w) } q(func: uid(x)) { uid val(x) } }
{ var(func: has(bare)) { v as bare w as euclid x as math(v + w) } q(func: uid(x)) { uid val(x) } }
rdf { q(func: has(euclid)) { euclid } }
rdf { q(func: has(euclid)) { v as euclid w: math(v * 0.000000001) } }
"""

MATH = r"""
v dot w
dot(v, w)
v dot v
v + w
v - w
v * 2
2 * v
v / 2
v * 0.1
v / 0
2 / v
v * w
v + 1
1 + v
v - 1
1 - v
-v
-v dot w
-(v dot w)
sqrt(v)
sqrt(v dot v)
sqrt((v - w) dot (v - w))
v == w
v != w
v < w
v > 1
max(v, w)
min(v, w)
v % 2
v dot n
n + v
v + n
v dot 1
v dot a
a * v
v * a
v / a
ln(v)
floor(v)
pow(v, 2)
v dot w / 2
2 * v dot w * 2
v dot w + 1
cond(v dot w > 1, v, w)
cond(v dot w > 1, 1, 0)
cond(v, 1, 2)
v * 1e39
v / 1e39
since(v)
v * -1
v dot u
v + u
u * 2
"""

# Variables of the query, with their values.
WITH_VARIABLES = [
    ("query q($v: float32vector) { q(func: similar_to(euclid, 3, $v)) { uid } }", {"$v": "[1, 0]"}),
    ("query q($v: string) { q(func: similar_to(euclid, 3, $v)) { uid } }", {"$v": "[1, 0]"}),
    ("query q($v: string) { q(func: similar_to(euclid, 3, $v)) { uid } }", {"$v": "0x3"}),
    ("query q($v: float32vector) { q(func: similar_to(euclid, 3, $v)) { uid } }", {"$v": "abc"}),
    ("query q($v: float32vector) { q(func: similar_to(euclid, 3, $v)) { uid } }", {}),
    ('query q($v: float32vector = "[1, 0]") { q(func: similar_to(euclid, 3, $v)) { uid } }', {}),
    ("query q($v: float32vector!, $k: int = 2) { q(func: similar_to(euclid, $k, $v)) { uid } }", {"$v": "[1 0]"}),
    ("query q($v: string, $k: int, $e: int, $d: float) { q(func: similar_to(euclid, $k, $v, ef: $e, distance_threshold: $d)) { uid } }",
     {"$v": "[1, 0]", "$k": "3", "$e": "20", "$d": "1"}),
    ("query q($v: float32vector) { var(func: has(euclid)) { w as euclid d as math((w - $v) dot (w - $v)) } q(func: uid(d), orderasc: val(d), first: 3) { uid val(d) distance: math(sqrt(d)) } }",
     {"$v": "[1, 0.5]"}),
    ("query q($v: float32vector) { var(func: has(angle)) { w as angle d as math((w dot $v) / sqrt(w dot w)) } q(func: uid(d), orderdesc: val(d), first: 3) { uid val(d) } }",
     {"$v": "[1, 0.5]"}),
    ("query q($v: float32vector) { var(func: has(bare)) { w as bare d as math(w dot $v) } q(func: uid(d), orderdesc: val(d)) { uid val(d) } }", {"$v": "[1, 0.5]"}),
    ("query q($v: string) { var(func: has(euclid)) { w as euclid d as math(w dot $v) } q(func: uid(d)) { uid val(d) } }", {"$v": "[1, 0.5]"}),
    ("query q($v: float32vector) { var(func: has(euclid)) { w as euclid d as math($v + w) } q(func: uid(d)) { uid val(d) } }", {"$v": "[1, 0.5]"}),
]

SCHEMAS = r"""
float32vector
float32vector @index(hnsw)
float32vector @index(hnsw())
float32vector @index(hnsw(metric: "euclidean"))
float32vector @index(hnsw(metric:"cosine",exponent:"4"))
float32vector @index(hnsw(exponent: "4", metric: "dotproduct", maxLevels: "3", efConstruction: "10", efSearch: "12"))
float32vector @index(HNSW(metric: "euclidean"))
float32vector @index(hnsw(metric: "manhattan"))
float32vector @index(hnsw(metric: "Euclidean"))
float32vector @index(hnsw(Metric: "euclidean"))
float32vector @index(hnsw(lists: "3"))
float32vector @index(hnsw(efSearch: "x"))
float32vector @index(hnsw(efSearch: 5))
float32vector @index(hnsw(efSearch: "-5"))
float32vector @index(hnsw(maxLevels: "0"))
float32vector @index(hnsw(metric: "cosine", metric: "euclidean"))
float32vector @index(hnsw(metric: "cosine"), hnsw(metric: "euclidean"))
float32vector @index(exact)
float32vector @index
float32vector @upsert
float32vector @index(hnsw) @upsert
float32vector @index(hnsw(metric: "cosine")) @upsert @unique
float32vector @lang
float32vector @reverse
float32vector @noconflict
[float32vector]
string @index(hnsw(metric: "euclidean"))
int @index(hnsw)
"""

LOOK = "{ q(func: has(fresh)) { uid fresh } }"


def near(text, name="fresh"):
    return query('{ q(func: similar_to(%s, 5, "%s")) { uid } }' % (name, text))


def queries():
    """Cases of one query each."""
    found = []
    for text in QUERIES.strip().split("\n"):
        is_rdf = text.startswith("rdf ")
        step = query(text[4:], respFormat="rdf") if is_rdf else query(text)
        found.append((text, [step]))
    for own in MATH.strip().split("\n"):
        text = ("{ var(func: has(euclid)) { v as euclid w as angle n as name a as age u as bare } s(func: uid(v, w, n, a, u), first: 1) { uid } "
                "q(func: has(euclid)) { uid m: math(%s) } }" % own)
        found.append((f"math({own}) of vectors", [query(text)]))
    for text, variables in WITH_VARIABLES:
        found.append((f"{text} {variables}", [query(text, variables)]))
    return found


def cases():
    """Cases of several requests; each begins with the graph as it was."""
    found = [("vectors: fresh: " + own, [alter(f"fresh: {own} ."), query("schema(pred: [fresh]) {}"),
              query("schema(pred: [fresh]) { type index tokenizer vector_specs }")])
             for own in SCHEMAS.strip().split("\n")]
    indexed = alter('fresh: float32vector @index(hnsw(metric: "euclidean")) .')
    plain = alter("fresh: float32vector .")
    three = '<0x50> <fresh> "[1, 0]" .\n<0x51> <fresh> "[0, 1]" .\n<0x52> <fresh> "[3, 4]" .'
    found += [
        ("vectors are changed and deleted", [
            indexed, near("[1, 1]"), add(three), near("[1, 1]"), add('<0x50> <fresh> "[9, 9]" .'), query(LOOK),
            remove("<0x51> <fresh> * ."), query(LOOK), remove('<0x52> <fresh> "[3, 4]" .'), query(LOOK),
            remove("<0x50> <fresh> * ."), near("[1, 1]"), near("[1, 1, 1]"), query(LOOK)]),
        ("a value that is not there is not deleted", [indexed, add(three), remove('<0x50> <fresh> "[1, 2]" .'), query(LOOK)]),
        ("an index over vectors that are there", [plain, add(three), near("[1, 1]"), indexed, near("[1, 1]"), plain, near("[1, 1]"),
                                                  alter('fresh: float32vector @index(hnsw(metric: "cosine")) .'), near("[1, 1]")]),
        ("vectors of two lengths without an index", [plain, add('<0x50> <fresh> "[1, 0]" .\n<0x51> <fresh> "[1, 0, 0]" .'), query(LOOK)]),
        ("vectors of two lengths under an index", [indexed, add('<0x50> <fresh> "[1, 0]" .'), add('<0x51> <fresh> "[1, 0, 0]" .'), query(LOOK)]),
        ("a vector of zeros under cosine", [alter('fresh: float32vector @index(hnsw(metric: "cosine")) .'),
                                            add('<0x50> <fresh> "[0, 0]" .'), query(LOOK)]),
        ("texts that become vectors", [add(three), query(LOOK), plain, query(LOOK), indexed, query(LOOK), near("[1, 1]")]),
        ("strings that become vectors", [alter("fresh: string ."), add(three), indexed, query(LOOK), near("[1, 1]")]),
        ("vectors that become texts", [plain, add('<0x50> <fresh> "[1, 0.5]" .\n<0x51> <fresh> "[0.1 1e9]" .'), alter("fresh: string ."), query(LOOK)]),
        ("a predicate of vectors is dropped", [indexed, add(three), alter({"drop_attr": "fresh"}), query(LOOK), near("[1, 1]"), indexed, near("[1, 1]")]),
        ("a vector written and read in one transaction", [
            indexed, add('<0x50> <fresh> "[1, 0]" .', "one"), query("{ q(func: uid(0x50)) { uid fresh } }", None, "one"), near("[1, 1]"),
            query('{ q(func: similar_to(fresh, 5, "[1, 1]")) { uid } }', None, "one"), commit("one"), near("[1, 1]")]),
        ("a query with changes of the nearest", [indexed, add(three), mutate(
            'upsert { query { v as var(func: similar_to(fresh, 1, "[9, 9]")) } mutation { set { uid(v) <plain> "near" . } } }'),
            query("{ q(func: uid(0x50, 0x51, 0x52)) { uid plain } }")]),
        ("a vector that is copied", [plain, add(three), mutate(
            "upsert { query { v as var(func: has(fresh)) { f as fresh } } mutation { set { uid(v) <bare> val(f) . } } }"),
            query("{ q(func: uid(0x50, 0x51, 0x52)) { uid fresh bare } }")]),
    ]
    values = ['"[0.1, 0.2]"', '"[1 2  3]"', '"[ 1 , 2 ]"', '"[]"', '""', '"[1,,2]"', '"[1,2"', '"1,2"', '"[a]"', '"[1e39]"', '"[-0]"', '"[+1]"', '"[1.,.5]"',
              '"[1;2]"', '"[1,2,]"', '"abc"', '"[1e-7, 1e20, 1e21, 123456789, 16777217, 3.4028235e38, 1e-45, 0.3333333333]"', '"[NaN]"', '"[Inf]"',
              '"[1,2]"^^<xs:[]float32>', '"[1,2]"^^<xs:string>', '"[1,2]"^^<xs:float32vector>', '"5"^^<xs:int>', '"[1,2]"@en', "<0x5>", '"[1,2]" (since=2010)']
    found += [(f"a vector as {own}", [plain, add(f"<0x50> <fresh> {own} ."), query("{ q(func: uid(0x50)) { uid fresh @facets } }"), query(LOOK)])
              for own in values]
    found += [(f"a vector of a new predicate as {own}", [add(f"<0x50> <fresh> {own} ."), query(LOOK), query("schema(pred: [fresh]) { type list }")])
              for own in ['"[1,2]"', '"[1,2]"^^<xs:[]float32>']]
    objects = ["[1, 2]", "[1 2]", "[]", "", "abc", [1, 2.5], [], ["1", "2"], 5, True, None, {"a": 1}, [[1, 2]]]
    found += [(f"a vector in JSON as {own!r}", [plain, mutate({"set": {"uid": "0x50", "fresh": own}}), query(LOOK)]) for own in objects]
    found += [
        ("a vector of a new predicate in JSON", [mutate({"set": {"uid": "0x50", "fresh": "[1, 2.5]"}}), query(LOOK), query("schema(pred: [fresh]) { type list }")]),
        ("a text of numbers in JSON", [alter("fresh: string ."), mutate({"set": {"uid": "0x50", "fresh": "[1, 2.50]"}}), query(LOOK)]),
        ("a vector for a number in JSON", [alter("fresh: int ."), mutate({"set": {"uid": "0x50", "fresh": "[1]"}}), query(LOOK)]),
        ("a vector with a facet in JSON", [plain, mutate({"set": {"uid": "0x50", "fresh": "[1, 2]", "fresh|since": 2010}}),
                                           query("{ q(func: uid(0x50)) { fresh @facets } }")]),
        ("a vector that JSON deletes", [plain, add(three), mutate({"delete": {"uid": "0x50", "fresh": None}}), query(LOOK)]),
    ]
    return found
