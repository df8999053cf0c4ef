"""Vectors without a model: a word has the vector of a generator that it seeds, a text the sum of its words', of length
1. Texts that share words are near each other."""

import math
import random
import re
import sys

DIMENSIONS = 32

# By how much a score may differ: a vector is stored in numbers of four bytes.
TOLERANCE = 1e-4


def vector(text):
    sums = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.lower()):
        source = random.Random(word)
        sums = [one + source.gauss(0.0, 1.0) for one in sums]
    length = math.sqrt(sum(one * one for one in sums)) or 1.0
    return [one / length for one in sums]


def likeness(one, other):
    """The cosine of two texts, as Neo4j scores it: from 0 to 1."""
    return (1.0 + sum(a * b for a, b in zip(vector(one), vector(other)))) / 2.0


def nearest(query, texts, count):
    """The texts that are most like a query, with their scores: what a search by vectors has to find."""
    scored = [(text, likeness(query, text)) for text in texts]
    return sorted(scored, key=lambda one: -one[1])[:count]


def expect_scored(found, expected, what):
    """The texts in their order, and their scores nearly."""
    near = [abs(one - other) <= TOLERANCE for (_, one), (_, other) in zip(found, expected)]
    if [text for text, _ in found] != [text for text, _ in expected] or not all(near):
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")
