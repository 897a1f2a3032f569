"""Reads the annotated corpora: (language, text, spans, source), spans as [start, end, type] in code points."""
import gzip
import json
import re

import gazetteer

NO_SPACE_BEFORE = re.compile(r"[,.;:!?%)\]}]+|'s|n't|'re|'ve|'ll|'m|'d|’s|\.\.\.")
TYPES = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "OTHER", "MISC": "OTHER", "NRP": "NRP"}
# Share-alike: left out.
LEFT_OUT = {"uner-ewt-dev"}
# Words that are nationalities or creeds only sometimes: nothing is concluded from the word alone.
AMBIGUOUS = set(
    "liberal liberals conservative conservatives democratic labour orthodox pole poles kiwi kiwis pagan roma finn "
    "turk dane danes swede scot indio india indios ateo latino latina latinos chino china conservador conservadora "
    "conservadores ortodoxo libéral libérale conservateur orthodoxe normand basque corse persan christ inder ire "
    "schotte liberale conservatrice hindu malay jain turquía suisse argentine argentina brasil corsica georgian".split()
)


def sentences(path):
    """[(word, tag)] and the name of its source, sentence by sentence."""
    source, sentence = "", []
    for line in gzip.open(path, "rt", encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("# ") and "\t" not in line:
            source = line[2:]
        elif not line:
            if sentence:
                yield source, sentence
            sentence = []
        else:
            word, tag = line.split("\t")
            follows_at = bool(sentence) and sentence[-1][0] == "@"
            is_handle = word.startswith("@") or follows_at
            sentence.append((word, "O" if is_handle else tag))
    if sentence:
        yield source, sentence


def join(sentence):
    """Text and spans of a list of tagged words, spaced as people write."""
    text, spans, in_quotes = "", [], False
    for word, tag in sentence:
        space = " " if text else ""
        if NO_SPACE_BEFORE.fullmatch(word) or (text and text[-1] in "([{$#@"):
            space = ""
        if word in ('"', "``", "''"):
            word = '"'
            space = "" if in_quotes or not text else " "
            in_quotes = not in_quotes
        elif text.endswith('"') and in_quotes:
            space = ""
        start = len(text) + len(space)
        text += space + word
        if tag.startswith("B") or (tag.startswith("I") and not spans):
            spans.append([start, len(text), TYPES[tag[2:]]])
        elif tag.startswith("I"):
            spans[-1][1] = len(text)
    return text, spans


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


def read_news(folder):
    known = tagged()
    for language in ("en", "de", "fr"):
        for source, sentence in sentences(f"{folder}/corpora/ner.{language}.tsv.gz"):
            if source not in LEFT_OUT:
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
