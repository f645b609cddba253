"""Pages that stand before another: log-ins and tests for people."""

import pytest

from safefetch_cli import read_html

URL = "https://site.example/page"
FORM = '<form><input name="user"><input type="password" name="word"><button>Go</button></form>'
ARTICLE = (
    "<p>The harbour office publishes its tables every morning, before the ferry leaves.</p>" * 25
)


def hints(body: str, title: str = "Harbour") -> tuple[str, ...]:
    return read_html(f"<!doctype html><title>{title}</title><body>{body}</body>", URL).hints


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Just a moment...", "<h1>site.example</h1><p>Needs a second.</p>"),
        ("Attention Required! | Cloudflare", "<h1>Sorry, you have been blocked</h1>"),
        ("Access Denied", "<h1>Access Denied</h1><p>Reference #18.2d351ab8</p>"),
        ("site.example", "<p>Please verify you are a human by solving this.</p>"),
        ("site.example", "<p>Enable JavaScript and cookies to continue</p>"),
        ("Sorry", "<p>Our systems have detected unusual traffic from your network.</p>"),
        ("Un momento…", '<p>.</p><script src="/cdn-cgi/challenge-platform/h/b/o.js"></script>'),
        ("x", '<p>.</p><iframe src="https://geo.captcha-delivery.com/captcha/?a"></iframe>'),
        ("Sign in to Harbour", f"<h1>Sign in</h1>{FORM}<p>{'Read our terms. ' * 30}</p>"),
        ("Anmeldung", f"<h1>Willkommen</h1>{FORM}"),
        ("Harbour", f"<h1>Members only</h1>{FORM}"),
    ],
)
def test_a_wall_is_said_to_be_one(title: str, body: str) -> None:
    assert "login-or-challenge" in hints(body, title)


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Harbour", f"<main>{ARTICLE}</main><aside>{FORM}</aside>"),
        ("How to log in", f"<main>{ARTICLE}</main>{FORM}"),
        ("What a captcha is", f"<main>{ARTICLE}<p>It asks to verify you are a human.</p></main>"),
        ("Contact", '<p>Write to us.</p><script src="https://www.google.com/recaptcha/api.js">'),
        ("Just a moment in history", f"<main>{ARTICLE}</main>"),
        ("Login", "<p>The word for a user's name is login.</p>"),
        ("Harbour", "<p>Nothing here but a sentence.</p>"),
    ],
)
def test_a_page_to_read_is_none(title: str, body: str) -> None:
    assert "login-or-challenge" not in hints(body, title)


def test_what_a_site_has_for_models_is_said() -> None:
    twin = '<link rel="alternate" type="text/markdown" href="/page.md">'
    assert hints(f"{twin}<p>One.</p>") == ("markdown-twin",)
    assert hints('<link rel="llms-txt" href="/llms.txt"><p>One.</p>') == ("llms-txt",)
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    assert hints(f"{feed}<p>One.</p>") == ()
