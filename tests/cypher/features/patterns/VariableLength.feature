# Neo4j 5 Cypher Manual: patterns/variable-length-patterns
@manual:patterns/variable-length-patterns
Feature: Variable lengths

  Scenario: [1] A quantified relationship
    Given an empty graph
    And having executed:
      """
      CREATE (:S {n: 0})-[:R]->({n: 1})-[:R]->({n: 2})-[:R]->({n: 3})
      """
    When executing query:
      """
      MATCH (:S)-[:R]->{2,3}(x) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
      | 3 |
    And no side effects

  Scenario: [2] Plus and star on a relationship
    Given an empty graph
    And having executed:
      """
      CREATE (:S {n: 0})-[:R]->({n: 1})-[:R]->({n: 2})
      """
    When executing query:
      """
      MATCH (s:S)-[:R]->+(x) WITH collect(x.n) AS plus
      MATCH (s:S)-[:R]->*(x) RETURN plus, collect(x.n) AS star
      """
    Then the result should be (ignoring element order for lists):
      | plus   | star      |
      | [1, 2] | [0, 1, 2] |
    And no side effects

  Scenario: [3] A quantified relationship's variable is a list
    Given an empty graph
    And having executed:
      """
      CREATE (:S)-[:R {w: 1}]->()-[:R {w: 2}]->(:E)
      """
    When executing query:
      """
      MATCH (:S)-[r:R]->{2}(:E) RETURN [x IN r | x.w] AS ws
      """
    Then the result should be, in any order:
      | ws     |
      | [1, 2] |
    And no side effects

  Scenario: [4] A condition on each relationship
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (s)-[:R {w: 1}]->(a {n: 1}), (a)-[:R {w: 9}]->({n: 2}), (a)-[:R {w: 2}]->({n: 3})
      """
    When executing query:
      """
      MATCH (:S)-[r:R WHERE r.w < 5]->+(x) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 3 |
    And no side effects

  Scenario: [5] A repeated part of two relationships
    Given an empty graph
    And having executed:
      """
      CREATE (:S {n: 0})-[:A]->()-[:B]->({n: 1})-[:A]->()-[:B]->({n: 2})
      """
    When executing query:
      """
      MATCH (:S) (()-[:A]->()-[:B]->()){1,2} (x) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 2 |
    And no side effects

  Scenario: [6] Variables of a repeated part are lists
    Given an empty graph
    And having executed:
      """
      CREATE (:S {n: 0})-[:R {w: 5}]->({n: 1})-[:R {w: 6}]->(:E {n: 2})
      """
    When executing query:
      """
      MATCH (:S) ((a)-[r:R]->(b))+ (:E) RETURN [x IN a | x.n] AS a, [x IN r | x.w] AS r, [x IN b | x.n] AS b
      """
    Then the result should be, in any order:
      | a      | r      | b      |
      | [0, 1] | [5, 6] | [1, 2] |
    And no side effects

  Scenario: [7] Conditions between neighbours of a repeated part
    Given an empty graph
    And having executed:
      """
      CREATE (:S {n: 1})-[:R]->({n: 3})-[:R]->({n: 2}), (:S {n: 10})-[:R]->({n: 20})-[:R]->({n: 30})
      """
    When executing query:
      """
      MATCH (s:S) ((a)-[:R]->(b) WHERE a.n < b.n){2} (t) RETURN s.n AS s, t.n AS t
      """
    Then the result should be, in any order:
      | s  | t  |
      | 10 | 30 |
    And no side effects

  Scenario: [8] A part repeated zero times joins the ends
    Given an empty graph
    And having executed:
      """
      CREATE (:S {n: 0})-[:R]->({n: 1})
      """
    When executing query:
      """
      MATCH (s:S) (()-[:R]->()){0,1} (t) RETURN t.n AS t
      """
    Then the result should be, in any order:
      | t |
      | 0 |
      | 1 |
    And no side effects

  Scenario: [9] An exact count
    Given an empty graph
    And having executed:
      """
      CREATE (:S)-[:R]->()-[:R]->()-[:R]->({n: 3})-[:R]->({n: 4})
      """
    When executing query:
      """
      MATCH (:S)-[:R]->{3}(x) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 3 |
    And no side effects

  Scenario: [10] At most, without a least number
    Given an empty graph
    And having executed:
      """
      CREATE (:S {n: 0})-[:R]->({n: 1})-[:R]->({n: 2})-[:R]->({n: 3})
      """
    When executing query:
      """
      MATCH (:S)-[:R]->{,2}(x) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 0 |
      | 1 |
      | 2 |
    And no side effects

  Scenario: [11] No relationship is used twice on a path
    Given an empty graph
    And having executed:
      """
      CREATE (a:S {n: 0})-[:R]->(b {n: 1})-[:R]->(a)
      """
    When executing query:
      """
      MATCH (s:S)-[r:R]->+(x) RETURN size(r) AS l, x.n AS n
      """
    Then the result should be, in any order:
      | l | n |
      | 1 | 1 |
      | 2 | 0 |
    And no side effects

  Scenario: [12] A node may be met twice
    Given an empty graph
    And having executed:
      """
      CREATE (a:S {n: 0}), (b {n: 1}), (a)-[:R]->(b), (b)-[:R]->(a), (a)-[:R]->({n: 2})
      """
    When executing query:
      """
      MATCH p = (:S)-[:R]->+({n: 2}) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 1 |
      | 3 |
    And no side effects

  Scenario: [13] Distance and nodes of a path
    Given an empty graph
    And having executed:
      """
      CREATE (:S {n: 'a'})-[:R]->({n: 'b'})-[:R]->(:E {n: 'c'})
      """
    When executing query:
      """
      MATCH p = (:S)-[:R*]->(:E) RETURN length(p) AS l, [x IN nodes(p) | x.n] AS ns, size(relationships(p)) AS r
      """
    Then the result should be, in any order:
      | l | ns              | r |
      | 2 | ['a', 'b', 'c'] | 2 |
    And no side effects

  Scenario: [14] Group variables in an aggregate behind the pattern
    Given an empty graph
    And having executed:
      """
      CREATE (:S)-[:R {w: 2}]->()-[:R {w: 3}]->(:E), (:S)-[:R {w: 10}]->(:E)
      """
    When executing query:
      """
      MATCH (:S)-[r:R]->+(:E) RETURN reduce(t = 0, x IN r | t + x.w) AS total
      """
    Then the result should be, in any order:
      | total |
      | 5     |
      | 10    |
    And no side effects

  Scenario: [15] A star pattern as a condition
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1})-[:R]->()-[:R]->(:B), (:A {n: 2})-[:S]->(:B)
      """
    When executing query:
      """
      MATCH (a:A) WHERE EXISTS { (a)-[:R]->+(:B) } RETURN a.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  Scenario: [16] Directions of both kinds within a part
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 'a'})-[:IN]->(:G {g: 1})<-[:IN]-(:P {n: 'b'})-[:IN]->(:G {g: 2})<-[:IN]-(:P {n: 'c'})
      """
    When executing query:
      """
      MATCH (:P {n: 'a'}) ((:P)-[:IN]->(:G)<-[:IN]-(:P)){1,3} (x) RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n   |
      | 'b' |
      | 'c' |
    And no side effects

  Scenario: [17] A greatest number below the least is refused
    Given any graph
    When executing query:
      """
      MATCH ()-[:R]->{3,2}() RETURN 1 AS x
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [18] Conditions on all elements of a path, whichever end the search starts from
    Given an empty graph
    And having executed:
      """
      CREATE (a:A {n: 1}), (b {n: 2}), (c {n: 3}), (d:D {n: 4}), (e {n: 5}),
        (a)-[:R {w: 1}]->(b), (b)-[:R {w: 1}]->(d), (a)-[:R {w: 2}]->(c), (c)-[:R {w: 1}]->(d),
        (a)-[:R {w: 1}]->(e), (e)-[:R]->(d)
      """
    When executing query:
      """
      MATCH p = (:A)-[:R*1..3]->(:D) WHERE all(r IN relationships(p) WHERE r.w = 1)
      MATCH q = (:D)<-[rs:R*]-(:A) WHERE none(r IN rs WHERE r.w = 1)
      MATCH s = (:A)-[:R*]->(:D) WHERE none(n IN nodes(s) WHERE n.n IN [2, 5])
      RETURN [n IN nodes(p) | n.n] AS p, [n IN nodes(q) | n.n] AS q, [n IN nodes(s) | n.n] AS s
      """
    Then the result should be, in any order:
      | p | q | s |
    And no side effects

  Scenario: [19] The same, each by itself
    Given an empty graph
    And having executed:
      """
      CREATE (a:A {n: 1}), (b {n: 2}), (c {n: 3}), (d:D {n: 4}),
        (a)-[:R {w: 1}]->(b), (b)-[:R {w: 1}]->(d), (a)-[:R {w: 2}]->(c), (c)-[:R {w: 3}]->(d)
      """
    When executing query:
      """
      MATCH p = (:A)-[:R*1..3]->(:D) WHERE all(r IN relationships(p) WHERE r.w = 1)
      MATCH q = (:D)<-[rs:R*]-(:A) WHERE none(r IN rs WHERE r.w = 1)
      MATCH s = (:A)-[:R*]->(:D) WHERE none(n IN nodes(s) WHERE n.n IN [2, 5])
      MATCH t = (:A) ((x)-[:R]->(y)){1,3} (:D) WHERE single(r IN relationships(t) WHERE r.w = 3)
      RETURN [n IN nodes(p) | n.n] AS p, [n IN nodes(q) | n.n] AS q, [n IN nodes(s) | n.n] AS s, length(t) AS t
      """
    Then the result should be, in any order:
      | p         | q         | s         | t |
      | [1, 2, 4] | [4, 3, 1] | [1, 3, 4] | 2 |
    And no side effects

  Scenario: [20] Ends that an index finds, and ends that nothing leads to
    Given an empty graph
    And having executed:
      """
      CREATE CONSTRAINT FOR (n:N) REQUIRE n.k IS UNIQUE
      """
    And having executed:
      """
      UNWIND range(1, 9) AS k CREATE (:N {k: k})
      """
    And having executed:
      """
      MATCH (a:N), (b:N) WHERE b.k = a.k + 1 AND a.k <> 6 CREATE (a)-[:R]->(b)
      """
    When executing query:
      """
      UNWIND [[1, 4], [4, 1], [1, 9], [2, 2], [7, 9]] AS ends
      OPTIONAL MATCH p = (:N {k: ends[0]})-[:R*1..5]->(:N {k: ends[1]})
      OPTIONAL MATCH q = (:N {k: ends[0]})-[:R*0..]-(:N {k: ends[1]})
      RETURN ends, length(p) AS p, length(q) AS q
      """
    Then the result should be, in any order:
      | ends   | p    | q    |
      | [1, 4] | 3    | 3    |
      | [4, 1] | null | 3    |
      | [1, 9] | null | null |
      | [2, 2] | null | 0    |
      | [7, 9] | 2    | 2    |
    And no side effects

  Scenario: [21] Paths are equal by their elements, however they were found
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->()-[:R]->(:D)
      """
    When executing query:
      """
      MATCH p = (a:A)-[:R*]->(:D)
      MATCH q = (a)-[:R]->()-[:R]->(:D)
      MATCH s = (:D)<-[:R*]-(a)
      WITH collect(p) + collect(q) AS both, p = q AS same, p = s AS reversed, nodes(p)[2] = nodes(s)[0] AS ends, s
      UNWIND both AS path
      RETURN count(DISTINCT path) AS distinct, same, reversed, ends, length(s) AS l
      """
    Then the result should be, in any order:
      | distinct | same | reversed | ends | l |
      | 1        | true | false    | true | 2 |

  Scenario Outline: [22] A list that is bound is matched by `<pattern>`
    Given an empty graph
    And having executed:
      """
      CREATE (:N {k: 1})-[:R {w: 1}]->(:N {k: 2})-[:R {w: 2}]->(:N {k: 3})-[:R {w: 3}]->(:N {k: 4})
      """
    When executing query:
      """
      MATCH ()-[r:R*1..2]->()
      MATCH (c)<pattern>(d)
      RETURN collect([c.k, d.k]) AS ends
      """
    Then the result should be, in any order:
      | ends   |
      | <ends> |
    And no side effects

    Examples:
      | pattern               | ends                     |
      | -[r*2]->              | [[1, 3], [2, 4]]         |
      | <-[r*2]-              | []                       |
      | -[r*1]->              | [[1, 2], [2, 3], [3, 4]] |
      | -[r*3..]->            | []                       |
      | -[r*..1]->            | [[1, 2], [2, 3], [3, 4]] |
      | -[r*2 {w: 1}]->       | []                       |
      | -[r* {w: 1}]->        | [[1, 2]]                 |
      | -[r:R*2]->            | [[1, 3], [2, 4]]         |
      | -[r:S\|R*2]->         | [[1, 3], [2, 4]]         |
      | -[r:S*]->             | []                       |
      | -[r:!S*2]->           | [[1, 3], [2, 4]]         |
      | -[r*2]-(:N {k: 3})--> | [[1, 4]]                 |

  Scenario: [23] A list that is bound stays as it is behind WITH
    Given an empty graph
    And having executed:
      """
      CREATE (:N {k: 1})-[:R {w: 1}]->(:N {k: 2})-[:R {w: 2}]->(:N {k: 3})-[:R {w: 3}]->(:N {k: 4})
      """
    When executing query:
      """
      MATCH ()-[r:R*1..2]->() WITH r
      MATCH (c)-[r*1..1 {w: 1}]->(d)
      RETURN size(r) AS s, c.k AS c, d.k AS d
      """
    Then the result should be, in any order:
      | s | c | d |
      | 1 | 1 | 2 |
    And no side effects

  Scenario Outline: [24] A list that is bound, in <test>
    Given an empty graph
    And having executed:
      """
      CREATE (:N {k: 1})-[:R {w: 1}]->(:N {k: 2})-[:R {w: 2}]->(:N {k: 3})-[:R {w: 3}]->(:N {k: 4})
      """
    When executing query:
      """
      MATCH ()-[r:R*1..2]->()
      RETURN collect(<test>) AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |
    And no side effects

    Examples:
      | test                      | v                                 |
      | EXISTS { (c)-[r*2]->(d) } | [false, true, false, true, false] |
      | COUNT { (c)-[r*]-(d) }    | [2, 1, 2, 1, 2]                   |
      | [(c)-[r*2]->(d) \| d.k]   | [[], [3], [], [4], []]            |

  Scenario: [25] The empty list is at every node
    Given an empty graph
    And having executed:
      """
      CREATE (:N {k: 1})-[:R {w: 1}]->(:N {k: 2})-[:R {w: 2}]->(:N {k: 3})-[:R {w: 3}]->(:N {k: 4})
      """
    When executing query:
      """
      MATCH ()-[r:R*0..1]->() WITH DISTINCT r
      MATCH p = (c:N)-[r*0..]->(d)
      RETURN size(r) AS s, c.k AS c, d.k AS d, length(p) AS l
      """
    Then the result should be, in any order:
      | s | c | d | l |
      | 0 | 1 | 1 | 0 |
      | 0 | 2 | 2 | 0 |
      | 0 | 3 | 3 | 0 |
      | 0 | 4 | 4 | 0 |
      | 1 | 1 | 2 | 1 |
      | 1 | 2 | 3 | 1 |
      | 1 | 3 | 4 | 1 |
    And no side effects

  Scenario: [26] A list of relationships that do not follow one another
    Given an empty graph
    And having executed:
      """
      CREATE (:N {k: 1})-[:R {w: 1}]->(:N {k: 2})-[:R {w: 2}]->(:N {k: 3})-[:R {w: 3}]->(:N {k: 4})
      """
    When executing query:
      """
      MATCH ()-[a:R {w: 1}]->(), ()-[b:R {w: 3}]->() WITH [a, b] AS r
      MATCH (c)-[r*]-(d) RETURN c.k AS c, d.k AS d
      """
    Then the result should be, in any order:
      | c | d |
    And no side effects

  Scenario: [27] Types that are no list of names
    Given an empty graph
    And having executed:
      """
      CREATE (:N {k: 1})-[:R {w: 1}]->(:N {k: 2})-[:R {w: 2}]->(:N {k: 3})-[:R {w: 3}]->(:N {k: 4})
      """
    When executing query:
      """
      MATCH (c)-[:!S*2]->(d) RETURN c.k AS c, d.k AS d
      """
    Then the result should be, in any order:
      | c | d |
      | 1 | 3 |
      | 2 | 4 |
    And no side effects
