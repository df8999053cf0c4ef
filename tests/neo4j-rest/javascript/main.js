// The client neo4j 1.1 as its users ran it: it ends with 1 at the first answer that is wrong.
//
// Usage: node main.js http://HOST:PORT

const assert = require("node:assert/strict");
const neo4j = require("neo4j");
const { version } = require("neo4j/package.json");

const db = new neo4j.GraphDatabase(process.argv[2]);

// The client takes callbacks.
const ask = (on, method, ...args) =>
    new Promise((resolve, reject) =>
        on[method](...args, (error, found) => (error ? reject(error) : resolve(found))),
    );

async function nodes() {
    const ann = await ask(db.createNode({ name: "Ann", tags: ["a", "b"] }), "save");
    assert.equal(ann.exists, true);
    assert.deepEqual((await ask(db, "getNodeById", ann.id)).data, { name: "Ann", tags: ["a", "b"] });
    ann.data.age = 30;
    delete ann.data.tags;
    await ask(ann, "save");
    assert.deepEqual((await ask(db, "getNode", ann.self)).data, { name: "Ann", age: 30 });
    const { id } = ann;
    await ask(ann, "del");
    await assert.rejects(ask(db, "getNodeById", id), /there is no node|Not Found|No node/i);
}

async function relationships() {
    const ann = await ask(db.createNode({ name: "Ann" }), "save");
    const bob = await ask(db.createNode({ name: "Bob" }), "save");
    const knows = await ask(ann, "createRelationshipTo", bob, "KNOWS", { since: 2010 });
    const liked = await ask(ann, "createRelationshipFrom", bob, "LIKES", {});
    assert.deepEqual([knows.type, knows.start.id, knows.end.id], ["KNOWS", ann.id, bob.id]);
    assert.deepEqual([liked.start.id, liked.end.id], [bob.id, ann.id]);
    knows.data.w = 1.5;
    await ask(knows, "save");
    const again = await ask(db, "getRelationshipById", knows.id);
    assert.deepEqual(again.data, { since: 2010, w: 1.5 });
    const ids = async (method, type) => (await ask(ann, method, type)).map((own) => own.id).sort();
    assert.deepEqual(await ids("outgoing", "KNOWS"), [knows.id]);
    assert.deepEqual(await ids("incoming", "LIKES"), [liked.id]);
    assert.deepEqual(await ids("getRelationships", ["KNOWS", "LIKES"]), [knows.id, liked.id].sort());
    await assert.rejects(ask(ann, "del"), /still has relationships/);
    await ask(knows, "del");
    await ask(liked, "del");
    await ask(ann, "del");
}

async function queries() {
    await ask(db, "query", "CREATE (:Q {name: {name}})-[:R {n: 1}]->(:Q {name: 'b'})", { name: "a" });
    const text = "MATCH (a:Q {name: {props}.name})-[r]->(b) RETURN a, r, b.name AS name, [1, null] AS list";
    const [row] = await ask(db, "query", text, { props: { name: "a" } });
    assert.deepEqual([row.a.data, row.r.data, row.r.type], [{ name: "a" }, { n: 1 }, "R"]);
    assert.deepEqual([row.name, row.list], ["b", [1, null]]);
    const [path] = await ask(db, "query", "MATCH p = (:Q {name: 'a'})-->() RETURN p", {});
    assert.equal(path.p.length, 1);
    await assert.rejects(ask(db, "query", "RETUR 1", {}), /RETUR/);
    assert.equal(await ask(db, "execute", "g.V().has('name', name).count()", { name: "a" }), 1);
}

// What is refused by name.
async function refusals() {
    const ann = await ask(db.createNode({}), "save");
    await assert.rejects(ask(db, "getNodeIndexes"), /manual index/);
    await assert.rejects(ask(ann, "getRelationshipNodes", "KNOWS"), /traversal/);
    await assert.rejects(ask(ann, "path", ann, "KNOWS", "all", 3, "shortestPath"));
}

(async () => {
    for (const part of [nodes, relationships, queries, refusals]) await part();
    console.log(`neo4j ${version}`);
})().catch((error) => {
    console.error(error);
    process.exit(1);
});
