"""openai-agents, over Chat Completions and over Responses."""

from agents import (
    Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool,
    set_tracing_disabled,
)
from harness import (
    ASK,
    ASK_JSON,
    ASK_TOOLS,
    KEY,
    KINDS,
    KINDS_OF_RESPONSES,
    OPENAI,
    Weather,
    run,
    run_async,
    tell,
)
from openai import AsyncOpenAI

# Else it sends what was said to OpenAI.
set_tracing_disabled(True)


@function_tool
def weather(city: str) -> str:
    """The weather of a city."""
    return tell(city)


class Row:
    def __init__(self, model_class):
        self.name = f"openai-agents, {model_class.__name__}"
        self.model_class = model_class
        self.client = AsyncOpenAI(base_url=OPENAI, api_key=KEY)
        self.kinds = KINDS_OF_RESPONSES if model_class is OpenAIResponsesModel else KINDS

    def agent(self, model, client=None, **more):
        made = self.model_class(model=model, openai_client=client or self.client)
        return Agent(name="A", model=made, **more)

    def plain(self, model, client=None):
        return run_async(Runner.run(self.agent(model, client), ASK)).final_output

    def stream(self, model):
        async def read():
            result = Runner.run_streamed(self.agent(model), ASK)
            return [
                event.data.delta
                async for event in result.stream_events()
                if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"
            ]

        return run_async(read())

    def tools(self, model):
        return run_async(Runner.run(self.agent(model, tools=[weather]), ASK_TOOLS)).final_output

    def structured(self, model):
        return run_async(Runner.run(self.agent(model, output_type=Weather), ASK_JSON)).final_output

    def structured_stream(self, model):
        async def read():
            result = Runner.run_streamed(self.agent(model, output_type=Weather), ASK_JSON)
            events = [event async for event in result.stream_events()]
            return [*events, result.final_output]

        return run_async(read())

    def unknown_key(self, model):
        return self.plain(model, AsyncOpenAI(base_url=OPENAI, api_key="sk-unknown"))


if __name__ == "__main__":
    rows = [Row(OpenAIChatCompletionsModel), Row(OpenAIResponsesModel)]
    run(*rows, errors=rows[:1], snippets=["openai-agents"])
