"""The edges of an article: its title and dates, its lists of links, its parts and captions."""

import pytest

from safefetch_cli.content.page import html_to_markdown

PROSE = (
    "The river rose by two metres in the night, and by the morning, the bridge was closed. "
    "People from both banks gathered, some with boats, to bring the children home from school."
)
URL = "https://news.example/river"
NAV = "<nav><a href='/'>Home</a></nav>"
TEXT = f"<p>{PROSE}</p>" * 4
LINKS = "<ul><li><a href='/1'>A story of boats</a></li><li><a href='/2'>Of bridges</a></li></ul>"
WRITTEN_LINKS = (
    "- [A story of boats](https://news.example/1)\n- [Of bridges](https://news.example/2)"
)


def article(inner: str, *, title: str = "The river in the night") -> str:
    """The markdown of an article, without its prose."""
    head = f"<head><title>{title}</title></head>"
    page = f"<html>{head}<body>{NAV}<article>{inner}</article></body></html>"
    return html_to_markdown(page, URL).replace(PROSE, "").strip()


def middle(block: str) -> str:
    """The markdown of a block in the middle of an article."""
    return article(f"{TEXT}{block}<p>The end.</p>").removesuffix("The end.").strip()


def test_no_rule_leads_a_text() -> None:
    assert article(f"<div><hr></div><hr>{TEXT}<hr><p>The end.</p>") == "---\n\nThe end."


def test_a_rule_below_a_picture_stays() -> None:
    shown = article(f"<img src='/a.png' alt='A boat'><hr>{TEXT}")
    assert shown == "![A boat](https://news.example/a.png)\n\n---"


@pytest.mark.parametrize(
    ("above", "heading"),
    [
        ("<p>This Blog</p><p>This Blog</p>", "<h3>The river in the night</h3>"),
        ("<h1>Information</h1><p>Font size</p>", "<h2>The river in the night</h2>"),
        ("<h3>Other news</h3><p>Print</p>", "<h1>The River</h1>"),
    ],
)
def test_what_stands_above_the_title_goes(above: str, heading: str) -> None:
    shown = article(f"{above}{heading}{TEXT}", title="The river in the night")
    level = "#" * int(heading[2])
    assert shown == f"{level} {heading[4:-5]}"


def test_a_text_ahead_of_a_heading_like_the_title_stays() -> None:
    shown = article(f"<p>{PROSE}</p><p>Told by Ann.</p><h2>The river in the night</h2>{TEXT}")
    assert shown == "Told by Ann.\n\n## The river in the night"


def test_a_long_line_of_dates_is_a_dateline_where_it_says_so() -> None:
    line = (
        "<p>The Daily River | <time datetime='2015-05-04'>04.05.2015 at 13h36</time> • Changed"
        " <time datetime='2015-05-05'>05.05.2015 at 20h13</time> | By Ann Smith, with Ben</p>"
    )
    assert article(f"{line}{TEXT}") == ""


def test_a_sentence_with_dates_stays() -> None:
    line = (
        "On 31.10.2023, at about 23:40, somebody tried to break into a house at 31167 Riverton,"
        " and the police ask who saw him."
    )
    assert article(f"<p>{line}</p>{TEXT}") == line


def test_a_block_marked_up_as_the_author_goes() -> None:
    block = "<ul><li itemprop='author'>Ann Smith<br>Reporter <b>Follow</b></li></ul>"
    assert article(f"{TEXT}{block}") == ""


def test_the_author_in_a_sentence_stays() -> None:
    line = "<p>It was <span itemprop='author'>Ann Smith</span> who saw it first that day.</p>"
    assert middle(line) == "It was Ann Smith who saw it first that day."


def test_the_id_of_a_phrase_in_a_heading_names_nothing() -> None:
    heading = "<h2><span id='Sponsors_of_the_bridge'>Sponsors of the bridge</span></h2>"
    assert middle(f"{heading}{TEXT}") == "## Sponsors of the bridge"


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        (f"<p>These are the stories that we know of:</p>{LINKS}", WRITTEN_LINKS),
        (f"<p>These are not.</p>{LINKS}", ""),
        (f"<p>Related articles of this week:</p>{LINKS}", ""),
    ],
)
def test_a_list_of_links_stays_where_a_paragraph_introduces_it(block: str, shown: str) -> None:
    assert middle(block).partition("\n\n")[2] == shown


def test_a_list_of_links_stays_in_the_item_that_introduces_it() -> None:
    nested = "\n".join(f"  {line}" for line in WRITTEN_LINKS.splitlines())
    block = f"<ul><li>Much is done.</li><li>In progress:{LINKS}</li></ul>"
    assert middle(block) == f"- Much is done.\n- In progress:\n{nested}"


def test_a_table_of_contents_stays() -> None:
    block = (
        "<ul><li><a href='#bank'>The bank</a></li><li><a href='#boat'>The boat</a></li>"
        "<li><a href='#bridge'>The bridge</a></li></ul>"
    )
    assert middle(block) == (
        "- [The bank](https://news.example/river#bank)\n"
        "- [The boat](https://news.example/river#boat)\n"
        "- [The bridge](https://news.example/river#bridge)"
    )


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ("<p>He <a href='/2'>went home in silence</a>.</p>", True),
        ("<p>(Artist: <a href='/3'>The Riverside Painter of Banks and Boats</a>)</p>", True),
        ("<p><a href='/4'>Storm at the river: all that we know</a></p>", False),
        ("<p><a href='mailto:ann@news.example'>ann@news.example</a></p>", True),
        ("<p><a href='tel:+15550100'>+1 555 0100</a></p>", True),
    ],
)
def test_which_paragraphs_of_links_stay(block: str, shown: bool) -> None:
    assert bool(middle(block)) is shown


@pytest.mark.parametrize(
    ("item", "shown"),
    [
        ("Related to each other: a cache and a server", True),
        ("Related stories", False),
    ],
)
def test_a_long_item_without_a_link_closes_nothing(item: str, shown: bool) -> None:
    assert (item in middle(f"<ul><li>Apart from others</li><li>{item}</li></ul>")) is shown


def test_a_short_part_between_parts_of_the_article_stays() -> None:
    long = f"<section class='part'>{TEXT * 3}</section>"
    short = (
        "<section class='part'><p>And then, in the middle of the night, somebody rang the bell of"
        " the church, as loud as he could.</p></section>"
    )
    assert article(f"{long}{short}{long}").startswith("And then, in the middle of the night")


@pytest.mark.parametrize(("count", "shown"), [(20, False), (60, True)])
def test_a_long_text_keeps_the_captions_of_its_pictures(count: int, shown: bool) -> None:
    figure = "<figure><img src='/a.png' alt='A'><figcaption>The bridge.</figcaption></figure>"
    lines = article(f"<p>{PROSE}</p>{figure}" + f"<p>{PROSE}</p>" * count).splitlines()
    assert ("The bridge." in lines) is shown
