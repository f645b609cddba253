"""Pages and what their markdown must hold, must not hold, and must show when it is rendered.

A pattern that begins with `re:` is a regular expression, any other is literal. `roundtrip` names
the pages that what is shown may equal; `markdown` is all of the text.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support_markdown import canonical, render

from safefetch_cli.content.markdown import page_to_markdown

CASES = Path(__file__).parent / "cases" / "markdown"
PAGE = "https://example.org/dir/page.html"


def _cases() -> list[Any]:
    return [
        pytest.param(case, id=case["id"])
        for path in sorted(CASES.glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]


def _holds(pattern: str, text: str) -> bool:
    if pattern.startswith("re:"):
        return re.search(pattern[3:], text, re.MULTILINE | re.DOTALL) is not None
    return pattern in text


@pytest.mark.parametrize("case", _cases())
def test_case(case: dict[str, Any]) -> None:
    text = page_to_markdown(case["html"], case.get("base_url", PAGE), images="keep")
    strict = case.get("strict_lists", False)
    rendered = render(text)
    shown = canonical(rendered.html, strict=strict)
    missing = [pattern for pattern in case.get("expect", ()) if not _holds(pattern, text)]
    present = [pattern for pattern in case.get("reject", ()) if _holds(pattern, text)]
    missing += [p for p in case.get("expect_rendered", ()) if not _holds(p, shown)]
    present += [p for p in case.get("reject_rendered", ()) if _holds(p, shown)]
    assert (missing, present) == ([], []), f"{case['why']}\n{text}\n{shown}"
    assert case.get("markdown", text) == text, case["why"]
    if "roundtrip" in case:
        assert shown in [canonical(page, strict=strict) for page in case["roundtrip"]], text
        assert not rendered.has_raw_html or case.get("allow_raw_html"), text
