"""What the guard says to a URL, as frozen values. Apart from `models`, for a quick verdict."""

from typing import Any, NamedTuple


class JudgedAnswer(NamedTuple):
    """One address of a host and what the guard thinks of it."""

    address: str
    address_class: str
    allowed: bool

    def to_dict(self) -> dict[str, Any]:
        """As in the field `addresses` of a verdict."""
        return {"address": self.address, "class": self.address_class, "allowed": self.allowed}


class Verdict(NamedTuple):
    """What the guard says to a URL, and which rule decided."""

    url: str  # canonical
    allowed: bool
    rule: str = ""  # of a refusal: scheme, userinfo, host, https-only, port, denylist, ...
    address_class: str = ""  # of a refusal by the rule "address"
    reason: str = ""  # of a refusal, in a few words
    hint: str = ""  # for a person: what would open it
    addresses: tuple[JudgedAnswer, ...] = ()
    robots_allowed: bool | None = None  # what robots.txt says; None when it was not asked
    robots_rule: str = ""  # the line of it that decided

    def to_dict(self) -> dict[str, Any]:
        """The object that `check-url --json` prints."""
        refusal = {
            "code": "POLICY_REJECTED",
            "rule": self.rule,
            "class": self.address_class or None,
            "reason": self.reason,
        }
        return {
            "url": self.url,
            "verdict": "allowed" if self.allowed else "refused",
            **({} if self.allowed else refusal),
            "addresses": [answer.to_dict() for answer in self.addresses],
            **({} if self.robots_allowed is None else self._robots()),
        }

    def _robots(self) -> dict[str, Any]:
        return {"robots": {"allowed": self.robots_allowed, "rule": self.robots_rule or None}}
