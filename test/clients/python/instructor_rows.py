"""instructor, in each of its modes for OpenAI's and Anthropic's APIs."""

import anthropic
import instructor
import openai
from harness import ANTHROPIC, KEY, KINDS, KINDS_OF_RESPONSES, MESSAGES_JSON, OPENAI, Weather, run


PROMPT_ALONE = "this mode puts the schema into the prompt only; instructor asks again by itself"


class OverOpenai:
    def __init__(self, mode):
        self.name = f"instructor, {mode}"
        self.client = instructor.from_openai(
            openai.OpenAI(base_url=OPENAI, api_key=KEY), mode=instructor.Mode[mode]
        )
        self.kinds = KINDS_OF_RESPONSES if mode == "RESPONSES_TOOLS" else KINDS
        if mode in ("JSON", "MD_JSON"):
            self.limits = {"fallback": PROMPT_ALONE, "fallback_stream": PROMPT_ALONE}

    def structured(self, model, client=None):
        return (client or self.client).create(
            model=model, response_model=Weather, messages=MESSAGES_JSON, max_retries=1
        )

    def structured_stream(self, model):
        return list(self.client.create_partial(model=model, response_model=Weather, messages=MESSAGES_JSON))

    def unknown_key(self, model):
        return self.structured(model, instructor.from_openai(openai.OpenAI(base_url=OPENAI, api_key="sk-unknown")))


class OverAnthropic:
    quick = "openai"

    def __init__(self, mode):
        self.name = f"instructor, {mode}"
        self.client = instructor.from_anthropic(
            anthropic.Anthropic(base_url=ANTHROPIC, api_key=KEY), mode=instructor.Mode[mode]
        )
        self.wanted = {"response_model": Weather, "messages": MESSAGES_JSON, "max_tokens": 100}
        if mode == "ANTHROPIC_JSON":
            self.limits = {"fallback": PROMPT_ALONE, "fallback_stream": PROMPT_ALONE}

    def structured(self, model):
        return self.client.create(model=model, max_retries=1, **self.wanted)

    def structured_stream(self, model):
        return list(self.client.create_partial(model=model, **self.wanted))


OPENAI_MODES = ["TOOLS", "TOOLS_STRICT", "JSON_SCHEMA", "JSON", "MD_JSON", "RESPONSES_TOOLS"]
ANTHROPIC_MODES = ["ANTHROPIC_TOOLS", "ANTHROPIC_REASONING_TOOLS", "ANTHROPIC_JSON"]

if __name__ == "__main__":
    rows = [OverOpenai(mode) for mode in OPENAI_MODES] + [OverAnthropic(mode) for mode in ANTHROPIC_MODES]
    run(*rows, errors=rows[:1], snippets=["instructor"])
