import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import io.dgraph.DgraphClient;
import io.dgraph.DgraphGrpc;
import io.dgraph.DgraphProto.Mutation;
import io.dgraph.DgraphProto.Operation;
import io.dgraph.DgraphProto.Request;
import io.dgraph.DgraphProto.Response;
import io.dgraph.Transaction;
import io.dgraph.TxnConflictException;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Everything that dgraph4j asks of a server of Dgraph's gRPC: it ends with 1 at the first answer that is wrong.
 *
 * <p>Usage: Main HOST:PORT [USER PASSWORD]. It drops all data. The cases have the names that they have in the other
 * languages; this driver has no connection strings.
 */
public final class Main {
    private static final String BY_NAME =
            "query q($n: string) { q(func: eq(name, $n)) { uid name age } }";

    private final DgraphClient client;

    private Main(DgraphClient client) {
        this.client = client;
    }

    private static void check(Object found, Object wanted) {
        if (!Objects.equals(found, wanted)) {
            throw new AssertionError("found " + found + ", and not " + wanted);
        }
    }

    private static JsonArray json(String text) {
        return JsonParser.parseString(text).getAsJsonArray();
    }

    /** The rows of the block q. */
    private static JsonArray rows(Response response) {
        JsonElement answer = JsonParser.parseString(response.getJson().toStringUtf8());
        return answer.getAsJsonObject().getAsJsonArray("q");
    }

    private JsonArray asked(String text) {
        return rows(client.newReadOnlyTransaction().query(text));
    }

    private JsonArray named(String name) {
        return rows(client.newReadOnlyTransaction().queryWithVars(BY_NAME, Map.of("$n", name)));
    }

    private String ann() {
        return named("Ann").get(0).getAsJsonObject().get("uid").getAsString();
    }

    private static Mutation object(String text, boolean commits) {
        return Mutation.newBuilder()
                .setSetJson(ByteString.copyFromUtf8(text))
                .setCommitNow(commits)
                .build();
    }

    private static Mutation quads(String text) {
        return Mutation.newBuilder().setSetNquads(ByteString.copyFromUtf8(text)).build();
    }

    private static String age(String uid, int age) {
        return "{\"uid\": \"" + uid + "\", \"age\": " + age + "}";
    }

    /** The server's status behind an error of the driver; null if there is none. */
    private static StatusRuntimeException statusOf(Throwable error) {
        Throwable cause = error;
        while (cause != null && !(cause instanceof StatusRuntimeException)) {
            cause = cause.getCause();
        }
        return (StatusRuntimeException) cause;
    }

