"""Brown clusters of words: words that stand among the same words share a cluster, and near clusters a path.

The clusters are those of the package spacy-lookups-data, made of much unlabelled text in English, German and Spanish.
A path is a number whose lowest bit is the first branch of the tree.
"""
import gzip
import importlib.util
import json
import os
import re

WORDS = {"en": 160_000, "de": 180_000, "es": 90_000}
WORD = re.compile(r"[^\W\d_]+")


def rows():
    """(language, word, path) of the most frequent words that have a cluster, most frequent first."""
    folder = os.path.join(os.path.dirname(importlib.util.find_spec("spacy_lookups_data").origin), "data")
    for language, count in WORDS.items():
        with gzip.open(os.path.join(folder, f"{language}_lexeme_cluster.json.gz")) as file:
            paths = json.load(file)
        found = 0
        for word, path in paths.items():
            if path == 0 or not WORD.fullmatch(word):
                continue
            yield language, word, path
            found += 1
            if found == count:
                break
