"""Treebanks of Universal Dependencies: which words are proper nouns is known there, and in one of them whose names."""
import re

from .tagged import join, tidy


def blocks(files):
    """(id, text, [(form, part of speech, last column)]) of each sentence, by the words as they are written."""
    for _, content in files:
        for block in content.split("\n\n"):
            name, text, words, until = "", "", [], 0
            for line in block.splitlines():
                if line.startswith("# sent_id = "):
                    name = line[12:].strip()
                elif line.startswith("# text = "):
                    text = line[9:]
                if line.startswith("#") or "\t" not in line:
                    continue
                number, form, _, pos, *rest = line.split("\t")
                if "." in number:
                    continue
                if "-" in number:
                    until = int(number.split("-")[1])
                    words.append([form, "", rest[-1]])
                elif int(number) <= until:
                    words[-1][1] = "PROPN" if "PROPN" in (pos, words[-1][1]) else words[-1][1] or pos
                    words[-1][2] += "|" + rest[-1]
                else:
                    words.append([form, pos, rest[-1]])
            if words and text:
                yield name, text, words


def placed(text, words):
    """[(start, end, part of speech, last column)] of words that stand in the text, or None."""
    found, at = [], 0
    for form, pos, more in words:
        start = text.find(form, at)
        if start < 0 or start - at > 3:
            return None
        at = start + len(form)
        found.append((start, at, pos, more))
    return found


def named_words(files):
    """(id, text, words) of sentences whose words stand in their text."""
    for name, text, words in blocks(files):
        found = placed(text, words)
        if found is None:
            text, _ = join([(form, None) for form, *_ in words])
            found = placed(text, words)
        yield name, text, found or []


def marks_thing(text, found, i):
    """A capital by itself, of a noun, between small words: a body, an office or a term (`the Commission`), which is no place and nobody."""
    start, end, pos, _ = found[i]
    beside = [found[j] for j in (i - 1, i + 1) if 0 <= j < len(found)]
    return pos == "NOUN" and not any(text[other].isupper() or kind == "PROPN" for other, _, kind, _ in beside)


DOUBTFUL = ("NOUN", "ADJ", "X", "NUM", "VERB")


def is_doubtful(text, start, pos, is_first, kinds):
    """A capital where nothing begins, of no proper noun: part of a name, or not."""
    return text[start].isupper() and not is_first and pos in kinds and len(text) > start + 1


def german_treebank(files):
    """The same of a language that writes all nouns with a capital."""
    return treebank(files, DOUBTFUL[1:])


def treebank(files, doubtful=DOUBTFUL):
    """Proper nouns as NAME (of somebody or something), nouns with a capital as THING, doubtful capitals as _IGNORE."""
    for _, text, words in blocks(files):
        if " ," in text:
            text, _ = join([(form, None) for form, *_ in words])
        found = placed(text, words)
        if found is None:
            continue
        spans, is_first = [], True
        for i, (start, end, pos, _) in enumerate(found):
            if pos == "PROPN":
                if spans and spans[-1][2] == "NAME" and not text[spans[-1][1]:start].strip(" -'’."):
                    spans[-1][1] = end
                else:
                    spans.append([start, end, "NAME"])
            elif is_doubtful(text, start, pos, is_first, doubtful):
                spans.append([start, end, "THING" if marks_thing(text, found, i) else "_IGNORE"])
            is_first = pos == "PUNCT" and text[start:end] not in (",", ";", "-", "'", "’")
        yield text, spans


OPEN = re.compile(r"\((\d+)-([a-z]+)([^()]*)(\)?)|(\d+)\)")


def entities(words):
    """(first, last, type) of what is spoken of, by the words."""
    open_ones, found = {}, []
    for i, (*_, more) in enumerate(words):
        for value in re.findall(r"Entity=([^|]*)", more):
            for one in OPEN.finditer(value):
                if one[5] is not None:
                    first = open_ones.get(one[5], [])
                    if first:
                        found.append((*first.pop(), i))
                elif one[4]:
                    found.append((i, one[2], i))
                else:
                    open_ones.setdefault(one[1], []).append((i, one[2]))
    return [(first, last, kind) for first, kind, last in found]


GUM = {"person": "PERSON", "place": "LOCATION", "time": None}


def gum(files):
    """Proper nouns with the type of the smallest thing they speak of; of bodies with a name of several words, all of it."""
    for _, text, words in named_words(files):
        things = sorted(entities(words), key=lambda one: one[1] - one[0])
        kinds = [None] * len(words)
        for i, (_, _, pos, _) in enumerate(words):
            if pos != "PROPN":
                continue
            kind = next((kind for first, last, kind in things if first <= i <= last), "organization")
            kinds[i] = GUM.get(kind, "OTHER")
        for first, last, kind in things:
            while first < last and words[first][2] == "DET":
                first += 1
            is_name = words[first][2] == "PROPN" and words[last][2] == "PROPN"
            if kind == "organization" and is_name and last - first < 7:
                kinds[first:last + 1] = ["OTHER"] * (last + 1 - first)
        spans = []
        for (start, end, *_), kind in zip(words, kinds):
            if kind is not None and spans and spans[-1] and spans[-1][2] == kind and not text[spans[-1][1]:start].strip(" -."):
                spans[-1][1] = end
            else:
                spans.append(None if kind is None else [start, end, kind])
        yield text, tidy(text, spans)
