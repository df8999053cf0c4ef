// Traversals, sent as bytecode: what they find, and as what it arrives.
'use strict';

const gremlin = require('gremlin');
const { ReadOnlyStrategy, SubgraphStrategy } = require('gremlin/lib/process/traversal-strategy');
const { expect, expectError } = require('./expect');

const { P, TextP, cardinality, direction, merge, order, statics: __, t, withOptions } = gremlin.process;
const { Edge, Vertex, VertexProperty } = gremlin.structure;

const one = async (traversal) => (await traversal.next()).value;

/** ann knows ben and cem, who like a lamp; ann has two nicknames. */
async function makePeople(g) {
  await g.V().drop().iterate();
  await g.addV('person').property('name', 'ann').property('age', 30)
    .property(cardinality.list, 'nick', 'a').property(cardinality.list, 'nick', 'annie', 'since', 2009).as('ann')
    .addV('person').property('name', 'ben').property('age', 40).as('ben')
    .addV('person').property('name', 'cem').property('age', 50).as('cem')
    .addV('thing').property('name', 'lamp').as('lamp')
    .addE('knows').from_('ann').to('ben').property('weight', 0.5)
    .addE('knows').from_('ann').to('cem').property('weight', 1.5)
    .addE('likes').from_('ben').to('lamp')
    .addE('likes').from_('cem').to('lamp')
    .iterate();
}

/** Values, in the order and number that were asked for. */
const reads = (server) => server.traversals(async (g) => {
  await makePeople(g);
  expect('count', await one(g.V().hasLabel('person').count()), 3);
  expect('ages', await g.V().values('age').order().toList(), [30, 40, 50]);
  expect('two hops', await g.V().has('name', 'ann').out('knows').out('likes').values('name').toList(),
    ['lamp', 'lamp']);
  expect('predicates', await g.V().has('age', P.gt(30).and(P.lt(50))).values('name').toList(), ['ben']);
  expect('within', await g.V().has('name', P.within('ann', 'lamp')).values('name').order().toList(),
    ['ann', 'lamp']);
  expect('text', await g.V().has('name', TextP.startingWith('la')).values('name').toList(), ['lamp']);
  expect('order', await g.V().has('age').order().by('age', order.desc).values('name').toList(),
    ['cem', 'ben', 'ann']);
  expect('repeat', await g.V().has('name', 'ann').repeat(__.out()).until(__.hasLabel('thing')).dedup()
    .values('name').toList(), ['lamp']);
  expect('nothing', await g.V().has('name', 'nobody').toList(), []);
  expect('hasNext', await g.V().has('name', 'nobody').hasNext(), false);
  const numbers = Array.from({ length: 1000 }, (_, at) => at);
  expect('many frames', await g.inject(numbers).unfold().toList(), numbers);
});

/** Paths with their labels, maps with the keys that they have on the server. */
const pathsAndMaps = (server) => server.traversals(async (g) => {
  await makePeople(g);
  const path = await one(g.V().has('name', 'ann').as('x').outE('knows').has('weight', 1.5).as('y').inV()
    .path().by('name').by('weight').by('name'));
  expect('path', path.objects, ['ann', 1.5, 'cem']);
  expect('its labels', path.labels.map((labels) => [...labels]), [['x'], ['y'], []]);
  const ann = await one(g.V().has('name', 'ann'));
  expect('value map', await one(g.V(ann).valueMap('name', 'nick')),
    new Map([['name', ['ann']], ['nick', ['a', 'annie']]]));
  expect('element map', await one(g.V(ann).elementMap('name', 'age')),
    new Map([[t.id, ann.id], [t.label, 'person'], ['name', 'ann'], ['age', 30]]));
  expect('with ids', await one(g.V(ann).valueMap('name').with_(withOptions.tokens)),
    new Map([[t.id, ann.id], [t.label, 'person'], ['name', ['ann']]]));
  expect('group count', await one(g.V().groupCount().by(t.label)), new Map([['person', 3], ['thing', 1]]));
  expect('project', await one(g.V(ann).project('name', 'knows').by('name')
    .by(__.out('knows').values('name').order().fold())), new Map([['name', 'ann'], ['knows', ['ben', 'cem']]]));
  expect('select', await one(g.V(ann).as('a').out('knows').has('name', 'ben').as('b').select('a', 'b').by('name')),
    new Map([['a', 'ann'], ['b', 'ben']]));
});

