"""The mapper neomodel as its users run it: it ends with 1 at the first answer that is wrong.

Usage: main.py HOST:PORT.
"""

import sys
from importlib.metadata import version

from neomodel.exceptions import ConstraintValidationFailed
from neomodel import (
    ArrayProperty,
    DateTimeProperty,
    IntegerProperty,
    RelationshipTo,
    StringProperty,
    StructuredNode,
    StructuredRel,
    UniqueIdProperty,
    db,
    get_config,
)


class Since(StructuredRel):
    year = IntegerProperty()


class Country(StructuredNode):
    code = StringProperty(unique_index=True, required=True)


class Person(StructuredNode):
    uid = UniqueIdProperty()
    name = StringProperty(index=True)
    age = IntegerProperty(index=True, default=0)
    tags = ArrayProperty(StringProperty())
    born = DateTimeProperty(default_now=True)
    country = RelationshipTo(Country, "IS_FROM", model=Since)


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def main():
    get_config().database_url = f"bolt://neo4j:any@{sys.argv[1]}"
    db.cypher_query("MATCH (n) DETACH DELETE n")
    db.install_all_labels()
    jim = Person(name="Jim", age=3, tags=["a", "b"]).save()
    germany = Country(code="DE").save()
    jim.country.connect(germany, {"year": 1999})
    expect(jim.country.is_connected(germany), True, "a relationship")
    expect(jim.country.relationship(germany).year, 1999, "its property")
    expect(Person.nodes.get(name="Jim").uid, jim.uid, "a node by its name")
    found = Person.nodes.filter(age__gt=1, name__icontains="ji").order_by("-age")
    expect([one.tags for one in found], [["a", "b"]], "a filter")
    expect(len(Person.nodes.traverse("country").resolve_subgraph()), 1, "a traversal")
    try:
        Country(code="DE").save()
        sys.exit("a second node of a unique key was made")
    except ConstraintValidationFailed:
        pass
    both = Country.get_or_create({"code": "DE"}, {"code": "FR"})
    expect(sorted(one.code for one in both), ["DE", "FR"], "nodes that are found or made")
    expect(len(Country.nodes), 2, "their number")
    with db.transaction:
        Person(name="Eve").save()
    try:
        with db.transaction:
            Person(name="Bob").save()
            raise KeyError
    except KeyError:
        pass
    expect(sorted(one.name for one in Person.nodes), ["Eve", "Jim"], "a commit and a rollback")
    jim.country.disconnect(germany)
    expect(len(jim.country), 0, "a relationship that was removed")
    jim.delete()
    db.drop_constraints()
    db.drop_indexes()
    db.cypher_query("MATCH (n) DETACH DELETE n")
    print("neomodel", version("neomodel"))


main()
