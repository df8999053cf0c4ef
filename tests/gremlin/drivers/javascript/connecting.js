// How to connect: for traversals, for scripts, in a session; in the format of the program's argument.
'use strict';

const gremlin = require('gremlin');

const FORMATS = {
  graphbinary: 'application/vnd.graphbinary-v1.0',
  graphson: 'application/vnd.gremlin-v3.0+json',
};

/** A server, and the format that is spoken with it. */
class Server {
  constructor(url, format, login) {
    this.url = url;
    this.format = format;
    this.login = login;
  }

  options(more) {
    const options = { traversalSource: 'g', mimeType: FORMATS[this.format], ...more };
    if (this.login) options.authenticator = new gremlin.driver.auth.PlainTextSaslAuthenticator(...this.login);
    return options;
  }

  /** Runs something with the source of traversals, and the connection under it. */
  async traversals(run) {
    const connection = new gremlin.driver.DriverRemoteConnection(this.url, this.options());
    try {
      return await run(gremlin.process.AnonymousTraversalSource.traversal().with_(connection), connection);
    } finally {
      await connection.close();
    }
  }

  /** Runs something with a client for scripts; `session` among the options names a session. */
  async client(run, more) {
    const client = new gremlin.driver.Client(this.url, this.options(more));
    try {
      return await run(client);
    } finally {
      await client.close();
    }
  }
}

/** What a script gives, as a list. */
const list = async (client, ...words) => (await client.submit(...words)).toArray();

module.exports = { FORMATS, Server, list };