    private static StatusRuntimeException refused(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException error) {
            if (statusOf(error) == null) {
                throw error;
            }
            return statusOf(error);
        }
        throw new AssertionError("it was not refused");
    }

    /** Whether a transaction was aborted. The driver does not say so itself where it had to log in again in between. */
    private static boolean isAborted(RuntimeException error) {
        StatusRuntimeException status = statusOf(error);
        return error instanceof TxnConflictException
                || status != null && status.getStatus().getCode() == Status.Code.ABORTED;
    }

    private void schemaAndQueries() {
        client.alter(Operation.newBuilder().setDropAll(true).build());
        String schema = "name: string @index(exact) .\nage: int .";
        client.alter(Operation.newBuilder().setSchema(schema).build());
        String ann = "{\"uid\": \"_:ann\", \"name\": \"Ann\", \"age\": 7}";
        Response done = client.newTransaction().mutate(object(ann, true));
        String uid = done.getUidsOrThrow("ann");
        check(named("Ann"), json("[{\"uid\": \"" + uid + "\", \"name\": \"Ann\", \"age\": 7}]"));
        Transaction best = client.newReadOnlyTransaction();
        best.setBestEffort(true);
        check(rows(best.queryWithVars(BY_NAME, Map.of("$n", "Nobody"))), json("[]"));
        Response rdf = client.newReadOnlyTransaction().queryRDF("{ q(func: uid(" + uid + ")) { name } }");
        check(rdf.getRdf().toStringUtf8(), "<" + uid + "> <name> \"Ann\" .\n");
    }

    private void aTransactionSeesWhatItWrote() {
        Transaction txn = client.newTransaction();
        Response done = txn.mutate(quads("_:b <name> \"Bo\" .\n_:b <age> \"9\" ."));
        String text = "{ q(func: uid(" + done.getUidsOrThrow("b") + ")) { name } }";
        JsonArray bo = json("[{\"name\": \"Bo\"}]");
        check(rows(txn.query(text)), bo);
        check(asked(text), json("[]"));
        txn.commit();
        check(asked(text), bo);
        Transaction lost = client.newTransaction();
        lost.mutate(object("{\"uid\": \"_:c\", \"name\": \"Cy\"}", false));
        lost.discard();
        check(named("Cy"), json("[]"));
    }

    private void theSecondToCommitIsAborted() {
        String uid = ann();
        List<Transaction> txns = List.of(client.newTransaction(), client.newTransaction());
        for (Transaction txn : txns) {
            txn.mutate(object(age(uid, txns.indexOf(txn)), false));
        }
        txns.get(0).commit();
        try {
            txns.get(1).commit();
        } catch (RuntimeException error) {
            check(isAborted(error), true);
            return;
        }
        throw new AssertionError("both were committed");
    }

    private void raise(String uid) {
        for (int raised = 0; raised < 5; ) {
            try (Transaction txn = client.newTransaction()) {
                JsonArray found = rows(txn.query("{ q(func: uid(" + uid + ")) { age } }"));
                int age = found.get(0).getAsJsonObject().get("age").getAsInt();
                txn.mutate(object(age(uid, age + 1), false));
                txn.commit();
                raised++;
            } catch (RuntimeException error) {
                if (!isAborted(error)) {
                    throw error;
                }
            }
        }
    }

    private void clientsThatTryAgainLoseNoUpdate() throws InterruptedException {
        String uid = ann();
        client.newTransaction().mutate(object(age(uid, 0), true));
        AtomicReference<Throwable> failed = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            Thread raising = new Thread(() -> raise(uid));
            raising.setUncaughtExceptionHandler((own, error) -> failed.set(error));
            raising.start();
            threads.add(raising);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        check(failed.get(), null);
        check(asked("{ q(func: uid(" + uid + ")) { age } }"), json("[{\"age\": 20}]"));
    }

    private void anUpsertMakesANodeOnce() {
        Mutation made = quads("_:d <name> \"Di\" .").toBuilder().setCond("@if(eq(len(v), 0))").build();
        for (int time = 0; time < 2; time++) {
            client.newTransaction().doRequest(Request.newBuilder()
                    .setQuery("{ v as var(func: eq(name, \"Di\")) }")
                    .addMutations(made)
                    .setCommitNow(true)
                    .build());
        }
        check(named("Di").size(), 1);
    }

    private void errorsAreThoseThatAreNotTriedAgain() {
        StatusRuntimeException error = refused(() -> asked("{ q(func: "));
        check(error.getStatus().getCode(), Status.Code.UNKNOWN);
        check(error.getStatus().getDescription().contains("line 1 column "), true);
    }

    private void logins(String user, String password) throws InterruptedException {
        StatusRuntimeException closed = refused(() -> asked("{ q(func: uid(1)) { uid } }"));
        check(closed.getStatus().getCode(), Status.Code.UNAUTHENTICATED);
        StatusRuntimeException wrong = refused(() -> client.login(user, "wrong"));
        check(wrong.getStatus().getDescription().contains("invalid username or password"), true);
        client.login(user, password);
        // The test's tokens are good for a second: this client renews its own.
        for (int time = 0; time < 3; time++) {
            Thread.sleep(600);
            asked("{ q(func: uid(1)) { uid } }");
        }
    }

    public static void main(String[] words) throws InterruptedException {
        ManagedChannel channel = ManagedChannelBuilder.forTarget(words[0]).usePlaintext().build();
        Main main = new Main(new DgraphClient(DgraphGrpc.newStub(channel)));
        if (2 < words.length) {
            main.logins(words[1], words[2]);
        }
        check(main.client.checkVersion().getTag().startsWith("v25."), true);
        main.schemaAndQueries();
        main.aTransactionSeesWhatItWrote();
        main.theSecondToCommitIsAborted();
        main.clientsThatTryAgainLoseNoUpdate();
        main.anUpsertMakesANodeOnce();
        main.errorsAreThoseThatAreNotTriedAgain();
        channel.shutdownNow();
        System.out.println("dgraph4j 24.1.1");
        // The driver's threads would go on.
        System.exit(0);
    }
}
