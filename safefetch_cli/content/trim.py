"""Taking from the core of an article what is not its text."""

import re

from safefetch_cli.content.boilerplate import names_of
from safefetch_cli.content.page_map import PageMap

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_LINES = frozenset(("p", "div", "span", "strong", "b", "em", "dt", "li", "summary", "label", "a", "td", "header", "center", "font"))
_LINK_BLOCKS = frozenset(
    "ul ol div section table aside dl p figure nav header footer blockquote article h2 h3 h4 h5 h6 li".split()
)
_CLOSING = re.compile(
    r"^\W*(?:"
    # English
    r"related\b|recommended|you (?:may|might) (?:also )?(?:like|be interested|enjoy)|read (?:more|next|also)\b|more (?:from|on|in|about|stories|news|articles|posts|like)\b"
    r"|see also|also (?:read|on|see)\b|further reading|about the authors?|about (?:us|the writer)|share (?:this|on|via|article|post)|share\W*$|comments?\W*$|\d+ (?:comments?|responses?|thoughts|replies)\b|leave a (?:reply|comment)|post a comment|join the (?:discussion|conversation)"
    r"|(?:sign up|subscribe)\b|(?:our |get (?:our|the) )?newsletters?\b|follow (?:us|me)\b|tags?\W*$|tags?:|filed under|categories\W*$|posted in\b|topics\W*$|most (?:read|popular|viewed)|popular (?:posts|articles|stories)|trending\b|latest (?:news|posts|articles|stories)|recent (?:posts|articles|news|comments)|next (?:article|post|story)|previous (?:article|post)|advertisement\W*$|sponsored"
    r"|similar (?:posts|articles|stories)|other (?:articles|posts|stories|news)\b|don't miss|what to read next|editor'?s'? picks?|support (?:us|our)\b|have your say|got a (?:tip|story)|press contact|media contacts?|for (?:more|further) information"
    # German
    r"|mehr (?:zum thema|zu\b|von\b|aus\b|über\b|artikel|infos?|informationen|lesen|news)|weitere (?:artikel|beiträge|themen|infos|informationen|meldungen|nachrichten|links|news|inhalte)|weiterf(?:ü|ue)hrende|weiterlesen|lesen sie (?:auch|mehr|dazu|hier)|lesen:?\W*$|auch interessant|das könnte (?:sie|dich|ihnen|euch)|ähnliche|verwandte|passend(?:e|es) (?:artikel|dazu|zum)|zum thema\W*$|themen\W*$|schlagw[oö]rte?r?|über (?:den autor|die autor|den verfasser|uns)|autor(?:in|en)?\W*$|zur person|kommentare?\W*$|\d+ (?:kommentare?|antworten)\b|kommentar (?:schreiben|verfassen|hinterlassen)|schreibe? (?:einen|uns)|hinterlass|newsletter|jetzt (?:abonnieren|teilen|bestellen|spenden|anmelden)|teilen\W*$|artikel teilen|beitrag teilen|diesen (?:artikel|beitrag) (?:teilen|empfehlen)|folgen sie|folge uns|ansprechpartner|pressekontakt|meistgelesen|beliebt|neueste|aktuelle (?:artikel|beiträge|nachrichten|meldungen|berichte)|das neueste|anzeige\W*$|kontakt\W*$|zurück\b|empfehlungen|unsere empfehlung|verwandt"
    # French, Spanish, Portuguese, Italian
    r"|à lire|lire (?:aussi|également)|sur le même|articles? (?:liés|similaires|connexes|relacionad[oa]s|correlati)|dans la même|à propos de|commentaires?\W*$|partage[rz]|voir aussi|plus d'(?:articles|infos|actu)|mots[- ]clés"
    r"|te puede|le puede|puede interesar|lea también|lee (?:también|más)|leer (?:más|también)|notas? relacionad|noticias? relacionad|temas?(?: relacionad\w+)?\W*$|más (?:noticias|sobre|en|leíd)|relacionad[oa]s?|comentarios?\W*$|compart(?:e|ir|ilh\w+)|etiquetas|deja (?:un|tu)|síguenos|suscríbe"
    r"|leia (?:também|mais)|veja (?:também|mais)|saiba mais|mais (?:lidas|notícias|sobre)|notícias relacionadas|assuntos|tópicos|deixe (?:um|seu)"
    r"|leggi anche|potrebbe interessar|articoli correlati|condividi|commenti\W*$|ti potrebbe"
    # Polish, Czech, Dutch, Scandinavian, Russian, Turkish
    r"|zobacz (?:też|także|również)|czytaj (?:też|także|również|więcej)|przeczytaj|podobne|powiązane|polecamy|komentarze|udostępnij|tagi\W*$|zobacz\W*$|související|přečtěte|komentáře|další články|mohlo by"
    r"|lees (?:ook|verder|meer)|gerelateerd|meer (?:over|nieuws|van)|reacties|deel (?:dit|op)|les (?:også|mer)|læs (?:også|mere)|läs (?:också|mer|även)|relaterade?|se også"
    r"|читайте (?:также|ещ)|похожие|материалы по теме|по теме|комментари|поделиться|теги|другие новости|ilgili (?:haberler|konular)|yorumlar|etiketler"
    # Chinese, Japanese, Korean, Greek, Hungarian
    r"|相关(?:阅读|新闻|文章|链接|推荐)|推荐阅读|延伸阅读|热门|评论|分享|責任編輯|责任编辑|関連(?:記事|リンク|ニュース)|おすすめ|コメント|シェア|この記事を|관련|댓글|διαβάστε|σχετικά|kapcsolódó|hozzászólás"
    r")",
    re.IGNORECASE,
)
_CLOSING_HEADING = re.compile(r"^\W*(?:links?|weblinks|quellen?|references|bibliography|external links|sources|notes|kontakt|contact(?: us)?|contacts|literatur|einzelnachweise|resources|tags|themen)\W*$", re.IGNORECASE)
_APPEAL = re.compile(
    r"\b(?:subscribe|sign up|signup|join) (?:to|for|now|here|our|today)\b|\bnewsletters?\b|(?:this|our) (?:website|site) uses cookies|\bfollow (?:us|me|him|her) on\b"
    r"|\bcookies\b.*\b(?:accept|agree|zustimm|einverstanden)|\bklicken sie hier, um\b|\bsupport our (?:work|journalism)\b|\b(?:donate|jetzt spenden|spenden sie|become a (?:member|patron))\b"
    r"|\babonnieren\b|\babonnez-vous\b|\bsuscríb[ea]\w*\b|\bhazte (?:miembro|socio)\b|\bassine\b.*\b(?:newsletter|jornal)\b|\bscroll to (?:read|continue)\b|\b(?:all rights reserved|alle rechte vorbehalten)\b"
    r"|\bfolgen sie (?:uns|mir)\b|\bfolgt? uns (?:auf|bei)\b|^(?:advertisement|anzeige|werbung|advert|publicidad|publicité|reklama)\W*$|\benable javascript\b|\bzur (?:ü|ue)ck zur\b",
    re.IGNORECASE,
)
_MOST_CAPTIONS = 0.4
_CAPTION = re.compile(r"(?:(?<![A-Za-z])caption|Caption)(?:s|ed)?(?![a-z])|(?<![a-z])(?:bildunterschrift|bildtext|image-?credit|photo-?credit|legende?)(?![a-z])")
_SPEECH_END = re.compile(r"[.!?:;…。！？]['\"’”»)\]]*$")


