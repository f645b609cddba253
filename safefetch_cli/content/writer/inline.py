"""A run of inline content as markdown: put in order, escaped as a whole, then written."""

from safefetch_cli.content.writer.bare_addresses import closed_addresses
from safefetch_cli.content.writer.code import code_span
from safefetch_cli.content.writer.emphasis import settled
from safefetch_cli.content.writer.escaping import escaped, escaped_heading, escaped_lines
from safefetch_cli.content.writer.tidy import collapsed, joined_codes, paragraphs, tidy
from safefetch_cli.content.writer.tokens import MARKUP, NUL

_MOST_ROUNDS = 3


def written_paragraphs(source: str, objects: list[str], *, in_item: bool) -> list[str]:
    """The paragraphs of a run; there are several where it has empty lines made of breaks.

    `in_item` says that the first one is the first thing in a list item.
    """
    done: list[str] = []
    for part in paragraphs(source):
        text = escaped(_ordered(part, objects))
        if text:
            text = escaped_lines(text, in_item=in_item and not done)
            done.append(_written(text, objects, "\\\n"))
    return done


def written_heading(source: str, objects: list[str]) -> str:
    """A run as the text of a heading: one line."""
    text = escaped(_ordered(source, objects))
    return escaped_heading(_written(text, objects, " "))


def written_cell(source: str, objects: list[str]) -> str:
    """A run as the text of a table cell: one line, and no pipe that would end the cell."""
    text = escaped(_ordered(source, objects))
    return _written(text, objects, "<br>").replace("|", r"\|")


def _ordered(source: str, objects: list[str]) -> str:
    source = collapsed(source)
    source = tidy(source) if NUL in source else source.strip()
    if "://" in source:
        source = closed_addresses(source)
    return joined_codes(_settled(source), objects) if NUL in source else source


def _settled(source: str) -> str:
    """Settle the emphasis of a run; where some goes, what it held may be untidy."""
    for _ in range(_MOST_ROUNDS):
        done = settled(source)
        if done == source:
            break
        source = tidy(done)
    return source


def _written(text: str, objects: list[str], line_break: str) -> str:
    if NUL not in text:
        return text
    parts = text.split(NUL)
    for index in range(1, len(parts), 2):
        name = parts[index]
        parts[index] = MARKUP.get(name) or _object(name, objects, line_break)
    return "".join(parts)


def _object(name: str, objects: list[str], line_break: str) -> str:
    letter = name[0]
    if letter == "B":
        return line_break
    if letter == "L":
        return "["
    text = objects[int(name[1:])]
    if letter == "l":
        return f"]({text})"
    return code_span(text) if letter == "C" else text
