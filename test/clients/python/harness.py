"""What the checks of all clients share.

A client is a class for each way in which it can be used (a mode, an API): one row of the table in docs/clients.md.
Its methods do one thing each, for a model that answers as the test wants it, and hand back what the client's user got:

``plain(model)``              the text
``stream(model)``             the pieces of text
``tools(model)``              the text after a tool ``weather`` was run for two cities, whose results are ``tell``'s
``structured(model)``         something with a city and degrees
``structured_stream(model)``  all states of it that came, the last of them whole
``reasoning(model)``          the text after reasoning with a proof; no column of the table
``unknown_key(model)``        asks with a key that nobody has

Every outcome is one line of JSON on standard output.
"""

import asyncio
import faulthandler
import json
import os
import re
import traceback
import urllib.request
import uuid

from pydantic import BaseModel

BASE_URL = os.environ["CLIENTS_GATEWAY"]
KEY = os.environ["CLIENTS_KEY"]
ENDPOINTS = json.loads(os.environ["CLIENTS_ENDPOINTS"])
SNIPPETS = json.loads(os.environ["CLIENTS_SNIPPETS"])
OPENAI, ANTHROPIC, GEMINI = f"{BASE_URL}/openai/v1", f"{BASE_URL}/anthropic", f"{BASE_URL}/gemini"

TEXT = "Because of Rayleigh scattering. \N{EARTH GLOBE EUROPE-AFRICA}"
ASK = "Why is the sky blue?"
ASK_TOOLS = "What is the weather in Rome and Oslo?"
ASK_JSON = "Read this: it is 21 degrees in Rome."
ASK_THINK = "Think about it."
MESSAGES = [{"role": "user", "content": ASK}]
MESSAGES_TOOLS = [{"role": "user", "content": ASK_TOOLS}]
MESSAGES_JSON = [{"role": "user", "content": ASK_JSON}]


def tell(city):
    """The tool ``weather``."""
    return f"{city}: 21 degrees"


class Weather(BaseModel):
    """What the weather is."""

    city: str
    degrees: float


def filled(lines, model="openai"):
    """The lines of the document with the names of this system."""
    lines = lines.replace("http://HOST:8080/PROJECT_UID", BASE_URL).replace("API_KEY", KEY)
    return re.sub(r"\bsupport\b", model, lines)


def paste(name):
    """Runs the lines of the document, one block after the other; gives what each leaves behind."""
    scope = {"Weather": Weather, "uuid": uuid}
    for lines in SNIPPETS[name]:
        scope.pop("log_id", None)
        scope.pop("request_id", None)
        exec(compile(filled(lines), f"docs/clients.md, {name}", "exec"), scope)
        yield scope


def run_async(work):
    """The result of a coroutine; all of a process run in the same loop, since clients keep connections in it."""
    return _loop.run_until_complete(work)


_loop = asyncio.new_event_loop()
asyncio.set_event_loop(_loop)


def weather_of(found):
    if hasattr(found, "model_dump"):
        found = found.model_dump()
    assert isinstance(found, dict), f"{found!r} is no object"
    return {"city": found.get("city"), "degrees": found.get("degrees")}


def same(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


def name_of(row, kind, which="good"):
    """An endpoint, of the set of names that the row wants."""
    good, fallback = ENDPOINTS[getattr(row, "names", "plain")][kind]
    return good if which == "good" else fallback


def check_plain(row, kind):
    same(row.plain(name_of(row, kind)), TEXT)


def check_stream(row, kind):
    pieces = row.stream(name_of(row, kind))
    same("".join(pieces), TEXT)
    assert len([piece for piece in pieces if piece]) > 1, f"it came in one piece: {pieces!r}"


def check_tools(row, kind):
    # Some clients put what was said before the call in front of it.
    found = row.tools(name_of(row, kind))
    assert found.endswith(TEXT), found


def check_structured(row, kind):
    same(weather_of(row.structured(name_of(row, kind))), {"city": "Rome", "degrees": 21})


def check_structured_stream(row, kind):
    same(weather_of(row.structured_stream(name_of(row, kind))[-1]), {"city": "Rome", "degrees": 21})


def check_fallback(row, kind):
    same(weather_of(row.structured(name_of(row, kind, "fallback"))), {"city": "Rome", "degrees": 21})


def check_fallback_stream(row, kind):
    states = row.structured_stream(name_of(row, kind, "fallback"))
    same(weather_of(states[-1]), {"city": "Rome", "degrees": 21})
    assert "12345" not in repr(states), states


def check_reasoning(row, kind):
    same(row.reasoning(name_of(row, kind)), "Yes.")


FEATURES = {
    "plain": check_plain,
    "stream": check_stream,
    "tools": check_tools,
    "structured": check_structured,
    "structured_stream": check_structured_stream,
    "fallback": check_fallback,
    "fallback_stream": check_fallback_stream,
    "reasoning": check_reasoning,
}
METHODS = {"fallback": "structured", "fallback_stream": "structured_stream"}


def error_of(call):
    try:
        call()
    except BaseException as error:
        return error
    return None


def full_name(error):
    kind = type(error)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__.split('.')[0]}.{kind.__name__}"


