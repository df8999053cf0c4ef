// Everything that Neo4j's driver for JavaScript asks of a server: it ends with 1 at the first answer that is wrong.
//
// Usage: main.js HOST:PORT [USER PASSWORD]. The cases are those of the other languages, by the same names.

'use strict'

const { isDeepStrictEqual, inspect } = require('node:util')
const neo4j = require('neo4j-driver')
const { version } = require('neo4j-driver/package.json')

const { Date, DateTime, Duration, LocalDateTime, LocalTime, Point, Time } = neo4j.types
const MANY = 'UNWIND range(1, 4096) AS value RETURN value'
const COUNT = 'MATCH (n) RETURN count(n) AS value'
const PERSON = 'CREATE (n:person {name: $name}) RETURN n AS value'

function expect (found, expected, what) {
  if (!isDeepStrictEqual(found, expected)) {
    throw new Error(`${what}: found ${inspect(found)}, expected ${inspect(expected)}`)
  }
}

/** The error of a call that has to fail. */
async function refused (what, code, call) {
  try {
    await call()
  } catch (error) {
    expect(error.code, code, what)
    return error
  }
  throw new Error(`${what}: it was not refused`)
}

class Check {
  constructor (driver) {
    this.driver = driver
  }

  async within (options, work) {
    const session = this.driver.session(options)
    try {
      return await work(session)
    } finally {
      await session.close()
    }
  }

  run (text, parameters) {
    return this.within({}, session => session.run(text, parameters))
  }

  async value (text, parameters) {
    const { records } = await this.run(text, parameters)
    expect(records.length, 1, 'one record')
    return records[0].get('value')
  }

  async all () {
    const info = await this.driver.getServerInfo()
    expect(info.agent.startsWith('Neo4j/'), true, 'the agent')
    expect(await this.driver.supportsMultiDb(), true, 'several databases')
    await this.run('MATCH (n) DETACH DELETE n')
    const cases = ['types', 'results', 'plans', 'transactions', 'conflicts', 'bookmarks', 'elements', 'abandoned', 'failures']
    for (const name of cases) {
      await this[name]()
      await this.run('MATCH (n) DETACH DELETE n')
    }
  }

  async types () {
    const values = [
      null, true, -1n, 2n ** 62n, 1.5, 'text ü 世', [1n, ['a', null]], { k: [1n], l: { m: 2.5 } },
      new Date(2024n, 2n, 29n), new LocalTime(12n, 30n, 1n, 5n), new Time(12n, 30n, 1n, 5n, 3600n),
      new LocalDateTime(2024n, 2n, 29n, 12n, 30n, 1n, 7n),
      new DateTime(2024n, 2n, 29n, 12n, 30n, 1n, 7n, 3600n),
      new DateTime(2024n, 2n, 29n, 12n, 30n, 1n, 7n, 3600n, 'Europe/Berlin'),
      new Duration(1n, 2n, 3n, 4n), new Point(4326n, 1.5, 2.5), new Point(9157n, 1.5, 2.5, 3.5),
      new Int8Array([1, -2, 3])
    ]
    for (const value of values) {
      expect(await this.value('RETURN $x AS value', { x: value }), value, 'a value there and back')
    }
    const at = 'RETURN datetime("2024-07-01T12:00[Europe/Berlin]") AS value'
    expect((await this.value(at)).timeZoneId, 'Europe/Berlin', 'a zone by its name')
  }

  async results () {
    await this.within({ fetchSize: 100 }, async session => {
      let seen = 0n
      // eslint-disable-next-line no-unused-vars
      for await (const record of session.run(MANY)) {
        seen += 1n
        if (seen === 10n) break
      }
      const { records, summary } = await session.run(MANY)
      expect(records.length, 4096, 'all records')
      expect(summary.queryType, 'r', 'the type of a read')
      expect(summary.database.name, 'neo4j', 'the name of the database')
      expect(summary.gqlStatusObjects[0].gqlStatus, '00000', 'the status')
    })
    const { summary } = await this.run(PERSON, { name: 'eve' })
    const counted = summary.counters.updates()
    expect([counted.nodesCreated, counted.propertiesSet, counted.labelsAdded], [1, 1, 1], 'counters')
    expect(summary.queryType, 'rw', 'the type of a write')
  }

  async plans () {
    await this.run(PERSON, { name: 'ann' })
    const text = 'MATCH (n:person) RETURN n.name AS name'
    const { records, summary: { plan, profile } } = await this.run(`EXPLAIN ${text}`)
    expect(records.length, 0, 'records of EXPLAIN')
    expect([plan.operatorType, plan.identifiers], ['ProduceResults', ['name']], 'the root')
    expect([plan.children.length, profile], [1, false], 'its children')
    const profiled = await this.run(`PROFILE ${text}`)
    expect(profiled.records.map(record => record.get('name')), ['ann'], 'records of PROFILE')
    expect(profiled.summary.profile.rows, 1n, 'rows of its root')
    expect(profiled.summary.profile.children.length, 1, 'its children')
  }

