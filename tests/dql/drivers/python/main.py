"""Asks a server of Dgraph's gRPC everything that pydgraph can, and ends with 1 at the first answer that is not as it has to
be.

    main.py HOST:PORT [USER PASSWORD]

It drops all data.
"""

import json
import sys
import threading

import grpc
import pydgraph


def check(found, wanted):
    if found != wanted:
        raise AssertionError(f"found {found!r}, and not {wanted!r}")


def asked(txn, text, variables=None):
    return json.loads(txn.query(text, variables=variables).json)


def schema_and_queries(client):
    client.alter(pydgraph.Operation(drop_all=True))
    client.alter(pydgraph.Operation(schema="name: string @index(exact) .\nage: int ."))
    txn = client.txn()
    done = txn.mutate(set_obj={"uid": "_:ann", "name": "Ann", "age": 7}, commit_now=True)
    uid = done.uids["ann"]
    text = "query q($n: string) { q(func: eq(name, $n)) { uid name age } }"
    found = asked(client.txn(read_only=True), text, {"$n": "Ann"})
    check(found, {"q": [{"uid": uid, "name": "Ann", "age": 7}]})
    best = client.txn(read_only=True, best_effort=True)
    check(asked(best, text, {"$n": "Nobody"}), {"q": []})


def a_transaction_sees_what_it_wrote(client):
    txn = client.txn()
    try:
        done = txn.mutate(set_nquads='_:b <name> "Bo" .\n_:b <age> "9" .')
        text = "{ q(func: uid(%s)) { name } }" % done.uids["b"]
        check(asked(txn, text), {"q": [{"name": "Bo"}]})
        check(asked(client.txn(read_only=True), text), {"q": []})
        txn.commit()
        check(asked(client.txn(read_only=True), text), {"q": [{"name": "Bo"}]})
    finally:
        txn.discard()
    lost = client.txn()
    done = lost.mutate(set_obj={"uid": "_:c", "name": "Cy"})
    lost.discard()
    check(asked(client.txn(read_only=True), "{ q(func: uid(%s)) { name } }" % done.uids["c"]), {"q": []})


def the_second_to_commit_is_aborted(client):
    found = asked(client.txn(read_only=True), '{ q(func: eq(name, "Ann")) { uid } }')
    uid = found["q"][0]["uid"]
    first, second = client.txn(), client.txn()
    for age, txn in enumerate([first, second]):
        txn.mutate(set_obj={"uid": uid, "age": age})
    first.commit()
    try:
        second.commit()
    except pydgraph.AbortedError:
        pass
    else:
        raise AssertionError("both were committed")


def clients_that_try_again_lose_no_update(client):
    uid = asked(client.txn(read_only=True), '{ q(func: eq(name, "Ann")) { uid } }')["q"][0]["uid"]
    client.txn().mutate(set_obj={"uid": uid, "age": 0}, commit_now=True)

    def raise_it():
        for _ in range(5):
            while True:
                txn = client.txn()
                try:
                    age = asked(txn, "{ q(func: uid(%s)) { age } }" % uid)["q"][0]["age"]
                    txn.mutate(set_obj={"uid": uid, "age": age + 1})
                    txn.commit()
                    break
                except (pydgraph.AbortedError, pydgraph.RetriableError):
                    continue
                finally:
                    txn.discard()

    threads = [threading.Thread(target=raise_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = asked(client.txn(read_only=True), "{ q(func: uid(%s)) { age } }" % uid)
    check(found, {"q": [{"age": 20}]})


def an_upsert_makes_a_node_once(client):
    query = '{ v as var(func: eq(name, "Di")) }'
    for _ in range(2):
        txn = client.txn()
        mutation = txn.create_mutation(cond="@if(eq(len(v), 0))", set_nquads='_:d <name> "Di" .')
        request = txn.create_request(query=query, mutations=[mutation], commit_now=True)
        txn.do_request(request)
    found = asked(client.txn(read_only=True), '{ q(func: eq(name, "Di")) { count(uid) } }')
    check(found, {"q": [{"count": 1}]})


def errors_are_those_that_are_not_tried_again(client):
    try:
        client.txn(read_only=True).query("{ q(func: ")
    except grpc.RpcError as error:
        check(error.code(), grpc.StatusCode.UNKNOWN)
        check(error.details().startswith("line 1 column "), True)
    else:
        raise AssertionError("the text is wrong")


def logins(address, user, password):
    client = pydgraph.DgraphClient(pydgraph.DgraphClientStub(address))
    try:
        client.check_version()
        client.txn(read_only=True).query("{ q(func: uid(1)) { uid } }")
    except grpc.RpcError as error:
        check(error.code(), grpc.StatusCode.UNAUTHENTICATED)
    else:
        raise AssertionError("no login was needed")
    client = pydgraph.open(f"dgraph://{user}:{password}@{address}")
    # The test's tokens are good for a second: this client renews its own.
    for _ in range(3):
        threading.Event().wait(0.6)
        client.txn(read_only=True).query("{ q(func: uid(1)) { uid } }")
    try:
        pydgraph.open(f"dgraph://{user}:wrong@{address}")
    except grpc.RpcError as error:
        check("invalid username or password" in error.details(), True)
    else:
        raise AssertionError("the password is wrong")
    return client


def main():
    address, *user = sys.argv[1:]
    if user:
        client = logins(address, *user)
    else:
        client = pydgraph.open(f"dgraph://{address}")
    check(client.check_version().startswith("v25."), True)
    schema_and_queries(client)
    a_transaction_sees_what_it_wrote(client)
    the_second_to_commit_is_aborted(client)
    clients_that_try_again_lose_no_update(client)
    an_upsert_makes_a_node_once(client)
    errors_are_those_that_are_not_tried_again(client)
    client.close()
    print(f"pydgraph {pydgraph.meta.VERSION}")


if __name__ == "__main__":
    main()
