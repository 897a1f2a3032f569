"""The makers' own clients: openai, anthropic, google-genai."""

import json

import anthropic
import openai
from google import genai
from google.genai import types
from harness import (
    ANTHROPIC,
    ASK,
    ASK_JSON,
    ASK_THINK,
    ASK_TOOLS,
    GEMINI,
    KEY,
    KINDS_OF_RESPONSES,
    MESSAGES,
    MESSAGES_JSON,
    MESSAGES_TOOLS,
    OPENAI,
    Weather,
    run,
    tell,
)

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


class Chat:
    name = "openai, Chat"
    client = openai.OpenAI(base_url=OPENAI, api_key=KEY)

    def plain(self, model, client=None):
        asked = (client or self.client).chat.completions.create(model=model, messages=MESSAGES)
        return asked.choices[0].message.content

    def stream(self, model):
        chunks = self.client.chat.completions.create(model=model, messages=MESSAGES, stream=True)
        return [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]

    def tools(self, model):
        tool = {"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}
        first = self.client.chat.completions.create(model=model, messages=MESSAGES_TOOLS, tools=[tool])
        message = first.choices[0].message
        results = [
            {"role": "tool", "tool_call_id": call.id, "content": tell(**json.loads(call.function.arguments))}
            for call in message.tool_calls
        ]
        second = self.client.chat.completions.create(
            model=model, messages=[*MESSAGES_TOOLS, message, *results], tools=[tool]
        )
        return second.choices[0].message.content

    def structured(self, model):
        asked = self.client.chat.completions.parse(model=model, messages=MESSAGES_JSON, response_format=Weather)
        return asked.choices[0].message.parsed

    def structured_stream(self, model):
        with self.client.chat.completions.stream(
            model=model, messages=MESSAGES_JSON, response_format=Weather
        ) as stream:
            events = list(stream)
            return [*events, stream.get_final_completion().choices[0].message.parsed]

    def unknown_key(self, model):
        return self.plain(model, openai.OpenAI(base_url=OPENAI, api_key="sk-unknown"))


class Responses(Chat):
    name = "openai, Responses"
    kinds = KINDS_OF_RESPONSES

    def plain(self, model, client=None):
        return (client or self.client).responses.create(model=model, input=ASK).output_text

    def stream(self, model):
        events = self.client.responses.create(model=model, input=ASK, stream=True)
        return [event.delta for event in events if event.type == "response.output_text.delta"]

    def tools(self, model):
        tool = {"type": "function", "name": "weather", "parameters": SCHEMA, "strict": True}
        first = self.client.responses.create(model=model, input=MESSAGES_TOOLS, tools=[tool])
        results = [
            {"type": "function_call_output", "call_id": item.call_id, "output": tell(**json.loads(item.arguments))}
            for item in first.output
            if item.type == "function_call"
        ]
        return self.client.responses.create(
            model=model, input=[*MESSAGES_TOOLS, *first.output, *results], tools=[tool]
        ).output_text

    def structured(self, model):
        return self.client.responses.parse(model=model, input=ASK_JSON, text_format=Weather).output_parsed

    def structured_stream(self, model):
        with self.client.responses.stream(model=model, input=ASK_JSON, text_format=Weather) as stream:
            events = list(stream)
            return [*events, stream.get_final_response().output_parsed]


class Messages:
    name, quick = "anthropic", "openai"
    client = anthropic.Anthropic(base_url=ANTHROPIC, api_key=KEY)

    def plain(self, model, client=None):
        asked = (client or self.client).messages.create(model=model, max_tokens=99, messages=MESSAGES)
        return asked.content[0].text

    def stream(self, model):
        with self.client.messages.stream(model=model, max_tokens=99, messages=MESSAGES) as stream:
            return list(stream.text_stream)

    def tools(self, model):
        tool = {"name": "weather", "input_schema": SCHEMA}
        first = self.client.messages.create(model=model, max_tokens=99, messages=MESSAGES_TOOLS, tools=[tool])
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": tell(**block.input)}
            for block in first.content
            if block.type == "tool_use"
        ]
        turns = [{"role": "assistant", "content": first.content}, {"role": "user", "content": results}]
        second = self.client.messages.create(
            model=model, max_tokens=99, messages=[*MESSAGES_TOOLS, *turns], tools=[tool]
        )
        return second.content[0].text

    def structured(self, model):
        return self.client.messages.parse(
            model=model, max_tokens=99, messages=MESSAGES_JSON, output_format=Weather
        ).parsed_output

    def structured_stream(self, model):
        with self.client.messages.stream(
            model=model, max_tokens=99, messages=MESSAGES_JSON, output_format=Weather
        ) as stream:
            events = list(stream)
            return [*events, stream.get_final_message().parsed_output]

    def unknown_key(self, model):
        return self.plain(model, anthropic.Anthropic(base_url=ANTHROPIC, api_key="sk-unknown"))


class Gemini:
    name = "google-genai"
    client = genai.Client(api_key=KEY, http_options={"base_url": GEMINI})

    def plain(self, model, client=None):
        return (client or self.client).models.generate_content(model=model, contents=ASK).text

    def stream(self, model):
        chunks = self.client.models.generate_content_stream(model=model, contents=ASK)
        return [chunk.text or "" for chunk in chunks]

    def tools(self, model):
        def weather(city: str) -> str:
            """The weather of a city."""
            return tell(city)

        config = types.GenerateContentConfig(tools=[weather])
        return self.client.models.generate_content(model=model, contents=ASK_TOOLS, config=config).text

    config = types.GenerateContentConfig(response_mime_type="application/json", response_schema=Weather)

    def structured(self, model):
        return self.client.models.generate_content(model=model, contents=ASK_JSON, config=self.config).parsed

    def structured_stream(self, model):
        chunks = list(
            self.client.models.generate_content_stream(model=model, contents=ASK_JSON, config=self.config)
        )
        return [*chunks, json.loads("".join(chunk.text or "" for chunk in chunks))]

    def reasoning(self, model):
        """Takes proofs for base64, whoever made them; they come back with the next turn."""
        asked = [types.Content(role="user", parts=[types.Part(text=ASK_THINK)])]
        answer = self.client.models.generate_content(model=model, contents=asked)
        turns = [*asked, answer.candidates[0].content, *asked]
        return self.client.models.generate_content(model=model, contents=turns).text

    def unknown_key(self, model):
        return self.plain(model, genai.Client(api_key="sk-unknown", http_options={"base_url": GEMINI}))


if __name__ == "__main__":
    rows = [Chat(), Responses(), Messages(), Gemini()]
    run(*rows, errors=rows, snippets=["openai", "anthropic", "google-genai"])
