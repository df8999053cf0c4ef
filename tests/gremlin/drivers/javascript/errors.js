// What goes wrong has the status code that clients act on, and says what it was.
'use strict';

const gremlin = require('gremlin');
const { list } = require('./connecting');
const { expect, expectError } = require('./expect');
const { one } = require('./traversals');

const __ = gremlin.process.statics;

/** Of scripts, and of requests that are none. */
const errors = (server) => server.client(async (client) => {
  const run = (...words) => list(client, ...words);
  await run('g.V().drop()');
  await run("g.addV().as('a').addE('self').to('a')");
  await expectError('no Gremlin', 597, 'nonsense', run('g.V().nonsense()'));
  await expectError('unknown variable', 597, 'nobody', run('g.inject(nobody)'));
  await expectError('refused', 597, 'closures', run('g.V().map{it.get()}'));
  await expectError('fail()', 595, 'that is it', run("g.inject(1).fail('that is it')"));
  const forever = 'g.V().repeat(__.out()).times(2000000000).count()';
  await expectError('too slow', 598, '', run(forever, null, { evaluationTimeout: 200 }));
  await expectError('no such option', 499, 'materializeProperties', run('g.V()', null, { materializeProperties: 'some' }));
  await expectError('no number', 499, 'batchSize', run('g.V()', null, { batchSize: -1 }));
  expect('goes on', await run('g.V().count()'), [1]);
});

/** The same, of bytecode; nothing of a request that failed is there. */
const errorsOfTraversals = (server) => server.traversals(async (g) => {
  await g.V().drop().iterate();
  await g.addV().as('a').addE('self').to('a').iterate();
  await expectError('fail()', 595, 'that is it', g.inject(1).fail('that is it').iterate());
  await expectError('after a write', 595, 'stop', g.addV('x').fail('stop').iterate());
  expect('nothing is there', await one(g.V().hasLabel('x').count()), 0);
  const slow = g.with_('evaluationTimeout', 200).V().repeat(__.out()).times(2000000000).count();
  await expectError('too slow', 598, '', slow.next());
  await expectError('refused', 597, 'pageRank', g.V().pageRank().toList());
  expect('goes on', await one(g.V().count()), 1);
});

module.exports = { errors, errorsOfTraversals };
