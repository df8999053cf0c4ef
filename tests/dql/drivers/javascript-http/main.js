// Asks a server of Dgraph's HTTP what dgraph-js-http can, as pages in a browser do, and ends with 1 at the first answer that
// is not as it has to be.
//
//     main.js URL [USER PASSWORD]
//
// It drops all data.

const assert = require("assert");
const dgraph = require("dgraph-js-http");

const QUERY = "query q($n: string) { q(func: eq(name, $n)) { uid name age } }";

async function refused(call, words) {
  try {
    await call();
  } catch (error) {
    assert(String(error.message ?? error).includes(words), `${error} has no ${words}`);
    return error;
  }
  throw new Error(`${words}: it was not refused`);
}

async function schemaAndQueries(client) {
  await client.alter({ dropAll: true });
  await client.alter({ schema: "name: string @index(exact) .\nage: int ." });
  const done = await client.newTxn().mutate({ setJson: { uid: "_:a", name: "Ann", age: 7 }, commitNow: true });
  const uid = done.data.uids.a;
  const found = await client.newTxn({ readOnly: true }).queryWithVars(QUERY, { $n: "Ann" });
  assert.deepStrictEqual(found.data, { q: [{ uid, name: "Ann", age: 7 }] });
  const best = await client.newTxn({ readOnly: true, bestEffort: true }).query("{ q(func: uid(1)) { name } }");
  assert(Array.isArray(best.data.q));
  return uid;
}

async function transactions(client, uid) {
  const text = `{ q(func: uid(${uid})) { age } }`;
  const age = async (txn) => (await txn.query(text)).data.q[0].age;
  const txn = client.newTxn();
  await txn.mutate({ setNquads: `<${uid}> <age> "8" .` });
  assert.deepStrictEqual([await age(txn), await age(client.newTxn())], [8, 7]);
  await txn.commit();
  assert.strictEqual(await age(client.newTxn()), 8);
  const lost = client.newTxn();
  await lost.mutate({ setJson: { uid, age: 9 } });
  await lost.discard();
  const [first, second] = [client.newTxn(), client.newTxn()];
  for (const own of [first, second]) {
    assert.strictEqual(await age(own), 8);
    await own.mutate({ setJson: { uid, age: 10 } });
  }
  await first.commit();
  await refused(() => second.commit(), "Transaction has been aborted");
}

async function serverAndErrors(client, stub) {
  const health = await stub.getHealth();
  assert(health[0].version.startsWith("v25."), JSON.stringify(health));
  assert((await stub.getState()).groups["1"]);
  assert((await stub.fetchUiKeywords()).keywords.length > 50);
  await refused(() => client.newTxn().query("{ q(func: "), "line 1 column ");
}

async function main() {
  const [url, user, password] = process.argv.slice(2);
  const stub = new dgraph.DgraphClientStub(url);
  const client = new dgraph.DgraphClient(stub);
  if (user !== undefined) {
    await refused(() => client.newTxn().query("{ q(func: uid(1)) { uid } }"), "no accessJwt available");
    await refused(() => client.login(user, "wrong"), "invalid username or password");
    await client.login(user, password);
    const { refreshToken } = stub.getAuthTokens();
    await client.login(undefined, undefined, refreshToken);
  }
  const uid = await schemaAndQueries(client);
  await transactions(client, uid);
  await serverAndErrors(client, stub);
  console.log("dgraph-js-http 20.11.0");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
