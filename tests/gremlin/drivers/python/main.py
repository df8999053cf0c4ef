"""Everything that gremlinpython can ask of a server: main.py URL graphbinary|graphson [USER PASSWORD]

With a name and a password, logging in is tried; without, all else. It ends with 1 at the first difference.
"""

import logging
import sys
from importlib.metadata import version

from connecting import FORMATS, Server
from errors import errors, errors_of_traversals
from expect import Different
from janusgraph import predicates_and_shapes
from login import login
from scripts import at_once, scripts
from sessions import conflicts, failures, sessions, transactions
from traversals import bulks, elements, paths_and_maps, reads, strategies, writes
from values import values

CHECKS = [reads, paths_and_maps, elements, bulks, writes, strategies, values, scripts, at_once,
          transactions, conflicts, failures, sessions, errors, errors_of_traversals,
          predicates_and_shapes]


def main(url, format, *known):
    if format not in FORMATS or len(known) not in (0, 2):
        sys.exit(__doc__)
    # The driver logs each error that it passes on.
    logging.getLogger("gremlinpython").setLevel(logging.CRITICAL)
    options = dict(zip(("username", "password"), known))
    server = Server(url, format, **options)
    checks = [login] if known else CHECKS
    for check in checks:
        try:
            check(server)
        except Different as different:
            sys.exit(f"{check.__name__}: {different}")
        print(f"passed: {check.__name__}", flush=True)
    print(f"{len(checks)} checks passed with gremlinpython {version('gremlinpython')}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
