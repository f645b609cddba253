"""Does a text speak to a language model? A small test, which may be wrong either way."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple


class _Row(NamedTuple):
    """What such texts do: a pattern, and words in small letters of which each match has one."""

    words: tuple[str, ...]
    pattern: str


_ROWS = {
    "set aside what was said": _Row(
        ("ignore", "disregard", "forget", "override", "bypass"),
        r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above"
        r"|earlier|all|any|other|your|system|these|the)\b[^.\n]{0,40}\b(?:instructions?|prompts?"
        r"|rules?|directions?|guidelines?|context|text|content|commands?)\b",
    ),
    "name or imitate a model's frame": _Row(
        ("system", "developer", "inst]", "assistant", "im_start", "user"),
        r"\b(?:system|developer) (?:prompt|message|instructions?)\b|\[/?(?:INST|SYSTEM)\]"
        r"|<\|?/?(?:system|assistant|im_start)\b|(?:\A|[.!?] )(?:system|assistant|user)\s?:",
    ),
    "speak to the model": _Row(
        (
            *("you are", "dear", "hey", "attention", "note to", "instruction", "message"),
            *("as a", "new task", "new objective"),
        ),
        r"\byou are (?:now |an? |the )*(?:ai|assistant|language model|llm|agent|chatbot|dan)\b"
        r"|\b(?:dear|hey|attention|note to|instructions? (?:for|to)|message (?:for|to))[ ,:]*"
        r"(?:the |all |any )*(?:ai|llms?|language models?|assistants?|agents?|chatbots?|crawlers?"
        r"|claude|chatgpt|gpt|gemini|copilot)\b"
        r"|\b(?:as|if you are) an? (?:ai|llm|language model|assistant|agent)\b"
        r"|\bnew (?:instructions?|task|objective)s?\s?:",
    ),
    "keep it from the person": _Row(
        ("user", "human", "person", "anyone"),
        r"\b(?:do not|don't|never|without)\b[^.\n]{0,30}\b(?:tell|inform|mention|reveal|alert"
        r"|notify|show)(?:ing)?\b[^.\n]{0,30}\b(?:user|human|person|anyone)\b",
    ),
    "send something": _Row(
        ("http", "@", "server", "email"),
        r"\b(?:send|post|exfiltrate|upload|leak|forward)\b[^.\n]{0,60}\b(?:to|at)\b[^.\n]{0,30}"
        r"(?:https?://|@|\bserver\b|\bemail\b)",
    ),
    "give away secrets": _Row(
        ("key", "password", "credentials", "secret", "token", "system prompt"),
        r"\b(?:reveal|print|output|repeat|show|send)\b[^.\n]{0,30}\b(?:api[ _-]?keys?|passwords?"
        r"|credentials|secrets?|tokens?|system prompt)\b",
    ),
    "run a tool": _Row(
        ("tool", "function", "command", "shell", "code", "script"),
        r"\b(?:call|use|invoke|execute|run)\b[^.\n]{0,20}\b(?:the )?(?:following )?(?:tool"
        r"|function|command|shell|code|script)\b",
    ),
    "answer in a given way": _Row(
        ("respond", "reply", "answer"),
        r"\b(?:always |instead |must |please )*(?:respond|reply|answer) (?:only |always )*"
        r"(?:with|that|by)\b",
    ),
}
_ENOUGH_ALONE = ("set aside what was said",)
_LONGEST = 20_000
_PLAIN_LETTERS = {ord("\u0130"): "i", ord("\u0131"): "i", ord("\u017f"): "s", ord("\u212a"): "k"}
"""Letters that patterns take for ASCII ones."""


def looks_like_instructions(text: str) -> bool:
    """Whether a text looks as if it told a model what to do; it may be wrong either way.

    Each row of the table is something that such texts do and other hidden texts seldom do.
    """
    return any(True for _ in _matching(text))


def commands_a_model(text: str) -> bool:
    """Whether a text that readers see, such as a title, tells a model what to do.

    It asks for more than `looks_like_instructions`, as people write about models and commands too:
    what was said is to be set aside, or two rows of the table match.
    """
    matching = list(_matching(text))
    return len(matching) > 1 or any(name in _ENOUGH_ALONE for name in matching)


def _matching(text: str) -> Iterator[str]:
    """The names of the rows that match."""
    text = " ".join(text[:_LONGEST].split())
    small = (text if text.isascii() else text.translate(_PLAIN_LETTERS)).lower()
    for name, row in _ROWS.items():
        # Most texts have no such word: then the pattern is not even compiled.
        if any(word in small for word in row.words) and _compiled(row.pattern).search(text):
            yield name


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
