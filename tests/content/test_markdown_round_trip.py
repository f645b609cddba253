"""Random pages: what their markdown shows is what they showed."""

import re
from html import escape

from hypothesis import given, settings
from hypothesis import strategies as st
from support_markdown import canonical, render

from safefetch_cli.content.markdown import page_to_markdown

# Words that markdown would read as markup, each whole and between blanks.
_LOOK_ALIKES = r"""
    word snake_case naïve 中文 it's (paren) 3.14 R&D * ** *x* _ __init__ _y_ ` `` `c` [a](b) [x] ](
    ![i](j) <b> </i> < > &amp; &copy; & 1. 12) - + # ## > | || ~~ ~ ~z~ \ \* \_ ! $a_1$ --- ===
    *** ``` : [r]: 「引」 — 2*3*4 a*b C# #tag -5 +1
"""
_WORD = st.sampled_from(["one", "two", "three", "four"])
_TEXT = st.lists(st.sampled_from(_LOOK_ALIKES.split()) | _WORD, min_size=1, max_size=4).map(
    lambda words: escape(" ".join(words), quote=False)
)
_FORMATS = {
    "b": "<b>{}</b>",
    "i": "<i>{}</i>",
    "del": "<del>{}</del>",
    "a": '<a href="https://e.org/p(q)?a=1&amp;b=*z*">{}</a>',
}


@st.composite
def _inline(draw: st.DrawFn, used: frozenset[str] = frozenset()) -> str:
    """Text with formats in it, none inside itself, each round words."""
    pieces = []
    for _ in range(draw(st.integers(1, 3))):
        free = sorted(_FORMATS.keys() - used)
        kind = draw(st.sampled_from(["text", "text", "code", "image", *free]))
        if kind in _FORMATS:
            inner = draw(_inline(used | {kind}))
            pieces.append(_FORMATS[kind].format(f"{draw(_WORD)} {inner} {draw(_WORD)}"))
        elif kind == "code":
            pieces.append(f"<code>{draw(_TEXT)}</code>")
        elif kind == "image":
            pieces.append('<img src="https://e.org/i.png" alt="one two">')
        else:
            pieces.append(draw(_TEXT))
    return " ".join(pieces)


@st.composite
def _block(draw: st.DrawFn, depth: int = 0) -> str:
    kinds = ["p", "h", "pre", "table", "hr"] if depth == 0 else ["p", "h", "pre"]
    kind = draw(st.sampled_from([*kinds, *(["list", "quote"] if depth < 2 else [])]))
    if kind == "p":
        return f"<p>{draw(_inline())}</p>"
    if kind == "h":
        return f"<h3>{draw(_inline())}</h3>"
    if kind == "hr":
        return "<hr>"
    if kind == "pre":
        lines = draw(st.lists(_TEXT.map(lambda text: f"  {text}"), min_size=1, max_size=3))
        return '<pre><code class="language-c++">{}\n</code></pre>'.format("\n".join(lines))
    if kind == "quote":
        blocks = draw(st.lists(_block(depth + 1), min_size=1, max_size=2))
        return f"<blockquote>{''.join(blocks)}</blockquote>"
    if kind == "table":
        rows = [(draw(_inline()), draw(_inline())) for _ in range(draw(st.integers(1, 3)))]
        head, *body = rows
        cells = "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in body)
        return f"<table><tr><th>{head[0]}</th><th>{head[1]}</th></tr>{cells}</table>"
    tag = draw(st.sampled_from(["ul", "ol"]))
    items = [
        f"<li><p>{draw(_inline())}</p>{draw(st.just('') | _block(depth + 1))}</li>"
        for _ in range(draw(st.integers(1, 3)))
    ]
    return f"<{tag}>{''.join(items)}</{tag}>"


_PAGES = st.lists(_block(), min_size=1, max_size=3).map("\n".join)


@given(_PAGES)
@settings(max_examples=250, deadline=None)
def test_what_markdown_can_express_comes_back_the_same(html: str) -> None:
    text = page_to_markdown(html, "")
    rendered = render(text)
    assert canonical(rendered.html) == canonical(html), text
    assert not rendered.has_raw_html, text


def _wrapped(pair: tuple[str, str]) -> str:
    tag, inner = pair
    return f"<{tag}>{inner}</{tag}>"


# Signs that touch: the emphasis may go, but every character of the text must show.
_SIGNS = r"""
    a b1 _ * ** ` ~ ~~ ( ) [ ] ]( ! < > & &amp; # - + 1. = | : \ " ' 「 」 。 中 é . x_y [x] ---
    $ — ा <b> ^ @
"""
_TOUCHING = st.recursive(
    st.lists(st.sampled_from([*_SIGNS.split(), " "]), min_size=1, max_size=3).map(
        lambda signs: escape("".join(signs), quote=False)
    ),
    lambda inner: st.lists(
        inner | st.tuples(st.sampled_from(["b", "i", "del", "code", "span"]), inner).map(_wrapped),
        min_size=1,
        max_size=4,
    ).map("".join),
    max_leaves=6,
)


def _characters(html: str) -> str:
    return re.sub(r"<[^>]*>|\s", "", canonical(html))


@given(_TOUCHING)
@settings(max_examples=300, deadline=None)
def test_no_sign_is_lost_or_shown_that_was_not_there(inner: str) -> None:
    html = f"<p>{inner}</p>"
    text = page_to_markdown(html, "")
    assert _characters(render(text).html) == _characters(html), text
