"""Transactions and sessions: what others see and when, and what is left of a failure."""

from uuid import uuid4

from expect import expect, expect_error


def commit(tx):
    """Commits, and waits for the answer: the driver's own `commit()` does not, and so reports no failure."""
    tx.commit().all().result()


def transactions(server):
    """begin, commit, rollback: of what was rolled back, nothing is there."""
    with server.traversals() as g:
        g.V().drop().iterate()
        count = lambda: g.V().count().next()
        tx = g.tx()
        own = tx.begin()
        own.add_v("kept").property("name", "ann").iterate()
        own.add_v("kept").iterate()
        expect("sees its own", own.V().count().next(), 2)
        expect("others do not", count(), 0)
        commit(tx)
        expect("committed", count(), 2)
        expect("is over", tx.is_open(), False)

        tx = g.tx()
        own = tx.begin()
        own.add_v("gone").iterate()
        own.V().has("name", "ann").property("name", "eve").iterate()
        own.V().has_label("kept").has_not("name").drop().iterate()
        expect("what it did", own.V().count().next(), 2)
        tx.rollback()
        expect("rolled back", (count(), g.V().has_label("gone").count().next(),
                               g.V().has_label("kept").values("name").to_list()), (2, 0, ["ann"]))

        tx = g.tx()
        own = tx.begin()
        own.add_v("gone").iterate()
        tx.close()
        expect("closed is rolled back", count(), 2)


def conflicts(server):
    """Of two transactions that change the same, the first wins, and the other may try again."""
    with server.traversals() as g:
        g.V().drop().iterate()
        g.add_v("account").property("sum", 1).iterate()
        one, other = g.tx(), g.tx()
        ours, theirs = one.begin(), other.begin()
        # Each has its snapshot before the other commits.
        expect("both read", (ours.V().values("sum").next(), theirs.V().values("sum").next()), (1, 1))
        ours.V().property("sum", 2).iterate()
        commit(one)

        def lose():
            theirs.V().property("sum", 3).iterate()
            commit(other)
        expect_error("the second", 596, "", lose)
        expect("the first", g.V().values("sum").to_list(), [2])


def failures(server):
    """A transaction in which something failed can not be committed, not the half of it."""
    with server.traversals() as g:
        g.V().drop().iterate()
        tx = g.tx()
        own = tx.begin()
        own.add_v("half").iterate()
        expect_error("a failure", 595, "enough", lambda: own.inject(1).fail("enough").iterate())
        expect_error("is not gone on with", 597, "roll", lambda: own.add_v("more").iterate())
        expect_error("nor committed", 597, "roll", lambda: commit(tx))
        expect("nothing is there", g.V().count().next(), 0)


def sessions(server):
    """Variables outlive requests; what was not committed ends with the session."""
    with server.client() as outside:
        outside.submit("g.V().drop()").all().result()
        with server.client(session=str(uuid4())) as client:
            run = lambda *words: client.submit(*words).all().result()
            expect("assigned", run("x = 41"), [41])
            expect("kept", run("g.inject(x)"), [41])
            run("v = g.addV('person').property('name', name).next()", {"name": "ann"})
            expect("a vertex is kept", run("g.V(v).values('name')"), ["ann"])
            expect("unseen", outside.submit("g.V().count()").one(), [0])
            run("g.tx().commit()")
            expect("seen", outside.submit("g.V().count()").one(), [1])
            run("g.addV('gone')")
            expect("a second one", run("g.V().count()"), [2])
        expect("closed", outside.submit("g.V().count()").one(), [1])
        with server.client(session=str(uuid4())) as client:
            expect_error("a session of its own", 597, "x",
                         lambda: client.submit("g.inject(x)").all().result())
