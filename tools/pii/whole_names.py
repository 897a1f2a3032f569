"""Names of several words with small words between them (`Stati Uniti d'America`), in text that tells proper nouns only word by word."""
import re

WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*[.]?")
"""What may stand between the words of a name, by language: what tells whose or of what it is, with articles, and other words."""
OF = {
    "it": "di del dello della dei degli delle d dell",
    "es": "de del la las los el",
    "fr": "de du des d la le les l",
    "nl": "van de den der het",
    "de": "von der",
    "pt": "de do da dos das",
}
BESIDE = {
    "it": "e in al allo alla all a sul sulla sull",
    "es": "y",
    "fr": "sur en et",
    "nl": "en aan op",
    "de": "am an im in und ob",
    "pt": "e a o em no na sobre",
}
"""What a place is called by. Where it is written with a capital it is part of the name: `Golfo di Napoli`."""
PLACE_HEADS = {
    "it": "baia basilica canale castello cattedrale corno delta duomo fiume golfo isole lago laguna mar mare oceano palazzo parco "
          "passo penisola piazza piazzale ponte prefettura principato provincia striscia stretto territorio tunnel val valle via viale",
    "pt": "avenida bairro baía cabo castelo estreito golfo ilha ilhas lago lagoa largo mar oceano parque península ponte praça praia rodovia "
          "rua serra vale",
}
"""The same that counts in small letters, too: `in provincia di Como`."""
SMALL_HEADS = {"it": "basilica castello golfo isole oceano penisola piazza piazzale prefettura provincia tunnel viale"}
"""What an event is called by that has a place in its name."""
EVENT_HEADS = {
    "it": "campionato conferenza coppa festival fiera giro maratona mostra premio torneo trattato trofeo",
    "es": "copa festival premio torneo tratado vuelta",
    "fr": "coupe festival prix tour tournoi traité",
    "pt": "campeonato copa festival liga prémio prêmio taça torneio tratado volta",
}
"""What may be meant as a place or as a body: `Ospedale di Como`."""
UNSURE_HEADS = {
    "it": "aeroporto chiesa città comune diocesi isola monte museo ospedale regione repubblica santuario scuola stadio stazione teatro villa",
    "es": "catedral ciudad hospital museo reino república",
    "fr": "hôpital musée république royaume ville",
    "pt": "aeroporto casa catedral centro cidade diocese distrito escola estação estado estádio hospital igreja mosteiro município museu palácio "
          "porto reino república teatro torre vila",
}
SAINTS = frozenset("San Santa Santo Sant Saint Sainte São".split())
MOST_WORDS = 9
SOFT = ("NAME", "CAPITAL", "THING", "_IGNORE")


def listed(by_language, language):
    return frozenset(by_language.get(language, "").split())


class Chain:
    """The words from one with a capital, as long as capitals and small words of names follow each other."""

    def __init__(self, language, text, words, first):
        self.language, self.text, self.words, self.first = language, text, words, first
        self.of, self.beside = listed(OF, language), listed(BESIDE, language)

    def ends(self):
        """The last words that the chain may end with, the farthest first."""
        found = []
        for i in range(self.first + 1, min(len(self.words), self.first + MOST_WORDS)):
            before, word = self.words[i - 1], self.words[i]
            gap = self.text[before.end():word.start()]
            if gap not in (" ", "'", "’", "' ", "’ ") or (before[0].endswith(".") and len(before[0]) > 3):
                break
            if word[0][0].isupper():
                found.append(i)
            elif word[0] not in self.of and word[0] not in self.beside:
                break
        return found[::-1]

    def value(self, last):
        return self.text[self.words[self.first].start():self.words[last].end()].rstrip(".")

    def owner(self, ends, is_first_name, is_body):
        """The last word of what is `of` something: of `Università di Boston` the second. None where nothing follows, or somebody does."""
        farthest = None
        for last in reversed(ends):
            small = [one[0] for one in self.words[self.first + 1:last] if not one[0][0].isupper()]
            if any(word not in self.of and word not in self.beside for word in small):
                break
            before = self.words[last - 1][0]
            if before in self.beside or (before in self.of or is_body) and before not in SAINTS and is_first_name(self.words[last][0]):
                break
            farthest = last
        return farthest


def whole_names(language, text, spans, make):
    """Spans of which those that make one name are one: LOCATION, OTHER or _IGNORE by its lists and its first word."""
    if language not in OF:
        return spans
    words = list(WORD.finditer(text))
    found, at = [], 0
    while at < len(words):
        named = name_at(language, text, words, at, make)
        if named is None:
            at += 1
            continue
        last, kind = named
        found.append([words[at].start(), words[at].start() + len(text[words[at].start():words[last].end()].rstrip(".")), kind])
        at = last + 1
    found = [one for one in found if all(kind in SOFT for start, end, kind in spans if start < one[1] and end > one[0])]
    return with_first_words(language, text, sorted(found + outside(text, spans, found)), make)


def outside(text, spans, found):
    """What of the spans stands in none of those that were found."""
    kept = []
    for start, end, kind in spans:
        for begin, until, _ in found:
            if start < until and end > begin:
                if start < begin and text[start:begin].strip():
                    kept.append([start, start + len(text[start:begin].rstrip()), kind])
                start = until + len(text[until:end]) - len(text[until:end].lstrip())
        if start < end:
            kept.append([start, end, kind])
    return kept


def with_first_words(language, text, spans, make):
    """The same, with full names at the beginning of a sentence as one span: what the first word is was not known."""
    out = []
    for span in spans:
        before = out[-1] if out else None
        if before is not None and before[2] == "_IGNORE" and span[2] in ("NAME", "CAPITAL") and text[before[1]:span[0]] == " ":
            whole = text[before[0]:span[1]]
            if make.kind_of(language, whole, None, "") == "PERSON":
                out[-1] = [before[0], span[1], "PERSON"]
                continue
        out.append(span)
    return out


def name_at(language, text, words, at, make):
    """(last word, kind) of the name that begins at a word, or None."""
    head = words[at][0].lower()
    is_capital = words[at][0][0].isupper()
    if not is_capital and head not in listed(SMALL_HEADS, language):
        return None
    chain = Chain(language, text, words, at)
    ends = chain.ends()
    if is_capital:
        for last in ends:
            is_joined = any(not one[0][0].isupper() for one in words[at:last])
            if is_joined and chain.value(last) in make.whole_places:
                return last, "LOCATION"
    is_body = head in make.bodies[language]
    last = chain.owner(ends, make.is_first_name, is_body)
    if last is None:
        return None
    for heads, kind in ((PLACE_HEADS, "LOCATION"), (EVENT_HEADS, "OTHER"), (UNSURE_HEADS, "_IGNORE")):
        if head in listed(heads, language):
            return last, kind
    return (last, "OTHER") if is_body and words[at + 1][0] in chain.of else None
