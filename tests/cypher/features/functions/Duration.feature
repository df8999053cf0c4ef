# Neo4j 5 Cypher Manual: functions/temporal/duration
@manual:functions/temporal/duration
Feature: Durations

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
      | call                                                                                   | v                 |
      | duration('P1Y2M3DT4H5M6S')                                                             | 'P1Y2M3DT4H5M6S'  |
      | duration({days: 14, hours: 16})                                                        | 'P14DT16H'        |
      | duration({months: 1.5})                                                                | 'P1M15DT5H14M33S' |
      | duration({seconds: 90})                                                                | 'PT1M30S'         |
      | duration({weeks: 2})                                                                   | 'P14D'            |
      | duration('PT0S')                                                                       | 'PT0S'            |
      | duration({hours: 1}) * 3                                                               | 'PT3H'            |
      | duration({hours: 3}) / 2                                                               | 'PT1H30M'         |
      | duration('P1D') + duration('PT2H')                                                     | 'P1DT2H'          |
      | duration('P1D') - duration('P3D')                                                      | 'P-2D'            |
      | duration.between(date('2024-01-01'), date('2024-03-15'))                               | 'P2M14D'          |
      | duration.inDays(date('2024-01-01'), date('2024-03-01'))                                | 'P60D'            |
      | duration.inMonths(date('2023-01-01'), date('2024-03-01'))                              | 'P1Y2M'           |
      | duration.inSeconds(datetime('2024-01-01T00:00:00Z'), datetime('2024-01-01T01:01:01Z')) | 'PT1H1M1S'        |
      | duration.between(localtime('12:00'), localtime('13:30'))                               | 'PT1H30M'         |

  Scenario: [2] Components
    Given any graph
    When executing query:
      """
      WITH duration('P1Y2M10DT2H30M4.5S') AS d
      RETURN d.years AS y, d.months AS m, d.monthsOfYear AS moy, d.days AS d, d.weeks AS w, d.daysOfWeek AS dow, d.hours AS h, d.minutes AS min, d.minutesOfHour AS moh, d.seconds AS s, d.milliseconds AS ms, d.secondsOfMinute AS som
      """
    Then the result should be, in any order:
      | y | m  | moy | d  | w | dow | h | min | moh | s    | ms      | som |
      | 1 | 14 | 2   | 10 | 1 | 3   | 2 | 150 | 30  | 9004 | 9004500 | 4   |

  Scenario: [3] The age in years
    Given any graph
    When executing query:
      """
      RETURN duration.between(date('1990-06-15'), date('2024-06-14')).years AS a, duration.between(date('1990-06-15'), date('2024-06-15')).years AS b
      """
    Then the result should be, in any order:
      | a  | b  |
      | 33 | 34 |

  Scenario: [4] Durations do not compare
    Given any graph
    When executing query:
      """
      RETURN duration('P1D') < duration('P2D') AS less, duration('P1D') = duration('PT24H') AS same
      """
    Then the result should be, in any order:
      | less | same  |
      | null | false |

  Scenario Outline: [5] Seconds across a change of clocks, from <from> to <to>
    Given any graph
    When executing query:
      """
      RETURN toString(duration.inSeconds(<from>, <to>)) AS d
      """
    Then the result should be, in any order:
      | d   |
      | <d> |

    Examples:
      | from                                           | to                                             | d       |
      | localtime('00:00')                             | datetime('2017-10-29T04:00[Europe/Stockholm]') | 'PT5H'  |
      | datetime('2017-10-29T00:00[Europe/Stockholm]') | localtime('04:00')                             | 'PT5H'  |
      | localtime('02:30')                             | datetime('2018-03-25T04:00[Europe/Stockholm]') | 'PT30M' |