def outcome(work):
    """Null where it holds, else what went wrong."""
    try:
        work()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return "".join(traceback.format_exception(error, chain=True))[-4000:]
    return None


def say(**line):
    print(json.dumps(line), flush=True)


def limit_of(row, feature):
    """Why the client cannot do it; what has a limit must fail, or the limit is gone."""
    return getattr(row, "limits", {}).get(feature)


# A provider that has no Responses API answers Chat as one that has it.
KINDS = ["openai", "anthropic", "gemini"]
KINDS_OF_RESPONSES = ["openai", "chat only", "anthropic", "gemini"]


def kinds_of(row):
    """All, or one that a request of this client is translated for."""
    kinds = getattr(row, "kinds", KINDS)
    if os.environ.get("CLIENTS") == "all":
        return kinds
    return [kind for kind in kinds if kind == getattr(row, "quick", "anthropic")]


def check_row(row):
    say(row=row.name, kinds=getattr(row, "kinds", KINDS))
    for feature, check in FEATURES.items():
        if not hasattr(row, METHODS.get(feature, feature)):
            continue
        for kind in kinds_of(row):
            problem = outcome(lambda: check(row, kind))
            say(row=row.name, feature=feature, kind=kind, problem=problem, limit=limit_of(row, feature))


def asking(row):
    """A client that only reads structured output asks for that."""
    return getattr(row, "plain", row.structured)


def check_errors(row):
    """The class that a user catches, for each of our statuses."""
    for status, model in ENDPOINTS["errors"].items():
        ask = row.structured if status == "422" else asking(row)
        if status == "401":
            ask = row.unknown_key
        error = error_of(lambda: ask(model))
        if error is None:
            say(row=row.name, error=status, name=None, told=False)
            continue
        told = status in f"{error!r}{error}" or getattr(error, "status_code", None) == int(status)
        say(row=row.name, error=status, name=full_name(error), told=told)


def tries():
    """How often the model behind the endpoint ``busy`` was asked so far."""
    with urllib.request.urlopen(os.environ["CLIENTS_PROVIDER"]) as response:
        return json.loads(response.read())["tries"]


def check_retries(row):
    before = tries()
    error_of(lambda: asking(row)(ENDPOINTS["busy"]))
    say(row=row.name, tries=tries() - before)


def check_snippets(name):
    """The lines of the document: each block leaves a ``log_id`` behind, names its request, or only makes a client."""
    found = []

    def work():
        for scope in paste(name):
            found.append({which: scope[which] for which in ("log_id", "request_id") if which in scope})

    problem = outcome(work)
    say(snippet=name, problem=problem, found=found)


def run(*rows, snippets=(), errors=(), lost=()):
    """``lost``: what is kept in the client, as pairs of a name and a function that asks so and gives the log id."""
    # A client that hangs says where.
    faulthandler.dump_traceback_later(200, exit=True)
    for name in snippets:
        check_snippets(name)
    for row in rows:
        check_row(row)
    for row in errors if os.environ.get("CLIENTS") == "all" else ():
        check_errors(row)
        check_retries(row)
    for name, ask in lost:
        say(lost=name, log_id=ask())
    # Threads that a client leaves behind would keep the process.
    os._exit(0)
