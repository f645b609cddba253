"""The lines that end an article, in the languages of the web.

What follows "Related articles" or "Leave a comment" is no longer the article. A language is a row.
Every line of it begins with two letters, or with a number: a page needs, and compiles, only those
that begin as one of its own lines does.
"""

import re
from collections.abc import Mapping
from functools import cache

from safefetch_cli.content.late_pattern import late

_LINES = {
    "English": r"""
        related\b|recommended|you (?:may|might) (?:also )?(?:like|be interested|enjoy)
        read (?:more|next|also)\b|more (?:from|on|in|about|stories|news|articles|posts|like)\b
        see also|also (?:read|on|see)\b|further reading|similar (?:posts|articles|stories)
        other (?:articles|posts|stories|news)\b|what to read next|don't miss|editor'?s'? picks?
        about the authors?|about (?:us|the writer)|contact(?: us)?\W*$|press contacts?
        media contacts?
        share (?:this|on|via|article|post)|share\W*$|follow (?:us|me)\b|support (?:us|our)\b
        comments?(?: are closed)?\W*$|\d+ (?:comments?|responses?|thoughts|replies)\b
        leave a (?:reply|comment)|post a comment|join the (?:discussion|conversation)
        have your say|got a (?:tip|story)
        sign up\b|subscribe\b|newsletters?\b|our newsletters?\b|get (?:our|the) newsletters?\b
        advertisement\W*$|sponsored
        tags?\W*$|tags?:|filed under|categories\W*$|posted in\b|topics\W*$|trending\b
        most (?:read|popular|viewed)|popular (?:posts|articles|stories)
        latest (?:news|posts|articles|stories|comments)
        recent (?:news|posts|articles|stories|comments)
        next (?:article|post|story)|previous (?:article|post|story)
        for (?:more|further) information
    """,
    "German": r"""
        mehr (?:zum thema|zu\b|von\b|aus\b|über\b|artikel|infos?|informationen|lesen|news)
        weitere (?:artikel|beiträge|themen|infos|informationen|meldungen|nachrichten|links|news)
        weitere inhalte|weiterf(?:ü|ue)hrende|weiterlesen|lesen sie (?:auch|mehr|dazu|hier)
        lesen:?\W*$|auch interessant|das könnte (?:sie|dich|ihnen|euch)|ähnliche|verwandt
        passend(?:e|es) (?:artikel|dazu|zum)|zum thema\W*$|themen\W*$|schlagw[oö]rte?r?
        über (?:den autor|die autor|den verfasser|uns)|autor(?:in|en)?\W*$|zur person
        kommentare?\W*$|\d+ (?:kommentare?|antworten)\b
        kommentar (?:schreiben|verfassen|hinterlassen)|schreibe? (?:einen|uns)|hinterlass
        jetzt (?:abonnieren|teilen|bestellen|spenden|anmelden)
        teilen\W*$|artikel teilen\W*$|beitrag teilen\W*$
        diesen (?:artikel|beitrag) (?:teilen|empfehlen)|folgen sie|folge uns|kontakt\W*$
        ansprechpartner|pressekontakt|meistgelesen|beliebt|neueste|das neueste|anzeige\W*$
        aktuelle (?:artikel|beiträge|nachrichten|meldungen|berichte)|zurück\b
        empfehlungen|unsere empfehlung
    """,
    "French": r"""
        à lire|lire (?:aussi|également)|sur le même|articles? (?:liés|similaires|connexes)
        dans la même|à propos de|commentaires?\W*$|partage[rz]|voir aussi|mots[- ]clés
        plus d'(?:articles|infos|actu)
    """,
    "Spanish": r"""
        te puede|le puede|puede interesar|lea también|lee (?:también|más)|leer (?:más|también)
        notas? relacionad|noticias? relacionad|temas?(?: relacionad\w+)?\W*$
        más (?:noticias|sobre|en|leíd)|relacionad[oa]s?|artículos relacionados|comentarios?\W*$
        compart(?:e|ir)|etiquetas|deja (?:un|tu)|síguenos|suscríbe
    """,
    "Portuguese": r"""
        leia (?:também|mais)|veja (?:também|mais)|saiba mais|mais (?:lidas|notícias|sobre)
        notícias relacionadas|artigos relacionados|assuntos|tópicos|deixe (?:um|seu)|compartilh
    """,
    "Italian": r"""
        leggi anche|potrebbe interessar|ti potrebbe|articoli correlati|condividi|commenti\W*$
    """,
    "Polish": r"""
        zobacz (?:też|także|również)|zobacz\W*$|czytaj (?:też|także|również|więcej)|przeczytaj
        podobne|powiązane|polecamy|komentarze|udostępnij|tagi\W*$
    """,
    "Czech": r"související|přečtěte|komentáře|další články|mohlo by",
    "Dutch": r"""
        lees (?:ook|verder|meer)|gerelateerd|meer (?:over|nieuws|van)|reacties|deel (?:dit|op)
    """,
    "Danish, Norwegian, Swedish": r"""
        les (?:også|mer)|læs (?:også|mere)|läs (?:också|mer|även)|relatere|relaterade?
        se også
    """,
    "Russian": r"""
        читайте (?:также|ещ)|похожие|материалы по теме|по теме|комментари|поделиться|теги
        другие новости
    """,
    "Turkish": r"ilgili (?:haberler|konular)|yorumlar|etiketler",
    "Greek": r"διαβάστε|σχετικά",
    "Hungarian": r"kapcsolódó|hozzászólás",
    "Chinese": """
        相关(?:阅读|新闻|文章|链接|推荐)|推荐阅读|延伸阅读|热门|评论|分享|責任編輯|责任编辑
    """,
    "Japanese": "関連(?:記事|リンク|ニュース)|おすすめ|コメント|シェア|この記事を",
    "Korean": "관련|댓글",
}
_HEADING_LINES = r"""
    links?|weblinks|quellen?|references|bibliography|external links|sources|notes|contacts?
    contact us|kontakt|literatur|einzelnachweise|resources|tags|themen
"""
_APPEALS = {
    "subscribe": r"\bsubscribe (?:to|for|now|here|our|today)\b",
    "sign": r"\bsign ?up (?:to|for|now|here|our|today)\b",
    "join": r"\bjoin (?:to|for|now|here|our|today)\b",
    "newsletter": r"\bnewsletters?\b",
    "cookies": r"""
        (?:this|our) (?:website|site) uses cookies
        \bcookies\b.*\b(?:accept|agree|zustimm|einverstanden)
    """,
    "follow": r"\bfollow (?:us|me|him|her) on\b",
    "folg": r"\bfolgen sie (?:uns|mir)\b|\bfolgt? uns (?:auf|bei)\b",
    "support": r"\bsupport our (?:work|journalism)\b",
    "become": r"\bbecome a (?:member|patron)\b",
    "donate": r"\bdonate\b",
    "spenden": r"\b(?:jetzt spenden|spenden sie)\b",
    "abonn": r"\babonnieren\b|\babonnez-vous\b",
    "suscr": r"\bsuscríb[ea]\w*\b",
    "hazte": r"\bhazte (?:miembro|socio)\b",
    "assine": r"\bassine\b.*\b(?:newsletter|jornal)\b",
    "javascript": r"\benable javascript\b",
    "scroll": r"\bscroll to (?:read|continue)\b",
    "reserved": r"\ball rights reserved\b",
    "vorbehalten": r"\balle rechte vorbehalten\b",
    "advert": r"^advert(?:isement)?\W*$",
    "anzeige": r"^anzeige\W*$",
    "werbung": r"^werbung\W*$",
    "publicid": r"^publicidad\W*$",
    "publicité": r"^publicité\W*$",
    "reklama": r"^reklama\W*$",
}
"""A word in small letters -> the appeals with it. The words are looked for first: that is cheap."""


