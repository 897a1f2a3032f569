"""outlines, over OpenAI's and Anthropic's clients."""

import anthropic
import openai
import outlines
from harness import ANTHROPIC, ASK, ASK_JSON, KEY, OPENAI, Weather, run


class OverOpenai:
    name = "outlines, from_openai"

    client = openai.OpenAI(base_url=OPENAI, api_key=KEY)

    def model(self, name, key=KEY):
        return outlines.from_openai(self.client.with_options(api_key=key), name)

    def plain(self, model, key=KEY):
        return self.model(model, key)(ASK)

    def stream(self, model):
        return list(self.model(model).stream(ASK))

    def structured(self, model):
        return Weather.model_validate_json(self.model(model)(ASK_JSON, Weather))

    def structured_stream(self, model):
        pieces = list(self.model(model).stream(ASK_JSON, Weather))
        return [*pieces, Weather.model_validate_json("".join(pieces))]

    def unknown_key(self, model):
        return self.plain(model, "sk-unknown")


class OverAnthropic:
    name, quick = "outlines, from_anthropic", "openai"

    client = anthropic.Anthropic(base_url=ANTHROPIC, api_key=KEY)

    def model(self, name):
        return outlines.from_anthropic(self.client, name)

    def plain(self, model):
        return self.model(model)(ASK, max_tokens=99)

    def stream(self, model):
        return list(self.model(model).stream(ASK, max_tokens=99))


if __name__ == "__main__":
    rows = [OverOpenai(), OverAnthropic()]
    run(*rows, errors=rows[:1], snippets=["outlines"])
