"""What the programs of this folder share: a wrong answer ends them with 1."""

import sys


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def refused(what, kinds, call):
    """The error of a call that has to fail."""
    try:
        call()
    except kinds as error:
        return error
    sys.exit(f"{what}: it was not refused")
