"""What is done at the start and end of the elements that are blocks, tables aside."""

from typing import Final

from lxml import etree

from safefetch_cli.content.writer.chrome import is_line_number
from safefetch_cli.content.writer.code import code_of, fenced
from safefetch_cli.content.writer.inline import written_heading
from safefetch_cli.content.writer.languages import language_of
from safefetch_cli.content.writer.lists import item_box, list_box, quote_box
from safefetch_cli.content.writer.state import Begin, End, Writer

_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_LISTS: Final = ("ul", "ol", "menu", "dir")
_PLAIN: Final = (
    *("address", "article", "aside", "body", "caption", "center", "details", "dialog", "div"),
    *("dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup"),
    *("legend", "main", "nav", "p", "search", "section", "summary", "tbody", "textarea"),
    *("tfoot", "thead"),
)


def _begin_plain(writer: Writer, element: etree._Element) -> bool:
    writer.border()
    return element.tag == "div" and is_line_number(element) and _stands_by_code(element)


def _stands_by_code(element: etree._Element) -> bool:
    beside = element.getnext()
    return beside is not None and next(beside.iter("pre"), None) is not None


def _end_plain(writer: Writer, _: etree._Element) -> None:
    writer.border()


def _begin_heading(writer: Writer, element: etree._Element) -> bool:
    writer.border()
    if not writer.flat:
        writer.heading = element
        writer.flat = " "
    return False


def _end_heading(writer: Writer, element: etree._Element) -> None:
    if writer.heading is not element:
        writer.border()
        return
    writer.heading = None
    writer.flat = ""
    text = written_heading(*writer.run.take())
    if text:
        writer.boxes.write("heading", f"{'#' * int(str(element.tag)[1])} {text}")


def _begin_list(writer: Writer, element: etree._Element) -> bool:
    writer.border()
    if writer.flat:
        return False
    host = writer.boxes.top
    item = host.item if host.kind == "list" else None
    if item is not None:  # a list right inside a list belongs to the item before
        writer.boxes.open(item)
        host = item
    box = list_box(element, host)
    box.borrows_item = item is not None
    writer.boxes.open(box)
    return False


def _end_list(writer: Writer, _: etree._Element) -> None:
    writer.border()
    if writer.flat:
        return
    box = writer.boxes.close()
    if box.last:
        writer.boxes.top.last_marker = box.marker
    if box.borrows_item:
        writer.boxes.close()


def _begin_item(writer: Writer, element: etree._Element) -> bool:
    writer.border()
    if not writer.flat:
        writer.boxes.open(item_box(element, writer.boxes.top))
    return False


def _end_item(writer: Writer, element: etree._Element) -> None:
    writer.border()
    if writer.flat:
        return
    item = writer.boxes.top
    # An item the author left empty stays, and so does one that would shift the numbers after it.
    if not item.last and (not item.lead.startswith(("-", "*")) or _is_empty(element)):
        writer.boxes.write("paragraph", "")
    writer.boxes.close()


def _is_empty(element: etree._Element) -> bool:
    return not len(element) and not (element.text or "").strip()


def _begin_quote(writer: Writer, _: etree._Element) -> bool:
    writer.border()
    if not writer.flat:
        writer.boxes.open(quote_box(writer.boxes.top))
    return False


def _end_quote(writer: Writer, _: etree._Element) -> None:
    writer.border()
    if not writer.flat:
        writer.boxes.close()


def _begin_pre(writer: Writer, element: etree._Element) -> bool:
    return begin_code(writer, element)


def _begin_rule(writer: Writer, _: etree._Element) -> bool:
    writer.border()
    if not writer.flat:
        # Dashes after the dash of an item would be one rule together with it.
        writer.boxes.write("rule", "___" if writer.boxes.top.kind == "item" else "---")
    return False


def begin_code(
    writer: Writer, element: etree._Element, named: etree._Element | None = None
) -> bool:
    """Write an element as a block of code; in one line of text, each of its lines as a span.

    `named` is the element that may name the language, if that is another one.
    """
    writer.border()
    code = code_of(element)
    if not code.strip():
        return True
    if not writer.flat:
        writer.boxes.write("code", fenced(code, language_of(element if named is None else named)))
        return True
    for line in code.split("\n"):
        if line.strip():
            writer.run.add_code(line.rstrip())
            writer.border()
    return True


BEGIN: Final[dict[str, Begin]] = {
    **dict.fromkeys(_PLAIN, _begin_plain),
    **dict.fromkeys(_HEADINGS, _begin_heading),
    **dict.fromkeys(_LISTS, _begin_list),
    **dict.fromkeys(("li", "dd"), _begin_item),
    **dict.fromkeys(("pre", "listing", "xmp"), _begin_pre),
    "blockquote": _begin_quote,
    "hr": _begin_rule,
}
"""The rules for the starts of blocks, by tag."""

END: Final[dict[str, End]] = {
    **dict.fromkeys(_PLAIN, _end_plain),
    **dict.fromkeys(_HEADINGS, _end_heading),
    **dict.fromkeys(_LISTS, _end_list),
    **dict.fromkeys(("li", "dd"), _end_item),
    **dict.fromkeys(("pre", "listing", "xmp"), _end_plain),
    "blockquote": _end_quote,
}
"""The rules for the ends of blocks, by tag."""
