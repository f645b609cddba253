"""A page about tides, and all that a client of the server sees of it, call by call."""

import json
import re
from typing import Any, NamedTuple

from support_cli import Page, Site

from safefetch_cli.content.frame import frame

BODY = b"""<!doctype html><html lang="en"><head><title>Tide tables</title>
<meta name="author" content="Ada Pilot"><meta name="description" content="When the water is high.">
</head><body><main><h1 id="top">Tide tables</h1>
<p>The harbour office publishes its timetable every morning, see <a href="/today">today</a>.</p>
<h2 id="spring">Spring tides</h2><p>They come twice a month.</p></main></body></html>"""
CONTENT_TYPE = "text/html; charset=utf-8"
HEAD = f"HTTP/1.0 200 OK\r\nContent-Type: {CONTENT_TYPE}\r\n\r\n".encode()

SPRING = "## Spring tides\n\nThey come twice a month."
METADATA_ADDRESS = "http://169.254.169.254/"
_MARK = "0" * 16


class Case(NamedTuple):
    """A call of a tool, and all of its answer."""

    tool: str
    arguments: dict[str, Any]
    text: str
    structured: dict[str, Any] | None
    is_error: bool = False

    @property
    def call(self) -> dict[str, Any]:
        return {"tool": self.tool, "arguments": self.arguments}

    @property
    def answer(self) -> dict[str, Any]:
        content = [{"type": "text", "text": self.text}]
        structured = {} if self.structured is None else {"structuredContent": self.structured}
        return {"content": content, **structured, "isError": self.is_error}


