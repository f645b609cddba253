r"""The signs that stand for inline markup while a run of text is being put together.

A token is a name between two NUL characters: `\0S\0` opens strong, `\0s\0` closes it. No parser
lets a NUL into a tree, so a token is never mistaken for text; and as a name holds letters and
digits only, what escapes punctuation passes over it. Splitting at NUL gives text and names by
turns.

    S s  strong      E e  emphasis        D d  deleted       F f  emphasis in emphasis
    X x  superscript Y y  subscript       Ln ln  the link to object n of the run
    Cn   code span   In   markup that is ready as it is      B  line break
    1 2  the brackets [ ] inside the text of a link
    3 4  the angles < > round an address
"""

from typing import Final

NUL: Final = "\0"
BREAK: Final = "\0B\0"
LINK_BRACKETS: Final = ("\0001\0", "\0002\0")
ADDRESS_START: Final = "\0003\0"
ADDRESS_END: Final = "\0004\0"
STRONG: Final = "S"
EMPHASIS: Final = "E"
INNER_EMPHASIS: Final = "F"
DELETED: Final = "D"
SUPERSCRIPT: Final = "X"
SUBSCRIPT: Final = "Y"

MARKUP: Final = {
    "S": "**",
    "s": "**",
    "E": "*",
    "e": "*",
    "F": "_",
    "f": "_",
    "D": "~~",
    "d": "~~",
    "X": "<sup>",
    "x": "</sup>",
    "Y": "<sub>",
    "y": "</sub>",
    "1": r"\[",
    "2": r"\]",
    "3": "<",
    "4": ">",
}
"""What the names without a number are written as; the line break depends on where it stands."""
