"""Tests of the text of elements that should be short."""

from lxml import html

from safefetch_cli.content.short_text import begin_of_text


def test_a_text_is_whole_where_few_elements_hold_it() -> None:
    element = html.fromstring("<p>a<b>b<i>c</i>d</b>e</p>")
    assert begin_of_text(element, 3) == ("abcde", True)


def test_the_text_after_an_element_is_not_its_own() -> None:
    element = html.fromstring("<div><p>a</p>b</div>")[0]
    assert begin_of_text(element, 3) == ("a", True)


def test_a_text_of_many_elements_is_its_begin() -> None:
    element = html.fromstring(f"<p>a{'<i></i>' * 10}b</p>")
    assert begin_of_text(element, 5) == ("a", False)
