"""What is done with links, and with what is shown from another address: images, films, frames."""

from typing import Final

from lxml import etree

from safefetch_cli.content.writer.chrome import is_permalink
from safefetch_cli.content.writer.destinations import autolink, with_title
from safefetch_cli.content.writer.formula_rules import add_formula
from safefetch_cli.content.writer.images import (
    alternative,
    image_address,
    image_markdown,
    is_emoji,
    is_tracker,
)
from safefetch_cli.content.writer.state import Begin, End, Writer


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


def _begin_image(writer: Writer, element: etree._Element) -> bool:
    if element.get("class", "").startswith("mwe-math-fallback"):
        add_formula(writer, element, element.get("alt", ""))
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
    elif not is_tracker(element) and not (address == writer.last_image and _in_noscript(element)):
        writer.last_image = address
        writer.run.add_ready(image_markdown(address, alt, element.get("title")))


def _in_noscript(element: etree._Element) -> bool:
    return next(element.iterancestors("noscript"), None) is not None


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


BEGIN: Final[dict[str, Begin]] = {
    **dict.fromkeys(("video", "audio"), _begin_media),
    "a": _begin_link,
    "iframe": _begin_frame,
    "img": _begin_image,
}
"""The rules for the starts of links and images, by tag."""

END: Final[dict[str, End]] = {"a": _end_link}
"""The rules for their ends."""
