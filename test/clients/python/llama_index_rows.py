"""LlamaIndex, with its classes for OpenAI's and Anthropic's APIs."""

import functools

from harness import (
    ANTHROPIC,
    ASK,
    ASK_JSON,
    ASK_TOOLS,
    KEY,
    KINDS,
    KINDS_OF_RESPONSES,
    OPENAI,
    Weather,
    run,
    tell,
)
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.anthropic import Anthropic
from llama_index.llms.openai_like import OpenAILike, OpenAILikeResponses


def weather(city: str) -> str:
    """The weather of a city."""
    return tell(city)


class Row:
    def __init__(self, name, make, names="plain", **limits):
        self.name, self.make, self.names, self.limits = f"LlamaIndex, {name}", make, names, limits
        self.kinds = KINDS_OF_RESPONSES if make is responses else KINDS
        if names == "claude":
            # It knows no more names that it sends schemas to and no `temperature`, which its SDK has no more.
            self.kinds = ["openai", "anthropic"]
        self.quick = "openai" if make is messages else "anthropic"

    def plain(self, model, key=KEY):
        return self.make(model, key).chat([ChatMessage(ASK)]).message.content

    def stream(self, model):
        return [chunk.delta or "" for chunk in self.make(model, KEY).stream_chat([ChatMessage(ASK)])]

    def tools(self, model):
        llm = self.make(model, KEY)
        tool = FunctionTool.from_defaults(weather)
        first = llm.chat_with_tools([tool], chat_history=[ChatMessage(ASK_TOOLS)])
        calls = llm.get_tool_calls_from_response(first)
        results = [
            ChatMessage(tell(**call.tool_kwargs), role="tool", additional_kwargs={"tool_call_id": call.tool_id})
            for call in calls
        ]
        turns = [ChatMessage(ASK_TOOLS), first.message, *results]
        return llm.chat_with_tools([tool], chat_history=turns).message.content

    def structured(self, model):
        return self.make(model, KEY).as_structured_llm(Weather).chat([ChatMessage(ASK_JSON)]).raw

    def structured_stream(self, model):
        stream = self.make(model, KEY).as_structured_llm(Weather).stream_chat([ChatMessage(ASK_JSON)])
        return [chunk.raw for chunk in stream]

    def unknown_key(self, model):
        return self.plain(model, "sk-unknown")


@functools.cache
def chat(model, key):
    return OpenAILike(
        model=model, api_base=OPENAI, api_key=key, is_chat_model=True, is_function_calling_model=True
    )


@functools.cache
def responses(model, key):
    return OpenAILikeResponses(model=model, api_base=OPENAI, api_key=key, is_function_calling_model=True)


@functools.cache
def messages(model, key):
    return Anthropic(model=model, base_url=ANTHROPIC, api_key=key, max_tokens=99)


if __name__ == "__main__":
    free = "in a stream it leaves the model free to call the tool or not: `json_validation: { tools: all }` checks it"
    nothing = "it does not read the arguments of tools from a stream of Responses"
    rows = [
        Row("OpenAILike", chat, fallback_stream=free),
        Row("OpenAILike, with tools: all", chat, "checked"),
        Row("OpenAILikeResponses", responses, structured_stream=nothing, fallback_stream=nothing),
        Row("Anthropic, claude-…", messages, "claude"),
    ]
    run(*rows, errors=rows[:1], snippets=["LlamaIndex"])
