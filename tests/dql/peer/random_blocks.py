"""Random blocks of other forms: groups, recursions, shortest paths, math of variables, and cascades with pages.

What is known to differ is not made: a recursion does not show facets where it reaches a node again, a page of it does not
meet a cascade, floats are not summed, of which Dgraph rounds each sum, and math does not lose its values.
"""

from peer.random_queries import EDGES, OF_TYPE, READ, Maker

GROUPED = {"Person": ["age", "friend", "boss", "nick", "score", "~friend"], "Film": ["genre", "made"], "Genre": ["~genre"], "Place": ["road"]}
FOLDED = {"Person": ["age", "height"], "Film": ["made"], "Genre": [], "Place": []}


class BlockMaker(Maker):
    def root(self, type_name):
        return f"type({type_name})" if self.maybe(0.5) else self.test(at_root=True)

    def group(self, type_name):
        keys = self.random.sample(GROUPED[type_name], min(len(GROUPED[type_name]), self.pick([1, 1, 2])))
        # Of several keys at most one is an edge: groups by two would be of pairs.
        keys = [key for key in keys if key not in EDGES][:2] or keys[:1]
        # A key of which no node has a value is none in Dgraph, where there are others.
        if 1 < len(keys):
            keys = [key for key in keys if key == "age"] or keys[:1]
        folds = ["count(uid)"] + [f"{self.pick(['min', 'max'])}({of})" for of in FOLDED[type_name] if self.maybe(0.3)]
        return f"@groupby({', '.join(keys)}) {{ {' '.join(folds)} }}"

    def groups(self):
        type_name = self.pick(["Person", "Person", "Film", "Genre", "Place"])
        if self.maybe(0.6):
            return f"{{ q(func: {self.root(type_name)}){self.filtered()} {self.group(type_name)} }}"
        edge = self.pick(edge for edge in OF_TYPE[type_name] if edge != "likes")
        return f"{{ q(func: type({type_name})) {{ name {edge}{self.filtered()} {self.group(EDGES[edge][0])} }} }}"

    def recursion(self):
        edges, values = self.pick([(["friend", "boss"], ["name", "age", "nick"]), (["road"], ["name", "word"]), (["~friend", "friend"], ["name", "height"]),
                                   (["likes", "genre", "friend"], ["name", "title"])])
        steps = []
        for edge in self.random.sample(edges, self.pick(range(1, len(edges) + 1))):
            arguments = self.arguments() if self.maybe(0.3) else ""
            steps.append(f"{edge}{arguments}{self.filtered(0.2)}")
        read = self.random.sample(values, self.pick(range(1, len(values) + 1)))
        shape = self.pick(["", "", " @normalize"])
        if shape:
            read = [f"a{number}: {value}" for number, value in enumerate(read)] + (["uid"] if self.maybe(0.3) else [])
        elif self.maybe(0.4):
            read.insert(0, "uid")
        loop = ", loop: true" if self.maybe(0.2) else ""
        roots = ", ".join(self.random.sample(["0x1", "0x2", "0x4", "0x6", "0x20", "0x40", "0x42"], self.pick([1, 1, 2])))
        return f"{{ q(func: uid({roots})) @recurse(depth: {self.pick([2, 3, 3, 4])}{loop}){shape} {{ {' '.join(read + steps)} }} }}"

    def path(self):
        # Of paths that are as cheap as each other any is answered, so these are of roads of different lengths.
        nodes, edges = ["0x40", "0x41", "0x42", "0x43", "0x44"], ["road"]
        ends = [self.pick(nodes), self.pick(nodes)]
        options = [f"from: {ends[0]}", f"to: {ends[1]}"]
        weight = " @facets(km)"
        count = self.pick([1, 1, 1, 2, 3])
        if 1 < count:
            options.append(f"numpaths: {count}")
        if self.maybe(0.2):
            options.append(f"depth: {self.pick([1, 2, 3])}")
        # A condition of a path is one of values.
        tests = ["", "", "", "", " @filter(has(name))", ' @filter(not eq(name, "Cy"))', " @filter(ge(age, 26) or has(word))"]
        steps = " ".join(f"{edge}{weight}{self.pick(tests)}" for edge in edges)
        return f"{{ p as shortest({', '.join(options)}) {{ {steps} }} q(func: uid(p)) {{ uid name }} }}"

    def expression(self, names, depth):
        if not depth or self.maybe(0.3):
            return self.pick([*names, *names, "2", "0.5", "3"])
        one, other = self.expression(names, depth - 1), self.expression(names, depth - 1)
        kind = self.random.random()
        if kind < 0.6:
            return f"({one} {self.pick(['+', '-', '*'])} {other})"
        if kind < 0.75:
            return f"{self.pick(['min', 'max'])}({one}, {other})"
        return f"{self.pick(['floor', 'ceil'])}({self.pick(names)} * 1.5)"

    def math(self):
        level = self.pick(["", "friend ", "boss "])
        expression = self.expression(["a", "h"], 2)
        # Both variables are used, or the query is refused.
        inner = f"a as age h as height m as math({expression} + a * 0 + h * 0)"
        inner = f"{level}{{ {inner} }}" if level else inner
        page = self.pick(["", ", first: 3", ", orderasc: val(m)", ", orderdesc: val(m), first: 2"])
        return f"{{ var(func: type(Person)){self.filtered()} {{ {inner} }} q(func: uid(m){page}) {{ uid val(m) }} s() {{ {self.pick(['min', 'max'])}(val(m)) }} }}"

    def cascade(self):
        type_name = self.pick(["Person", "Person", "Film", "Place"])
        fields = self.random.sample(READ[type_name][:6], min(len(READ[type_name]), 2))
        fields = [field for field in fields if "@" not in field] or ["name"]
        named = self.pick(["", f"({', '.join(fields)})"])
        edge = self.pick(OF_TYPE[type_name])
        below = f"{edge}{self.pick(['', '(first: 2)', '(offset: 1)', '(first: 1, offset: 1)'])} {{ {' '.join(READ[EDGES[edge][0]][:self.pick([1, 2])])} }}"
        page = self.pick(["", ", first: 2", ", offset: 1", ", first: 2, offset: 1", ", orderasc: name, first: 3"])
        return f"{{ q(func: type({type_name}){page}) @cascade{named}{self.filtered(0.3)} {{ {' '.join(fields)} {below if self.maybe(0.7) else ''} }} }}"

    def variable_values(self):
        of = self.pick(["age", "height", "name"])
        compared = self.pick([f"eq({of}, val(v))", f"not eq({of}, val(v))"])
        return f"{{ var(func: type(Person), first: {self.pick([2, 3, 9])}) {{ v as {of} }} q(func: has(name)) @filter({compared}) {{ uid {of} }} }}"

    def query(self):
        return self.pick([self.groups, self.groups, self.recursion, self.recursion, self.path, self.math, self.cascade, self.cascade, self.variable_values])()


def random_blocks(seed, count):
    return [BlockMaker(f"{seed}/blocks/{number}").query() for number in range(count)]
