"""What is done at the start and end of the elements that stand in a line of text."""

import re
from functools import partial
from typing import Final

from lxml import etree

from safefetch_cli.content.markdown.block_rules import Begin, End
from safefetch_cli.content.markdown.chrome import is_copy_button, is_permalink
from safefetch_cli.content.markdown.destinations import autolink, with_title
from safefetch_cli.content.markdown.formulas import (
    formula_markdown,
    in_one_line,
    is_display,
    tex_of,
)
from safefetch_cli.content.markdown.images import (
    alternative,
    image_address,
    image_markdown,
    is_emoji,
    is_tracker,
)
from safefetch_cli.content.markdown.tokens import (
    BREAK,
    DELETED,
    EMPHASIS,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
)
from safefetch_cli.content.markdown.writer import Writer

_FORMATS: Final = {
    "b": STRONG,
    "strong": STRONG,
    "i": EMPHASIS,
    "em": EMPHASIS,
    "var": EMPHASIS,
    "dfn": EMPHASIS,
    "del": DELETED,
    "s": DELETED,
    "strike": DELETED,
}
_SCRIPTS: Final = {"sup": SUPERSCRIPT, "sub": SUBSCRIPT}
_UNSHOWN: Final = (
    *("applet", "clipboard-copy", "datalist", "embed", "frameset", "head", "link", "meta"),
    *("mjx-math", "noembed", "noframes", "param", "rp", "style", "svg", "template", "title"),
)
_SPACED: Final = ("option", "optgroup", "select", "label")
_MARKS: Final = ("\u201c\u201d", "\u2018\u2019")
_BLANK: Final = " \t\n\r\f"
_BLANKS = re.compile(f"[{_BLANK}]+")


def _skip(_: Writer, __: etree._Element) -> bool:
    return True


def _begin_format(writer: Writer, _: etree._Element, *, name: str) -> bool:
    writer.run.open(name)
    return False


def _end_format(writer: Writer, _: etree._Element, *, name: str) -> None:
    writer.run.close(name)


def _begin_script(writer: Writer, element: etree._Element, *, name: str) -> bool:
    """Raised and lowered text keeps its tag, unless a link's brackets already set it apart."""
    if len(element) and next(element.iter("a"), None) is not None:
        return False
    writer.run.open(name)
    return False


def _end_script(writer: Writer, element: etree._Element, *, name: str) -> None:
    if not len(element) or next(element.iter("a"), None) is None:
        writer.run.close(name)


def _begin_break(writer: Writer, _: etree._Element) -> bool:
    writer.add(BREAK)
    return False


def _begin_link(writer: Writer, element: etree._Element) -> bool:
    writer.links.append(False)
    href = element.get("href")
    if href is None:
        return False
    if is_permalink(element, href, in_heading=writer.heading is not None):
        return True
    address = writer.addresses.absolute(href) if href.strip() != "#" else None
    if address is None:
        return False
    text = (element.text or "").strip()
    title = element.get("title")
    if not len(element) and not title:
        short = autolink(address, text)
        if short:
            writer.run.close_link()
            writer.run.add_ready(short)
            return True
    writer.links[-1] = True
    writer.run.open_link(with_title(address, None if title == text else title))
    return _add_label(writer, element, href)


def _add_label(writer: Writer, element: etree._Element, href: str) -> bool:
    """Show the label of a link that has nothing else to show."""
    label = element.get("aria-label")
    if not label or href.lstrip().startswith("#") or next(element.iter("img"), None) is not None:
        return False
    if any(text.strip() for text in element.itertext()):
        return False
    writer.add(label)
    return True


def _end_link(writer: Writer, _: etree._Element) -> None:
    if writer.links.pop():
        writer.run.close_link()


def _begin_code(writer: Writer, element: etree._Element) -> bool:
    if len(element) and next(element.iter("pre", "table", "img"), None) is not None:
        return False
    text = "".join(_shown_text(element)) if len(element) else element.text or ""
    words = _BLANKS.sub(" ", text).strip(" ")
    if not words:
        writer.add(" " if text else "")
        return True
    if text[0] in _BLANK:
        writer.add(" ")
    writer.run.add_code(words)
    if text[-1] in _BLANK:
        writer.add(" ")
    return True


def _shown_text(element: etree._Element) -> list[str]:
    pieces = [element.text or ""]
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walker:
        if inner is element:
            continue
        if event == "end":
            pieces.append(inner.tail or "")
        elif inner.tag in ("button", "script", "style", "svg"):
            walker.skip_subtree()
        else:
            pieces.append(" " if inner.tag in ("br", "div", "p", "li") else "")
            pieces.append(inner.text or "")
    return pieces


def _begin_image(writer: Writer, element: etree._Element) -> bool:
    if element.get("class", "").startswith("mwe-math-fallback"):
        _add_formula(writer, element, element.get("alt", ""))
        return True
    alt = alternative(element)
    if is_emoji(element, alt):
        writer.add(alt)
    elif writer.images == "alt":
        writer.add(f"[Image: {alt}]" if alt and not is_tracker(element) else "")
    else:
        _keep_image(writer, element, alt)
    return True


