"""What the checks of both clients share. A check is a function whose name begins with ``check_``."""

import contextlib
import json
import os
import traceback
import urllib.error
import urllib.request

BASE_URL = os.environ.get("GATEWAY_URL", "")
KEY = os.environ.get("GATEWAY_KEY", "")
KEY_WITHOUT_SCOPE = os.environ.get("GATEWAY_KEY_WITHOUT_SCOPE", "")
ENDPOINTS = os.environ.get("GATEWAY_ENDPOINTS", "").split(",")

TEXT = "Because of Rayleigh scattering. \N{EARTH GLOBE EUROPE-AFRICA}"
PIECES = ["Because", " of Rayleigh", " scattering. \N{EARTH GLOBE EUROPE-AFRICA}"]


def case(name):
    """Asks the provider for one of its answers."""
    return {"extra_headers": {"x-case": name}}


def equal(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


def raises(expected, call):
    """The error that the call raises; it must be of this very class."""
    try:
        call()
    except Exception as error:
        assert type(error) is expected, f"{type(error).__name__} is not {expected.__name__}: {error}"
        return error
    raise AssertionError(f"{expected.__name__} was not raised")


def cut_now():
    """Has the provider close the connections that ``hard-cut`` left open."""
    body = {"model": ENDPOINTS[0], "messages": [{"role": "user", "content": "Cut."}]}
    request = urllib.request.Request(
        f"{BASE_URL}/openai/v1/chat/completions",
        data=json.dumps(body).encode(),
        headers={"authorization": f"Bearer {KEY}", "content-type": "application/json", "x-case": "cut-now"},
    )
    with contextlib.suppress(urllib.error.HTTPError):
        urllib.request.urlopen(request).close()


def broken_off(stream):
    """The error that a stream ends with whose provider closes its connection after text went out."""

    def read():
        for _chunk in stream:
            cut_now()

    try:
        read()
    except Exception as error:
        return f"{type(error).__module__}.{type(error).__name__}: {error}"
    return None


def run(functions):
    """Runs all checks and prints one line of JSON for each; ``problem`` is null where it holds."""
    for name, function in list(functions.items()):
        if not name.startswith("check_"):
            continue
        problem = None
        try:
            function()
        except Exception:
            problem = traceback.format_exc()
        print(json.dumps({"name": name, "problem": problem}), flush=True)
