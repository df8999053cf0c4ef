"""Schema requests and changes of the schema."""

from peer.requests import add, alter, mutate, query, remove

LOOK = "{ q(func: uid(1, 2, 3)) { uid age name plain nick height friend { uid } } }"


def requests():
    texts = """
schema {}
schema { }
schema { type }
schema { type index tokenizer reverse count list upsert lang }
schema(pred: [name, age]) {}
schema(pred: name) { type index }
schema(pred: [name, friend, nick]) { type list reverse count index tokenizer lang upsert }
schema(pred: [unknown]) {}
schema(pred: []) {}
schema(pred: [dgraph.type]) {}
schema(type: Person) {}
schema(type: [Person, Film]) {}
schema(type: Unknown) {}
schema(pred: [name]) { nonsense }
schema(nope: [name]) {}
schema
{ schema { type } }
""".strip().split("\n")
    return [("ask " + text, [query(text)]) for text in texts]


def changes():
    given = """
plain: string @index(exact) .
plain: string @index(hash, term) .
plain: int .
age: string .
age: float .
age: string @index(exact) .
age: [int] .
nick: string .
name: string .
name: int .
height: int .
born: string .
friend: uid .
boss: [uid] .
friend: string .
age: uid .
likes: [uid] @reverse .
friend: [uid] .
fresh: string .
fresh: string @index(nope) .
fresh: nope .
fresh: int @index(exact) .
fresh: string @index(int) .
fresh: string @index .
fresh: string @index() .
fresh: int @index(int, int) .
fresh: string @index(exact, hash) .
fresh: string @reverse .
fresh: uid @index(exact) .
fresh: [bool] .
fresh: [geo] .
fresh: [password] .
fresh: password @index(exact) .
fresh: int @lang .
fresh: uid @lang .
fresh: string @upsert .
fresh: string @index(exact) @upsert .
fresh: string @unique .
fresh: string @index(exact) @upsert @unique .
fresh: string @noconflict .
fresh: string @nope .
fresh: string @index(exact) @index(hash) .
fresh: datetime @index(year, month, day, hour) .
fresh: datetime @index(datetime) .
fresh: dateTime .
fresh: boolean .
fresh: geo @index(geo) .
fresh: bool @index(bool) .
fresh: default .
fresh: [string] @count @index(term) .
fresh: string
fresh: string . other: int .
fresh: string .. 
fresh string .
<fresh>: string .
<a b>: string .
dgraph.type: string .
dgraph.fresh: string .
dgraph.drop.op: string .
dgraph.graphql.xid: string @index(exact) @upsert .
uid: string .
type Fresh { name }
type Fresh { nope }
type Fresh { name: string }
type Fresh { }
type Person { name }
type dgraph.fresh { name }
type Fresh { name name }
type Fresh { <~friend> }
type Fresh { <~likes> }
# only a comment
nonsense
""".strip().split("\n")
    asks = ["schema(pred: [plain, age, nick, name, height, born, friend, boss, likes, fresh, other]) {}", "schema(type: Person) {}", "schema(type: Fresh) {}", LOOK,
            '{ q(func: eq(plain, "red")) { uid } }', "{ q(func: eq(age, 31)) { uid } }", "{ q(func: has(likes)) { likes { uid } boss { uid } } }"]
    return [("alter " + text, [alter(text.replace("{ ", "{\n").replace(" }", "\n}")), *map(query, asks)]) for text in given] + [
        ("a reverse edge that is asked for without @reverse", [query("{ q(func: uid(0x20)) { ~likes { uid } } }"), alter("likes: [uid] @reverse ."), query("{ q(func: uid(0x20)) { ~likes { uid } } }")])]


def drops():
    everything = "{ q(func: uid(1, 2)) { uid name name@de age friend { uid } dgraph.type } r(func: uid(1, 2)) { expand(_all_) } }"
    find = '{ q(func: has(name)) { uid } r(func: has(friend)) { uid } }'
    given = [
        {"drop_attr": "name"}, {"drop_attr": "friend"}, {"drop_attr": "age"}, {"drop_attr": "absent"}, {"drop_attr": ""},
        {"drop_attr": "dgraph.type"}, {"drop_attr": ["name"]}, {"drop_attr": "~friend"}, {"drop_attr": "name@de"},
        {"drop_op": "ATTR", "drop_value": "name"}, {"drop_op": "ATTR"}, {"drop_op": "TYPE", "drop_value": "Person"},
        {"drop_op": "TYPE", "drop_value": "Unknown"}, {"drop_op": "TYPE"}, {"drop_op": "DATA"}, {"drop_op": "ALL"}, {"drop_op": "ALL", "drop_value": "x"},
        {"drop_op": "NOPE"}, {"drop_all": True}, {"drop_all": False}, {"drop_all": "true"}, {"drop": True}, {},
    ]
    # Behind a drop of all, whether Dgraph knows the languages of a predicate hangs on what it met before.
    asked = [everything.replace(" name@de", "") if body in [{"drop_op": "ALL"}, {"drop_all": True}] else everything for body in given]
    return [("alter " + str(body), [alter(body), query("schema {}"), query(own), query(find)]) for body, own in zip(given, asked)]


