"""One reader for each form of file: takes (name, text) of the files and gives (text, spans)."""
import json
import re

from .tagged import in_text, join, tidy
from .treebanks import gum, treebank  # noqa: F401: readers, too

PERSON, LOCATION, OTHER, NRP, IGNORE = "PERSON", "LOCATION", "OTHER", "NRP", "_IGNORE"
TYPES = {
    **dict.fromkeys(["per", "person", "pers", "pessoa", "prs"], PERSON),
    **dict.fromkeys(["loc", "location", "gpe", "local", "fac", "facility", "geo-loc", "location-city", "location-street", "location-stop"], LOCATION),
    **dict.fromkeys(["org", "organization", "organizacao", "misc", "oth", "other", "corporation", "product", "creative-work", "group"], OTHER),
    **dict.fromkeys(["legislacao", "jurisprudencia", "humanprod", "organization-company", "org-position"], OTHER),
    **dict.fromkeys(["locderiv", "norp"], NRP),
    **dict.fromkeys(["location-route", "perderiv", "orgderiv", "othderiv", "miscderiv", "perpart", "locpart", "orgpart", "othpart", "miscpart"], IGNORE),
}


def tag_of(value):
    """The tag of a value as files have it: `B-PER`, `PER`, `O`."""
    begin, _, kind = value.partition("-")
    if begin not in ("B", "I", "E", "S"):
        begin, kind = "I", value
    kind = TYPES.get(kind.split("#")[0].lower())
    return None if kind is None else ("B" if begin in "BS" else "I", kind)


def sentences(text, split=None):
    """Lists of the columns of each word."""
    sentence = []
    for line in text.splitlines():
        if line.startswith(("-DOCSTART", "# ", "#\t")):
            continue
        columns = line.split(split)
        if not line.strip() or not columns:
            if sentence:
                yield sentence
            sentence = []
        else:
            sentence.append(columns)
    if sentence:
        yield sentence


def columns(word, tag):
    def read(files):
        for _, text in files:
            for rows in sentences(text):
                rows = [row for row in rows if len(row) > 1]
                # Who a message is for is called by a handle, which is no name.
                words = [
                    (row[word], None if row[word].startswith("@") or (i > 0 and rows[i - 1][word] == "@") else tag_of(row[tag]))
                    for i, row in enumerate(rows)
                ]
                if words:
                    yield join(words)
    return read


def nested(files):
    """Of nested names the outer ones."""
    for _, text in files:
        for rows in sentences(text, "\t"):
            yield join([(row[0], tag_of(row[1])) for row in rows if len(row) > 1])


def bare(files):
    """Types without `B` and `I`."""
    for _, text in files:
        for rows in sentences(text):
            words = [(row[0].replace("\xad", "").strip(), None if row[1] in ("0", "O") else tag_of(row[1])) for row in rows if len(row) > 1]
            words = [(word, tag) for word, tag in words if word]
            if words:
                yield join(words)


def germeval(files):
    for _, text in files:
        for rows in sentences(text, "\t"):
            yield join([(row[1], tag_of(row[2])) for row in rows if len(row) > 2])


LONG = 700
SPACE = re.compile(r"\s*")


def smartdata(files):
    """Articles. The shorter documents are posts and reports of traffic, which MobIE has, too."""
    for _, content in files:
        decoder, at = json.JSONDecoder(), 0
        while at < len(content):
            document, at = decoder.raw_decode(content, at)
            at = SPACE.match(content, at).end()
            text = document["text"]["string"] if isinstance(document["text"], dict) else document["text"]
            if len(text) < LONG:
                continue
            marks = document["conceptMentions"]
            spans = [
                [mark["span"]["start"], mark["span"]["end"], TYPES[mark["type"]]]
                for mark in (marks["array"] if isinstance(marks, dict) else marks) if mark["type"] in TYPES
            ]
            yield text, tidy(text, outer(spans))


def outer(spans):
    """Without those that stand in others: a town in the name of a body."""
    kept = []
    for span in sorted(spans, key=lambda one: (one[0], -one[1])):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def mobie(files):
    for _, text in files:
        for rows in sentences(text, "\t"):
            yield join([(row[0], tag_of(row[-1])) for row in rows])


LONGEST = 60
STOP = re.compile(r"[.!?]+")


def stretches(words):
    """Running text in pieces that end with a sentence, as far as one ends in time."""
    piece = []
    for word, tag in words:
        piece.append((word, tag))
        if len(piece) >= LONGEST or (len(piece) >= 12 and STOP.fullmatch(word[-1:])):
            yield piece
            piece = []
    if piece:
        yield piece


