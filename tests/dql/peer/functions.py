"""Queries of roots, filters and functions, one a line."""

QUERIES = r"""
{ q(func: uid(1)) { uid name } }
{ q(func: uid(0x1, 2, 0x3)) { uid } }
{ q(func: uid(0x3, 0x1, 0x3, 0x2)) { uid name } }
{ q(func: uid(0xfff)) { uid name } }
{ q(func: uid(0xfff)) { name } }
{ q(func: uid()) { uid } }
{ q(func: uid(0)) { uid } }
{ q(func: uid([0x1, 0x2])) { uid } }
{ q(func: uid("0x1")) { uid } }
{ q(func: type(Person)) { uid name age } }
{ q(func: type("Film")) { name } }
{ q(func: type(Nothing)) { uid } }
{ q(func: type(Person)) @filter(type(Boss)) { uid dgraph.type } }
{ q(func: has(name)) { uid } }
{ q(func: has(name@en)) { uid name@en } }
{ q(func: has(name@de)) { uid name@de } }
{ q(func: has(name@.)) { uid } }
{ q(func: has(friend)) { uid } }
{ q(func: has(~friend)) { uid } }
{ q(func: has(unknown)) { uid } }
{ q(func: has(dgraph.type)) @filter(has(name)) { uid dgraph.type } }
{ q(func: has(plain)) @filter(not has(name)) { uid plain } }
{ q(func: has(secret)) { uid } }
{ q(func: has(home)) { uid home } }
{ q(func: eq(name, "Ann Lee")) { uid } }
{ q(func: eq(name, "ann lee")) { uid } }
{ q(func: eq(name, ["Cy", "Berlin", "None"])) { uid name } }
{ q(func: eq(name, "Cy", "Berlin")) { uid name } }
{ q(func: eq(name, [])) { uid } }
{ q(func: eq(name@de, "Anna Lee")) { uid } }
{ q(func: eq(name@en, "Ann Lee")) { uid } }
{ q(func: eq(name@de:en, "Zyx")) { uid } }
{ q(func: eq(name, "")) { uid } }
{ q(func: eq(plain, "red")) { uid } }
{ q(func: has(plain)) @filter(eq(plain, "red")) { uid } }
{ q(func: has(plain)) @filter(eq(plain, "")) { uid plain } }
{ q(func: has(plain)) @filter(gt(plain, "green")) { uid plain } }
{ q(func: eq(age, 31)) { uid } }
{ q(func: eq(age, "31")) { uid } }
{ q(func: eq(age, [25, 40])) { uid } }
{ q(func: eq(age, 31.5)) { uid } }
{ q(func: eq(age, "x")) { uid } }
{ q(func: eq(age, -0)) { uid } }
{ q(func: eq(alive, true)) { uid } }
{ q(func: eq(alive, "false")) { uid } }
{ q(func: eq(alive, 1)) { uid } }
{ q(func: eq(alive, maybe)) { uid } }
{ q(func: eq(height, 1.7)) { uid } }
{ q(func: eq(height, 2)) { uid height } }
{ q(func: eq(born, "1995-02-03")) { uid } }
{ q(func: eq(born, "1995")) { uid } }
{ q(func: eq(born, "1995-02-03T00:00:00Z")) { uid } }
{ q(func: eq(seen, "2024-05-06T07:30:00Z")) { uid seen } }
{ q(func: eq(seen, "2024-05-06T09:30:00+02:00")) { uid seen } }
{ q(func: eq(nick, "an")) { uid nick } }
{ q(func: eq(nick, ["bobo", "dee"])) { uid nick } }
{ q(func: eq(score, 7)) { uid score } }
{ q(func: eq(title, "Road")) { uid title } }
{ q(func: eq(title@de, "Straße")) { uid } }
{ q(func: eq(code, "A1")) { uid code } }
{ q(func: eq(worth, "12345678901234567890.5")) { uid worth } }
{ q(func: eq(dgraph.type, "Genre")) { name } }
{ q(func: eq(friend, 0x1)) { uid } }
{ q(func: eq(unknown, "x")) { uid } }
{ q(func: eq(count(friend), 4)) { uid name } }
{ q(func: eq(count(friend), [1, 2])) { uid name } }
{ q(func: ge(count(friend), 2)) { uid } }
{ q(func: lt(count(friend), 1)) { uid } }
{ q(func: eq(count(friend), 0)) { uid } }
{ q(func: eq(count(~friend), 3)) { uid } }
{ q(func: eq(count(nick), 2)) { uid nick } }
{ q(func: eq(count(boss), 1)) { uid } }
{ q(func: between(count(friend), 1, 2)) { uid } }
{ q(func: has(name)) @filter(eq(count(friend), 0)) { uid } }
{ q(func: has(name)) @filter(gt(count(likes), 0)) { uid } }
{ q(func: gt(age, 31)) { uid age } }
{ q(func: ge(age, 31)) { uid age } }
{ q(func: lt(age, 31)) { uid age } }
{ q(func: le(age, 0)) { uid age } }
{ q(func: between(age, 25, 40)) { uid age } }
{ q(func: between(age, 40, 25)) { uid age } }
{ q(func: between(name, "A", "C")) { uid name } }
{ q(func: between(height, -5, 1.75)) { uid height } }
{ q(func: between(born, "1990", "2001")) { uid born } }
{ q(func: gt(height, 1)) { uid height } }
{ q(func: gt(height, "1.7")) { uid height } }
{ q(func: lt(worth, 0)) { uid worth } }
{ q(func: gt(worth, "1")) { uid worth } }
{ q(func: ge(born, "1995-02-03")) { uid born } }
{ q(func: lt(born, "2001-12-31")) { uid born } }
{ q(func: le(born, "2001-12-31")) { uid born } }
{ q(func: gt(seen, "2024-05-06T07:20:00Z")) { uid seen } }
{ q(func: lt(name, "C")) { uid name } }
{ q(func: ge(name@de, "N")) { uid name@de } }
{ q(func: gt(score, 6)) { uid score } }
{ q(func: lt(score, 0)) { uid score } }
{ q(func: gt(title, "A")) { uid } }
{ q(func: gt(alive, false)) { uid } }
{ q(func: gt(age, [1, 2])) { uid } }
{ q(func: between(age, 1)) { uid } }
{ q(func: between(title, "A", "Z")) { uid } }
{ q(func: ge(visit, "2020")) { uid visit } }
{ q(func: has(made)) @filter(ge(made, "2003")) { uid made } }
{ q(func: has(made)) @filter(eq(made, "2003")) { uid made } }
{ q(func: has(age)) @filter(between(age, 30, 50)) { uid age } }
{ q(func: allofterms(name, "lee ann")) { uid name } }
{ q(func: anyofterms(name, "lee ann dog")) { uid name } }
{ q(func: allofterms(name, "")) { uid } }
{ q(func: anyofterms(name, "")) { uid } }
{ q(func: anyofterms(name, "émile EMILE")) { uid } }
{ q(func: anyofterms(name, "北京")) { uid } }
{ q(func: allofterms(name@de, "anna")) { uid } }
{ q(func: anyofterms(name@fr, "anne émile")) { uid } }
{ q(func: anyofterms(nick, "first an")) { uid nick } }
{ q(func: allofterms(nick, "the first")) { uid } }
{ q(func: allofterms(title, "star")) { uid } }
{ q(func: anyofterms(name, ["lee", "dog"])) { uid } }
{ q(func: has(name)) @filter(anyofterms(name, "dog road")) { name } }
{ q(func: has(title)) @filter(anyofterms(title, "star road")) { title } }
{ q(func: alloftext(text, "dog running")) { uid } }
{ q(func: anyoftext(text, "dogs foxes")) { uid } }
{ q(func: alloftext(text, "the")) { uid } }
{ q(func: anyoftext(text@de, "Wald Katze")) { uid text@de } }
{ q(func: alloftext(text@de, "durch die Wälder")) { uid } }
{ q(func: alloftext(name, "roads")) { uid name } }
{ q(func: anyoftext(title, "star")) { uid } }
{ q(func: anyoftext(text, "")) { uid } }
{ q(func: has(text)) @filter(anyoftext(text, "ran")) { uid } }
{ q(func: regexp(name, /^B/)) { uid name } }
{ q(func: regexp(name, /Lee/)) { uid name } }
{ q(func: regexp(name, /^ann lee$/i)) { uid name } }
{ q(func: regexp(name, /(Smith|Young)/)) { uid name } }
{ q(func: regexp(name, /.*/)) { uid } }
{ q(func: regexp(name, /Ro.d$/)) { uid } }
{ q(func: regexp(name, /Long\sRoad/)) { uid name } }
{ q(func: regexp(name, /a[/)) { uid } }
{ q(func: regexp(name, "Lee")) { uid } }
{ q(func: regexp(name@de, /Stern/)) { uid name@de } }
{ q(func: regexp(title, /Star/)) { uid } }
{ q(func: regexp(name, /Lee/g)) { uid } }
{ q(func: regexp(name, /L\w\w$/)) { uid name } }
{ q(func: regexp(name, /\bLee\b/)) { uid } }
{ q(func: regexp(name, /\QLee\E/)) { uid } }
{ q(func: regexp(name, /[[L]ee/)) { uid } }
{ q(func: has(name)) @filter(regexp(name, /^\S+\s\S+$/)) { uid name } }
{ q(func: has(name@de)) @filter(regexp(name@de, /^\w+$/)) { uid } }
{ q(func: has(name@*)) { uid } }
{ q(func: has(age)) @filter(uid_in(friend)) { uid } }
{ q(func: le(count(friend), 1)) { uid } }
{ q(func: lt(count(friend), 2)) { uid } }
{ q(func: le(count(~friend), 1)) { uid } }
{ q(func: has(name)) @filter(regexp(name, /^B/)) { name } }
{ q(func: has(title)) @filter(regexp(title, /^St/)) { title } }
{ q(func: has(nick)) @filter(regexp(nick, /^an/)) { nick } }
{ q(func: match(name, "Bo Smth", 3)) { uid name } }
{ q(func: match(name, "Ann", 8)) { uid name } }
{ q(func: match(name, "bo smith", 2)) { name } }
{ q(func: match(name, "", 2)) { name } }
{ q(func: match(name, "Rom", 0)) { name } }
{ q(func: match(name, "Rome")) { name } }
{ q(func: match(name, "Rome", -1)) { name } }
{ q(func: match(title, "Roa", 2)) { name } }
{ q(func: match(name@de, "Ana Lee", 2)) { uid } }
{ q(func: has(name)) @filter(match(name, "Cx", 1)) { name } }
{ q(func: ngram(word, "quick brown fox")) { uid word } }
{ q(func: ngram(word, "brown")) { uid word } }
{ q(func: ngram(word, "lazy brown")) { uid word } }
{ q(func: ngram(word, "dog lazy")) { uid word } }
{ q(func: ngram(name, "lee")) { uid } }
{ q(func: near(home, [13.4, 52.5], 1000)) { uid name } }
{ q(func: near(home, [2.35, 48.8], 20000)) { uid name } }
{ q(func: within(home, [[[0, 40], [20, 40], [20, 60], [0, 60], [0, 40]]])) { uid name } }
{ q(func: within(home, [[0, 40], [20, 40], [20, 60], [0, 60], [0, 40]])) { uid name } }
{ q(func: contains(home, [13.4, 52.5])) { uid name } }
{ q(func: contains(home, [[[13.3, 52.4], [13.5, 52.4], [13.5, 52.6], [13.3, 52.6], [13.3, 52.4]]])) { uid name } }
{ q(func: intersects(home, [[[13.7, 52.6], [14, 52.6], [14, 53], [13.7, 53], [13.7, 52.6]]])) { uid name } }
{ q(func: near(home, [13.4, 52.5])) { uid } }
{ q(func: near(name, [13.4, 52.5], 5)) { uid } }
{ q(func: has(name)) @filter(near(home, [13.4, 52.5], 1000)) { uid name } }
{ q(func: has(name)) @filter(uid_in(friend, 0x3)) { uid } }
{ q(func: has(name)) @filter(uid_in(friend, [0x2, 0x5])) { uid } }
{ q(func: has(name)) @filter(uid_in(~friend, 0x1)) { uid } }
{ q(func: has(name)) @filter(uid_in(boss, 1)) { uid } }
{ x as var(func: eq(age, 31)) q(func: has(name)) @filter(uid_in(friend, uid(x))) { uid } }
{ q(func: uid_in(friend, 0x3)) { uid } }
{ q(func: has(name)) @filter(uid_in(name, 0x3)) { uid } }
{ q(func: has(age)) @filter(gt(age, 30) and lt(age, 50)) { uid age } }
{ q(func: has(age)) @filter(gt(age, 50) or lt(age, 30)) { uid age } }
{ q(func: has(age)) @filter(not eq(age, 31)) { uid age } }
{ q(func: has(age)) @filter(not (eq(age, 31) or eq(age, 25)) and has(height)) { uid age } }
{ q(func: has(age)) @filter(NOT eq(age, 31) AND NOT eq(age, 25) OR uid(0x2)) { uid age } }
{ q(func: has(age)) @filter(eq(age, 31) or eq(age, 25) and eq(height, 1.7)) { uid age } }
{ q(func: has(age)) @filter() { uid } }
{ q(func: has(age)) @filter(uid(0x1, 0x2, 0x20)) { uid } }
{ q(func: has(age)) @filter(eq(unknown, 1)) { uid } }
{ q(func: has(age)) @filter(nearby(age, 1)) { uid } }
{ q(func: has(age)) @filter(anyofterms(plain, "red")) { uid } }
{ q(func: has(age)) @filter(alloftext(plain, "red")) { uid } }
{ q(func: has(age)) @filter(regexp(plain, /red/)) { uid } }
{ q(func: has(age)) @filter(match(plain, "rad", 1)) { uid } }
{ q(func: has(age)) @filter(eq(name@en:., "Cy Young")) { uid } }
{ q(func: has(age)) @filter(eq(age)) { uid } }
{ q(func: has(age)) @filter(le(friend, 1)) { uid } }
{ q(func: checkpwd(secret, "open sesame")) { uid } }
{ q(func: eq(secret, "open sesame")) { uid } }
{ q(func: has(age)) @filter(checkpwd(secret, "open sesame")) { uid } }
{ q(func: has(secret)) { uid checkpwd(secret, "open sesame") } }
{ q(func: has(name)) { uid ok: checkpwd(secret, "hunter22") } }
{ q(func: has(secret)) { uid secret } }
{ q(func: has(secret)) { checkpwd(name, "x") } }
{ q(func: has(note)) { note } }
{ q(func: has(note)) @filter(eq(note, "untyped")) { note } }
{ q(func: anyof(name, "lee")) { uid } }
{ q(func: similar_to(name, 3, "[1]")) { uid } }
""".strip().splitlines()
