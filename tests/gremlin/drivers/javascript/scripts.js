// Scripts with bindings, of which there may be many, and many requests at once on one connection.
'use strict';

const gremlin = require('gremlin');
const { list } = require('./connecting');
const { expect, expectError } = require('./expect');

const TEN = Array.from({ length: 10 }, (_, at) => at);

// Ten vertices with two values each, in one request: twenty bindings. Other servers stop at sixteen.
const TEN_VERTICES =
  `g${TEN.map((at) => `.addV('person').property('name', n${at}).property('age', a${at})`).join('')}.count()`;

/** The bindings of ten people. */
const rows = (first) => Object.fromEntries(
  TEN.flatMap((at) => [[`n${at}`, `person ${first + at}`], [`a${at}`, first + at]]));

/** Texts, their bindings, several statements, and options of a request. */
const scripts = (server) => server.client(async (client) => {
  const run = (...words) => list(client, ...words);
  await run('g.V().drop()');
  for (let turn = 0; turn < 5; turn += 1) expect('ten vertices', await run(TEN_VERTICES, rows(10 * turn)), [1]);
  expect('they are there', await run("g.V().hasLabel('person').count()"), [50]);
  expect('each with its own', await run("g.V().has('name', x).values('age')", { x: 'person 37' }), [37]);
  const names = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`v${at}`, at]));
  expect('200 bindings', await run(`g.inject(${Object.keys(names)}).sum()`, names), [19900]);
  expect('statements', await run("v = g.addV('last').next(); g.V(v).label()"), ['last']);
  expect('nothing', await run("g.V().hasLabel('none')"), []);
  const [found] = await run("g.V().has('name', 'person 3')");
  expect('a vertex', [found instanceof gremlin.structure.Vertex, found.label, found.properties.length],
    [true, 'person', 2]);
  const [bare] = await run("g.V().has('name', 'person 3')", null, { materializeProperties: 'tokens' });
  expect('tokens', bare.properties, []);
  const sizes = [];
  for await (const frame of client.stream("g.V().hasLabel('person').id()", null, { batchSize: 20 })) {
    sizes.push(frame.toArray().length);
  }
  expect('frames of the size asked for', sizes, [20, 20, 10]);
  await expectError('no graph', 597, 'nowhere', run('g.V()', null, { aliases: { g: 'nowhere' } }));
});

/** Many requests at once on one connection, a slow one among them: each answer finds its request. */
const atOnce = (server) => server.client(async (client) => {
  await list(client, 'g.V().drop()');
  await list(client, "g.addV().as('a').addE('self').to('a')");
  const slow = expectError('a slow one', 598, '', list(client,
    'g.V().repeat(__.out()).times(2000000000).count()', null, { evaluationTimeout: 1000 }));
  const numbers = Array.from({ length: 300 }, (_, at) => at);
  const asked = numbers.map((x) => list(client, "g.addV('one').property('number', x).values('number')", { x }));
  expect('own answers', await Promise.all(asked), numbers.map((at) => [at]));
  expect('all are there', await list(client, "g.V().hasLabel('one').count()"), [300]);
  await slow;
});

module.exports = { atOnce, scripts };
