"""Scripts with bindings, of which there may be many."""

from gremlin_python.structure.graph import Vertex

from expect import expect, expect_error

TEN = range(10)

# Ten vertices with two values each, in one request: twenty bindings. Other servers stop at sixteen.
TEN_VERTICES = "g" + "".join(
    f".addV('person').property('name', n{at}).property('age', a{at})" for at in TEN) + ".count()"


def rows(first):
    """The bindings of ten people."""
    names = {f"n{at}": f"person {first + at}" for at in TEN}
    return names | {f"a{at}": first + at for at in TEN}


def scripts(server):
    """Texts, their bindings, several statements, and options of a request."""
    with server.client() as client:
        run = lambda *words, **options: client.submit(*words, **options).all().result()
        run("g.V().drop()")
        expect("ten vertices", [run(TEN_VERTICES, rows(10 * turn)) for turn in range(5)], [[1]] * 5)
        expect("they are there", run("g.V().hasLabel('person').count()"), [50])
        expect("each with its own", run("g.V().has('name', x).values('age')", {"x": "person 37"}), [37])
        names = {f"v{at}": at for at in range(200)}
        expect("200 bindings", run("g.inject(" + ",".join(names) + ").sum()", names), [19900])
        expect("a list", run("g.V().has('age', within(ages)).count()", {"ages": [1, 2, 99]}), [2])
        expect("a map", run("g.inject(m).unfold().count()", {"m": {"a": 1, "b": 2}}), [2])
        expect("ids", run("g.V(ids).count()", {"ids": run("g.V().limit(3).id()")}), [3])
        expect("statements", run("v = g.addV('last').next(); g.V(v).label()"), ["last"])
        expect("nothing", run("g.V().hasLabel('none')"), [])
        found = run("g.V().has('name', 'person 3')")
        expect("a vertex", [(type(one), one.label) for one in found], [(Vertex, "person")])
        bare = run("g.V().has('name', 'person 3')", request_options={"materializeProperties": "tokens"})
        expect("properties", len(found[0].properties), 2)
        expect("tokens", bare[0].properties or [], [])
        batches = list(client.submit("g.V().hasLabel('person').values('age').order()",
                                     request_options={"batchSize": 20}))
        expect("frames of the size asked for", [len(batch) for batch in batches], [20, 20, 10])
        expect("their values", sum(batches, []), list(range(50)))
        expect("the language of the suite", run("g.inject(1, 2).sum()",
                                                request_options={"language": "gremlin-lang"}), [3])
        expect("another graph", run("h.V().count()", request_options={"aliases": {"h": "graph"}}), [51])
        expect_error("no graph", 597, "nowhere", lambda: run(
            "g.V()", request_options={"aliases": {"g": "nowhere"}}))


def at_once(server):
    """Many requests at once: each answer finds its request, and all writes are there."""
    with server.client(pool_size=4, max_workers=8) as client:
        client.submit("g.V().drop()").all().result()
        asked = [client.submit_async("g.addV('one').property('number', x).values('number')", {"x": at})
                 for at in range(300)]
        answers = [future.result().all().result() for future in asked]
        expect("own answers", answers, [[at] for at in range(300)])
        expect("all are there", client.submit("g.V().hasLabel('one').count()").one(), [300])