def trim_article(page: PageMap, core: int) -> None:
    """Mark captions, link blocks and the tail of an article inside its core."""
    if page.links[core] > 0.5 * page.text[core]:
        return
    _drop_captions(page, core)
    _drop_link_blocks(page, core)
    page.settle()
    _drop_tail(page, core)
    _drop_appeals(page, core)
    page.settle()


def _drop_captions(page: PageMap, core: int) -> None:
    captions = [number for number in page.inside(core) if _is_caption(page, number)]
    told = sum(page.plain(n) for n in captions if page.tags[n] == "figcaption")
    is_picture_story = told > _MOST_CAPTIONS * page.plain(core)
    for number in captions:
        if not (is_picture_story and page.tags[number] == "figcaption"):
            page.drop(number)


def _is_caption(page: PageMap, number: int) -> bool:
    tag = page.tags[number]
    if tag == "figcaption":
        figure = page.parent[number]
        return page.text[figure] - page.text[number] < 40
    return (
        tag in ("div", "p", "span", "small", "em", "strong", "dd", "h2", "section")
        and 0 < page.text[number] <= 600
        and bool(_CAPTION.search(names_of(page, number)))
    )


def _drop_link_blocks(page: PageMap, core: int) -> None:
    number, end = core + 1, page.end[core]
    whole = page.plain(core)
    while number < end:
        if page.gone[number] or page.tags[number] in ("pre", "table"):
            number = page.end[number]
            continue
        if page.tags[number] in _LINK_BLOCKS and _only_links(page, number, whole):
            page.drop(number)
            number = page.end[number]
        else:
            number += 1


