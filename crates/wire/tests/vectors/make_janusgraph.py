#!/usr/bin/env python3
"""Writes messages with JanusGraph's own types as goldens: predicates by its Python library, shapes by hand, as the serializers of
JanusGraph 1.1 write them.

    pip install janusgraphpython==1.1.1
    python make_janusgraph.py                                # writes the inputs beside this script
    MILLRACE_REWRITE_GOLDENS=1 cargo test -p millrace-wire   # fills in what they are read as

Tests read the files only, and need neither Python nor the library.
"""
import json
import pathlib
import struct

from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.structure.graph import Graph
from janusgraph_python.process.traversal import Text
from janusgraph_python.structure.io.graphbinaryV1 import JanusGraphBinaryWriter
from janusgraph_python.structure.io.graphsonV3d0 import JanusGraphSONWriter

HERE = pathlib.Path(__file__).parent


def custom(name, number, body):
    """A custom type in hexadecimal digits."""
    name = struct.pack(">i", len(name)).hex() + name.encode().hex()
    return "00" + name + struct.pack(">i", number).hex() + "00" + body


def predicate(name, body):
    return custom("janusgraph.P", 0x1002, struct.pack(">i", len(name)).hex() + name.encode().hex() + body)


def shape(code, *numbers, version=2):
    doubles = "".join(struct.pack(">d", number).hex() for number in numbers)
    head = struct.pack(">bi", version, code).hex()
    return custom("janusgraph.Geoshape", 0x1000, head + doubles)


def typed(name, value):
    return {"@type": name, "@value": value}


def double(number):
    return typed("g:Double", number)


def many(*items):
    return typed("g:List", list(items))


def mapped(**entries):
    return typed("g:Map", [part for entry in entries.items() for part in entry])


def geoshape(**content):
    return typed("janusgraph:Geoshape", content)


def ring(*corners):
    return many(many(*[many(double(x), double(y)) for x, y in corners]))


def text(value):
    return json.dumps(value, separators=(",", ":"))


def by_the_library(writer):
    g = traversal().with_graph(Graph())
    step = g.V().has("name", Text.text_not_contains_regex("b.*")).bytecode
    for name, thing in [("a predicate", Text.text_contains("bob")), ("in a step", step)]:
        written = writer.write_object(thing) if hasattr(writer, "write_object") else writer.writeObject(thing)
        yield name, written if isinstance(written, str) else bytes(written).hex()


def graphbinary():
    yield from by_the_library(JanusGraphBinaryWriter())
    yield "a point", shape(0, 50.5, 14.25)
    yield "a circle in a predicate", predicate("geoWithin", shape(1, 50, 14, 2.5))
    yield "a box", shape(2, -1, 170, 1, -170)
    yield "a polygon", shape(4)
    yield "no kind", shape(40)
    yield "a latitude out of range", shape(0, 91, 0)
    yield "an older version", shape(0, 1, 2, version=1)
    yield "nothing", custom("janusgraph.Geoshape", 0x1000, "")[:-2] + "01"
    yield "another number", custom("janusgraph.Geoshape", 0x1001, "")
    yield "a relation", custom("janusgraph.RelationIdentifier", 0x1001, "00")
    yield "another type", custom("acme.Thing", 1, "")
    yield "an unknown predicate", predicate("gtx", "fe01")


def graphson():
    yield from by_the_library(JanusGraphSONWriter())
    circle = geoshape(geometry=mapped(
        type="Circle", coordinates=many(double(14.0), double(50.0)), radius=double(2.5),
        properties=mapped(radius_units="km")))
    yield "a point", text(geoshape(coordinates=many(double(14.25), double(50.5))))
    yield "a point of numbers without a type", text(geoshape(coordinates=[14.25, 50.5]))
    yield "a circle in a predicate", text(
        typed("janusgraph:JanusGraphP", {"predicate": "geoWithin", "value": circle}))
    plain = {"type": "Circle", "coordinates": [14.0, 50.0], "radius": 2.5}
    yield "a circle as plain GeoJSON", text(geoshape(geometry=plain))
    yield "a box", text(geoshape(geometry=mapped(type="Polygon", coordinates=ring(
        (170.0, -1.0), (170.0, 1.0), (-170.0, 1.0), (-170.0, -1.0), (170.0, -1.0)))))
    polygons = [
        ("a box around the other way", [[3, 1], [5, 1], [5, 2], [3, 2], [3, 1]]),
        ("a box from its east", [[5, 1], [5, 2], [3, 2], [3, 1], [5, 1]]),
        ("a triangle", [[5, 1], [5, 2], [3, 2], [5, 1]]),
        ("a kite", [[3, 1], [4, 2], [3, 3], [2, 2], [3, 1]]),
    ]
    for name, corners in polygons:
        yield name, text(geoshape(geometry={"type": "Polygon", "coordinates": [corners]}))
    line = {"type": "LineString", "coordinates": [[5, 1], [5, 2]]}
    yield "a line", text(geoshape(geometry=line))
    yield "a circle without a radius", text(geoshape(geometry={"type": "Circle", "coordinates": [14, 50]}))
    yield "a longitude out of range", text(geoshape(coordinates=[181, 0]))
    yield "an unknown predicate", text(typed("janusgraph:JanusGraphP", {"predicate": "gtx", "value": 1}))


for file, cases in [("graphbinary", graphbinary()), ("graphson3", graphson())]:
    written = [f"# {name}\n\n```input\n{case}\n```\n```output\n```\n" for name, case in cases]
    (HERE / f"{file}-janusgraph.md").write_text("\n".join(written))
