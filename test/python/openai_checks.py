"""OpenAI's client for Python, through the gateway, over models that speak different APIs."""

import asyncio

import openai
from checks import BASE_URL, ENDPOINTS, KEY, KEY_WITHOUT_SCOPE, PIECES, TEXT, broken_off, case, equal, raises, run
from pydantic import BaseModel

URL = f"{BASE_URL}/openai/v1"
client = openai.OpenAI(api_key=KEY, base_url=URL, max_retries=0)
MESSAGES = [{"role": "user", "content": "Why is the sky blue?"}]


class Weather(BaseModel):
    city: str
    degrees: float


WEATHER = Weather(city="Rome", degrees=21)
CHAT_TOOL = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}
RESPONSES_TOOL = {"type": "function", "name": "weather", "parameters": {"type": "object"}, "strict": False}


def check_create():
    for model in ENDPOINTS:
        raw = client.chat.completions.with_raw_response.create(model=model, messages=MESSAGES, **case("text"))
        completion = raw.parse()
        equal(completion.choices[0].message.content, TEXT)
        equal(completion.usage.total_tokens, 29)
        equal(completion.inference_log_id, raw.headers["x-inference-log-id"])


def check_stream():
    for model in ENDPOINTS:
        stream = client.chat.completions.create(
            model=model,
            messages=MESSAGES,
            stream=True,
            stream_options={"include_usage": True},
            **case("text"),
        )
        chunks = list(stream)
        pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]
        equal([piece for piece in pieces if piece], PIECES)
        equal(chunks[-1].usage.completion_tokens, 10)


def check_stream_that_its_provider_cuts():
    for model in ENDPOINTS[:1]:
        stream = client.chat.completions.create(model=model, messages=MESSAGES, stream=True, **case("hard-cut"))
        equal(broken_off(stream), "openai.APIConnectionError: Connection error.")
        stream = client.responses.create(model=model, input="Hi", stream=True, **case("hard-cut"))
        equal(broken_off(stream), "openai.APIConnectionError: Connection error.")


def check_stream_with_its_accumulator():
    for model in ENDPOINTS:
        with client.chat.completions.stream(
            model=model, messages=MESSAGES, response_format=Weather, **case("structured-output")
        ) as stream:
            for _event in stream:
                pass
            equal(stream.get_final_completion().choices[0].message.parsed, WEATHER)


def check_parse():
    for model in ENDPOINTS:
        completion = client.chat.completions.parse(
            model=model, messages=MESSAGES, response_format=Weather, **case("structured-output")
        )
        equal(completion.choices[0].message.parsed, WEATHER)


def check_tools():
    for model in ENDPOINTS:
        request = {"model": model, "tools": [CHAT_TOOL]}
        first = client.chat.completions.create(messages=MESSAGES, **request, **case("tool-call"))
        message = first.choices[0].message
        equal([call.function.name for call in message.tool_calls], ["weather", "weather"])
        results = [
            {"role": "tool", "tool_call_id": call.id, "content": "21 degrees"} for call in message.tool_calls
        ]
        second = client.chat.completions.create(messages=[*MESSAGES, message, *results], **request, **case("text"))
        equal(second.choices[0].message.content, TEXT)


def check_responses_create():
    for model in ENDPOINTS:
        response = client.responses.create(model=model, input="Why is the sky blue?", **case("text"))
        equal((response.output_text, response.status), (TEXT, "completed"))
        equal(response.usage.total_tokens, 29)
        assert response.inference_log_id


def check_responses_stream():
    for model in ENDPOINTS:
        with client.responses.stream(model=model, input="Why?", **case("text")) as stream:
            events = list(stream)
            response = stream.get_final_response()
        equal([event.delta for event in events if event.type == "response.output_text.delta"], PIECES)
        equal((events[0].type, events[-1].type), ("response.created", "response.completed"))
        equal(response.output_text, TEXT)
        assert response.inference_log_id


def check_responses_parse():
    for model in ENDPOINTS:
        response = client.responses.parse(
            model=model, input="Rome?", text_format=Weather, **case("structured-output")
        )
        equal(response.output_parsed, WEATHER)


def check_responses_tools():
    for model in ENDPOINTS:
        request = {"model": model, "tools": [RESPONSES_TOOL]}
        first = client.responses.create(input=MESSAGES, **request, **case("tool-call"))
        calls = [item for item in first.output if item.type == "function_call"]
        equal([call.name for call in calls], ["weather", "weather"])
        results = [
            {"type": "function_call_output", "call_id": call.call_id, "output": "21 degrees"} for call in calls
        ]
        second = client.responses.create(input=[*MESSAGES, *first.output, *results], **request, **case("text"))
        equal(second.output_text, TEXT)


def check_models():
    names = [model.id for model in client.models.list()]
    assert set(ENDPOINTS) <= set(names), names


def check_async_client():
    async def ask():
        async with openai.AsyncOpenAI(api_key=KEY, base_url=URL, max_retries=0) as asynchronous:
            answers = await asyncio.gather(
                *(
                    asynchronous.chat.completions.create(model=model, messages=MESSAGES, **case("text"))
                    for model in ENDPOINTS
                )
            )
            return [answer.choices[0].message.content for answer in answers]

    equal(asyncio.run(ask()), [TEXT for _model in ENDPOINTS])


def check_errors():
    def ask(name="text", **changes):
        request = {"model": ENDPOINTS[0], "messages": MESSAGES, **changes}
        return lambda: client.chat.completions.create(**request, **case(name))

    unknown = client.with_options(api_key="sk-unknown")
    unscoped = client.with_options(api_key=KEY_WITHOUT_SCOPE)
    raises(openai.AuthenticationError, lambda: unknown.responses.create(model="any", input="Hi"))
    raises(openai.PermissionDeniedError, lambda: unscoped.responses.create(model="any", input="Hi"))
    error = raises(openai.NotFoundError, ask(model="nobody"))
    equal((error.code, error.param, error.type), ("model_not_found", "model", "invalid_request_error"))
    raises(openai.BadRequestError, ask(messages=[]))
    wanted = {"type": "json_schema", "json_schema": {"name": "weather", "schema": Weather.model_json_schema()}}
    raises(openai.UnprocessableEntityError, ask(response_format=wanted))
    raises(openai.RateLimitError, ask("error-429"))
    raises(openai.InternalServerError, ask("error-500"))
    raises(openai.APIError, lambda: list(ask("error", stream=True)()))


if __name__ == "__main__":
    run(globals())
