"""Values of every type that the driver and the format have, there and back."""

import datetime
import math
import uuid
from decimal import Decimal
from importlib.metadata import version

from gremlin_python.statics import BigDecimal, SingleByte, SingleChar, bigint, long

from expect import expect

# What JSON has, which is what the driver sends as bindings over GraphSON.
PLAIN = [
    True, False, 0, -1, 2 ** 31 - 1, -2 ** 31, long(2 ** 40), long(2 ** 63 - 1), long(-2 ** 63),
    0.0, -2.5, 1e300, "", "plain", "Grüße, 世界 🌍", "quotes ' and \" and \\ and $",
    [], [1, [2, ["three"]]], {}, {"a": 1, "b": [1, 2]},
]

TYPED = [
    uuid.UUID("41d2e28a-20a4-4ab0-b379-d810dede3786"), {1: "one", "two": 2}, {1, 2, 3},
    # Over GraphBinary the driver forgets the days of a duration.
    datetime.timedelta(hours=2, seconds=3, microseconds=5), bigint(2 ** 100), bigint(-2 ** 100),
]


def values(server):
    """Sent in bytecode, and sent as a binding; stored, too, where it can be a property."""
    with server.traversals() as g, server.client() as client:
        g.V().drop().iterate()
        for value in PLAIN + TYPED:
            expect("in bytecode", g.inject(value).next(), value)
            if value in PLAIN or server.format == "graphbinary":
                expect("as a binding", client.submit("g.inject(x)", {"x": value}).one(), [value])
            if not isinstance(value, (list, dict, set)):
                g.add_v("value").property("it", value).iterate()
                expect("stored", g.V().has_label("value").values("it").next(), value)
                g.V().has_label("value").drop().iterate()
        expect("no number", math.isnan(g.inject(float("nan")).next()), True)
        expect("infinite", g.inject(-math.inf).next(), -math.inf)
        expect("null", g.inject(None).to_list(), [None])
        when = datetime.datetime(2026, 11, 22, 12, 30, 15, tzinfo=datetime.timezone.utc)
        # 3.7 cannot read the type that 3.8 has for moments, but what it sends is one.
        expect("a moment, compared there", g.inject(when).is_(when).count().next(), 1)
        if not version("gremlinpython").startswith("3.7."):
            expect("a moment", g.inject(when).next(), when)
        expect("a byte", g.inject(SingleByte(7)).next(), 7)
        expect("a character", g.inject(SingleChar("x")).next(), "x")
        # Over GraphSON 3.7 has decimals of Python, and else the driver has its own.
        is_own = server.format == "graphbinary" or not version("gremlinpython").startswith("3.7.")
        decimal = g.inject(BigDecimal(2, 125) if is_own else Decimal("1.25")).next()
        if isinstance(decimal, BigDecimal):
            decimal = Decimal(decimal.unscaled_value).scaleb(-decimal.scale)
        expect("a decimal", decimal, Decimal("1.25"))
