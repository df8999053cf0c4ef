// Asks a server of Dgraph's gRPC everything that dgraph-js can, and ends with 1 at the first answer that is not as it has to
// be.
//
//     main.js HOST:PORT [USER PASSWORD]
//
// It drops all data. The cases have the names that they have in the other languages.

const assert = require("assert");
const dgraph = require("dgraph-js");

const BY_NAME = "query q($n: string) { q(func: eq(name, $n)) { uid name age } }";
// What gRPC calls them.
const [UNKNOWN, ABORTED, UNAUTHENTICATED] = [2, 10, 16];

function mutation(fill, commitNow = false) {
  const made = new dgraph.Mutation();
  fill(made);
  made.setCommitNow(commitNow);
  return made;
}

function objectOf(value, commitNow) {
  return mutation((made) => made.setSetJson(value), commitNow);
}

async function rows(response) {
  return (await response).getJson().q;
}

function reading(client, bestEffort = false) {
  return client.newTxn({ readOnly: true, bestEffort });
}

function named(client, name) {
  return rows(reading(client).queryWithVars(BY_NAME, { $n: name }));
}

// The driver does not say so itself where it had to log in again in between.
function isAborted(error) {
  return error === dgraph.ERR_ABORTED || error.code === ABORTED;
}

async function refused(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("it was not refused");
}

function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

async function alter(client, fill) {
  const operation = new dgraph.Operation();
  fill(operation);
  await client.alter(operation);
}

async function schemaAndQueries(client) {
  await alter(client, (own) => own.setDropAll(true));
  await alter(client, (own) => own.setSchema("name: string @index(exact) .\nage: int ."));
  const done = await client.newTxn().mutate(objectOf({ uid: "_:ann", name: "Ann", age: 7 }, true));
  const uid = done.getUidsMap().get("ann");
  assert.deepStrictEqual(await named(client, "Ann"), [{ uid, name: "Ann", age: 7 }]);
  assert.deepStrictEqual(await rows(reading(client, true).queryWithVars(BY_NAME, { $n: "Nobody" })), []);
  const rdf = await reading(client).queryRDF(`{ q(func: uid(${uid})) { name } }`);
  assert.strictEqual(Buffer.from(rdf.getRdf_asU8()).toString(), `<${uid}> <name> "Ann" .\n`);
}

async function aTransactionSeesWhatItWrote(client) {
  const txn = client.newTxn();
  const done = await txn.mutate(mutation((own) => own.setSetNquads('_:b <name> "Bo" .\n_:b <age> "9" .')));
  const text = `{ q(func: uid(${done.getUidsMap().get("b")})) { name } }`;
  assert.deepStrictEqual(await rows(txn.query(text)), [{ name: "Bo" }]);
  assert.deepStrictEqual(await rows(reading(client).query(text)), []);
  await txn.commit();
  assert.deepStrictEqual(await rows(reading(client).query(text)), [{ name: "Bo" }]);
  const lost = client.newTxn();
  await lost.mutate(objectOf({ uid: "_:c", name: "Cy" }));
  await lost.discard();
  assert.deepStrictEqual(await named(client, "Cy"), []);
}

async function theSecondToCommitIsAborted(client) {
  const [{ uid }] = await named(client, "Ann");
  const [first, second] = [client.newTxn(), client.newTxn()];
  await first.mutate(objectOf({ uid, age: 0 }));
  await second.mutate(objectOf({ uid, age: 1 }));
  await first.commit();
  assert(isAborted(await refused(() => second.commit())));
}

async function clientsThatTryAgainLoseNoUpdate(client) {
  const [{ uid }] = await named(client, "Ann");
  await client.newTxn().mutate(objectOf({ uid, age: 0 }, true));
  const text = `{ q(func: uid(${uid})) { age } }`;
  const raise = async () => {
    for (let raised = 0; raised < 5; ) {
      const txn = client.newTxn();
      try {
        const [{ age }] = await rows(txn.query(text));
        await txn.mutate(objectOf({ uid, age: age + 1 }));
        await txn.commit();
        raised += 1;
      } catch (error) {
        if (!isAborted(error)) throw error;
      } finally {
        await txn.discard();
      }
    }
  };
  await Promise.all([raise(), raise(), raise(), raise()]);
  assert.deepStrictEqual(await rows(reading(client).query(text)), [{ age: 20 }]);
}

async function anUpsertMakesANodeOnce(client) {
  for (let time = 0; time < 2; time += 1) {
    const request = new dgraph.Request();
    request.setQuery('{ v as var(func: eq(name, "Di")) }');
    const made = mutation((own) => own.setSetNquads('_:d <name> "Di" .'));
    made.setCond("@if(eq(len(v), 0))");
    request.setMutationsList([made]);
    request.setCommitNow(true);
    await client.newTxn().doRequest(request);
  }
  assert.strictEqual((await named(client, "Di")).length, 1);
}

async function errorsAreThoseThatAreNotTriedAgain(client) {
  const error = await refused(() => reading(client).query("{ q(func: "));
  assert.strictEqual(error.code, UNKNOWN);
  assert(error.details.includes("line 1 column "), error.details);
}

async function logins(address, user, password) {
  const stranger = new dgraph.DgraphClientStub(address);
  await stranger.checkVersion(new dgraph.Check());
  const error = await refused(() => stranger.query(new dgraph.Request()));
  assert.strictEqual(error.code, UNAUTHENTICATED);
  stranger.close();
  const client = await dgraph.open(`dgraph://${user}:${password}@${address}?sslmode=disable`);
  // The test's tokens are good for a second: this client renews its own.
  for (let time = 0; time < 3; time += 1) {
    await pause(600);
    await reading(client).query("{ q(func: uid(1)) { uid } }");
  }
  const wrong = await refused(() => dgraph.open(`dgraph://${user}:wrong@${address}`));
  assert(String(wrong.message).includes("invalid username or password"), wrong.message);
  return client;
}

async function main() {
  const [address, user, password] = process.argv.slice(2);
  const client = user === undefined ? await dgraph.open(`dgraph://${address}`) : await logins(address, user, password);
  await schemaAndQueries(client);
  await aTransactionSeesWhatItWrote(client);
  await theSecondToCommitIsAborted(client);
  await clientsThatTryAgainLoseNoUpdate(client);
  await anUpsertMakesANodeOnce(client);
  await errorsAreThoseThatAreNotTriedAgain(client);
  client.close();
  console.log("dgraph-js 24.2.0");
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
