"""Requests of Dgraph's HTTP."""

import json
from dataclasses import dataclass, field


@dataclass
class Step:
    path: str
    body: str
    kind: str = "application/dql"
    # Steps with the same name belong to one transaction.
    transaction: str = ""
    parameters: dict = field(default_factory=dict)

    def shown(self):
        given = "".join(f" {key}={value}" for key, value in self.parameters.items() if key != "commitNow")
        under = f" in {self.transaction}" if self.transaction else ""
        return f"{self.path}{given}{under}: {' '.join(self.body.split())}"


def query(text, variables=None, transaction="", **parameters):
    if variables is None:
        return Step("/query", text, "application/dql", transaction, parameters)
    body = json.dumps({"query": text, "variables": variables}, ensure_ascii=False)
    return Step("/query", body, "application/json", transaction, parameters)


def mutate(body, transaction=""):
    """Blocks of N-Quads as text, or an object of JSON; committed at once unless it belongs to a transaction."""
    parameters = {} if transaction else {"commitNow": "true"}
    if isinstance(body, str):
        return Step("/mutate", body, "application/rdf", transaction, parameters)
    return Step("/mutate", json.dumps(body, ensure_ascii=False), "application/json", transaction, parameters)


def add(quads, transaction=""):
    return mutate("{ set { %s } }" % quads, transaction)


def remove(quads, transaction=""):
    return mutate("{ delete { %s } }" % quads, transaction)


def alter(body):
    return Step("/alter", body if isinstance(body, str) else json.dumps(body), "application/rdf")


def commit(transaction):
    return Step("/commit", "", "application/json", transaction)


def abort(transaction):
    return Step("/commit", "", "application/json", transaction, {"abort": "true"})
