# The rows are those of Neo4j 5.26 on the same script.
@manual:queries
Feature: Questions about films and their people

  Scenario: [1] How many people and films are there?
    Given the films graph
    When executing query:
      """
      MATCH (p:Person) WITH count(p) AS people MATCH (m:Movie) RETURN people, count(m) AS films
      """
    Then the result should be, in any order:
      | people | films |
      | 88     | 38    |
    And no side effects

  Scenario: [2] One film by its title
    Given the films graph
    When executing query:
      """
      MATCH (m:Movie {title: 'The Broken River'}) RETURN m.title AS title, m.released AS released, m.tagline AS tagline
      """
    Then the result should be, in any order:
      | title              | released | tagline                |
      | 'The Broken River' | 2008     | 'Nothing stays buried' |
    And no side effects

  Scenario: [3] Who acted in a film, and as whom
    Given the films graph
    When executing query:
      """
      MATCH (m:Movie {title: 'The Broken River'})<-[r:ACTED_IN]-(p) RETURN p.name AS name, r.roles AS roles
      """
    Then the result should be, in any order:
      | name           | roles            |
      | 'Bram Keller'  | ['Felix']        |
      | 'Cleo Moreau'  | ['The Stranger'] |
      | 'Greta Ibsen'  | ['Dr. Wells']    |
      | 'Greta Brandt' | ['Ivo']          |
    And no side effects

  Scenario: [4] Films of the nineties
    Given the films graph
    When executing query:
      """
      MATCH (m:Movie) WHERE m.released >= 1990 AND m.released < 2000 RETURN m.title AS title, m.released AS year ORDER BY year, title
      """
    Then the result should be, in order:
      | title                 | year |
      | 'The Golden Island'   | 1990 |
      | 'The Crooked Island'  | 1993 |
      | 'The Broken Letter'   | 1994 |
      | 'The Crooked Harbour' | 1995 |
      | 'The Silent Garden'   | 1996 |
      | 'The Paper Orchard'   | 1997 |
      | 'The Hidden Letter'   | 1998 |
      | 'The Last Island'     | 1999 |
    And no side effects

  Scenario: [5] Films whose title contains a word
    Given the films graph
    When executing query:
      """
      MATCH (m:Movie) WHERE m.title CONTAINS 'River' RETURN m.title AS title ORDER BY title
      """
    Then the result should be, in order:
      | title               |
      | 'The Broken River'  |
      | 'The Burning River' |
      | 'The Crooked River' |
      | 'The Golden River'  |
      | 'The Hidden River'  |
      | 'The Last River'    |
      | 'The Paper River'   |
      | 'The Silent River'  |
    And no side effects

  Scenario: [6] Films without a tagline
    Given the films graph
    When executing query:
      """
      MATCH (m:Movie) WHERE m.tagline IS NULL RETURN count(m) AS c
      """
    Then the result should be, in any order:
      | c |
      | 7 |
    And no side effects

  Scenario: [7] The ten people in most films
    Given the films graph
    When executing query:
      """
      MATCH (p:Person)-[:ACTED_IN]->(m) RETURN p.name AS name, count(m) AS films ORDER BY films DESC, name LIMIT 10
      """
    Then the result should be, in order:
      | name           | films |
      | 'Edda Ibsen'   | 6     |
      | 'Cleo Moreau'  | 5     |
      | 'Finn Corelli' | 5     |
      | 'Greta Brandt' | 5     |
      | 'Bram Lund'    | 4     |
      | 'Cleo Ibsen'   | 4     |
      | 'Greta Keller' | 4     |
      | 'Jonas Keller' | 4     |
      | 'Nils Dahl'    | 4     |
      | 'Pavel Abel'   | 4     |
    And no side effects

  Scenario: [8] People who directed a film that they acted in
    Given the films graph
    When executing query:
      """
      MATCH (p:Person)-[:ACTED_IN]->(m:Movie)<-[:DIRECTED]-(p) RETURN p.name AS name, m.title AS title ORDER BY name, title
      """
    Then the result should be, in order:
      | name          | title                |
      | 'Bram Grimm'  | 'The Paper Station'  |
      | 'Cleo Moreau' | 'The Silent Letter'  |
      | 'Edda Ibsen'  | 'The Crooked River'  |
      | 'Hugo Falk'   | 'The Golden Harbour' |
      | 'Jonas Grimm' | 'The Silent Clock'   |
      | 'Kaya Grimm'  | 'The Silent Harbour' |
      | 'Nils Dahl'   | 'The Second Orchard' |
      | 'Orla Lund'   | 'The Second Harbour' |
      | 'Rosa Brandt' | 'The Paper River'    |
    And no side effects

  Scenario: [9] Directors by the number of films, two at least
    Given the films graph
    When executing query:
      """
      MATCH (d:Person)-[:DIRECTED]->(m:Movie) WITH d, count(*) AS films, collect(m.title) AS titles WHERE films > 1 RETURN d.name AS name, films ORDER BY films DESC, name
      """
    Then the result should be, in order:
      | name          | films |
      | 'Kaya Janko'  | 3     |
      | 'Edda Ibsen'  | 2     |
      | 'Ines Engel'  | 2     |
      | 'Rosa Engel'  | 2     |
      | 'Sven Lund'   | 2     |
      | 'Tilda Janko' | 2     |
    And no side effects

  Scenario: [10] Co-actors of a person
    Given the films graph
    When executing query:
      """
      MATCH (:Person {name: 'Cleo Moreau'})-[:ACTED_IN]->()<-[:ACTED_IN]-(co:Person) RETURN DISTINCT co.name AS name ORDER BY name
      """
    Then the result should be, in order:
      | name           |
      | 'Ada Holm'     |
      | 'Bram Keller'  |
      | 'Edda Ibsen'   |
      | 'Greta Brandt' |
      | 'Greta Ibsen'  |
      | 'Ines Holm'    |
      | 'Ines Ibsen'   |
      | 'Jonas Keller' |
      | 'Mila Moreau'  |
      | 'Orla Keller'  |
      | 'Pavel Abel'   |
      | 'Sven Engel'   |
      | 'Sven Janko'   |
      | 'Tilda Lund'   |
    And no side effects

  Scenario: [11] Co-actors of co-actors who are not co-actors yet, by the number of ways
    Given the films graph
    When executing query:
      """
      MATCH (p:Person {name: 'Cleo Moreau'})-[:ACTED_IN]->()<-[:ACTED_IN]-(co), (co)-[:ACTED_IN]->()<-[:ACTED_IN]-(coco)
      WHERE NOT (p)-[:ACTED_IN]->()<-[:ACTED_IN]-(coco) AND p <> coco
      RETURN coco.name AS recommended, count(*) AS strength ORDER BY strength DESC, recommended LIMIT 8
      """
    Then the result should be, in order:
      | recommended    | strength |
      | 'Greta Keller' | 7        |
      | 'Nils Lund'    | 5        |
      | 'Tilda Abel'   | 5        |
      | 'Hugo Dahl'    | 4        |
      | 'Ines Abel'    | 4        |
      | 'Jonas Janko'  | 4        |
      | 'Pavel Ibsen'  | 4        |
      | 'Finn Corelli' | 3        |
    And no side effects

  Scenario: [12] Someone who can introduce one person to another
    Given the films graph
    When executing query:
      """
      MATCH (a:Person {name: 'Cleo Moreau'})-[:ACTED_IN]->(m1)<-[:ACTED_IN]-(co)-[:ACTED_IN]->(m2)<-[:ACTED_IN]-(b:Person)
      WHERE a <> b RETURN count(DISTINCT co) AS between, count(DISTINCT b) AS others
      """
    Then the result should be, in any order:
      | between | others |
      | 13      | 45     |
    And no side effects

  Scenario: [13] Everything within two hops of a person
    Given the films graph
    When executing query:
      """
      MATCH (p:Person {name: 'Cleo Moreau'})-[*1..2]-(x) RETURN count(DISTINCT x) AS c
      """
    Then the result should be, in any order:
      | c  |
      | 27 |
    And no side effects

  Scenario: [14] Distances of co-acting from a person
    Given the films graph
    When executing query:
      """
      MATCH (a:Person {name: 'Cleo Moreau'}), (b:Person) WHERE a <> b
      MATCH p = shortestPath((a)-[:ACTED_IN*]-(b)) RETURN length(p) / 2 AS degrees, count(*) AS people ORDER BY degrees
      """
    Then the result should be, in order:
      | degrees | people |
      | 1       | 14     |
      | 2       | 33     |
      | 3       | 14     |
    And no side effects

  Scenario: [15] The shortest path between two people by any relationship
    Given the films graph
    When executing query:
      """
      MATCH p = shortestPath((:Person {name: 'Cleo Moreau'})-[*]-(:Person {name: 'Uma Frost'})) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 3 |
    And no side effects

  Scenario: [16] Average rating of reviewed films
    Given the films graph
    When executing query:
      """
      MATCH (:Person)-[r:REVIEWED]->(m:Movie) RETURN m.title AS title, avg(r.rating) AS rating, count(*) AS reviews ORDER BY rating DESC, title
      """
    Then the result should be, in order:
      | title                  | rating | reviews |
      | 'The Northern Harbour' | 100.0  | 1       |
      | 'The Last River'       | 92.0   | 1       |
      | 'The Silent Letter'    | 85.0   | 1       |
      | 'The Broken Letter'    | 80.0   | 1       |
      | 'The Silent Garden'    | 80.0   | 2       |
      | 'The Crooked Harbour'  | 75.0   | 1       |
      | 'The Last Mirror'      | 75.0   | 1       |
      | 'The Golden River'     | 65.0   | 1       |
      | 'The Last Winter'      | 65.0   | 1       |
      | 'The Silent River'     | 63.5   | 2       |
      | 'The Broken Island'    | 60.0   | 1       |
      | 'The Paper River'      | 60.0   | 1       |
      | 'The Last Island'      | 45.0   | 1       |
    And no side effects

  Scenario: [17] Reviews with their texts
    Given the films graph
    When executing query:
      """
      MATCH (p:Person)-[r:REVIEWED]->(m:Movie) WHERE r.rating > 80 RETURN p.name AS who, m.title AS title, r.summary AS summary, r.rating AS rating ORDER BY rating DESC, title, who
      """
    Then the result should be, in order:
      | who         | title                  | summary              | rating |
      | 'Uma Frost' | 'The Northern Harbour' | 'Slow but fine'      | 100    |
      | 'Lio Marsh' | 'The Last River'       | 'A mess'             | 92     |
      | 'Uma Frost' | 'The Silent River'     | 'It holds up'        | 92     |
      | 'Lio Marsh' | 'The Silent Garden'    | '"Great", they said' | 85     |
      | 'Ben Ashe'  | 'The Silent Letter'    | 'Slow but fine'      | 85     |
    And no side effects

  Scenario: [18] Who follows whom, at any distance
    Given the films graph
    When executing query:
      """
      MATCH p = (a:Person)-[:FOLLOWS*]->(b:Person) RETURN a.name AS a, b.name AS b, length(p) AS l
      """
    Then the result should be, in any order:
      | a           | b           | l |
      | 'Uma Frost' | 'Ben Ashe'  | 1 |
      | 'Uma Frost' | 'Lio Marsh' | 2 |
      | 'Ben Ashe'  | 'Lio Marsh' | 1 |
    And no side effects

  Scenario: [19] How people are related to a film
    Given the films graph
    When executing query:
      """
      MATCH (p:Person)-[r]->(m:Movie {title: 'The Broken River'}) RETURN p.name AS name, type(r) AS type
      """
    Then the result should be, in any order:
      | name           | type       |
      | 'Bram Keller'  | 'ACTED_IN' |
      | 'Cleo Moreau'  | 'ACTED_IN' |
      | 'Ines Keller'  | 'PRODUCED' |
      | 'Ines Keller'  | 'WROTE'    |
      | 'Greta Ibsen'  | 'ACTED_IN' |
      | 'Greta Brandt' | 'ACTED_IN' |
      | 'Orla Holm'    | 'DIRECTED' |
    And no side effects

  Scenario: [20] Films by decade
    Given the films graph
    When executing query:
      """
      MATCH (m:Movie) RETURN m.released / 10 * 10 AS decade, count(*) AS films ORDER BY decade
      """
    Then the result should be, in order:
      | decade | films |
      | 1970   | 9     |
      | 1980   | 5     |
      | 1990   | 8     |
      | 2000   | 12    |
      | 2010   | 4     |
    And no side effects

  Scenario: [21] Average age of a cast when the film came out
    Given the films graph
    When executing query:
      """
      MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.born IS NOT NULL RETURN m.title AS title, avg(m.released - p.born) AS age ORDER BY age DESC, title LIMIT 5
      """
    Then the result should be, in order:
      | title                  | age   |
      | 'The Golden Harbour'   | 69.0  |
      | 'The Northern Harbour' | 66.25 |
      | 'The Hidden Harbour'   | 64.25 |
      | 'The Hidden Garden'    | 58.0  |
      | 'The Silent Letter'    | 58.0  |
    And no side effects

  Scenario: [22] Youngest and oldest of a cast
    Given the films graph
    When executing query:
      """
      MATCH (m:Movie)<-[:ACTED_IN]-(p) WITH m, max(p.born) AS youngest, min(p.born) AS oldest, count(p) AS cast WHERE cast > 5 RETURN m.title AS title, youngest, oldest ORDER BY title
      """
    Then the result should be, in order:
      | title                | youngest | oldest |
      | 'The Crooked Island' | 1970     | 1934   |
      | 'The Last Island'    | 1995     | 1950   |
      | 'The Last Letter'    | 1995     | 1962   |
      | 'The Last Mirror'    | 1990     | 1932   |
      | 'The Last Winter'    | 1980     | 1941   |
      | 'The Silent Garden'  | 1973     | 1944   |
    And no side effects

  Scenario: [23] People without a year of birth
    Given the films graph
    When executing query:
      """
      MATCH (p:Person) WHERE p.born IS NULL AND EXISTS { (p)-[:ACTED_IN]->() } RETURN p.name AS name ORDER BY name
      """
    Then the result should be, in order:
      | name            |
      | 'Bram Lund'     |
      | 'Finn Corelli'  |
      | 'Greta Corelli' |
      | 'Ines Holm'     |
      | 'Jonas Brandt'  |
    And no side effects

  Scenario: [24] People who did several jobs for one film
    Given the films graph
    When executing query:
      """
      MATCH (p:Person)-[r]->(m:Movie) WITH p, m, collect(type(r)) AS jobs WHERE size(jobs) > 1
      UNWIND jobs AS job WITH p, m, job ORDER BY job RETURN p.name AS name, m.title AS title, collect(job) AS jobs ORDER BY name, title
      """
    Then the result should be, in order:
      | name          | title                  | jobs                              |
      | 'Ada Engel'   | 'The Crooked Harbour'  | ['DIRECTED', 'WROTE']             |
      | 'Bram Brandt' | 'The Paper Orchard'    | ['PRODUCED', 'WROTE']             |
      | 'Bram Grimm'  | 'The Paper Station'    | ['ACTED_IN', 'DIRECTED', 'WROTE'] |
      | 'Cleo Moreau' | 'The Silent Letter'    | ['ACTED_IN', 'DIRECTED', 'WROTE'] |
      | 'Edda Ibsen'  | 'The Crooked River'    | ['ACTED_IN', 'DIRECTED', 'WROTE'] |
      | 'Hugo Falk'   | 'The Golden Harbour'   | ['ACTED_IN', 'DIRECTED']          |
      | 'Ines Engel'  | 'The Burning River'    | ['DIRECTED', 'WROTE']             |
      | 'Ines Engel'  | 'The Golden Harbour'   | ['PRODUCED', 'WROTE']             |
      | 'Ines Keller' | 'The Broken River'     | ['PRODUCED', 'WROTE']             |
      | 'Ines Keller' | 'The Second Harbour'   | ['PRODUCED', 'WROTE']             |
      | 'Jonas Engel' | 'The Last Orchard'     | ['PRODUCED', 'WROTE']             |
      | 'Jonas Grimm' | 'The Silent Clock'     | ['ACTED_IN', 'DIRECTED']          |
      | 'Kaya Grimm'  | 'The Silent Harbour'   | ['ACTED_IN', 'DIRECTED']          |
      | 'Nils Dahl'   | 'The Second Orchard'   | ['ACTED_IN', 'DIRECTED', 'WROTE'] |
      | 'Orla Lund'   | 'The Second Harbour'   | ['ACTED_IN', 'DIRECTED']          |
      | 'Rosa Brandt' | 'The Paper River'      | ['ACTED_IN', 'DIRECTED', 'WROTE'] |
      | 'Rosa Engel'  | 'The Golden Island'    | ['DIRECTED', 'WROTE']             |
      | 'Sven Lund'   | 'The Northern Harbour' | ['DIRECTED', 'WROTE']             |
      | 'Tilda Janko' | 'The Burning Station'  | ['DIRECTED', 'WROTE']             |
    And no side effects

  Scenario: [25] Pairs who acted together most often
    Given the films graph
    When executing query:
      """
      MATCH (a:Person)-[:ACTED_IN]->(m)<-[:ACTED_IN]-(b:Person) WHERE a.name < b.name
      WITH a, b, count(m) AS together WHERE together > 1 RETURN a.name AS a, b.name AS b, together ORDER BY together DESC, a, b
      """
    Then the result should be, in order:
      | a              | b              | together |
      | 'Bram Keller'  | 'Cleo Moreau'  | 2        |
      | 'Bram Lund'    | 'Cleo Ibsen'   | 2        |
      | 'Bram Lund'    | 'Lars Dahl'    | 2        |
      | 'Cleo Ibsen'   | 'Hugo Keller'  | 2        |
      | 'Edda Falk'    | 'Nils Dahl'    | 2        |
      | 'Finn Corelli' | 'Greta Holm'   | 2        |
      | 'Finn Corelli' | 'Rosa Brandt'  | 2        |
      | 'Greta Brandt' | 'Greta Ibsen'  | 2        |
      | 'Greta Brandt' | 'Ines Holm'    | 2        |
      | 'Greta Keller' | 'Jonas Janko'  | 2        |
      | 'Jonas Keller' | 'Quinn Moreau' | 2        |
      | 'Nils Dahl'    | 'Sven Dahl'    | 2        |
      | 'Rosa Brandt'  | 'Sven Dahl'    | 2        |
    And no side effects

  Scenario: [26] A film as a map with nested lists
    Given the films graph
    When executing query:
      """
      MATCH (m:Movie {title: 'The Broken River'})
      RETURN m {.title, .released, actors: [(m)<-[r:ACTED_IN]-(p) | p.name], directors: [(m)<-[:DIRECTED]-(p) | p.name]} AS film
      """
    Then the result should be (ignoring element order for lists):
      | film                                                                                                                                         |
      | {actors: ['Bram Keller', 'Cleo Moreau', 'Greta Ibsen', 'Greta Brandt'], directors: ['Orla Holm'], title: 'The Broken River', released: 2008} |
    And no side effects

  Scenario: [27] Everyone who played a certain role
    Given the films graph
    When executing query:
      """
      MATCH (p:Person)-[r:ACTED_IN]->(m) WHERE 'Lena' IN r.roles RETURN p.name AS name, m.title AS title ORDER BY name, title
      """
    Then the result should be, in order:
      | name            | title                 |
      | 'Ada Abel'      | 'The Hidden Garden'   |
      | 'Bram Grimm'    | 'The Paper Station'   |
      | 'Bram Lund'     | 'The Last Letter'     |
      | 'Cleo Moreau'   | 'The Northern Island' |
      | 'Greta Corelli' | 'The Golden Harbour'  |
      | 'Ines Holm'     | 'The Hidden Harbour'  |
      | 'Nils Abel'     | 'The Burning River'   |
    And no side effects

  Scenario: [28] Actors with several roles in one film
    Given the films graph
    When executing query:
      """
      MATCH (p)-[r:ACTED_IN]->(m) WHERE size(r.roles) > 1 RETURN p.name AS name, m.title AS title, r.roles AS roles ORDER BY name, title
      """
    Then the result should be, in order:
      | name           | title                  | roles                             |
      | 'Ada Abel'     | 'The Hidden Garden'    | ['Ivo', 'Lena']                   |
      | 'Bram Grimm'   | 'The Northern Harbour' | ['Mr. Pike', 'Viktor']            |
      | 'Cleo Ibsen'   | 'The Hidden River'     | ['Nurse Ruth', 'The Captain']     |
      | 'Edda Ibsen'   | 'The Burning Station'  | ['Anna', 'Ivo']                   |
      | 'Edda Ibsen'   | 'The Silent Garden'    | ['Mr. Pike', 'Old Tom']           |
      | 'Finn Corelli' | 'The Golden River'     | ['The Captain', 'Old Tom']        |
      | 'Ines Abel'    | 'The Last Mirror'      | ['Inspector Moss', 'Viktor']      |
      | 'Ines Holm'    | 'The Hidden Harbour'   | ['Lena', 'Old Tom']               |
      | 'Ines Ibsen'   | 'The Burning Island'   | ['Dr. Wells', 'Old Tom']          |
      | 'Jonas Ibsen'  | 'The Silent Harbour'   | ['Dr. Wells', 'Sister Agnes']     |
      | 'Kaya Falk'    | 'The Silent Mirror'    | ['Viktor', 'Mr. Pike']            |
      | 'Nils Abel'    | 'The Burning River'    | ['Lena', 'The Captain']           |
      | 'Orla Engel'   | 'The Crooked River'    | ['The Captain', 'Old Tom']        |
      | 'Pavel Abel'   | 'The Broken Island'    | ['Ivo', 'Dr. Wells']              |
      | 'Sven Dahl'    | 'The Golden Mirror'    | ['Felix', 'Sister Agnes']         |
      | 'Sven Dahl'    | 'The Paper River'      | ['Old Tom', 'Nurse Ruth']         |
      | 'Sven Dahl'    | 'The Second Orchard'   | ['The Captain', 'Inspector Moss'] |
      | 'Sven Engel'   | 'The Silent Letter'    | ['Sister Agnes', 'Felix']         |
      | 'Tilda Abel'   | 'The Crooked River'    | ['Mr. Pike', 'Viktor']            |
    And no side effects

  Scenario: [29] Films that share an actor with a film, by the number of shared actors
    Given the films graph
    When executing query:
      """
      MATCH (m:Movie {title: 'The Broken River'})<-[:ACTED_IN]-(p)-[:ACTED_IN]->(other) RETURN other.title AS title, count(p) AS shared ORDER BY shared DESC, title
      """
    Then the result should be, in order:
      | title                  | shared |
      | 'The Crooked Island'   | 2      |
      | 'The Paper Orchard'    | 2      |
      | 'The Burning Island'   | 1      |
      | 'The Crooked River'    | 1      |
      | 'The Golden Harbour'   | 1      |
      | 'The Hidden Garden'    | 1      |
      | 'The Hidden Harbour'   | 1      |
      | 'The Northern Island'  | 1      |
      | 'The Northern Orchard' | 1      |
      | 'The Silent Letter'    | 1      |
    And no side effects

  Scenario: [30] Actors who never worked with a director of two films
    Given the films graph
    When executing query:
      """
      MATCH (d:Person)-[:DIRECTED]->(x) WITH d, count(x) AS films ORDER BY films DESC, d.name LIMIT 1
      MATCH (a:Person)-[:ACTED_IN]->() WHERE NOT EXISTS { (a)-[:ACTED_IN]->()<-[:DIRECTED]-(d) } RETURN count(DISTINCT a) AS c
      """
    Then the result should be, in any order:
      | c  |
      | 52 |
    And no side effects

  Scenario: [31] Lengths of first names
    Given the films graph
    When executing query:
      """
      MATCH (p:Person) RETURN size(split(p.name, ' ')[0]) AS letters, count(*) AS c ORDER BY letters
      """
    Then the result should be, in order:
      | letters | c  |
      | 3       | 9  |
      | 4       | 56 |
      | 5       | 23 |
    And no side effects

  Scenario: [32] Directors' first letters
    Given the films graph
    When executing query:
      """
      MATCH (d:Person)-[:DIRECTED]->() RETURN left(d.name, 1) AS letter, count(DISTINCT d) AS c ORDER BY letter
      """
    Then the result should be, in order:
      | letter | c |
      | 'A'    | 3 |
      | 'B'    | 2 |
      | 'C'    | 1 |
      | 'D'    | 2 |
      | 'E'    | 1 |
      | 'G'    | 2 |
      | 'H'    | 2 |
      | 'I'    | 2 |
      | 'J'    | 2 |
      | 'K'    | 2 |
      | 'L'    | 1 |
      | 'M'    | 1 |
      | 'N'    | 1 |
      | 'O'    | 2 |
      | 'R'    | 3 |
      | 'S'    | 2 |
      | 'T'    | 2 |
    And no side effects

  Scenario: [33] The page of a list
    Given the films graph
    When executing query:
      """
      MATCH (m:Movie) RETURN m.title AS title ORDER BY title SKIP 10 LIMIT 5
      """
    Then the result should be, in order:
      | title                |
      | 'The Golden Island'  |
      | 'The Golden Mirror'  |
      | 'The Golden River'   |
      | 'The Hidden Garden'  |
      | 'The Hidden Harbour' |
    And no side effects

  Scenario: [34] Degrees of the nodes
    Given the films graph
    When executing query:
      """
      MATCH (n) RETURN COUNT { (n)--() } AS degree, count(*) AS nodes ORDER BY degree DESC LIMIT 6
      """
    Then the result should be, in order:
      | degree | nodes |
      | 10     | 2     |
      | 9      | 1     |
      | 8      | 7     |
      | 7      | 13    |
      | 6      | 15    |
      | 5      | 10    |
    And no side effects

  Scenario: [35] Labels and types in use
    Given the films graph
    When executing query:
      """
      MATCH (n)-[r]->() RETURN labels(n) AS l, type(r) AS t, count(*) AS c ORDER BY c DESC, t
      """
    Then the result should be, in order:
      | l          | t          | c   |
      | ['Person'] | 'ACTED_IN' | 151 |
      | ['Person'] | 'DIRECTED' | 38  |
      | ['Person'] | 'PRODUCED' | 22  |
      | ['Person'] | 'WROTE'    | 17  |
      | ['Person'] | 'REVIEWED' | 15  |
      | ['Person'] | 'FOLLOWS'  | 2   |
    And no side effects
