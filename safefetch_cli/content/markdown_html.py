"""HTML in a markdown text: which parts of the text does it hide?"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from html import unescape

_TAG = re.compile(
    r"""<(?:(!--)|(/?)([a-z][\w-]*)((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>)""", re.IGNORECASE
)
_ATTRIBUTE = re.compile(r"""([^\s"'=<>/]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++))?""")
_BLANK_LINE = re.compile(r"\n[ \t]*+\n")
_NEVER_SEEN = frozenset(("script", "style", "template", "noscript"))
_WHITE = ("white", "#fff", "#ffffff")
_VOID = frozenset(("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"))
_ENDS_ITSELF = frozenset(("p", "li", "dd", "dt"))


def hidden_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where comments lie, and elements that are not shown, from tag to tag; linear.

    One that never ends is left alone. Code must have been masked.
    """
    tags = list(_TAG.finditer(text))
    blanks = [match.start() for match in _BLANK_LINE.finditer(text)]
    endless: set[str] = set()
    end = 0
    for at, tag in enumerate(tags):
        if tag.start() < end:
            continue
        name = (tag[1] or tag[3]).lower()
        if tag[2] or name in endless or not (tag[1] or is_hidden(name, tag[4])):
            continue
        after = bisect_left(blanks, tag.end()) if name in _ENDS_ITSELF else len(blanks)
        end = _end_of(text, tags, at, blanks[after] if after < len(blanks) else -1)
        if end:
            yield tag.start(), end
        else:
            endless.add(name)


def is_hidden(name: str, attributes: str) -> bool:
    """Whether an element is not shown, by its name and the text of its attributes."""
    if name in _NEVER_SEEN:
        return True
    if name in _VOID:
        return False
    given = {
        match[1].lower(): unescape((match[2] or "").strip("\"'"))
        for match in _ATTRIBUTE.finditer(attributes)
    }
    return (
        given.get("hidden", "until-found").strip().lower() != "until-found"
        or given.get("aria-hidden", "").strip().lower() == "true"
        or "popover" in given
        or (name == "dialog" and "open" not in given)
        or ("style" in given and _is_unseen(given["style"]))
        or (
            name == "font"
            and given.get("color", "").strip().lower() in ("white", "#fff", "#ffffff")
        )
    )


def _is_unseen(style: str) -> bool:
    # CSS is loaded where it is needed: most markdown has none.
    from safefetch_cli.content.styles.boxes import is_unseen
    from safefetch_cli.content.styles.declarations import parse_declarations
    from safefetch_cli.content.styles.looks import KNOWN_PAGE, inherited

    values = {name: value for name, (value, _) in parse_declarations(style).items()}
    return is_unseen(values) or not inherited(KNOWN_PAGE, values, is_open=False).is_seen


def _end_of(text: str, tags: list[re.Match[str]], at: int, blank: int) -> int:
    """Where the comment or element that a tag begins ends; 0 when it never does.

    `blank` is where the next blank line begins, if that ends it too, else -1.
    """
    opening = tags[at]
    if opening[1]:
        closing = text.find("-->", opening.start() + 2)
        return closing + 3 if closing >= 0 else 0
    depth = 1
    for number in range(at + 1, len(tags)):
        tag = tags[number]
        if 0 <= blank < tag.start():
            break
        if (tag[3] or "").lower() == opening[3].lower():
            depth += -1 if tag[2] else 1
            if not depth:
                return tag.end()
    return max(blank, 0)
