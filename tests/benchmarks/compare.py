"""Compare with what people use today, each measured in the same run.

    pip install '.[test,compare]'
    python tests/benchmarks/compare.py guard      # addresses judged rightly (tests/vectors)
    python tests/benchmarks/compare.py markdown   # pages converted rightly (tests/content)

Nothing is sent anywhere. A peer that is not installed is left out, with a notice. The server is
compared by measure_server.py.
"""

import importlib
import ipaddress
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from support_cases import PAGE, faults_of, markdown_cases  # noqa: E402


def guard() -> None:
    """How many addresses each judge takes for what they are: public, or not to be reached."""
    vectors = json.loads((TESTS / "vectors" / "address_vectors.json").read_text("utf-8"))
    judges: dict[str, Callable[[str], bool]] = {
        "safefetch": _safefetch_reaches,
        "ipaddress.is_global": lambda text: ipaddress.ip_address(text).is_global,
        "not ipaddress.is_private": lambda text: not ipaddress.ip_address(text).is_private,
    }
    reference = _peer("mcp_server_fetch.server")
    if reference is not None:
        judges["mcp-server-fetch"] = reference._is_public_address
    for name, reaches in judges.items():
        opened = [one for one in vectors if one["expect"] == "refuse" and _said(reaches, one)]
        closed = [one for one in vectors if one["expect"] != "refuse" and not _said(reaches, one)]
        right = len(vectors) - len(opened) - len(closed)
        print(f"{name}: {right} of {len(vectors)}; {len(opened)} let in, {len(closed)} kept out")


def _said(reaches: Callable[[str], bool], vector: dict[str, Any]) -> bool:
    try:
        return bool(reaches(vector["address"]))
    except ValueError:
        return False


def _safefetch_reaches(text: str) -> bool:
    from safefetch_cli.net.addresses import judge, parse_address

    address = parse_address(text)
    return address is not None and not judge(address).reason


def markdown() -> None:
    """How many pages each converter writes as markdown that shows what the page showed."""
    cases = markdown_cases()
    for name, convert in _converters().items():
        right = sum(_is_right(convert, case) for case in cases)
        print(f"{name}: {right} of {len(cases)} = {100 * right / len(cases):.0f} %")


def _converters() -> dict[str, Callable[[str, str], str]]:
    from safefetch_cli.content.markdown import page_to_markdown

    found: dict[str, Callable[[str, str], str]] = {
        "safefetch": lambda html, url: page_to_markdown(html, url, images="keep")
    }
    if (markdownify := _peer("markdownify")) is not None:
        found["markdownify"] = lambda html, _: markdownify.markdownify(html, heading_style="ATX")
    if (html2text := _peer("html2text")) is not None:
        found["html2text"] = lambda html, url: html2text.html2text(html, baseurl=url, bodywidth=0)
    if (trafilatura := _peer("trafilatura")) is not None:
        found["trafilatura"] = lambda html, url: (
            trafilatura.extract(
                html, url=url, output_format="markdown", include_links=True, include_images=True
            )
            or ""
        )
    return found


def _is_right(convert: Callable[[str, str], str], case: dict[str, Any]) -> bool:
    try:
        text = convert(case["html"], case.get("base_url", PAGE))
    except Exception:  # noqa: BLE001 - a peer that fails on a page has not converted it
        return False
    return not faults_of(case, text)


def _peer(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"{module} is not installed, and left out: pip install '.[test,compare]'")
        return None


if __name__ == "__main__":
    measures = {"guard": guard, "markdown": markdown}
    for chosen in sys.argv[1:] or measures:
        measures[chosen]()
