#!/usr/bin/env python3
"""Writes what TinkerPop's Python driver sends as goldens: values, instructions and requests.

    pip install gremlinpython==3.8.2
    python make.py                                  # writes the inputs beside this script
    MILLRACE_REWRITE_GOLDENS=1 cargo test -p millrace-wire   # fills in what they are read as
    python make.py --answers                        # reads the answers of ../gremlin with the driver

Tests read the files only, and need neither Python nor the driver.
"""
import datetime
import json
import pathlib
import re
import sys
import uuid

from gremlin_python.driver.request import RequestMessage
from gremlin_python.driver import serializer
from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.graph_traversal import __
from gremlin_python.process.strategies import (
    PartitionStrategy, ReadOnlyStrategy, SubgraphStrategy)
from gremlin_python.process.traversal import (
    Barrier, Bindings, Bytecode, Cardinality, CardinalityValue, Column, Direction, DT, GType, Merge, Operator,
    Order, P, Pick, Pop, Scope, T, TextP, Traverser)
from gremlin_python.statics import (
    BigDecimal, GremlinType, SingleByte, SingleChar, bigint, long, short, timestamp)
from gremlin_python.structure.graph import Edge, Property, Vertex, VertexProperty

HERE = pathlib.Path(__file__).parent
ID = "41d2e28a-20a4-4ab0-b379-d810dede3786"
UTC = datetime.timezone.utc
EAST = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
MARKO = Vertex(1, "person")
LOP = Vertex("lop", "software")


def values():
    yield "null", None
    yield "boolean true", True
    yield "boolean false", False
    yield "int 1", 1
    yield "int -2", -2
    yield "long", long(2**40)
    yield "long -1", long(-1)
    yield "short", short(-300)
    yield "byte", SingleByte(-7)
    yield "double", 0.1
    yield "not a number", float("nan")
    yield "infinity", float("inf")
    for number in [0, 127, 128, -1, -128, -129, 2**64, -(2**100), 2**127 - 1, -(2**127)]:
        yield f"big integer {number}", bigint(number)
    yield "big decimal", BigDecimal(2, 12345)
    yield "big decimal of a negative scale", BigDecimal(-3, 7)
    yield "string", "grüße, 世界"
    yield "empty string", ""
    yield "char", SingleChar("€")
    yield "bytes", b"\x00\xff\x10"
    yield "uuid", uuid.UUID(ID)
    yield "date", datetime.datetime(2024, 2, 29, 12, 30, 15, 123000)
    yield "timestamp", timestamp(1481750076.295)
    yield "moment with an offset", datetime.datetime(2024, 2, 29, 12, 30, 15, 123456, tzinfo=EAST)
    yield "moment in UTC", datetime.datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)
    yield "duration", datetime.timedelta(seconds=3661, microseconds=5)
    yield "list", [1, "a", None, [True]]
    yield "empty list", []
    yield "set", {"one"}
    yield "map", {"a": 1, 2: ["x"], T.id: "i"}
    yield "vertex", MARKO
    yield "edge", Edge(7, MARKO, "created", LOP)
    yield "vertex property", VertexProperty(long(0), "name", "marko", MARKO)
    yield "property", Property("since", 2009, None)
    yield "list of vertices", [MARKO, 1]
    yield "token", T.label
    yield "direction", Direction.OUT


def arguments():
    for symbol in [Barrier.norm_sack, Cardinality.list_, Column.keys, DT.day, GType.BIGDECIMAL, Merge.on_create,
                   Merge.out_v, Operator.sum_, Operator.sum_long, Order.desc, Pick.any_, Pick.unproductive, Pop.all_,
                   Scope.global_]:
        yield f"symbol {symbol}", symbol
    yield "gt", P.gt(27)
    yield "eq null", P.eq(None)
    yield "between", P.between(1, 5)
    yield "within", P.within(1, 2, 3)
    yield "within one list", P.within(["a", "b"])
    yield "within nothing", P.within()
    yield "not", P.not_(P.within("x"))
    yield "and of or", P.gt(1).and_(P.lt(9).or_(P.eq(100)))
    yield "text predicate", TextP.starting_with("ma")
    yield "not regex", TextP.not_regex("^a.*")
    yield "type of", P.type_of(GType.INT)
    yield "class", GremlinType("org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy")
    yield "lambda", lambda: ("x -> x.get() + 1", "gremlin-groovy")
    yield "binding", Bindings.of("x", 5)
    yield "cardinality value", CardinalityValue.single("y")
    yield "traverser", Traverser("a", long(3))


