"""Mutations as N-Quads and as JSON, each read again. A case is a name and its requests."""

from peer.requests import add, mutate, query, remove

ALL = "{ q(func: uid(1, 2, 0x50, 0x51)) { uid name name@de name@en age nick score plain alive height friend { uid } boss { uid } dgraph.type } }"
FACETS = "{ q(func: uid(1, 0x50)) { plain @facets nick @facets friend @facets { uid } boss @facets { uid } } }"
FOUND = '{ q(func: eq(name, "N"), orderasc: age) { uid name age friend { uid name } } }'
VALUES = "{ q(func: uid(0x50)) { age height alive born seen made worth home note plain word text } }"


def quads():
    """What one quad of a set does."""
    texts = r"""
<0x50> <name> "N" .
<0x1> <name> "Other" .
<0x1> <name@de> "Andere" .
<0x1> <name> "Andere"@de .
<0x1> <name> "English"@en .
<0x50> <age> "5" .
<0x50> <age> "5"^^<xs:int> .
<0x50> <age> "5.9" .
<0x50> <age> "5.9"^^<xs:float> .
<0x50> <age> "x" .
<0x50> <age> "" .
<0x50> <age> "true"^^<xs:boolean> .
<0x50> <age> "9223372036854775808" .
<0x50> <height> "1e3" .
<0x50> <height> "7" .
<0x50> <height> "NaN" .
<0x50> <height> "Inf" .
<0x50> <alive> "1" .
<0x50> <alive> "yes" .
<0x50> <alive> "TRUE" .
<0x50> <alive> "0"^^<xs:int> .
<0x50> <born> "2020" .
<0x50> <born> "2020-05" .
<0x50> <born> "2020-05-06" .
<0x50> <born> "2020-05-06T07:08:09" .
<0x50> <born> "2020-05-06T07:08:09.123456789Z" .
<0x50> <born> "2020-05-06T07:08:09+05:30" .
<0x50> <born> "2020-05-06 07:08:09" .
<0x50> <born> "06.05.2020" .
<0x50> <born> "2020-13-01" .
<0x50> <born> "2020"^^<xs:gYear> .
<0x50> <born> "2020-05-06T07:08:09Z"^^<xs:dateTime> .
<0x50> <worth> "1.50" .
<0x50> <worth> "1e400" .
<0x50> <worth> "123456789012345678901234567890" .
<0x50> <worth> "abc" .
<0x50> <worth> "1e2" .
<0x50> <worth> "-1.5E-3" .
<0x50> <born> "-1" .
<0x50> <secret> "1234567"^^<xs:int> .
<0x50> <home> "1"^^<xs:int> .
<0x50> <home> "{'type':'Point','coordinates':[1,2]}"^^<geo:geojson> .
<0x50> <home> "{'type':'Point','coordinates':[1,2]}" .
<0x50> <home> "{'type':'Point'}"^^<geo:geojson> .
<0x50> <home> "nowhere"^^<geo:geojson> .
<0x50> <home> "{'type':'Polygon','coordinates':[[[0,0],[1,0],[1,1],[0,0]]]}"^^<geo:geojson> .
<0x50> <home> "{'type':'Polygon','coordinates':[[[0,0],[1,0],[1,1]]]}"^^<geo:geojson> .
<0x50> <secret> "abcdefg" .
<0x50> <secret> "abc" .
<0x50> <secret> "abcdefg"^^<xs:password> .
<0x50> <note> "5"^^<xs:int> .
<0x50> <note> "2020"^^<xs:dateTime> .
<0x50> <note> "a note" .
<0x50> <note> "1.50"^^<xs:float> .
<0x50> <note> "true"^^<xs:boolean> .
<0x50> <plain> "5"^^<xs:int> .
<0x50> <plain> "a\"b\\c\nd\u00e9" .
<0x50> <plain> "_nil_" .
<0x50> <plain> "a"@en .
<0x50> <plain> "x"^^<xs:unknown> .
<0x50> <plain> plain .
<0x50> <plain> "no dot"
<0x50> <plain> "a" . <0x50> <age> "1" .
<0x50> <plain> .
<0x50> plain "a" .
<50> <plain> "a" .
50 <plain> "a" .
<0x50> <friend> <0x2> .
<0x50> <friend> "0x2" .
<0x50> <friend> "a text" .
<0x50> <boss> <0x2> .
<0x1> <boss> <0x2> .
<0x50> <name> <0x2> .
<0x50> <age> <0x2> .
<0x50> <fresh> "a" .
<0x50> <fresh> "5"^^<xs:int> .
<0x50> <fresh> "a"^^<xs:string> .
<0x50> <fresh> <0x2> .
<0x50> <fresh> "a"@en .
<0x50> <dgraph.type> "Person" .
<0x50> <dgraph.type> "Unheard" .
<0x50> <dgraph.type> "A" (k=1) .
<0x50> <dgraph.other> "a" .
<0x50> <~friend> <0x2> .
<0x50> <uid> "5" .
<0x50> <nick> "a" .
<0x1> <nick> "a" .
<0x1> <nick> "an" .
<0x1> <nick> "an" (since=1) .
<0x50> <score> "x" .
<0x50> <name> "" .
<0x0> <name> "zero" .
<0xfffffffffffffffe> <name> "far" .
<alice> <name> "a" .
<0x50> <friend> <alice> .
<0x50> <friend> <0x51> <0x0> .
<0x50> <name> "N" <label> .
<0x50> <name> "N" # a comment
<0x50> <name> "N" . # a comment
# only a comment
<0x50> * "N" .
<0x50> <name> * .
* <name> "N" .
<0x50> <friend> <0x50> .
<0x50> <friend> _:a .
_:a <friend> _:a .
""".strip().split("\n")
    asks = [ALL, VALUES, "{ q(func: has(fresh)) { uid fresh } s(func: has(note)) { note } }", "schema(pred: [fresh]) {}"]
    return [("set " + text, [add(text + "\n"), *map(query, asks)]) for text in texts]


