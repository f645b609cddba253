"""Does a page stand before another: a log-in, or a test that its reader is a person?"""

import re

from lxml import etree

from safefetch_cli.content.late_pattern import late

_LONGEST_WALL = 1500
"""Characters of text; a page with more has something to read."""
_LONGEST_FORM = 300
"""Characters of text round a log-in without a title that says so."""

_CHALLENGE_TITLES = late(
    r"\s*+(?:just a moment|attention required|access denied|access to this page has been denied"
    r"|pardon our interruption|security check|one more step|please wait|robot check"
    r"|are you a (?:human|robot)|ddos-guard|bot verification|human verification|captcha)\b",
    re.IGNORECASE,
)
_CHALLENGE_WORDS = late(
    r"\b(?:(?:verify|verifying|confirm|prove|checking if|make sure) (?:that )?you(?:'re| are)"
    r" (?:not )?(?:a |an )?(?:human|real person|robot|bot|actual)"
    r"|checking (?:your|if the site connection is) (?:browser|secure)"
    r"|enable javascript and cookies to continue"
    r"|(?:solve|complete) the (?:captcha|security check|challenge)"
    r"|unusual traffic from your|automated (?:access|requests|traffic) (?:to|from)"
    r"|press (?:&|and) hold to confirm|request unsuccessful\. incapsula"
    r"|needs to review the security of your connection)",
    re.IGNORECASE,
)
_CHALLENGE_SOURCES = re.compile(
    r"//(?:[\w-]+\.)*(?:challenges\.cloudflare\.com|captcha-delivery\.com|hcaptcha\.com"
    r"|captcha\.awswaf\.com|px-captcha\.com|perimeterx\.net)(?:[:/]|$)|/cdn-cgi/challenge-platform/"
)
_LOGIN_TITLES = late(
    r"\b(?:log[ -]?in|log[ -]?on|sign[ -]?in|anmelden|anmeldung|einloggen|connexion|se connecter"
    r"|iniciar sesi[oó]n|accedi|entrar|inloggen|logga in|вход|войти"
    r"|ログイン|登录|登入|로그인)(?!\w)",
    re.IGNORECASE,
)


def asks_for_password(root: etree._Element) -> bool:
    """Whether the page has a field for a password. The tree is only read."""
    return any(field.get("type", "").strip().lower() == "password" for field in root.iter("input"))


def loads_a_challenge(root: etree._Element) -> bool:
    """Whether the page brings the script or frame of a known test for people."""
    sources = (part.get("src") or "" for part in root.iter("script", "iframe"))
    return any(_CHALLENGE_SOURCES.search(source) for source in sources)


def is_wall(title: str, text: str, *, password: bool, challenge: bool) -> bool:
    """Whether a page with this title and text is one.

    `password` and `challenge` say what the two functions above found. The words alone decide
    only in a short page: an article about log-ins or captchas is none.
    """
    if len(text) > _LONGEST_WALL:
        return False
    if password and (len(text) <= _LONGEST_FORM or _LOGIN_TITLES.search(title)):
        return True
    if challenge and len(text) <= _LONGEST_FORM:
        return True
    return bool(_CHALLENGE_TITLES.match(title) or _CHALLENGE_WORDS.search(text))
