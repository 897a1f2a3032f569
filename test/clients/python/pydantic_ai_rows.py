"""pydantic-ai, with its four classes of models that speak to a gateway."""

from harness import (
    ANTHROPIC,
    ASK,
    ASK_JSON,
    ASK_TOOLS,
    GEMINI,
    KEY,
    KINDS,
    KINDS_OF_RESPONSES,
    OPENAI,
    Weather,
    run,
    run_async,
    tell,
)
from pydantic_ai import Agent, NativeOutput, PromptedOutput, ToolOutput
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider


def weather(city: str) -> str:
    """The weather of a city."""
    return tell(city)


def openai(key):
    return OpenAIProvider(base_url=OPENAI, api_key=key)


def anthropic(key):
    return AnthropicProvider(base_url=ANTHROPIC, api_key=key)


def google(key):
    return GoogleProvider(base_url=GEMINI, api_key=key)


class Row:
    def __init__(self, model_class, provider, output=ToolOutput):
        self.name = f"pydantic-ai, {model_class.__name__}"
        if output is not ToolOutput:
            self.name += f", {output.__name__}"
        self.model_class, self.make, self.output = model_class, provider, output
        self.provider = provider(KEY)
        self.quick = "openai" if model_class is AnthropicModel else "anthropic"
        self.kinds = KINDS_OF_RESPONSES if model_class is OpenAIResponsesModel else KINDS
        if output is PromptedOutput:
            reason = "it puts the schema into the prompt only, and asks again by itself where it does not stream"
            self.limits = {"fallback": reason, "fallback_stream": reason}

    def agent(self, model, provider=None, **more):
        return Agent(self.model_class(model, provider=provider or self.provider), **more)

    def plain(self, model, provider=None):
        return run_async(self.agent(model, provider).run(ASK)).output

    def stream(self, model):
        async def read():
            async with self.agent(model).run_stream(ASK) as result:
                return [piece async for piece in result.stream_text(delta=True, debounce_by=None)]

        return run_async(read())

    def tools(self, model):
        return run_async(self.agent(model, tools=[weather]).run(ASK_TOOLS)).output

    def structured(self, model):
        return run_async(self.agent(model, output_type=self.output(Weather)).run(ASK_JSON)).output

    def structured_stream(self, model):
        async def read():
            async with self.agent(model, output_type=self.output(Weather)).run_stream(ASK_JSON) as result:
                states = [state async for state in result.stream_output(debounce_by=None)]
                return [*states, await result.get_output()]

        return run_async(read())

    def unknown_key(self, model):
        return self.plain(model, self.make("sk-unknown"))


if __name__ == "__main__":
    rows = [
        Row(OpenAIChatModel, openai),
        Row(OpenAIResponsesModel, openai),
        Row(AnthropicModel, anthropic),
        Row(GoogleModel, google),
    ]
    others = [Row(OpenAIChatModel, openai, NativeOutput), Row(OpenAIChatModel, openai, PromptedOutput)]
    run(*rows, *others, errors=rows[:1], snippets=["pydantic-ai"])
