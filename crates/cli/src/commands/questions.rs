//! The questions of the demo: each has a text for a person, and a query, a traversal and a script that answer it.
//!
//! All give the same answer, and a test compares them, so the printed answer is true in any language.

/// A question.
pub(crate) struct Question {
    /// The graph it is about.
    pub(crate) graph: &'static str,
    /// In words; `{director}` and `{actor}` stand for names.
    pub(crate) words: &'static str,
    /// The same in Cypher; `{director_id}` stands for an external name.
    pub(crate) cypher: &'static str,
    /// The same in Gremlin, where `g` is the graph of films; `{director_id}` stands for an external name.
    pub(crate) gremlin: &'static str,
    /// The same in Lua.
    pub(crate) script: &'static str,
}

/// The graph of films.
pub(crate) const FILMS: &str = "films";

/// The graph of likes.
pub(crate) const LIKES: &str = "likes";

/// The questions, in the order they are asked.
pub(crate) const QUESTIONS: [Question; 5] = [
    Question {
        graph: FILMS,
        words: "Which films did {director} direct? (the first five by name)",
        cypher: r#"MATCH (:Person {xid: "{director_id}"})-[:`director.film`]->(film)
RETURN film.`name@en` AS film ORDER BY film LIMIT 5"#,
        gremlin: r#"g.V().has("Person", "xid", "{director_id}").out("director.film")
 .values("name@en").order().limit(5)"#,
        script: r#"local films = NodeGetLinks("Person", "{director_id}", Direction.OUT, "director.film")
local names = {}
for _, name in pairs(LinksGetNodeProperty(films, "name@en")) do names[#names + 1] = name end
table.sort(names)
local five = table.move(names, 1, math.min(5, #names), 1, {})
five"#,
    },
    Question {
        graph: FILMS,
        words: "How many different people acted in them?",
        cypher: r#"MATCH (:Person {xid: "{director_id}"})-[:`director.film`]->()-[:starring]->()-[:`performance.actor`]->(actor)
RETURN count(DISTINCT actor) AS actors"#,
        gremlin: r#"g.V().has("Person", "xid", "{director_id}").out("director.film")
 .out("starring").out("performance.actor").dedup().count()"#,
        script: r#"local films = NodeGetNeighborIds("Person", "{director_id}", Direction.OUT, "director.film")
local performances = NodeIdsGetUniqueNeighborIds(films, Direction.OUT, "starring")
local people = NodeIdsGetUniqueNeighborIds(performances, Direction.OUT, "performance.actor")
#people"#,
    },
    Question {
        graph: FILMS,
        words: "In which genres does {actor} act most? (three, with the number of films)",
        cypher: r#"MATCH (:Person {xid: "person.0"})-[:`actor.film`]->()-[:`performance.film`]->(film)
WITH DISTINCT film MATCH (film)-[:genre]->(genre)
RETURN genre.`name@en` AS genre, count(*) AS films ORDER BY films DESC, genre LIMIT 3"#,
        gremlin: r#"g.V().has("Person", "xid", "person.0").out("actor.film").out("performance.film").dedup()
 .out("genre").groupCount().by("name@en").order(local).by(values, desc).limit(local, 3)"#,
        script: r#"local performances = NodeGetNeighborIds("Person", "person.0", Direction.OUT, "actor.film")
local films = NodeIdsGetUniqueNeighborIds(performances, Direction.OUT, "performance.film")
local count, genres = {}, {}
for _, ids in pairs(NodeIdsGetNeighborIds(films, Direction.OUT, "genre")) do
  for _, genre in ipairs(ids) do
    if not count[genre] then genres[#genres + 1] = genre end
    count[genre] = (count[genre] or 0) + 1
  end
end
table.sort(genres, function(a, b) return count[a] > count[b] or count[a] == count[b] and a < b end)
local top = {}
for i = 1, math.min(3, #genres) do
  top[i] = NodeGetProperty(genres[i], "name@en") .. ": " .. count[genres[i]]
end
top"#,
    },
    Question {
        graph: LIKES,
        words: "How many paths lead from person17 to an item, to who likes it, to what they like?",
        cypher: r#"MATCH (:Person {username: "person17"})-[:LIKES]->(liked)
MATCH (liked)<-[:LIKES]-(other) MATCH (other)-[:LIKES]->(item)
RETURN count(item) AS paths"#,
        gremlin: r#"likes.V().has("Person", "username", "person17").out("LIKES").in("LIKES").out("LIKES").count()"#,
        script: r#"local liked = NodeGetLinks("Person", "person17", Direction.OUT, "LIKES")
local paths = 0
for _, people in pairs(LinksGetLinks(liked, Direction.IN, "LIKES")) do
  for _, items in pairs(LinksGetLinks(people, Direction.OUT, "LIKES")) do paths = paths + #items end
end
paths"#,
    },
    Question {
        graph: LIKES,
        words: "What may person17 like next? (five items, by how many like-minded people like them)",
        cypher: r#"MATCH (me:Person {username: "person17"})-[:LIKES]->()<-[:LIKES]-(other)
WITH DISTINCT me, other
MATCH (other)-[:LIKES]->(item) WHERE NOT (me)-[:LIKES]->(item)
RETURN item.name AS item, count(*) AS people ORDER BY people DESC, item LIMIT 5"#,
        gremlin: r#"likes.V().has("Person", "username", "person17").out("LIKES").aggregate("mine")
 .in("LIKES").dedup().out("LIKES").where(without("mine"))
 .groupCount().by("name").order(local).by(values, desc).by(keys).limit(local, 5)"#,
        script: r#"local liked = NodeGetNeighborIds("Person", "person17", Direction.OUT, "LIKES")
local mine, score, items = {}, {}, {}
for _, item in ipairs(liked) do mine[item] = true end
local people = NodeIdsGetUniqueNeighborIds(liked, Direction.IN, "LIKES")
for _, theirs in pairs(NodeIdsGetNeighborIds(people, Direction.OUT, "LIKES")) do
  for _, item in ipairs(theirs) do
    if not mine[item] then
      if not score[item] then items[#items + 1] = item end
      score[item] = (score[item] or 0) + 1
    end
  end
end
table.sort(items, function(a, b) return score[a] > score[b] or score[a] == score[b] and a < b end)
local top = {}
for i = 1, math.min(5, #items) do top[i] = NodeGetKey(items[i]) .. ": " .. score[items[i]] end
top"#,
    },
];
