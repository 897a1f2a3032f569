"""Names of a translation: those of the same sentence in languages where people marked them."""
import collections
import difflib
import re
import unicodedata

from babel import Locale

ALIKE = 0.72


def plain(text):
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))


def is_alike(one, other):
    one, other = plain(one), plain(other)
    if one == other:
        return True
    begin = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    if begin >= 4 and begin >= 0.6 * max(len(one), len(other)):
        return True
    return min(len(one), len(other)) > 3 and difflib.SequenceMatcher(None, one, other).ratio() >= ALIKE


def runs(text, words):
    """[start, end] of proper nouns that stand together."""
    found = []
    for start, end, pos, _ in words:
        if pos != "PROPN":
            continue
        if found and not text[found[-1][1]:start].strip(" -'’."):
            found[-1][1] = end
        else:
            found.append([start, end])
    return found


def placed(sentences):
    """Each with the document and the place in it, by which the same sentence is known in every language."""
    counts = collections.Counter()
    for sentence in sentences:
        document = sentence[0][:6]
        counts[document] += 1
        yield (document, counts[document]), sentence


def project(language, sentences, annotated):
    """(text, spans) of each sentence; what no translation tells is _IGNORE. They have the same documents."""
    names = collections.defaultdict(dict)
    for translation in annotated:
        for place, (_, text, spans) in placed(translation):
            for start, end, kind in spans:
                names[place].setdefault(text[start:end], kind)
    countries = set(Locale(language).territories.values())
    for place, (_, text, words) in placed(sentences):
        spans, taken = [], [False] * len(text)

        def take(start, end, kind):
            if not any(taken[start:end]):
                taken[start:end] = [True] * (end - start)
                spans.append([start, end, kind])

        known = sorted(names[place].items(), key=lambda one: -len(one[0]))
        for surface, kind in known:
            for one in re.finditer(rf"(?<!\w){re.escape(surface)}(?!\w)", text):
                if surface[0].isupper():
                    take(*one.span(), kind)
        for start, end in runs(text, words):
            value = text[start:end]
            kind = next((kind for surface, kind in known if is_alike(surface, value)), None)
            if kind is None and value in countries:
                kind = "LOCATION"
            if kind is None:
                kind = "_IGNORE"
            take(start, end, kind)
        for start, end, pos, _ in words:
            if start > 0 and text[start].isupper() and pos in ("NOUN", "ADJ", "X"):
                take(start, end, "_IGNORE")
        yield text, sorted(spans)
