"""litellm as a client, over each of the APIs that the gateway speaks."""

import json

import litellm
from harness import (
    ANTHROPIC,
    ENDPOINTS,
    GEMINI,
    KEY,
    KINDS,
    KINDS_OF_RESPONSES,
    MESSAGES,
    MESSAGES_JSON,
    MESSAGES_TOOLS,
    OPENAI,
    Weather,
    run,
    tell,
)

litellm.telemetry = False
litellm.suppress_debug_info = True


SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOL = {"type": "function", "function": {"name": "weather", "description": "The weather.", "parameters": SCHEMA}}


PROMPT_ALONE = "for a model name that litellm does not know, it puts the schema into the prompt only"


class Row:
    def __init__(self, prefix, base_url, names="plain", **limits):
        self.name = f"litellm, {prefix}/" if names == "plain" else f"litellm, {prefix}/{names}-…"
        self.prefix, self.base_url, self.names, self.limits = prefix, base_url, names, limits
        self.kinds = KINDS_OF_RESPONSES if "responses" in prefix else KINDS
        self.quick = "openai" if prefix == "anthropic" else "anthropic"

    def ask(self, model, messages=MESSAGES, key=KEY, **more):
        return litellm.completion(
            model=f"{self.prefix}/{model}", messages=messages, api_base=self.base_url, api_key=key, **more
        )

    def plain(self, model, **more):
        return self.ask(model, **more).choices[0].message.content

    def stream(self, model):
        return [chunk.choices[0].delta.content or "" for chunk in self.ask(model, stream=True)]

    def tools(self, model):
        message = self.ask(model, MESSAGES_TOOLS, tools=[TOOL]).choices[0].message
        results = [
            {"role": "tool", "tool_call_id": call.id, "content": tell(**json.loads(call.function.arguments))}
            for call in message.tool_calls
        ]
        turns = [*MESSAGES_TOOLS, message, *results]
        return self.ask(model, turns, tools=[TOOL]).choices[0].message.content

    def structured(self, model):
        answer = self.ask(model, MESSAGES_JSON, response_format=Weather)
        return Weather.model_validate_json(answer.choices[0].message.content)

    def structured_stream(self, model):
        pieces = [
            chunk.choices[0].delta.content or ""
            for chunk in self.ask(model, MESSAGES_JSON, response_format=Weather, stream=True)
        ]
        return [*pieces, Weather.model_validate_json("".join(pieces))]

    def unknown_key(self, model):
        return self.plain(model, key="sk-unknown")


if __name__ == "__main__":
    rows = [
        Row("openai", OPENAI),
        Row("openai/responses", OPENAI),
        Row("anthropic", ANTHROPIC),
        Row("gemini", f"{GEMINI}/v1beta", fallback=PROMPT_ALONE, fallback_stream=PROMPT_ALONE),
        Row("gemini", f"{GEMINI}/v1beta", "gemini"),
    ]
    chat = rows[0]

    def with_metadata():
        return chat.ask(ENDPOINTS["plain"]["openai"][0], metadata={"tier": "pro"}).inference_log_id

    lost = [("metadata= of litellm", with_metadata)]
    run(*rows, errors=[rows[0], rows[2]], snippets=["litellm"], lost=lost)
