"""CSS selectors (Selectors Level 4, what documents need of it) to a small tree.

Understood are type, universal, id, class and attribute selectors (with the flag i), the four
combinators, lists, :not(), :is(), :where(), :has(), the :nth family with its short forms, :empty,
:root, :scope, :link, :any-link, :checked and :disabled. Namespaces are not. States of a browser and
pseudo-elements are faults in a selector that a person gives; in a style sheet they are well, and
select no element of a page that nobody has touched.
"""

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from typing import Any, Final, NoReturn

import tinycss2
from tinycss2.nth import parse_nth

from safefetch_cli.content.selector_browser import ARGUED, NEVER, OF_A_BROWSER
from safefetch_cli.content.selector_plain import read_plain_selector
from safefetch_cli.content.selector_tree import (
    Among,
    Attribute,
    Complex,
    Compound,
    Having,
    Nth,
    State,
    Tag,
    Test,
)
from safefetch_cli.errors import InvalidInput, ProcessingLimit

MAX_CHARS: Final = 1000
MAX_TESTS: Final = 100
MAX_PAGE_TESTS: Final = 1000
"""Simple selectors in a selector that a person gives, and in one of a style sheet."""

MAX_DEPTH: Final = 10


_COMBINATORS = (">", "+", "~")
_STATES = frozenset(("empty", "root", "link", "checked", "disabled"))
_SAME = {"any-link": "link", "scope": "root"}
_SHORT: dict[str, tuple[Test, ...]] = {
    "first-child": (Nth(0, 1),),
    "last-child": (Nth(0, 1, from_end=True),),
    "only-child": (Nth(0, 1), Nth(0, 1, from_end=True)),
    "first-of-type": (Nth(0, 1, of_type=True),),
    "last-of-type": (Nth(0, 1, from_end=True, of_type=True),),
    "only-of-type": (Nth(0, 1, of_type=True), Nth(0, 1, from_end=True, of_type=True)),
}
_NTH = {
    f"nth-{'last-' if from_end else ''}{'of-type' if of_type else 'child'}": (from_end, of_type)
    for from_end in (False, True)
    for of_type in (False, True)
}
_SIGNS = frozenset(("=", "~=", "|=", "^=", "$=", "*="))
_FORGIVING = frozenset(("is", "where", "matches", "-webkit-any", "-moz-any"))
_CLOSING = {"function": ")", "() block": ")", "[] block": "]", "{} block": "}"}


def parse_selector(css: str) -> tuple[Complex, ...]:
    """The selectors of a list. Raises InvalidInput that names the selector and the position."""
    if len(css) > MAX_CHARS:
        raise InvalidInput(f"selector: it has {len(css)} characters, more than {MAX_CHARS}")
    tokens = tinycss2.parse_component_value_list(" ".join(css.splitlines()), skip_comments=True)
    grammar = _Grammar(css)
    if tokens and not css.rstrip().endswith(_CLOSING.get(tokens[-1].type, "")):
        grammar.fail(len(css) + 1, f"{_CLOSING[tokens[-1].type]} is missing")
    return grammar.selectors(tokens, len(css) + 1)


def parse_style_selector(css: str) -> tuple[Complex, ...] | None:
    """The selectors of a rule in a style sheet; None for what no browser takes.

    Raises ProcessingLimit for one that is beyond MAX_PAGE_TESTS or MAX_DEPTH.
    """
    plain = read_plain_selector(css)
    if plain is not None:
        return (plain,)
    tokens = tinycss2.parse_component_value_list(css, skip_comments=True)
    try:
        return _Grammar(css, of_page=True).selectors(tokens, len(css) + 1)
    except InvalidInput:
        return None


def _is_comma(token: Any) -> bool:
    return bool(token.type == "literal" and token.value == ",")


class _Grammar:
    def __init__(self, css: str, *, of_page: bool = False) -> None:
        self.css = css
        self.of_page = of_page  # it stands in a style sheet
        self.tests = 0
        self.depth = 0

    def fail(self, position: int, fault: str) -> NoReturn:
        raise InvalidInput(f"selector: {self.css!r} is not valid at character {position}: {fault}")

    def exceed(self, position: int, fault: str) -> NoReturn:
        """Refuse what is well but beyond the bounds: a page gives no way to mend it."""
        if self.of_page:
            raise ProcessingLimit(f"selector: {fault}")
        self.fail(position, fault)

    def selectors(
        self, tokens: Sequence[Any], end: int, *, relative: bool = False, forgiving: bool = False
    ) -> tuple[Complex, ...]:
        """The selectors of a list whose tokens end at a position.

        A forgiving list leaves out those that are not understood.
        """
        level = self.depth = self.depth + 1
        if level > MAX_DEPTH:
            self.exceed(end, f"nested more than {MAX_DEPTH} deep")
        found: list[Complex] = []
        begin = 0
        commas = [number for number, token in enumerate(tokens) if _is_comma(token)]
        for comma in (*commas, len(tokens)):
            stop = tokens[comma].source_column if comma < len(tokens) else end
            with suppress(InvalidInput) if forgiving else nullcontext():
                found.append(_Reader(self, tokens[begin:comma], stop).complex(relative=relative))
            begin = comma + 1
            self.depth = level
        self.depth -= 1
        return tuple(found)


