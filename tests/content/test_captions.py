"""What becomes of the captions of pictures."""

import pytest

from safefetch_cli.content.page import html_to_markdown

PROSE = (
    "The river rose by two metres in the night, and by the morning, the bridge was closed. "
    "People from both banks gathered, some with boats, to bring the children home from school."
)
URL = "https://news.example/river"


def written(block: str) -> str:
    """What is written of a block in the middle of an article."""
    text = "".join(f"<p>{PROSE}</p>" for _ in range(4))
    head = "<head><title>The river</title></head>"
    nav = "<nav><a href='/'>Home</a></nav>"
    page = f"<html>{head}<body>{nav}<article>{text}{block}<p>The end.</p></article></body></html>"
    markdown = html_to_markdown(page, URL)
    return markdown.replace(PROSE, "").removesuffix("The end.").strip()


def test_a_caption_tells_a_picture_that_says_nothing() -> None:
    figure = (
        "<figure><img src='a.png' alt=''><figcaption>The bridge\n at noon.</figcaption></figure>"
    )
    assert written(figure) == "![The bridge at noon.](https://news.example/a.png)"


@pytest.mark.parametrize(
    ("alternative", "shown"),
    [
        ("The bridge", "![The bridge, closed](https://news.example/a.png)"),
        ("A bridge", '![A bridge](https://news.example/a.png "The bridge, closed")'),
        ("See: The bridge, closed", "![See: The bridge, closed](https://news.example/a.png)"),
    ],
)
def test_a_caption_beside_an_alternative(alternative: str, shown: str) -> None:
    picture = f"<img src='a.png' alt='{alternative}'>"
    assert (
        written(f"<figure>{picture}<figcaption>The bridge, closed</figcaption></figure>") == shown
    )
    assert (
        written(f"<div>{picture}<p class='wp-caption-text'>The bridge, closed</p></div>") == shown
    )


def test_the_caption_of_several_pictures_is_that_of_none() -> None:
    pictures = "<img src='a.png' alt='A'><img src='b.png' alt=''>"
    assert written(f"<figure>{pictures}<figcaption>Both</figcaption></figure>") == (
        "![A](https://news.example/a.png)![](https://news.example/b.png)"
    )


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        ("<pre>a = 1</pre><figcaption>app.py</figcaption>", "```\na = 1\n```\n\napp.py"),
        (
            "<figcaption>Levels</figcaption><table><tr><th>a</th></tr><tr><td>1</td></tr></table>",
            "Levels\n\n| a |\n| --- |\n| 1 |",
        ),
        ("<blockquote>So it is.</blockquote><figcaption>Ann</figcaption>", "> So it is.\n\nAnn"),
    ],
)
def test_the_caption_of_what_is_no_picture_stays(figure: str, shown: str) -> None:
    assert written(f"<figure>{figure}</figure>") == shown


def test_a_picture_with_words_in_a_table_stays() -> None:
    table = (
        "<table><tr><th>Boat</th><th>Seats</th></tr>"
        "<tr><td><img src='a.png' alt='A boat'> Blue</td><td>4</td></tr></table>"
    )
    assert written(table) == (
        "| Boat | Seats |\n| --- | --- |\n| ![A boat](https://news.example/a.png) Blue | 4 |"
    )


def test_a_caption_that_is_a_link_tells_the_picture_of_a_long_text_too() -> None:
    long = f"<p>{PROSE}</p>" * 60
    caption = "<div class='photo-caption'><a href='/ann'>Photo: Ann</a></div>"
    assert written(f"{long}<div><img src='a.png' alt=''>{caption}<p>{PROSE}</p></div>") == (
        "![Photo: Ann](https://news.example/a.png)"
    )