def _only_links(page: PageMap, number: int, whole: int) -> bool:
    text, links = page.text[number], page.links[number]
    if not text or page.plain(number) > 0.1 * whole:
        return False
    tag = page.tags[number]
    if tag in _HEADINGS:
        return False
    if tag in ("ul", "ol", "dl"):
        return links > 0.6 * text
    if tag in ("p", "li", "blockquote"):
        return links > 0.85 * text and tag != "li"
    return links > 0.6 * text


def _drop_tail(page: PageMap, core: int) -> None:
    total = page.plain(core)
    number, end = core + 1, page.end[core]
    seen = _plain_before(page, core)
    while number < end:
        if page.gone[number]:
            number = page.end[number]
            continue
        if _is_closing(page, number):
            rest = total - seen[number - core]
            if rest <= 0.3 * total and not _goes_on(page, core, number):
                _drop_from(page, core, number)
                return
            page.drop(number)
            number = page.end[number]
            continue
        number += 1


def _goes_on(page: PageMap, core: int, number: int) -> bool:
    """Whether paragraphs of prose follow beside a closing line, and not under it."""
    at = number
    while page.end[at] == page.end[page.parent[at]] and page.parent[at] != core:
        at = page.parent[at]
    parent = page.parent[at]
    if page.tags[number] in _HEADINGS:
        return False
    following = page.end[at]
    count = 0
    while following < page.end[parent]:
        if not page.gone[following] and page.tags[following] == "p" and page.plain(following) >= 80 and page.links[following] < 0.3 * page.text[following]:
            count += 1
        following = page.end[following]
    return count >= 2


def _drop_appeals(page: PageMap, core: int) -> None:
    """Mark short paragraphs that ask for a subscription, a gift or consent."""
    for number in page.inside(core):
        if page.tags[number] in ("p", "div", "li", "span", "h2", "h3", "h4", "h5", "section") and 10 <= page.text[number] <= 400 and _APPEAL.search(page.words(number, 400)):
            page.drop(number)


def _plain_before(page: PageMap, core: int) -> list[int]:
    """For each element inside, the plain text that stands before it (about)."""
    seen = [0] * (page.end[core] - core)
    total = 0
    # own text is counted when the element is entered
    for number in range(core, page.end[core]):
        seen[number - core] = total
        if not page.gone[number] and not page._linked[number]:
            total += page._own[number]
    return seen


def _is_closing(page: PageMap, number: int) -> bool:
    tag = page.tags[number]
    if not 2 <= page.text[number] <= 70 or (tag not in _HEADINGS and tag not in _LINES):
        return False
    if tag not in _HEADINGS:
        parent = page.parent[number]
        if tag in ("span", "strong", "b", "em", "a", "label", "font") and page.text[parent] > page.text[number] + 3:
            return False
    words = page.words(number, 80)
    return bool(_CLOSING.match(words)) or (tag in _HEADINGS and bool(_CLOSING_HEADING.match(words)))


def _drop_from(page: PageMap, core: int, number: int) -> None:
    """Mark an element and all that follows it in the core."""
    if number == core:
        return
    page.drop(number)
    following = page.end[number]
    while following < page.end[core]:
        page.drop(following)
        following = page.end[following]
