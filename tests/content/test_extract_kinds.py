"""Documentation and discussions."""

import pytest

from safefetch_cli.content.clean import clean
from safefetch_cli.content.extract import extract
from safefetch_cli.content.parse import parse_html

TEXT = "Opens the file, reads it to its end, and closes it, whatever happens in between. "
MENU = "<nav class='sidebar'><a href='/a'>Chapter one</a><a href='/b'>Chapter two</a></nav>"


def main_of(page: str, url: str) -> tuple[str, str]:
    root = parse_html(page)
    assert root is not None
    clean(root)
    found = extract(root, url, whole=False)
    assert found.tree is not None
    return found.extraction, "\n".join(found.tree.itertext())


MANUAL = f"""
<html><head><title>file</title>GENERATOR</head><body>{MENU}<main>
<h1>file</h1><p>{TEXT}</p>
<h2 id="related-functions"><a href="#related-functions">Related functions</a></h2>
<ul><li><a href="open.html">open</a></li><li><a href="close.html">close</a></li></ul>
<h2 id="share"><a href="#share">share</a></h2><pre>share(file)
    return None</pre>
<dl>
<dt id="x"><code>x</code></dt><dd>The first.</dd><dt id="y"><code>y</code></dt><dd>The other.</dd>
<dt id="z">z</dt><dd>Last.</dd></dl>
<h2 id="references"><a href="#references">References</a></h2><p>The book of files.</p>
</main><footer>Made with a tool</footer></body></html>
"""


@pytest.mark.parametrize(
    ("generator", "url"),
    [
        ('<meta name="generator" content="Docutils 0.20">', "https://site.example/file"),
        ("", "https://docs.site.example/file"),
        ("", "https://site.example/docs/api/file"),
        ("", "https://site.example/file"),
    ],
)
def test_documentation_keeps_all_of_its_main_part(generator: str, url: str) -> None:
    how, text = main_of(MANUAL.replace("GENERATOR", generator), url)
    assert how == "main"
    for part in (
        "Related functions",
        "close",
        "share(file)\n    return None",
        "The other.",
        "The book",
    ):
        assert part in text
    assert "Chapter two" not in text
    assert "Made with" not in text


def post(number: int, body: str) -> str:
    return (
        f"<div class='post' id='p{number}'><div class='userinfo'>"
        f"<a class='username'>Writer {number}</a>"
        f"<span class='user-title'>Senior member</span><dl><dt>Joined</dt><dd>2001</dd></dl></div>"
        f"<time>May {number}, 2024</time><div class='post-body'>{body}"
        f"<div class='signature'>My boat is blue</div></div><a href='#'>Reply</a></div>"
    )


THREAD = (
    f"<html><head><title>Boats</title></head><body>{MENU}<h1>Which boat?</h1><div id='posts'>"
    + "".join(post(n, f"<p>{TEXT}Answer {n}.</p>") for n in range(1, 6))
    + "</div><div class='reply'><p>You must log in to reply here.</p></div></body></html>"
)


@pytest.mark.parametrize(
    "url",
    [
        "https://forum.site.example/1",
        "https://site.example/threads/which-boat.1/",
        "https://site.example/viewtopic?t=1",
        "https://site.example/questions/1/which-boat",
    ],
)
def test_a_thread_keeps_its_posts(url: str) -> None:
    how, text = main_of(THREAD, url)
    assert how == "main-merged"
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    assert lines[:4] == ["Which boat?", "Writer 1", "May 1, 2024", f"{TEXT}Answer 1."]
    assert len(lines) == 16
    for noise in ("Senior", "Joined", "signature", "My boat", "Reply", "log in", "Chapter"):
        assert noise not in text


def test_a_thread_by_its_linked_data() -> None:
    data = '<script type=\'application/ld+json\'>{"@type":"DiscussionForumPosting"}</script>'
    how, text = main_of(THREAD.replace("</head>", f"{data}</head>"), "https://site.example/x")
    assert how == "main-merged"
    assert "Answer 5." in text


def test_a_question_that_many_comment_on_keeps_its_answers() -> None:
    answers = "".join(
        f"<div class='answer'><div class='s-prose'><p>{TEXT}Answer {n}.</p></div>"
        f"<ul class='comments'><li class='comment-text'>{TEXT}Remark {n}.</li></ul></div>"
        for n in range(3)
    )
    page = f"<html><head><title>t</title></head><body><h1>Why?</h1>{answers}</body></html>"
    text = main_of(page, "https://site.example/questions/1")[1]
    assert "Answer 2." in text


def test_a_forum_without_posts_is_read_as_a_page() -> None:
    body = f"<body>{MENU}<main><p>{TEXT * 5}</p></main></body>"
    page = f"<html><head><title>t</title></head>{body}</html>"
    how, text = main_of(page, "https://forum.site.example/rules")
    assert how == "main"
    assert TEXT.strip() in text
