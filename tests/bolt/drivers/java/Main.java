import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.neo4j.driver.AuthToken;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.Bookmark;
import org.neo4j.driver.Config;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.Result;
import org.neo4j.driver.Session;
import org.neo4j.driver.SessionConfig;
import org.neo4j.driver.TransactionConfig;
import org.neo4j.driver.TransactionContext;
import org.neo4j.driver.Value;
import org.neo4j.driver.Values;
import org.neo4j.driver.exceptions.Neo4jException;
import org.neo4j.driver.summary.QueryType;
import org.neo4j.driver.summary.ResultSummary;

/**
 * Everything that Neo4j's driver for Java asks of a server: it ends with 1 at the first answer that is wrong.
 *
 * <p>Usage: Main HOST:PORT [USER PASSWORD]. The cases are those of the other languages, by the same names.
 */
public final class Main {
    private static final String MANY = "UNWIND range(1, 4096) AS value RETURN value";
    private static final String COUNT = "MATCH (n) RETURN count(n) AS value";
    private static final String PERSON = "CREATE (n:person {name: $name}) RETURN n AS value";
    private static final String EMPTY = "MATCH (n) DETACH DELETE n";

    private final Driver driver;

    private Main(Driver driver) {
        this.driver = driver;
    }

    private static void expect(Object found, Object expected, String what) {
        if (!Objects.equals(found, expected)) {
            throw new AssertionError(what + ": found " + found + ", expected " + expected);
        }
    }

    private static void refused(String what, String code, Runnable call) {
        try {
            call.run();
        } catch (Neo4jException error) {
            expect(error.code(), code, what);
            return;
        }
        throw new AssertionError(what + ": it was not refused");
    }

    private <T> T within(SessionConfig config, Function<Session, T> work) {
        try (Session session = driver.session(config)) {
            return work.apply(session);
        }
    }

    private ResultSummary run(String text, Object... parameters) {
        return within(SessionConfig.defaultConfig(), session -> session.run(text, Values.parameters(parameters)).consume());
    }

    private Value value(String text, Object... parameters) {
        Function<Session, Value> only = session -> session.run(text, Values.parameters(parameters)).single().get("value");
        return within(SessionConfig.defaultConfig(), only);
    }

    private static long count(TransactionContext transaction) {
        return transaction.run(COUNT).single().get("value").asLong();
    }

    private void all() {
        driver.verifyConnectivity();
        expect(driver.supportsMultiDb(), true, "several databases");
        run(EMPTY);
        List<Runnable> cases = List.of(this::types, this::results, this::plans, this::transactions, this::conflicts,
            this::bookmarks, this::elements, this::abandoned, this::failures);
        for (Runnable one : cases) {
            one.run();
            run(EMPTY);
        }
    }

    private void types() {
        LocalDateTime noon = LocalDateTime.of(2024, 2, 29, 12, 30, 1, 7);
        List<Object> values = Arrays.asList(
            null, true, -1L, 1L << 62, 1.5, "text ü 世", Arrays.asList(1L, Arrays.asList("a", null)),
            Map.of("k", List.of(1L), "l", Map.of("m", 2.5)), LocalDate.of(2024, 2, 29), LocalTime.of(12, 30, 1, 5),
            OffsetTime.of(12, 30, 1, 5, ZoneOffset.ofHours(1)), noon, noon.atZone(ZoneOffset.ofHours(1)),
            noon.atZone(ZoneId.of("Europe/Berlin")), Values.isoDuration(1, 2, 3, 4).asIsoDuration(),
            Values.point(4326, 1.5, 2.5).asPoint(), Values.point(9157, 1.5, 2.5, 3.5).asPoint());
        for (Object one : values) {
            expect(value("RETURN $x AS value", "x", one).asObject(), one, "a value there and back");
        }
        byte[] bytes = {1, -2, 3};
        expect(Arrays.equals(value("RETURN $x AS value", "x", bytes).asByteArray(), bytes), true, "bytes");
    }

    private void results() {
        within(SessionConfig.builder().withFetchSize(100).build(), session -> {
            Result first = session.run(MANY);
            for (int row = 0; row < 10; row++) {
                first.next();
            }
            Result second = session.run(MANY);
            expect(second.list().size(), 4096, "all records");
            ResultSummary summary = second.consume();
            expect(summary.queryType(), QueryType.READ_ONLY, "the type of a read");
            expect(summary.database().name(), "neo4j", "the name of the database");
            return null;
        });
        ResultSummary summary = run(PERSON, "name", "eve");
        expect(summary.counters().nodesCreated(), 1, "created nodes");
        expect(summary.counters().labelsAdded(), 1, "added labels");
        expect(summary.queryType(), QueryType.READ_WRITE, "the type of a write");
    }

    private void plans() {
        run(PERSON, "name", "ann");
        String text = "MATCH (n:person) RETURN n.name AS name";
        ResultSummary explained = run("EXPLAIN " + text);
        expect(explained.plan().operatorType(), "ProduceResults", "the root");
        expect(explained.plan().identifiers(), List.of("name"), "its columns");
        expect(explained.plan().children().size(), 1, "its children");
        within(SessionConfig.defaultConfig(), session -> {
            Result result = session.run("PROFILE " + text);
            expect(result.single().get("name").asString(), "ann", "records of PROFILE");
            ResultSummary summary = result.consume();
            expect(summary.profile().records(), 1L, "rows of its root");
            expect(summary.profile().children().size(), 1, "its children");
            return null;
        });
    }

