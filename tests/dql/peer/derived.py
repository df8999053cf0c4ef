"""Queries of facets, variables, mathematics, aggregates, recursion and paths, one a line."""

QUERIES = r"""
{ q(func: uid(1)) { plain @facets } }
{ q(func: uid(1, 2, 3)) { plain @facets(origin) } }
{ q(func: uid(1)) { plain @facets(o: origin, sure, none) } }
{ q(func: uid(1)) { nick @facets } }
{ q(func: uid(1)) { nick @facets(since) } }
{ q(func: uid(1)) { friend @facets { uid } } }
{ q(func: uid(1)) { friend @facets(weight) { uid } } }
{ q(func: uid(1)) { friend @facets(w: weight, close) { uid name } } }
{ q(func: uid(1)) { boss @facets { name } } }
{ q(func: uid(1)) { friend @facets } }
{ q(func: uid(1)) { name @facets } }
{ q(func: uid(1)) { friend @facets(eq(close, true)) { uid } } }
{ q(func: uid(1)) { friend @facets(eq(close, true)) @facets(weight) { uid } } }
{ q(func: uid(1)) { friend @facets(not eq(close, true)) { uid } } }
{ q(func: uid(1)) { friend @facets(gt(weight, 0.2) and lt(weight, 1)) { uid } } }
{ q(func: uid(1)) { friend @facets(ge(weight, 2)) { uid } } }
{ q(func: uid(1)) { friend @facets(eq(weight, "x")) { uid } } }
{ q(func: uid(1)) { friend @facets(ge(since, "2014")) { uid } } }
{ q(func: uid(1)) { friend @facets(eq(close, true) or eq(weight, 2)) { uid } } }
{ q(func: uid(1)) { friend @facets(eq(unknown, 1)) { uid } } }
{ q(func: uid(1)) { friend @facets(orderasc: weight) { uid } } }
{ q(func: uid(1)) { friend @facets(orderdesc: weight) { uid } } }
{ q(func: uid(1)) { friend @facets(orderdesc: weight, close) { uid } } }
{ q(func: uid(1)) { friend @facets(orderasc: close, orderdesc: weight) { uid } } }
{ q(func: uid(1)) { friend(first: 2) @facets(orderasc: weight) { uid } } }
{ q(func: uid(1)) { friend @facets(orderasc: weight) (first: -2) { uid } } }
{ q(func: uid(1)) { friend @facets(weight) @filter(gt(age, 26)) { uid } } }
{ q(func: uid(1)) { f: friend @facets(weight) { uid } } }
{ q(func: uid(3)) { ~friend @facets { uid } } }
{ q(func: uid(3)) { ~friend @facets(eq(close, true)) { uid } } }
{ q(func: uid(1, 2)) { friend @facets(weight) { name friend @facets(weight) { name } } } }
{ q(func: uid(1)) { friend @facets(w as weight) } r(func: uid(w)) { uid val(w) } }
{ q(func: uid(1)) { friend @facets(w as weight) { uid } } r(func: uid(w), orderdesc: val(w)) { uid v: val(w) } }
{ var(func: uid(1, 2)) { friend @facets(w as weight) } r(func: uid(w)) { uid val(w) } }
{ var(func: uid(1)) { likes @facets(s as stars) } r() { sum(val(s)) max(val(s)) } }
{ q(func: uid(1)) { plain @facets(r as rank) } r() { sum(val(r)) } }
{ q(func: uid(1)) @normalize { n: name friend @facets(w: weight) { f: name } } }
{ q(func: uid(1)) @cascade { friend @facets(eq(close, true)) { uid } } }
{ q(func: uid(1)) { count(friend @facets(eq(close, true))) } }
{ q(func: uid(1)) { c: count(friend) @facets(eq(close, true)) } }
{ a as var(func: eq(age, 31)) q(func: uid(a)) { uid } }
{ a as var(func: eq(age, 31)) q(func: uid(a, 0x2)) { uid } }
{ q(func: uid(1)) { a as friend } r(func: uid(a)) { uid } }
{ q(func: uid(1)) { a as friend { b as friend } } r(func: uid(b)) @filter(not uid(a)) { uid } }
{ var(func: uid(1)) { a as friend } r(func: has(name)) @filter(uid(a)) { uid } }
{ var(func: uid(1)) { friend { a as friend { uid } } } r(func: uid(a), first: 2) { uid } }
{ a as var(func: eq(name, "none")) q(func: uid(a)) { uid } }
{ a as var(func: eq(name, "none")) q(func: has(age)) @filter(not uid(a)) { uid } }
{ a as var(func: has(age)) b as var(func: has(height)) q(func: uid(a, b)) @filter(uid(a) and not uid(b)) { uid } }
{ a as q(func: eq(age, 31)) { uid } r(func: uid(a)) { name } }
{ var(func: type(Person)) { a as age } q(func: uid(a), orderasc: val(a)) { uid val(a) } }
{ var(func: type(Person)) { a as age } q(func: uid(a), orderdesc: val(a), first: 2) { name val(a) } }
{ var(func: type(Person)) { a as age } q(func: uid(a)) @filter(gt(val(a), 30)) { uid } }
{ var(func: type(Person)) { a as age } q(func: type(Person)) @filter(eq(age, val(a))) { uid } }
{ var(func: uid(1)) { a as age } q(func: eq(age, val(a))) { uid age } }
{ var(func: uid(1)) { n as name } q(func: eq(name, val(n))) { uid } }
{ var(func: type(Person)) { a as age } q(func: eq(val(a), 31)) { uid } }
{ var(func: type(Person)) { a as age } q(func: gt(val(a), 31)) { uid val(a) } }
{ var(func: type(Person)) { a as age } q() { min(val(a)) max(val(a)) sum(val(a)) avg(val(a)) } }
{ var(func: type(Person)) { h as height } q() { min(val(h)) max(val(h)) s: sum(val(h)) a: avg(val(h)) } }
{ var(func: type(Person)) { b as born } q() { min(val(b)) max(val(b)) } }
{ var(func: has(name)) { n as name } q() { min(val(n)) max(val(n)) } }
{ var(func: has(name)) { n as name } q() { sum(val(n)) } }
{ var(func: type(Nothing)) { a as age } q() { min(val(a)) sum(val(a)) avg(val(a)) } }
{ var(func: has(alive)) { a as alive } q() { min(val(a)) } }
{ q(func: type(Person)) { min(age) } }
{ q(func: uid(1)) { friend { a as age } min(val(a)) } }
{ q(func: uid(1, 2)) { name friend { a as age } s: sum(val(a)) m: max(val(a)) v: avg(val(a)) } }
{ var(func: type(Person)) { c as count(friend) } q(func: uid(c), orderdesc: val(c)) { uid val(c) } }
{ var(func: type(Person)) { c as count(friend) } q() { sum(val(c)) avg(val(c)) } }
{ q(func: type(Person)) { uid c as count(~friend) d: val(c) } }
{ var(func: type(Person)) { friend { c as count(friend) } s as sum(val(c)) } q(func: uid(s)) { uid val(s) } }
{ var(func: type(Person)) { a as age h as height m as math(a + h) } q(func: uid(m)) { uid val(m) } }
{ q(func: type(Person)) { a as age m: math(a * 2) } }
{ q(func: type(Person)) { a as age m: math(a / 2) n: math(a % 2) o: math(a - 40) } }
{ q(func: type(Person)) { a as age m: math(a / 2.0) n: math(7 / 2) } }
{ q(func: uid(1)) { a as age m: math(a / 0) } }
{ q(func: uid(1)) { a as height m: math(a / 0) } }
{ q(func: uid(5)) { a as age m: math(1 / a) } }
{ q(func: uid(1)) { a as age m: math(a % 0) } }
{ q(func: type(Person)) { h as height a: math(ceil(h)) b: math(floor(h)) c: math(sqrt(h)) d: math(ln(h)) } }
{ q(func: uid(1, 6)) { h as height a: math(exp(h)) b: math(pow(h, 2)) c: math(logbase(h, 2)) d: math(-h) } }
{ q(func: uid(1, 2)) { a as age b: math(min(a, 30)) c: math(max(a, 30)) } }
{ q(func: type(Person)) { uid a as age b: math(cond(a > 30, 1, 0)) c: math(a == 31) d: math(a != 31) } }
{ q(func: type(Person)) { uid a as age b: math(a >= 31 && a < 50) c: math(a < 31 || a > 50) d: math(!(a < 31)) } }
{ q(func: uid(1, 2)) { a as age h as height b: math(a + h * 2 - 1) c: math((a + h) * 2) } }
{ q(func: uid(1)) { b as born c: math(since(b) > 0.0) } }
{ q(func: uid(1)) { n as name c: math(n + 1) } }
{ q(func: type(Person)) { n as name m: math(sqrt(n)) } }
{ q(func: type(Person)) { b as born m: math(b + 1) } }
{ q(func: type(Person)) { b as born m: math(since(b) > 1) } }
{ q(func: type(Person)) { b as alive m: math(b + 1) } }
{ q(func: uid(1)) { a as age m: math(a % 0) } }
{ var(func: uid(6)) { x as math(1) friend { y as math(x + 1) } } q(func: uid(y)) { uid val(y) } }
{ var(func: uid(6)) { friend { a as age friend { b as age y as math(a + b) friend { z as math(y + a) } } } } q(func: uid(z)) { uid val(z) } }
{ q(func: uid(0x1, 0x7)) { uid expand(_all_) } }
{ q(func: uid(0x8, 0x7)) { uid expand(_all_) } }
{ q(func: uid(0x1, 0x20)) { uid expand(_all_) } }
{ q(func: uid(0x1)) { likes { expand(_all_) } } }
{ q(func: uid(1)) { expand(Person) @filter(type(Person)) { name } } }
{ q(func: type(Person)) { count(elsewhere) } }
{ q(func: type(Person)) { uid boss { name c: count(~elsewhere) } } }
{ p as shortest(from: 0x5, to: 0x5, numpaths: 2) { friend } q(func: uid(p)) { name } }
{ q(func: uid(1)) { a as age c: math(a + "x") } }
{ q(func: uid(1)) { c: math(1 + 2) } }
{ q(func: uid(1)) { c: math(1.5 + 2) } }
{ q(func: uid(1)) { a as age math(a + 1) } }
{ q(func: uid(1)) { a as age c: math(b + 1) } }
{ q(func: uid(1)) { a as age c: math(nope(a)) } }
{ q(func: uid(1)) { a as age c: math(a +) } }
{ q(func: uid(1)) { a as age c: math(sqrt(a, 2)) } }
{ q(func: uid(1)) { a as age c: math(pow(a)) } }
{ q(func: has(alive)) { uid a as alive b: math(cond(a, 1, 2)) } }
{ q(func: type(Person)) { w as worth m: math(w + 1) } }
{ q(func: uid(6)) { a as age friend { b as age c: math(a + b) } } }
{ var(func: uid(1, 2)) { a as age friend { b as math(a) } } q(func: uid(b), orderasc: uid) { uid val(b) } }
{ var(func: uid(1, 2)) { a as age friend { b as math(a) } } q(func: uid(b)) { uid val(b) } }
{ var(func: uid(6)) { friend { x as math(1) friend { y as math(x + 1) friend { z as math(y + 1) } } } } q(func: uid(z)) { uid val(z) } }
{ var(func: type(Person)) { a as age } q(func: uid(1)) { name val(a) } }
{ var(func: type(Person)) { a as age } q(func: has(name)) { uid v: val(a) } }
{ q(func: uid(1)) { val(a) } }
{ q(func: uid(1)) { a as age } }
{ a as var(func: uid(1)) b as var(func: uid(a)) q(func: uid(1)) { uid } }
{ a as var(func: uid(b)) b as var(func: uid(a)) q(func: uid(a)) { uid } }
{ q(func: uid(a)) { uid } a as var(func: uid(1)) }
{ a as var(func: uid(1)) a as var(func: uid(2)) q(func: uid(a)) { uid } }
{ var(func: uid(1)) { a as age } q(func: uid(1)) { a: val(a) b: math(a + 1) } }
{ var(func: uid(1)) { a as friend } q(func: uid(1)) { val(a) } }
{ var(func: uid(1)) { a as age } q(func: uid(1)) @filter(uid(a)) { uid } }
{ var(func: type(Person)) { n as nick } q(func: uid(n)) { uid val(n) } }
{ var(func: has(name@de)) { n as name@de } q(func: uid(n)) { uid val(n) } }
{ var(func: type(Person)) { u as uid } q(func: uid(u)) { uid } }
{ q(func: has(nick)) @filter(eq(count(nick), 2)) { uid } }
{ x as var(func: type(Person)) q(func: uid(x)) @filter(gt(len(x), 3)) { uid } }
{ x as var(func: type(Nothing)) q(func: type(Genre)) @filter(eq(len(x), 0)) { uid } }
{ q(func: uid(1)) @recurse(depth: 2) { name friend } }
{ q(func: uid(1)) @recurse(depth: 3) { uid friend boss } }
{ q(func: uid(1)) @recurse { uid friend } }
{ q(func: uid(1)) @recurse(loop: true) { uid friend } }
{ q(func: uid(1)) @recurse(depth: 3, loop: true) { uid friend } }
{ q(func: uid(1)) @recurse(depth: 1) { uid friend } }
{ q(func: uid(1)) @recurse(depth: 0) { uid friend } }
{ q(func: uid(0x40)) @recurse(depth: 4) { name road @facets(km) } }
{ q(func: uid(1)) @recurse(depth: 3) { name friend @filter(gt(age, 26)) } }
{ q(func: uid(1)) @recurse(depth: 3) { name friend(first: 1) } }
{ q(func: uid(1)) @recurse(depth: 3) { name friend(orderdesc: age) } }
{ q(func: uid(6)) @recurse(depth: 3) { name ~boss } }
{ q(func: uid(1)) @recurse(depth: 2) { name friend { uid } } }
{ a as var(func: uid(1)) @recurse(depth: 3) { friend } q(func: uid(a)) { uid } }
{ var(func: uid(1)) @recurse(depth: 3) { a as friend } q(func: uid(a)) { uid } }
{ q(func: uid(1)) @recurse(depth: 3) { expand(Person) } }
{ q(func: uid(1)) @recurse(depth: 2) @normalize { n: name friend } }
{ q(func: uid(1)) @recurse(depth: 2) @cascade { name nick friend } }
{ q(func: type(Person)) @groupby(score) { count(uid) } }
{ q(func: type(Person)) @groupby(nick, age) { count(uid) } }
{ q(func: uid(1,2)) { friend @groupby(nick) { count(uid) } } }
{ q(func: has(home)) @groupby(home, name) { count(uid) } }
{ q(func: type(Person)) @groupby(dgraph.type) { count(uid) } }
{ q(func: type(Person)) @groupby(visit) { count(uid) } }
{ q(func: type(Person)) @groupby(ratio) { count(uid) max(age) } }
{ q(func: type(Person)) @groupby(secret) { count(uid) } }
{ q(func: type(Person)) @groupby(age) { count(uid) max(nick) min(score) sum(score) } }
{ var(func: uid(1, 2)) { a as age } q(func: le(age, val(a))) { uid age } }
{ var(func: uid(1)) { a as age } q(func: ge(age, val(a))) { uid age } }
{ var(func: uid(1)) { a as age } q(func: has(name)) @filter(eq(age, val(a))) { uid age } }
{ var(func: uid(1, 2)) { a as age } q(func: has(name)) @filter(eq(age, val(a))) { uid age } }
{ var(func: uid(1, 2)) { a as age } q(func: has(name)) @filter(ge(age, val(a))) { uid age } }
{ var(func: uid(1)) { a as age } q(func: has(name)) @filter(gt(age, val(a))) { uid age } }
{ var(func: uid(1)) { a as age } q(func: has(name)) @filter(not lt(age, val(a))) { uid age } }
{ var(func: type(Person)) { a as name@de } q(func: has(name)) @filter(eq(name@de, val(a))) { uid name@de } }
{ var(func: uid(2)) { a as age } q(func: between(age, val(a), 40)) { uid age } }
{ var(func: uid(2)) { a as age } q(func: has(age)) @filter(between(age, val(a), 40)) { uid age } }
{ var(func: type(Person)) { a as age } v() { m as max(val(a)) } q(func: eq(age, val(m))) { uid age } }
{ var(func: type(Person)) { a as age } v() { m as min(val(a)) } q(func: gt(age, val(m))) { uid age } }
{ var(func: uid(1)) { a as name } q(func: eq(age, val(a))) { uid age } }
{ var(func: uid(1)) { a as born } q(func: le(born, val(a))) { uid born } }
{ var(func: uid(2)) { a as age } q(func: uid(1)) { friend @filter(eq(age, val(a))) { uid } } }
{ q(func: has(age)) @filter(not match(name, "Bo Smth", 2)) { uid } }
{ var(func: uid(9)) { a as age } q(func: has(age)) @filter(eq(age, val(a))) { uid age } }
{ q(func: uid(1)) { boss @groupby(score, age) { count(uid) } } }
{ q(func: uid(1)) @recurse(depth: 3) { name friend(after: 0x3) } }
{ q(func: uid(1)) @recurse(depth: 3) { name friend @filter(ge(count(friend), 2)) } }
{ q(func: uid(4)) @recurse(depth: 2) @normalize { a: name uid ~friend friend } }
{ q(func: type(Place)) @normalize { name a: word ~road { uid name word ~road { uid name word } road { uid word } } } }
{ q(func: type(Person)) { a as age h as height m: math((h + 3) + a) } }
{ q(func: type(Person)) { a as age h as height m: math(a - (h - (h - 3))) } }
{ q(func: uid(1)) @recurse(depth: 2) { expand(Person) } }
{ q(func: uid(0x40)) @recurse(depth: 3) { expand(_all_) } }
{ q(func: uid(0x40)) @recurse(depth: 3) { uid expand(Place) } }
{ q(func: uid(0x20)) @recurse { uid expand(_all_) @filter(type(Genre)) } }
{ q(func: uid(1)) @recurse(depth: 3) @normalize { friend n: name a: age boss } }
{ q(func: uid(1)) @recurse(depth: 2) @normalize { n: name friend boss likes } }
{ q(func: uid(0x40)) @recurse(depth: 3) @normalize { n: name road @facets(km) } }
{ q(func: uid(0x40)) @recurse(depth: 3) @normalize { n: name road @facets } }
{ q(func: uid(0x40)) @recurse(depth: 3) @normalize { uid n: name name road } }
{ q(func: uid(0x40)) @recurse(depth: 3) @normalize { n: name uid road } }
{ q(func: uid(1)) @recurse(depth: 3) @cascade(nick) { name nick friend } }
{ q(func: uid(1)) @recurse(depth: 3) @cascade { name } }
{ q(func: has(age), first: 2, offset: 1) @recurse @cascade(nick) { name nick boss } }
{ q(func: uid(0x40)) @recurse(depth: 3) @cascade(word) { uid name word road } }
{ q(func: uid(0x40)) @recurse @cascade(word) @normalize { uid n: name word road } }
{ q(func: uid(0x40)) @recurse @cascade(nope) { name nope road } }
{ q(func: uid(0x40)) @recurse @cascade(road) { name road } }
{ q(func: uid(1)) @recurse(depth: 3) { uid count(friend) friend } }
{ p as shortest(from: 0x40, to: 0x41) { road } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0x43) { road @facets(km) } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0x44) { road @facets(toll) } q(func: uid(p)) { name } }
{ p as shortest(from: 0x44, to: 0x40) { road } q(func: uid(p)) { name } }
{ p as shortest(from: 0x44, to: 0x43) { ~road } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0x40) { road } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0xfff) { road } q(func: uid(p)) { name } }
{ shortest(from: 0x40, to: 0x43) { road @facets(km) } }
{ p as shortest(from: 0x40, to: 0x43, numpaths: 2) { road @facets(km) } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0x43, numpaths: 5) { road @facets(km) } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0x43, numpaths: 3, maxweight: 5) { road @facets(km) } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0x43, numpaths: 3, minweight: 5) { road @facets(km) } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0x44, depth: 2) { road } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0x43) { road @facets(km) @filter(not uid(0x42)) } q(func: uid(p)) { name } }
{ p as shortest(from: 0x6, to: 0x5) { friend } q(func: uid(p)) { uid } }
{ p as shortest(from: 0x6, to: 0x5) { friend boss } q(func: uid(p)) { uid } }
{ p as shortest(from: 0x6, to: 0x3) { friend @facets(weight) } q(func: uid(p)) { uid } }
{ a as var(func: eq(name, "Berlin")) b as var(func: eq(name, "Oslo")) p as shortest(from: uid(a), to: uid(b)) { road @facets(km) } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40) { road } q(func: uid(p)) { name } }
{ p as shortest(to: 0x40) { road } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0x43) { road @facets(km, toll) } q(func: uid(p)) { name } }
{ p as shortest(from: 0x40, to: 0x43) { name } q(func: uid(p)) { name } }
""".strip().splitlines()
