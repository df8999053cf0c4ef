"""Orders of languages: the same words in each, with and without an index.

Left out are languages in which CLDR has changed the order of these words since the version that Dgraph has, and words of
several scripts, which it did not order by the language's own.
"""

from peer.requests import add, query

LANGUAGES = "af ar be bg ca cs cy de el en eo es et fa fil fr gu he hi hr hy is it ja kn ko lt ml mr nl pa pl pt ro ru si sk sl sq sv ta te tr uk ur vi yo zh zh-Hant".split()
LATIN = """cote coté côte côté Cote a A aa å ä Äpfel ae æ b c ch č ć ç d đ dz dž e é ë f g ğ gy h i ı I İ j k l ll lj ł m n nj ny ñ o ó ö ő ø œ p q r ř
s ss ß š ş sz t ț u ú ü ű v w x y ý z zs ž þ 1 2 10 a-b ab""".split()
CYRILLIC = "и й е ё я а б Б А Я 1 2".split()


def cases():
    found = []
    for language, words in [(language, LATIN) for language in LANGUAGES] + [(language, CYRILLIC) for language in ("ru", "uk", "bg")]:
        quads = "".join(f'<{0x100 + number:#x}> <{predicate}> "{word}"@{language} .\n' for number, word in enumerate(words) for predicate in ("name", "title"))
        asked = [query(f"{{ q(func: has({predicate}@{language}), orderasc: {predicate}@{language}, first: 200) {{ {predicate}@{language} }} }}") for predicate in ("name", "title")]
        asked.append(query(f"{{ q(func: has(name@{language}), orderdesc: name@{language}, first: 5, offset: 2) {{ name@{language} }} }}"))
        found.append((f"the order of {language}, {words[0]}", [add(quads), *asked]))
    return found
