"""What a caller may ask of the markdown writer, and what it promises about the tree."""

from lxml import etree

from safefetch_cli.content.markdown import page_to_markdown, to_markdown
from safefetch_cli.content.parse import parse_html

PAGE = "https://example.org/dir/page.html"


def _tree(html: str) -> etree._Element:
    root = parse_html(html)
    assert root is not None
    return root


def test_images_are_described_unless_they_are_kept() -> None:
    root = _tree("<p>a <img src='i.png' alt='A *cat*' title='T'> b</p>")
    assert to_markdown(root, PAGE) == r"a [Image: A \*cat*] b"
    kept = to_markdown(root, PAGE, images="keep")
    assert kept == r'a ![A \*cat\*](https://example.org/dir/i.png "T") b'


def test_an_image_without_description_is_not_mentioned() -> None:
    assert to_markdown(_tree("<p>a <img src='i.png'> b</p>"), PAGE) == "a b"


def test_the_tree_is_only_read() -> None:
    html = (
        "<div><h2>A<a href='#x'>#</a></h2><ul><ul><li>x</li></ul></ul><math><mi>x</mi></math>"
        "<table role=none><tr><td>a</td></tr></table><pre>a<button>Copy</button></pre></div>"
    )
    root = _tree(html)
    before = etree.tostring(root)
    to_markdown(root, PAGE)
    assert etree.tostring(root) == before


def test_a_part_of_a_page_is_written_without_what_follows_it() -> None:
    root = _tree("<base href='/docs/'><div><p><a href='x'>a</a></p></div>tail")
    part = next(root.iter("div"))
    assert to_markdown(part, PAGE) == "[a](https://example.org/docs/x)"


def test_comments_and_instructions_leave_the_text_round_them() -> None:
    root = etree.fromstring("<p>a<!-- b -->c<?d e?>f</p>", etree.HTMLParser())
    assert to_markdown(root, PAGE) == "acf"


def test_links_lead_where_browsers_would_go() -> None:
    page = "<a href='?q'>a</a> <a href='#f'>b</a> <a href='//e.org/x'>c</a> <a href='../y'>d</a>"
    assert page_to_markdown(page, PAGE).split() == [
        "[a](https://example.org/dir/page.html?q)",
        "[b](https://example.org/dir/page.html#f)",
        "[c](https://e.org/x)",
        "[d](https://example.org/y)",
    ]


def test_an_unsafe_base_is_no_base() -> None:
    page = "<base href='javascript:alert(1)//'><a href='x'>a</a>"
    assert page_to_markdown(page, PAGE) == "[a](https://example.org/dir/x)"


def test_any_element_can_be_written_by_itself() -> None:
    root = _tree(
        "<h2>head</h2><ul><li>item</li></ul><table><caption>cap</caption><thead><tr><th>cell</th>"
        "</tr></thead></table><dl><dt>term<dd>def</dl><a href='x'>link</a><pre>code</pre>"
    )
    for element in root.iter():
        text = to_markdown(element, PAGE)
        assert all(word.strip() in text for word in element.itertext()), element.tag
