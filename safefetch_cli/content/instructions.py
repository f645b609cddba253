"""Does a text speak to a language model? A small test, which may be wrong either way."""

import re

_PATTERNS = {
    "set aside what was said": (
        r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above"
        r"|earlier|all|any|other|your|system|these|the)\b[^.\n]{0,40}\b(?:instructions?|prompts?"
        r"|rules?|directions?|guidelines?|context|text|content|commands?)\b"
    ),
    "name or imitate a model's frame": (
        r"\b(?:system|developer) (?:prompt|message|instructions?)\b|\[/?(?:INST|SYSTEM)\]"
        r"|<\|?/?(?:system|assistant|im_start)\b|(?:\A|[.!?] )(?:system|assistant|user)\s?:"
    ),
    "speak to the model": (
        r"\byou are (?:now |an? |the )*(?:ai|assistant|language model|llm|agent|chatbot|dan)\b"
        r"|\b(?:dear|hey|attention|note to|instructions? (?:for|to)|message (?:for|to))[ ,:]*"
        r"(?:the |all |any )*(?:ai|llms?|language models?|assistants?|agents?|chatbots?|crawlers?"
        r"|claude|chatgpt|gpt|gemini|copilot)\b"
        r"|\b(?:as|if you are) an? (?:ai|llm|language model|assistant|agent)\b"
        r"|\bnew (?:instructions?|task|objective)s?\s?:"
    ),
    "keep it from the person": (
        r"\b(?:do not|don't|never|without)\b[^.\n]{0,30}\b(?:tell|inform|mention|reveal|alert"
        r"|notify|show)(?:ing)?\b[^.\n]{0,30}\b(?:user|human|person|anyone)\b"
    ),
    "send something": (
        r"\b(?:send|post|exfiltrate|upload|leak|forward)\b[^.\n]{0,60}\b(?:to|at)\b[^.\n]{0,30}"
        r"(?:https?://|@|\bserver\b|\bemail\b)"
    ),
    "give away secrets": (
        r"\b(?:reveal|print|output|repeat|show|send)\b[^.\n]{0,30}\b(?:api[ _-]?keys?|passwords?"
        r"|credentials|secrets?|tokens?|system prompt)\b"
    ),
    "run a tool": (
        r"\b(?:call|use|invoke|execute|run)\b[^.\n]{0,20}\b(?:the )?(?:following )?(?:tool"
        r"|function|command|shell|code|script)\b"
    ),
    "answer in a given way": (
        r"\b(?:always |instead |must |please )*(?:respond|reply|answer) (?:only |always )*"
        r"(?:with|that|by)\b"
    ),
}
_SPEAKS = re.compile("|".join(f"(?:{row})" for row in _PATTERNS.values()), re.IGNORECASE)
_ROWS = {name: re.compile(row, re.IGNORECASE) for name, row in _PATTERNS.items()}
_ENOUGH_ALONE = ("set aside what was said",)
_LONGEST = 20_000


def looks_like_instructions(text: str) -> bool:
    """Whether a text looks as if it told a model what to do; it may be wrong either way.

    Each row of the table is something that such texts do and other hidden texts seldom do.
    """
    return bool(_SPEAKS.search(" ".join(text[:_LONGEST].split())))


def commands_a_model(text: str) -> bool:
    """Whether a text that readers see, such as a title, tells a model what to do.

    It asks for more than `looks_like_instructions`, as people write about models and commands too:
    what was said is to be set aside, or two rows of the table match.
    """
    text = " ".join(text[:_LONGEST].split())
    if not _SPEAKS.search(text):
        return False
    matching = [name for name, row in _ROWS.items() if row.search(text)]
    return len(matching) > 1 or any(name in _ENOUGH_ALONE for name in matching)
