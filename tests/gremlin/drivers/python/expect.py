"""What every check says: what it looked at, what it found, what it wanted. The first difference ends the program."""

from gremlin_python.driver.protocol import GremlinServerError


class Different(Exception):
    """Something is not as it has to be."""


def expect(what, found, wanted):
    """They are equal, and of the same kind: 1 is not True, and not 1.0."""
    if found != wanted or shape(found) != shape(wanted):
        raise Different(f"{what}: {found!r} came, and {wanted!r} was wanted")


def shape(value):
    """The kind of a value, and of those in it; drivers have their own whole numbers, which count as such."""
    if isinstance(value, (list, tuple)):
        return [shape(part) for part in value]
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, bool) or not isinstance(value, int):
        return type(value).__name__
    return "int"


def expect_error(what, code, part, run):
    """It fails, with this status code and this in its message."""
    try:
        found = run()
    except GremlinServerError as error:
        expect(f"{what}: status code of `{error.status_message}`", error.status_code, code)
        if part not in error.status_message:
            raise Different(f"{what}: `{error.status_message}` does not say `{part}`") from None
        return
    raise Different(f"{what}: {found!r} came, and an error {code} was wanted")