/** Vertices, edges and properties as the driver has them, with and without what they have. */
const elements = (server) => server.traversals(async (g) => {
  await makePeople(g);
  const ann = await one(g.V().has('name', 'ann'));
  expect('a vertex', [ann instanceof Vertex, ann.label], [true, 'person']);
  expect('its properties', ann.properties.map((own) => [own.key, own.value]),
    [['name', 'ann'], ['age', 30], ['nick', 'a'], ['nick', 'annie']]);
  const annie = await one(g.V(ann).properties('nick').hasValue('annie'));
  expect('a property', [annie instanceof VertexProperty, annie.key, annie.value], [true, 'nick', 'annie']);
  expect('of a property', annie.properties.map((own) => [own.key, own.value]), [['since', 2009]]);
  const ben = await one(g.V().has('name', 'ben'));
  const edge = await one(g.V(ann).outE('knows').has('weight', 0.5));
  expect('an edge', [edge instanceof Edge, edge.label, edge.outV.id, edge.inV.id], [true, 'knows', ann.id, ben.id]);
  expect('its ends', [edge.outV.label, edge.inV.label], ['person', 'person']);
  expect('its property', edge.properties.map((own) => [own.key, own.value]), [['weight', 0.5]]);
  const path = await one(g.V(ann).outE().has('weight', 0.5).inV().path());
  expect('a path of elements', path.objects.map((element) => element.id), [ann.id, edge.id, ben.id]);
  const bare = await one(g.with_('materializeProperties', 'tokens').V(ann));
  expect('tokens', [bare.id, bare.label, bare.properties], [ann.id, 'person', []]);
});

/** Equal results travel once, with their number; a list has all of them. */
const bulks = (server) => server.traversals(async (g, connection) => {
  await makePeople(g);
  const likes = () => g.V().hasLabel('person').out('likes').label();
  const { traversers } = await connection.submit(likes().getBytecode());
  expect('travelled', traversers.map((traverser) => [traverser.object, traverser.bulk]), [['thing', 2]]);
  expect('arrived', await likes().toList(), ['thing', 'thing']);
});

/** Elements made, changed, merged and dropped; each request is a transaction. */
const writes = (server) => server.traversals(async (g) => {
  await makePeople(g);
  const dee = new Map([[t.label, 'person'], ['name', 'dee']]);
  for (const expected of ['made', 'found']) {
    await g.mergeV(dee).option(merge.onCreate, new Map([['name', 'dee'], ['state', 'made']]))
      .option(merge.onMatch, new Map([['state', 'found']])).iterate();
    expect('merged', await g.V().has('name', 'dee').values('state').toList(), [expected]);
  }
  const [from, to] = [await one(g.V().has('name', 'ben').id()), await one(g.V().has('name', 'dee').id())];
  for (let turn = 0; turn < 2; turn += 1) {
    await g.mergeE(new Map([[t.label, 'knows'], [direction.out, from], [direction.in, to]])).iterate();
  }
  expect('an edge merged', await g.V(from).out('knows').id().toList(), [to]);
  await g.V(to).drop().iterate();
  expect('dropped', [await one(g.V(to).count()), await one(g.V(from).out('knows').count())], [0, 0]);
});

/** What a source says of all its traversals. */
const strategies = (server) => server.traversals(async (g) => {
  await makePeople(g);
  const part = g.withStrategies(new SubgraphStrategy({ vertices: __.has('age', P.gte(40)) }));
  expect('a part', await part.V().values('name').order().toList(), ['ben', 'cem']);
  const closed = g.withStrategies(new ReadOnlyStrategy());
  expect('read only reads', await one(closed.V().count()), 4);
  await expectError('read only', 597, '', closed.addV('person').iterate());
});

module.exports = { bulks, elements, one, pathsAndMaps, reads, strategies, writes };
