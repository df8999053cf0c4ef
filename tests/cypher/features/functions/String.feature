# Neo4j 5 Cypher Manual: functions/string
@manual:functions/string
Feature: String functions

  Scenario Outline: [1] The value of <call>
    Given any graph
    When executing query:
      """
      RETURN <call> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | call                            | v                   |
      | left('heron', 2)                | 'he'                |
      | left('heron', 9)                | 'heron'             |
      | left(null, 2)                   | null                |
      | right('heron', 3)               | 'ron'               |
      | right('heron', 0)               | ''                  |
      | ltrim('  a b ')                 | 'a b '              |
      | rtrim('  a b ')                 | '  a b'             |
      | trim('  a b ')                  | 'a b'               |
      | btrim('  a b ')                 | 'a b'               |
      | btrim('xxabxx', 'x')            | 'ab'                |
      | ltrim('xyxa', 'xy')             | 'a'                 |
      | rtrim('axyx', 'xy')             | 'a'                 |
      | trim(BOTH 'x' FROM 'xxaxx')     | 'a'                 |
      | trim(LEADING 'x' FROM 'xxaxx')  | 'axx'               |
      | trim(TRAILING 'x' FROM 'xxaxx') | 'xxa'               |
      | trim(BOTH FROM ' a ')           | 'a'                 |
      | replace('banana', 'an', 'o')    | 'booa'              |
      | replace('banana', 'x', 'o')     | 'banana'            |
      | replace('banana', null, 'o')    | null                |
      | split('a,b,,c', ',')            | ['a', 'b', '', 'c'] |
      | split('a,b;c', [',', ';'])      | ['a', 'b', 'c']     |
      | split(null, ',')                | null                |
      | substring('heron', 1, 3)        | 'ero'               |
      | substring('heron', 2)           | 'ron'               |
      | substring('heron', 9)           | ''                  |
      | toLower('HeRon')                | 'heron'             |
      | lower('HeRon')                  | 'heron'             |
      | toUpper('heron')                | 'HERON'             |
      | upper('heron')                  | 'HERON'             |
      | reverse('abc')                  | 'cba'               |
      | toString(1.5)                   | '1.5'               |
      | toString(true)                  | 'true'              |
      | toString(null)                  | null                |
      | toStringOrNull([1])             | null                |
      | toStringOrNull(12)              | '12'                |
      | char_length('häst')             | 4                   |
      | character_length('')            | 0                   |
      | size('häst')                    | 4                   |

  Scenario: [2] A negative length is an error
    Given any graph
    When executing query:
      """
      RETURN left('heron', -1) AS v
      """
    Then an ArgumentError should be raised at any time: *

  Scenario: [3] A negative start is an error
    Given any graph
    When executing query:
      """
      RETURN substring('heron', -1) AS v
      """
    Then an ArgumentError should be raised at any time: *

  Scenario: [4] A number is no string
    Given any graph
    When executing query:
      """
      RETURN toUpper(5) AS v
      """
    Then a TypeError should be raised at compile time: *

  Scenario: [5] A list has no string
    Given any graph
    When executing query:
      """
      RETURN toString([1]) AS v
      """
    Then a TypeError should be raised at any time: *

  Scenario: [6] normalize() joins a letter and its mark
    Given any graph
    When executing query:
      """
      RETURN normalize('A\u030A') = '\u00C5' AS same, size('A\u030A') AS long, size(normalize('A\u030A')) AS short
      """
    Then the result should be, in any order:
      | same | long | short |
      | true | 2    | 1     |

  Scenario: [7] normalize() with a form
    Given any graph
    When executing query:
      """
      RETURN normalize('\u2126', NFKC) = '\u03A9' AS same
      """
    Then the result should be, in any order:
      | same |
      | true |

  @manual:expressions/predicates/string-operators
  Scenario: [8] IS NORMALIZED
    Given any graph
    When executing query:
      """
      RETURN 'A\u030A' IS NORMALIZED AS a, 'A\u030A' IS NFD NORMALIZED AS b, 'abc' IS NOT NORMALIZED AS c
      """
    Then the result should be, in any order:
      | a     | b    | c     |
      | false | true | false |

  @manual:expressions/string-operators
  Scenario: [9] Strings are joined by two bars
    Given any graph
    When executing query:
      """
      RETURN 'a' || 'b' || 'c' AS s, 'a' || null AS n
      """
    Then the result should be, in any order:
      | s     | n    |
      | 'abc' | null |

  @manual:expressions/string-operators
  Scenario: [10] A string plus a number
    Given any graph
    When executing query:
      """
      RETURN 'a' + 1 AS a, 1 + 'a' AS b, 'a' + 1.5 AS c
      """
    Then the result should be, in any order:
      | a    | b    | c      |
      | 'a1' | '1a' | 'a1.5' |

  Scenario Outline: [11] Parts of texts: <call>
    Given any graph
    When executing query:
      """
      RETURN <call> AS r
      """
    Then the result should be, in any order:
      | r   |
      | <r> |

    Examples:
      | call                     | r               |
      | split('', '')            | ['']            |
      | split('abc', [''])       | ['a', 'b', 'c'] |
      | split('abc', [null])     | null            |
      | left('', -1)             | ''              |
      | substring('', -1)        | ''              |
      | left('abc', {n: 1.5}.n)  | 'a'             |
      | right('abc', {n: 1.0}.n) | 'c'             |
