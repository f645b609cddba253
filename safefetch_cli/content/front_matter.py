"""What a page says of itself, as YAML before its text."""

import json

from safefetch_cli.models import Document


def front_matter(document: Document, url: str) -> str:
    """A YAML block with title, author, published, site, language and url, as far as they are known.

    Every value is a quoted string in JSON's form, which YAML 1.2 reads alike.
    """
    fields = {
        "title": document.title,
        "author": document.byline,
        "published": document.published_at,
        "site": document.site_name,
        "language": document.lang,
        "url": url,
    }
    lines = (f"{name}: {json.dumps(value)}" for name, value in fields.items() if value)
    return "\n".join(["---", *lines, "---", ""])
