"""Words with tags as text with spans. A tag is None, or ("B" or "I", type)."""
import re

NO_SPACE_BEFORE = re.compile(r"[,.;:!?%)\]}…]+|'s|n't|'re|'ve|'ll|'m|'d|’s")
NO_SPACE_AFTER = re.compile(r"(?:[dlnmtscj]|qu|dell|nell|all|dall|sull|un|quell|jusqu|lorsqu|puisqu)['’]|[(\[{$#]", re.IGNORECASE)
TITLES = set(
    "mr mrs ms miss dr prof professor sir lady lord madame mme mlle monsieur president senator judge justice captain colonel "
    "general major sergeant king queen prince princess aunt uncle rev reverend father mother brother sister saint st pope "
    "minister secretary governor mayor chancellor herr frau señor señora don doña signor signora senhor".split()
)


def join(words):
    """Text and spans, spaced as people write."""
    text, spans, in_quotes, last = "", [], False, ""
    for word, tag in words:
        space = " " if text else ""
        if NO_SPACE_BEFORE.fullmatch(word) or NO_SPACE_AFTER.fullmatch(last):
            space = ""
        if word in ('"', "``", "''"):
            word = '"'
            space = "" if in_quotes or not text else " "
            in_quotes = not in_quotes
        elif text.endswith('"') and in_quotes:
            space = ""
        start = len(text) + len(space)
        text += space + word
        last = word
        add(spans, tag, start, len(text))
    return text, tidy(text, spans)


def add(spans, tag, start, end):
    if tag is None:
        spans.append(None)
    elif tag[0] == "I" and spans and spans[-1] is not None and spans[-1][2] == tag[1]:
        spans[-1][1] = end
    else:
        spans.append([start, end, tag[1]])


def tidy(text, spans):
    """Without what stands for no name, and without titles before people."""
    kept = []
    for span in spans:
        if span is None or span[2] is None:
            continue
        start, end, kind = span
        while kind == "PERSON":
            word = re.match(r"([^\W\d_]+)\.?\s+", text[start:end])
            if word is None or word[1].lower() not in TITLES:
                break
            kept.append([start, start + len(word[0].rstrip()), "_IGNORE"])
            start += len(word[0])
        kept.append([start, end, kind])
    return kept


def in_text(text, words):
    """Spans of tagged words that stand in `text`, or None where they do not."""
    spans, at = [], 0
    for word, tag in words:
        start = text.find(word, at)
        if start < 0 or start - at > 3:
            return None
        at = start + len(word)
        add(spans, tag, start, at)
    return tidy(text, spans)
