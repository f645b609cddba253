"""Pseudo-classes that only style sheets have, as tests of a page that nobody has touched."""

from collections.abc import Callable

from safefetch_cli.content.selector_tree import Among, Attribute, Compound, State, Test

NEVER: tuple[Test, ...] = (Among(()),)
_UNTOUCHED_STATES = """
    active autofill current default focus focus-visible focus-within fullscreen future hover host
    in-range indeterminate invalid modal open out-of-range past paused picture-in-picture
    placeholder-shown playing popover-open target target-within user-invalid user-valid valid
    visited after before first-letter first-line
"""
OF_A_BROWSER: dict[str, tuple[Test, ...]] = {
    **dict.fromkeys(_UNTOUCHED_STATES.split(), NEVER),
    "defined": (),  # the page's scripts see to it
    "enabled": (Among(((Compound("", (State("disabled"),)),),), negated=True),),
    "optional": (Among(((Compound("", (Attribute("required"),)),),), negated=True),),
    "required": (Attribute("required"),),
}


def _of_language(language: str) -> tuple[Test, ...]:
    """The element, or one around it, says that it is in a language."""
    said = Compound("", (Attribute("lang", "|=", language, any_case=True),))
    return (Among(((said,), (said, Compound(" ", ())))),)


ARGUED: dict[str, Callable[[str], tuple[Test, ...]]] = {
    **dict.fromkeys(("host", "host-context", "state"), lambda _: NEVER),
    "dir": lambda direction: NEVER if direction == "rtl" else (),
    "lang": _of_language,
}
"""Functions of style sheets; text counts as written from left to right."""
