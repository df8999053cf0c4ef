// Transactions and sessions: what others see and when, and what is left of a failure.
'use strict';

const { randomUUID } = require('node:crypto');
const { list } = require('./connecting');
const { expect, expectError } = require('./expect');
const { one } = require('./traversals');

/** begin, commit, rollback: of what was rolled back, nothing is there. */
const transactions = (server) => server.traversals(async (g) => {
  await g.V().drop().iterate();
  const count = () => one(g.V().count());
  let tx = g.tx();
  let own = tx.begin();
  await own.addV('kept').property('name', 'ann').iterate();
  await own.addV('kept').iterate();
  expect('sees its own', await one(own.V().count()), 2);
  expect('others do not', await count(), 0);
  await tx.commit();
  expect('committed', await count(), 2);

  tx = g.tx();
  own = tx.begin();
  await own.addV('gone').iterate();
  await own.V().has('name', 'ann').property('name', 'eve').iterate();
  await own.V().hasLabel('kept').hasNot('name').drop().iterate();
  expect('what it did', await one(own.V().count()), 2);
  await tx.rollback();
  expect('rolled back', [await count(), await g.V().values('name').toList()], [2, ['ann']]);
});

/** Of two transactions that change the same, the first wins, and the other may try again. */
const conflicts = (server) => server.traversals(async (g) => {
  await g.V().drop().iterate();
  await g.addV('account').property('sum', 1).iterate();
  const [first, second] = [g.tx(), g.tx()];
  const [ours, theirs] = [first.begin(), second.begin()];
  // Each has its snapshot before the other commits.
  expect('both read', [await one(ours.V().values('sum')), await one(theirs.V().values('sum'))], [1, 1]);
  await ours.V().property('sum', 2).iterate();
  await first.commit();
  const lose = async () => {
    await theirs.V().property('sum', 3).iterate();
    await second.commit();
  };
  await expectError('the second', 596, '', lose());
  expect('the first', await g.V().values('sum').toList(), [2]);
});

/** A transaction in which something failed can only be rolled back: no half of it is committed. */
const failures = (server) => server.traversals(async (g) => {
  await g.V().drop().iterate();
  const tx = g.tx();
  const own = tx.begin();
  await own.addV('half').iterate();
  await expectError('a failure', 595, 'enough', own.inject(1).fail('enough').iterate());
  await expectError('is not gone on with', 597, 'roll', own.addV('more').iterate());
  await tx.rollback();
  expect('nothing is there', await one(g.V().count()), 0);
});

/** Variables outlive requests; what was not committed ends with the session. */
const sessions = (server) => server.client(async (outside) => {
  await list(outside, 'g.V().drop()');
  await server.client(async (client) => {
    expect('assigned', await list(client, 'x = 41'), [41]);
    expect('kept', await list(client, 'g.inject(x)'), [41]);
    await list(client, "v = g.addV('person').property('name', name).next()", { name: 'ann' });
    expect('a vertex is kept', await list(client, "g.V(v).values('name')"), ['ann']);
    expect('unseen', await list(outside, 'g.V().count()'), [0]);
    await list(client, 'g.tx().commit()');
    expect('seen', await list(outside, 'g.V().count()'), [1]);
    await list(client, "g.addV('gone')");
    expect('a second one', await list(client, 'g.V().count()'), [2]);
  }, { session: randomUUID() });
  expect('closed', await list(outside, 'g.V().count()'), [1]);
  await server.client(
    (client) => expectError('a session of its own', 597, 'x', list(client, 'g.inject(x)')),
    { session: randomUUID() });
});

module.exports = { conflicts, failures, sessions, transactions };
