// Values of every type that the driver and the format have, there and back.
'use strict';

const gremlin = require('gremlin');
const { list } = require('./connecting');
const { expect } = require('./expect');
const { one } = require('./traversals');

const VALUES = [
  true, false, 0, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 40, -(2 ** 40), -2.5, 0.125, '', 'plain', 'Grüße, 世界 🌍', 'quotes \' and " and \\ and $',
];

/** Sent in bytecode, and sent as a binding; stored, too. */
const values = (server) => server.traversals((g) => server.client(async (client) => {
  await g.V().drop().iterate();
  for (const value of VALUES) {
    expect('in bytecode', await one(g.inject(value)), value);
    expect('as a binding', await list(client, 'g.inject(x)', { x: value }), [value]);
    await g.addV('value').property('it', value).iterate();
    expect('stored', await one(g.V().hasLabel('value').values('it')), value);
    await g.V().hasLabel('value').drop().iterate();
  }
  expect('a list', await list(client, 'g.inject(x)', { x: [1, ['two']] }), [[1, ['two']]]);
  expect('a map', await list(client, 'g.inject(x)', { x: new Map([['a', 1]]) }), [new Map([['a', 1]])]);
  // Only over GraphSON has the driver a type for longs; over GraphBinary it finds out which numbers are.
  if (server.format === 'graphson') {
    expect('a long', await one(g.inject(gremlin.structure.toLong('1099511627776'))), 2 ** 40);
  }
  expect('null', await g.inject(null).toList(), [null]);
  const when = new Date(Date.UTC(2026, 10, 22, 12, 30, 15));
  expect('a moment', new Date(await one(g.inject(when))).getTime(), when.getTime());
}));

module.exports = { values };
