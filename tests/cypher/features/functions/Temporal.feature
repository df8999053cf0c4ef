# Neo4j 5 Cypher Manual: functions/temporal
@manual:functions/temporal
Feature: Temporal instants

  Scenario Outline: [1] <call>
    Given any graph
    When executing query:
      """
      RETURN toString(<call>) AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | call                                                                       | v                                |
      | date('2024-02-29')                                                         | '2024-02-29'                     |
      | date({year: 2024, month: 3})                                               | '2024-03-01'                     |
      | date({year: 2024, week: 1, dayOfWeek: 3})                                  | '2024-01-03'                     |
      | date({year: 2024, ordinalDay: 60})                                         | '2024-02-29'                     |
      | date({year: 2024, quarter: 2, dayOfQuarter: 1})                            | '2024-04-01'                     |
      | date('2024-02-29') + duration('P1Y')                                       | '2025-02-28'                     |
      | date('2024-01-31') + duration({months: 1})                                 | '2024-02-29'                     |
      | date('2024-03-01') - duration({days: 1})                                   | '2024-02-29'                     |
      | datetime('2024-05-06T07:08:09Z')                                           | '2024-05-06T07:08:09Z'           |
      | datetime({year: 2024, month: 5, day: 6, timezone: '+02:00'})               | '2024-05-06T00:00:00+02:00'      |
      | datetime({epochSeconds: 86400})                                            | '1970-01-02T00:00:00Z'           |
      | datetime.fromEpoch(60, 5)                                                  | '1970-01-01T00:01:00.000000005Z' |
      | datetime.fromEpochMillis(1500)                                             | '1970-01-01T00:00:01.5Z'         |
      | localdatetime('2024-05-06T07:08')                                          | '2024-05-06T07:08:00'            |
      | localtime({hour: 7, minute: 8, second: 9, millisecond: 10})                | '07:08:09.01'                    |
      | time('07:08:09+01:00')                                                     | '07:08:09+01:00'                 |
      | date.truncate('month', date('2024-05-16'))                                 | '2024-05-01'                     |
      | date.truncate('week', date('2024-05-16'))                                  | '2024-05-13'                     |
      | date.truncate('quarter', date('2024-05-16'))                               | '2024-04-01'                     |
      | date.truncate('year', date('2024-05-16'), {day: 9})                        | '2024-01-09'                     |
      | date.truncate('decade', date('2024-05-16'))                                | '2020-01-01'                     |
      | datetime.truncate('hour', datetime('2024-05-06T07:08:09Z'))                | '2024-05-06T07:00:00Z'           |
      | localtime.truncate('minute', localtime('07:08:09'))                        | '07:08:00'                       |
      | date(datetime('2024-05-06T23:30:00-05:00'))                                | '2024-05-06'                     |
      | datetime({datetime: datetime('2024-05-06T12:00:00Z'), timezone: '+03:00'}) | '2024-05-06T15:00:00+03:00'      |
      | date(null)                                                                 | null                             |

  Scenario: [2] Components of a date
    Given any graph
    When executing query:
      """
      WITH date('2024-12-30') AS d
      RETURN d.year AS y, d.month AS m, d.day AS d, d.quarter AS q, d.week AS w, d.weekYear AS wy, d.dayOfWeek AS dw, d.ordinalDay AS od, d.dayOfQuarter AS dq
      """
    Then the result should be, in any order:
      | y    | m  | d  | q | w | wy   | dw | od  | dq |
      | 2024 | 12 | 30 | 4 | 1 | 2025 | 1  | 365 | 91 |

  Scenario: [3] Components of a datetime
    Given any graph
    When executing query:
      """
      WITH datetime('2024-05-06T07:08:09.123456789+02:00') AS t
      RETURN t.hour AS h, t.minute AS m, t.second AS s, t.millisecond AS ms, t.microsecond AS us, t.nanosecond AS ns, t.timezone AS z, t.offset AS o, t.offsetMinutes AS om, t.epochSeconds AS es, t.epochMillis AS em
      """
    Then the result should be, in any order:
      | h | m | s | ms  | us     | ns        | z        | o        | om  | es         | em            |
      | 7 | 8 | 9 | 123 | 123456 | 123456789 | '+02:00' | '+02:00' | 120 | 1714972089 | 1714972089123 |

  Scenario: [4] Dates in order
    Given any graph
    When executing query:
      """
      UNWIND ['2024-02-01', '2023-12-31', '2024-01-15'] AS s WITH date(s) AS d RETURN toString(d) AS d ORDER BY d
      """
    Then the result should be, in order:
      | d            |
      | '2023-12-31' |
      | '2024-01-15' |
      | '2024-02-01' |

  Scenario: [5] Dates are compared
    Given any graph
    When executing query:
      """
      RETURN date('2024-01-01') < date('2024-01-02') AS a, date('2024-01-01') < datetime('2024-01-02T00:00:00Z') AS b,
      datetime('2024-01-01T12:00:00Z') = datetime('2024-01-01T13:00:00+01:00') AS c
      """
    Then the result should be, in any order:
      | a    | b    | c     |
      | true | null | false |

  Scenario: [6] Stored dates by a range
    Given an empty graph
    And having executed:
      """
      CREATE (:E {n: 1, on: date('2024-01-10')}), (:E {n: 2, on: date('2024-02-10')}), (:E {n: 3, on: date('2024-03-10')})
      """
    When executing query:
      """
      MATCH (e:E) WHERE date('2024-02-01') <= e.on < date('2024-03-10') RETURN e.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
    And no side effects

  Scenario: [7] Grouped by the month of a date
    Given an empty graph
    And having executed:
      """
      UNWIND ['2024-01-10', '2024-01-20', '2024-02-03'] AS s CREATE (:E {on: date(s)})
      """
    When executing query:
      """
      MATCH (e:E) RETURN e.on.year AS y, e.on.month AS m, count(*) AS c
      """
    Then the result should be, in any order:
      | y    | m | c |
      | 2024 | 1 | 2 |
      | 2024 | 2 | 1 |
    And no side effects

  Scenario: [8] A month of 13 is an error
    Given any graph
    When executing query:
      """
      RETURN date({year: 2024, month: 13}) AS d
      """
    Then an ArgumentError should be raised at any time: *

  Scenario: [9] No date in a text
    Given any graph
    When executing query:
      """
      RETURN date('2024-02-30') AS d
      """
    Then an ArgumentError should be raised at any time: *

  Scenario: [10] The clock of a statement is one
    Given any graph
    When executing query:
      """
      RETURN datetime() = datetime() AS same, date() <= date.realtime() AS before
      """
    Then the result should be, in any order:
      | same | before |
      | true | true   |
