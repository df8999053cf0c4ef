"""Traversals, sent as bytecode: what they find, and as what it arrives."""

from gremlin_python.process.graph_traversal import __
from gremlin_python.process.strategies import ReadOnlyStrategy, SubgraphStrategy
from gremlin_python.process.traversal import (
    Cardinality, Direction, Merge, Order, P, T, TextP)
from gremlin_python.structure.graph import Edge, Path, Vertex, VertexProperty

from expect import expect, expect_error


def make_people(g):
    """ann knows ben and cem, who like a lamp; ann has two nicknames."""
    g.V().drop().iterate()
    (g.add_v("person").property("name", "ann").property("age", 30)
        .property(Cardinality.list_, "nick", "a")
        .property(Cardinality.list_, "nick", "annie", "since", 2009).as_("ann")
        .add_v("person").property("name", "ben").property("age", 40).as_("ben")
        .add_v("person").property("name", "cem").property("age", 50).as_("cem")
        .add_v("thing").property("name", "lamp").as_("lamp")
        .add_e("knows").from_("ann").to("ben").property("weight", 0.5)
        .add_e("knows").from_("ann").to("cem").property("weight", 1.5)
        .add_e("likes").from_("ben").to("lamp")
        .add_e("likes").from_("cem").to("lamp")
        .iterate())


def reads(server):
    """Values, in the order and number that were asked for."""
    with server.traversals() as g:
        make_people(g)
        people = g.V().has_label("person")
        expect("count", people.clone().count().next(), 3)
        expect("ages", people.clone().values("age").order().to_list(), [30, 40, 50])
        expect("two hops", g.V().has("name", "ann").out("knows").out("likes").values("name").to_list(),
               ["lamp", "lamp"])
        expect("predicates", people.clone().has("age", P.gt(30).and_(P.lt(50))).values("name").to_list(),
               ["ben"])
        expect("within", g.V().has("name", P.within("ann", "lamp")).values("name").order().to_list(),
               ["ann", "lamp"])
        expect("text", g.V().has("name", TextP.starting_with("la")).values("name").to_list(), ["lamp"])
        expect("order", people.clone().order().by("age", Order.desc).values("name").to_list(),
               ["cem", "ben", "ann"])
        expect("repeat", g.V().has("name", "ann").repeat(__.out()).until(__.has_label("thing"))
               .dedup().values("name").to_list(), ["lamp"])
        expect("choose", people.clone().order().by("age").choose(
            __.values("age").is_(P.lt(40)), __.constant("young"), __.values("name")).to_list(),
            ["young", "ben", "cem"])
        expect("nothing", g.V().has("name", "nobody").to_list(), [])
        expect("has_next", g.V().has("name", "nobody").has_next(), False)
        expect("many frames", g.inject(list(range(1000))).unfold().to_list(), list(range(1000)))


def paths_and_maps(server):
    """Paths with their labels, maps with the keys that they have on the server."""
    with server.traversals() as g:
        make_people(g)
        path = (g.V().has("name", "ann").as_("x").out_e("knows").has("weight", 1.5).as_("y").in_v()
                .path().by("name").by("weight").by("name").next())
        expect("path", path, Path([{"x"}, {"y"}, set()], ["ann", 1.5, "cem"]))
        ann = g.V().has("name", "ann").next()
        expect("value map", g.V(ann).value_map("name", "nick").next(),
               {"name": ["ann"], "nick": ["a", "annie"]})
        expect("element map", g.V(ann).element_map("name", "age").next(),
               {T.id: ann.id, T.label: "person", "name": "ann", "age": 30})
        ends = g.V(ann).out_e("knows").has("weight", 0.5).element_map().next()
        expect("ends", (ends[Direction.OUT][T.label], ends[Direction.IN][T.label], ends["weight"]),
               ("person", "person", 0.5))
        expect("group count", g.V().group_count().by(T.label).next(), {"person": 3, "thing": 1})
        expect("group", g.V().has_label("person").group().by(__.out("likes").count())
               .by(__.values("name").order().fold()).next(), {0: ["ann"], 1: ["ben", "cem"]})
        expect("project", g.V(ann).project("name", "knows").by("name")
               .by(__.out("knows").values("name").order().fold()).next(),
               {"name": "ann", "knows": ["ben", "cem"]})
        expect("select", g.V(ann).as_("a").out("knows").has("name", "ben").as_("b")
               .select("a", "b").by("name").next(), {"a": "ann", "b": "ben"})


