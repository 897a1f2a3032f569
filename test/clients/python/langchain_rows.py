"""langchain-openai and langchain-anthropic, alone and in an agent of langgraph."""

from harness import (
    ANTHROPIC,
    ASK,
    ASK_JSON,
    ASK_TOOLS,
    ENDPOINTS,
    KEY,
    KINDS,
    KINDS_OF_RESPONSES,
    OPENAI,
    Weather,
    run,
    tell,
)
from langchain.agents import create_agent
from langchain.agents.structured_output import ToolStrategy
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI


def weather(city: str) -> str:
    """The weather of a city."""
    return tell(city)


def chat(model, key=KEY, **more):
    return ChatOpenAI(base_url=OPENAI, api_key=key, model=model, **more)


def responses(model, key=KEY):
    return chat(model, key, use_responses_api=True)


def messages(model, key=KEY):
    return ChatAnthropic(base_url=ANTHROPIC, api_key=key, model=model, max_tokens=99)


class Row:
    def __init__(self, name, make, method):
        self.name, self.make, self.method = f"{name}, {method}", make, method
        self.kinds = KINDS_OF_RESPONSES if make is responses else KINDS
        self.quick = "openai" if make is messages else "anthropic"
        if method == "json_mode":
            reason = "it asks for JSON without a schema"
            self.limits = {"fallback": reason, "fallback_stream": reason}

    def plain(self, model, key=KEY):
        return self.make(model, key).invoke(ASK).text

    def stream(self, model):
        return [chunk.text for chunk in self.make(model).stream(ASK)]

    def tools(self, model):
        bound = self.make(model).bind_tools([weather])
        first = bound.invoke(ASK_TOOLS)
        results = [ToolMessage(tell(**call["args"]), tool_call_id=call["id"]) for call in first.tool_calls]
        return bound.invoke([HumanMessage(ASK_TOOLS), first, *results]).text

    def reader(self, model):
        return self.make(model).with_structured_output(Weather, method=self.method)

    def structured(self, model):
        return self.reader(model).invoke(ASK_JSON)

    def structured_stream(self, model):
        return list(self.reader(model).stream(ASK_JSON))

    def unknown_key(self, model):
        return self.plain(model, "sk-unknown")


class AgentRow:
    """An agent runs its tools itself, and reads its output from a tool of its own."""

    def __init__(self, name, make):
        self.name, self.make = f"langgraph agent, {name}", make
        self.quick = "openai" if make is messages else "anthropic"

    def agent(self, model, **more):
        return create_agent(self.make(model), **more)

    def plain(self, model):
        return self.agent(model).invoke({"messages": [("user", ASK)]})["messages"][-1].text

    def stream(self, model):
        events = self.agent(model).stream({"messages": [("user", ASK)]}, stream_mode="messages")
        return [chunk.text for chunk, _about in events]

    def tools(self, model):
        asked = {"messages": [("user", ASK_TOOLS)]}
        return self.agent(model, tools=[weather]).invoke(asked)["messages"][-1].text

    def structured(self, model):
        agent = self.agent(model, response_format=ToolStrategy(Weather))
        return agent.invoke({"messages": [("user", ASK_JSON)]})["structured_response"]

    def structured_stream(self, model):
        agent = self.agent(model, response_format=ToolStrategy(Weather))
        states = list(agent.stream({"messages": [("user", ASK_JSON)]}, stream_mode=["messages", "values"]))
        return [*states, states[-1][1]["structured_response"]]


if __name__ == "__main__":
    rows = [
        *(Row("langchain-openai", chat, method) for method in ["json_schema", "function_calling", "json_mode"]),
        Row("langchain-openai, Responses", responses, "json_schema"),
        *(Row("langchain-anthropic", messages, method) for method in ["json_schema", "function_calling"]),
        AgentRow("langchain-openai", chat),
        AgentRow("langchain-anthropic", messages),
    ]
    snippets = ["langchain-openai", "langchain-anthropic", "langgraph"]

    def with_metadata():
        model = ENDPOINTS["plain"]["openai"][0]
        answer = chat(model, metadata={"tier": "pro"}, include_response_headers=True).invoke(ASK)
        return answer.response_metadata["headers"]["x-inference-log-id"]

    lost = [("metadata= of ChatOpenAI", with_metadata)]
    run(*rows, errors=[rows[0], rows[4]], snippets=snippets, lost=lost)