def facets():
    texts = r"""
<0x50> <plain> "a" (i=1, f=1.5, b=true, s="text", d=2020-01-02, t=2020-01-02T03:04:05Z) .
<0x50> <plain> "a" (m=2020-01, n=2020-01-02T03:04:05) .
<0x50> <friend> <0x51> (d=2020-01-02, m=2020-01) .
<0x50> <plain> "a" (i=-1, f=1e3, s=word) .
<0x50> <plain> "a" (s="5", q="true", r="2020-01-02") .
<0x50> <plain> "a" (d=2020) .
<0x50> <plain> "a" (k) .
<0x50> <plain> "a" (k=) .
<0x50> <plain> "a" () .
<0x50> <plain> "a" (k=1, k=2) .
<0x50> <plain> "a" (big=9223372036854775808) .
<0x50> <plain> "a" (k="with \"quotes\" and , ) signs") .
<0x50> <friend> <0x2> (a=1, b="x") .
<0x1> <friend> <0x2> (fresh=1) .
<0x1> <friend> <0x2> .
<0x1> <boss> <0x6> .
<0x1> <boss> <0x2> (from=1) .
<0x1> <plain> "blue" .
<0x1> <plain> "red" .
<0x1> <plain> "red" (rank=4) .
<0x1> <nick> "an" .
<0x1> <nick> "an" (other=1) .
<0x1> <nick> "fresh" (since=5) .
<0x1> <friend> <0x2> (close="text") .
""".strip().split("\n")
    return [("facets " + text, [add(text + "\n"), query(FACETS)]) for text in texts]


