"""What may be wished of a page, and what a wish must be like."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from safefetch_cli.errors import InvalidInput

if TYPE_CHECKING:
    from safefetch_cli.content.wish import Wish

Format = Literal["markdown", "raw", "text"]
Extract = Literal["main", "full"]
Images = Literal["alt", "keep"]
Scope = Literal["all", "internal", "external"]

CHOICES = {
    "format": ("markdown", "raw", "text"),
    "extract": ("main", "full"),
    "images": ("alt", "keep"),
    "scope": ("all", "internal", "external"),
}

MAX_JOBS = 64
MAX_RETRIES = 10


class Reading(TypedDict, total=False):
    """How a page is read: the keyword arguments of `Client.get`."""

    format: Format
    extract: Extract
    images: Images
    json_pointer: str
    select: str
    exclude: Sequence[str]
    frontmatter: bool
    start_index: int
    max_chars: int | None
    retries: int


def check_choice(name: str, value: str) -> None:
    """Raise InvalidInput unless the value is one of the choices of that name."""
    choices = CHOICES[name]
    if value not in choices:
        raise InvalidInput(f"{name}: {value!r} is not one of {', '.join(choices)}")


def check_choices(wished: Mapping[str, object]) -> None:
    """Raise InvalidInput unless all values of these names that have choices are among them."""
    for name in CHOICES.keys() & wished.keys():
        check_choice(name, str(wished[name]))


def check_reading(reading: Reading) -> None:
    """Raise InvalidInput for a wish that no page can meet."""
    check_range("retries", reading.get("retries", 0), 0, MAX_RETRIES)
    check_choices(reading)
    check_parts(
        reading.get("select", ""), reading.get("exclude", ()), reading.get("json_pointer", "")
    )


def check_parts(select: str, exclude: Sequence[str], json_pointer: str = "") -> None:
    """Raise InvalidInput for what is no selector or no pointer, "" for none of them."""
    if select or exclude:
        from safefetch_cli.content.selector_grammar import parse_selector

        for css in (*filter(None, [select]), *exclude):
            parse_selector(css)
    if json_pointer:
        from safefetch_cli.content.pointer import parse_pointer

        parse_pointer(json_pointer)


def check_range(name: str, value: int, low: int, high: int) -> None:
    """Raise InvalidInput unless the value is from `low` to `high`."""
    if not low <= value <= high:
        raise InvalidInput(f"{name}: {value} is not from {low} to {high}")


def wish_of(
    form: Format, extract: Extract, images: Images, select: str, exclude: Sequence[str]
) -> "Wish":
    """The wish for a text in this form. Raises InvalidInput for what is no choice or selector."""
    for name, value in (("format", form), ("extract", extract), ("images", images)):
        check_choice(name, value)
    check_parts(select, exclude)
    from safefetch_cli.content.wish import Wish

    return Wish(form, extract, images, select, tuple(exclude))