class _Reader:
    """Reads the tokens of one selector."""

    def __init__(self, grammar: _Grammar, tokens: Sequence[Any], end: int) -> None:
        self.grammar = grammar
        self.tokens = tokens
        self.end = end
        self.at = 0

    def complex(self, *, relative: bool) -> Complex:
        self._skip_space()
        combinator = (self._combinator() or " ") if relative else ""
        parts = [Compound(combinator, self._compound())]
        while True:
            spaced = self._skip_space()
            if self._type() == "":
                return tuple(parts)
            combinator = self._combinator() or (" " if spaced else "")
            if not combinator:
                self._fail("a combinator or the end is expected")
            parts.append(Compound(combinator, self._compound()))

    def _compound(self) -> tuple[Test, ...]:
        tests: list[Test] = []
        start = self.at
        while (read := self._reader(first=self.at == start)) is not None:
            tests.extend(read())
        if self.at == start:
            self._fail("a selector is expected")
        self.grammar.tests += max(len(tests), 1)
        most = MAX_PAGE_TESTS if self.grammar.of_page else MAX_TESTS
        if self.grammar.tests > most:
            self.grammar.exceed(self.end, f"more than {most} simple selectors")
        return tuple(tests)

    def _reader(self, *, first: bool) -> Any:
        kind = self._literal() or self._type()
        if kind in ("ident", "*") and not first:
            self._fail("a type selector stands first")
        readers = {
            "ident": self._tag,
            "*": self._any,
            "hash": self._id,
            ".": self._class,
            "[] block": self._attribute,
            ":": self._pseudo,
        }
        return readers.get(kind)

    def _tag(self) -> tuple[Test, ...]:
        return (Tag(self._next().lower_value),)

    def _any(self) -> tuple[Test, ...]:
        self._next()
        if self.grammar.of_page and self._literal() == "|":  # any namespace
            self._next()
            return self._tag() if self._type() == "ident" else self._any()
        return ()

    def _id(self) -> tuple[Test, ...]:
        return (Attribute("id", "=", self._next().value),)

    def _class(self) -> tuple[Test, ...]:
        self._next()
        if self._type() != "ident":
            self._fail("the name of a class is expected")
        return (Attribute("class", "~=", self._next().value),)

    def _attribute(self) -> tuple[Test, ...]:
        block = self._next()
        parts = [token for token in block.content if token.type != "whitespace"]
        name, sign, value, flag = [*parts, None, None, None, None][:4]
        if name is None or name.type != "ident":
            self._fail("the name of an attribute is expected", block)
        if sign is None:
            return (Attribute(name.lower_value),)
        if sign.type != "literal" or sign.value not in _SIGNS:
            self._fail("one of = ~= |= ^= $= *= is expected", sign)
        if value is None or value.type not in ("ident", "string"):
            self._fail("a value is expected, in quotes if it is no name", value or sign)
        is_flag = flag is not None and flag.type == "ident" and flag.lower_value in ("i", "s")
        if len(parts) > 4 or (flag is not None and not is_flag):
            self._fail("only i or s may follow the value", flag)
        any_case = flag is not None and flag.lower_value == "i"
        return (Attribute(name.lower_value, sign.value, value.value, any_case),)

    def _pseudo(self) -> tuple[Test, ...]:
        colon = self._next()
        if self._type() == "function":
            return self._function(self._next(), colon)
        if self._type() == "literal" and self.tokens[self.at].value == ":":
            return self._pseudo_element(colon)
        if self._type() != "ident":
            self._fail("the name of a pseudo-class is expected")
        name = self._next().lower_value
        name = _SAME.get(name, name)
        if self.grammar.of_page and name in OF_A_BROWSER:
            return OF_A_BROWSER[name]
        if name not in _SHORT and name not in _STATES:
            self._fail(f":{name} is not supported", colon)
        return _SHORT.get(name) or (State(name),)

    def _pseudo_element(self, colon: Any) -> tuple[Test, ...]:
        self._next()
        if not self.grammar.of_page or self._type() not in ("ident", "function"):
            self._fail("pseudo-elements select no element", colon)
        self._next()
        return NEVER

    def _function(self, function: Any, colon: Any) -> tuple[Test, ...]:
        name = function.lower_name
        if name in _NTH:
            series = parse_nth(function.arguments)
            if series is None:
                self._fail("a number, odd, even or an+b is expected", function)
            from_end, of_type = _NTH[name]
            return (Nth(*series, from_end=from_end, of_type=of_type),)
        of_page = self.grammar.of_page
        if of_page and name in ARGUED:
            argument = tinycss2.serialize(function.arguments).strip().strip("\"'").lower()
            return ARGUED[name](argument)
        if name not in ("not", "is", "where", "matches", "has") and not (
            of_page and name in _FORGIVING
        ):
            self._fail(f":{name}() is not supported", colon)
        end = self.tokens[self.at].source_column - 1 if self.at < len(self.tokens) else self.end - 1
        inner = self.grammar.selectors(
            function.arguments,
            end,
            relative=name == "has",
            forgiving=of_page and name in _FORGIVING,
        )
        if name == "has":
            return (Having(inner),)
        return (Among(inner, negated=name == "not", weightless=name == "where"),)

    def _combinator(self) -> str:
        if self._type() != "literal" or self.tokens[self.at].value not in _COMBINATORS:
            return ""
        sign = str(self._next().value)
        self._skip_space()
        return sign

    def _skip_space(self) -> bool:
        start = self.at
        while self._type() == "whitespace":
            self.at += 1
        return self.at > start

    def _type(self) -> str:
        return str(self.tokens[self.at].type) if self.at < len(self.tokens) else ""

    def _literal(self) -> str:
        return str(self.tokens[self.at].value) if self._type() == "literal" else ""

    def _next(self) -> Any:
        self.at += 1
        return self.tokens[self.at - 1]

    def _fail(self, fault: str, token: Any = None) -> NoReturn:
        if token is None and self.at < len(self.tokens):
            token = self.tokens[self.at]
        self.grammar.fail(self.end if token is None else token.source_column, fault)
