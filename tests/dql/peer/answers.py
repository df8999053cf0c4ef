"""Queries of what is read and how it is ordered, paged, grouped and shaped, one a line."""

QUERIES = r"""
{ q(func: uid(1)) { name name@de name@fr name@it } }
{ q(func: uid(1)) { name@it:de name@it:. name@. name@de:fr } }
{ q(func: uid(1, 3, 7)) { name@* } }
{ q(func: uid(1, 3, 7)) { uid name@en:. } }
{ q(func: uid(7)) { uid name } }
{ q(func: uid(7)) { name@. } }
{ q(func: uid(1)) { n: name m: name@de } }
{ q(func: uid(1)) { name name } }
{ q(func: uid(1)) { name n: name } }
{ q(func: uid(1)) { a: name a: age } }
{ q(func: uid(1)) { name@de name@de } }
{ q(func: uid(1)) { age@en } }
{ q(func: uid(1)) { friend@en { name } } }
{ q(func: uid(1)) { plain@en } }
{ q(func: uid(1)) { nick score ratio visit } }
{ q(func: uid(1)) { alive age height born seen made worth home plain code } }
{ q(func: uid(2)) { alive age height born seen made worth home plain code } }
{ q(func: uid(3)) { born } }
{ q(func: uid(20, 0x20, 0x21, 0x22)) { made } }
{ q(func: uid(5)) { name } }
{ q(func: uid(8)) { name note } }
{ q(func: uid(1)) { unknown } }
{ q(func: uid(1)) { uid unknown { uid } } }
{ q(func: uid(1)) { } }
{ q(func: uid(1)) }
{ q(func: uid(1)) { friend } }
{ q(func: uid(1)) { friend { } } }
{ q(func: uid(1)) { name { uid } } }
{ q(func: uid(1)) { friend { uid } } }
{ q(func: uid(1)) { friend { name friend { name } } } }
{ q(func: uid(1)) { boss { name boss { name } } ~boss { name } } }
{ q(func: uid(6)) { ~boss { uid ~boss { uid } } } }
{ q(func: uid(1)) { f: friend { u: uid n: name } } }
{ q(func: uid(1)) { <friend> { <name> } } }
{ q(func: uid(1)) { ~likes { uid } } }
{ q(func: uid(1)) { ~name { uid } } }
{ q(func: uid(1)) { dgraph.type uid } }
{ q(func: uid(1)) { friend { dgraph.type } } }
{ q(func: has(age), orderasc: age) { uid age } }
{ q(func: has(age), orderdesc: age) { uid age } }
{ q(func: has(name), orderasc: age) { uid age } }
{ q(func: has(name), orderdesc: age) { uid age } }
{ q(func: has(age), orderasc: age, orderdesc: name) { name age } }
{ q(func: has(age), orderdesc: age, orderasc: height) { name age height } }
{ q(func: has(name), orderasc: name) { name } }
{ q(func: has(name), orderdesc: name) { name } }
{ q(func: has(name), orderasc: name@de) { name@de } }
{ q(func: has(name@de), orderdesc: name@de) { name@de } }
{ q(func: has(name), orderasc: name, orderasc: name) { name } }
{ q(func: has(plain), orderasc: plain) { uid plain } }
{ q(func: has(plain), orderdesc: plain, first: 2) { uid plain } }
{ q(func: has(born), orderasc: born) { born } }
{ q(func: has(seen), orderdesc: seen) { seen } }
{ q(func: has(worth), orderasc: worth) { worth } }
{ q(func: has(height), orderasc: height) { height } }
{ q(func: has(alive), orderasc: alive) { alive } }
{ q(func: has(nick), orderasc: nick) { uid nick } }
{ q(func: has(friend), orderasc: friend) { uid } }
{ q(func: has(home), orderasc: home) { uid } }
{ q(func: has(age), orderasc: unknown) { uid } }
{ q(func: has(age), orderasc: uid) { uid } }
{ q(func: has(age), orderasc: age, first: 3) { uid age } }
{ q(func: has(age), orderasc: age, first: 3, offset: 2) { uid age } }
{ q(func: has(age), orderasc: age, offset: 5) { uid age } }
{ q(func: has(age), orderasc: age, offset: 50) { uid age } }
{ q(func: has(age), orderasc: age, first: -2) { uid age } }
{ q(func: has(age), orderdesc: age, first: 2, after: 0x3) { uid age } }
{ q(func: has(age), first: 3) { uid } }
{ q(func: has(age), first: 0) { uid } }
{ q(func: has(age), first: -3) { uid } }
{ q(func: has(age), first: -3, offset: 1) { uid } }
{ q(func: has(age), first: 3, offset: 2) { uid } }
{ q(func: has(age), offset: 6) { uid } }
{ q(func: has(age), offset: -1) { uid } }
{ q(func: has(age), after: 0x4) { uid } }
{ q(func: has(age), first: 2, after: 0x2) { uid } }
{ q(func: has(age), first: 2, after: 0x2, offset: 1) { uid } }
{ q(func: has(age), after: 0xffff) { uid } }
{ q(func: has(age), after: 2) { uid } }
{ q(func: has(age), first: x) { uid } }
{ q(func: has(age), first: 1, first: 2) { uid } }
{ q(func: uid(1)) { friend(first: 2) { uid } } }
{ q(func: uid(1)) { friend(first: -1) { uid } } }
{ q(func: uid(1)) { friend(offset: 1, first: 2) { uid } } }
{ q(func: uid(1)) { friend(after: 0x3) { uid } } }
{ q(func: uid(1)) { friend(orderasc: name) { name } } }
{ q(func: uid(1)) { friend(orderdesc: age, first: 2) { name age } } }
{ q(func: uid(1)) { friend(orderasc: age, orderdesc: name) { name age } } }
{ q(func: uid(1, 2)) { friend(orderdesc: height) @filter(has(height)) { name height } } }
{ q(func: uid(1)) { friend @filter(gt(age, 26)) (first: 1) { uid } } }
{ q(func: uid(1)) { friend (first: 1) @filter(gt(age, 26)) { uid age } } }
{ q(func: uid(1)) { nick(first: 1) } }
{ q(func: uid(1)) { nick(first: -1) score(offset: 1) } }
{ q(func: has(name), first: 3) @filter(has(age)) { uid } }
{ q(func: has(name), orderasc: name, first: 3) @filter(has(age)) { uid } }
{ q(func: type(Person)) { count(friend) } }
{ q(func: type(Person)) { uid count(friend) c: count(nick) count(~friend) } }
{ q(func: type(Person)) { count(friend @filter(gt(age, 30))) } }
{ q(func: type(Person)) { c: count(friend) @filter(gt(age, 30)) } }
{ q(func: type(Person)) { count(name) count(boss) count(likes) count(nowhere) } }
{ q(func: type(Person)) { count(uid) } }
{ q(func: type(Person)) { count(uid) name } }
{ q(func: type(Person)) { total: count(uid) } }
{ q(func: type(Nothing)) { count(uid) } }
{ q(func: uid(1)) { friend { count(uid) } } }
{ q(func: uid(1, 9)) { uid friend { n: count(uid) } } }
{ q(func: uid(1)) { friend { count(uid) name } } }
{ q(func: uid(1)) { friend(first: 2) { count(uid) } } }
{ q(func: has(age), first: 2) { count(uid) } }
{ q(func: uid(1)) @cascade { name nick } }
{ q(func: type(Person)) @cascade { uid name height } }
{ q(func: type(Person)) @cascade { name friend { name height } } }
{ q(func: type(Person)) @cascade(name) { name friend { name height } } }
{ q(func: type(Person)) @cascade(friend) { uid friend @cascade(height) { name height } } }
{ q(func: type(Person)) @cascade(name, height) { name height friend { name alive } } }
{ q(func: type(Person)) { uid friend @cascade { name height } } }
{ q(func: type(Person), first: 2) @cascade { name alive } }
{ q(func: type(Person), first: 2, offset: 1) @cascade { name alive } }
{ q(func: type(Person)) { name friend(first: 1) @cascade { name alive } } }
{ q(func: type(Person)) @cascade { name friend(first: 1, offset: 1) { name } } }
{ q(func: type(Person)) @cascade { uid friend @filter(eq(age, 0)) { uid } } }
{ q(func: type(Person)) @cascade(unknown) { uid name } }
{ q(func: type(Person)) @cascade { uid count(friend) } }
{ q(func: type(Person), orderdesc: age) @cascade { uid age nick } }
{ q(func: uid(1)) @normalize { n: name friend { f: name } } }
{ q(func: uid(1, 2)) @normalize { n: name friend { f: name boss { b: name } } } }
{ q(func: uid(1)) @normalize { name friend { f: name } } }
{ q(func: uid(1)) @normalize { name friend { name } } }
{ q(func: uid(1)) @normalize { n: name friend { f: name } likes { l: name } } }
{ q(func: uid(1, 2)) @normalize { u: uid friend { f: uid c: count(friend) } } }
{ q(func: uid(1)) { name friend @normalize { f: name friend { g: name } } } }
{ q(func: type(Person)) @normalize @cascade { n: name friend { f: height } } }
{ q(func: uid(1)) @normalize { n: name k: nick } }
{ q(func: uid(1)) @recurse(depth: 3, loop: maybe) { name friend }
{ q(func: uid(1)) @recurse(depth: -1) { name friend }
{ q(func: uid(1)) @ignorereflex { name friend { name friend { name } } } }
{ q(func: uid(1, 5)) @ignorereflex { uid friend { uid friend { uid friend { uid } } } } }
{ q(func: type(Person)) @groupby(age) { count(uid) } }
{ q(func: type(Person)) @groupby(alive) { count(uid) } }
{ q(func: type(Person)) @groupby(age, alive) { count(uid) } }
{ q(func: type(Person)) @groupby(a: age) { n: count(uid) } }
{ q(func: type(Person)) @groupby(boss) { count(uid) } }
{ q(func: type(Person)) @groupby(name) { count(uid) } }
{ q(func: type(Person)) @groupby(name@de) { count(uid) } }
{ q(func: type(Person)) @groupby(nick) { count(uid) } }
{ q(func: type(Person)) @groupby(born) { count(uid) } }
{ q(func: type(Film)) @groupby(genre) { count(uid) } }
{ q(func: uid(1)) { friend @groupby(age) { count(uid) } } }
{ q(func: uid(1, 2)) { uid friend @groupby(age) { count(uid) } } }
{ var(func: type(Person)) { h as height } q(func: type(Person)) @groupby(age) { count(uid) min(val(h)) max(val(h)) sum(val(h)) avg(val(h)) } }
{ var(func: type(Film)) @groupby(genre) { c as count(uid) } q(func: uid(c), orderdesc: val(c)) { name val(c) } }
{ var(func: type(Person)) { friend @groupby(boss) { c as count(uid) } } q(func: uid(c)) { name n: val(c) } }
{ q(func: type(Person)) @groupby(age) { name } }
{ q(func: type(Person)) @groupby(age) { sum(height) } }
{ q(func: type(Person)) @groupby(unknown) { count(uid) } }
{ q(func: type(Person)) @groupby() { count(uid) } }
{ q(func: type(Person)) @groupby(plain) { count(uid) } }
{ q(func: uid(1)) { expand(_all_) } }
{ q(func: uid(1)) { uid expand(_all_) { uid } } }
{ q(func: uid(1)) { expand(Person) } }
{ q(func: uid(1)) { expand(Person) { name } } }
{ q(func: uid(1)) { expand(Person, Film) { name } } }
{ q(func: uid(1)) { expand(Nothing) } }
{ q(func: uid(6)) { expand(_all_) } }
{ q(func: uid(8)) { expand(_all_) } }
{ q(func: uid(1)) { name expand(_all_) } }
{ q(func: uid(0x20)) { expand(_all_) { expand(_all_) } } }
{ q(func: uid(1)) { expand(_all_) @filter(type(Person)) { name } } }
{ q(func: uid(1)) { expand(_forward_) { uid } } }
{ q(func: uid(1)) { expand(_reverse_) { uid } } }
{ q(func: uid(1)) { ...f } } fragment f { name age }
{ q(func: uid(1)) { ...f friend { ...f } } } fragment f { name ...g } fragment g { age }
{ q(func: uid(1)) { ...f } } fragment f { ...g } fragment g { ...f }
{ q(func: uid(1)) { ...nope } }
{ q(func: uid(1)) { name } } fragment f { name }
{ q(func: uid(1)) { ...f } } fragment f { friend { uid } } fragment f { name }
{ q(func: uid(1)) { name } r(func: uid(2)) { name } }
{ q(func: uid(1)) { name } q(func: uid(2)) { name } }
{ q(func: eq(name, "none")) { name } }
{ q(func: eq(name, "none")) { name } r(func: uid(2)) { name } }
{ q(func: uid(1, 2)) { Name: name Age: age } }
{ me() { name } }
{ q(func: uid(1)) { "name" } }
{ q(func: uid(1)) { name, age, friend { uid, name } } }
{ # a comment
query { q(func: uid(1)) { name } }
query q { q(func: uid(1)) { name } }
query q() { q(func: uid(1)) { name } }
{ q(func: uid(1)) { _uid_ name } }
{ q(func: uid(1)) { uid uid } }
{ q(func: uid(1)) { friend { uid } friend { name } } }
{ q(func: uid(1)) { friend { uid } f: friend { name } } }
{ q(func: uid(1)) { friend @filter(eq(age, 25)) { uid } friend @filter(eq(age, 40)) { uid } } }
""".strip().splitlines()
