// Everything that the driver for Node can ask of a server: node main.js URL graphbinary|graphson [USER PASSWORD]
//
// With a name and a password, logging in is tried; without, all else. It ends with 1 at the first difference.
'use strict';

const { FORMATS, Server } = require('./connecting');
const { errors, errorsOfTraversals } = require('./errors');
const { login } = require('./login');
const { atOnce, scripts } = require('./scripts');
const { conflicts, failures, sessions, transactions } = require('./sessions');
const { bulks, elements, pathsAndMaps, reads, strategies, writes } = require('./traversals');
const { values } = require('./values');

const CHECKS = { reads, pathsAndMaps, elements, bulks, writes, strategies, values, scripts, atOnce, transactions,
  conflicts, failures, sessions, errors, errorsOfTraversals };

async function main(url, format, ...known) {
  if (!(format in FORMATS) || ![0, 2].includes(known.length)) {
    throw new Error('node main.js URL graphbinary|graphson [USER PASSWORD]');
  }
  const checks = known.length ? { login } : CHECKS;
  const server = new Server(url, format, known.length ? known : undefined);
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(server);
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
    console.log(`passed: ${name}`);
  }
  const { version } = require('gremlin/package.json');
  console.log(`${Object.keys(checks).length} checks passed with gremlin ${version}`);
}

main(...process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
