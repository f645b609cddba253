from dataclasses import dataclass
@dataclass(frozen=True)
class PageMetadata:
    title: str = ""
    byline: str = ""
    site_name: str = ""
    published_at: str = ""
    lang: str = ""
def page_metadata(root,url): return PageMetadata()
