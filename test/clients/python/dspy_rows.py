"""dspy, with its adapters; it speaks through litellm."""

import dspy
from harness import ASK, ASK_JSON, KEY, OPENAI, run

dspy.configure_cache(enable_disk_cache=False, enable_memory_cache=False)


class Read(dspy.Signature):
    """Read the weather."""

    text: str = dspy.InputField()
    city: str = dspy.OutputField()
    degrees: float = dspy.OutputField()


class Row:
    def __init__(self, adapter, names="plain", **limits):
        self.name = f"dspy, {adapter.__name__}" + ("" if names == "plain" else f", {names}-…")
        self.adapter, self.names, self.limits = adapter(), names, limits

    def lm(self, model, key=KEY):
        return dspy.LM(f"openai/{model}", api_base=OPENAI, api_key=key, cache=False)

    def plain(self, model, key=KEY):
        return self.lm(model, key)(ASK)[0]

    def structured(self, model):
        with dspy.context(lm=self.lm(model), adapter=self.adapter):
            return dict(dspy.Predict(Read)(text=ASK_JSON))

    def unknown_key(self, model):
        return self.plain(model, "sk-unknown")


if __name__ == "__main__":
    own_form = "it asks for a text in a form of its own, which only dspy can check, and asks again by itself"
    unknown = "for a model name that litellm does not know, it asks for JSON without a schema"
    rows = [
        Row(dspy.JSONAdapter, "gpt"),
        Row(dspy.JSONAdapter, fallback=unknown),
        Row(dspy.ChatAdapter, fallback=own_form),
    ]
    run(*rows, errors=rows[:1], snippets=["dspy"])
