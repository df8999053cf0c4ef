import static io.gatling.javaapi.core.CoreDsl.*;
import static io.gatling.javaapi.http.HttpDsl.*;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.WsFrameCheck;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Load on a Gremlin server, as the article on JanusGraph's writes makes it: users come at a rate, whether others are
 * done or not. Each opens a WebSocket, sends batches of vertices one after the other, as one script whose values are
 * bindings, awaits the answer to each and wants its status to be 200, and closes.
 *
 * <pre>
 *   -Durl=ws://127.0.0.1:8182/gremlin   where the server listens
 *   -Drate=50                           users that come each second
 *   -Dseconds=30                        for how long they come
 *   -Drequests=10                       what each sends
 *   -Dvertices=10                       how many vertices a request makes
 * </pre>
 */
public final class InsertVertices extends Simulation {
    private static final String URL = System.getProperty("url", "ws://127.0.0.1:8182/gremlin");
    private static final int RATE = Integer.getInteger("rate", 50);
    private static final int SECONDS = Integer.getInteger("seconds", 30);
    private static final int REQUESTS = Integer.getInteger("requests", 10);
    private static final int VERTICES = Integer.getInteger("vertices", 10);

    /** What a request may take before it counts as failed. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The same text for all requests: servers that compile scripts do so once. */
    private static final String SCRIPT = IntStream.range(0, VERTICES)
            .mapToObj(at -> ".addV('person').property('name', n" + at + ").property('age', a" + at + ")")
            .collect(Collectors.joining("", "g", ".count()"));

    private static final AtomicLong NEXT_PERSON = new AtomicLong();

    /** The frame of a request: untyped GraphSON but for its id. */
    private static String frame(final Session session) {
        final long first = NEXT_PERSON.getAndAdd(VERTICES);
        final String bindings = IntStream.range(0, VERTICES)
                .mapToObj(at -> "\"n" + at + "\": \"person " + (first + at) + "\", \"a" + at + "\": " + at)
                .collect(Collectors.joining(", "));
        return "{\"requestId\": {\"@type\": \"g:UUID\", \"@value\": \"" + session.getString("requestId") + "\"}, "
                + "\"op\": \"eval\", \"processor\": \"\", \"args\": {\"language\": \"gremlin-groovy\", "
                + "\"gremlin\": \"" + SCRIPT + "\", \"bindings\": {" + bindings + "}}}";
    }

    private final WsFrameCheck.Text inserted = ws.checkTextMessage("inserted")
            .matching(jsonPath("$.requestId").isEL("#{requestId}"))
            .check(jsonPath("$.status.code").ofInt().is(200));

    private final ChainBuilder insert =
            exec(session -> session.set("requestId", UUID.randomUUID().toString()))
                    .exec(ws("insert").sendText(InsertVertices::frame).await(PATIENCE).on(inserted));

    private final ScenarioBuilder users = scenario("users who insert vertices")
            .exec(ws("open").connect(URL))
            .repeat(REQUESTS).on(insert)
            .exec(ws("close").close());

    public InsertVertices() {
        setUp(users.injectOpen(constantUsersPerSec(RATE).during(SECONDS)))
                .protocols(http)
                .assertions(
                        global().failedRequests().count().is(0L),
                        details("inserted").successfulRequests().count().is((long) RATE * SECONDS * REQUESTS));
    }
}
