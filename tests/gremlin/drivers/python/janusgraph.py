"""JanusGraph's predicates and shapes, as its clients send them.

Where `janusgraphpython` is installed, its serializers write the predicates; it has no shapes, so those are written here, as JanusGraph's
serializers for Java do, and so are the predicates without it.
"""

import struct
from contextlib import contextmanager

from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.serializer import GraphBinarySerializersV1, GraphSONMessageSerializer
from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.traversal import P, TextP
from gremlin_python.structure.io.graphbinaryV1 import GraphBinaryWriter, StringIO
from gremlin_python.structure.io.graphsonV3d0 import GraphSONReader, GraphSONUtil, GraphSONWriter

from expect import expect, expect_error

try:
    from janusgraph_python.process.traversal import Text, _JanusGraphP as JanusGraphP
    from janusgraph_python.structure.io.graphbinaryV1 import JanusGraphPSerializer as BinaryP
    from janusgraph_python.structure.io.graphsonV3d0 import JanusGraphPSerializer as JsonP
except ImportError:
    Text = BinaryP = JsonP = None

    class JanusGraphP(P):
        """A predicate by its name."""

        def __init__(self, operator, value, other=None):
            self.operator, self.value, self.other = operator, value, other


class Geoshape:
    """A shape: its kind, and its numbers with latitudes before longitudes."""

    KINDS = ["point", "circle", "box"]

    def __init__(self, kind, *numbers):
        self.kind, self.numbers = kind, numbers


def custom(name, number, to_extend):
    to_extend += b"\0"
    StringIO.dictify(name, None, to_extend, True, False)
    to_extend += struct.pack(">i", number) + b"\0"


class BinaryShape:
    @classmethod
    def dictify(cls, shape, writer, to_extend, as_value=False, nullable=True):
        custom("janusgraph.Geoshape", 0x1000, to_extend)
        to_extend += struct.pack(">bi", 2, Geoshape.KINDS.index(shape.kind))
        to_extend += b"".join(struct.pack(">d", number) for number in shape.numbers)
        return to_extend


class OwnBinaryP:
    @classmethod
    def dictify(cls, predicate, writer, to_extend, as_value=False, nullable=True):
        custom("janusgraph.P", 0x1002, to_extend)
        StringIO.dictify(predicate.operator, writer, to_extend, True, False)
        writer.to_dict(predicate.value, to_extend)
        return to_extend


class JsonShape:
    @classmethod
    def dictify(cls, shape, writer):
        numbers = [float(number) for number in shape.numbers]
        if shape.kind == "point":
            content = {"coordinates": writer.to_dict([numbers[1], numbers[0]])}
        elif shape.kind == "circle":
            content = {"geometry": writer.to_dict({
                "type": "Circle", "coordinates": [numbers[1], numbers[0]], "radius": numbers[2],
                "properties": {"radius_units": "km"}})}
        else:
            south, west, north, east = numbers
            ring = [[west, south], [west, north], [east, north], [east, south], [west, south]]
            content = {"geometry": writer.to_dict({"type": "Polygon", "coordinates": [ring]})}
        return GraphSONUtil.typed_value("Geoshape", content, "janusgraph")


class OwnJsonP:
    @classmethod
    def dictify(cls, predicate, writer):
        content = {"predicate": predicate.operator, "value": writer.to_dict(predicate.value)}
        return GraphSONUtil.typed_value("JanusGraphP", content, "janusgraph")


def serializer(format):
    """The driver's serializer with these types; the last of a list is asked first."""
    if format == "graphbinary":
        own = [(Geoshape, BinaryShape), (JanusGraphP, BinaryP or OwnBinaryP)]
        return GraphBinarySerializersV1(writer=GraphBinaryWriter(own))
    own = [(Geoshape, JsonShape), (JanusGraphP, JsonP or OwnJsonP)]
    version = b"application/vnd.gremlin-v3.0+json"
    return GraphSONMessageSerializer(GraphSONReader(), GraphSONWriter(own), version)


@contextmanager
def traversals(server):
    connection = DriverRemoteConnection(server.url, "g", message_serializer=serializer(server.format))
    try:
        yield traversal().with_remote(connection)
    finally:
        connection.close()


TEXTS = ["Hercules the hero", "Hydra", "Nemean lion", "Cerberus, hound of Hades"]

PREDICATES = [
    ("textContains", "HYDRA", [1]),
    ("textNotContains", "the", [1, 2, 3]),
    ("textContainsPrefix", "h", [0, 1, 3]),
    ("textNotContainsPrefix", "he", [1, 2, 3]),
    ("textContainsRegex", "h[a-z]*s", [0, 3]),
    ("textNotContainsRegex", "h.*", [2]),
    ("textContainsFuzzy", "hidra", [1]),
    ("textNotContainsFuzzy", "lions", [0, 1, 3]),
    ("textContainsPhrase", "hound of hades", [3]),
    ("textNotContainsPhrase", "of hound", [0, 1, 2, 3]),
    ("textPrefix", "Her", [0]),
    ("textNotPrefix", "H", [2, 3]),
    ("textRegex", "Hyd.a", [1]),
    ("textNotRegex", "H.*", [2, 3]),
    ("textFuzzy", "Hydro", [1]),
    ("textNotFuzzy", "Hydro", [0, 2, 3]),
]

PLACES = [(38.1, 23.7), (37.7, 23.9), (39.0, 22.0), (0.0, 180.0)]

SHAPES = [
    ("geoWithin", Geoshape("circle", 37.97, 23.72, 50), [0, 1]),
    ("geoIntersect", Geoshape("circle", 37.97, 23.72, 20), [0]),
    ("geoDisjoint", Geoshape("circle", 37.97, 23.72, 50), [2, 3]),
    ("geoContains", Geoshape("circle", 37.97, 23.72, 50), []),
    ("geoWithin", Geoshape("box", 38.0, 21.0, 40.0, 24.0), [0, 2]),
    ("geoWithin", Geoshape("box", -1.0, 179.0, 1.0, -179.0), [3]),
    ("geoIntersect", Geoshape("point", 37.7, 23.9), [1]),
]


def predicates_and_shapes(server):
    """Each predicate, in bytecode with and without a label, and shapes as values."""
    with traversals(server) as g:
        g.V().drop().iterate()
        for number, text in enumerate(TEXTS):
            g.add_v("monster").property("name", text).property("n", number).property(
                "place", Geoshape("point", *PLACES[number])).iterate()
        for key, checks in [("name", PREDICATES), ("place", SHAPES)]:
            for name, value, wanted in checks:
                predicate = JanusGraphP(name, value)
                found = g.V().has(key, predicate).values("n").order().to_list()
                expect(f"{name}({value})", found, wanted)
                found = g.V().has("monster", key, predicate).values("n").order().to_list()
                expect(f"{name}({value}) of a label", found, wanted)
        if Text is not None:
            found = g.V().has("name", Text.text_contains_fuzzy("hidra")).count().next()
            expect("a predicate of janusgraphpython", found, 1)
        both = JanusGraphP("textContains", "the").or_(TextP.containing("ion"))
        expect("joined", g.V().has("name", both).values("n").order().to_list(), [0, 2])
        expect("equal points", g.V().has("place", Geoshape("point", *PLACES[2])).values("n").to_list(), [2])
        expect_error("blank", 597, "blank", lambda: g.V().has("name", JanusGraphP("textContains", " ")).to_list())
        expect_error("a circle as a value", 597, "takes no circle",
                     lambda: g.add_v().property("area", Geoshape("circle", 1, 2, 3)).to_list())
        g.V().drop().iterate()