def deletions():
    texts = r"""
<0x1> <name> "Ann Lee" .
<0x1> <name> "Something else" .
<0x1> <name> * .
<0x1> <name@de> * .
<0x1> <name@de> "Anna Lee" .
<0x1> <name> *@de .
<0x1> <name@*> * .
<0x1> <name> "Anna Lee"@de .
<0x1> <age> "31" .
<0x1> <age> "32" .
<0x1> <age> * .
<0x1> <nick> "an" .
<0x1> <nick> "nothing" .
<0x1> <nick> * .
<0x1> <score> "7" .
<0x1> <friend> <0x2> .
<0x1> <friend> <0x9> .
<0x1> <friend> * .
<0x1> <boss> <0x6> .
<0x1> <boss> <0x2> .
<0x1> <boss> * .
<0x1> * * .
<0x2> * * .
<0x9> * * .
<0x8> * * .
* * * .
* <name> * .
<0x1> <absent> * .
<0x1> <absent> "a" .
<0x1> <dgraph.type> * .
<0x1> <dgraph.type> "Person" .
<0x6> <dgraph.type> "Boss" .
<0x1> <secret> * .
<0x1> <secret> "open sesame" .
<0x1> <home> * .
<0x1> <text@de> * .
<0x1> <~friend> <0x2> .
<0x1> <~friend> * .
_:a <name> * .
<0x1> <plain> "red" (rank=3) .
<0x1> <name> "Ann Lee"^^<xs:string> .
<0x1> <age> "31"^^<xs:int> .
""".strip().split("\n")
    ask = ALL + "\n"
    more = "{ q(func: uid(1, 2, 6)) { uid dgraph.type expand(_all_) } r(func: uid(8, 9)) { uid name age plain } }"
    reverse = "{ q(func: has(~friend)) { uid ~friend { uid } } s(func: eq(age, 31)) { uid } t(func: anyofterms(name, \"ann\")) { uid } u(func: ge(count(friend), 3)) { uid } v(func: has(text@de)) { uid } w(func: has(secret)) { uid checkpwd(secret, \"open sesame\") } }"
    return [("delete " + text, [remove(text + "\n"), query(ask), query(more), query(reverse)]) for text in texts]


def together():
    """Several quads, blocks and blank nodes."""
    return [
        ("blank nodes", [add('_:a <name> "N" .\n_:a <age> "1" .\n_:b <name> "N" .\n_:b <age> "2" .\n_:a <friend> _:b .\n'), query(FOUND), query("{ q(func: uid(<:a>)) { name friend { name age } } }")]),
        ("a blank node used in two requests", [add('_:a <name> "N" .\n'), add('_:a <name> "N" .\n'), query(FOUND)]),
        ("set and delete of one value", [mutate('{ set { <0x1> <age> "5" . } delete { <0x1> <age> * . } }'), query(ALL)]),
        ("delete and set of one value", [mutate('{ delete { <0x1> <name> * . } set { <0x1> <name> "New" . } }'), query(ALL)]),
        ("delete of a node and set", [mutate('{ delete { <0x1> * * . } set { <0x1> <name> "New" . } }'), query(ALL)]),
        ("delete of a type and of all", [remove('<0x1> <dgraph.type> "Person" .\n<0x1> * * .\n'), query(ALL)]),
        ("delete of a list and set", [mutate('{ delete { <0x1> <nick> * . } set { <0x1> <nick> "new" . } }'), query(ALL)]),
        ("delete of an edge and set", [mutate('{ delete { <0x1> <friend> * . } set { <0x1> <friend> <0x9> . } }'), query(ALL)]),
        ("two values of a scalar", [add('<0x1> <age> "5" .\n<0x1> <age> "6" .\n'), query(ALL)]),
        ("two targets of a single edge", [add('<0x1> <boss> <0x2> .\n<0x1> <boss> <0x3> .\n'), query("{ q(func: uid(1)) { boss { uid } } r(func: has(~boss)) { uid ~boss { uid } } }")]),
        ("one bad quad among good ones", [add('<0x50> <name> "N" .\n<0x50> <age> "x" .\n<0x51> <name> "N" .\n'), query(ALL)]),
        ("one syntax error among good ones", [add('<0x50> <name> "N" .\n<0x50> <age> .\n'), query(ALL)]),
        ("two set blocks", [mutate('{ set { <0x50> <name> "N" . } set { <0x51> <name> "N" . } }'), query(ALL)]),
        ("an empty set", [mutate("{ set { } }")]),
        ("an empty mutation", [mutate("{ }")]),
        ("no body", [mutate("")]),
        ("an unknown block", [mutate('{ insert { <0x50> <name> "N" . } }')]),
        ("no braces", [mutate('set { <0x50> <name> "N" . }')]),
        ("a new predicate of text and then of a number", [add('<0x50> <fresh> "a" .\n'), add('<0x51> <fresh> "5"^^<xs:int> .\n'), query("{ q(func: has(fresh)) { fresh } }"), query("schema(pred: [fresh]) {}")]),
        ("a new predicate of a number and then of text", [add('<0x50> <fresh> "5"^^<xs:int> .\n'), add('<0x51> <fresh> "a" .\n'), query("{ q(func: has(fresh)) { fresh } }")]),
        ("a new predicate twice is no list", [add('<0x50> <fresh> "a" .\n<0x50> <fresh> "b" .\n'), query("{ q(func: has(fresh)) { fresh } }"), query("schema(pred: [fresh]) {}")]),
        ("a new predicate of edges is a list", [add("<0x50> <fresh> <0x2> .\n<0x50> <fresh> <0x3> .\n"), query("{ q(func: has(fresh)) { fresh { uid } } }"), query("schema(pred: [fresh]) {}")]),
        ("a new predicate of values and edges", [add('<0x50> <fresh> <0x2> .\n<0x50> <fresh> "a" .\n'), query("{ q(func: has(fresh)) { fresh } }")]),
    ]


