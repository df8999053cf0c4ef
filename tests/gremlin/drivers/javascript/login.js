// Names and passwords: who is known gets in, others get an error, and nothing of what they asked runs.
'use strict';

const { Server, list } = require('./connecting');
const { expect, expectError } = require('./expect');
const { one } = require('./traversals');

/** By SASL PLAIN, over connections for traversals and for scripts. */
async function login(server) {
  await server.traversals(async (g) => {
    await g.V().drop().iterate();
    expect('one who is known', await one(g.addV('person').count()), 1);
  });
  for (const known of [[server.login[0], 'guess'], ['eve', 'secret']]) {
    const stranger = new Server(server.url, server.format, known);
    await stranger.traversals((g) => expectError(`${known}`, 401, '', g.addV('person').iterate()));
    await stranger.client((client) => expectError('in a script', 401, '', list(client, 'g.addV()')));
  }
  await server.client(async (client) => {
    expect('nobody else wrote', await list(client, 'g.V().count()'), [1]);
  });
}

module.exports = { login };