def elements(server):
    """Vertices, edges and properties as the driver has them, with and without what they have."""
    with server.traversals() as g:
        make_people(g)
        ann = g.V().has("name", "ann").next()
        expect("a vertex", (type(ann), ann.label), (Vertex, "person"))
        expect("its properties", sorted((own.key, str(own.value)) for own in ann.properties),
               [("age", "30"), ("name", "ann"), ("nick", "a"), ("nick", "annie")])
        annie = g.V(ann).properties("nick").has_value("annie").next()
        expect("a property", (type(annie), annie.key, annie.value), (VertexProperty, "nick", "annie"))
        expect("of a property", [(own.key, own.value) for own in annie.properties], [("since", 2009)])
        edge = g.V(ann).out_e("knows").has("weight", 0.5).next()
        ben = g.V().has("name", "ben").next()
        expect("an edge", (type(edge), edge.label, edge.outV, edge.inV), (Edge, "knows", ann, ben))
        expect("its ends", (edge.outV.label, edge.inV.label), ("person", "person"))
        expect("its property", [(own.key, own.value) for own in edge.properties], [("weight", 0.5)])
        expect("found by its id", g.E(edge.id).next(), edge)
        expect("a path of elements", g.V(ann).out_e().has("weight", 0.5).in_v().path().next().objects,
               [ann, edge, ben])
        tokens = g.with_("materializeProperties", "tokens")
        bare = tokens.V(ann).next()
        expect("tokens", (bare.id, bare.label, bare.properties or []), (ann.id, "person", []))
        expect("tokens of an edge", tokens.E(edge.id).next().properties or [], [])


def bulks(server):
    """Equal results travel once, with their number; a list has all of them."""
    with server.traversals() as g:
        make_people(g)
    with server.connection() as connection:
        likes = g.V().has_label("person").out("likes").label()
        traversers = list(connection.submit(likes.bytecode).traversers)
        expect("travelled", [(one.object, one.bulk) for one in traversers], [("thing", 2)])
    with server.traversals() as g:
        expect("arrived", g.V().has_label("person").out("likes").label().to_list(), ["thing", "thing"])


def writes(server):
    """Elements made, changed, merged and dropped; each request is a transaction."""
    with server.traversals() as g:
        make_people(g)
        dee = {T.label: "person", "name": "dee"}
        for expected in ("made", "found"):
            g.merge_v(dee).option(Merge.on_create, {"name": "dee", "state": "made"}) \
                .option(Merge.on_match, {"state": "found"}).iterate()
            expect("merged", g.V().has("name", "dee").values("state").to_list(), [expected])
        g.V().has("name", "dee").property(Cardinality.single, "state", "changed").iterate()
        expect("changed", g.V().has("name", "dee").values("state").to_list(), ["changed"])
        ben = g.V().has("name", "ben").id_().next()
        dee = g.V().has("name", "dee").id_().next()
        for _ in range(2):
            g.merge_e({T.label: "knows", Direction.OUT: ben, Direction.IN: dee}).iterate()
        expect("an edge merged", g.V(ben).out("knows").id_().to_list(), [dee])
        g.V(dee).drop().iterate()
        expect("dropped", (g.V(dee).count().next(), g.V(ben).out("knows").count().next()), (0, 0))


def strategies(server):
    """What a source says of all its traversals."""
    with server.traversals() as g:
        make_people(g)
        grown = g.with_strategies(SubgraphStrategy(vertices=__.has("age", P.gte(40))))
        expect("a part", grown.V().values("name").order().to_list(), ["ben", "cem"])
        closed = g.with_strategies(ReadOnlyStrategy())
        expect("read only reads", closed.V().count().next(), 4)
        expect_error("read only", 597, "", lambda: closed.add_v("person").iterate())
        expect("a sack", g.with_sack(1).V().has("name", "ann").sack().next(), 1)
        expect("a side effect", g.with_side_effect("x", [7]).inject(1).select("x").next(), [7])