# No bar within parentheses, which hold no others.
_BETWEEN = r"\s*\n\s*|\|(?![^(]*\))"
_NUMBER = r"\d"
_OUTSIDE_WORDS = re.compile(r"\A\W+")
_ONE_LETTER = {ord("\u0130"): "i", ord("\u0131"): "i"}
"""Letters that patterns take for an i, and `casefold` does not."""


def is_closing(line: str, *, heading: bool) -> bool:
    """Whether an article ends where this line stands; some words end it only as a heading."""
    words = _OUTSIDE_WORDS.sub("", line)
    start = _NUMBER if words[:1].isdecimal() else _start(words)
    if start in _lines_by_start() and _closing(start).match(words):
        return True
    return heading and bool(_CLOSING_HEADING.match(line))


def is_appeal(text: str) -> bool:
    """Whether a short paragraph asks for a subscription, a gift, a click or consent."""
    text = text.lower()
    return any(word in text and _appeal(word).search(text) for word in _APPEALS)


def _one_of(lines: str) -> str:
    return "|".join(line.strip() for line in lines.strip().splitlines())


_CLOSING_HEADING = late(rf"^\W*(?:{_one_of(_HEADING_LINES)})\W*$", re.IGNORECASE)


@cache
def _lines_by_start() -> Mapping[str, list[str]]:
    """The patterns of all languages by what they begin with."""
    found: dict[str, list[str]] = {}
    for language in _LINES.values():
        for line in re.split(_BETWEEN, language.strip()):
            found.setdefault(_start(line), []).append(line)
    return found


def _start(words: str) -> str:
    """The first two letters, in the form that all that patterns take for the same have."""
    return words[:2].translate(_ONE_LETTER).casefold()


@cache
def _closing(start: str) -> re.Pattern[str]:
    return re.compile("|".join(_lines_by_start()[start]), re.IGNORECASE)


@cache
def _appeal(word: str) -> re.Pattern[str]:
    return re.compile(_one_of(_APPEALS[word]))