def traversals():
    g = traversal().with_(None)
    yield "steps", g.V(1).has("person", "age", P.gt(27)).out("knows").values("name").order().by(Order.desc)
    yield "a vertex as an argument", g.V(MARKO).out_e()
    yield "nested", g.V().where(__.out("knows").count().is_(P.gte(2))).repeat(__.both()).times(2)
    yield "sources", g.with_side_effect("a", [1]).with_sack(1.0, Operator.sum_).V().sack()
    yield "strategies", g.with_strategies(
        ReadOnlyStrategy(), SubgraphStrategy(vertices=__.has("region", "US-TX")),
        PartitionStrategy(partition_key="p", write_partition="a", read_partitions=["a", "b"])).V()
    yield "without strategies", g.without_strategies(ReadOnlyStrategy).V()
    yield "merge", g.merge_v({T.label: "person", "name": "x"}).option(Merge.on_create, {"age": 5}).option(
        Merge.on_match, {"age": CardinalityValue.single(7)})
    yield "merge an edge", g.merge_e({T.label: "knows", Direction.OUT: MARKO, Direction.IN: Merge.in_v})
    yield "add", g.add_v("person").property(Cardinality.single, "name", "x").as_("a").add_e("self").to("a")
    yield "a lambda", g.V().map(lambda: "it.get()")
    yield "a binding", g.V(Bindings.of("id", 1)).project("a", "b").by(T.id).by(__.values("name").fold())
    yield "commit", Bytecode._create_graph_op("tx", "commit")


def requests():
    g = traversal().with_(None)
    code = g.V().count().bytecode
    yield "eval", "", "eval", {"gremlin": "g.V(x)", "bindings": {"x": 1, "y": ["a", None, 0.5]}, "aliases": {"g": "gmodern"}}
    yield "eval with options", "", "eval", {
        "gremlin": "g.V()", "language": "gremlin-lang", "batchSize": 2, "evaluationTimeout": long(500),
        "materializeProperties": "tokens", "userAgent": "me"}
    yield "bytecode", "traversal", "bytecode", {"gremlin": code, "aliases": {"g": "g"}}
    yield "eval in a session", "session", "eval", {"gremlin": "x = 1", "session": ID}
    yield "bytecode in a session", "session", "bytecode", {"gremlin": code, "session": ID, "aliases": {"g": "g"}}
    yield "commit in a session", "session", "bytecode", {
        "gremlin": Bytecode._create_graph_op("tx", "commit"), "session": ID, "aliases": {"g": "g"}}
    yield "close", "session", "close", {"session": ID}
    yield "authentication", "traversal", "authentication", {"sasl": "AHN0ZXBoZW4AcGFzc3dvcmQ="}


# Dates without times, zones and periods have no types in the driver, nor have trees.
NOT_OF_PYTHON = ["more values", "a path, a tree and elements in collections"]

SERIALIZERS = {
    "graphbinary": serializer.GraphBinarySerializersV1,
    "graphson3": serializer.GraphSONSerializersV3d0,
    "graphson2": serializer.GraphSONSerializersV2d0,
}


def written(name, thing):
    if name == "graphbinary":
        data = bytearray()
        SERIALIZERS[name]()._graphbinary_writer.to_dict(thing, data)
        return data.hex()
    return SERIALIZERS[name]().standard._writer.write_object(thing)


def golden(path, title, cases):
    old = {}
    if path.exists():
        for case in re.finditer(r"^# ([^\n]*)\n\n```input\n(.*?)\n```\n```output\n(.*?)```\n", path.read_text(), re.M | re.S):
            old[case[1], case[2]] = case[3]
    text = ""
    for name, data in cases:
        text += f"# {name}\n\n```input\n{data}\n```\n```output\n{old.get((name, data), '')}```\n\n"
    path.write_text(text)


def make():
    for name, kind in SERIALIZERS.items():
        for family in [values, arguments, traversals]:
            cases = []
            for title, thing in family():
                try:
                    cases.append((title, written(name, thing)))
                except Exception as error:  # The driver cannot say it in this format.
                    print(f"{name}: {title}: {error!r}")
            golden(HERE / f"{name}-{family.__name__}.md", name, cases)
        cases = []
        for title, processor, op, args in requests():
            message = kind().serialize_message(ID, RequestMessage(processor, op, dict(args)))
            cases.append((title, message.hex() if name == "graphbinary" else repr(message)[2:-1]))
        golden(HERE / f"{name}-requests.md", name, cases)


def answers():
    """Reads with the driver what this crate wrote."""
    text = (HERE.parent / "gremlin" / "answers" / "answers.md").read_text()
    count = 0
    for case in re.finditer(r"^# ([^\n]*)\n\n```input\n(.*?)\n```\n```output\n(.*?)\n```\n", text, re.M | re.S):
        for line in case[3].splitlines():
            name, data = line.split(" ", 1)
            if name not in SERIALIZERS:
                continue
            if case[1] in NOT_OF_PYTHON:
                continue
            data = bytes.fromhex(data) if name == "graphbinary" else data
            message = SERIALIZERS[name]().deserialize_message(data)
            print(f"{case[1]} / {name}: {message}")
            count += 1
    print(f"{count} answers read")


if __name__ == "__main__":
    answers() if "--answers" in sys.argv else make()
