"""Mails as text. Those of people have their correspondents marked, so that what is found besides can be counted."""
import email
import email.policy
import html
import json
import re
from email.utils import getaddresses

WORD = r"(?<![\w-]){}(?![\w-])"
MOST = 6_000


def people(files):
    """Mails as JSON of `text`: the body, with the names that the headers of the mail and the lines about quotes tell."""
    for _, text in files:
        message = email.message_from_string(json.loads(text)["text"], policy=email.policy.compat32)
        part = next((one for one in message.walk() if one.get_content_type() == "text/plain"), None)
        if part is None:
            continue
        body = (part.get_payload(decode=True) or b"").decode("latin-1")[:MOST].strip()
        names = [name for name, _ in getaddresses([str(message[head]) for head in ("From", "To", "Cc", "Reply-To") if message[head]])]
        names += re.findall(r"(?m)^>*[ ]?(?:On .{0,60}[,:] )?\"?([A-Z][\w.'-]+(?: [A-Z][\w.'-]*){1,3})\"?(?: <\S+>)? (?:wrote|writes|said)\b", body)
        if body.isprintable() or body:
            yield body, marks(body, names)


def marks(body, names):
    """Where the body has one of the names as a whole, or one of its words that begins with a capital."""
    wanted = {part for name in names for part in [name.strip("\"' "), *name.split()] if re.fullmatch(r"[A-Z][\w.' -]{2,}", part)}
    if not wanted:
        return []
    pattern = WORD.format("(?:" + "|".join(re.escape(one) for one in sorted(wanted, key=len, reverse=True)) + ")")
    return [[one.start(), one.end(), "PERSON"] for one in re.finditer(pattern, body)]


PLACEHOLDER = re.compile(r"%\{\w+\}|\{\{[^}]*\}\}|\[[A-Z][^\]]*\]|<[^>]*>")


def filled(text):
    """A text of a template without its placeholders and tags."""
    return re.sub(r"[ \t]{2,}", " ", PLACEHOLDER.sub(" ", html.unescape(text))).strip()


def template(files):
    """A mail in each file."""
    for _, text in files:
        yield filled(text), []


VALUE = re.compile(r"( *)[\w-]+: *(.*)")


def locale(section):
    """The strings of each mail of a YAML file, a line each: of the parts whose name has `section` in it."""
    def read(files):
        for _, text in files:
            lines, depth = [], None
            for line in [*text.splitlines(), "end:"]:
                indent, value = VALUE.fullmatch(line).groups() if VALUE.fullmatch(line) else (" " * 99, line)
                if depth is not None and len(indent) <= depth:
                    if lines:
                        yield filled("\n".join(lines)), []
                    lines, depth = [], None
                if depth is None and value == "" and section in line:
                    depth = len(indent)
                elif depth is not None and value.strip("'\" >|-"):
                    lines.append(value.strip().strip("'\"").replace("''", "'"))
    return read
