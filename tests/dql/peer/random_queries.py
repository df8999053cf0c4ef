"""Random queries over the graph of the cases: nested blocks, filters, pages, orders, counts, variables, aggregates. Those of
`random_blocks` have other forms.

What is known to differ is not made: a level that is ordered by a value is not paged by `after`, `has` at a root is not
paged, of several keys of an order the first is one that every node has, and a page of edges that does not begin with the
first shows no facets, of which Dgraph takes those of other edges.
"""

import random

# Predicates of values: their words of the schema, and values to compare with.
VALUES = {
    "name": ("string", ["Ann Lee", "Cy", "Berlin", "D", "M", ""]),
    "age": ("int", [0, 25, 31, 40, 60]),
    "height": ("float", [-1, 1.7, 1.75, 2]),
    "born": ("datetime", ["1995-02-03", "2000", "1986-06"]),
    "seen": ("datetime", ["2024-05-06T07:08:09Z", "2024"]),
    "worth": ("bigfloat", ["0", "5.5"]),
    "nick": ("list", ["an", "dee", "x"]),
    "score": ("list", [0, 7, 12]),
    "plain": ("unindexed", ["red", "green", ""]),
    "title": ("hash", ["Star", "Road"]),
    "alive": ("bool", ["true", "false"]),
}
ORDERED = ["name", "age", "height", "born", "seen", "worth"]
# Predicates of edges: what is at their ends, and facets that order or filter them.
EDGES = {
    "friend": ("Person", ["weight", "close"]), "~friend": ("Person", ["weight"]), "boss": ("Person", []), "~boss": ("Person", []),
    "likes": ("Film", ["stars"]), "genre": ("Genre", []), "~genre": ("Film", []), "road": ("Place", ["km", "toll"]), "~road": ("Place", ["km"]),
}
OF_TYPE = {
    "Person": ["friend", "~friend", "boss", "~boss", "likes"], "Film": ["genre"], "Genre": ["~genre"], "Place": ["road", "~road"],
}
READ = {
    "Person": ["name", "age", "height", "alive", "born", "seen", "worth", "nick", "score", "plain", "name@de", "name@de:.", "dgraph.type"],
    "Film": ["name", "title", "made", "title@de", "name@de"], "Genre": ["name"], "Place": ["name", "word"],
}


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        # Variables of values and of nodes that are defined and still have to be used.
        self.values, self.nodes, self.made = [], [], 0

    def maybe(self, chance):
        return self.random.random() < chance

    def pick(self, options):
        return self.random.choice(list(options))

    def variable(self):
        self.made += 1
        return f"v{self.made}"

    def literal(self, predicate):
        value = self.pick(VALUES[predicate][1])
        return value if isinstance(value, (int, float)) else f'"{value}"'

    def comparison(self, at_root):
        predicate = self.pick(p for p, (kind, _) in VALUES.items() if not (at_root and kind == "unindexed"))
        kind = VALUES[predicate][0]
        is_ordered = kind not in ("hash", "bool", "unindexed")
        name = self.pick(["eq", "le", "lt", "ge", "gt"] if is_ordered else ["eq"])
        if is_ordered and kind != "list" and self.maybe(0.1):
            return f"between({predicate}, {self.literal(predicate)}, {self.literal(predicate)})"
        if name == "eq" and self.maybe(0.2):
            # A list takes no number with a sign.
            wanted = [str(self.literal(predicate)).replace("-1", '"-1"') for _ in range(2)]
            return f"eq({predicate}, [{', '.join(wanted)}])"
        return f"{name}({predicate}, {self.literal(predicate)})"

    def test(self, at_root=False):
        chosen = self.random.random()
        if chosen < 0.45:
            return self.comparison(at_root)
        if chosen < 0.6:
            return f"has({self.pick([*VALUES, 'friend', '~boss', 'likes'])})"
        if chosen < 0.7:
            return f"{self.pick(['allofterms', 'anyofterms'])}(name, \"{self.pick(['ann lee', 'dog', 'the long', 'boss cy'])}\")"
        if chosen < 0.75:
            return f"regexp(name, /{self.pick(['^Ann', 'oss$', 'Star|Road', 'lee'])}/{self.pick(['', 'i'])})"
        if chosen < 0.79:
            return self.text_or_shape(at_root)
        if chosen < 0.85:
            return f"type({self.pick(OF_TYPE)})"
        if chosen < 0.92 and not at_root:
            return f"{self.pick(['eq', 'ge', 'lt'])}(count({self.pick(['friend', 'likes', '~friend'])}), {self.pick([1, 2, 3])})"
        return f"uid({', '.join(self.random.sample(['0x1', '0x2', '0x3', '0x5', '0x20', '0x40'], 2))})"

    def text_or_shape(self, at_root):
        found = [
            f"match(name, \"{self.pick(['Ann Le', 'Bo Smth', 'Berln', 'Star'])}\", {self.pick([1, 2, 5])})",
            f"ngram(word, \"{self.pick(['brown', 'quick brown fox', 'lazy', 'brown dog'])}\")",
            f"{self.pick(['alloftext', 'anyoftext'])}(text, \"{self.pick(['dogs run', 'fox', 'lazy running'])}\")",
            f"near(home, [{self.pick(['13.4, 52.5', '2.3, 48.8', '0, 0'])}], {self.pick([1000, 100000, 1000000])})",
            f"within(home, [[[0, 45], [15, 45], [15, {self.pick([50, 55])}], [0, 55], [0, 45]]])",
            f"contains(home, [{self.pick(['13.4, 52.5', '2.3, 48.8'])}])",
            "intersects(home, [[[12, 52], [14, 52], [14, 53], [12, 53], [12, 52]]])",
        ]
        if not at_root:
            found.append(f"uid_in({self.pick(['friend', 'boss', 'likes', 'genre'])}, {self.pick(['0x1', '0x3', '0x21', '0x31'])})")
        return self.pick(found)

    def filter(self, depth=2):
        if depth and self.maybe(0.35):
            return f"({self.filter(depth - 1)} {self.pick(['and', 'or'])} {self.filter(depth - 1)})"
        test = self.test()
        # In Dgraph no node is one that a text does not match.
        return ("not " if self.maybe(0.15) and not test.startswith("match") else "") + test

    def filtered(self, chance=0.4):
        return f" @filter({self.filter()})" if self.maybe(chance) else ""

    def page(self, is_ordered, at_root):
        parts = []
        if self.maybe(0.4):
            count = self.pick([1, 2, 3, 5])
            parts.append(f"first: {count if is_ordered or at_root or self.maybe(0.7) else -count}")
            if self.maybe(0.4):
                parts.append(f"offset: {self.pick([1, 2])}")
        if not is_ordered and self.maybe(0.15):
            parts.append(f"after: {self.pick(['0x1', '0x3', '0x20'])}")
        return parts

    def order(self, is_typed):
        if self.maybe(0.6):
            return []
        chosen = [self.pick(ORDERED)]
        if is_typed and self.maybe(0.3):
            # Each node of a type has a name.
            chosen = ["name", self.pick(ORDERED[1:])]
        return [f"{self.pick(['orderasc', 'orderdesc'])}: {predicate}" for predicate in chosen]

    def arguments(self):
        order = self.order(True)
        parts = order + self.page(bool(order), False)
        return f"({', '.join(parts)})" if parts else ""

    def facets(self, names):
        if not names or self.maybe(0.6):
            return ""
        kind = self.random.random()
        if kind < 0.4:
            return " @facets"
        if kind < 0.6:
            return f" @facets({self.pick(names)})"
        if kind < 0.7:
            return f" @facets(f: {self.pick(names)})"
        if kind < 0.8 and "close" in names:
            return f" @facets({self.pick(['eq(close, true)', 'not eq(close, false)', 'eq(close, true) or gt(weight, 1)', 'eq(close, true) and lt(weight, 1)'])})"
        if kind < 0.9:
            return f" @facets({self.pick(['orderasc', 'orderdesc'])}: {self.pick(own for own in names if own != 'close')})" if names != ["close"] else ""
        return f" @facets(ge({self.pick(['weight', 'km', 'stars', 'toll'])}, 1))"

    def children(self, type_name, depth):
        found = []
        for predicate in self.random.sample(READ[type_name], min(len(READ[type_name]), self.pick([1, 2, 3]))):
            alias = f"a{len(found)}: " if self.maybe(0.1) else ""
            found.append(alias + predicate)
        if self.maybe(0.5):
            found.insert(0, "uid")
        if self.maybe(0.15):
            found.append(f"count({self.pick(OF_TYPE[type_name])})")
        if type_name == "Person" and self.maybe(0.25):
            name, of = self.variable(), self.pick(["age", "height"])
            if of not in found:
                self.values.append(name)
                found.append(f"{name} as {of}")
                if self.maybe(0.3):
                    found.append(f"m{name}: math({name} * 2 + 1)")
        if depth:
            for edge in self.random.sample(OF_TYPE[type_name], min(len(OF_TYPE[type_name]), self.pick([0, 1, 1, 2]))):
                found.append(self.edge(edge, depth))
        return "{ " + " ".join(dict.fromkeys(found)) + " }"

    def edge(self, edge, depth):
        end, facets = EDGES[edge]
        if self.maybe(0.1):
            return f"c{edge.strip('~')}: count({edge}{self.filtered()})"
        variable = ""
        if self.maybe(0.1):
            self.nodes.append(self.variable())
            variable = f"{self.nodes[-1]} as "
        arguments = self.arguments()
        is_cut = any(word in arguments for word in ("offset", "after", "-"))
        shown = "" if is_cut else self.facets(facets)
        if "order" in shown:
            arguments = ""
        return f"{variable}{edge}{arguments}{shown}{self.filtered()} {self.children(end, depth - 1)}"

    def block(self, name):
        type_name = self.pick(["Person", "Person", "Film", "Place", "Genre"])
        is_typed = self.maybe(0.5)
        root = f"type({type_name})" if is_typed else self.test(at_root=True)
        parts = [f"func: {root}"] + self.order(is_typed)
        parts += self.page(1 < len(parts), True) if not root.startswith("has") else []
        shape = self.pick(["", "", "", "", " @cascade", " @normalize"]) if self.maybe(0.5) else ""
        return f"{name}({', '.join(parts)}){shape}{self.filtered()} {self.children(type_name, self.pick([0, 1, 1, 2]))}"

    def query(self):
        blocks = [self.block("q")]
        for number, name in enumerate(self.values):
            if self.maybe(0.5):
                shown = self.pick(["min", "max", "sum", "avg"])
                blocks.append(f"g{number}() {{ {shown}(val({name})) }}")
            else:
                page = self.pick(["", ", first: 2", f", orderdesc: val({name})"])
                blocks.append(f"g{number}(func: uid({name}){page}) {{ uid val({name}) }}")
        for number, name in enumerate(self.nodes):
            blocks.append(f"n{number}(func: uid({name})){self.filtered()} {{ uid name }}")
        return "{ " + " ".join(blocks) + " }"


def random_queries(seed, count):
    return [Maker(f"{seed}/{number}").query() for number in range(count)]
