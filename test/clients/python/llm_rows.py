"""llm, as a library and as a command, with the models of its own file."""

import os
import pathlib
import subprocess
import sys

import yaml
from harness import (
    ASK,
    ASK_JSON,
    ASK_TOOLS,
    ENDPOINTS,
    KEY,
    SNIPPETS,
    Weather,
    filled,
    outcome,
    run,
    same,
    say,
    tell,
)

USER_PATH = pathlib.Path(os.environ["LLM_USER_PATH"])


def check_snippet():
    """The file and the commands of the document."""
    file, commands = (filled(block) for block in SNIPPETS["llm"])

    def work():
        USER_PATH.mkdir(exist_ok=True)
        (USER_PATH / "extra-openai-models.yaml").write_text(file)
        path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        # Where a pipe stands in for the terminal, it waits for a prompt from there.
        done = subprocess.run(
            ["sh", "-e", "-c", commands],
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        same((done.returncode, done.stderr.decode()), (0, ""))

    entry = yaml.safe_load(file)[0]
    found = [{"request_id": entry["headers"]["x-client-request-id"]}]
    say(snippet="llm", problem=outcome(work), found=found)
    return entry


class Row:
    name = "llm"

    def __init__(self, entry):
        names = {name for pair in ENDPOINTS["plain"].values() for name in pair}
        names |= {*ENDPOINTS["errors"].values(), ENDPOINTS["busy"]}
        models = [{**entry, "model_id": name, "model_name": name, "headers": None} for name in names]
        (USER_PATH / "extra-openai-models.yaml").write_text(yaml.safe_dump(models))
        import llm

        self.llm = llm

    def prompt(self, model, text, key=KEY, **more):
        return self.llm.get_model(model).prompt(text, key=key, **more)

    def plain(self, model, key=KEY):
        return self.prompt(model, ASK, key, stream=False).text()

    def stream(self, model):
        return list(self.prompt(model, ASK))

    def tools(self, model):
        def weather(city: str) -> str:
            """The weather of a city."""
            return tell(city)

        return self.llm.get_model(model).chain(ASK_TOOLS, tools=[weather], key=KEY).text()

    def structured(self, model):
        return Weather.model_validate_json(self.prompt(model, ASK_JSON, schema=Weather, stream=False).text())

    def structured_stream(self, model):
        pieces = list(self.prompt(model, ASK_JSON, schema=Weather))
        return [*pieces, Weather.model_validate_json("".join(pieces))]

    def unknown_key(self, model):
        return self.plain(model, "sk-unknown")


if __name__ == "__main__":
    row = Row(check_snippet())
    run(row, errors=[row])
