"""Makes what train.mjs reads: build/train.jsonl, build/gazetteer.tsv and build/clusters.tsv.

usage: prepare.py DATA BUILD [--gathered FOLDER] [--hold-out N]

DATA is the folder of the corpora, BUILD is made. FOLDER has what gather.py made, of which its part `train` is learnt. With --hold-out, a part of every source goes to
build/held.<part>.jsonl in the form score.py reads, and is not trained on: of fold N (0, 1 or 2) whole sources of
English text (`unseen`), a tenth of every other corpus (`news`, `clinical`), and half of the templates of the
development files, and every third set of the lines of strangers (`lines`). Over the three folds each English source is unseen once. The same arguments give the same bytes.
"""
import argparse
import collections
import hashlib
import json
import os
import random
import re
import sys

import clusters
import corpora
import gazetteer
import lines
import synthesis

SEED = 20240601
HELD_SHARE = 0.1
"""The English sources that a fold leaves out whole, by the beginnings of their names."""
UNSEEN = [("wikigold", "wnut17"), ("crossner",), ("btc",)]
REPEAT_TEMPLATES = 30
LARGE_SOURCES = {"ler-dev": 0.35, "europeana-bnf": 0.6, "europeana-lft": 0.4}
"""Of the text that gather.py made: how much of a source is learnt, and how often with other names in it, too."""
SHARES = {"litbank": 0.6, "europeana-kb-train": 0.6, "newseye-sv": 0.7, "newseye-fr": 0.7, "mobie-train": 0.6, "nkjp-train": 0.6}
SWAPPED = 0.4
"""Sources that do not tell whose names their proper nouns are."""
UNSORTED = ("ud-", "wikinews-")
"""Texts before one in its source that tell the surnames of those whom it speaks of."""
REMEMBERED = 12
"""Old print and posts whose annotators passed over names: there, a full name without a mark counts neither way."""
UNEVEN = {"europeana-kb-train", "europeana-lft", "newseye-sv", "mobie-train", "smartdata"}
FULL_NAME = re.compile(r"([A-ZÀ-Ž][\w'-]+)(?: [A-ZÀ-Ž][\w'-]+)+")


def swap(sentence, kind, choose):
    """The same sentence with other names in it."""
    out, at = [], 0
    while at < len(sentence):
        if sentence[at][1] != f"B-{kind}":
            out.append(sentence[at])
            at += 1
            continue
        end = at + 1
        while end < len(sentence) and sentence[end][1] == f"I-{kind}":
            end += 1
        words = choose(end - at).split()
        out += [(word, ("B-" if i == 0 else "I-") + kind) for i, word in enumerate(words)]
        at = end
    return out


