// The library @neo4j/graphql as its users run it: it ends with 1 at the first answer that is wrong.
//
// Usage: node main.js HOST:PORT.

const assert = require("node:assert/strict");
const { Neo4jGraphQL } = require("@neo4j/graphql");
const { graphql } = require("graphql");
const neo4j = require("neo4j-driver");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

// The package does not export its description.
const entry = require.resolve("@neo4j/graphql");
const packageFile = join(entry.slice(0, entry.lastIndexOf("graphql/dist")), "graphql/package.json");
const { version } = JSON.parse(readFileSync(packageFile, "utf8"));

const typeDefs = `#graphql
    interface Production {
        title: String!
        year: Int
    }

    type Movie implements Production @node {
        id: ID! @id
        title: String!
        year: Int
        tags: [String!]
        released: Date
        shown: DateTime @timestamp(operations: [CREATE])
        length: Duration
        actors: [Actor!]! @relationship(type: "ACTED_IN", direction: IN, properties: "ActedIn")
        reviews: [Review!]! @relationship(type: "ABOUT", direction: IN)
        best: Int @cypher(statement: "MATCH (this)<-[:ABOUT]-(r:Review) RETURN max(r.stars) AS best", columnName: "best")
    }

    type Secret @node @authorization(validate: [{ operations: [READ], where: { jwt: { roles: { includes: "admin" } } } }]) {
        text: String
    }

    type Token @jwt {
        roles: [String!]!
    }

    type Series implements Production @node {
        title: String!
        year: Int
        episodes: Int
    }

    type Actor @node {
        name: String!
        born: Int
        height: Float
        productions: [Production!]! @relationship(type: "ACTED_IN", direction: OUT, properties: "ActedIn")
        movies: [Movie!]! @relationship(type: "ACTED_IN", direction: OUT, properties: "ActedIn")
        likes: [Liked!]! @relationship(type: "LIKES", direction: OUT)
    }

    type ActedIn @relationshipProperties {
        roles: [String!]
        pay: Int
    }

    type Review @node {
        text: String
        stars: Int!
        movie: [Movie!]! @relationship(type: "ABOUT", direction: OUT)
    }

    union Liked = Movie | Series
`;

let schema;
let driver;

/// What a request returns; errors are thrown.
async function ask(source, variableValues = {}, jwt = undefined) {
    const result = await graphql({ schema, source, variableValues, contextValue: { driver, jwt } });
    if (result.errors) {
        throw new Error(`${source}\n${result.errors.map((error) => error.message).join("\n")}`);
    }
    return JSON.parse(JSON.stringify(result.data));
}

async function expect(source, expected, variables) {
    assert.deepEqual(await ask(source, variables), expected, source);
}

async function fill() {
    await expect(
        `mutation { createMovies(input: [
            { title: "Matrix", year: 1999, tags: ["a", "b"], released: "1999-03-31", length: "PT2H16M",
              actors: { create: [
                { node: { name: "Keanu", born: 1964, height: 1.86 }, edge: { roles: ["Neo"], pay: 10 } },
                { node: { name: "Carrie", born: 1967 }, edge: { roles: ["Trinity"], pay: 5 } } ] },
              reviews: { create: [{ node: { text: "good", stars: 5 } }, { node: { stars: 3 } }] } },
            { title: "Speed", year: 1994 } ])
          { info { nodesCreated relationshipsCreated } movies { title tags released length actors(sort: [{ name: ASC }]) { name } } } }`,
        { createMovies: { info: { nodesCreated: 6, relationshipsCreated: 4 }, movies: [
            { title: "Matrix", tags: ["a", "b"], released: "1999-03-31", length: "P0M0DT8160S", actors: [{ name: "Carrie" }, { name: "Keanu" }] },
            { title: "Speed", tags: null, released: null, length: null, actors: [] } ] } },
    );
    await expect(
        `mutation { createSeries(input: [{ title: "Dark", year: 2017, episodes: 26 }]) { series { title episodes } } }`,
        { createSeries: { series: [{ title: "Dark", episodes: 26 }] } },
    );
    await expect(
        `mutation { updateActors(where: { name: { eq: "Keanu" } }, update: {
            born: { set: 1965 },
            movies: [{ connect: [{ where: { node: { title: { eq: "Speed" } } }, edge: { roles: ["Jack"], pay: 7 } }] }],
            likes: { Movie: [{ connect: [{ where: { node: { title: { eq: "Matrix" } } } }] }],
                     Series: [{ connect: [{ where: { node: { title: { eq: "Dark" } } } }] }] } })
          { info { relationshipsCreated } actors { name born movies(sort: [{ title: ASC }]) { title } } } }`,
        { updateActors: { info: { relationshipsCreated: 3 }, actors: [
            { name: "Keanu", born: 1965, movies: [{ title: "Matrix" }, { title: "Speed" }] }] } },
    );
}