def _keep_image(writer: Writer, element: etree._Element, alt: str) -> None:
    address = image_address(element, writer.addresses)
    if not address:
        writer.add(alt)
    elif not is_tracker(element) and not (_in_noscript(element) and address == writer.last_image):
        writer.last_image = address
        writer.run.add_ready(image_markdown(address, alt, element.get("title")))


def _in_noscript(element: etree._Element) -> bool:
    return next(element.iterancestors("noscript"), None) is not None


def _begin_input(writer: Writer, element: etree._Element) -> bool:
    box = writer.boxes.top
    is_box = element.get("type", "").strip().lower() == "checkbox"
    if is_box and box.kind == "item" and not box.last and not writer.flat and writer.run.is_blank():
        writer.run.add_ready("[ ]" if element.get("checked") is None else "[x]")
        writer.add(" ")
    return False


def _begin_quotation(writer: Writer, _: etree._Element) -> bool:
    writer.add(_MARKS[writer.quotes % 2][0])
    writer.quotes += 1
    return False


def _end_quotation(writer: Writer, _: etree._Element) -> None:
    writer.quotes -= 1
    writer.add(_MARKS[writer.quotes % 2][1])


def _begin_reading(writer: Writer, _: etree._Element) -> bool:
    writer.add("(")
    return False


def _end_reading(writer: Writer, _: etree._Element) -> None:
    writer.add(")")


def _begin_button(writer: Writer, element: etree._Element) -> bool:
    writer.add(" ")
    return is_copy_button(element)


def _begin_spaced(writer: Writer, _: etree._Element) -> bool:
    writer.add(" ")
    return False


def _end_spaced(writer: Writer, _: etree._Element) -> None:
    writer.add(" ")


def _begin_media(writer: Writer, element: etree._Element) -> bool:
    """A film or sound as a link to its file; what is inside is for browsers that cannot play it."""
    source = next((one for one in element.iter() if one.get("src")), None)
    address = writer.addresses.absolute(source.get("src", "")) if source is not None else None
    if address:
        writer.run.open_link(with_title(address, None))
        writer.add(element.get("title") or element.get("aria-label") or str(element.tag).title())
        writer.run.close_link()
    return True


def _begin_frame(writer: Writer, element: etree._Element) -> bool:
    """A page within the page as a link, where it says what it is."""
    title, source = element.get("title"), element.get("src")
    address = writer.addresses.absolute(source) if title and source else None
    if address and not address.startswith("about:"):
        writer.run.open_link(with_title(address, None))
        writer.add(title or "")
        writer.run.close_link()
    return True


def _begin_script_element(writer: Writer, element: etree._Element) -> bool:
    if element.get("type", "").lower().startswith("math/tex"):
        is_block = "display" in element.get("type", "").lower()
        writer.run.add_ready(formula_markdown(element.text or "", display=is_block) or " ")
    return True


def _begin_math(writer: Writer, element: etree._Element) -> bool:
    _add_formula(writer, element, tex_of(element))
    return True


def _add_formula(writer: Writer, element: etree._Element, tex: str) -> None:
    formula = formula_markdown(tex, display=is_display(element))
    if formula:
        writer.run.add_ready(formula)
    elif element.tag == "math":
        writer.add(in_one_line(element))


def _begin_span(writer: Writer, element: etree._Element) -> bool:
    names = element.get("class")
    if not names:
        return False
    if "katex-html" in names or "mw-editsection" in names:
        return True
    if names.startswith("mwe-math-element"):
        tex = tex_of(element)
        _add_formula(writer, next(element.iter("math"), element), tex)
        return bool(tex)
    return "MathJax" in names and _source_follows(element)


def _source_follows(element: etree._Element) -> bool:
    """Whether what MathJax drew is followed by the TeX it drew."""
    for sibling in element.itersiblings():
        if sibling.tag == "script":
            return sibling.get("type", "").startswith("math/tex")
        if "MathJax" not in sibling.get("class", ""):
            return False
    return False


BEGIN: Final[dict[str, Begin]] = {
    **{tag: partial(_begin_format, name=name) for tag, name in _FORMATS.items()},
    **{tag: partial(_begin_script, name=name) for tag, name in _SCRIPTS.items()},
    **dict.fromkeys(_UNSHOWN, _skip),
    **dict.fromkeys(_SPACED, _begin_spaced),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), _begin_code),
    **dict.fromkeys(("video", "audio"), _begin_media),
    "a": _begin_link,
    "br": _begin_break,
    "button": _begin_button,
    "iframe": _begin_frame,
    "img": _begin_image,
    "input": _begin_input,
    "math": _begin_math,
    "q": _begin_quotation,
    "rt": _begin_reading,
    "script": _begin_script_element,
    "span": _begin_span,
}
"""The rules for the starts of inline elements, and of those that are not shown, by tag."""

END: Final[dict[str, End]] = {
    **{tag: partial(_end_format, name=name) for tag, name in _FORMATS.items()},
    **{tag: partial(_end_script, name=name) for tag, name in _SCRIPTS.items()},
    **dict.fromkeys((*_SPACED, "button"), _end_spaced),
    "a": _end_link,
    "q": _end_quotation,
    "rt": _end_reading,
}
"""The rules for the ends of inline elements, by tag."""