class Tides:
    """The site with the page, and with one that is gone."""

    def __init__(self) -> None:
        self.site = Site()
        self.site.raw["/tides"] = HEAD + BODY
        self.site.pages["/gone"] = Page(b"<p>The tables have moved.</p>", 410)
        self.url = self.site.url("/tides")
        self.gone = self.site.url("/gone")
        self.today = self.site.url("/today")
        self.markdown = (
            "# Tide tables\n\nThe harbour office publishes its timetable every morning, see "
            f"[today]({self.today}).\n\n{SPRING}"
        )
        self.total = len(self.markdown)

    @property
    def page(self) -> Case:
        """The page, which is read anew."""
        fields = self._page_fields(self.markdown, self.total)
        return Case("fetch_url", {"url": self.url}, fields["text"], fields)

    @property
    def http_error(self) -> Case:
        """The page that is gone."""
        fields = {
            "status": 410,
            "finalUrl": self.gone,
            "retryAfterSeconds": None,
            "text": framed("The tables have moved.", self.gone),
            "hints": ["http-error"],
        }
        message = f"{self.gone} answered 410"
        return _failure("fetch_url", {"url": self.gone}, "HTTP_ERROR", message, **fields)

    def cases(self) -> list[Case]:
        """Every tool with success, and every kind of failure, to be called in this order."""
        return [
            self.page,
            self._outline(),
            self._section(),
            self._verdict(),
            self._links(),
            self._metadata(),
            self._part(),
            self._reference(),
            self.http_error,
            *self._failures(),
        ]

    def _about(self) -> dict[str, Any]:
        return {
            "status": 200,
            "requestedUrl": self.url,
            "contentType": CONTENT_TYPE,
            "charset": "utf-8",
            "charsetSource": "header",
            "bytes": len(BODY),
            "truncated": False,
            "title": "Tide tables",
            "description": "When the water is high.",
            "byline": "Ada Pilot",
            "lang": "en",
            **dict.fromkeys(("canonicalUrl", "publishedAt", "siteName")),
            "fromSnapshot": False,
            "hints": [],
            "redirects": [],
        }

    def _page_fields(self, text: str, total: int) -> dict[str, Any]:
        return {
            **self._about(),
            "finalUrl": self.url,
            "text": framed(text, self.url),
            "totalChars": total,
            "startIndex": 0,
            "extraction": "full",
            **dict.fromkeys(("nextStartIndex", "markdownTokens", "refreshUrl", "selection")),
            "fromCache": False,
        }

    def _outline(self) -> Case:
        spring = self.markdown.index("##")
        sizes = [(0, self.total, 40), (spring, self.total - spring, 11)]
        names = [(1, "Tide tables", "top"), (2, "Spring tides", "spring")]
        fields = {
            "requestedUrl": self.url,
            "finalUrl": self.url,
            "title": "Tide tables",
            "totalChars": self.total,
            "fromSnapshot": True,
            "hints": [],
            "headings": [
                {
                    "level": level,
                    "title": title,
                    "id": name,
                    "start_index": start,
                    "chars": chars,
                    "tokens": tokens,
                }
                for (level, title, name), (start, chars, tokens) in zip(names, sizes, strict=True)
            ],
        }
        text = (
            f"{0:3}  {self.total:3} chars   40 tokens  Tide tables\n"
            f"{spring:3}  {self.total - spring:3} chars   11 tokens    Spring tides"
        )
        return Case("outline", {"url": self.url}, framed(text, self.url), fields)

    def _section(self) -> Case:
        fields = {
            **self._page_fields(SPRING, len(SPRING)),
            "selection": {
                "by": "section",
                "value": "spring",
                "title": "Spring tides",
                "others": [],
            },
            "fromSnapshot": True,
        }
        return Case("section", {"url": self.url, "title": "spring"}, fields["text"], fields)

    def _verdict(self) -> Case:
        fields = {
            "url": self.url,
            "verdict": "allowed",
            "addresses": [{"address": "127.0.0.1", "class": "loopback", "allowed": True}],
        }
        text = f"allowed {self.url}\n  address: 127.0.0.1 (loopback, allowed)\n"
        return Case("check_url", {"url": self.url}, text, fields)

    def _links(self) -> Case:
        link = {"url": self.today, "text": "today", "title": "", "rel": ""}
        fields = {
            "url": self.url,
            "links": [{**link, "internal": True, "nofollow": False}],
            "feeds": [],
            "total": 1,
            "internalTotal": 1,
            "externalTotal": 0,
        }
        text = framed(f"{self.today}  today", self.url)
        return Case("extract_links", {"url": self.url}, text, fields)

    def _metadata(self) -> Case:
        headings = [
            {"level": 1, "text": "Tide tables", "id": "top"},
            {"level": 2, "text": "Spring tides", "id": "spring"},
        ]
        http_headers = {"content-type": CONTENT_TYPE}
        fields = {
            **self._about(),
            "url": self.url,
            **dict.fromkeys(("publishedGiven", "modifiedAt", "modifiedGiven")),
            **dict.fromkeys(("favicon", "llmsTxt")),
            **{name: {} for name in ("openGraph", "twitter")},
            **{name: [] for name in ("alternates", "feeds", "markdown", "jsonLd")},
            "jsonLdMalformed": 0,
            "headings": headings,
            "httpHeaders": http_headers,
            "wordCount": 19,
            "robots": {"meta": [], "header": []},
            "fromSnapshot": True,
        }
        text = (
            f"url: {self.url}\ntitle: Tide tables\ndescription: When the water is high.\n"
            "byline: Ada Pilot\nlang: en\njsonLdMalformed: 0\n"
            f"headings: {_compact(headings)}\nhttpHeaders: {_compact(http_headers)}\n"
            'wordCount: 19\nrobots: {"meta":[],"header":[]}\n'
            f"requestedUrl: {self.url}\nstatus: 200\ncontentType: {CONTENT_TYPE}\n"
            f"charset: utf-8\ncharsetSource: header\nbytes: {len(BODY)}\ntruncated: false\n"
            "fromSnapshot: true"
        )
        return Case("extract_metadata", {"url": self.url}, framed(text, self.url), fields)

    def _part(self) -> Case:
        first = "# Tide tables\n\n"
        fields = {**self._page_fields(first, self.total), "nextStartIndex": len(first)}
        more = f"start_index={len(first)} (of {self.total} characters)"
        text = f"{fields['text']}There is more: call again with {more}.\n"
        return Case("fetch_url", {"url": self.url, "max_chars": 20}, text, fields)

    def _reference(self) -> Case:
        text = f"Contents of {self.url}:\n{framed(self.markdown, self.url)}"
        return Case("fetch", {"url": self.url}, text, None)

    def _failures(self) -> list[Case]:
        url = {"url": self.url}
        first_headings = framed("it begins with 'Tide tables', 'Spring tides'", self.url)
        gone = f"{self.gone} answered 410"
        return [
            _failure(
                *("outline", {"url": METADATA_ADDRESS}, "POLICY_REJECTED"),
                "169.254.169.254 is refused: cloud instance metadata",
            ),
            _failure(
                *("section", {**url, "title": "ebb"}, "SELECTION_NOT_FOUND"),
                "no heading of the page matches 'ebb'",
                text=first_headings,
            ),
            _failure(
                *("extract_links", {**url, "limit": 0}, "INVALID_INPUT"),
                "limit: 0 is not a whole number from 1 to 2000",
            ),
            _failure(
                *("check_url", {**url, "depth": 1}, "INVALID_INPUT"),
                "'depth' is not an argument; there are url, robots",
            ),
            _failure("extract_metadata", {}, "INVALID_INPUT", "url: it is required"),
            Case(
                "fetch",
                {"url": self.gone},
                f"Error executing tool fetch: Failed to fetch {self.gone} - status code 410",
                {"error": _error("HTTP_ERROR", gone)},
                is_error=True,
            ),
        ]


def _failure(tool: str, arguments: dict[str, Any], code: str, message: str, **more: Any) -> Case:
    """A call that fails; in its text the words of the page follow those of the program."""
    url = {"requestedUrl": arguments["url"]} if "url" in arguments else {}
    text = f"{code}: {message}\n{more.get('text', '')}"
    return Case(tool, arguments, text, {**url, "error": _error(code, message), **more}, True)


def _error(code: str, message: str) -> dict[str, Any]:
    return {"code": code, "retryable": False, "message": message}


def framed(text: str, url: str) -> str:
    """The text in its frame, with the identifier of `without_marks`."""
    return frame(text, url, lambda: _MARK)


def without_marks(text: str) -> str:
    """The same with one identifier in all frames; in reality each has a fresh one."""
    for mark in re.findall(r"<<<external-content ([0-9a-f]{16})>>>", text):
        text = text.replace(mark, _MARK)
    return text


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
