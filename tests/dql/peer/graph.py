"""The schema and the data that every case begins with.

Nodes are named by uid, so that answers are equal without renaming. Values are missing, equal, negative, empty, and in
several languages on purpose.
"""

SCHEMA = """
name: string @index(exact, term, fulltext, trigram) @lang .
title: string @index(hash) @lang .
plain: string .
word: string @index(ngram) .
code: string @index(hash) @upsert .
note: default .
age: int @index(int) .
height: float @index(float) .
alive: bool @index(bool) .
born: datetime @index(day) .
seen: datetime @index(hour) .
made: datetime .
worth: bigfloat @index(bigfloat) .
nick: [string] @index(exact, term) @count .
score: [int] @index(int) .
ratio: [float] .
visit: [datetime] @index(year) .
home: geo @index(geo) .
secret: password .
text: string @index(fulltext, term) @lang .
friend: [uid] @reverse @count .
boss: uid @reverse .
likes: [uid] @count .
road: [uid] @reverse .
genre: [uid] @reverse @count .
euclid: float32vector @index(hnsw(metric: "euclidean")) .
angle: float32vector @index(hnsw(metric: "cosine")) .
dotted: float32vector @index(hnsw(metric: "dotproduct")) .
bare: float32vector .
type Person {
  name
  nick
  age
  height
  alive
  born
  friend
  boss
  secret
  <~friend>
}
type Film {
  name
  title
  made
  genre
}
type Genre {
  name
}
type Place {
  name
  home
  road
}
"""

