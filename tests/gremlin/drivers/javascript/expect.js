// What every check says: what it looked at, what it found, what it wanted. The first difference ends the program.
'use strict';

const assert = require('node:assert');

/** They are equal, and of the same type. */
function expect(what, found, wanted) {
  assert.deepStrictEqual(found, wanted, new Error(
    `${what}: ${show(found)} came, and ${show(wanted)} was wanted`));
}

/** It fails, with this status code and this in its message. */
async function expectError(what, code, part, promise) {
  let found;
  try {
    found = await promise;
  } catch (error) {
    if (error.statusCode === undefined) throw error;
    expect(`${what}: status code of \`${error.statusMessage}\``, error.statusCode, code);
    assert(error.statusMessage.includes(part), `${what}: \`${error.statusMessage}\` does not say \`${part}\``);
    return;
  }
  throw new Error(`${what}: ${show(found)} came, and an error ${code} was wanted`);
}

const show = (value) => require('node:util').inspect(value, { depth: 6 });

module.exports = { expect, expectError };
