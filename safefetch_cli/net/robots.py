"""robots.txt: may this program read a URL, and which rule decided (RFC 9309)?

Groups and lines are read here: what matters is the group of our product token, and a file made of
many groups would cost Protego seconds. Protego then matches the patterns of that group alone, which
takes it time in proportion to their length, wildcards or not. Crawl-delay is no part of the
standard and is ignored: a reader asks for one page, not for a site.
"""

import re
import string
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

if TYPE_CHECKING:
    from protego import Protego

MAX_BYTES = 512 * 1024
"""So much of a file is read, up to a line's end; the standard asks for 500 KiB (RFC 9309, 2.5)."""

MAX_SHOWN_CHARS = 200
"""The longest pattern that a message shows."""

# The product token at the start of a User-Agent field or of a user-agent line (RFC 9309, 2.2.1).
_TOKEN = re.compile("[A-Za-z_-]+")
_LINE_END = re.compile("\r\n|\r|\n")
# The spellings of real files that Google's parser and Protego take; the colon may be missing too.
_DIRECTIVE = re.compile(
    r"(?:(?P<agent>user[ -]?agent)|(?P<allow>allow)|(?P<disallow>dis+al+ow|diasllow|disallaw))"
    r"\s*(?::|\s|\Z)\s*(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_EVERYONE = "*"


class Ruling(NamedTuple):
    """What a robots.txt says to one URL: `rule` is the line that decided, "" when none matched."""

    allowed: bool
    rule: str = ""


class Rule(NamedTuple):
    """One rule: its pattern is ASCII, other octets are percent-encoded."""

    pattern: str
    allows: bool

    def __str__(self) -> str:
        cut = "..." if len(self.pattern) > MAX_SHOWN_CHARS else ""
        kind = "Allow" if self.allows else "Disallow"
        return f"{kind}: {self.pattern[:MAX_SHOWN_CHARS]}{cut}"


class Rules:
    """The rules of one file that are meant for us. Does not change, so threads may share it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        # In the order in which they decide: most octets first, Allow before Disallow (2.2.2).
        self._rules = sorted(set(rules), key=lambda rule: (-len(rule.pattern), not rule.allows))
        self._all = _matcher(self._rules)

    @property
    def size(self) -> int:
        """Characters of all patterns, and some for each: what keeping the rules costs."""
        return sum(len(rule.pattern) + 16 for rule in self._rules)

    def judge(self, url: str) -> Ruling:
        """The ruling on a canonical absolute URL. /robots.txt itself is always allowed (2.2.2)."""
        if not _matches(self._all, url):
            return Ruling(allowed=True)
        # The first rule that matches decides. Each step keeps the half that holds it.
        rules = self._rules
        while len(rules) > 1:
            first, second = rules[: len(rules) // 2], rules[len(rules) // 2 :]
            rules = first if _matches(_matcher(first), url) else second
        return Ruling(rules[0].allows, str(rules[0]))


def product_token(user_agent: str) -> str:
    """The name by which robots.txt files call the program: lower-case, "" when there is none."""
    token = _TOKEN.match(user_agent)
    return token[0].lower() if token else ""


def read(body: bytes, user_agent: str) -> Rules:
    """The rules that a file's bytes have for the sender of a User-Agent field.

    A byte order mark is skipped, and octets that are not UTF-8 are compared as they are. Groups of
    one name are merged; the groups for everyone count when none names the program.
    """
    if len(body) > MAX_BYTES:
        cut = max(body.rfind(b"\n", 0, MAX_BYTES), body.rfind(b"\r", 0, MAX_BYTES))
        body = body[: cut + 1]
    text = body.decode("utf-8-sig", "surrogateescape")
    token = product_token(user_agent)
    groups: dict[str, list[Rule]] = {}
    for name, rule in _named(_LINE_END.split(text), {token, _EVERYONE}):
        rules = groups.setdefault(name, [])
        if rule is not None:
            rules.append(rule)
    return Rules(groups.get(token, groups.get(_EVERYONE, [])))


def _named(lines: Sequence[str], wanted: set[str]) -> Iterator[tuple[str, Rule | None]]:
    """Each rule with each wanted name of its group; None in place of a rule where a name is met.

    Only a rule ends the names of a group; other lines, known or not, are skipped (2.2.4).
    """
    names: set[str] = set()
    in_rules = False
    for line in lines:
        found = _DIRECTIVE.match(line.partition("#")[0].strip())
        if found is None:
            continue
        value = found["value"]
        if found["agent"]:
            names = set() if in_rules else names
            in_rules = False
            name = _EVERYONE if re.match(r"\*(?:\s|\Z)", value) else product_token(value)
            if name and name in wanted:
                names.add(name)
                yield name, None
            continue
        in_rules = True
        if value:  # an empty pattern matches nothing
            rule = Rule(_encoded(value), bool(found["allow"]))
            for name in names:
                yield name, rule


def _encoded(pattern: str) -> str:
    return quote(pattern.encode("utf-8", "surrogateescape"), safe=string.punctuation)


def _matcher(rules: Sequence[Rule]) -> "Protego":
    """Protego with these patterns, all of them as Disallow."""
    from protego import Protego  # of the pages that are read few are asked for under robots.txt

    lines = "\n".join(f"Disallow: {rule.pattern}" for rule in rules)
    return Protego.parse(f"User-agent: {_EVERYONE}\n{lines}")


def _matches(matcher: "Protego", url: str) -> bool:
    return not matcher.can_fetch(url, _EVERYONE)
