"""Reads the annotated corpora: (language, text, spans, source), spans as [start, end, type] in code points."""
import gzip
import json
import re

import gazetteer
from sentences import join, sentences
from whole_names import whole_names

# Words that are nationalities or creeds only sometimes: nothing is concluded from the word alone.
AMBIGUOUS = set(
    "liberal liberals conservative conservatives democratic labour orthodox pole poles kiwi kiwis pagan roma finn "
    "turk dane danes swede scot indio india indios ateo latino latina latinos chino china conservador conservadora "
    "conservadores ortodoxo libéral libérale conservateur orthodoxe normand basque corse persan christ inder ire "
    "schotte liberale conservatrice hindu malay jain turquía suisse argentine argentina brasil corsica georgian".split()
)


def mark_nationalities(sentence, known):
    """The corpora tag nationalities as MISC, or not at all: single words of the list become NRP."""
    out = []
    for at, (word, tag) in enumerate(sentence):
        follows = sentence[at + 1][1] if at + 1 < len(sentence) else "O"
        is_alone = tag == "O" or (tag == "B-MISC" and not follows.startswith("I"))
        out.append((word, "B-NRP" if is_alone and word in known else tag))
    return out


def tagged():
    """NRP words of each language: the spellings that count as one when they stand in text."""
    return {
        language: {word for word in words if word.lower() not in AMBIGUOUS}
        for language, words in gazetteer.nationalities().items()
    }


WORD = re.compile(r"[^\W\d_]+")


"""What stands before a town that is meant as a place: `a Roma` is one, `la Roma` plays football."""
BEFORE_PLACES = {
    "it": "a ad da di in per presso verso tra fra",
    "es": "a de desde en hacia hasta para por",
    "fr": "à de depuis en vers pour par près",
    "nl": "in te uit naar van bij nabij",
    "de": "in aus nach von bei nahe",
    "pt": "a até de desde em entre para por",
}


"""The articles of languages whose towns have none: `della Roma` and `el Barcelona` are clubs."""
BEFORE_CLUBS = {
    "it": "il lo la al allo alla del dello della dal dallo dalla nel nello nella sul sulla",
    "es": "el la al del",
}
"""Towns that have an article all the same."""
WITH_ARTICLE = set("Aia Aquila Avana Cairo Habana Haya Mecca Meca Paz Plata Pireo Spezia Valletta Valeta".split())


def is_behind(words_by_language, language, before):
    words = WORD.findall(before)
    return bool(words) and before.endswith(" ") and words[-1] in words_by_language.get(language, "").split()


def meant_as(language, name, before):
    """What the text before a town says that it is meant as: LOCATION, OTHER (a club), or None."""
    if is_behind(BEFORE_PLACES, language, before):
        return "LOCATION"
    is_club = is_behind(BEFORE_CLUBS, language, before) and name not in WITH_ARTICLE
    return "OTHER" if is_club else None


CALENDAR = {part for _, words in gazetteer.lexicon("calendar") for word in words for part in WORD.findall(word)}


def is_date(name):
    """Whether a name is a month or a weekday in small letters, which some treebanks call a proper noun."""
    return name.islower() and all(word in CALENDAR for word in WORD.findall(name))


def told_by_lists(language, text, spans, nationalities, make):
    """Spans with nationalities, and with what lists tell of proper nouns that nobody sorted: a country, a body, a full name."""
    if any(kind in ("NAME", "CAPITAL") for *_, kind in spans):
        spans = whole_names(language, text, spans, make)
    out = []
    taken = [False] * (len(text) + 1)
    for start, end, kind in spans:
        taken[start:end] = [True] * (end - start)
        if kind in ("NAME", "CAPITAL"):
            other = {"NAME": "NAME", "CAPITAL": "_IGNORE"}[kind]
            name = text[start:end]
            if is_date(name):
                continue
            kind = make.kind_of(language, name, meant_as(language, name, text[max(0, start - 20):start]), other)
        out.append([start, end, kind])
    for word in WORD.finditer(text):
        if word[0] in nationalities and not any(taken[word.start():word.end()]):
            out.append([word.start(), word.end(), "NRP"])
    return sorted(out)


def read_news(folder):
    known = tagged()
    for language in ("en", "de", "fr"):
        for source, sentence in sentences(f"{folder}/corpora/ner.{language}.tsv.gz"):
            yield language, mark_nationalities(sentence, known[language]), source


def read_spans(path, source):
    """The files that come as text with spans; types that the model does not learn are left untagged."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            spans = [
                [s["start"], s["end"], s["entity_type"]]
                for s in row["spans"]
                if s["entity_type"] in ("PERSON", "LOCATION", "NRP") and s["end"] - s["start"] > 1
            ]
            yield row["language"], row["text"], spans, source, row