class Preparation:
    def __init__(self, data, hold_out):
        self.data = data
        self.hold_out = hold_out
        self.random = random.Random(SEED)
        self.rows = []
        self.held = collections.defaultdict(list)
        self.synthesis = synthesis.Synthesis(SEED)
        self.surnames = collections.defaultdict(lambda: collections.deque(maxlen=REMEMBERED))

    def add(self, language, text, spans, source):
        if source in UNEVEN:
            spans = sorted(spans + self.unmarked_names(text, spans))
        self.rows.append({"l": language, "t": text, "s": spans, "o": source})

    def unmarked_names(self, text, spans):
        found = [one for one in FULL_NAME.finditer(text) if one[1] in self.synthesis.common_names]
        return [
            [one.start(), one.end(), "_IGNORE"] for one in found
            if not any(start < one.end() and end > one.start() for start, end, _ in spans)
        ]

    def add_with_case(self, language, text, spans, source, lower=0.1, upper=0.03):
        self.add(language, text, spans, source)
        chance = self.random.random()
        changed = text.lower() if chance < lower else text.upper() if chance < lower + upper else text
        if changed != text and len(changed) == len(text):
            self.add(language, changed, spans, source)

    def news(self):
        by_source = collections.defaultdict(list)
        for language, sentence, source in corpora.read_news(self.data):
            by_source[source].append((language, sentence))
        for source, found in by_source.items():
            part, held, learnt = self.parted(source, found)
            for language, sentence in held:
                self.keep_held(part, language, *corpora.join(sentence), source)
            for language, sentence in learnt:
                if self.random.random() < LARGE_SOURCES.get(source, 1):
                    self.news_sentence(language, sentence, source)

    def parted(self, source, found):
        """What is held out of a source, and as what, and what is learnt from: (part, held, learnt)."""
        if self.hold_out is None:
            return "news", [], found
        if source.startswith(UNSEEN[self.hold_out]):
            return "unseen", found, []
        start = round(len(found) * (1 - HELD_SHARE * (self.hold_out + 1)))
        end = start + round(len(found) * HELD_SHARE)
        return "news", found[start:end], found[:start] + found[end:]

    def news_sentence(self, language, sentence, source):
        pick, make = self.random, self.synthesis
        self.add_with_case(language, *corpora.join(sentence), source)
        has_person = any(tag == "B-PER" for _, tag in sentence)
        has_place = any(tag == "B-LOC" for _, tag in sentence)
        person = lambda n: make.last_name(language) if n == 1 and pick.random() < 0.6 else (
            make.first_name(language) if n == 1 else make.person(language))
        place = lambda n: make.city(language) if pick.random() < 0.6 else make.country(language)
        if has_person and pick.random() < 0.5:
            self.add(language, *corpora.join(swap(sentence, "PER", person)), source)
        if has_place and pick.random() < 0.5:
            self.add(language, *corpora.join(swap(swap(sentence, "PER", person), "LOC", place)), source)

    def gathered(self, folder):
        known = corpora.tagged()
        for name in sorted(os.listdir(f"{folder}/train")):
            source = name.removesuffix(".jsonl")
            with open(f"{folder}/train/{name}", encoding="utf-8") as file:
                for line in file:
                    if self.random.random() < SHARES.get(source, 1):
                        row = json.loads(line)
                        self.gathered_text(row["language"], row["text"], row["spans"], source, known)

    def gathered_text(self, language, text, spans, source, known):
        spans = [[s["start"], s["end"], s["entity_type"]] for s in spans]
        spans = corpora.told_by_lists(language, text, spans, known[language], self.synthesis)
        if source.startswith(UNSORTED):
            spans = self.remembered(source, text, spans)
        self.add_with_case(language, text, spans, source)
        has_names = any(kind in ("PERSON", "LOCATION") for *_, kind in spans)
        if has_names and self.random.random() < SWAPPED:
            self.add(language, *lines.swapped(language, text, spans, self.synthesis), source)

    def remembered(self, source, text, spans):
        """The same spans. Who was named in full in this text, or in one shortly before it, is a person by the surname alone, too."""
        recent = self.surnames[source]
        recent.append({
            text[start:end].split()[-1] for start, end, kind in spans if kind == "PERSON" and " " in text[start:end]
        })
        known = set().union(*recent)
        out = []
        for start, end, kind in spans:
            if text[start:end] in known:
                kind = {"NAME": "PERSON", "_IGNORE": "PERSON", "LOCATION": "_IGNORE"}.get(kind, kind)
            out.append([start, end, kind])
        return out

    def clinical(self):
        found = list(corpora.read_spans(f"{self.data}/corpora/meddocan.es.train.jsonl.gz", "meddocan"))
        _, held, learnt = self.parted("meddocan", found)
        self.held["clinical"] += [row for *_, row in held]
        for language, text, spans, source, _ in learnt:
            self.add_with_case(language, text, spans, source)

    def development(self, name):
        found = list(corpora.read_spans(f"{self.data}/{name}.jsonl", name))
        templates = templates_of([row for *_, row in found], name)
        for (language, text, spans, source, row), template in zip(found, templates):
            if self.hold_out is not None and fold_of(template) == self.hold_out % 2:
                self.held[name].append(row)
            else:
                self.add_with_case(language, text, spans, source)

    def strangers(self):
        sets = []
        for name, language, text, spans in lines.read_lines():
            if name not in sets:
                sets.append(name)
            if self.hold_out is not None and sets.index(name) % len(UNSEEN) == self.hold_out:
                self.keep_held("lines", language, text, spans, lines.SOURCE)
                continue
            language = language if language in synthesis.LOCALES else "en"
            self.add_with_case(language, text, spans, lines.SOURCE, lines.LOWER)
            for _ in range(lines.SWAPS if any(kind != "NRP" for *_, kind in spans) else 0):
                self.add_with_case(language, *lines.swapped(language, text, spans, self.synthesis), lines.SOURCE, lines.LOWER)

    def keep_held(self, part, language, text, spans, source):
        spans = [{"start": a, "end": b, "entity_type": t} for a, b, t in spans if t in ("PERSON", "LOCATION", "NRP")]
        number = len(self.held[part])
        self.held[part].append({"id": f"{source}-{number}", "text": text, "language": language, "source": source, "spans": spans})

    def run(self, gathered):
        if gathered is not None:
            self.gathered(gathered)
        self.news()
        self.clinical()
        for row in self.synthesis.all(REPEAT_TEMPLATES):
            self.add_with_case(*row)
        self.development("dev")
        self.development("chat.dev")
        self.strangers()