async function read() {
    await expect(
        `{ movies(sort: [{ year: DESC }, { title: ASC }], limit: 1, offset: 1) { title year best } }`,
        { movies: [{ title: "Speed", year: 1994, best: null }] },
    );
    await expect(`{ movies(where: { title: { startsWith: "Mat" } }) { best reviews(sort: [{ stars: ASC }]) { stars text movie { title } } } }`,
        { movies: [{ best: 5, reviews: [
            { stars: 3, text: null, movie: [{ title: "Matrix" }] }, { stars: 5, text: "good", movie: [{ title: "Matrix" }] }] }] });
    const filters = [
        [`year: { gt: 1995 }`, ["Matrix"]],
        [`year: { in: [1994, 1999] }`, ["Matrix", "Speed"]],
        [`title: { contains: "ee" }`, ["Speed"]],
        [`title: { endsWith: "x" }`, ["Matrix"]],
        [`tags: { includes: "a" }`, ["Matrix"]],
        [`tags: { eq: ["a", "b"] }`, ["Matrix"]],
        [`NOT: { title: { eq: "Matrix" } }`, ["Speed"]],
        [`OR: [{ title: { eq: "Speed" } }, { year: { lt: 1990 } }]`, ["Speed"]],
        [`AND: [{ year: { gte: 1994 } }, { year: { lte: 1994 } }]`, ["Speed"]],
        [`released: { gt: "1990-01-01" }`, ["Matrix"]],
        [`length: { gt: "PT1H" }`, ["Matrix"]],
        [`tags: { eq: null }`, ["Speed"]],
        [`actors: { some: { name: { eq: "Carrie" } } }`, ["Matrix"]],
        [`actors: { none: { name: { eq: "Carrie" } } }`, ["Speed"]],
        [`actors: { all: { name: { eq: "Keanu" } } }`, ["Speed"]],
        [`actors: { single: { born: { gt: 1900 } } }`, ["Speed"]],
        [`actorsConnection: { some: { edge: { pay: { gt: 9 } } } }`, ["Matrix"]],
        [`actorsConnection: { some: { node: { name: { eq: "Keanu" } }, edge: { roles: { includes: "Jack" } } } }`, ["Speed"]],
        [`actorsConnection: { all: { NOT: { edge: { pay: { lt: 6 } } } } }`, ["Speed"]],
        [`reviews: { some: { stars: { gte: 5 } } }`, ["Matrix"]],
        [`actorsConnection: { aggregate: { count: { nodes: { gt: 1 } } } }`, ["Matrix"]],
        [`actorsConnection: { aggregate: { edge: { pay: { average: { gte: 7.5 } } } } }`, ["Matrix"]],
        [`actorsConnection: { aggregate: { node: { name: { shortestLength: { lt: 6 } } } } }`, ["Matrix", "Speed"]],
        [`actors: { some: { movies: { some: { title: { eq: "Speed" } } } } }`, ["Matrix", "Speed"]],
    ];
    for (const [where, titles] of filters) {
        await expect(`{ movies(where: { ${where} }, sort: [{ title: ASC }]) { title } }`, {
            movies: titles.map((title) => ({ title })),
        });
    }
    await expect(
        `{ moviesConnection(first: 1, sort: [{ title: DESC }]) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { title
            actorsConnection(first: 1, sort: [{ edge: { pay: DESC } }]) { totalCount pageInfo { hasNextPage } edges { node { name } properties { roles pay } } } } } } }`,
        { moviesConnection: { totalCount: 2, pageInfo: { hasNextPage: true, endCursor: "YXJyYXljb25uZWN0aW9uOjA=" }, edges: [
            { cursor: "YXJyYXljb25uZWN0aW9uOjA=", node: { title: "Speed", actorsConnection: { totalCount: 1, pageInfo: { hasNextPage: false },
              edges: [{ node: { name: "Keanu" }, properties: { roles: ["Jack"], pay: 7 } }] } } } ] } },
    );
    await expect(
        `query ($after: String) { moviesConnection(first: 1, after: $after, sort: [{ title: DESC }]) { edges { node { title } } } }`,
        { moviesConnection: { edges: [{ node: { title: "Matrix" } }] } },
        { after: "YXJyYXljb25uZWN0aW9uOjA=" },
    );
    await expect(
        `{ moviesConnection { aggregate { count { nodes } node { title { shortest longest } year { min max average sum } } } } }`,
        { moviesConnection: { aggregate: { count: { nodes: 2 }, node: { title: { shortest: "Speed", longest: "Matrix" },
            year: { min: 1994, max: 1999, average: 1996.5, sum: 3993 } } } } },
    );
    await expect(
        `{ movies(where: { title: { eq: "Matrix" } }) { actorsConnection { aggregate { count { nodes edges } node { born { max } name { longest } } edge { pay { sum } } } } } }`,
        { movies: [{ actorsConnection: { aggregate: { count: { nodes: 2, edges: 2 }, node: { born: { max: 1967 }, name: { longest: "Carrie" } }, edge: { pay: { sum: 15 } } } } }] },
    );
    await expect(
        `{ actors(where: { name: { eq: "Keanu" } }) { productions(sort: [{ title: ASC }]) { __typename title ... on Movie { tags } }
            productionsConnection(sort: [{ edge: { pay: ASC } }]) { edges { properties { pay } node { title } } }
            likes { __typename ... on Movie { title } ... on Series { episodes } }
            likesConnection { totalCount edges { node { __typename } } } } }`,
        { actors: [{ productions: [{ __typename: "Movie", title: "Matrix", tags: ["a", "b"] }, { __typename: "Movie", title: "Speed", tags: null }],
            productionsConnection: { edges: [{ properties: { pay: 7 }, node: { title: "Speed" } }, { properties: { pay: 10 }, node: { title: "Matrix" } }] },
            likes: [{ __typename: "Movie", title: "Matrix" }, { __typename: "Series", episodes: 26 }],
            likesConnection: { totalCount: 2, edges: [{ node: { __typename: "Movie" } }, { node: { __typename: "Series" } }] } }] },
    );
    await expect(`{ productions(sort: [{ title: ASC }], limit: 2) { __typename title } }`,
        { productions: [{ __typename: "Series", title: "Dark" }, { __typename: "Movie", title: "Matrix" }] });
    await expect(`{ productions(where: { year: { gt: 1995 } }, sort: [{ year: ASC }]) { title ... on Series { episodes } } }`,
        { productions: [{ title: "Matrix" }, { title: "Dark", episodes: 26 }] });
    await expect(`{ productionsConnection { aggregate { count { nodes } node { year { max } } } } }`,
        { productionsConnection: { aggregate: { count: { nodes: 3 }, node: { year: { max: 2017 } } } } });
    await expect(`{ likeds { __typename ... on Movie { title } } }`,
        { likeds: [{ __typename: "Movie", title: "Matrix" }, { __typename: "Movie", title: "Speed" }, { __typename: "Series" }] });
    await expect(`{ actors(where: { productions: { some: { title: { eq: "Speed" } } } }) { name } }`, { actors: [{ name: "Keanu" }] });
    const [{ shown }] = (await ask(`{ movies(where: { title: { eq: "Speed" } }) { shown } }`)).movies;
    assert.match(shown, /^[0-9]{4}-[0-9-]+T[0-9:.]+Z$/);
}

