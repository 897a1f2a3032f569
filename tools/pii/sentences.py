"""The sentences of the corpora that are tagged word by word, as text with spans.

usage: sentences.py FILE SOURCE

Prints the people and places of one source of FILE (a .tsv.gz), one JSON object a line, in the form score.py reads.
"""
import gzip
import json
import re
import sys

NO_SPACE_BEFORE = re.compile(r"[,.;:!?%)\]}]+|'s|n't|'re|'ve|'ll|'m|'d|’s|\.\.\.")
TYPES = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "OTHER", "MISC": "OTHER", "NRP": "NRP"}
SCORED = ("PERSON", "LOCATION")


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


def rows(path, wanted):
    """What score.py reads, of the sentences of one source."""
    found = [sentence for source, sentence in sentences(path) if source == wanted]
    for number, sentence in enumerate(found):
        text, spans = join(sentence)
        named = [{"start": a, "end": b, "entity_type": t} for a, b, t in spans if t in SCORED]
        yield {"id": f"{wanted}-{number}", "text": text, "language": "en", "spans": named}


if __name__ == "__main__":
    for row in rows(*sys.argv[1:3]):
        print(json.dumps(row))
