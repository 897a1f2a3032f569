"""The lines that strangers wrote for the tests (lines/learnt.jsonl), as they are and with other names in them."""
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = f"{HERE}/lines/learnt.jsonl"
SOURCE = "lines"
TYPES = ("PERSON", "LOCATION", "NRP")
"""How often each line is learnt again with other names."""
SWAPS = 2
"""The share of lines that are learnt in small letters, too."""
LOWER = 0.4
SHORTEST = 3
FIRST_NAMES, OTHER_TOWNS = 0.65, 0.7


def read_lines():
    """(set, language, text, spans), spans as [start, end, type] in code points."""
    with open(PATH, encoding="utf-8") as file:
        for line in file:
            name, language, text, spans = json.loads(line)
            points = [point for point, sign in enumerate(text) for _ in range(2 if ord(sign) > 0xFFFF else 1)] + [len(text)]
            found = [[points[start], points[end], kind] for kind, start, end in spans if kind in TYPES and end - start > 1]
            yield name, language, text, sorted(found)


def in_case_of(old, new):
    if old.islower():
        return new.lower()
    return new.upper() if old.isupper() and len(old) > 2 else new


def is_plain(value):
    """One or more words of letters, hyphens, apostrophes and stops."""
    return len(value) >= SHORTEST and all(sign.isalpha() or sign in " -.'’" for sign in value)


def other_name(language, value, make):
    words = len(value.split())
    if not is_plain(value) or words > 2:
        return value
    if words == 2:
        return f"{make.first_name(language)} {make.last_name(language)}"
    return make.first_name(language) if make.random.random() < FIRST_NAMES else make.last_name(language)


def swapped(language, text, spans, make):
    """The same line with other names and towns of the same form: (text, spans)."""
    out, at, found = "", 0, []
    for start, end, kind in spans:
        out += text[at:start]
        at = end
        value = text[start:end]
        new = value
        if kind == "PERSON":
            new = in_case_of(value, other_name(language, value, make))
        elif kind == "LOCATION" and value.isalpha() and make.random.random() < OTHER_TOWNS:
            new = in_case_of(value, make.city(language))
        found.append([len(out), len(out) + len(new), kind])
        out += new
    return out + text[at:], found
