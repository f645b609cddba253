"""The cases of markdown: pages, and what their markdown must hold, must not hold and must show.

A pattern that begins with `re:` is a regular expression, any other is literal. `roundtrip` names
the pages that what is shown may equal; `markdown` is all of the text.
"""

import json
import re
from pathlib import Path
from typing import Any

from support_markdown import canonical, render

CASES = Path(__file__).parent / "content" / "cases" / "markdown"
PAGE = "https://example.org/dir/page.html"


def markdown_cases() -> list[dict[str, Any]]:
    """All cases, in the order of their files."""
    return [
        case
        for path in sorted(CASES.glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]


def faults_of(case: dict[str, Any], text: str) -> list[str]:
    """What is wrong with the markdown of a case's page; nothing when it is right."""
    strict = case.get("strict_lists", False)
    rendered = render(text)
    shown = canonical(rendered.html, strict=strict)
    missing = [pattern for pattern in case.get("expect", ()) if not _holds(pattern, text)]
    missing += [p for p in case.get("expect_rendered", ()) if not _holds(p, shown)]
    present = [pattern for pattern in case.get("reject", ()) if _holds(pattern, text)]
    present += [p for p in case.get("reject_rendered", ()) if _holds(p, shown)]
    faults = [f"without {pattern!r}" for pattern in missing]
    faults += [f"with {pattern!r}" for pattern in present]
    if case.get("markdown", text) != text:
        faults.append(f"not {case['markdown']!r}")
    if "roundtrip" in case:
        if shown not in [canonical(page, strict=strict) for page in case["roundtrip"]]:
            faults.append(f"shows {shown}")
        if rendered.has_raw_html and not case.get("allow_raw_html"):
            faults.append("with HTML of its own")
    return faults


def _holds(pattern: str, text: str) -> bool:
    if pattern.startswith("re:"):
        return re.search(pattern[3:], text, re.MULTILINE | re.DOTALL) is not None
    return pattern in text
