"""Does hidden text speak to a language model? A small test, for a warning and nothing more."""

import re

_PATTERNS = (
    # set aside what was said before
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}"
    r"\b(?:previous|prior|above|earlier|all|any|other|your|system|these|the)\b[^.\n]{0,40}"
    r"\b(?:instructions?|prompts?|rules?|directions?|guidelines?|context|text|content|commands?)\b",
    # name or imitate a model's own frame
    r"\b(?:system|developer) (?:prompt|message|instructions?)\b|<\|?/?(?:system|assistant|im_start)\b",
    r"^\s*(?:system|assistant|user)\s*:",
    r"\[/?(?:INST|SYSTEM)\]",
    # speak to the model
    r"\byou are (?:now |an? |the )*(?:ai|assistant|language model|llm|agent|chatbot|dan)\b",
    r"\b(?:dear|hey|attention|note to|instructions? (?:for|to)|message (?:for|to))[ ,:]*"
    r"(?:the |all |any )*(?:ai|llms?|language models?|assistants?|agents?|chatbots?|crawlers?|claude|chatgpt|gpt|gemini|copilot)\b",
    r"\b(?:as|if you are) an? (?:ai|llm|language model|assistant|agent)\b",
    r"\bnew (?:instructions?|task|objective)s?\s*:",
    # keep it from the person
    r"\b(?:do not|don't|never|without)\b[^.\n]{0,30}\b(?:tell|inform|mention|reveal|alert|notify|telling|informing|show)\b[^.\n]{0,30}\b(?:user|human|person|anyone)\b",
    # act: send, run, fetch, call
    r"\b(?:send|post|exfiltrate|upload|leak|forward)\b[^.\n]{0,60}\b(?:to|at)\b[^.\n]{0,30}(?:https?://|@|\bserver\b|\bemail\b)",
    r"\b(?:reveal|print|output|repeat|show|send)\b[^.\n]{0,30}\b(?:api[ _-]?keys?|passwords?|credentials|secrets?|tokens?|system prompt)\b",
    r"\b(?:call|use|invoke|execute|run)\b[^.\n]{0,20}\b(?:the )?(?:following )?(?:tool|function|command|shell|code|script)\b",
    r"\b(?:always |instead |must |please )*(?:respond|reply|answer)\b (?:only |always )*(?:with|that|by)\b",
)
_SPEAKS = re.compile(
    "|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.IGNORECASE | re.MULTILINE
)
_WORDS = (
    "instruction prompt rule guideline context content command direction text system developer "
    "assistant user: [inst [/inst you are attention instructions dear hey note to message "
    "task objective tell inform mention reveal alert notify show send post exfiltrate upload leak "
    "forward print output repeat call use invoke execute run respond reply answer"
).split()
_LONGEST = 100_000


def looks_like_instructions(text: str) -> bool:
    """Whether a text looks as if it told a model what to do; it may be wrong either way."""
    return bool(_SPEAKS.search(" ".join(text[:_LONGEST].split())))
