"""The words of a line of markdown: what a reader sees of it, without marks.

Links give their text, images their alternative text, code its content; emphasis, HTML tags and
backslashes go and entities are resolved (CommonMark 6). Linear in the length of the line.
"""

import html
import re
import unicodedata
from typing import NamedTuple

from safefetch_cli.content.inline_spans import closing_ticks, link_tail

_TOKEN = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|(?P<ticks>`+)|(?P<entity>&(?:\#\d{1,7}|\#x[\da-f]{1,6}|\w+);)"
    r"|<(?P<address>[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>"
    r"|<(?P<tag>/?[a-z][^<>]*|!--.*?--)>"
    r"|(?P<open>\[Image:[ ]|!?\[)|(?P<close>\])|(?P<delimiters>\*+|_+|~+)",
    re.IGNORECASE | re.DOTALL,
)


class _Run(NamedTuple):
    """A run of * or _ or ~: where its piece is, and what it may do (CommonMark 6.2)."""

    piece: int
    length: int
    opens: bool
    closes: bool

    def pairs_with(self, closer: "_Run") -> bool:
        """Rules 9 and 10: a run that may do both has a say in what it pairs with."""
        if not (self.closes or closer.opens):
            return True
        return bool((self.length + closer.length) % 3) or not (self.length % 3 or closer.length % 3)


def plain_text(line: str) -> str:
    """The words of inline markdown, white space between them as one space each."""
    return " ".join("".join(_Reader(line).read()).split())


class _Reader:
    """The pieces of the text so far, and the brackets and delimiters that may still find a pair."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._ticks = closing_ticks(line, 0, len(line))
        self._pieces: list[str] = []
        self._brackets: list[int] = []
        self._runs: dict[str, list[_Run]] = {"*": [], "_": [], "~": []}

    def read(self) -> list[str]:
        position = 0
        while token := _TOKEN.search(self._line, position):
            self._pieces.append(self._line[position : token.start()])
            position = self._take(token)
        self._pieces.append(self._line[position:])
        return self._pieces

    def _take(self, token: re.Match[str]) -> int:
        """Read one token; where to go on."""
        kind = token.lastgroup
        if kind == "ticks":
            return self._code(token)
        if kind == "close":
            return self._link(token.end())
        if kind == "delimiters":
            self._emphasis(token)
        elif kind == "open":
            self._brackets.append(len(self._pieces))
            self._pieces.append(token[0])
        elif kind == "entity":
            self._pieces.append(html.unescape(token[0]))
        elif kind != "tag":
            self._pieces.append(token["escaped"] or token["address"])
        return token.end()

    def _code(self, token: re.Match[str]) -> int:
        end = self._ticks.get(token.start())
        if end is None:
            self._pieces.append(token[0])
            return token.end()
        self._pieces.append(self._line[token.end() : end - len(token[0])])
        return end

    def _link(self, position: int) -> int:
        """After a closing bracket: a link loses its brackets and destination."""
        if not self._brackets:
            self._pieces.append("]")
            return position
        opened = self._brackets.pop()
        is_image = self._pieces[opened].startswith("[Image")
        end = None if is_image else link_tail(self._line, position, len(self._line))
        if is_image or end is not None:
            self._pieces[opened] = ""
        else:
            self._pieces.append("]")
        return position if end is None else end

    def _emphasis(self, token: re.Match[str]) -> None:
        run = self._run(token)
        marks = self._runs[token[0][0]]
        left = len(token[0])
        while run.closes and left and marks and marks[-1].pairs_with(run):
            opener = marks[-1]
            pairs = min(left, len(self._pieces[opener.piece]))
            self._pieces[opener.piece] = self._pieces[opener.piece][pairs:]
            left -= pairs
            if not self._pieces[opener.piece]:
                marks.pop()
        self._pieces.append(token[0][:left])
        if run.opens and left:
            marks.append(run)

    def _run(self, token: re.Match[str]) -> _Run:
        before = self._line[token.start() - 1] if token.start() else " "
        after = self._line[token.end()] if token.end() < len(self._line) else " "
        is_left = not after.isspace() and (
            not _is_sign(after) or before.isspace() or _is_sign(before)
        )
        is_right = not before.isspace() and (
            not _is_sign(before) or after.isspace() or _is_sign(after)
        )
        if token[0][0] == "_":  # not within a word
            left, right = is_left, is_right
            is_left = left and (not right or _is_sign(before))
            is_right = right and (not left or _is_sign(after))
        return _Run(len(self._pieces), len(token[0]), is_left, is_right)


def _is_sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