def europeana(files):
    """Newspapers as they were read by machines, without sentences."""
    for _, text in files:
        words = []
        for line in text.splitlines():
            parts = line.split()
            if len(parts) >= 2:
                words.append((parts[0], tag_of(parts[-1])))
        for piece in stretches(words):
            found, spans = join(piece)
            yield found, [[start, start + len(found[start:end].rstrip(".,;:")), kind] for start, end, kind in spans]


def hipe(files):
    for _, text in files:
        words, last = [], ""
        for line in text.splitlines():
            row = line.split("\t")
            if line.startswith("#") or line.startswith("TOKEN\t") or len(row) < 10:
                continue
            if "NoSpaceAfter" in last and words and re.fullmatch(r"[.,;:!?]", row[0]):
                words[-1] = (words[-1][0] + row[0], words[-1][1]) if words[-1][1] is None else words[-1]
                if words[-1][1] is None:
                    last = row[9]
                    continue
            words.append((row[0], tag_of(row[1])))
            last = row[9]
        for piece in stretches(words):
            yield join(piece)


CONTRACTED = {
    **{("de", one): "d" + one for one in ("o", "a", "os", "as", "ele", "ela", "eles", "elas", "este", "esta", "esse", "essa", "isso", "isto", "aquele", "aquela")},
    **{("em", one): "n" + one for one in ("o", "a", "os", "as", "um", "uma", "ele", "ela", "este", "esta", "esse", "essa", "isso", "isto", "aquele", "aquela")},
    **{("por", one): "pel" + one for one in ("o", "a", "os", "as")},
    ("a", "o"): "ao", ("a", "os"): "aos", ("a", "a"): "à", ("a", "as"): "às",
}


def contracted(words):
    """Portuguese words that a treebank took apart, as they are written: `de` and `a` are `da`."""
    out = []
    for word, tag in words:
        whole = CONTRACTED.get((out[-1][0].lower(), word)) if out else None
        if whole is None or (tag is not None and tag[0] == "B"):
            out.append((word, tag))
        else:
            first, before = out[-1]
            out[-1] = (whole.capitalize() if first[0].isupper() else whole, before)
    return out


def uner_sentences(files):
    """(id, text, spans) of each sentence."""
    for file, content in files:
        for block in content.split("\n\n"):
            name, text, words = "", None, []
            for line in block.splitlines():
                if line.startswith("# sent_id = "):
                    name = line[12:].strip()
                elif line.startswith("# text = "):
                    text = line[9:]
                elif not line.startswith("#"):
                    row = line.split("\t")
                    words.append((row[1], tag_of(row[2])))
            if not words:
                continue
            if file.startswith("pt_"):
                words = contracted(words)
            spans = None if text is None else in_text(text, words)
            yield (name, text, spans) if spans is not None else (name, *join(words))


def uner(files):
    for _, text, spans in uner_sentences(files):
        yield text, spans


def nkjp(files):
    def tag(value):
        outer = value.split("#")[0]
        begin, _, kind = outer.partition("-")
        if kind.startswith("persName"):
            return (begin, PERSON)
        if kind.startswith(("placeName", "geogName")):
            return (begin, LOCATION)
        return (begin, OTHER) if kind.startswith("orgName") else None

    for _, text in files:
        for rows in sentences(text, "\t"):
            found, spans = join([(row[0], tag(row[-1])) for row in rows])
            # Adjectives of places are tagged as places there.
            yield found, [[start, end, kind if found[start].isupper() and end - start > 1 else IGNORE] for start, end, kind in spans]


KPWR = [("nam_liv_person", PERSON), ("nam_loc", LOCATION), ("nam_fac_road", LOCATION), ("nam_fac_square", LOCATION),
        ("nam_fac", IGNORE), ("nam_adj", IGNORE), ("nam_liv", IGNORE), ("nam_org_nation", IGNORE), ("nam_num", IGNORE)]


def kpwr(files):
    def tag(value):
        begin, _, kind = value.split("#")[0].partition("-")
        if kind == "":
            return None
        return (begin, next((ours for theirs, ours in KPWR if kind.startswith(theirs)), OTHER))

    for _, text in files:
        for rows in sentences(text, "\t"):
            yield join([(row[0], tag(row[-1])) for row in rows])


LITBANK = {"PER": PERSON, "GPE": LOCATION, "LOC": LOCATION, "FAC": LOCATION, "ORG": OTHER, "VEH": OTHER}