DATA = r"""
<0x1> <euclid> "[1, 0]" .
<0x1> <angle> "[1, 0]" .
<0x1> <dotted> "[1, 0]" .
<0x2> <euclid> "[0.5, 0.25]" .
<0x2> <angle> "[0.5, 0.25]" .
<0x2> <dotted> "[0.5, 0.25]" .
<0x3> <euclid> "[3, 4]" .
<0x3> <angle> "[3, 4]" .
<0x3> <dotted> "[3, 4]" .
<0x4> <euclid> "[-1, -1.5]" .
<0x4> <angle> "[-1, -1.5]" .
<0x4> <dotted> "[-1, -1.5]" .
<0x5> <euclid> "[0.1, 0.2]" .
<0x5> <angle> "[0.1, 0.2]" .
<0x5> <dotted> "[0.1, 0.2]" .
<0x6> <euclid> "[2, 2.5]" .
<0x6> <angle> "[2, 2.5]" .
<0x6> <dotted> "[2, 2.5]" .
<0x7> <euclid> "[0, 1]" .
<0x7> <angle> "[0, 1]" .
<0x7> <dotted> "[0, 1]" .
<0x1> <bare> "[1, 2, 3]" .
<0x2> <bare> "[0.5, 0.25]" .
<0x3> <bare> "[-2, 1e-7]" .
<0x1> <dgraph.type> "Person" .
<0x1> <name> "Ann Lee" .
<0x1> <name@de> "Anna Lee" .
<0x1> <name@fr> "Anne Lee" .
<0x1> <age> "31" .
<0x1> <height> "1.7" .
<0x1> <alive> "true" .
<0x1> <born> "1995-02-03" .
<0x1> <seen> "2024-05-06T07:08:09Z" .
<0x1> <made> "2001" .
<0x1> <worth> "12345678901234567890.5" .
<0x1> <nick> "annie" (since=2010, real=false) .
<0x1> <nick> "an" (since=2012) .
<0x1> <nick> "Lee the First" .
<0x1> <score> "7" .
<0x1> <score> "-3" .
<0x1> <score> "12" .
<0x1> <ratio> "0.5" .
<0x1> <ratio> "2.25" .
<0x1> <visit> "2020-01-02" .
<0x1> <visit> "2019-07-08T09:10:11Z" .
<0x1> <text> "The quick brown foxes were running over the lazy dogs" .
<0x1> <text@de> "Die Katzen liefen durch die Wälder" .
<0x1> <plain> "red" (origin="here", sure=true, rank=3, part=0.25, when=2020-02-03T04:05:06Z) .
<0x1> <code> "A1" .
<0x1> <home> "{'type':'Point','coordinates':[13.4,52.5]}"^^<geo:geojson> .
<0x1> <friend> <0x2> (close=true, weight=0.5, since=2015-01-01T00:00:00Z) .
<0x1> <friend> <0x3> (close=false, weight=0.1) .
<0x1> <friend> <0x4> (weight=2) .
<0x1> <friend> <0x5> .
<0x1> <boss> <0x6> (from=2018) .
<0x1> <likes> <0x20> (stars=5) .
<0x1> <likes> <0x21> (stars=3) .
<0x1> <likes> <0x2> .
<0x2> <dgraph.type> "Person" .
<0x2> <name> "Bo Smith" .
<0x2> <age> "25" .
<0x2> <height> "1.82" .
<0x2> <alive> "false" .
<0x2> <born> "2001-12-31T23:59:59Z" .
<0x2> <seen> "2024-05-06T09:30:00+02:00" .
<0x2> <worth> "-0.000000001" .
<0x2> <nick> "bobo" (since=2001) .
<0x2> <score> "7" .
<0x2> <text> "A dog runs; another dog ran" .
<0x2> <plain> "green" (origin="there") .
<0x2> <code> "B2" .
<0x2> <home> "{'type':'Point','coordinates':[2.35,48.85]}"^^<geo:geojson> .
<0x2> <friend> <0x1> (close=true, weight=0.5) .
<0x2> <friend> <0x3> (close=true, weight=1.5) .
<0x2> <boss> <0x1> .
<0x2> <likes> <0x21> (stars=4) .
<0x3> <dgraph.type> "Person" .
<0x3> <name> "Cy" .
<0x3> <name@en> "Cy Young" .
<0x3> <name@de> "Zyx" .
<0x3> <age> "40" .
<0x3> <height> "1.7" .
<0x3> <alive> "true" .
<0x3> <born> "1986-06" .
<0x3> <text@de> "Der Zug fährt durch den Wald" .
<0x3> <plain> "red" .
<0x3> <friend> <0x4> (close=true, weight=0.1) .
<0x3> <boss> <0x1> .
<0x4> <dgraph.type> "Person" .
<0x4> <name> "Dee Ann" .
<0x4> <age> "31" .
<0x4> <height> "-1" .
<0x4> <nick> "dee" .
<0x4> <nick> "an" .
<0x4> <score> "0" .
<0x4> <plain> "" .
<0x4> <friend> <0x5> (weight=0.3) .
<0x4> <friend> <0x1> .
<0x4> <boss> <0x2> .
<0x5> <dgraph.type> "Person" .
<0x5> <name> "Émile \"Zo\" la\tTab" .
<0x5> <name@fr> "Émile" .
<0x5> <age> "0" .
<0x5> <alive> "true" .
<0x5> <friend> <0x5> (weight=9) .
<0x6> <dgraph.type> "Person" .
<0x6> <dgraph.type> "Boss" .
<0x6> <name> "Big Boss" .
<0x6> <age> "77" .
<0x6> <height> "2" .
<0x6> <friend> <0x1> (weight=4) .
<0x7> <name@en> "Only English" .
<0x7> <name@de> "Nur Deutsch" .
<0x8> <name> "Ünal 北京" .
<0x8> <age> "31" .
<0x8> <note> "untyped" .
<0x9> <plain> "alone" .
<0x20> <dgraph.type> "Film" .
<0x20> <name> "Star Trail" .
<0x20> <name@de> "Sternenpfad" .
<0x20> <title> "Star" .
<0x20> <made> "1977-05-25" .
<0x20> <genre> <0x30> .
<0x20> <genre> <0x31> .
<0x21> <dgraph.type> "Film" .
<0x21> <name> "The Long Road" .
<0x21> <title> "Road" .
<0x21> <title@de> "Straße" .
<0x21> <made> "2003-11-02T12:30:00.5Z" .
<0x21> <genre> <0x31> .
<0x22> <dgraph.type> "Film" .
<0x22> <name> "A Dog's Life" .
<0x22> <made> "2003" .
<0x22> <genre> <0x31> .
<0x22> <genre> <0x32> .
<0x30> <dgraph.type> "Genre" .
<0x30> <name> "Science" .
<0x31> <dgraph.type> "Genre" .
<0x31> <name> "Drama" .
<0x32> <dgraph.type> "Genre" .
<0x32> <name> "Comedy" .
<0x40> <dgraph.type> "Place" .
<0x40> <name> "Berlin" .
<0x40> <home> "{'type':'Polygon','coordinates':[[[13.0,52.3],[13.8,52.3],[13.8,52.7],[13.0,52.7],[13.0,52.3]]]}"^^<geo:geojson> .
<0x40> <word> "the quick brown fox jumps" .
<0x40> <road> <0x41> (km=5.0, toll=1) .
<0x40> <road> <0x42> (km=1.0, toll=4) .
<0x41> <dgraph.type> "Place" .
<0x41> <name> "Paris" .
<0x41> <home> "{'type':'Polygon','coordinates':[[[2.2,48.7],[2.5,48.7],[2.5,49.0],[2.2,49.0],[2.2,48.7]]]}"^^<geo:geojson> .
<0x41> <word> "quick brown foxes jump" .
<0x41> <road> <0x43> (km=1.5, toll=1) .
<0x42> <dgraph.type> "Place" .
<0x42> <name> "Rome" .
<0x42> <word> "a lazy brown dog" .
<0x42> <road> <0x41> (km=1.0, toll=1) .
<0x42> <road> <0x43> (km=7.25) .
<0x43> <dgraph.type> "Place" .
<0x43> <name> "Oslo" .
<0x43> <road> <0x40> (km=3.0, toll=2) .
<0x43> <road> <0x44> (km=1.0, toll=2) .
<0x44> <dgraph.type> "Place" .
<0x44> <name> "Nowhere" .
"""

# Kept apart: a password takes a tenth of a second, and few cases need one.
SECRETS = """
<0x1> <secret> "open sesame" .
<0x2> <secret> "hunter22" .
"""