  async transactions () {
    await this.within({}, async session => {
      const made = await session.executeWrite(async transaction => {
        await transaction.run(PERSON, { name: 'ann' })
        const first = transaction.run(MANY)
        const second = await transaction.run(COUNT)
        expect(second.records[0].get('value'), 1n, 'a read between the records of another')
        expect((await first).records.length, 4096, 'the other')
        return 'made'
      })
      expect(made, 'made', 'the value of a transaction')
      const transaction = await session.beginTransaction({ metadata: { app: 'check' }, timeout: 10000 })
      await transaction.run(PERSON, { name: 'bob' })
      await transaction.rollback()
      const count = own => own.run(COUNT).then(({ records }) => records[0].get('value'))
      expect(await session.executeRead(count), 1n, 'after the rollback')
      await refused('a write in a read', 'Neo.ClientError.Statement.AccessMode', () =>
        session.executeRead(own => own.run(PERSON, { name: 'eve' })))
    })
    const { records, keys } = await this.driver.executeQuery(COUNT)
    expect([records[0].get('value'), keys], [1n, ['value']], 'a query of the driver')
  }

  async conflicts () {
    await this.run(PERSON, { name: 'ann' })
    let attempts = 0
    await this.within({}, session => session.executeWrite(async transaction => {
      attempts += 1
      await transaction.run('MATCH (n) SET n.n = $n', { n: BigInt(attempts) })
      if (attempts === 1) await this.run('MATCH (n) SET n.n = 100')
    }))
    expect(attempts, 2, 'a conflict is tried again by the driver')
    expect(await this.value('MATCH (n) RETURN n.n AS value'), 2n, 'what the second attempt wrote')
  }

  async bookmarks () {
    const bookmarks = await this.within({}, async session => {
      await session.run(PERSON, { name: 'bob' })
      return session.lastBookmarks()
    })
    expect(bookmarks.length, 1, 'a bookmark')
    await this.within({ bookmarks }, async session => {
      const { records } = await session.run(COUNT)
      expect(records[0].get('value'), 1n, 'a causal chain')
    })
    await refused('a foreign bookmark', 'Neo.ClientError.Transaction.InvalidBookmark', () =>
      this.within({ bookmarks: ['FB:kcwQ'] }, session => session.run('RETURN 1')))
  }

  async elements () {
    await this.run("CREATE (:person {name: 'ann'})-[:knows {since: 1999}]->(:person {name: 'bob'})")
    const node = await this.value("MATCH (n {name: 'ann'}) RETURN n AS value")
    expect([neo4j.isNode(node), node.labels, node.properties], [true, ['person'], { name: 'ann' }], 'a node')
    const edge = await this.value('MATCH ()-[k]->() RETURN k AS value')
    expect([neo4j.isRelationship(edge), edge.type, edge.properties], [true, 'knows', { since: 1999n }], 'a relationship')
    expect(edge.startNodeElementId, node.elementId, 'its start')
    const path = await this.value("MATCH p = ({name: 'ann'})-->() RETURN p AS value")
    expect([neo4j.isPath(path), path.length, path.end.properties.name], [true, 1, 'bob'], 'a path')
  }

  /** Transactions and results that are left in their middle: the driver sends RESET. */
  async abandoned () {
    const session = this.driver.session({ fetchSize: 10 })
    const transaction = session.beginTransaction()
    await transaction.run(PERSON, { name: 'eve' })
    const records = transaction.run('UNWIND range(1, 100000) AS value RETURN value')[Symbol.asyncIterator]()
    await records.next()
    await session.close()
    expect(await this.value(COUNT), 0n, 'after a transaction was left')
  }

  async failures () {
    await this.within({}, async session => {
      await refused('a wrong text', 'Neo.ClientError.Statement.SyntaxError', () => session.run('RETURN ('))
      await refused('a missing parameter', 'Neo.ClientError.Statement.ParameterMissing', () => session.run('RETURN $x'))
      await refused('a division by zero', 'Neo.ClientError.Statement.ArithmeticError', () => session.run('RETURN 1 / 0'))
      expect((await session.run('RETURN 1 AS value')).records[0].get('value'), 1n, 'after a failure')
    })
    await refused('a database that is not there', 'Neo.ClientError.Database.DatabaseNotFound', () =>
      this.within({ database: 'nowhere' }, session => session.run('RETURN 1')))
  }
}

async function main () {
  const [address, ...user] = process.argv.slice(2)
  const login = user.length === 2 ? neo4j.auth.basic(...user) : undefined
  for (const scheme of ['bolt', 'neo4j']) {
    const driver = neo4j.driver(`${scheme}://${address}`, login, { useBigInt: true })
    await new Check(driver).all()
    await driver.close()
    if (login) {
      const wrong = neo4j.driver(`${scheme}://${address}`, neo4j.auth.basic(user[0], 'wrong'))
      await refused('a wrong password', 'Neo.ClientError.Security.Unauthorized', () => wrong.getServerInfo())
      await wrong.close()
    }
  }
  console.log(`neo4j-driver ${version}`)
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