def skeleton_of(row):
    """The words of a line that are no part of a span, each span as its type."""
    line, at = "", 0
    for span in sorted(row["spans"], key=lambda s: s["start"]):
        line += row["text"][at:span["start"]] + " {" + span["entity_type"] + "} "
        at = span["end"]
    return re.sub(r"\d+|\{LOCATION\}|\{_IGNORE\}|\bnan\b|[^\w{}]+", " ", line + row["text"][at:]).lower().split()


def templates_of(rows, name):
    """A key for each row, the same for all lines of one template.

    Lines of the synthetic file differ in names of companies too, which are in no span. So lines are of one template
    when they share a third of the four-word pieces of the shorter one, directly or through others.
    """
    if name == "chat.dev":
        return [row["id"].rsplit("-", 1)[0] for row in rows]
    skeletons = [skeleton_of(row) for row in rows]
    pieces = [{" ".join(words[i:i + 4]) for i in range(max(1, len(words) - 3))} for words in skeletons]
    root = list(range(len(rows)))

    def find(i):
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    seen = collections.defaultdict(list)
    for i, own in enumerate(pieces):
        shared = collections.Counter(j for piece in own for j in seen[piece])
        for j, count in shared.items():
            if count * 3 >= min(len(own), len(pieces[j])):
                root[find(i)] = find(j)
        for piece in own:
            seen[piece].append(i)
    keys = {}
    for i, words in enumerate(skeletons):
        key = " ".join(words)
        keys[find(i)] = min(keys.get(find(i), key), key)
    return [keys[find(i)] for i in range(len(rows))]


def fold_of(template):
    """Lines of one template are in one fold."""
    return hashlib.sha256(f"fold {template}".encode()).digest()[0] % 2


def write(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def fix_hash_seed():
    """Some lists of Faker come from sets, whose order changes with the seed of Python's hashes."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("data")
    arguments.add_argument("build")
    arguments.add_argument("--gathered")
    arguments.add_argument("--hold-out", type=int, choices=range(len(UNSEEN)))
    given = arguments.parse_args()
    os.makedirs(given.build, exist_ok=True)
    preparation = Preparation(given.data, given.hold_out)
    preparation.run(given.gathered)
    write(f"{given.build}/train.jsonl", preparation.rows)
    for part, rows in preparation.held.items():
        write(f"{given.build}/held.{part}.jsonl", rows)
    with open(f"{given.build}/gazetteer.tsv", "w", encoding="utf-8") as file:
        for name, entry in gazetteer.rows():
            file.write(f"{name}\t{entry}\n")
    with open(f"{given.build}/clusters.tsv", "w", encoding="utf-8") as file:
        for language, word, path in clusters.rows():
            file.write(f"{language}\t{word}\t{path}\n")
    count = collections.Counter(row["o"] for row in preparation.rows)
    print(len(preparation.rows), "sentences", dict(count))


if __name__ == "__main__":
    fix_hash_seed()
    main()
