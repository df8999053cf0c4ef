"""What goes wrong has the status code that clients act on, and says what it was."""

from gremlin_python.process.graph_traversal import __

from expect import expect, expect_error

FOREVER = "g.V().repeat(__.out()).times(2000000000).count()"


def errors(server):
    """Of scripts, and of requests that are none."""
    with server.client() as client:
        run = lambda *words, **options: client.submit(*words, **options).all().result()
        run("g.V().drop()")
        run("g.addV().as('a').addE('self').to('a')")
        expect_error("no Gremlin", 597, "nonsense", lambda: run("g.V().nonsense()"))
        expect_error("not closed", 597, "", lambda: run("g.V("))
        expect_error("unknown variable", 597, "nobody", lambda: run("g.inject(nobody)"))
        expect_error("refused", 597, "closures", lambda: run("g.V().map{it.get()}"))
        expect_error("a failure while it runs", 597, "", lambda: run("g.inject('a').math('_ + 1')"))
        expect_error("fail()", 595, "that is it", lambda: run("g.inject(1).fail('that is it')"))
        expect_error("too slow", 598, "", lambda: run(FOREVER, request_options={"evaluationTimeout": 200}))
        expect_error("no such option", 499, "materializeProperties",
                     lambda: run("g.V()", request_options={"materializeProperties": "some"}))
        expect_error("no number", 499, "batchSize", lambda: run("g.V()", request_options={"batchSize": -1}))
        expect_error("no language", 499, "cobol", lambda: run("g.V()", request_options={"language": "cobol"}))
        expect("goes on", run("g.V().count()"), [1])


def errors_of_traversals(server):
    """The same, of bytecode; nothing of a request that failed is there."""
    with server.traversals() as g:
        g.V().drop().iterate()
        g.add_v().as_("a").add_e("self").to("a").iterate()
        expect_error("fail()", 595, "that is it", lambda: g.inject(1).fail("that is it").iterate())
        expect_error("after a write", 595, "stop", lambda: g.add_v("x").fail("stop").iterate())
        expect("nothing is there", g.V().has_label("x").count().next(), 0)
        slow = g.with_("evaluationTimeout", 200).V().repeat(__.out()).times(2000000000).count()
        expect_error("too slow", 598, "", slow.next)
        expect_error("refused", 597, "pageRank", lambda: g.V().page_rank().to_list())
        expect("goes on", g.V().count().next(), 1)