def litbank(files):
    """Names of people and places in novels: of a phrase the words that begin with a capital."""
    for name, content in files:
        text = files.beside(name.replace(".ann", ".txt"))
        tags = {}
        for line in content.splitlines():
            found = re.match(r"T\d+\tPROP_(\w+) (\d+) (\d+)\t", line)
            if found is None or found[1] not in LITBANK:
                continue
            begin = "B"
            for word in re.finditer(r"\S+", text[int(found[2]):int(found[3])]):
                is_named = word[0][0].isupper()
                if not is_named and begin == "I":
                    break
                if is_named and word[0] not in ("The", "A", "Old", "Poor", "Young", "Little"):
                    tags[int(found[2]) + word.start()] = (begin, LITBANK[found[1]])
                    begin = "I"
        for line in re.finditer(r"[^\n]+", text):
            words = [(word[0], tags.get(line.start() + word.start())) for word in re.finditer(r"\S+", line[0])]
            if words:
                yield join(words)


def places_only(reader):
    """Where the people of a source are parties of a contract (`the Lender`), which are nobody's names."""
    def read(files):
        for text, spans in reader(files):
            yield text, [[start, end, IGNORE if kind == PERSON else kind] for start, end, kind in spans]
    return read


ENDS = re.compile(r"[.!?:;\"“”«»(–-]+")


def unmarked(files):
    """Text that nobody marked (what the file marks is not read): words in small letters are no names, what has a capital inside of a sentence may be one."""
    for _, text in files:
        for rows in sentences(text):
            words, before = [], "."
            for row in rows:
                word = row[0]
                may_be = word[:1].isupper() and len(word) > 1
                if not may_be:
                    tag = None
                elif ENDS.fullmatch(before):
                    tag = ("B", IGNORE)
                else:
                    tag = ("I", "CAPITAL") if words and words[-1][1] == ("B", "CAPITAL") or words and words[-1][1] == ("I", "CAPITAL") else ("B", "CAPITAL")
                words.append((word, tag))
                before = word
            yield join(words)


LINES = 20


def plain(files):
    """Text without marks, some lines at a time."""
    for _, text in files:
        lines = text.splitlines()
        for at in range(0, len(lines), LINES):
            yield "\n".join(lines[at:at + LINES]), []


def part(reader, start, end):
    """A share of what a reader gives, in the order of the file: other documents."""
    def read(files):
        rows = list(reader(files))
        return rows[round(len(rows) * start):round(len(rows) * end)]
    return read


COLUMNS = {
    **dict.fromkeys(["FirstName", "LastName"], PERSON),
    **dict.fromkeys(["Address", "City", "Country", "BillingAddress", "BillingCity", "BillingCountry"], LOCATION),
    **dict.fromkeys(["State", "PostalCode", "BillingState", "BillingPostalCode", "Company", "Title"], IGNORE),
    **dict.fromkeys(["Phone", "Fax"], "PHONE_NUMBER"), "Email": "EMAIL_ADDRESS",
}
ROWS = 5


class Written:
    """A text that is written piece by piece, with the spans of its values."""

    def __init__(self):
        self.text, self.spans = "", []

    def add(self, text, kind=None):
        if kind is not None and text:
            self.spans.append([len(self.text), len(self.text) + len(text), kind])
        self.text += text
        return self


def as_csv(table, keys, rows):
    out = Written().add(",".join(keys) + "\n")
    for row in rows:
        for i, key in enumerate(keys):
            value = "" if row.get(key) is None else str(row[key])
            quote = '"' if "," in value else ""
            out.add("," if i else "").add(quote).add(value, COLUMNS.get(key)).add(quote)
        out.add("\n")
    return out


def as_sql(table, keys, rows):
    out = Written().add(f"INSERT INTO {table} ({', '.join(keys)}) VALUES\n")
    for number, row in enumerate(rows):
        out.add(",\n" if number else "").add("    (")
        for i, key in enumerate(keys):
            value = row.get(key)
            out.add(", " if i else "")
            if isinstance(value, str):
                out.add("'").add(value.replace("'", "''"), COLUMNS.get(key)).add("'")
            else:
                out.add("NULL" if value is None else str(value))
        out.add(")")
    return out.add(";\n")


def as_json(table, keys, rows):
    out = Written()
    for row in rows:
        out.add("{")
        for i, key in enumerate(keys):
            value = row.get(key)
            out.add(", " if i else "").add(f'"{key}": ')
            if isinstance(value, str):
                out.add('"').add(value.replace('"', '\\"'), COLUMNS.get(key)).add('"')
            else:
                out.add("null" if value is None else str(value))
        out.add("}\n")
    return out


def chinook(files):
    """Customers and employees of a sample database as CSV, SQL and JSON, a few rows each."""
    for _, text in files:
        data = json.loads(text)
        for table in ("Employee", "Customer", "Invoice"):
            rows = data[table][:60]
            keys = list(rows[0])
            for at in range(0, len(rows), ROWS):
                for form in (as_csv, as_sql, as_json):
                    out = form(table, keys, rows[at:at + ROWS])
                    yield out.text, out.spans
