"""Pages and what their markdown must hold, must not hold, and must show when it is rendered."""

from typing import Any

import pytest
from support_cases import PAGE, faults_of, markdown_cases

from safefetch_cli.content.markdown import page_to_markdown


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in markdown_cases()])
def test_case(case: dict[str, Any]) -> None:
    text = page_to_markdown(case["html"], case.get("base_url", PAGE), images="keep")
    assert faults_of(case, text) == [], f"{case['why']}\n{text}"
