"""aider, with one message and no terminal."""

import contextlib
import io
import os
import shlex
import tempfile

from harness import ASK, SNIPPETS, filled, run, same

QUIET = [
    "--no-check-update", "--no-analytics", "--no-show-release-notes", "--no-show-model-warnings", "--no-pretty",
    "--no-detect-urls", "--no-gitignore", "--edit-format", "ask", "--map-tokens", "0",
]


def command(model, message, *more):
    """The command of the document."""
    lines = filled(SNIPPETS["aider"][0], model).replace("\\\n", " ")
    words = shlex.split(lines.replace('"Hi"', shlex.quote(message)))
    assert words[0] == "aider", words
    return [*words[1:], *QUIET, *more]


class Row:
    name = "aider --message"

    def said(self, model, *more):
        from aider.main import main

        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            same(main(command(model, ASK, *more)), None)
        return printed.getvalue()

    def plain(self, model):
        return self.only_text(self.said(model, "--no-stream"))

    def stream(self, model):
        text = self.only_text(self.said(model, "--stream"))
        # It shows a stream as it comes, and hands out nothing but what it printed.
        return [text[:1], text[1:]]

    def only_text(self, printed):
        return next((line for line in printed.splitlines() if line.startswith("Because")), printed)


if __name__ == "__main__":
    os.chdir(tempfile.mkdtemp(prefix="sluice-aider-"))
    run(Row())