async function authorize() {
    await ask(`mutation { createSecrets(input: [{ text: "x" }]) { info { nodesCreated } } }`);
    const read = `{ secrets { text } }`;
    assert.deepEqual(await ask(read, {}, { roles: ["admin"] }), { secrets: [{ text: "x" }] });
    await assert.rejects(ask(read, {}, { roles: ["other"] }), /Forbidden/);
    await assert.rejects(ask(read), /Forbidden|Unauthenticated/);
}

async function change() {
    await expect(
        `mutation { updateMovies(where: { title: { eq: "Matrix" } }, update: { tags: { push: ["c"] } }) { movies { tags } } }`,
        { updateMovies: { movies: [{ tags: ["a", "b", "c"] }] } },
    );
    // What its queries validate is refused with the library's message.
    const push = `mutation { updateMovies(where: { title: { eq: "Speed" } }, update: { tags: { push: ["c"] } }) { movies { tags } } }`;
    await assert.rejects(ask(push), /Property tags cannot be NULL/);
    await expect(
        `mutation { updateMovies(where: { title: { eq: "Speed" } }, update: { year: { add: 1 },
            actors: [{ update: { where: { node: { name: { eq: "Keanu" } } }, node: { height: { set: 1.9 } }, edge: { pay: { add: 3 } } } },
                     { create: [{ node: { name: "Sandra" }, edge: { roles: ["Annie"] } }] }] })
          { movies { year actorsConnection(sort: [{ node: { name: ASC } }]) { edges { node { name height } properties { pay } } } } } }`,
        { updateMovies: { movies: [{ year: 1995, actorsConnection: { edges: [
            { node: { name: "Keanu", height: 1.9 }, properties: { pay: 10 } }, { node: { name: "Sandra", height: null }, properties: { pay: null } }] } }] } },
    );
    await expect(
        `mutation { updateMovies(where: { title: { eq: "Speed" } }, update: {
            actors: [{ disconnect: [{ where: { node: { name: { eq: "Keanu" } } } }], delete: [{ where: { node: { name: { eq: "Sandra" } } } }] }] })
          { info { relationshipsDeleted nodesDeleted } movies { actors { name } } } }`,
        { updateMovies: { info: { relationshipsDeleted: 2, nodesDeleted: 1 }, movies: [{ actors: [] }] } },
    );
    await expect(
        `mutation { updateActors(where: { name: { eq: "Keanu" } }, update: { productions: [{ create: [{ node: { Series: { title: "Swedish Dicks", year: 2016 } }, edge: { pay: 1 } }] }] })
          { actors { productions(sort: [{ title: ASC }]) { __typename } } } }`,
        { updateActors: { actors: [{ productions: [{ __typename: "Movie" }, { __typename: "Series" }] }] } },
    );
    await expect(
        `mutation { deleteMovies(where: { title: { eq: "Matrix" } }, delete: { reviews: [{ where: {} }], actors: [{ where: { node: { name: { eq: "Carrie" } } } }] }) { nodesDeleted relationshipsDeleted } }`,
        { deleteMovies: { nodesDeleted: 4, relationshipsDeleted: 5 } },
    );
}

async function main() {
    driver = neo4j.driver(`bolt://${process.argv[2]}`, neo4j.auth.basic("neo4j", "any"));
    await driver.executeQuery("MATCH (n) DETACH DELETE n");
    // The test gives decoded tokens, so there is no key.
    console.warn = () => {};
    const library = new Neo4jGraphQL({ typeDefs, driver });
    schema = await library.getSchema();
    await library.checkNeo4jCompat({ driver });
    await library.assertIndexesAndConstraints({ driver });
    await fill();
    await read();
    await change();
    await authorize();
    await driver.close();
    console.log(`@neo4j/graphql ${version}`);
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