    private void transactions() {
        within(SessionConfig.defaultConfig(), session -> {
            String made = session.executeWrite(transaction -> {
                transaction.run(PERSON, Map.of("name", "ann")).consume();
                Result first = transaction.run(MANY);
                expect(count(transaction), 1L, "a read between the records of another");
                expect(first.list().size(), 4096, "the other");
                return "made";
            });
            expect(made, "made", "the value of a transaction");
            TransactionConfig config = TransactionConfig.builder()
                .withMetadata(Map.of("app", "check")).withTimeout(java.time.Duration.ofSeconds(10)).build();
            try (var transaction = session.beginTransaction(config)) {
                transaction.run(PERSON, Map.of("name", "bob")).consume();
                transaction.rollback();
            }
            expect(session.executeRead(Main::count), 1L, "after the rollback");
            refused("a write in a read", "Neo.ClientError.Statement.AccessMode", () ->
                session.executeRead(transaction -> transaction.run(PERSON, Map.of("name", "eve")).consume()));
            return null;
        });
        var result = driver.executableQuery(COUNT).execute();
        expect(result.records().get(0).get("value").asLong(), 1L, "a query of the driver");
    }

    private void conflicts() {
        run(PERSON, "name", "ann");
        AtomicInteger attempts = new AtomicInteger();
        within(SessionConfig.defaultConfig(), session -> session.executeWrite(transaction -> {
            int attempt = attempts.incrementAndGet();
            transaction.run("MATCH (n) SET n.n = $n", Map.of("n", attempt)).consume();
            if (attempt == 1) {
                run("MATCH (n) SET n.n = 100");
            }
            return attempt;
        }));
        expect(attempts.get(), 2, "a conflict is tried again by the driver");
        expect(value("MATCH (n) RETURN n.n AS value").asLong(), 2L, "what the second attempt wrote");
    }

    private void bookmarks() {
        Set<Bookmark> bookmarks = within(SessionConfig.defaultConfig(), session -> {
            session.run(PERSON, Map.of("name", "bob")).consume();
            return session.lastBookmarks();
        });
        expect(bookmarks.size(), 1, "a bookmark");
        SessionConfig chained = SessionConfig.builder().withBookmarks(bookmarks).build();
        expect(within(chained, session -> session.executeRead(Main::count)), 1L, "a causal chain");
        SessionConfig foreign = SessionConfig.builder().withBookmarks(Bookmark.from("FB:kcwQ")).build();
        refused("a foreign bookmark", "Neo.ClientError.Transaction.InvalidBookmark", () ->
            within(foreign, session -> session.run("RETURN 1").consume()));
    }

    private void elements() {
        run("CREATE (:person {name: 'ann'})-[:knows {since: 1999}]->(:person {name: 'bob'})");
        var node = value("MATCH (n {name: 'ann'}) RETURN n AS value").asNode();
        List<String> labels = new ArrayList<>();
        node.labels().forEach(labels::add);
        expect(labels, List.of("person"), "labels");
        expect(node.asMap(), Map.of("name", "ann"), "properties");
        var edge = value("MATCH ()-[k]->() RETURN k AS value").asRelationship();
        expect(edge.type() + edge.asMap(), "knows{since=1999}", "a relationship");
        expect(edge.startNodeElementId(), node.elementId(), "its start");
        var path = value("MATCH p = ({name: 'ann'})-->() RETURN p AS value").asPath();
        expect(path.length(), 1, "a path");
        expect(path.end().get("name").asString(), "bob", "its end");
    }

    /** Transactions and results that are left in their middle: the driver sends RESET. */
    private void abandoned() {
        within(SessionConfig.builder().withFetchSize(10).build(), session -> {
            var transaction = session.beginTransaction();
            transaction.run(PERSON, Map.of("name", "eve")).consume();
            transaction.run("UNWIND range(1, 100000) AS value RETURN value").next();
            return null;
        });
        expect(value(COUNT).asLong(), 0L, "after a transaction was left");
    }

    private void failures() {
        Map<String, String> codes = Map.of(
            "RETURN (", "Neo.ClientError.Statement.SyntaxError",
            "RETURN $x", "Neo.ClientError.Statement.ParameterMissing",
            "RETURN 1 / 0", "Neo.ClientError.Statement.ArithmeticError");
        within(SessionConfig.defaultConfig(), session -> {
            codes.forEach((text, code) -> refused(text, code, () -> session.run(text).consume()));
            expect(session.run("RETURN 1 AS value").single().get("value").asInt(), 1, "after a failure");
            return null;
        });
        refused("a database that is not there", "Neo.ClientError.Database.DatabaseNotFound", () ->
            within(SessionConfig.forDatabase("nowhere"), session -> session.run("RETURN 1").consume()));
    }

    /** Runs all cases with each scheme. */
    public static void main(String[] arguments) {
        boolean hasUser = arguments.length == 3;
        AuthToken login = hasUser ? AuthTokens.basic(arguments[1], arguments[2]) : AuthTokens.none();
        Config config = Config.builder().withLogging(org.neo4j.driver.Logging.none()).build();
        for (String scheme : List.of("bolt://", "neo4j://")) {
            String address = scheme + arguments[0];
            try (Driver driver = GraphDatabase.driver(address, login, config)) {
                new Main(driver).all();
            }
            if (hasUser) {
                try (Driver driver = GraphDatabase.driver(address, AuthTokens.basic(arguments[1], "wrong"), config)) {
                    refused("a wrong password", "Neo.ClientError.Security.Unauthorized", driver::verifyConnectivity);
                }
            }
        }
        // The version stands before the commit.
        String version = GraphDatabase.class.getPackage().getImplementationVersion().split("-")[0];
        System.out.println("neo4j-java-driver " + version);
    }
}