def objects():
    """Mutations in JSON."""
    given = [
        {"set": {"uid": "0x50", "name": "N", "age": 5, "height": 1.5, "alive": True}},
        {"set": [{"uid": "0x50", "name": "N"}, {"uid": "0x51", "name": "N"}]},
        {"set": {"uid": "0x50", "age": "5"}},
        {"set": {"uid": "0x50", "age": 5.0}},
        {"set": {"uid": "0x50", "age": 5.7}},
        {"set": {"uid": "0x50", "age": "x"}},
        {"set": {"uid": "0x50", "age": True}},
        {"set": {"uid": "0x50", "alive": 1}},
        {"set": {"uid": "0x50", "alive": "true"}},
        {"set": {"uid": "0x50", "name": 5}},
        {"set": {"uid": "0x50", "name": True}},
        {"set": {"uid": "0x50", "height": 3}},
        {"set": {"uid": "0x50", "born": "2020-01-02"}},
        {"set": {"uid": "0x50", "worth": "1.5", "home": {"type": "Point", "coordinates": [1, 2]}}},
        {"set": {"uid": "0x50", "home": {"type": "Point"}}},
        {"set": {"uid": "0x50", "home": 1}},
        {"set": {"uid": "0x50", "home": True}},
        {"set": {"uid": "0x50", "secret": 12345678}},
        {"set": {"uid": "0x50", "worth": "1.23456789e+29"}},
        {"set": {"uid": "0x50", "name": None}},
        {"set": {"uid": "0x50", "name": ""}},
        {"set": {"uid": "0x50", "nick": ["a", "b"], "score": [1, 2]}},
        {"set": {"uid": "0x1", "nick": ["a"]}},
        {"set": {"uid": "0x1", "nick": "a"}},
        {"set": {"uid": "0x1", "nick": []}},
        {"set": {"uid": "0x50", "name": ["a", "b"]}},
        {"set": {"uid": "0x50", "name@de": "D", "name@en": "E", "name": "N"}},
        {"set": {"uid": "0x50", "friend": {"uid": "0x2"}}},
        {"set": {"uid": "0x50", "friend": [{"uid": "0x2"}, {"uid": "0x3"}]}},
        {"set": {"uid": "0x50", "friend": [{"uid": "0x51", "name": "N", "friend": [{"uid": "0x2"}]}]}},
        {"set": {"uid": "0x50", "friend": [{"name": "N", "age": 1}]}},
        {"set": {"uid": "0x50", "friend": {}}},
        {"set": {"uid": "0x50", "friend": []}},
        {"set": {"uid": "0x50", "friend": None}},
        {"set": {"uid": "0x50", "friend": "0x2"}},
        {"set": {"uid": "0x50", "friend": ["0x2"]}},
        {"set": {"uid": "0x50", "boss": {"uid": "0x2"}}},
        {"set": {"uid": "0x1", "boss": {"uid": "0x2"}}},
        {"set": {"uid": "0x50", "boss": [{"uid": "0x2"}, {"uid": "0x3"}]}},
        {"set": {"uid": "0x50", "dgraph.type": "Person", "name": "N"}},
        {"set": {"uid": "0x50", "dgraph.type": ["Person", "Boss"]}},
        {"set": {"name": "N", "age": 1}},
        {"set": {"uid": "_:a", "name": "N", "age": 1, "friend": {"uid": "_:b", "name": "N", "age": 2}}},
        {"set": {"uid": "a", "name": "N"}},
        {"set": {"uid": 80, "name": "N"}},
        {"set": {"uid": "80", "name": "N"}},
        {"set": {"uid": "", "name": "N"}},
        {"set": {"uid": None, "name": "N"}},
        {"set": {"uid": "0x50"}},
        {"set": {}},
        {"set": []},
        {"set": "text"},
        {"set": 5},
        {},
        {"insert": {"uid": "0x50", "name": "N"}},
        {"set": {"uid": "0x50", "plain": "a", "plain|k": 1, "plain|s": "text", "plain|d": "2020-01-02T00:00:00Z", "plain|b": True, "plain|f": 1.5}},
        {"set": {"uid": "0x50", "plain|k": 1}},
        {"set": {"uid": "0x1", "friend": {"uid": "0x2", "friend|close": False, "friend|new": "x"}}},
        {"set": {"uid": "0x50", "friend": [{"uid": "0x2", "friend|k": 1}, {"uid": "0x3", "friend|k": 2}]}},
        {"set": {"uid": "0x50", "nick": ["a", "b"], "nick|k": {"0": 1, "1": 2}}},
        {"set": {"uid": "0x50", "nick": ["a", "b"], "nick|k": 1}},
        {"set": {"uid": "0x50", "boss": {"uid": "0x2", "boss|k": 1}}},
        {"set": {"uid": "0x50", "fresh": "a"}},
        {"set": {"uid": "0x50", "fresh": 5}},
        {"set": {"uid": "0x50", "fresh": 5.5}},
        {"set": {"uid": "0x50", "fresh": True}},
        {"set": {"uid": "0x50", "fresh": ["a", "b"]}},
        {"set": {"uid": "0x50", "fresh": {"name": "N"}}},
        {"set": {"uid": "0x50", "fresh": "2020-01-02T00:00:00Z"}},
        {"set": {"uid": "0x50", "fresh": [1, "a"]}},
        {"set": {"uid": "0x50", "fresh": [[1]]}},
        {"set": {"uid": "0x50", "~friend": {"uid": "0x2"}}},
        {"set": {"uid": "0x50", "name": "a\"b\\\n\u00e9\U0001f600"}},
        {"set": {"uid": "0x50", "age": 9007199254740993}},
        {"set": {"uid": "0x50", "age": 9223372036854775807}},
        {"set": {"uid": "0x50", "age": 9223372036854775808}},
        {"set": {"uid": "0x50", "age": -5}},
        {"set": {"uid": "0x50", "secret": "abcdefg"}},
        {"set": {"uid": "0x50", "name": "N"}, "delete": {"uid": "0x1", "name": None}},
        {"delete": {"uid": "0x1"}},
        {"delete": {"uid": "0x1", "name": None}},
        {"delete": {"uid": "0x1", "name": "Ann Lee"}},
        {"delete": {"uid": "0x1", "name": "Other"}},
        {"delete": {"uid": "0x1", "name@de": None}},
        {"delete": {"uid": "0x1", "name@*": None}},
        {"delete": {"uid": "0x1", "age": 31}},
        {"delete": {"uid": "0x1", "nick": None}},
        {"delete": {"uid": "0x1", "nick": ["an"]}},
        {"delete": {"uid": "0x1", "nick": "an"}},
        {"delete": {"uid": "0x1", "nick": []}},
        {"delete": {"uid": "0x1", "friend": None}},
        {"delete": {"uid": "0x1", "friend": {"uid": "0x2"}}},
        {"delete": {"uid": "0x1", "friend": [{"uid": "0x2"}, {"uid": "0x3"}]}},
        {"delete": {"uid": "0x1", "friend": [{"uid": "0x2", "name": None}]}},
        {"delete": {"uid": "0x1", "boss": None}},
        {"delete": {"uid": "0x1", "absent": None}},
        {"delete": {"name": None}},
        {"delete": [{"uid": "0x1", "age": None}, {"uid": "0x2", "age": None}]},
        {"delete": {"uid": "0x1", "dgraph.type": None}},
        {"delete": {"uid": "0x1", "friend|close": None}},
    ]
    asks = [ALL, FOUND, FACETS, VALUES, "{ q(func: has(fresh)) { uid fresh } }", "schema(pred: [fresh]) {}"]
    return [("json " + str(body), [mutate(body), *map(query, asks)]) for body in given]


def cases():
    return quads() + facets() + deletions() + together() + objects()
