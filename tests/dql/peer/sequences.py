"""All cases of several requests; each begins with the graph as it was."""

import re
import time
from dataclasses import replace

from peer import collations, mutations, schemas, upserts, vectors


def cases():
    found, run = [], format(int(time.time()), "x")
    groups = [upserts, mutations, schemas, collations, vectors]
    all_cases = [case for group in groups for case in group.cases()]
    for number, (name, steps) in enumerate(all_cases):
        # A predicate that is new is another one in each case and run, as a server may know names for longer than data.
        own = [replace(step, body=re.sub(r"\bfresh\b", f"fresh{run}{number}", step.body)) for step in steps]
        found.append((name, own))
    return found
