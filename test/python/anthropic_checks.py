"""Anthropic's client for Python, through the gateway, over models that speak different APIs."""

import asyncio

import anthropic
from anthropic import beta_tool
from checks import BASE_URL, ENDPOINTS, KEY, KEY_WITHOUT_SCOPE, PIECES, TEXT, broken_off, case, equal, raises, run
from pydantic import BaseModel

URL = f"{BASE_URL}/anthropic"
client = anthropic.Anthropic(api_key=KEY, base_url=URL, max_retries=0)
MESSAGES = [{"role": "user", "content": "Why is the sky blue?"}]
TOOLS = [{"name": "weather", "input_schema": {"type": "object"}}]


class Weather(BaseModel):
    city: str
    degrees: float


def check_create():
    for model in ENDPOINTS:
        raw = client.messages.with_raw_response.create(
            model=model, max_tokens=100, messages=MESSAGES, **case("text")
        )
        message = raw.parse()
        equal(message.content[0].text, TEXT)
        equal((message.stop_reason, message.usage.output_tokens), ("end_turn", 10))
        equal(message.inference_log_id, raw.headers["x-inference-log-id"])


def check_stream_that_its_provider_cuts():
    for model in ENDPOINTS[:1]:
        stream = client.messages.create(
            model=model, max_tokens=100, messages=MESSAGES, stream=True, **case("hard-cut")
        )
        error = broken_off(stream)
        assert error.startswith("httpx2.RemoteProtocolError: peer closed connection"), error


def check_stream_with_its_accumulator():
    for model in ENDPOINTS:
        with client.messages.stream(model=model, max_tokens=100, messages=MESSAGES, **case("text")) as stream:
            equal(list(stream.text_stream), PIECES)
            message = stream.get_final_message()
        equal(message.content[0].text, TEXT)
        equal(message.usage.output_tokens, 10)
        assert message.inference_log_id


def check_parse():
    for model in ENDPOINTS:
        message = client.messages.parse(
            model=model,
            max_tokens=100,
            messages=MESSAGES,
            output_format=Weather,
            **case("structured-output"),
        )
        equal(message.parsed_output, Weather(city="Rome", degrees=21))


def check_tools():
    for model in ENDPOINTS:
        request = {"model": model, "max_tokens": 100, "tools": TOOLS}
        first = client.messages.create(messages=MESSAGES, **request, **case("tool-call"))
        equal(first.stop_reason, "tool_use")
        calls = [block for block in first.content if block.type == "tool_use"]
        equal([(call.name, call.input) for call in calls], [("weather", {"city": city}) for city in ("Rome", "Oslo")])
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": "21 degrees"} for call in calls]
        turns = [
            {"role": "assistant", "content": first.content},
            {"role": "user", "content": results},
        ]
        second = client.messages.create(messages=[*MESSAGES, *turns], **request, **case("text"))
        equal(second.content[0].text, TEXT)


def check_tool_runner():
    asked = []

    @beta_tool
    def weather(city: str) -> str:
        """Tells the weather of a city.

        Args:
            city: Its name
        """
        asked.append(city)
        return "21 degrees"

    for model in ENDPOINTS:
        runner = client.beta.messages.tool_runner(
            model=model, max_tokens=100, tools=[weather], messages=MESSAGES, **case("tools-then-text")
        )
        equal(runner.until_done().content[0].text, TEXT)
    equal(asked, ["Rome", "Oslo"] * len(ENDPOINTS))


def check_count_tokens():
    for model in ENDPOINTS:
        count = client.messages.count_tokens(model=model, messages=MESSAGES, **case("count"))
        assert count.input_tokens > 0


def check_models():
    names = [model.id for model in client.models.list()]
    assert set(ENDPOINTS) <= set(names), names


def check_bearer_token():
    bearer = anthropic.Anthropic(api_key=None, auth_token=KEY, base_url=URL, max_retries=0)
    message = bearer.messages.create(model=ENDPOINTS[0], max_tokens=9, messages=MESSAGES, **case("text"))
    equal(message.content[0].text, TEXT)


def check_async_client():
    async def ask():
        async with anthropic.AsyncAnthropic(api_key=KEY, base_url=URL, max_retries=0) as asynchronous:
            answers = await asyncio.gather(
                *(
                    asynchronous.messages.create(model=model, max_tokens=9, messages=MESSAGES, **case("text"))
                    for model in ENDPOINTS
                )
            )
            return [answer.content[0].text for answer in answers]

    equal(asyncio.run(ask()), [TEXT for _model in ENDPOINTS])


def check_errors():
    def ask(name="text", asking=client, **changes):
        request = {"model": ENDPOINTS[0], "max_tokens": 100, "messages": MESSAGES, **changes}
        return lambda: asking.messages.create(**request, **case(name))

    raises(anthropic.AuthenticationError, ask(asking=client.with_options(api_key="sk-unknown")))
    raises(anthropic.PermissionDeniedError, ask(asking=client.with_options(api_key=KEY_WITHOUT_SCOPE)))
    error = raises(anthropic.NotFoundError, ask(model="nobody"))
    equal(error.body["error"]["type"], "not_found_error")
    assert error.body["error"]["message"].startswith("model_not_found: "), error.body
    equal(error.body["request_id"], error.response.headers["x-inference-log-id"])
    raises(anthropic.BadRequestError, ask(messages=[]))
    wanted = {"format": {"type": "json_schema", "schema": Weather.model_json_schema()}}
    raises(anthropic.UnprocessableEntityError, ask(output_config=wanted))
    raises(anthropic.RateLimitError, ask("error-429"))
    raises(anthropic.InternalServerError, ask("error-500"))
    raises(anthropic.APIStatusError, lambda: list(ask("error", stream=True)()))


if __name__ == "__main__":
    run(globals())