def over():
    """What data does when the schema changes under it."""
    return [
        ("an index made over data finds it", [alter("plain: string @index(exact) ."), query('{ q(func: eq(plain, "red")) { uid } r(func: gt(plain, "g")) { uid } }')]),
        ("an index dropped is not there", [alter("age: int ."), query("{ q(func: eq(age, 31)) { uid } }"), query("{ q(func: has(age)) @filter(eq(age, 31)) { uid } }")]),
        ("a count made over data", [alter("boss: uid @reverse @count ."), query("{ q(func: eq(count(boss), 1)) { uid } }")]),
        ("a reverse made over data", [alter("likes: [uid] @reverse ."), query("{ q(func: has(~likes)) { uid ~likes { uid } } }")]),
        ("a type of text and numbers", [add('<0x50> <plain> "5" .\n'), alter("plain: int ."), query("{ q(func: has(plain)) { uid plain } }"), alter("plain: string ."), query("{ q(func: has(plain)) { uid plain } }")]),
        ("floats as integers", [alter("height: int ."), query("{ q(func: has(height)) { uid height } }"), alter("height: float ."), query("{ q(func: has(height)) { uid height } }")]),
        ("a scalar as a list", [alter("plain: [string] ."), query("{ q(func: has(plain)) { uid plain } }"), add('<0x1> <plain> "second" .\n'), query("{ q(func: uid(1)) { plain } }")]),
        ("dropped and made again", [alter({"drop_attr": "age"}), alter("age: string ."), add('<0x1> <age> "old" .\n'), query("{ q(func: has(age)) { uid age } }")]),
        ("a name dropped is new", [add('<0x50> <fresh> "a" .\n<0x50> <freshly> <0x2> .\n'), alter({"drop_attr": "fresh"}), alter({"drop_attr": "freshly"}), query("schema(pred: [fresh, freshly]) {}"), add('<0x50> <freshly> "5"^^<xs:int> .\n<0x50> <fresh> <0x2> .\n'), query("schema(pred: [fresh, freshly]) {}"), query("{ q(func: uid(0x50)) { freshly fresh { uid } } }"), alter({"drop_attr": "fresh"}), alter({"drop_attr": "freshly"})]),
        ("edges as values", [alter("friend: string ."), alter("boss: [string] ."), query("{ q(func: uid(1)) { friend { uid } boss { uid } } }")]),
        ("values as edges", [alter("name: [uid] ."), alter("plain: uid @reverse ."), query("{ q(func: uid(1)) { name plain } }"), alter("fresh: string ."), alter("fresh: uid ."), add("<0x50> <fresh> <0x1> .\n"), query("{ q(func: has(fresh)) { fresh { uid } } }")]),
        ("a password as another type", [alter("secret: string ."), alter("plain: password ."), query("schema(pred: [secret, plain]) {}")]),
        ("a unique value", [alter("code: string @index(exact) @upsert @unique ."), add('<0x50> <code> "A1" .\n'), add('<0x50> <code> "new" .\n'), add('<0x1> <code> "A1" .\n'), query("{ q(func: has(code)) { uid code } }")]),
        ("a unique value twice in one request", [alter("code: string @index(exact) @upsert @unique ."), add('<0x50> <code> "x" .\n<0x51> <code> "x" .\n'), query('{ q(func: eq(code, "x")) { uid } }')]),
        ("a unique predicate over doubles", [add('<0x50> <code> "A1" .\n'), alter("code: string @index(exact) @upsert @unique ."), query("schema(pred: [code]) {}")]),
        ("a language dropped", [alter("name: string @index(exact) ."), query("{ q(func: uid(1)) { name name@de } }")]),
        ("an alter of two lines of which one is wrong", [alter("fresh: string .\nage: nope ."), query("schema(pred: [fresh, age]) {}")]),
        ("no alter", [alter("")]),
        ("data dropped keeps the schema", [alter({"drop_op": "DATA"}), add('<0x1> <name> "N" .\n'), query('{ q(func: eq(name, "N")) { uid } }'), query("schema(pred: [name]) {}")]),
        ("a type dropped keeps its nodes", [alter({"drop_op": "TYPE", "drop_value": "Person"}), query("{ q(func: type(Person)) { uid } r(func: uid(1)) { expand(_all_) } }"), remove("<0x1> * * .\n"), query("{ q(func: uid(1)) { name dgraph.type } }")]),
        ("fields added to a type are expanded", [alter("type Film {\nname\nplain\n}"), add('<0x20> <plain> "p" .\n'), query("{ q(func: uid(0x20)) { expand(_all_) } }")]),
    ]


def cases():
    return requests() + changes() + drops() + over()
